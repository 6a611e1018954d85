// __half2 and __nv_bfloat162: arithmetic and comparison of pairs, 16-byte loads taken apart,
// unions, local arrays, structs, shared memory, shuffles, and sums kept in float.
#include "upload.h"

#include <cstdint>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <vector>

template <class P> __global__ void arithmetic(const P *a, const P *b, const P *c, P *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const P x = a[i], z = b[i];
  y[i] = __hadd2(x, z);
  y[n + i] = x - z;
  y[2 * n + i] = __hmul2_sat(x, z);
  y[3 * n + i] = __h2div(x, z);
  y[4 * n + i] = __hfma2(x, z, c[i]);
  y[5 * n + i] = __hcmadd(x, z, c[i]);
  y[6 * n + i] = __hmin2(__hmax2(x, z), c[i]);
  P sum = __hneg2(__habs2(x));
  sum += z;
  ++sum;
  y[7 * n + i] = sum;
}

template <class P>
__global__ void comparisons(const P *a, const P *b, P *y, unsigned *flags, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const P x = a[i], z = b[i];
  y[i] = __hlt2(x, z);
  y[n + i] = __hneu2(x, z);
  y[2 * n + i] = __hisnan2(x);
  flags[i] = __hge2_mask(x, z);
  flags[n + i] = __hbeq2(x, z) | __hbne2(x, z) << 1 | __hbltu2(x, z) << 2 | (x == z) << 3 |
                 (x != z) << 4 | (x > z) << 5;
}

__global__ void conversions(const float2 *f, __half2 *h, __nv_bfloat162 *b, float2 *g, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const __half2 x = __float22half2_rn(f[i]);
  h[i] = __lowhigh2highlow(x);
  h[n + i] = __halves2half2(__high2half(x), __float2half(__low2float(x) * 0.5f));
  h[2 * n + i] = __lows2half2(x, __float2half2_rn(f[i].y));
  b[i] = __floats2bfloat162_rn(f[i].x, f[i].y);
  b[n + i] = __high2bfloat162(b[i]);
  const float2 back = __half22float2(x), other = __bfloat1622float2(b[i]);
  g[i] = make_float2(back.x + other.y, back.y - other.x);
}

// Eight numbers in one load, as kernels do for bandwidth.
__global__ void by_sixteen_bytes(const float4 *x, const float4 *w, float *sums, float4 *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float4 in = x[i], weights = w[i];
  const __half2 *h = reinterpret_cast<const __half2 *>(&in);
  const __half2 *k = reinterpret_cast<const __half2 *>(&weights);
  float sum = 0;
  float4 out;
  __half2 *o = reinterpret_cast<__half2 *>(&out);
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    sum += __low2float(h[j]) * __low2float(k[j]) + __high2float(h[j]) * __high2float(k[j]);
    o[j] = __hmul2(h[j], k[3 - j]);
  }
  sums[i] = sum;
  y[i] = out;
}

union Word {
  unsigned bits;
  __half2 pair;
  __half half[2];
};

__global__ void unions(const unsigned *x, unsigned *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Word a, b;
  a.bits = x[i];
  b.pair = __hadd2(a.pair, __float2half2_rn(1.0f));
  y[i] = b.bits;
  b.half[0] = a.half[1];
  y[n + i] = b.bits ^ 1;
}

template <class T, class P> __global__ void dots(const T *x, const P *p, T *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  T window[5];
  for (int j = 0; j < 5; ++j)
    window[j] = x[(i + j * 7) % n];
  P acc(T(0.0f), T(0.0f));
  for (int j = 0; j < 5; ++j)
    acc = __hfma2(p[(i + j) % (n / 2 + 1)], P(window[j], window[4 - j]), acc);
  float sum = 0;
  for (int j = i % 3; j < 5; ++j)
    sum += float(window[j]) * float(acc.x);
  y[i] = sum;
  y[n + i] = acc.x + acc.y;
}

struct Node {
  __half weight;
  __nv_bfloat16 bias;
  int next;
  __half2 pair;
};

__global__ void structs(const Node *in, Node *out, __half scale, __half2 pairs, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Node node = in[in[i].next % n];
  node.weight *= scale;
  node.bias = __float2bfloat16(float(node.weight)) + node.bias;
  node.pair = __hadd2(node.pair, pairs);
  out[i] = node;
}

template <class P> __global__ void sum_of_block(const P *x, P *y, int n) {
  __shared__ P s[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  P value = i < n ? x[i] : P(0.0f, 0.0f);
  value = __hadd2(value, __shfl_xor_sync(0xffffffffu, value, 1));
  s[t] = value;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (t < k)
      s[t] = __hadd2(s[t], s[t + k]);
    __syncthreads();
  }
  if (t == 0)
    y[blockIdx.x] = s[0];
}

template <class P> std::vector<P> numbers(int n, unsigned seed, bool any) {
  std::vector<P> result(n);
  for (P &p : result) {
    unsigned words[2];
    for (unsigned &word : words) {
      seed = seed * 1664525u + 1013904223u;
      word = any ? seed >> 12 & 0xffff : 0x3800u + (seed >> 12 & 0x87ff);
    }
    const unsigned bits = words[0] | words[1] << 16;
    std::memcpy(&p, &bits, 4);
  }
  return result;
}

template <class P> void test() {
  const int size = 5000;
  P *a = upload(numbers<P>(size, 1, true)), *b = upload(numbers<P>(size, 2, true));
  P *c = upload(numbers<P>(size, 3, true)), *d = upload(numbers<P>(size, 4, false));
  P *y = upload(std::vector<P>(8 * size, P(0.5f, 1.0f)));
  unsigned *flags = upload(std::vector<unsigned>(2 * size));
  for (int n : {1, 127, 641, size})
    for (int block : {33, 256}) {
      const int grid = (n + block - 1) / block;
      arithmetic<<<grid, block>>>(a, b, c, y, n);
      arithmetic<<<grid, block>>>(d, d + 7, d, y, n - (n > 7 ? 7 : 0));
      comparisons<<<grid, block>>>(a, b, y, flags, n);
      comparisons<<<grid, block>>>(d, d, y, flags, n);
      sum_of_block<<<grid, 64>>>(d, y, n);
    }
}

int main() {
  test<__half2>();
  test<__nv_bfloat162>();
  const int size = 4096;
  auto *h = upload(numbers<__half2>(2 * size, 5, false));
  auto *b = upload(numbers<__nv_bfloat162>(2 * size, 6, false));
  std::vector<float2> floats(size);
  std::vector<Node> nodes(size);
  for (int i = 0; i < size; ++i) {
    floats[i] = make_float2(float(i * 37 % 1001) / 7.0f - 50.0f, 1.0f / float(i + 1));
    nodes[i] = {__float2half(float(i % 50)), __float2bfloat16(0.3f), i * 31,
                __float2half2_rn(0.1f)};
  }
  float2 *f = upload(floats), *g = upload(floats);
  Node *in = upload(nodes), *out = upload(nodes);
  float *sums = upload(std::vector<float>(size));
  for (int n : {5, 640, 1001}) {
    conversions<<<n / 50 + 1, 50>>>(f, h, b, g, n);
    by_sixteen_bytes<<<n / 96 + 1, 96>>>((float4 *)(h + size), (float4 *)h, sums, (float4 *)b, n);
    unions<<<n / 70 + 1, 70>>>((unsigned *)b, (unsigned *)h, n);
    dots<<<n / 40 + 1, 40>>>((const __half *)h, h, (__half *)b, n);
    structs<<<n / 33 + 1, 33>>>(in, out, __float2half(1.7f), __floats2half2_rn(2.0f, -0.5f), n);
  }
  dots<<<21, 50>>>((const __nv_bfloat16 *)b, b, (__nv_bfloat16 *)h, 1001);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
