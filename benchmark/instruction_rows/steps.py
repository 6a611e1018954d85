"""Each row step by step, as a simulator in NumPy does it.

What that means is documented, not invented: operands are cast to fp32, every operation is done in
fp32, and the result is cast to the destination (nki.isa's descriptions of each instruction); values
of 16 and 8 bits are kept in ml_dtypes' types and cast by them (nki_simulator.rst, "Numerical
Precision", NKI_PRECISE_FP=1); casts to integers round to nearest even and saturate. Each step makes
a new array; instructions that treat 16 partitions alike loop over those. Argument checks, sentinel
values and the interpreter's own time per instruction are left out, although such a simulator has
them. A cast to the type that a tile has already copies, as astype() does by itself; COPY says so.
"""

import numpy as np
from scipy.special import erf

from . import best
from .data import *
from .data import F, P

COPY = True  # whether astype() to the same type copies


def up(a):
    return a.astype(np.float32, copy=COPY)


def put(to, value):
    to[...] = value.astype(to.dtype, copy=COPY)


def put_integers(to, value):
    limits = np.iinfo(to.dtype)
    whole = np.where(np.isnan(value), f32(0), np.rint(value))
    to[...] = np.clip(whole, limits.min, limits.max).astype(to.dtype)


def logistic(z):
    return f32(1) / (f32(1) + np.exp(-z))


def normal_cdf(z):
    return f32(0.5) * (f32(1) + erf(z / np.sqrt(f32(2))))


def sigmoid_dx(z, s):
    return s + z * s * (f32(1) - s)


FUNCTIONS = {
    "copy": lambda z: z,
    "exp": np.exp,
    "sin": np.sin,
    "tanh": np.tanh,
    "sigmoid": logistic,
    "silu": lambda z: z * logistic(z),
    "silu_dx": lambda z: sigmoid_dx(z, logistic(z)),
    "gelu": lambda z: z * normal_cdf(z),
    "gelu_dx": lambda z: normal_cdf(z) + z * np.exp(f32(-0.5) * z * z) / np.sqrt(f32(2 * np.pi)),
    "gelu_apprx_tanh": best.gelu_tanh,
    "gelu_apprx_sigmoid": lambda z: z * logistic(f32(1.702) * z),
    "gelu_apprx_sigmoid_dx": lambda z: sigmoid_dx(f32(1.702) * z, logistic(f32(1.702) * z)),
    "softplus": lambda z: np.log1p(np.exp(z)),
    "mish": lambda z: z * np.tanh(np.log1p(np.exp(z))),
    "erf": erf,
    "erf_dx": lambda z: f32(2) / np.sqrt(f32(np.pi)) * np.exp(-z * z),
    "square": np.square,
    "relu": lambda z: np.maximum(z, f32(0)),
    "abs": np.abs,
    "sign": np.sign,
    "log": np.log,
    "sqrt": np.sqrt,
    "rsqrt": lambda z: f32(1) / np.sqrt(z),
    "reciprocal": lambda z: f32(1) / z,
    "arctan": np.arctan,
}  # fmt: skip


def element_wise():
    rows = {}
    binary = best.BINARY | {"abs_max": lambda a, b: np.maximum(np.abs(a), np.abs(b))}
    for name, op in binary.items():
        left = positive if name == "power" else x
        rows[f"tensor_tensor {name}"] = lambda op=op, a=left: put(out, op(up(a), up(y)))
        rows[f"tensor_tensor bfloat16 {name}"] = lambda op=op: put(out16, op(up(x16), up(y16)))
    for name, op in best.INTEGER.items():
        right = shift if name == "left_shift" else j
        rows[f"tensor_tensor int32 {name}"] = lambda op=op, b=right: put(int_out, op(i, b))
    for kind, a, b, to in (("", x, y, out), (" bfloat16", x16, y16, out16)):
        rows |= {
            f"tensor_scalar{kind} multiply add": lambda a=a, to=to: put(to, up(a) * up(column) + f32(0.5)),
            f"scalar_tensor_tensor{kind} multiply add": lambda a=a, b=b, to=to: put(
                to, up(a) * up(column) + up(b)
            ),
            f"reciprocal{kind}": lambda a=a, to=to: put(to, f32(1) / up(a)),
        }
    rows["tensor_scalar maximum minimum"] = lambda: put(out, np.minimum(np.maximum(up(x), f32(-1)), f32(1)))
    rows["tensor_scalar rsqrt"] = lambda: put(out, f32(1) / np.sqrt(up(positive)))
    rows["tensor_scalar power"] = lambda: put(out, np.power(up(positive), f32(1.5)))
    rows["tensor_scalar int32 right_shift bitwise_and"] = lambda: put(int_out, (i >> 3) & 0xFF)
    return rows


def put_with_sum(to, value):
    put(to, value)
    return value.sum(axis=1, keepdims=True)


def activations():
    rows = {}
    for name, f in FUNCTIONS.items():
        a = positive if name in best.POSITIVE else x
        rows[f"activation {name}"] = lambda f=f, a=a: put(out, f(up(a) * f32(0.5) + up(column)))
        rows[f"activation bfloat16 {name}"] = lambda f=f: put(out16, f(up(x16) * f32(0.5) + up(column)))
    for kind, a, to in (("", x, out), (" bfloat16", x16, out16)):
        rows |= {
            f"exponential{kind} add": lambda a=a, to=to: put_with_sum(to, np.exp(up(a) - up(column))),
            f"activate2{kind} multiply subtract exp": lambda a=a, to=to: put(
                to, np.exp(up(a) * f32(0.5) - up(column))
            ),
            f"activation_reduce{kind} exp add": lambda a=a, to=to: put_with_sum(
                to, np.exp(up(a) * f32(0.5) + up(column))
            ),
        }

    def prelu():
        z = up(x) * f32(0.5) + up(column)
        put(out, np.where(z > 0, z, z * f32(0.1)))

    rows["activate2 multiply add prelu"] = prelu
    return rows


def reductions():
    rows = {"tensor_reduce maximum": lambda: up(x).max(axis=1, keepdims=True)}
    rows["tensor_partition_reduce maximum"] = lambda: up(x).max(axis=0, keepdims=True)
    rows["bn_aggr of 16"] = best.bn_aggr
    for kind, a, b, c, to in (("", x, unit, y, out), (" bfloat16", x16, unit16, y16, out16)):
        rows |= {
            f"tensor_reduce{kind} add": lambda a=a: up(a).sum(axis=1, keepdims=True),
            f"tensor_scalar_reduce{kind} multiply add": lambda a=a, to=to: put_with_sum(to, up(a) * f32(0.5)),
            f"tensor_tensor_scan{kind} multiply add": lambda b=b, c=c, to=to: put(
                to, best.scan(up(b), up(c))
            ),
            f"tensor_scalar_cumulative{kind} multiply add": lambda a=a, to=to: put(
                to, np.cumsum(up(a) * f32(0.5), axis=1)
            ),
            f"tensor_partition_reduce{kind} add": lambda a=a: up(a).sum(axis=0, keepdims=True),
            f"bn_stats{kind}": lambda a=a: best.bn_stats(up(a)),
        }
    return rows


def select(to, take, a, b):
    result = np.where(take, up(a), f32(b))
    put(to, result)
    return result.max(axis=1, keepdims=True)


def selections():
    rows = {}
    for kind, a, to in (("", x, out), (" bfloat16", x16, out16)):
        rows |= {
            f"tensor_copy_predicated{kind}": lambda a=a, to=to: put(to, np.where(flags, a, to)),
            f"select_reduce{kind}": lambda a=a, to=to: select(to, flags, a, 0),
            f"affine_select{kind}": lambda a=a, to=to: put(to, np.where(low - free >= 0, up(a), f32(-1e30))),
            f"nc_n_gather{kind}": lambda a=a, to=to: put(to, np.take_along_axis(a, index, axis=1)),
            f"local_gather{kind}": lambda a=a, to=to: best.gather_by_core(
                a.view(f"u{a.itemsize}"), to.view(f"u{a.itemsize}")
            ),
        }

    def pattern():
        return 5 + np.arange(P)[:, None] * F + np.arange(F)

    return rows | {
        "tensor_copy_predicated scalar": lambda: put(out, np.where(flags, f32(1), out)),
        "range_select": lambda: select(out, (free >= low) & (free < high), x, -3.4028235e38),
        "iota int32": lambda: put(int_out, pattern()),
        "iota float32": lambda: put(out, pattern()),
    }


def searches():
    rows = {"topk 8 of 8192": lambda: best.topk_by_core(up(x16))}
    for kind, a, values, to in (("", x, largest, out), (" bfloat16", x16, largest16, out16)):
        rows |= {
            f"max8{kind}": lambda a=a: np.sort(up(a), axis=1)[:, : F - 9 : -1],
            f"nc_find_index8{kind}": lambda a=a, v=values: best.find_index8(up(a), v),
            f"nc_match_replace8{kind}": lambda a=a, v=values, to=to: put(to, best.match_replace8(up(a), v)),
        }
    return rows


def movement():
    rows = {
        "tensor_copy to float16": lambda: put(half, up(x)),
        "tensor_copy from float16": lambda: put(out, up(half)),
        "tensor_copy to bfloat16": lambda: put(out16, up(x)),
        "tensor_copy from bfloat16": lambda: put(out, up(x16)),
        "tensor_copy to int32": lambda: put_integers(int_out, up(x)),
        "tensor_copy from int32": lambda: put(out, up(i)),
        "tensor_copy to uint8": lambda: put_integers(byte_out, up(x)),
        "dma_copy to float16": lambda: put(half, up(hbm_x)),
        "dma_copy to bfloat16": lambda: put(out16, up(hbm_x)),
        "dma_compute two sources": lambda: put(out, up(hbm_x) + up(y)),
        "dma_compute two sources bfloat16": lambda: put(out16, up(x16) + up(y16)),
        "dma_compute scatter of rows": lambda: best.scatter(hbm_out, up(hbm_out[row_order]) + up(x)),
        "nc_transpose 128x128": lambda: put(square_out, square.T),
        "nc_transpose 128x128 bfloat16": lambda: put(square_out16, square16.T),
    }
    rows["dma_transpose 128x128"] = rows["nc_transpose 128x128"]
    rows["dma_transpose 128x128 bfloat16"] = rows["nc_transpose 128x128 bfloat16"]
    for name, tile in {"float8_e4m3": x_e4m3, "float8_e5m2": x_e5m2}.items():
        rows[f"tensor_copy to {name}"] = lambda t=tile: put(t, up(x))
        rows[f"tensor_copy from {name}"] = lambda t=tile: put(out, up(t))
    return rows


def quantize(dtype, most):
    wide = up(x16)
    size = np.abs(wide).reshape(P // 8, 8, F // 4, 4).max(axis=(1, 3))
    exponent = np.where(size == 0, f32(-127), np.floor(np.log2(size)) - f32(most - 1))
    exponent = np.maximum(exponent, f32(-127))
    put(scale_out, exponent + f32(127))
    shared = np.repeat(np.repeat(np.exp2(exponent), 8, axis=0), 4, axis=1)
    put(quantized[dtype], wide / shared)


def product_mx(data):
    def dequantized(part):
        columns = part.shape[1] // 4
        scale = np.exp2(up(scales[scale_rows, :columns]) - f32(127))
        shared = np.repeat(np.repeat(scale, 8, axis=0), 4, axis=1)
        return (up(part) * shared).reshape(P, columns, 4).transpose(0, 2, 1).reshape(4 * P, columns)

    put(out, np.matmul(dequantized(data[:, : 4 * P]).T, dequantized(data)))


def products():
    def accumulate():
        put(out, out + np.matmul(up(square16).T, up(x16)))

    return {
        "nc_matmul float32 128x128x512": lambda: put(out, np.matmul(up(square).T, up(x))),
        "nc_matmul bfloat16 128x128x512": lambda: put(out, np.matmul(up(square16).T, up(x16))),
        "nc_matmul float8_e4m3 128x128x512": lambda: put(out, np.matmul(up(x_e4m3[:, :P]).T, up(x_e4m3))),
        "nc_matmul bfloat16 accumulate 128x128x512": accumulate,
        "nc_matmul_mx float8_e4m3fn 512x128x512": lambda: product_mx(moving_e4m3),
        "nc_matmul_mx float8_e5m2 512x128x512": lambda: product_mx(moving_e5m2),
        "nc_matmul_mx float4_e2m1fn 512x128x512": lambda: product_mx(moving_e2m1),
        "quantize_mx float8_e4m3fn": lambda: quantize(e4m3fn, 8),
        "quantize_mx float8_e5m2": lambda: quantize(e5m2, 15),
    }


def random_numbers():
    def words(dtype):
        return random.integers(0, 1 << 32, (P, F), dtype=np.uint32).astype(dtype)

    def uniform():
        return random.random((P, F), dtype=np.float32)

    def keep(to, a):
        put(to, np.where(uniform() < f32(0.3), a.dtype.type(0), a))

    return {
        "rng uint32": lambda: put(uint_out, words(np.uint32)),
        "rng uint32 on GpSimdE": lambda: put(uint_out, words(np.uint32)),
        "rng uint8": lambda: put(byte_out, words(np.uint8)),
        "rand2": lambda: put(out, uniform() * f32(2) + f32(-1)),
        "rand2 bfloat16": lambda: put(out16, uniform() * f32(2) + f32(-1)),
        "dropout": lambda: keep(out, x),
        "dropout bfloat16": lambda: keep(out16, x16),
    }


def expressions():
    """Rows that are the same in both ways are only in `best`."""
    return (
        element_wise() | activations() | reductions() | selections() | movement() | searches()
        | random_numbers() | products()
    )  # fmt: skip
