// A loop that each thread ends when its value says so.
__global__ void halve(const float *start, float *below, float limit, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float value = start[i];
  while (value > limit)
    value *= 0.5f;
  below[i] = value;
}
