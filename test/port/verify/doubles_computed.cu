// Doubles that are computed with, in single precision: data, parameters, constants, comparisons,
// loops, functions, sums in shared memory and across warps.
#include <cmath>
#include <vector>

__global__ void axpy(double a, const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i] - 0.1;
}

// A constant that is written as a function.
__global__ void turned(const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double pi = acos(-1.0);
  if (i < n)
    y[i] = x[i] * pi + 4 * atan(1.0) + sqrt(2.0) + acosf(-1.0f);
}

struct Model {
  double scale, offset;
  int steps;
  double *out;
};

__global__ void from_struct(Model model, const double *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  // Doubles of the host stay doubles until they meet a lane's.
  const double factor = model.scale * (1.0 / 3) + model.offset / model.steps;
  model.out[i] = x[i] * factor;
}

__global__ void mixed(const float *f, const double *x, const int *k, double *y, float *g, int *j,
                      int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const double sum = f[i] + x[i] * k[i];
  y[i] = sum;
  g[i] = float(sum / 3);
  j[i] = int(k[i] * 0.5 + 100); // halves: exact in float too
}

__global__ void compared(const double *x, double bound, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int bits = x[i] < 0.5 ? 1 : 0;
  bits |= x[i] >= bound ? 2 : 0;
  bits |= x[i] == x[n - 1 - i] ? 4 : 0;
  bits |= x[i] != x[i] ? 8 : 0;
  bits |= isnan(x[i]) ? 16 : 0;
  bits |= isinf(x[i]) ? 32 : 0;
  bits |= signbit(x[i]) ? 64 : 0;
  bits |= !(x[i] > -1.0) ? 128 : 0;
  out[i] = bits;
}

// Floats beside bounds that no float is: exact.
__global__ void floats_compared(const float *f, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int bits = f[i] > 0.1 ? 1 : 0;
  bits |= f[i] >= 0.1 ? 2 : 0;
  bits |= f[i] < 0.7 ? 4 : 0;
  bits |= f[i] <= 0.7 ? 8 : 0;
  bits |= f[i] == 0.1 ? 16 : 0;
  bits |= f[i] != 0.7 ? 32 : 0;
  bits |= 0.1 > f[i] ? 64 : 0;
  bits |= !(f[i] > 1e-60) ? 128 : 0;
  bits |= !(f[i] < 1e60) ? 256 : 0;
  out[i] = bits;
}

__global__ void lane_loop(const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double value = fabs(x[i]) + 1;
  int rounds = 0;
  while (value > 1.5 && rounds < 20) {
    value *= 0.5;
    ++rounds;
  }
  y[i] = value + rounds;
}

__global__ void host_loop(const double *x, double *y, double start, double end, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double sum = 0;
  for (double t = start; t < end; t += 0.1)
    sum += x[i] * t;
  y[i] = sum;
}

__global__ void functions(const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const double a = fabs(x[i]) + 0.25;
  double *out = y + i;
  out[0] = sqrt(a) + rsqrt(a);
  out[n] = exp(-a) + log(a) + exp2(-a) + log10(a) + log2(a);
  out[2 * n] = sin(a) + cos(a) + tanh(a);
  out[3 * n] = pow(a, 1.5) + pow(a, 2);
  out[4 * n] = floor(x[i]) + ceil(x[i]) + trunc(x[i]) + round(x[i]) + rint(x[i]);
  out[5 * n] = fma(a, x[i], 1.0) + fmin(a, x[i]) + fmax(a, 1.25) + copysign(a, x[i]);
  out[6 * n] = fmod(a, 0.75) + log1p(a) + expm1(a);
}

__global__ void block_sum(const double *x, double *sums, int n) {
  extern __shared__ double partial[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = i < n ? x[i] : 0.0;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = partial[0];
}

__global__ void warp_sum(const double *x, double *sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double value = i < n ? x[i] : 0;
  for (int step = 16; step > 0; step /= 2)
    value += __shfl_down_sync(0xffffffff, value, step);
  if (threadIdx.x % 32 == 0 && i < n)
    sums[i / 32] = value;
}

__constant__ double weights[4] = {0.1, 0.2, 0.3, 0.4};

__global__ void weighted(const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double last[4];
  for (int k = 0; k < 4; ++k)
    last[(k + i) % 4] = x[(i + k) % n];
  double sum = 0;
  for (int k = 0; k < 4; ++k)
    sum += weights[k] * last[k];
  y[i] = sum;
}

template <class T> T *device(const std::vector<T> &values) {
  T *pointer = nullptr;
  cudaMalloc(&pointer, values.size() * sizeof(T));
  cudaMemcpy(pointer, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return pointer;
}

int main() {
  for (int n : {1, 33, 129, 1000, 4099}) {
    std::vector<double> x(n), odd(n);
    std::vector<float> f(n);
    std::vector<int> k(n);
    const double special[] = {0.0, -0.0, NAN, INFINITY, -INFINITY, 0.5, 1e-30, -1e30};
    const float bounds[] = {0.1f,
                            std::nextafterf(0.1f, 0),
                            std::nextafterf(0.1f, 1),
                            0.7f,
                            std::nextafterf(0.7f, 0),
                            std::nextafterf(0.7f, 1),
                            NAN,
                            INFINITY,
                            0.0f,
                            -0.0f,
                            1e-45f};
    for (int i = 0; i < n; ++i) {
      x[i] = (i * 37 % 1001 - 500) / 128.0 + 1.0 / (i + 3);
      odd[i] = i % 3 ? i / 64.0 - 2 : special[i / 3 % 8];
      f[i] = bounds[i % 11];
      k[i] = i * 7 % 100;
    }
    double *dx = device(x), *dodd = device(odd), *dy = device(std::vector<double>(7 * n, 0.5));
    float *df = device(f), *dg = device(std::vector<float>(n));
    int *dk = device(k), *dj = device(std::vector<int>(n));
    std::vector<float> plain(n, 0.375f);
    float *dplain = device(plain);
    for (int block : {1, 64, 96}) {
      const int grid = (n + block - 1) / block;
      axpy<<<grid, block>>>(0.1, dx, dy, n);
      turned<<<grid, block>>>(dx, dy, n);
      from_struct<<<grid, block>>>(Model{0.7, 1e-3, 3, dy}, dx, n);
      mixed<<<grid, block>>>(dplain, dx, dk, dy, dg, dj, n);
      compared<<<grid, block>>>(dodd, 0.25, dj, n);
      floats_compared<<<grid, block>>>(df, dj, n);
      lane_loop<<<grid, block>>>(dx, dy, n);
      host_loop<<<grid, block>>>(dx, dy, 0.0, 1.0, n);
      functions<<<grid, block>>>(dx, dy, n);
      block_sum<<<grid, 64, 64 * sizeof(double)>>>(dx, dy, n);
      warp_sum<<<grid, 96>>>(dx, dy, n);
      weighted<<<grid, block>>>(dx, dy, n);
    }
    cudaDeviceSynchronize();
    for (void *pointer : {(void *)dx, (void *)dodd, (void *)dy, (void *)df, (void *)dg, (void *)dk,
                          (void *)dj, (void *)dplain})
      cudaFree(pointer);
  }
  return 0;
}
