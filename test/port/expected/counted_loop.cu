// A loop whose counter moves addresses and nothing else.
__global__ void matrix_vector(const float *matrix, const float *x, float *y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0.0f;
  for (int column = 0; column < columns; ++column)
    sum += matrix[row * columns + column] * x[column];
  y[row] = sum;
}
