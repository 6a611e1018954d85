"""A whole CUDA program around random kernels: helpers, data with hard values, launches."""

import random

from collectives import BINS, WIDE_BINS
from kernels import Grower, inputs, outputs
from kinds import FLOATS, HALVES, F32, I32, NAMES, U16, U32
from tree import Declare, Kernel, Literal, Name, converted

HEAD = """\
#include <cuda_runtime.h>
@INCLUDES@
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
__device__ int nearest(float x) { return __float2int_rn(clamped(x)); }
__device__ float signed_as(float x, float y) { return y != y ? x : copysignf(x, y); }
__device__ unsigned swap_max(unsigned *p, unsigned value) {
  unsigned old = *p;
  while (old < value) {
    const unsigned seen = atomicCAS(p, old, value);
    if (seen == old) break;
    old = seen;
  }
  return old;
}
__device__ void whole_add(float *p, unsigned value) { atomicAdd(p, (float)(value & 127u)); }
"""

INCLUDES = {"halves": ["cuda_fp16.h", "cuda_bf16.h"], "groups": ["cooperative_groups.h",
                                                                 "cooperative_groups/reduce.h"]}
PARTS = {
    "groups": "namespace cg = cooperative_groups;\n",
    "records": """\
struct Item {
  int key;
  float weight;
  int2 pair;
  unsigned short tag;
  signed char level;
  unsigned char flag;
  int parts[3];
};
struct Record {
  unsigned a;
  int b;
  short c;
  unsigned char d;
  signed char e;
  unsigned f;
};
""",
    "doubles": """\
__device__ double clamped(double x) { return x > -1e9 ? (x < 1e9 ? x : 1e9) : -1e9; }
__device__ double smaller(double a, double b) { return fmin(a, b) + 0.0; }
__device__ double larger(double a, double b) { return fmax(a, b) + 0.0; }
__device__ double root(double a) { return (double)(float)sqrt(a); }
__device__ double canonical(double x) { return x != x ? 0.0 / 0.0 : x + 0.0; }
""",
    "halves": "".join(f"""\
__device__ {h} smaller({h} a, {h} b) {{ return __hmin(a, b) + {zero}; }}
__device__ {h} larger({h} a, {h} b) {{ return __hmax(a, b) + {zero}; }}
__device__ {h} crossed({h} a, {h} b) {{
  const {h}2 p = {pair}(a, b);
  const {h}2 q = __hadd2(__lowhigh2highlow(p), __hmul2(p, p));
  return __hlt(__low2{low}(q), b) ? __high2{low}(q) : __low2{low}(q);
}}
__device__ {h} canonical({h} x) {{ return __hisnan(x) ? {nan} : x + {zero}; }}
""" for h, zero, pair, low, nan in [
        ("__half", "__float2half(0.0f)", "__halves2half2", "half", "__ushort_as_half(0x7e00)"),
        ("__nv_bfloat16", "__float2bfloat16(0.0f)", "__halves2bfloat162", "bfloat16",
         "__ushort_as_bfloat16(0x7fc0)")]),
}
BIN_TYPES = {"whole_add": "float"}


def head(features):
    includes = [f"#include <{name}>\n" for f in sorted(features) for name in INCLUDES.get(f, [])]
    return HEAD.replace("@INCLUDES@", "".join(includes)) + "\n".join(
        PARTS[f] for f in sorted(features) if f in PARTS)


def bins(features):
    """Names and types of the tables of atomics."""
    return {name: BIN_TYPES.get(call, NAMES[kind])
            for call, name, kind in BINS + (WIDE_BINS if "wide" in features else [])}


def stored(kind):
    """The type of an output array's elements: floats are kept as their bits."""
    return NAMES[U32 if kind == F32 else kind]


def arguments(features):
    """Parameters of every kernel: text and name."""
    return ([(f"const {NAMES[k]} *__restrict__ {n}", n) for n, k in inputs(features).items()]
            + [(f"{stored(k)} *{n}", n) for n, k in outputs(features).items()]
            + [(f"{kind} *{name}", name) for name, kind in bins(features).items()]
            + ([("double *out_e", "out_e")] if "doubles" in features else [])
            + ([("const Item *__restrict__ items", "items"), ("Record *records", "records"),
                ("unsigned *out_q", "out_q")] if "records" in features else [])
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
            kind, [], 1.5 if kind in FLOATS else 1)

    def load(self, kind, scope, depth):
        return self.expr(kind, scope, depth - 1)

    def bound(self, scope):
        return self.expr(U32, scope, 1)

    def collect(self, scope):
        return Declare([Literal(I32, [], 1)], [], False, self.fresh("v"), I32)

    record = walk = collect


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


def kernel_lines(kernel: Kernel, features):
    widest = max(b[0] * b[1] * b[2] for _, b, *_ in kernel.launches)
    lines = [f"__global__ void {kernel.name}("]
    lines[0] += ", ".join(text for text, _ in arguments(features)) + ") {"
    if "dynamic" in kernel.uses:
        lines += ["  extern __shared__ unsigned dynamic[];", "  unsigned *shared_u = dynamic;",
                  f"  float *shared_f = (float *)(dynamic + {widest});"]
    elif "block" in kernel.uses:
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
    const unsigned long long twice = (unsigned long long)word << 32 | (seed ^ seed >> 13);
    if (sizeof(T) >= 4 && T(0.5f) != T(0) && seed >> 28 > 2)
      values[i] = T((int(word >> 8 & 0xffff) - 32768) * 0.01);
    else
      __builtin_memcpy(&values[i], sizeof(T) > 4 ? (const void *)&twice : (const void *)&word, sizeof(T));
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


def allocations(features):
    """Statements of main that fill the arrays."""
    for i, (name, kind) in enumerate(inputs(features).items()):
        filler = NAMES[U16 if kind in HALVES else kind]
        yield f"{NAMES[kind]} *{name} = ({NAMES[kind]} *)filled<{filler}>(capacity + 8, {i + 11}u);"
    for name, kind in outputs(features).items():
        yield f"{stored(kind)} *{name} = cleared<{stored(kind)}>(5 * capacity);"
    for name, kind in bins(features).items():
        yield f"{kind} *{name} = cleared<{kind}>(16);"
    if "doubles" in features:
        yield "double *out_e = cleared<double>(capacity);"
    if "records" in features:
        yield "Item *items = (Item *)filled<unsigned>(8 * capacity, 77u);"
        yield "Record *records = cleared<Record>(capacity);"
        yield "unsigned *out_q = cleared<unsigned>(4 * capacity);"
    yield "Parameters p = {in_u + 1, 0.75f, 3};"


def launch_line(kernel, launch, features):
    g, b, ragged, m = launch
    total = g[0] * g[1] * g[2] * b[0] * b[1] * b[2]
    n = max(1, total - ragged) if ragged >= 0 else total
    values = {"n": str(n), "un": f"{max(1, total - 1)}u", "m": str(m),
              "a": str((total * 7919) % 100003 - 50000), "b": f"{total * 2654435761 % 2**32}u",
              "c": "-1.75f"}
    words = ", ".join(values.get(name, name) for _, name in arguments(features))
    configuration = ", ".join(f"dim3({d[0]}, {d[1]}, {d[2]})" for d in (g, b))
    if "dynamic" in kernel.uses:
        configuration += f", {8 * max(x * y * z for _, (x, y, z), *_ in kernel.launches)}"
    return f"{kernel.name}<<<{configuration}>>>({words});"


def program(kernels, helper_lines, features):
    lines = [head(features)]
    for h in helper_lines:
        lines += [*h, ""]
    for k in kernels:
        lines += kernel_lines(k, features)
    lines += [HOST, "int main() {"]
    most = max(g[0] * g[1] * g[2] * b[0] * b[1] * b[2]
               for k in kernels for g, b, *_ in k.launches) + 1
    lines.append(f"  const int capacity = {most};")
    lines += ["  " + line for line in allocations(features)]
    lines += ["  " + launch_line(k, launch, features) for k in kernels for launch in k.launches]
    lines += ["  cudaDeviceSynchronize();",
              "  const cudaError_t error = cudaGetLastError();",
              '  std::printf("%s\\n", cudaGetErrorString(error));',
              "  return error != cudaSuccess;", "}", ""]
    return "\n".join(lines)


def grow(seed, count, features):
    """`count` kernels and their helper functions, the same for the same arguments."""
    rng = random.Random(seed)
    features = {f for f in sorted(features) if rng.random() < 0.7}
    if rng.random() < 0.5:
        features |= {"precise"}
    helper_lines, helpers = [], []
    for i in range(2):
        lines, entry = helper(rng, features, f"helper{i}", rng.choice([I32, U32, F32]))
        helper_lines.append(lines)
        helpers.append(entry)
    kernels = [Grower(rng, features, helpers).kernel(f"kernel{i}") for i in range(count)]
    return kernels, helper_lines, features
