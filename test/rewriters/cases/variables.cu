#include <cuda_runtime.h>

__constant__ float weights[9];
__device__ int counter = 3;
static __device__ __constant__ float table[] = {1, 2, 3};
namespace {
__constant__ int hidden;
}
namespace ns {
struct Config {
  int n;
};
__constant__ Config config = {4};
} // namespace ns

__global__ void read_all(float *out) {
  out[0] = weights[0] + counter + table[1] + ns::config.n + hidden;
}

int main() {
  float host[9] = {};
  cudaMemcpyToSymbol(weights, host, sizeof(host));
  read_all<<<1, 1>>>(nullptr);
}
