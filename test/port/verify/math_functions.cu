// Functions of the math library that the chip has no instruction for, over ordinary arguments,
// edges, and sizes that leave parts of blocks and waves empty.
#include <cmath>
#include <cstdio>
#include <vector>

__global__ void one_argument(const float *x, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float a = x[i];
  float *row = out + 14 * i;
  row[0] = asinf(a);
  row[1] = acosf(a);
  row[2] = atanf(a);
  row[3] = sinhf(a);
  row[4] = coshf(a);
  row[5] = asinhf(a);
  row[6] = acoshf(a);
  row[7] = atanhf(a);
  row[8] = erfcf(a);
  row[9] = cbrtf(a);
  row[10] = rcbrtf(a);
  float s, c;
  sincosf(a, &s, &c);
  row[11] = s;
  row[12] = c;
  row[13] = erf(a) + nanf("") * 0.0f;
}

__global__ void two_arguments(const float *x, const float *y, float *out, int n, float fixed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float *row = out + 9 * i;
  row[0] = atan2f(x[i], y[i]);
  row[1] = hypotf(x[i], y[i]);
  row[2] = atan2f(x[i], fixed);
  row[3] = hypotf(fixed, y[i]);
  row[4] = rhypotf(x[i], y[i]);
  row[5] = fdimf(x[i], y[i]);
  row[6] = norm3df(x[i], y[i], fixed);
  row[7] = hypot(x[i], y[i]);
  row[8] = fmax(x[i], y[i]);
}

__global__ void doubles(const double *x, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double s, c;
  sincos(x[i], &s, &c);
  out[i] =
      acos(x[i]) + asin(x[i]) * atan(x[i]) + cbrt(x[i]) * s - c + hypot(x[i], 2.0) + cosh(x[i]);
}

__global__ void integers(const int *x, unsigned *out, int n, unsigned selector) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned *row = out + 12 * i;
  row[0] = __mul24(x[i], x[n - 1 - i]);
  row[1] = __umul24(x[i], x[n - 1 - i]);
  row[2] = __byte_perm(x[i], x[n - 1 - i], 0x2406);
  row[3] = __byte_perm(x[i], x[n - 1 - i], selector);
  row[4] = __byte_perm(x[i], x[n - 1 - i], x[i]);
  row[5] = __sad(x[i], x[n - 1 - i], i);
  row[6] = __usad(x[i], x[n - 1 - i], i);
  row[7] = __float2uint_rd(__int_as_float((x[i] & 0x0fffffff) | 0x30000000));
  row[8] = __hadd(x[i], x[n - 1 - i]);
  row[9] = __rhadd(x[i], x[n - 1 - i]);
  row[10] = __uhadd(x[i], x[n - 1 - i]);
  row[11] = __urhadd(x[i], x[n - 1 - i]);
}

// Functions that take a float apart or put one together are exact.
__global__ void parts(const float *x, const float *y, float *out, int *numbers, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float a = x[i], whole;
  float *row = out + 8 * i;
  int *k = numbers + 5 * i;
  row[0] = frexpf(a, &k[0]);
  row[1] = ldexpf(a, i % 600 - 300);
  row[2] = scalbnf(a, -140);
  row[3] = modff(a, &whole);
  row[4] = whole;
  row[5] = nextafterf(a, y[i]);
  row[6] = logbf(a);
  row[7] = nextafterf(y[i], a);
  k[1] = ilogbf(a);
  k[2] = isnormal(a);
  k[3] = (int)(llroundf(a * 1e6f) >> 8);
  k[4] = (int)lroundf(a);
}

template <class T> static T *upload(const std::vector<T> &values) {
  T *device = nullptr;
  cudaMalloc(&device, values.size() * sizeof(T));
  cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

int main() {
  for (int n : {1, 31, 257, 3001}) {
    std::vector<float> x(n), y(n);
    std::vector<double> d(n);
    std::vector<int> k(n);
    const float edges[] = {0.0f, -0.0f,  1.0f,  -1.0f,  INFINITY, -INFINITY,
                           NAN,  1e-42f, 3e38f, -1e20f, 88.5f};
    for (int i = 0; i < n; ++i) {
      x[i] = i % 7 == 3 ? edges[i / 7 % 11] : (i * 37 % 400 - 200) * 0.0103f;
      y[i] = i % 5 == 2 ? edges[i / 5 % 11] : (i * 91 % 300 - 150) * 0.37f;
      d[i] = (i * 37 % 200 - 100) * 0.0099;
      k[i] = i * 2654435761u;
    }
    float *dx = upload(x), *dy = upload(y), *out = upload(std::vector<float>(14 * n));
    double *dd = upload(d), *dout = upload(std::vector<double>(n));
    int *dk = upload(k);
    unsigned *kout = upload(std::vector<unsigned>(12 * n));
    one_argument<<<(n + 95) / 96, 96>>>(dx, out, n);
    two_arguments<<<(n + 127) / 128, 128>>>(dx, dy, out, n, -2.5f);
    doubles<<<(n + 63) / 64, 64>>>(dd, dout, n);
    integers<<<(n + 127) / 128, 128>>>(dk, kout, n, 0x8f31);
    parts<<<(n + 63) / 64, 64>>>(dx, dy, out, (int *)kout, n);
    if (cudaDeviceSynchronize() != cudaSuccess)
      return 1;
    for (void *p :
         {(void *)dx, (void *)dy, (void *)out, (void *)dd, (void *)dout, (void *)dk, (void *)kout})
      cudaFree(p);
  }
  return 0;
}
