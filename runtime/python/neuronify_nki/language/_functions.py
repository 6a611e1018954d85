"""Functions of tiles that take several instructions each."""

import numpy as np

from .. import _chip
from .. import isa as nisa
from . import _operators as op
from ._tiles import full, ndarray, psum, sbuf

_LARGEST_FRACTION = 2.0**23  # fp32 numbers from here on are whole


def _float_tile(shape):
    return ndarray(shape, "float32")


def _in_float(x):
    """x, or its values as float32."""
    return x if isinstance(x, _chip.NkiTensor) and x.dtype == "float32" else op.copy(x, "float32")


def divide(x, y, dtype=None):
    """x / y, as the reciprocal of y times x."""
    if not isinstance(y, _chip.NkiTensor):
        return op.multiply(x, 1.0 / y, dtype)
    inverse = op.reciprocal(y, "float32")
    return op.multiply(inverse, x, dtype or y.dtype)


def negative(x, dtype=None):
    """-x"""
    return op.multiply(x, -1.0, dtype)


def logical_not(x, dtype=None):
    """Whether x is zero."""
    return op.equal(x, 0, dtype)


def cos(x, dtype=None):
    """Cosine, of x in [-3 pi / 2, pi / 2]."""
    shifted = op.add(x, float(np.pi / 2), "float32")
    return op.sin(shifted, dtype or x.dtype)


def tan(x, dtype=None):
    """Tangent."""
    return divide(op.sin(x, "float32"), cos(x, "float32"), dtype or x.dtype)


def _rounded(x):
    """The nearest whole numbers, as float32, and x as float32. Numbers without a fraction stay."""
    x = _in_float(x)
    small = op.minimum(op.maximum(x, -_LARGEST_FRACTION), _LARGEST_FRACTION)
    near = op.copy(op.copy(small, "int32"), "float32")
    whole = op.greater_equal(op.abs(x), _LARGEST_FRACTION, "uint8")
    nisa.tensor_copy_predicated(near, x, whole)
    return near, x


def floor(x, dtype=None):
    """The largest whole number that is not greater."""
    near, given = _rounded(x)
    return op.subtract(near, op.greater(near, given), dtype or x.dtype)


def ceil(x, dtype=None):
    """The smallest whole number that is not less."""
    near, given = _rounded(x)
    return op.add(near, op.less(near, given), dtype or x.dtype)


def trunc(x, dtype=None):
    """The whole part."""
    magnitude = floor(op.abs(_in_float(x)))
    return op.multiply(magnitude, op.sign(_in_float(x)), dtype or x.dtype)


def _remainder(x, y, quotient, dtype):
    product = op.multiply(quotient(divide(x, y, "float32")), y, "float32")
    return op.subtract(x, product, dtype or getattr(x, "dtype", None) or y.dtype)


def fmod(x, y, dtype=None):
    """x - trunc(x / y) * y"""
    return _remainder(x, y, trunc, dtype)


def mod(x, y, dtype=None):
    """x - floor(x / y) * y"""
    return _remainder(x, y, floor, dtype)


# ---- reductions ---------------------------------------------------------------------------------


def _axes(x, axis):
    axes = [axis] if isinstance(axis, int) else list(axis)
    return sorted(a + x.ndim if a < 0 else a for a in axes)


def _reduce(operator, x, axis, dtype, keepdims):
    axes = _axes(x, axis)
    shape = [1 if d in axes else n for d, n in enumerate(x.shape)]
    if not keepdims:
        shape = [n for d, n in enumerate(x.shape) if d not in axes]
        if len(shape) == 1:
            shape.append(1)
    out = ndarray(tuple(shape), dtype or x.dtype)
    last = list(range(x.ndim - len(axes), x.ndim))
    if axes != last:
        order = [d for d in range(x.ndim) if d not in axes] + axes
        x, axes = x.permute(tuple(order)), last
    nisa.tensor_reduce(out.reshape((out.shape[0], out.size // out.shape[0])), operator,
                       x, axes)
    return out


def sum(x, axis, dtype=None, keepdims=False):  # noqa: A001
    """Sum over free dimensions."""
    return _reduce(op.add, x, axis, dtype, keepdims)


def max(x, axis, dtype=None, keepdims=False):  # noqa: A001
    """Maximum over free dimensions."""
    return _reduce(op.maximum, x, axis, dtype, keepdims)


def min(x, axis, dtype=None, keepdims=False):  # noqa: A001
    """Minimum over free dimensions."""
    return _reduce(op.minimum, x, axis, dtype, keepdims)


def prod(x, axis, dtype=None, keepdims=False):
    """Product over free dimensions."""
    return _reduce(op.multiply, x, axis, dtype, keepdims)


def _count(x, axis):
    count = 1
    for a in _axes(x, axis):
        count *= x.shape[a]
    return count


def mean(x, axis, dtype=None, keepdims=False):
    """Mean over free dimensions."""
    total = sum(x, axis, "float32", keepdims)
    return op.multiply(total, 1.0 / _count(x, axis), dtype or x.dtype)


def var(x, axis, dtype=None, keepdims=False):
    """Variance over free dimensions, of the numbers themselves (divided by their count)."""
    middle = mean(x, axis, "float32", True)
    deviation = op.subtract(x, middle, "float32")
    return mean(op.square(deviation), axis, dtype or x.dtype, keepdims)


def all(x, axis, dtype=None):  # noqa: A001
    """Whether no element over free dimensions is zero."""
    return _reduce(op.minimum, op.not_equal(x, 0, "float32"), axis, dtype or x.dtype, False)


def softmax(x, axis=-1, dtype=None):
    """e^x over its sum along `axis`."""
    largest = max(x, axis, "float32", True)
    powers = op.exp(op.subtract(x, largest, "float32"))
    total = op.reciprocal(sum(powers, axis, "float32", True))
    return op.multiply(powers, total, dtype or x.dtype)


def rms_norm(x, w, axis, n, epsilon=1e-6, dtype=None, compute_dtype=None):
    """x over the root of the mean of its squares, times w."""
    squares = sum(op.square(x, "float32"), axis, "float32", True)
    scale = ndarray(squares.shape, "float32")
    nisa.tensor_scalar(scale, squares, op.multiply, 1.0 / n, op1=op.add, operand1=epsilon)
    factor = op.rsqrt(scale)
    result = op.multiply(x, factor, compute_dtype or "float32")
    if w is None:
        return op.copy(result, dtype or x.dtype)
    return op.multiply(result, w, dtype or x.dtype)


def where(condition, x, y, dtype=None):
    """x where the condition is not zero, else y."""
    shape = condition.shape
    kind = dtype or (x.dtype if isinstance(x, _chip.NkiTensor) else
                     y.dtype if isinstance(y, _chip.NkiTensor) else "float32")
    result = ndarray(shape, kind)
    if isinstance(y, _chip.NkiTensor):
        nisa.tensor_copy(result, y)
    else:
        nisa.memset(result, y)
    predicate = op.not_equal(condition, 0, "uint8")
    nisa.tensor_copy_predicated(result, x, predicate)
    return result


# ---- shapes -------------------------------------------------------------------------------------


def expand_dims(x, axis):
    """A view with a dimension of size 1 at `axis`."""
    return x.expand_dim(axis if axis >= 0 else axis + x.ndim + 1)


def broadcast_to(x, shape, dtype=None):
    """A tile of `shape` that repeats x along its dimensions of size 1."""
    shape = tuple(shape)
    if len(shape) != x.ndim:
        raise nisa.NkiValidationError(f"nl.broadcast_to: {shape} has not as many dimensions as x, {x.shape}")
    if x.shape[0] == 1 and shape[0] != 1:
        rows = _broadcast_partitions(x, shape[0])
    else:
        rows = x
    return op.copy(op._spread(rows, shape), dtype)


def _broadcast_partitions(x, count):
    """A row repeated over partitions: ones times the row on TensorE, or a transfer each."""
    rows = ndarray((count, *x.shape[1:]), x.dtype)
    for start in range(count):
        nisa.dma_copy(rows[start:start + 1], x)
    return rows


def transpose(x, dtype=None):
    """The transposed of a two-dimensional tile."""
    through = ndarray((x.shape[1], x.shape[0]), x.dtype, psum)
    nisa.nc_transpose(through, x)
    return op.copy(through, dtype or x.dtype)


def matmul(x, y, transpose_x=False):
    """x @ y, in PSUM; with `transpose_x`, x is given transposed already."""
    stationary = x if transpose_x else transpose(x)
    out = ndarray((stationary.shape[1], y.shape[1]), "float32", psum)
    nisa.nc_matmul(out, stationary, y)
    return out


def gather_flattened(data, indices, axis=0, dtype=None):
    """Of each partition, the elements at `indices` of its flattened free dimensions."""
    out = ndarray(indices.shape, data.dtype)
    nisa.nc_n_gather(out, data, indices)
    return out if dtype is None or dtype == data.dtype else op.copy(out, dtype)


# ---- random numbers -----------------------------------------------------------------------------


def rand(shape, dtype, buffer=sbuf, name=""):
    """Uniform numbers of [0, 1)."""
    out = ndarray(shape, dtype, buffer, name)
    nisa.rand2(out, 0.0, 1.0)
    return out


def random_seed(seed):
    """Seeds the generators of VectorE, from an integer or a tile."""
    if not isinstance(seed, _chip.NkiTensor):
        seed = full((1, 1), int(seed), "uint32")
    nisa.set_rng_seed(seed)


def dropout(x, rate, dtype=None):
    """x, with elements set to 0 with the probability `rate`."""
    out = ndarray(x.shape, dtype or x.dtype)
    nisa.dropout(out, x, rate)
    return out
