// Matrix transpose through a padded tile in shared memory, for several element types.
// usage: transpose [rows [columns]]
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

constexpr int kTile = 32;
constexpr int kRows = 8; // rows of a tile that a block moves at a time

template <typename T> __global__ void transpose(const T *in, T *out, int rows, int columns) {
  __shared__ T tile[kTile][kTile + 1]; // the padding keeps column reads free of bank conflicts

  int x = blockIdx.x * kTile + threadIdx.x;
  int y = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows)
    if (x < columns && y + j < rows)
      tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * columns + x];
  __syncthreads();

  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows)
    if (x < rows && y + j < columns)
      out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}

// Transposes a rows x columns matrix of T and returns the number of wrong elements.
template <typename T> size_t run(const char *type, int rows, int columns) {
  const size_t size = size_t(rows) * columns;
  std::vector<T> in(size), out(size);
  for (size_t i = 0; i < size; ++i)
    in[i] = T(unsigned(i) * 2654435761u >> 7);

  T *d_in, *d_out;
  CUDA_CHECK(cudaMalloc(&d_in, size * sizeof(T)));
  CUDA_CHECK(cudaMalloc(&d_out, size * sizeof(T)));
  CUDA_CHECK(cudaMemset(d_out, 0, size * sizeof(T)));
  CUDA_CHECK(cudaMemcpy(d_in, in.data(), size * sizeof(T), cudaMemcpyHostToDevice));
  const dim3 block(kTile, kRows);
  const dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose<T><<<grid, block>>>(d_in, d_out, rows, columns);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(out.data(), d_out, size * sizeof(T), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));

  size_t wrong = 0;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c)
      wrong += out[size_t(c) * rows + r] != in[size_t(r) * columns + c];
  std::printf("transpose<%s>: %d x %d, %zu wrong\n", type, rows, columns, wrong);
  return wrong;
}

int main(int argc, char **argv) {
  const int rows = argc > 1 ? std::atoi(argv[1]) : 197;
  const int columns = argc > 2 ? std::atoi(argv[2]) : 333;
  if (rows < 1 || columns < 1) {
    std::fprintf(stderr, "usage: %s [rows [columns]]\n", argv[0]);
    return 2;
  }
  const size_t wrong =
      run<float>("float", rows, columns) + run<uint16_t>("uint16_t", rows, columns);
  std::printf("%s: %zu wrong elements, largest error %d\n", wrong == 0 ? "PASS" : "FAIL", wrong,
              wrong == 0 ? 0 : 1);
  return wrong == 0 ? 0 : 1;
}
