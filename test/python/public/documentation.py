"""Kernels of the Neuron documentation, of nki-samples and of nkipy."""

import pathlib
import sys
import tempfile

import ml_dtypes
import numpy as np

import nki
import nki.language as nl

from .harness import case, code_blocks, run_text, script, stubbed

random = np.random.default_rng(11)


def floats(*shape, dtype=np.float32):
    return random.standard_normal(shape).astype(dtype)


def examples(checkout):
    return checkout / "nki/examples" if (checkout / "nki").is_dir() else checkout / "examples"


def guides(checkout):
    return examples(checkout).parent


@case(1, "nki_tensor_add", "sdk")
def tensor_add(checkout):
    kernel = script(examples(checkout) / "tensor_addition/tensor_addition_nki_kernels.py")["nki_tensor_add"]
    a, b = floats(256, 1024), floats(256, 1024)
    yield kernel(a, b), a + b, 0, 0


@case(2, "add_kernel", "sdk")
def simulate(checkout):
    kernel = script(examples(checkout) / "simulate/nki_simulate_example.py")["add_kernel"]
    a, b = floats(128, 512), floats(128, 512)
    yield nki.simulate(kernel)(a, b), a + b, 0, 0


@case(3, "tensor_transpose2D_kernel_", "sdk")
def transpose2d(checkout):
    kernel = script(examples(checkout) / "transpose2d/transpose2d_nki_kernels.py")["tensor_transpose2D_kernel_"]
    p, x, y = 5, 37, 11
    a = random.integers(-128, 128, (p, x * y)).astype(np.int8)
    yield kernel(a, (x, y)), a.reshape(p, x, y).transpose(0, 2, 1).reshape(p, x * y), 0, 0


@case(4, "tensor_avgpool_kernel", "sdk")
def average_pool(checkout):
    names = script(examples(checkout) / "average_pool2d/average_pool2d_nki_kernels.py")
    x = floats(128, 30, 30)
    yield names["tensor_avgpool_kernel"](x, 3), names["np_average_pool_2D"](x, 3), 1e-5


@case(5, "tensor_split_kernel_", "sdk")
def split(checkout):
    kernel = script(examples(checkout) / "index-case-1.py")["tensor_split_kernel_"]
    x = floats(128, 513)
    even, odd = kernel(x)
    yield even, x[:, 0::2], 0, 0
    yield odd, x[:, 1::2], 0, 0


@case(7, "tensor_maxpool_kernel_", "sdk")
def max_pool(checkout):
    kernel = script(examples(checkout) / "index-case-3.py")["tensor_maxpool_kernel_"]
    x = floats(64, 24, 24, dtype=ml_dtypes.bfloat16)
    yield kernel(x, 4), x.reshape(64, 6, 4, 6, 4).max((2, 4)), 0, 0


@case(8, "nki_tensor_add (nkipy)", "nkipy")
def nkipy_add(checkout):
    stubs = dict.fromkeys(("nkipy", "nkipy.core", "nkipy.runtime"))
    kernel = script(checkout / "examples/playground/simple_nki_kernel.py", **stubs)["nki_tensor_add"]
    a, b = floats(128, 512), floats(128, 512)
    yield kernel(a, b), a + b, 0, 0


@case(9, "nki_rmsnorm_kernel", "nkipy")
def nkipy_rmsnorm(checkout):
    kernel = script(checkout / "examples/models/gpt_oss/kernels/nki/rmsnorm.py")["nki_rmsnorm_kernel"]
    x, w = floats(200, 768), floats(768)
    expected = x / np.sqrt((x * x).mean(1, keepdims=True) + 1e-5) * w
    yield kernel(x, w, 1e-5), expected, 1e-4


def matmul_case(number, name, source, folder, shapes):
    @case(number, name, source)
    def run(checkout):
        path = folder(checkout) / "matrix_multiplication/matrix_multiplication_nki_kernels.py"
        kernel = script(path)[name]
        (k, m), (_, n) = shapes
        a, b = floats(k, m, dtype=ml_dtypes.bfloat16), floats(k, n, dtype=ml_dtypes.bfloat16)
        yield kernel(a, b), a.astype(np.float32).T @ b.astype(np.float32)


def tutorials(checkout):
    return checkout / "src/nki_samples/tutorials"


matmul_case(10, "nki_matmul_basic_", "sdk", examples, ((128, 64), (128, 512)))
matmul_case(11, "nki_matmul_tiled_", "sdk", examples, ((256, 256), (256, 1024)))
matmul_case(12, "nki_matmul_hoist_load_", "sdk", examples, ((256, 256), (256, 1024)))
matmul_case(13, "nki_matmul_block_free_dimension_", "samples", tutorials, ((256, 512), (256, 2048)))
matmul_case(14, "nki_matmul_fully_optimized_", "samples", tutorials, ((1024, 4096), (1024, 2048)))


def optimization_kernels(checkout):
    """The versions of matrix_multiply_kernel in the tutorial, in its order."""
    blocks = code_blocks(guides(checkout) / "guides/tutorials/kernel-optimization.rst")
    return [block for block in blocks if "def matrix_multiply_kernel" in block and "@nki.jit" in block]


def optimization_case(number, name, version, shapes):
    @case(number, name, "sdk")
    def run(checkout):
        with tempfile.TemporaryDirectory() as folder:
            names = run_text(optimization_kernels(checkout)[version], pathlib.Path(folder), "kernel_optimization")
            (k, m), (_, n) = shapes
            a, b = floats(k, m, dtype=ml_dtypes.bfloat16), floats(k, n, dtype=ml_dtypes.bfloat16)
            yield names["matrix_multiply_kernel"](a, b), a.astype(np.float32).T @ b.astype(np.float32)


optimization_case(15, "matrix_multiply_kernel, one tile", 0, ((128, 128), (128, 512)))
optimization_case(16, "matrix_multiply_kernel, tiled", 1, ((256, 256), (256, 1024)))
optimization_case(17, "matrix_multiply_kernel, loads hoisted", 2, ((256, 256), (256, 1024)))
optimization_case(18, "matrix_multiply_kernel, blocked", -1, ((1024, 4096), (1024, 2048)))


@case(19, "tensor_exp_kernel_", "sdk")
def exponential(checkout):
    x = floats(128, 512)
    yield script(examples(checkout) / "layout-pass.py")["tensor_exp_kernel_"](x), np.exp(x), 1e-5


@case(20, "nki_tensor_add_kernel", "sdk")
def baremetal(checkout):
    a, b = floats(4, 3, dtype=np.float16), floats(4, 3, dtype=np.float16)
    yield script(examples(checkout) / "getting_started_baremetal.py")["nki_tensor_add_kernel"](a, b), a + b, 0, 0


def mamba_reference(delta, u, a, b, c):
    """The selective scan, step by step in double precision."""
    batch, channels, steps = delta.shape
    state = np.zeros((batch, channels, a.shape[1]))
    out = np.empty(delta.shape)
    for t in range(steps):
        d = delta[:, :, t, None].astype(np.float64)
        state = np.exp(d * a) * state + d * u[:, :, t, None] * b[:, None, :, t]
        out[:, :, t] = (state * c[:, None, :, t]).sum(2)
    return out


def mamba_case(number, name, channels, steps):
    @case(number, name, "sdk")
    def run(checkout):
        kernel = script(examples(checkout) / "fused_mamba/mamba_nki_kernels.py")[name]
        delta = np.abs(floats(1, channels, steps)) * np.float32(0.1)
        u, a = floats(1, channels, steps), -np.abs(floats(channels, 16))
        b, c = floats(1, 16, steps), floats(1, 16, steps)
        yield kernel(delta, u, a, b, c), mamba_reference(delta, u, a, b, c), 1e-4


mamba_case(21, "mamba_v1", 256, 512)
mamba_case(22, "mamba_v2", 256, 512)
mamba_case(23, "mamba_v3", 256, 1024)


# ---- microscaling formats -----------------------------------------------------------------------


def mx_modules(checkout):
    folder = str(guides(checkout) / "deep-dives/src/mxfp-matmul")
    sys.path.insert(0, folder)
    try:
        import mx_cpu_utils
        import mx_kernels
    finally:
        sys.path.remove(folder)
    return mx_kernels, mx_cpu_utils


_X4 = {ml_dtypes.float8_e5m2: nl.float8_e5m2_x4, ml_dtypes.float8_e4m3fn: nl.float8_e4m3fn_x4,
       ml_dtypes.float4_e2m1fn: nl.float4_e2m1fn_x4}


@case(24, "kernel_offline_quantized_mx_matmul", "sdk")
def offline_quantized(checkout):
    kernels, golden = mx_modules(checkout)
    for dtype in _X4:
        _, _, stationary, stationary_scale = golden.generate_stabilized_mx_data(dtype, (128, 512))
        _, _, moving, moving_scale = golden.generate_stabilized_mx_data(dtype, (128, 2048))
        result = kernels.kernel_offline_quantized_mx_matmul(stationary, stationary_scale, moving, moving_scale,
                                                            _X4[dtype])
        yield result, golden.nc_matmul_mx_golden(stationary, moving, stationary_scale, moving_scale, dtype, dtype)


@case(25, "kernel_on_device_quantize_matmul_mx", "sdk")
def quantized_on_device(checkout):
    kernels, golden = mx_modules(checkout)
    for stationary_type in (ml_dtypes.float4_e2m1fn, ml_dtypes.float8_e5m2):
        moving_type = ml_dtypes.float8_e5m2
        _, _, stationary, scale = golden.generate_stabilized_mx_data(stationary_type, (128, 512))
        moving, _, _, _ = golden.generate_stabilized_mx_data(moving_type, (128, 2048))
        result = kernels.kernel_on_device_quantize_matmul_mx(
            stationary, scale, moving.astype(ml_dtypes.bfloat16), _X4[stationary_type], _X4[moving_type])
        quantized, moving_scale = golden.quantize_mx_golden(moving, moving_type)
        yield result, golden.nc_matmul_mx_golden(stationary, quantized, scale, moving_scale, stationary_type,
                                                 moving_type)


def strided_case(number, name):
    @case(number, name, "sdk")
    def run(checkout):
        kernels, golden = mx_modules(checkout)
        for use_tensor_copy in (True, False):
            dtype = ml_dtypes.float8_e5m2
            a, _, _, _ = golden.generate_stabilized_mx_data(dtype, (512, 128))
            b, _, _, _ = golden.generate_stabilized_mx_data(dtype, (512, 512))
            result = getattr(kernels, name)(a.astype(ml_dtypes.bfloat16), b.astype(ml_dtypes.bfloat16), _X4[dtype],
                                            use_tensor_copy)
            yield result, a.T @ b, 5e-2, 5e-2


strided_case(26, "kernel_copy_strided_quantize_matmul_mx")
strided_case(27, "kernel_copy_strided_quantize_matmul_mx_packed_scale")
