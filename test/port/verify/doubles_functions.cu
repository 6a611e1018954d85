// Doubles with every operation and function that they have in double-float arithmetic too
// (--fp64=df32), over odd numbers: zeros, infinities, halves.
#include "upload.h"

#include <cmath>

#define OUT y[i + n * k++]

__global__ void arithmetic(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
  if (i >= n)
    return;
  const double a = x[i], b = x[(i * 7 + 3) % n];
  OUT = a + b;
  OUT = a - b;
  OUT = a * b;
  OUT = a / b;
  OUT = sqrt(a);
  OUT = fmin(a, b);
  OUT = fmax(a, b);
  OUT = floor(a) + ceil(b);
  OUT = trunc(a) - rint(b);
  OUT = round(a);
  OUT = a < b ? a : -b;
  OUT = fabs(a) + copysign(b, a);
}

__global__ void integers(const double *x, const long long *whole, double *y, long long *out,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
  if (i >= n)
    return;
  const double a = x[i];
  OUT = double(whole[i]);
  OUT = double((unsigned long long)whole[i]) * 0.5;
  OUT = double(int(whole[i])) / 3;
  OUT = double(unsigned(whole[i])) - 0.25;
  const bool inside = fabs(a) < 1e6;
  out[i] = inside ? (long long)a : 0;
  out[n + i] =
      fabs(a) < 1e6 ? int(a) + __double2int_rn(a) + __double2int_rd(a) + __double2int_ru(a) : 0;
  out[2 * n + i] = inside ? llrint(a) : 0;
  out[3 * n + i] = (a < 0.5) | (a >= -2.0) << 1 | isnan(a) << 2 | isinf(a) << 3 | signbit(a) << 4;
}

// Around one, with what lies between -0.99 and 0.99 too.
__global__ void functions(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
  if (i >= n)
    return;
  const double a = x[i], size = fabs(a) + 1e-3, part = a / (size + 0.01);
  OUT = exp(a);
  OUT = exp2(a) + exp10(part);
  OUT = expm1(part);
  OUT = log(size);
  OUT = log2(size) + log10(size);
  OUT = log1p(size);
  OUT = pow(size, 1.75);
  OUT = pow(a, 3.0);
  OUT = sin(a) + 2;
  OUT = cos(a) + 2;
  OUT = tan(part);
}

__global__ void more_functions(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
  if (i >= n)
    return;
  const double a = x[i], size = fabs(a) + 1e-3, part = a / (size + 0.01);
  OUT = atan(a);
  OUT = atan2(a, part - 0.5);
  OUT = asin(part);
  OUT = acos(part);
  OUT = tanh(a);
  OUT = sinh(part);
  OUT = cosh(a);
  OUT = asinh(a);
  OUT = acosh(size + 1);
  OUT = atanh(part);
  OUT = cbrt(a);
  OUT = hypot(a, part);
  OUT = rsqrt(size);
  OUT = fma(a, part, 2.0);
  OUT = fmod(a, 0.7);
  OUT = ldexp(a, i % 40 - 20);
}

int main() {
  const double odd[] = {0.0,  -0.0, 1.0,      -1.0,      0.5, -0.5,    2.5,          -3.5,
                        1e-9, -1e9, HUGE_VAL, -HUGE_VAL, NAN, 1.0 / 3, 2147483647.0, -2147483648.0};
  for (int n : {1, 130}) {
    std::vector<double> x(n), middle(n);
    std::vector<long long> whole(n);
    for (int i = 0; i < n; ++i) {
      x[i] = i % 3 ? (i * 37 % 1001 - 500) * 0.3 + 1.0 / (i + 3) : odd[i / 3 % 16];
      middle[i] = (i * 37 % 1001 - 500) / 64.0 + 1.0 / (i + 3);
      whole[i] = (long long)((unsigned long long)(i + 1) * 0x9e3779b97f4a7c15ull) >> i % 64;
    }
    double *dx = upload(x), *dmiddle = upload(middle), *dy = upload(std::vector<double>(16 * n));
    long long *dwhole = upload(whole), *dout = upload(std::vector<long long>(4 * n));
    const int grid = (n + 63) / 64;
    arithmetic<<<grid, 64>>>(dx, dy, n);
    integers<<<grid, 64>>>(dx, dwhole, dy, dout, n);
    functions<<<grid, 64>>>(dmiddle, dy, n);
    more_functions<<<grid, 64>>>(dmiddle, dy, n);
    cudaDeviceSynchronize();
    for (void *p : {(void *)dx, (void *)dmiddle, (void *)dy, (void *)dwhole, (void *)dout})
      cudaFree(p);
  }
  return 0;
}
