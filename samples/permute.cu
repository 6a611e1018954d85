// Gather and scatter of records by an index array: out[i] = in[index[i]] and out[index[i]] = in[i].
// usage: permute [elements]
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#define CUDA_CHECK(call)                                                                           \
  do {                                                                                             \
    cudaError_t status = (call);                                                                   \
    if (status != cudaSuccess) {                                                                   \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                           \
                   cudaGetErrorString(status));                                                    \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

template <typename T> __global__ void gather(const T *in, const int *index, T *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[index[i]];
}

// A negative index means: leave this element out.
template <typename T> __global__ void scatter(const T *in, const int *index, T *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int target = index[i];
  if (target >= 0)
    out[target] = in[i];
}

// A device buffer that holds a copy of a host vector.
template <typename T> T *upload(const std::vector<T> &host) {
  T *device = nullptr;
  CUDA_CHECK(cudaMalloc(&device, host.size() * sizeof(T)));
  CUDA_CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 20011;
  if (n < 1) {
    std::fprintf(stderr, "usage: %s [elements]\n", argv[0]);
    return 2;
  }
  std::vector<int> index(n), some(n);
  std::vector<float> values(n);
  std::vector<uint8_t> flags(n);
  for (int i = 0; i < n; ++i) {
    index[i] = i;
    values[i] = 0.5f * float(i) - 17.0f;
    flags[i] = uint8_t(i * 73 >> 3);
  }
  uint32_t state = 12345;
  for (int i = n - 1; i > 0; --i) { // Fisher and Yates's shuffle
    state = state * 1664525u + 1013904223u;
    std::swap(index[i], index[state % uint32_t(i + 1)]);
  }
  for (int i = 0; i < n; ++i)
    some[i] = i % 3 == 0 ? -1 : index[i];

  const std::vector<float> background(n, -1.0f);
  const std::vector<uint8_t> zeros(n, 0);
  int *d_index = upload(index), *d_some = upload(some);
  float *d_values = upload(values), *d_gathered = upload(background);
  float *d_scattered = upload(background);
  uint8_t *d_flags = upload(flags), *d_moved = upload(zeros);

  const int threads = 192, blocks = (n + threads - 1) / threads;
  gather<<<blocks, threads>>>(d_values, d_index, d_gathered, n);
  CUDA_CHECK(cudaGetLastError());
  scatter<<<blocks, threads>>>(d_values, d_some, d_scattered, n);
  CUDA_CHECK(cudaGetLastError());
  gather<<<blocks, threads>>>(d_flags, d_index, d_moved, n);
  CUDA_CHECK(cudaGetLastError());

  std::vector<float> gathered(n), scattered(n);
  std::vector<uint8_t> moved(n);
  CUDA_CHECK(cudaMemcpy(gathered.data(), d_gathered, n * sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(scattered.data(), d_scattered, n * sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(moved.data(), d_moved, n, cudaMemcpyDeviceToHost));
  for (void *pointer : {(void *)d_index, (void *)d_some, (void *)d_values, (void *)d_gathered,
                        (void *)d_scattered, (void *)d_flags, (void *)d_moved})
    CUDA_CHECK(cudaFree(pointer));

  std::vector<float> expected(n, -1.0f);
  for (int i = 0; i < n; ++i)
    if (some[i] >= 0)
      expected[some[i]] = values[i];
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    wrong += gathered[i] != values[index[i]];
    wrong += scattered[i] != expected[i];
    wrong += moved[i] != flags[index[i]];
  }
  std::printf("permute: n = %d\n", n);
  std::printf("%s: %d wrong elements, largest error %d\n", wrong == 0 ? "PASS" : "FAIL", wrong,
              wrong == 0 ? 0 : 1);
  return wrong == 0 ? 0 : 1;
}
