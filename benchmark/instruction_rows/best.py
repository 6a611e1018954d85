"""The fastest NumPy that we know for each row, in place where that is possible.

Where a row has several expressions, the fastest counts. 16-bit floats are widened and rounded by
integer operations on their patterns where that beats ml_dtypes' casts; that rounding is right for
numbers, and its NaN handling is left out.
"""

import numpy as np
from scipy.special import erf

from .data import *
from .data import F, P


def scaled(source=x):
    """0.5 x + column, as ScalarE prepares its argument."""
    np.multiply(source, f32(0.5), out=tmp)
    return np.add(tmp, column, out=tmp)


def sigmoid(z):
    e = np.exp(np.negative(z, out=out), out=out)
    return np.reciprocal(np.add(e, f32(1), out=e), out=out)


def silu_dx(z):
    s = sigmoid(z)
    return s * (f32(1) + z * (f32(1) - s))


def normal_cdf(z):
    return f32(0.5) * (f32(1) + erf(z * f32(0.70710678)))


def gelu_dx(z):
    return normal_cdf(z) + z * f32(0.39894228) * np.exp(f32(-0.5) * z * z)


def gelu_sigmoid_dx(z):
    s = sigmoid(f32(1.702) * z)
    return s * (f32(1) + f32(1.702) * z * (f32(1) - s))


def gelu_tanh(z):
    return f32(0.5) * z * (f32(1) + np.tanh(f32(0.7978845608) * (z + f32(0.044715) * z * z * z)))


# ---- bfloat16 by its patterns -------------------------------------------------------------------

_wide = [np.empty((P, F), np.uint32) for _ in range(3)]
_odd = np.empty((P, F), np.uint32)


def widened(source, slot=0):
    bits = _wide[slot]
    np.copyto(bits, source.view(np.uint16))
    return np.left_shift(bits, 16, out=bits).view(np.float32)


def rounded(value, to=out16):
    bits = value.view(np.uint32)
    np.right_shift(bits, 16, out=_odd)
    np.bitwise_and(_odd, 1, out=_odd)
    np.add(_odd, 0x7FFF, out=_odd)
    np.add(_odd, bits, out=_odd)
    np.right_shift(_odd, 16, out=_odd)
    np.copyto(to.view(np.uint16), _odd, casting="unsafe")


def short(compute, *sources):
    """compute(*sources) from and to bfloat16: by patterns, and by ml_dtypes' casts."""
    return [
        lambda: rounded(compute(*(widened(s, k) for k, s in enumerate(sources)))),
        lambda: np.copyto(out16, compute(*(s.astype(f32) for s in sources)), casting="unsafe"),
    ]


def short_in(compute, *sources):
    """The same where the result is not bfloat16."""
    return [
        lambda: compute(*(widened(s, k) for k, s in enumerate(sources))),
        lambda: compute(*(s.astype(f32) for s in sources)),
    ]


def with_sum(compute):
    def run(*sources):
        value = compute(*sources)
        value.sum(axis=1)
        return value

    return run


# ---- rows that take more than an expression ------------------------------------------------------


def scan(a=unit, b=y):
    state = np.zeros(P, np.float32)
    for column_a, column_b, to in zip(a.T, b.T, out.T):  # one column at a time
        state = column_a * state + column_b
        to[:] = state
    return out


def compare(op, a, b, to):
    """0 and 1 in the type of `to`: two ways."""
    return [lambda: op(a, b, out=to), lambda: np.copyto(to, op(a, b, out=truth))]


def max8_by(sort, source=x):
    return lambda: sort(source)[:, : F - 9 : -1]


def largest_by_parts(source):
    return np.sort(np.partition(source, F - 8, axis=1)[:, F - 8 :], axis=1)[:, ::-1]


def to_int32():
    np.rint(x, out=tmp)
    np.clip(tmp, f32(-(2**31)), f32(2**31 - 128), out=tmp)
    np.copyto(int_out, tmp, casting="unsafe")


def to_uint8():
    np.rint(x, out=tmp)
    np.clip(tmp, f32(0), f32(255), out=tmp)
    np.copyto(byte_out, tmp, casting="unsafe")


def predicated_select():
    np.copyto(out, f32(0))
    np.copyto(out, x, where=flags)
    return out


def bn_stats(source=x):
    even, odd = source[:, ::2], source[:, 1::2]
    return even.mean(axis=1), even.var(axis=1) * 256, odd.mean(axis=1), odd.var(axis=1) * 256


def bn_aggr():
    count, mean, spread = statistics[:, :, 0], statistics[:, :, 1], statistics[:, :, 2]
    total = count.sum(axis=1)
    two[:, 0] = (count * mean).sum(axis=1) / total
    apart = mean - two[:, :1]
    two[:, 1] = (spread.sum(axis=1) + (count * apart * apart).sum(axis=1)) / total


def find_index8(source=x, values=largest):
    return np.stack([(source == values[:, k : k + 1]).argmax(axis=1) for k in range(8)], axis=1)


def match_replace8(source=x, values=largest):
    np.copyto(out, source)
    for k in range(8):
        place = (out == values[:, k : k + 1]).argmax(axis=1)
        out[row_numbers, place] = -1e30
    return out


def gather_by_core(source=x, to=out):
    for core in range(0, P, 16):
        places = lists[core : core + 16].ravel(order="F")
        np.take(source[core : core + 16], places, axis=1, out=to[core : core + 16])


def nonzero_by_core():
    result = np.full((8, F + 1), -1, np.int32)
    for core in range(8):
        found = np.flatnonzero(x[16 * core])
        result[core, : len(found)] = found
        result[core, F] = len(found)
    return result


def topk_by_core(source=x):
    for core in range(0, P, 16):
        snake = source[core : core + 16].ravel(order="F")
        places = np.argpartition(snake, -8)[-8:]
        places[np.argsort(snake[places])]


def sequence_bounds(segments, to):
    """Where each element's segment starts and one past where it ends."""
    starts = np.flatnonzero(np.diff(segments, prepend=segments[0] - 1))
    lengths = np.diff(starts, append=F)
    padding = segments == 0
    to[0, 0] = np.where(padding, F, np.repeat(starts, lengths))
    to[0, 1] = np.where(padding, -1, np.repeat(starts + lengths, lengths))


def quantize(dtype, most):
    """Groups of 8 partitions by 4 columns share a scale of 2^(exponent of the largest - most + 1)."""
    wide = widened(x16)
    size = np.abs(wide, out=tmp).reshape(P // 8, 8, F // 4, 4).max(axis=(1, 3))
    scale = np.clip((size.view(np.int32) >> 23) - (most - 1), 0, 254)
    scale_out[...] = scale
    factor = ((254 - scale) << 23).astype(np.int32).view(np.float32)
    scaled_values = wide.reshape(P // 8, 8, F // 4, 4) * factor[:, None, :, None]
    np.copyto(quantized[dtype], scaled_values.reshape(P, F), casting="unsafe")


def dequantized(data, scale):
    """[8-partition groups, 8, columns, 4] times the scales, as a matrix over k."""
    columns = data.shape[1] // 4
    factor = (scale[scale_rows, :columns].astype(np.int32) << 23).view(np.float32)
    values = data.astype(f32).reshape(P // 8, 8, columns, 4) * factor[:, None, :, None]
    return values.reshape(P, columns, 4).transpose(0, 2, 1).reshape(4 * P, columns)


def product_mx(data):
    left = dequantized(data[:, : 4 * P], scales)
    return np.matmul(left.T, dequantized(data, scales), out=out)


def double_row():
    a, b = x_e4m3[:, : 2 * P].astype(f32), x_e4m3.astype(f32)
    left, right = a.reshape(2 * P, P), b.reshape(2 * P, F // 2)
    return np.matmul(left.T, right)


def scatter_add():
    hbm_out[row_order] += x


def scatter(to, source):
    to[row_order] = source


def seeded():
    np.random.Philox(12345)


def functions():
    """Of the argument in fp32, a new array or in place."""
    return {
        "copy": lambda z: z,
        "exp": lambda z: np.exp(z, out=out),
        "sin": lambda z: np.sin(z, out=out),
        "tanh": lambda z: np.tanh(z, out=out),
        "sigmoid": sigmoid,
        "silu": lambda z: np.multiply(sigmoid(z), z, out=out),
        "silu_dx": silu_dx,
        "gelu": lambda z: z * normal_cdf(z),
        "gelu_dx": gelu_dx,
        "gelu_apprx_tanh": gelu_tanh,
        "gelu_apprx_sigmoid": lambda z: np.multiply(sigmoid(f32(1.702) * z), z, out=out),
        "gelu_apprx_sigmoid_dx": gelu_sigmoid_dx,
        "softplus": lambda z: np.log1p(np.exp(z)),
        "mish": lambda z: z * np.tanh(np.log1p(np.exp(z))),
        "erf": erf,
        "erf_dx": lambda z: f32(1.1283792) * np.exp(-z * z),
        "square": lambda z: np.square(z, out=out),
        "relu": lambda z: np.maximum(z, f32(0), out=out),
        "abs": lambda z: np.abs(z, out=out),
        "sign": lambda z: np.sign(z, out=out),
        "log": lambda z: np.log(z, out=out),
        "sqrt": lambda z: np.sqrt(z, out=out),
        "rsqrt": lambda z: np.reciprocal(np.sqrt(z, out=out), out=out),
        "reciprocal": lambda z: np.reciprocal(z, out=out),
        "arctan": lambda z: np.arctan(z, out=out),
    }


POSITIVE = ("log", "sqrt", "rsqrt", "reciprocal", "arctan")
BINARY = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "maximum": np.maximum,
    "minimum": np.minimum, "equal": np.equal, "less": np.less, "logical_and": np.logical_and,
    "power": np.power,
}  # fmt: skip
INTEGER = {
    "add": np.add, "multiply": np.multiply, "less": np.less, "bitwise_and": np.bitwise_and,
    "bitwise_xor": np.bitwise_xor, "left_shift": np.left_shift,
}  # fmt: skip


def element_wise():
    rows = {}
    for name, op in BINARY.items():
        left = positive if name == "power" else x
        rows[f"tensor_tensor {name}"] = [lambda op=op, a=left: op(a, y, out=out)]
        if name in ("equal", "less", "logical_and"):
            rows[f"tensor_tensor {name}"] = compare(op, x, y, out)
    rows["tensor_tensor abs_max"] = [lambda: np.maximum(np.abs(x, out=out), np.abs(y, out=tmp), out=out)]
    for name, op in INTEGER.items():
        right = shift if name == "left_shift" else j
        rows[f"tensor_tensor int32 {name}"] = [lambda op=op, b=right: op(i, b, out=int_out)]
    rows["tensor_tensor int32 less"] = compare(np.less, i, j, int_out)
    for name in ("add", "multiply", "maximum"):
        op = BINARY[name]
        rows[f"tensor_tensor bfloat16 {name}"] = short(lambda a, b, op=op: op(a, b, out=out), x16, y16)

    def multiply_add(a):
        return np.add(np.multiply(a, column, out=out), f32(0.5), out=out)

    def multiply_add_tile(a, b):
        return np.add(np.multiply(a, column, out=out), b, out=out)

    rows["tensor_scalar multiply add"] = [lambda: multiply_add(x)]
    rows["tensor_scalar bfloat16 multiply add"] = short(multiply_add, x16)
    rows["tensor_scalar maximum minimum"] = [
        lambda: np.clip(x, f32(-1), f32(1), out=out),
        lambda: np.minimum(np.maximum(x, f32(-1), out=out), f32(1), out=out),
    ]
    rows["tensor_scalar rsqrt"] = [lambda: np.reciprocal(np.sqrt(positive, out=out), out=out)]
    rows["tensor_scalar power"] = [lambda: np.power(positive, f32(1.5), out=out)]
    rows["tensor_scalar int32 right_shift bitwise_and"] = [
        lambda: np.bitwise_and(np.right_shift(i, 3, out=int_out), 0xFF, out=int_out)
    ]
    rows["scalar_tensor_tensor multiply add"] = [lambda: multiply_add_tile(x, y)]
    rows["scalar_tensor_tensor bfloat16 multiply add"] = short(multiply_add_tile, x16, y16)
    rows["reciprocal"] = [lambda: np.reciprocal(x, out=out)]
    rows["reciprocal bfloat16"] = short(lambda a: np.reciprocal(a, out=out), x16)
    return rows


def activations():
    rows = {}
    for name, function in functions().items():
        source = positive if name in POSITIVE else x
        rows[f"activation {name}"] = [lambda f=function, s=source: f(scaled(s))]
    rows["activation softplus"].append(lambda: np.logaddexp(f32(0), scaled()))
    for name in ("copy", "exp", "silu", "gelu"):
        function = functions()[name]
        rows[f"activation bfloat16 {name}"] = short(lambda a, f=function: f(scaled(a)), x16)

    def less_column(a):
        return np.exp(np.subtract(a, column, out=tmp), out=out)

    def scaled_less(a):
        return np.exp(np.subtract(np.multiply(a, f32(0.5), out=tmp), column, out=tmp), out=out)

    def of_scaled(a):
        return np.exp(scaled(a), out=out)

    for name, compute in {
        "exponential{} add": with_sum(less_column),
        "activate2{} multiply subtract exp": scaled_less,
        "activation_reduce{} exp add": with_sum(of_scaled),
    }.items():
        rows[name.format("")] = [lambda f=compute: f(x)]
        rows[name.format(" bfloat16")] = short(compute, x16)
    rows["activate2 multiply add prelu"] = [
        lambda: np.where(scaled() > 0, tmp, f32(0.1) * tmp),
        lambda: np.maximum(scaled(), np.multiply(tmp, f32(0.1), out=out), out=out),
    ]
    return rows


def reductions():
    def scale_and_add(a):
        return np.multiply(a, f32(0.5), out=out)

    def cumulative(a):
        return np.cumsum(np.multiply(a, f32(0.5), out=tmp), axis=1, out=out)

    return {
        "tensor_reduce add": [lambda: x.sum(axis=1)],
        "tensor_reduce maximum": [lambda: x.max(axis=1)],
        "tensor_reduce bfloat16 add": short_in(lambda a: a.sum(axis=1), x16),
        "tensor_scalar_reduce multiply add": [lambda: with_sum(scale_and_add)(x)],
        "tensor_scalar_reduce bfloat16 multiply add": short(with_sum(scale_and_add), x16),
        "tensor_tensor_scan multiply add": [scan],
        "tensor_tensor_scan bfloat16 multiply add": short(scan, unit16, y16),
        "tensor_scalar_cumulative multiply add": [lambda: cumulative(x)],
        "tensor_scalar_cumulative bfloat16 multiply add": short(cumulative, x16),
        "tensor_partition_reduce add": [lambda: x.sum(axis=0)],
        "tensor_partition_reduce maximum": [lambda: x.max(axis=0)],
        "tensor_partition_reduce bfloat16 add": short_in(lambda a: a.sum(axis=0), x16),
        "bn_stats": [bn_stats],
        "bn_stats bfloat16": short_in(bn_stats, x16),
        "bn_aggr of 16": [bn_aggr],
    }


def selections():
    def range_select():
        return np.where((free >= low) & (free < high), x, f32(-3.4028235e38)).max(axis=1)

    pattern, below = x16.view(np.uint16), np.uint16(0xF149)  # of -1e30

    return {
        "tensor_copy_predicated": [
            lambda: np.copyto(out, x, where=flags), lambda: np.where(flags, x, out)
        ],
        "tensor_copy_predicated scalar": [lambda: np.copyto(out, f32(1), where=flags)],
        "tensor_copy_predicated bfloat16": [
            lambda: np.copyto(out16.view(np.uint16), pattern, where=flags),
            lambda: np.where(flags, pattern, out16.view(np.uint16)),
        ],
        "select_reduce": [
            lambda: np.where(flags, x, f32(0)).max(axis=1), lambda: predicated_select().max(axis=1)
        ],
        "select_reduce bfloat16": short_in(
            lambda a: (np.where(flags, pattern, np.uint16(0)), np.where(flags, a, f32(0)).max(axis=1)),
            x16,
        ),
        "range_select": [range_select],
        "affine_select": [lambda: np.where(low - free >= 0, x, f32(-1e30))],
        "affine_select bfloat16": [lambda: np.where(low - free >= 0, pattern, below)],
        "iota int32": [lambda: np.arange(5, 5 + P * F, dtype=np.int32)],
        "iota float32": [lambda: np.arange(5, 5 + P * F, dtype=np.float32)],
        "nc_n_gather": [lambda: np.take_along_axis(x, index, axis=1)],
        "nc_n_gather bfloat16": [lambda: np.take_along_axis(pattern, index, axis=1)],
        "local_gather": [gather_by_core],
        "local_gather bfloat16": [lambda: gather_by_core(pattern, out16.view(np.uint16))],
    }  # fmt: skip


def searches():
    return {
        "max8": [max8_by(lambda a: np.sort(a, axis=1)), lambda: largest_by_parts(x)],
        "max8 bfloat16": short_in(largest_by_parts, x16),
        "nc_find_index8": [
            find_index8, lambda: (x[:, None, :] == largest[:, :, None]).argmax(axis=2)
        ],
        "nc_find_index8 bfloat16": short_in(lambda a: find_index8(a, largest16), x16),
        "nc_match_replace8": [match_replace8],
        "nc_match_replace8 bfloat16": short(lambda a: match_replace8(a, largest16), x16),
        "nonzero_with_count": [nonzero_by_core],
        "topk 8 of 8192": short_in(topk_by_core, x16),
        "sequence_bounds 1x512 int32": [lambda: sequence_bounds(ids, bounds)],
        "sequence_bounds 1x512 float32": [lambda: sequence_bounds(float_ids, float_bounds)],
    }  # fmt: skip


def casts():
    rows = {
        "tensor_copy to float16": [lambda: np.copyto(half, x, casting="same_kind")],
        "tensor_copy from float16": [lambda: np.copyto(out, half)],
        "tensor_copy to int32": [to_int32],
        "tensor_copy from int32": [lambda: np.copyto(out, i, casting="unsafe")],
        "tensor_copy to uint8": [to_uint8],
        "tensor_copy to bfloat16": [
            lambda: np.copyto(out16, x, casting="unsafe"), lambda: rounded(x)
        ],
        "tensor_copy from bfloat16": [
            lambda: np.copyto(out, x16, casting="unsafe"), lambda: widened(x16)
        ],
        "dma_copy to float16": [lambda: np.copyto(half, hbm_x, casting="same_kind")],
    }  # fmt: skip
    rows["dma_copy to bfloat16"] = rows["tensor_copy to bfloat16"]
    for name, tile in {"float8_e4m3": x_e4m3, "float8_e5m2": x_e5m2}.items():
        of_bits = np.arange(256, dtype=np.uint8).view(tile.dtype).astype(f32)
        rows[f"tensor_copy to {name}"] = [lambda t=tile: np.copyto(t, x, casting="unsafe")]
        rows[f"tensor_copy from {name}"] = [
            lambda t=tile: np.copyto(out, t, casting="unsafe"),
            lambda t=tile, table=of_bits: np.take(table, t.view(np.uint8), out=out),
        ]
    return rows


def movement():
    words16, to16, square_bits = x16.view(np.uint16), out16.view(np.uint16), square16.view(np.uint16)
    turned, turned16 = square_out, square_out16.view(np.uint16)
    transposed = [lambda: np.copyto(turned, square.T), lambda: np.ascontiguousarray(square.T)]
    transposed16 = [
        lambda: np.copyto(turned16, square_bits.T), lambda: np.ascontiguousarray(square_bits.T)
    ]  # fmt: skip
    return casts() | {
        "tensor_copy": [lambda: np.copyto(out, x)],
        "tensor_copy bfloat16": [lambda: np.copyto(to16, words16)],
        "tensor_copy every second element": [lambda: np.copyto(out[:, : F // 2], x[:, ::2])],
        "tensor_copy from a register's row of two": [
            lambda: np.copyto(out[:, : F // 2], x.reshape(P, 2, F // 2)[:, 1])
        ],
        "memset": [lambda: out.fill(1)],
        "memset bfloat16": [lambda: to16.fill(0x3F80)],
        "nc_stream_shuffle": [lambda: np.take(x, pairs, axis=0, out=out), lambda: x[pairs]],
        "nc_stream_shuffle bfloat16": [
            lambda: np.take(words16, pairs, axis=0, out=to16), lambda: words16[pairs]
        ],
        "nc_transpose 128x128": transposed,
        "nc_transpose 128x128 bfloat16": transposed16,
        "nc_transpose 32x32": [lambda: np.ascontiguousarray(small.T)],
        "dma_copy in": [lambda: np.copyto(out, hbm_x)],
        "dma_copy out": [lambda: np.copyto(hbm_out, x)],
        "dma_copy in bfloat16": [lambda: np.copyto(to16, words16)],
        "dma_copy gather of rows": [lambda: np.take(x, row_order, axis=0, out=out), lambda: x[row_order]],
        "dma_copy scatter of rows": [lambda: scatter(hbm_out, x)],
        "dma_transpose 128x128": transposed,
        "dma_transpose 128x128 bfloat16": transposed16,
        "dma_compute two sources": [lambda: np.add(hbm_x, y, out=out)],
        "dma_compute two sources bfloat16": short(lambda a, b: np.add(a, b, out=out), x16, y16),
        "dma_compute scatter of rows": [scatter_add],
    }  # fmt: skip


def products():
    def accumulate():
        np.add(out, np.matmul(square16.astype(f32).T, x16.astype(f32)), out=out)

    return {
        "nc_matmul float32 128x128x512": [lambda: np.matmul(square.T, x, out=out)],
        "nc_matmul bfloat16 128x128x512": [
            lambda: np.matmul(square16.astype(f32).T, x16.astype(f32), out=out)
        ],
        "nc_matmul float8_e4m3 128x128x512": [
            lambda: np.matmul(x_e4m3[:, :P].astype(f32).T, x_e4m3.astype(f32), out=out)
        ],
        "nc_matmul float8_e4m3 double_row 256x128x256": [double_row],
        "nc_matmul bfloat16 accumulate 128x128x512": [accumulate],
        "nc_matmul bfloat16 is_transpose 128x128": [
            lambda: np.copyto(square_out16.view(np.uint16), square16.view(np.uint16).T)
        ],
        "nc_matmul_mx float8_e4m3fn 512x128x512": [lambda: product_mx(moving_e4m3)],
        "nc_matmul_mx float8_e5m2 512x128x512": [lambda: product_mx(moving_e5m2)],
        "nc_matmul_mx float4_e2m1fn 512x128x512": [lambda: product_mx(moving_e2m1)],
        "quantize_mx float8_e4m3fn": [lambda: quantize(e4m3fn, 8)],
        "quantize_mx float8_e5m2": [lambda: quantize(e5m2, 15)],
    }


def random_numbers():
    """NumPy's own generator (PCG64), which is faster than XORWOW in NumPy would be."""

    def uniform():
        random.random(dtype=np.float32, out=tmp)
        return np.subtract(np.multiply(tmp, f32(2), out=tmp), f32(1), out=tmp)

    def keep(bits):
        return np.where(random.random((P, F), dtype=np.float32) >= f32(0.3), bits, bits.dtype.type(0))

    words = [lambda: random.integers(0, 1 << 32, (P, F), dtype=np.uint32),
             lambda: np.frombuffer(random.bytes(4 * P * F), np.uint32)]  # fmt: skip
    return {
        "rng uint32": words,
        "rng uint32 on GpSimdE": words,
        "rng uint8": [lambda: random.integers(0, 256, (P, F), dtype=np.uint8),
                      lambda: np.frombuffer(random.bytes(P * F), np.uint8)],
        "rand2": [uniform],
        "rand2 bfloat16": [lambda: rounded(uniform())],
        "dropout": [
            lambda: keep(x),
            lambda: np.multiply(x, random.random((P, F), dtype=np.float32) >= f32(0.3), out=out),
        ],
        "dropout bfloat16": [lambda: keep(x16.view(np.uint16))],
        "set_rng_seed": [seeded],
        "rand_set_state 128x24": [lambda: np.copyto(states, seeds)],
        "rand_get_state 128x24": [lambda: np.copyto(seeds, states)],
    }  # fmt: skip


def expressions():
    return (
        element_wise() | activations() | reductions() | selections() | movement() | searches()
        | random_numbers() | products()
    )  # fmt: skip
