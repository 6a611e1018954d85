// Integer hashing over the full 32-bit range: multiply, shift, xor, rotate, and buckets by modulo.
// usage: int_hash [elements]
#include <cstdint>
#include <cstdio>
#include <cstdlib>
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

__host__ __device__ inline uint32_t rotate_left(uint32_t value, int bits) {
  return (value << bits) | (value >> (32 - bits));
}

// One round of MurmurHash3's mixing and its finaliser.
__host__ __device__ inline uint32_t hash(uint32_t key, uint32_t seed) {
  uint32_t k = key * 0xcc9e2d51u;
  k = rotate_left(k, 15) * 0x1b873593u;
  uint32_t h = rotate_left(seed ^ k, 13) * 5u + 0xe6546b64u;
  h ^= h >> 16;
  h *= 0x85ebca6bu;
  h ^= h >> 13;
  h *= 0xc2b2ae35u;
  return h ^ (h >> 16);
}

// A signed step: arithmetic shift, wrap-around product, remainder that keeps the sign.
__host__ __device__ inline int32_t step(int32_t value, int32_t divisor) {
  const int32_t mixed = int32_t(uint32_t(value) * 0x9e3779b9u) ^ (value >> 7);
  return mixed % divisor + mixed / divisor;
}

__global__ void hash_keys(const uint32_t *keys, uint32_t *hashes, uint16_t *buckets,
                          uint32_t bucket_count, uint32_t seed, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const uint32_t h = hash(keys[i], seed);
    hashes[i] = h;
    buckets[i] = uint16_t(h % bucket_count);
  }
}

__global__ void step_keys(const uint32_t *keys, int32_t *out, int32_t divisor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = step(int32_t(keys[i]), divisor);
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 50021;
  if (n < 1) {
    std::fprintf(stderr, "usage: %s [elements]\n", argv[0]);
    return 2;
  }
  const uint32_t seed = 0x5bd1e995u, bucket_count = 10007;
  const int32_t divisor = -1013;
  std::vector<uint32_t> keys(n), hashes(n);
  std::vector<uint16_t> buckets(n);
  std::vector<int32_t> steps(n);
  for (int i = 0; i < n; ++i)
    keys[i] = uint32_t((uint64_t(i) << 32) / n); // evenly over all 32-bit values

  uint32_t *d_keys, *d_hashes;
  uint16_t *d_buckets;
  int32_t *d_steps;
  CUDA_CHECK(cudaMalloc(&d_keys, n * sizeof(uint32_t)));
  CUDA_CHECK(cudaMalloc(&d_hashes, n * sizeof(uint32_t)));
  CUDA_CHECK(cudaMalloc(&d_buckets, n * sizeof(uint16_t)));
  CUDA_CHECK(cudaMalloc(&d_steps, n * sizeof(int32_t)));
  CUDA_CHECK(cudaMemcpy(d_keys, keys.data(), n * sizeof(uint32_t), cudaMemcpyHostToDevice));

  const int threads = 256, blocks = (n + threads - 1) / threads;
  hash_keys<<<blocks, threads>>>(d_keys, d_hashes, d_buckets, bucket_count, seed, n);
  CUDA_CHECK(cudaGetLastError());
  step_keys<<<blocks, threads>>>(d_keys, d_steps, divisor, n);
  CUDA_CHECK(cudaGetLastError());

  CUDA_CHECK(cudaMemcpy(hashes.data(), d_hashes, n * sizeof(uint32_t), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(buckets.data(), d_buckets, n * sizeof(uint16_t), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(steps.data(), d_steps, n * sizeof(int32_t), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_keys));
  CUDA_CHECK(cudaFree(d_hashes));
  CUDA_CHECK(cudaFree(d_buckets));
  CUDA_CHECK(cudaFree(d_steps));

  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    const uint32_t expected = hash(keys[i], seed);
    wrong += hashes[i] != expected;
    wrong += buckets[i] != expected % bucket_count;
    wrong += steps[i] != step(int32_t(keys[i]), divisor);
  }
  std::printf("int_hash: n = %d\n", n);
  std::printf("%s: %d wrong values, largest error %d\n", wrong == 0 ? "PASS" : "FAIL", wrong,
              wrong == 0 ? 0 : 1);
  return wrong == 0 ? 0 : 1;
}
