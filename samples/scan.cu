// Inclusive prefix sum of a vector: a scan per block in shared memory, a scan of the blocks' sums,
// and a pass that adds what came before each block.
// usage: scan [elements]
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

constexpr int kBlock = 256;

// Hillis and Steele's scan, double buffered so that one barrier a step is enough.
__global__ void scan_blocks(const int *in, int *out, int *block_sums, int n) {
  __shared__ int buffer[2][kBlock];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * kBlock + tid;
  int current = 0;
  buffer[current][tid] = i < n ? in[i] : 0;
  __syncthreads();

  for (int distance = 1; distance < kBlock; distance *= 2) {
    const int next = 1 - current;
    int value = buffer[current][tid];
    if (tid >= distance)
      value += buffer[current][tid - distance];
    buffer[next][tid] = value;
    current = next;
    __syncthreads();
  }

  if (i < n)
    out[i] = buffer[current][tid];
  if (block_sums && tid == kBlock - 1)
    block_sums[blockIdx.x] = buffer[current][tid];
}

// Each block after the first adds the sum of all blocks before it.
__global__ void add_offsets(int *out, const int *scanned_sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x == 0 || i >= n)
    return;
  out[i] += scanned_sums[blockIdx.x - 1];
}

// Scans n elements on the device, with as many levels as n needs.
static void scan(const int *d_in, int *d_out, int n) {
  const int blocks = (n + kBlock - 1) / kBlock;
  if (blocks == 1) {
    scan_blocks<<<1, kBlock>>>(d_in, d_out, nullptr, n);
    CUDA_CHECK(cudaGetLastError());
    return;
  }
  int *d_sums, *d_scanned;
  CUDA_CHECK(cudaMalloc(&d_sums, blocks * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_scanned, blocks * sizeof(int)));
  scan_blocks<<<blocks, kBlock>>>(d_in, d_out, d_sums, n);
  CUDA_CHECK(cudaGetLastError());
  scan(d_sums, d_scanned, blocks);
  add_offsets<<<blocks, kBlock>>>(d_out, d_scanned, n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaFree(d_sums));
  CUDA_CHECK(cudaFree(d_scanned));
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 70001;
  if (n < 1) {
    std::fprintf(stderr, "usage: %s [elements]\n", argv[0]);
    return 2;
  }
  std::vector<int> in(n), out(n);
  for (int i = 0; i < n; ++i)
    in[i] = int((i * 2654435761u) >> 18) - 1000; // sums pass 2^24, where float would lose bits

  int *d_in, *d_out;
  CUDA_CHECK(cudaMalloc(&d_in, n * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_out, n * sizeof(int)));
  CUDA_CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  scan(d_in, d_out, n);
  CUDA_CHECK(cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));

  unsigned sum = 0;
  long error = 0;
  for (int i = 0; i < n; ++i) {
    sum += unsigned(in[i]);
    const long difference = std::labs(long(out[i]) - long(int(sum)));
    if (difference > error)
      error = difference;
  }
  std::printf("scan: n = %d, total %d\n", n, int(sum));
  std::printf("%s: largest error %ld\n", error == 0 ? "PASS" : "FAIL", error);
  return error == 0 ? 0 : 1;
}
