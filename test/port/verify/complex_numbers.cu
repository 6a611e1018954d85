// Complex numbers of cuComplex.h, Thrust and libcu++, in kernels and on the host.
#include "upload.h"

#include <cuComplex.h>
#include <cuda/std/complex>
#include <thrust/complex.h>

#include <cmath>

typedef thrust::complex<float> Complex;

__global__ void arithmetic(const cuFloatComplex *x, cuFloatComplex *out, float *sizes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const cuFloatComplex a = x[i], b = x[(i + 1) % n];
  out[i] = cuCaddf(cuCmulf(a, b), cuConjf(cuCsubf(a, b)));
  out[n + i] = cuCdivf(a, b);
  out[2 * n + i] = cuCfmaf(a, b, make_cuFloatComplex(1.0f, cuCrealf(a)));
  sizes[i] = cuCabsf(a) + cuCimagf(b);
}

__global__ void classes(const Complex *x, Complex *out, float *sizes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Complex z = x[i];
  z *= x[(i + 1) % n];
  z = 2.0f * z - 1.0f / (z + Complex(0.5f, 3.0f));
  out[i] = z;
  out[n + i] = exp(0.1f * z) + sqrt(z) + log(z);
  out[2 * n + i] = pow(z, 0.5f) + sin(0.1f * z) * thrust::polar(1.0f, 0.3f);
  sizes[i] = abs(z) + norm(x[i]) + arg(z) + (z == x[i] ? 1.0f : 0.0f);
}

// Mandelbrot's set: how often until it is far away.
__global__ void escapes(int *out, int width, int height) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= width * height)
    return;
  const cuda::std::complex<float> c(3.0f * (i % width) / width - 2.0f,
                                    2.0f * (i / width) / height - 1.0f);
  cuda::std::complex<float> z;
  int count = 0;
  while (count < 30 && norm(z) < 4.0f) {
    z = z * z + c;
    ++count;
  }
  out[i] = count;
}

int main() {
  bool right =
      abs(Complex(3, 4) / Complex(0, 1)) == 5.0f && cuCabs(make_cuDoubleComplex(3, 4)) == 5;
  for (int n : {1, 130, 301}) {
    std::vector<Complex> x(n);
    std::vector<cuFloatComplex> plain(n);
    for (int i = 0; i < n; ++i) {
      x[i] = Complex(std::sin(i + 1.0f) * 3.0f, std::cos(i * 0.7f) - 0.2f);
      plain[i] = make_cuFloatComplex(x[i].real(), x[i].imag());
    }
    Complex *in = upload(x), *out;
    cuFloatComplex *plain_in = upload(plain), *plain_out;
    float *sizes;
    int *counts;
    cudaMalloc(&out, 3 * n * sizeof(Complex));
    cudaMalloc(&plain_out, 3 * n * sizeof(cuFloatComplex));
    cudaMalloc(&sizes, n * sizeof(float));
    cudaMalloc(&counts, n * sizeof(int));
    arithmetic<<<(n + 63) / 64, 64>>>(plain_in, plain_out, sizes, n);
    classes<<<(n + 63) / 64, 64>>>(in, out, sizes, n);
    escapes<<<(n + 63) / 64, 64>>>(counts, n, 1);
  }
  return right && cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
