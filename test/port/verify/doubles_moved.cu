// Doubles that are only moved keep every bit: copies, permutations, choices, shuffles, unions, and
// what floats are widened to.
#include <cstdint>
#include <cstring>
#include <vector>

__global__ void copies(const double *x, double *y, int stride, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[n - 1 - i] = x[(i * stride) % n];
}

__global__ void gathers(const double *x, const int *from, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[from[i]] = x[from[i]];
}

__global__ void choices(const double *x, const int *flags, double fallback, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double value = fallback;
  if (flags[i] % 3 == 0)
    value = x[i];
  else if (flags[i] % 3 == 1)
    value = 0.1;
  y[i] = value;
  if (flags[i] & 4)
    y[n + i] = x[n - 1 - i];
}

__global__ void reversed_in_shared(const double *x, double *y, int n) {
  __shared__ double s[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? x[i] : -1.0;
  __syncthreads();
  if (i < n)
    y[i] = s[blockDim.x - 1 - threadIdx.x];
}

__global__ void across_warp(const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double value = i < n ? x[i] : 0;
  const double other = __shfl_xor_sync(0xffffffff, value, 5);
  const double first = __shfl_sync(0xffffffff, value, 3, 8);
  if (i < n) {
    y[i] = other;
    y[n + i] = first;
  }
}

__global__ void bits(const double *x, uint64_t *high, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const uint64_t word = __double_as_longlong(x[i]);
  high[i] = word >> 32;
  y[i] = __longlong_as_double(word ^ 1);
  y[n + i] = __hiloint2double(__double2loint(x[i]), __double2hiint(x[i]) & 0x3fffffff);
}

__global__ void widened(const float *f, double *y, float *g, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[i] = f[i];
  y[n + i] = f[i] * 0.5f;
  g[i] = float(y[i]);
}

__global__ void counted(double *y, float *f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int big = i * 1103515245 + 12345;
  y[i] = big;
  y[n + i] = unsigned(big);
  f[i] = float(double(big));
}

__global__ void narrowed(const double *x, float *f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    f[i] = float(x[i]);
}

struct Particle {
  double position[3];
  int kind;
  double charge;
};

__global__ void structs(const Particle *in, Particle *out, double *charges, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = in[n - 1 - i];
  charges[i] = in[i].charge;
}

template <class T> T *device(const std::vector<T> &values) {
  T *pointer = nullptr;
  cudaMalloc(&pointer, values.size() * sizeof(T));
  cudaMemcpy(pointer, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return pointer;
}

int main() {
  for (int n : {1, 31, 129, 1000, 4099}) {
    std::vector<double> x(2 * n), particles(5 * n);
    std::vector<float> f(n);
    std::vector<int> from(n);
    uint64_t state = 88172645463325252u + n;
    for (int i = 0; i < 2 * n; ++i) {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      std::memcpy(&x[i], &state, 8); // any bits: subnormal, huge
      if (x[i] != x[i])
        x[i] = i % 2 ? 1e-320 : -0.0;
    }
    for (int i = 0; i < n; ++i) {
      const uint32_t word = uint32_t(i) * 2654435761u;
      std::memcpy(&f[i], &word, 4);
      if (f[i] != f[i])
        f[i] = i % 2 ? 1e-42f : -0.0f;
      from[i] = int((int64_t(i) * 7919 + 5) % n);
    }
    for (int i = 0; i < 5 * n; ++i)
      particles[i] = i / 7.0;
    double *dx = device(x), *dy = device(std::vector<double>(2 * n, 3.25));
    float *df = device(f), *dg = device(std::vector<float>(n));
    int *dfrom = device(from);
    auto *dhigh = device(std::vector<uint64_t>(n));
    auto *in = (Particle *)device(particles), *out = (Particle *)device(particles);
    for (int block : {1, 33, 64}) {
      const int grid = (n + block - 1) / block;
      copies<<<grid, block>>>(dx, dy, 3, n);
      gathers<<<grid, block>>>(dx, dfrom, dy, n);
      choices<<<grid, block>>>(dx, dfrom, 1.0 / 3, dy, n);
      reversed_in_shared<<<grid, block>>>(dx, dy, n);
      across_warp<<<grid, 64>>>(dx, dy, n);
      bits<<<grid, block>>>(dx, dhigh, dy, n);
      widened<<<grid, block>>>(df, dy, dg, n);
      counted<<<grid, block>>>(dy, dg, n);
      narrowed<<<grid, block>>>(dx, dg, n);
      structs<<<grid, block>>>(in, out, dy, n);
    }
    cudaDeviceSynchronize();
    for (void *pointer : {(void *)dx, (void *)dy, (void *)df, (void *)dg, (void *)dfrom,
                          (void *)dhigh, (void *)in, (void *)out})
      cudaFree(pointer);
  }
  return 0;
}
