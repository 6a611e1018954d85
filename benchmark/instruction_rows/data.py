"""Operands of the rows: 128x512 elements where nothing else is said, as in instructions.cpp."""

import ml_dtypes
import numpy as np

P, F = 128, 512
f32, bf16 = np.float32, ml_dtypes.bfloat16
e4m3, e5m2 = ml_dtypes.float8_e4m3, ml_dtypes.float8_e5m2
e4m3fn, e2m1 = ml_dtypes.float8_e4m3fn, ml_dtypes.float4_e2m1fn
random = np.random.default_rng(1)


def floats(low, high):
    return random.uniform(low, high, (P, F)).astype(f32)


x, y, positive, unit = floats(-3, 3), floats(-3, 3), floats(0.1, 2), floats(-0.9, 0.9)
out, tmp = np.empty_like(x), np.empty_like(x)
column = (np.arange(P, dtype=f32) / 512).reshape(P, 1)
low = np.arange(P, dtype=f32).reshape(P, 1)
high = 2 * low + 9
i = random.integers(0, 1 << 31, (P, F)).astype(np.int32)
j = random.integers(0, 1 << 31, (P, F)).astype(np.int32)
shift = random.integers(0, 32, (P, F)).astype(np.int32)
index = random.integers(0, F, (P, F))
flags = random.integers(0, 2, (P, F)).astype(bool)
int_out, byte_out = np.empty_like(i), np.empty((P, F), np.uint8)
uint_out, half, truth = np.empty((P, F), np.uint32), x.astype(np.float16), np.empty((P, F), bool)
hbm_x, hbm_out = x.copy(), np.empty_like(x)
row_order, pairs = np.arange(P) * 37 % P, np.arange(P) ^ 1
free = np.arange(F, dtype=f32)
square, small, square_out = np.ascontiguousarray(x[:, :P]), x[:32, :32], np.empty((P, P), f32)
lists = random.integers(0, F, (P, F // 16))
largest = -np.sort(-x, axis=1)[:, :8]
row_numbers = np.arange(P)

# The same in 16 and 8 bits.
x16, y16, unit16, out16 = x.astype(bf16), y.astype(bf16), unit.astype(bf16), np.empty((P, F), bf16)
square16, square_out16 = square.astype(bf16), np.empty((P, P), bf16)
largest16 = -np.sort(-x16.astype(f32), axis=1)[:, :8]
x_e4m3, x_e5m2 = x.astype(e4m3), x.astype(e5m2)
identity16 = np.eye(P).astype(bf16)

# Microscaling: 4 values of k beside each other per column, one scale per 8 partitions and column.
# Scales of quadrant q lie in partitions 32 q to 32 q + 3.
scale_rows = np.array([32 * (group // 4) + group % 4 for group in range(P // 8)])
scales = (124 + np.arange(P * F).reshape(P, F) % 6).astype(np.uint8)


def packed(dtype, mask):
    bits = random.integers(0, 256, (P, 4 * F), dtype=np.uint8) & np.uint8(mask)
    return bits.view(dtype)


moving_e4m3, moving_e5m2, moving_e2m1 = packed(e4m3fn, 0xBF), packed(e5m2, 0xBF), packed(e2m1, 0x0F)
quantized = {e4m3fn: np.empty((P, F), e4m3fn), e5m2: np.empty((P, F), e5m2)}
scale_out = np.empty((P // 8, F // 4), np.uint8)

statistics = np.stack(
    [np.stack([np.full(P, 32.0), c.mean(axis=1), c.var(axis=1) * 32], axis=1)
     for part in np.split(x, 8, axis=1) for c in (part[:, ::2], part[:, 1::2])],
    axis=1,
).astype(f32)  # fmt: skip
two = np.empty((P, 2), f32)
ids = np.where(np.arange(F) < 480, 1 + np.arange(F) // 24, 0).astype(np.int32)
float_ids = ids.astype(f32)
bounds, float_bounds = np.empty((1, 2, F), np.int32), np.empty((1, 2, F), f32)
seeds, states = random.integers(0, 1 << 31, (P, 24)).astype(np.uint32), np.empty((P, 24), np.uint32)
