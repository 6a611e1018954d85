"""Data types under their NKI names, and NumPy's types with the same bits."""

import sys

import ml_dtypes
import numpy as np

from . import _chip

#: NKI name -> NumPy dtype. tfloat32 lies in memory as float32 does.
NUMPY = {
    "uint8": np.dtype(np.uint8),
    "int8": np.dtype(np.int8),
    "uint16": np.dtype(np.uint16),
    "int16": np.dtype(np.int16),
    "uint32": np.dtype(np.uint32),
    "int32": np.dtype(np.int32),
    "bool_": np.dtype(np.bool_),
    "float16": np.dtype(np.float16),
    "bfloat16": np.dtype(ml_dtypes.bfloat16),
    "float32": np.dtype(np.float32),
    "tfloat32": np.dtype(np.float32),
    "float8_e4m3": np.dtype(ml_dtypes.float8_e4m3),
    "float8_e5m2": np.dtype(ml_dtypes.float8_e5m2),
    "float8_e4m3fn": np.dtype(ml_dtypes.float8_e4m3fn),
    "float8_e8m0fnu": np.dtype(ml_dtypes.float8_e8m0fnu),
    "float8_e5m2_x4": np.dtype([("float8_e5m2_x4", np.uint32)]),
    "float8_e4m3fn_x4": np.dtype([("float8_e4m3fn_x4", np.uint32)]),
    "float4_e2m1fn_x4": np.dtype([("float4_e2m1fn_x4", np.uint16)]),
}


def register():
    types = np.sctypeDict if hasattr(np, "sctypeDict") else np.core.numerictypes.sctypeDict
    for name, dtype in NUMPY.items():
        _chip.register_type(name, sys.intern(name), dtype)
        if name.endswith("_x4"):
            types.setdefault(name, dtype)
