// Variables inside of functions: small constant tables become values, others have no place.
__global__ void written(int *out) {
  static int runs = 4;
  if (threadIdx.x == 0) {
    runs += 2; // expect: NFY4013
    out[0] = runs;
  }
}

__global__ void counted(int *out) {
  __device__ static int count = 3;
  out[threadIdx.x] = atomicAdd(&count, 1); // expect: NFY4013
}

__device__ int of_large_table(int i) {
  static const int table[300] = {1, 2, 3, 4, 7};
  return table[i % 300]; // expect: NFY4013
}

__global__ void large(int *out) { out[threadIdx.x] = of_large_table(threadIdx.x); }

class Settings {
  static constexpr int kTable[3] = {7, 5, 3};
  static __device__ int factor;

public:
  static __device__ int scaled(int i) {
    return factor * i; // expect: NFY4013
  }
  static __device__ int entry(int i) { return kTable[i % 3]; }
};
__device__ int Settings::factor = 7;

__global__ void of_private_member(int *out) { out[threadIdx.x] = Settings::scaled(threadIdx.x); }

__global__ void good(int *out) {
  static const int table[5] = {9, 8, 7, 6, 5};
  out[threadIdx.x] = table[threadIdx.x % 5] + Settings::entry(threadIdx.x);
}

int main() {
  int *out = nullptr;
  cudaMalloc(&out, 64 * sizeof(int));
  good<<<1, 64>>>(out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
