// A virtual call stops a kernel.
struct Shape {
  __device__ virtual int area(int v) const = 0;
};
struct Square : Shape {
  __device__ int area(int v) const override { return v * v; }
};
struct Line : Shape {
  __device__ int area(int) const override { return 0; }
};

__global__ void bad(int *a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Square square;
  const Line line;
  const Shape &shape = a[i] ? static_cast<const Shape &>(square) : line;
  if (i < n)
    a[i] = shape.area(i); // expect-file: NFY4004
}

__global__ void good(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = a[i] + 1;
}

int main() {
  int *a = nullptr;
  cudaMalloc(&a, 2 * 100 * sizeof(int));
  cudaMemset(a, 0, 2 * 100 * sizeof(int));
  bad<<<1, 128>>>(a, 100);
  good<<<1, 128>>>(a, a + 100, 100);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
