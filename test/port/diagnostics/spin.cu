// Threads that wait for others in a loop; those that get on by themselves port.
__global__ void lock(int *lock, int *total, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    while (atomicCAS(lock, 0, 1) != 0) { // expect: NFY4012
    }
    *total += i;
    atomicExch(lock, 0);
  }
}

__global__ void exchange_lock(unsigned *lock, int *total) {
  if (threadIdx.x == 0) {
    while (atomicExch(lock, 1u)) // expect: NFY4012
      ;
    *total += blockIdx.x;
    __threadfence();
    atomicExch(lock, 0u);
  }
}

__global__ void look_back(volatile int *flags, int *sums) {
  if (threadIdx.x == 0) {
    if (blockIdx.x > 0) {
      while (flags[blockIdx.x - 1] == 0) { // expect: NFY4012
      }
      sums[blockIdx.x] += sums[blockIdx.x - 1];
    }
    __threadfence();
    flags[blockIdx.x] = 1;
  }
}

__global__ void grid_barrier(unsigned *count, int *out) {
  if (threadIdx.x == 0) {
    atomicAdd(count, 1u);
    while (atomicAdd(count, 0u) < gridDim.x) { // expect: NFY4012
    }
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = int(*count);
}

__global__ void good(float *largest, const float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int *word = reinterpret_cast<int *>(largest);
  int old = *word, assumed;
  do {
    assumed = old;
    old = atomicCAS(word, assumed, __float_as_int(x[i] + __int_as_float(assumed)));
  } while (assumed != old);
}

// Also ports: who does not get the lock tries again in the next round, after it was given back.
__global__ void lock_in_round(int *lock, int *total, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool done = i >= n;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *total += i;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
    __syncwarp();
  }
}

// Also ports: `continue` makes two loops of this one, and the rounds are counted in the inner one.
__global__ void counted(unsigned *out) {
  __shared__ unsigned words[64];
  words[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  unsigned found = 0;
  int fuel = 4;
  while (fuel-- > 0) {
    if (found != 0)
      continue;
    found = __popc(words[30]);
  }
  out[threadIdx.x] = found;
}

int main() {
  float *x = nullptr;
  cudaMalloc(&x, 101 * sizeof(float));
  cudaMemset(x, 0, 101 * sizeof(float));
  good<<<1, 128>>>(x, x + 1, 100);
  counted<<<1, 64>>>(reinterpret_cast<unsigned *>(x));
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
