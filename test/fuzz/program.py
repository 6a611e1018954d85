"""A whole CUDA program around random kernels: helpers, data with hard values, launches."""

import random

from kernels import INPUTS, OUTPUTS, WIDE_OUTPUTS, Grower
from tree import F32, I32, NAMES, U32, Declare, Kernel, Literal, Name, converted

HEAD = """\
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

struct Parameters {
  const unsigned *data;
  float scale;
  int shift;
};

__constant__ int table[16] = {3,  -1, 7,   100000, -5, 0, 1, 2,
                              12, 13, -14, 15,     16, 1, 0, 2147483647};
__constant__ float ftable[8] = {1.5f, -2.0f, 0.25f, 100.0f, -0.0f, 1e20f, 3e-39f, 7.0f};

__device__ int quotient(int a, int b) { return b == 0 || b == -1 ? b : a / b; }
__device__ int remainder(int a, int b) { return b == 0 || b == -1 ? a : a % b; }
__device__ unsigned quotient(unsigned a, unsigned b) { return b == 0u ? 1u : a / b; }
__device__ unsigned remainder(unsigned a, unsigned b) { return b == 0u ? a : a % b; }
__device__ long long quotient(long long a, long long b) { return b == 0 || b == -1 ? b : a / b; }
__device__ long long remainder(long long a, long long b) { return b == 0 || b == -1 ? a : a % b; }
__device__ unsigned long long quotient(unsigned long long a, unsigned long long b) {
  return b == 0u ? 1u : a / b;
}
__device__ unsigned long long remainder(unsigned long long a, unsigned long long b) {
  return b == 0u ? a : a % b;
}
__device__ int magnitude(int a) { return a < 0 ? (int)(0u - (unsigned)a) : a; }
__device__ unsigned rotated(unsigned a, unsigned b) {
  return (a << (b & 31u)) | (a >> ((32u - b) & 31u));
}
// Floats as integers: one NaN, and no sign of zero, where CUDA leaves them open.
__device__ unsigned bits(float x) { return x != x ? 0x7fc00000u : __float_as_uint(x + 0.0f); }
__device__ float as_float(unsigned a) {
  return __uint_as_float((a & 0x807fffffu) | ((((a >> 25) & 31u) + 0x70u) << 23));
}
__device__ float clamped(float x) { return x > -1e9f ? (x < 1e9f ? x : 1e9f) : -1e9f; }
__device__ float smaller(float a, float b) { return fminf(a, b) + 0.0f; }
__device__ float larger(float a, float b) { return fmaxf(a, b) + 0.0f; }
"""

ARGUMENTS = ([(f"const {NAMES[k]} *__restrict__ {n}", n) for n, k in INPUTS.items()]
             + [(f"{NAMES[U32 if k == F32 else k]} *{n}", n)
                for n, k in (OUTPUTS | WIDE_OUTPUTS).items()]
             + [("unsigned *bins_add", "bins_add"), ("int *bins_max", "bins_max"),
                ("unsigned *bins_xor", "bins_xor"), ("unsigned *bins_min", "bins_min")]
             + [("Parameters p", "p"), ("int n", "n"), ("unsigned un", "un"),
                ("int capacity", "capacity"), ("int m", "m"), ("int a", "a"), ("unsigned b", "b"),
                ("float c", "c")])

LINEAR = ["const int tid = threadIdx.x, T = blockDim.x;",
          "const int gid = blockIdx.x * blockDim.x + threadIdx.x;"]
BOXES = ["const int T = blockDim.x * blockDim.y * blockDim.z;",
         "const int tid = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;",
         "const int gid =",
         "    ((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) * T + tid;"]


class HelperGrower(Grower):
    """Device functions see their parameters only."""

    def leaf(self, kind, scope):
        options = [v for v in scope if v.kind == kind]
        if options and self.rng.random() < 0.7:
            return self.rng.choice(options)
        node = super().leaf(kind, scope)
        return node if isinstance(node, Literal) or node in scope else Literal(
            kind, [], 1.5 if kind == F32 else 1)

    def load(self, kind, scope, depth):
        return self.expr(kind, scope, depth - 1)

    def bound(self, scope):
        return self.expr(U32, scope, 1)

    def collect(self, scope):
        return Declare([Literal(I32, [], 1)], [], False, self.fresh("v"), I32)


def helper(rng, features, name, kind):
    grower = HelperGrower(rng, features - {"atomics"}, [])
    parameters = [rng.choice([I32, U32, F32]) for _ in range(rng.randint(1, 3))]
    scope = [Name(k, [], f"x{i}") for i, k in enumerate(parameters)]
    body = [grower.statement(scope, 2) for _ in range(rng.randint(1, 3))]
    early = grower.condition(scope, 2)
    signature = ", ".join(f"{NAMES[k]} x{i}" for i, k in enumerate(parameters))
    lines = [f"__device__ {NAMES[kind]} {name}({signature}) {{", "  unsigned own = 0u;"]
    for s in body:
        lines += ["  " + line for line in s.lines()]
    lines += [f"  if ({early.text()}) return {converted(grower.expr(kind, scope, 2), kind)};",
              f"  return {converted(grower.expr(kind, scope, 3), kind)} + ({NAMES[kind]})(own & 3u);",
              "}"]
    return lines, (name, tuple(parameters), None, kind)


def linear(kernel):
    return all(g[1] == g[2] == b[1] == b[2] == 1 for g, b, *_ in kernel.launches)


def kernel_lines(kernel: Kernel):
    widest = max(b[0] * b[1] * b[2] for _, b, *_ in kernel.launches)
    lines = [f"__global__ void {kernel.name}("]
    lines[0] += ", ".join(text for text, _ in ARGUMENTS) + ") {"
    if "block" in kernel.uses:
        lines += [f"  __shared__ unsigned shared_u[{widest}];",
                  f"  __shared__ float shared_f[{widest}];"]
    lines += ["  " + line for line in (LINEAR if linear(kernel) else BOXES)]
    lines.append("  unsigned own = 0u;")
    for statement in kernel.body:
        lines += ["  " + line for line in statement.lines()]
    return [*lines, "}", ""]


HOST = """\
template <class T> static T *filled(int count, unsigned seed) {
  static const unsigned hard[] = {0u, 1u, 0x80000000u, 0x7fffffffu, 0xffffffffu, 0x7f800000u,
                                  0xff800000u, 0x7fc00000u, 0x00000001u, 0x3f800000u, 0x4b800000u};
  std::vector<T> values(count);
  for (int i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    unsigned word = seed >> 28 == 0 ? hard[(seed >> 8) % 11u] : seed ^ (seed >> 15);
    if (sizeof(T) == 4 && T(0.5f) != T(0) && seed >> 28 > 2)
      values[i] = T((int(word >> 8 & 0xffff) - 32768) * 0.01f);
    else
      __builtin_memcpy(&values[i], &word, sizeof(T) < 4 ? sizeof(T) : 4);
  }
  T *device;
  cudaMalloc(&device, count * sizeof(T));
  cudaMemcpy(device, values.data(), count * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

template <class T> static T *cleared(int count) {
  T *device;
  cudaMalloc(&device, count * sizeof(T));
  cudaMemset(device, 0x11, count * sizeof(T));
  return device;
}
"""


def program(kernels, helper_lines):
    lines = [HEAD]
    for h in helper_lines:
        lines += [*h, ""]
    for k in kernels:
        lines += kernel_lines(k)
    lines += [HOST, "int main() {"]
    most = max(g[0] * g[1] * g[2] * b[0] * b[1] * b[2]
               for k in kernels for g, b, *_ in k.launches) + 1
    lines.append(f"  const int capacity = {most};")
    for i, (name, kind) in enumerate(INPUTS.items()):
        lines.append(f"  {NAMES[kind]} *{name} = filled<{NAMES[kind]}>(capacity, {i + 11}u);")
    for name, kind in (OUTPUTS | WIDE_OUTPUTS).items():
        stored = NAMES[U32 if kind == F32 else kind]
        lines.append(f"  {stored} *{name} = cleared<{stored}>(5 * capacity);")
    for name, kind in (("add", "unsigned"), ("max", "int"), ("xor", "unsigned"), ("min", "unsigned")):
        lines.append(f"  {kind} *bins_{name} = cleared<{kind}>(16);")
    lines.append("  Parameters p = {in_u + 1, 0.75f, 3};")
    for k in kernels:
        for g, b, ragged, m in k.launches:
            total = g[0] * g[1] * g[2] * b[0] * b[1] * b[2]
            n = max(1, total - ragged) if ragged >= 0 else total
            values = {"n": str(n), "un": f"{max(1, total - 1)}u", "m": str(m),
                      "a": str((total * 7919) % 100003 - 50000), "b": f"{total * 2654435761 % 2**32}u",
                      "c": "-1.75f"}
            arguments = ", ".join(values.get(name, name) for _, name in ARGUMENTS)
            dims = [f"dim3({d[0]}, {d[1]}, {d[2]})" for d in (g, b)]
            lines.append(f"  {k.name}<<<{dims[0]}, {dims[1]}>>>({arguments});")
    lines += ["  cudaDeviceSynchronize();",
              "  const cudaError_t error = cudaGetLastError();",
              '  std::printf("%s\\n", cudaGetErrorString(error));',
              "  return error != cudaSuccess;", "}", ""]
    return "\n".join(lines)


def grow(seed, count, features):
    """`count` kernels and their helper functions, the same for the same arguments."""
    rng = random.Random(seed)
    features = set(features)
    if rng.random() < 0.5:
        features |= {"precise"}
    helper_lines, helpers = [], []
    for i in range(2):
        lines, entry = helper(rng, features, f"helper{i}", rng.choice([I32, U32, F32]))
        helper_lines.append(lines)
        helpers.append(entry)
    kernels = [Grower(rng, features, helpers).kernel(f"kernel{i}") for i in range(count)]
    return kernels, helper_lines, features
