// Functions that are code in the port: gamma, inverse error functions, Bessel functions,
// remainders.
#include "upload.h"

#define OUT out[i + n * k++]

__global__ void gammas(const float *x, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
  if (i >= n)
    return;
  OUT = lgammaf(fabsf(x[i]));
  OUT = tgammaf(x[i]);
  OUT = x[i] < 0 ? 0.0f : lgamma(x[i] * 3.0f); // the overload for floats
}

__global__ void errors(const float *x, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
  if (i >= n)
    return;
  OUT = erfinvf(x[i]);
  OUT = erfcinvf(x[i] + 1.0f);
  OUT = erfcxf(x[i]);
  OUT = normcdff(x[i]);
  OUT = normcdfinvf(0.5f * x[i]);
}

__global__ void waves(const float *x, float *out, int *whole, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
  if (i >= n)
    return;
  OUT = sinpif(x[i]);
  OUT = cospif(x[i]);
  float sine, cosine;
  sincospif(x[i] * 7.0f, &sine, &cosine);
  OUT = sine + 2.0f * cosine;
  OUT = remainderf(x[i], 0.7f);
  int quotient; // its low three bits are promised
  OUT = remquof(x[i], x[(i * 7 + 1) % n], &quotient);
  whole[i] = quotient & 7;
  OUT = cyl_bessel_i0f(x[i]);
  OUT = cyl_bessel_i1f(x[i]);
}

// Within 1e-6 of the result: near their zeros no bit of it need be right.
__global__ void bessel(const float *x, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
  if (i >= n)
    return;
  OUT = 4.0f + j0f(x[i]);
  OUT = 4.0f + j1f(x[i]);
  OUT = y0f(x[i] + 0.9f) - 4.0f;
  OUT = y1f(x[i] + 0.9f) - 4.0f;
}

// Doubles, in single precision.
__global__ void doubles(const double *x, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
  if (i >= n)
    return;
  OUT = lgamma(fabs(x[i]));
  OUT = normcdf(x[i]) + erf(x[i]);
  OUT = erfinv(x[i] / (1.0 + fabs(x[i])));
  OUT = cyl_bessel_i0(x[i]);
  double sine, cosine;
  sincospi(x[i], &sine, &cosine);
  OUT = sine + 2.0 * cosine;
  OUT = ldexp(x[i], i % 9);
  OUT = ilogb(x[i]);
}

int main() {
  const float special[] = {0.0f,  -0.0f,  1.0f,   -1.0f,     0.5f, -0.5f, 2.0f,      -3.0f,
                           34.0f, 1e-40f, -1e-3f, HUGE_VALF, NAN,  1e30f, -HUGE_VALF};
  for (int n : {14, 301, 2000}) {
    std::vector<float> x(n);
    std::vector<double> real(n);
    for (int i = 0; i < n; ++i) {
      const float part = (i * 2654435761u >> 8) * 0x1p-24f;
      x[i] = i < 14 ? special[i] : i % 2 ? 2.0f * part - 1.0f : 30.0f * part - 8.0f;
      real[i] = 20.0 * part - 9.0;
    }
    float *in = upload(x), *out;
    double *reals = upload(real), *results;
    int *whole;
    cudaMalloc(&out, 7 * n * sizeof(float));
    cudaMalloc(&results, 7 * n * sizeof(double));
    cudaMalloc(&whole, n * sizeof(int));
    cudaMemset(out, 0, 7 * n * sizeof(float));
    const int grid = (n + 127) / 128;
    gammas<<<grid, 128>>>(in, out, n);
    errors<<<grid, 128>>>(in, out, n);
    waves<<<grid, 128>>>(in, out, whole, n);
    bessel<<<grid, 128>>>(in, out, n);
    doubles<<<grid, 128>>>(reals, results, n);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
