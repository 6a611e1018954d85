// Generators whose states live in memory between kernels: seeded in one, drawn from in another, at
// ragged sizes, and with lanes that draw different amounts. What NVIDIA's generators give is
// checked by the host (test/frontend/random_test.cpp has more of it).
#include <curand_kernel.h>

#include <cstdio>
#include <vector>

template <class State>
__global__ void seed(State *states, unsigned long long number, unsigned long long offset, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    curand_init(number, i, offset, &states[i]);
}

template <class State> __global__ void bits(State *states, unsigned *out, int n, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  State mine = states[i];
  for (int k = 0; k < count + i % 3; ++k)
    out[k * n + i] = curand(&mine);
  states[i] = mine;
}

__global__ void floats(curandState *states, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = curand_uniform(&states[i]);
  out[n + i] = curand_normal(&states[i]);
  if (i % 2)
    out[2 * n + i] = curand_normal(&states[i]);
  float2 pair = curand_normal2(&states[i]);
  out[3 * n + i] = pair.x + pair.y;
  out[4 * n + i] = curand_log_normal(&states[i], 0.5f, 0.25f);
}

// Everything about these states is known at launch.
__global__ void local(unsigned *out, unsigned long long number, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandState state;
  curand_init(number, i % 7, 3, &state);
  if (i < n)
    out[i] = curand(&state) ^ curand(&state);
}

__global__ void skip(curandState *states, const int *far, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  skipahead(far[i], &states[i]);
  out[i] = curand(&states[i]);
}

// Four at a time, from the middle of a block.
__global__ void fours(curandStatePhilox4_32_10_t *states, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  curandStatePhilox4_32_10_t mine = states[i];
  uint4 bits = curand4(&mine);
  float4 uniform = curand_uniform4(&mine), normal = curand_normal4(&mine);
  out[i] = (bits.x ^ bits.y) % 1000 + (bits.z ^ bits.w) % 1000;
  out[n + i] = uniform.x + 2 * uniform.y + 4 * uniform.z + 8 * uniform.w;
  out[2 * n + i] = 4 + normal.x + 2 * normal.y;
  out[3 * n + i] = normal.z;
  out[4 * n + i] = normal.w;
  states[i] = mine;
}

void others(curandState *states, unsigned *words, float *values, const int *far, int n) {
  const int block = 96, grid = (n + block - 1) / block;
  floats<<<grid, block>>>(states, values, n);
  skip<<<grid, block>>>(states, far, words, n);
  local<<<grid, block>>>(words, 1234, n);
}
void others(curandStatePhilox4_32_10_t *states, unsigned *, float *values, const int *, int n) {
  fours<<<(n + 95) / 96, 96>>>(states, values, n);
}

template <class State>
bool run(unsigned long long number, unsigned long long offset, int n, unsigned first,
         unsigned of_thread_2) {
  State *states;
  unsigned *out, *words;
  float *values;
  int *far;
  std::vector<int> distances(n);
  for (int i = 0; i < n; ++i)
    distances[i] = i * 37 % 11;
  cudaMalloc(&states, n * sizeof(State));
  cudaMalloc(&out, 6 * n * sizeof(unsigned));
  cudaMalloc(&words, n * sizeof(unsigned));
  cudaMalloc(&values, 5 * n * sizeof(float));
  cudaMalloc(&far, n * sizeof(int));
  cudaMemset(out, 0, 6 * n * sizeof(unsigned));
  cudaMemset(values, 0, 5 * n * sizeof(float));
  cudaMemcpy(far, distances.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  const int block = 96, grid = (n + block - 1) / block;
  seed<State><<<grid, block>>>(states, number, offset, n);
  bits<State><<<grid, block>>>(states, out, n, 4);
  others(states, words, values, far, n);
  std::vector<unsigned> found(n);
  cudaMemcpy(found.data(), out, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
  cudaFree(states);
  cudaFree(out);
  cudaFree(words);
  cudaFree(values);
  cudaFree(far);
  if (found[0] == first && found[2] == of_thread_2)
    return true;
  printf("%u and %u\n", found[0], found[2]);
  return false;
}

int main() {
  bool right = true;
  for (int n : {3, 333})
    right &= run<curandState>(1234, 0, n, 624778773u, 2363946744u);
  right &= run<curandStatePhilox4_32_10_t>(1234, 5, 131, 482218876u, 4135726294u);
  return right ? 0 : 1;
}
