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

template <class State> __global__ void floats(State *states, float *out, int n) {
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
template <class State> __global__ void local(unsigned *out, unsigned long long number, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  State state;
  curand_init(number, i % 7, 3, &state);
  if (i < n)
    out[i] = curand(&state) ^ curand(&state);
}

template <class State> __global__ void skip(State *states, const int *far, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  skipahead(far[i], &states[i]);
  out[i] = curand(&states[i]);
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
  floats<State><<<grid, block>>>(states, values, n);
  skip<State><<<grid, block>>>(states, far, words, n);
  local<State><<<grid, block>>>(words, number, n);
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
