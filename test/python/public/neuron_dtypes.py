"""What nki-library's tests use of a module that does not come with them: casts, also to packed types."""

import ml_dtypes
import numpy as np

_ELEMENTS = {"float8_e5m2_x4": ml_dtypes.float8_e5m2, "float8_e4m3fn_x4": ml_dtypes.float8_e4m3fn,
             "float4_e2m1fn_x4": ml_dtypes.float4_e2m1fn}

float8_e5m2_x4 = np.dtype("float8_e5m2_x4")
float8_e4m3fn_x4 = np.dtype("float8_e4m3fn_x4")
float4_e2m1fn_x4 = np.dtype("float4_e2m1fn_x4")


def _packed_name(dtype):
    """The name of a packed type, or None."""
    if isinstance(dtype, str):
        return dtype if dtype in _ELEMENTS else None
    dtype = np.dtype(dtype)
    return dtype.names[0] if dtype.names else None


def _pack(array, name):
    """Four adjacent values of the last dimension as one."""
    elements = np.asarray(array, np.float32).astype(_ELEMENTS[name])
    if name != "float4_e2m1fn_x4":
        return elements.view(np.dtype(name))
    bits = elements.view(np.uint8).reshape(*elements.shape[:-1], -1, 4).astype(np.uint16)
    packed = bits[..., 0] | bits[..., 1] << 4 | bits[..., 2] << 8 | bits[..., 3] << 12
    return packed.view(np.dtype(name))


def _unpack(array, name):
    if name != "float4_e2m1fn_x4":
        return np.ascontiguousarray(array).view(_ELEMENTS[name])
    bits = np.ascontiguousarray(array).view(np.uint16)
    values = np.stack([bits >> shift & 15 for shift in (0, 4, 8, 12)], -1).astype(np.uint8)
    return values.view(ml_dtypes.float4_e2m1fn).reshape(*array.shape[:-1], -1)


def static_cast(array, dtype):
    """The array's values in another type."""
    array = np.asarray(array)
    source, target = _packed_name(array.dtype), _packed_name(dtype)
    if source and source != target:
        array = _unpack(array, source)
    if target and source != target:
        return _pack(array, target)
    return array if target else array.astype(np.dtype(dtype))


def sizeinbytes(dtype):
    return np.dtype(dtype).itemsize


def finfo(dtype):
    return ml_dtypes.finfo(np.dtype(dtype))


def is_float_type(dtype):
    name = _packed_name(dtype)
    return bool(name) or "float" in np.dtype(dtype).name
