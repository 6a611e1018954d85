// Inline PTX that real code uses: barriers for the compiler, registers, logic of three operands,
// approximations, clocks that count.
#include <cstdio>

#define LOP3(table, index)                                                                         \
  asm("lop3.b32 %0, %1, %2, %3, " #table ";" : "=r"(r) : "r"(a), "r"(b), "r"(c));                  \
  out[i * 8 + index] = r

__global__ void logic(const unsigned *x, unsigned *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const unsigned a = x[i], b = x[(i + 1) % n], c = x[(i * 7 + 3) % n];
  unsigned r;
  LOP3(0x96, 0);
  LOP3(0xca, 1);
  LOP3(0xe8, 2);
  LOP3(0x80, 3);
  LOP3(0xfe, 4);
  LOP3(0x1b, 5);
  LOP3(0xb8, 6);
  LOP3(0x00, 7);
}

__global__ void registers(int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  asm volatile("" ::: "memory");
  unsigned lane, mask, multiprocessor;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
  asm volatile("membar.gl;" ::: "memory");
  int kept = i * 3;
  asm volatile("" : "+r"(kept));
  if (i < n)
    out[i] = kept + int(lane) * 1000 + int(mask & 0xff) + int(multiprocessor);
}

__global__ void approximations(const float *x, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float a, b, c, d;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(a) : "f"(x[i]));
  asm volatile("rcp.approx.ftz.f32 %0, %1;" : "=f"(b) : "f"(x[i] + 3));
  asm("rsqrt.approx.f32 %0, %1;" : "=f"(c) : "f"(x[i] + 3));
  asm("tanh.approx.f32 %0, %1;" : "=f"(d) : "f"(x[i]));
  out[i] = a + b + c + d;
}

// No time passes, but it goes on.
__global__ void clocks(const int *x, long long *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const long long start = clock64();
  int rounds = 0;
  while (clock64() - start < 400)
    ++rounds;
  if (i < n) {
    for (int k = 0; k < x[i] % 5; ++k)
      rounds += int(clock() > 0);
    out[i] = clock64() + rounds * 100000;
  }
}

int main() {
  const int n = 203;
  unsigned *x = nullptr;
  long long *out = nullptr;
  float *floats = nullptr;
  unsigned host[n];
  float values[n];
  for (int i = 0; i < n; ++i) {
    host[i] = unsigned(i) * 2654435761u;
    values[i] = (i - 100) * 0.02f;
  }
  cudaMalloc(&x, n * sizeof(unsigned));
  cudaMalloc(&floats, n * sizeof(float));
  cudaMalloc(&out, n * 8 * sizeof(unsigned));
  cudaMemset(out, 0, n * 8 * sizeof(unsigned));
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(floats, values, sizeof values, cudaMemcpyHostToDevice);
  logic<<<4, 64>>>(x, (unsigned *)out, n);
  registers<<<4, 64>>>((int *)out, n);
  approximations<<<4, 64>>>(floats, (float *)out, n);
  for (int i = 0; i < n; ++i)
    host[i] = i % 11;
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  clocks<<<4, 64>>>((int *)x, out, n);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
