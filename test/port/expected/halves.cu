#include <cuda_fp16.h>

// acc = a * b + acc, each rounded to 16 bits; and a move, which stays bits.
__global__ void dot_rows(const __half2 *a, const __half2 *b, __half *out, __half *first,
                         __half scale, int n, int width) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n)
    return;
  __half2 acc = __float2half2_rn(0.0f);
  for (int k = 0; k < width; ++k)
    acc = __hfma2(a[row * width + k], b[k], acc);
  out[row] = (acc.x + acc.y) * scale;
  first[row] = __low2half(a[row * width]);
}

void run(const __half2 *a, const __half2 *b, __half *out, int n) {
  const __half scale = __float2half(0.125f) * __int2half_rn(n & 7);
  dot_rows<<<(n + 255) / 256, 256>>>(a, b, out, out + n, scale, n, 64);
}
