// Two dimensions, each with a guard.
__global__ void add(const float *a, const float *b, float *out, int rows, int columns) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns)
    out[row * columns + column] = a[row * columns + column] + b[row * columns + column];
}

void run(const float *a, const float *b, float *out, int rows, int columns) {
  dim3 block(32, 8);
  dim3 grid((columns + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
  add<<<grid, block>>>(a, b, out, rows, columns);
}
