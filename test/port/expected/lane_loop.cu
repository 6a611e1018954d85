// A loop that each thread leaves when it likes.
__global__ void collatz(const unsigned *start, int *steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned x = start[i];
  int count = 0;
  while (x > 1 && count < 1000) {
    x = x % 2 ? 3 * x + 1 : x / 2;
    ++count;
  }
  steps[i] = count;
}

void run(const unsigned *start, int *steps, int n) {
  collatz<<<(n + 63) / 64, 64>>>(start, steps, n);
}
