// Variables that host code cannot name have their place in the port, but for two kinds: private
// members that host code of their class may write, and large tables of addresses.
class Settings {
  static constexpr int kTable[3] = {7, 5, 3};
  static __device__ int factor;

public:
  static __device__ int scaled(int i) {
    return factor * i; // expect: NFY4013
  }
  static __device__ int entry(int i) { return kTable[i % 3]; }
  static void set(int value) { cudaMemcpyToSymbol(factor, &value, sizeof value); }
};
__device__ int Settings::factor = 7;

__global__ void of_private_member(int *out) { out[threadIdx.x] = Settings::scaled(threadIdx.x); }

__device__ int first[4] = {1, 2, 3, 4}, second[4] = {5, 6, 7, 8};

__global__ void of_addresses(int *out) {
  static int *const choices[200] = {first, second};
  const int *chosen = choices[threadIdx.x & 1]; // expect: NFY4013
  out[threadIdx.x] = chosen[threadIdx.x & 3];
}

__global__ void good(int *out) {
  static const int table[5] = {9, 8, 7, 6, 5};
  static int runs = 4;
  if (threadIdx.x == 0)
    runs += 2;
  out[threadIdx.x] = table[threadIdx.x % 5] + Settings::entry(threadIdx.x) + runs;
}

int main() {
  int *out = nullptr;
  cudaMalloc(&out, 64 * sizeof(int));
  good<<<1, 64>>>(out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
