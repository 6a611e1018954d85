// Loops that `goto` makes, out of scopes that have something to clean up, before barriers: threads
// that leave in different rounds meet behind them.
#include <cstdio>

struct Item {
  int key;
  float weight;
  unsigned short tag;
};

__global__ void exchange(const unsigned *in, const Item *items, float *out, unsigned *rounds, int m,
                         int n) {
  __shared__ float s[128];
  const int T = blockDim.x, tid = threadIdx.x, gid = blockIdx.x * T + tid;
  s[tid] = in[gid] * 0.5f;
  __syncthreads();
  unsigned v = in[gid] % 9;
  int fuel = 4;
again:;
  unsigned char narrow = (unsigned char)(m ^ T);
  Item item = items[v % 7];
  v += item.key + narrow % 2;
  if ((31u != (tid | v)) && v % 5 != 1 && fuel-- > 0)
    goto again;
  const float value = s[v % T] * 1.5f + item.weight;
  const bool writes = in[gid] % 3 != 0;
  __syncthreads();
  if (writes)
    s[T - 1 - tid] = value;
  __syncthreads();
  unsigned sum = 0;
  for (int k = m; k > 0; --k)
    for (int j = m; j > 0; j >>= 1)
      sum += in[(k * v + j) % n];
  if (gid >= n)
    return;
  out[gid] = s[(tid * 7) % T] + sum;
  rounds[gid] = fuel * 100 + v;
}

// One out of another, and a switch whose number is made in the same way.
__global__ void nested(const unsigned *in, const Item *items, unsigned *out, int n) {
  __shared__ unsigned s[128];
  const int T = blockDim.x, tid = threadIdx.x, gid = blockIdx.x * T + tid;
  unsigned v = in[gid], state = 0;
  int outer = 3;
first:;
  Item a = items[v % 7];
  int inner = 2;
second: {
  Item b = items[(v + a.tag) % 7];
  v = v * 3 + b.key;
  if (v % 4 == 1 && inner-- > 0)
    goto second;
  if (v % 3 == 2 && outer-- > 0)
    goto first;
}
  for (int k = 0; k < 5; ++k)
    switch (state) {
    case 0:
      state = v & 1 ? 2 : 1;
      break;
    case 1:
      v += 7;
      state = 2;
      break;
    default:
      v ^= a.tag;
      state = v & 2 ? 0 : 1;
    }
  s[tid] = v;
  __syncthreads();
  if (gid < n)
    out[gid] = s[T - 1 - tid] + 10 * outer + inner + 1000 * state;
}

int main() {
  for (int blocks : {1, 2, 129})
    for (int threads : {1, 5, 33, 64, 128}) {
      const int n = blocks * threads;
      unsigned *in, *rounds, *host = new unsigned[n];
      float *out;
      Item *items, table[7];
      for (int i = 0; i < n; ++i)
        host[i] = i * 2654435761u >> 18;
      for (int i = 0; i < 7; ++i)
        table[i] = {i * 3 % 5, i * 0.25f, (unsigned short)(i * 11)};
      cudaMalloc(&in, n * sizeof(unsigned));
      cudaMalloc(&rounds, n * sizeof(unsigned));
      cudaMalloc(&out, n * sizeof(float));
      cudaMalloc(&items, sizeof table);
      cudaMemcpy(in, host, n * sizeof(unsigned), cudaMemcpyHostToDevice);
      cudaMemcpy(items, table, sizeof table, cudaMemcpyHostToDevice);
      cudaMemset(out, 0, n * sizeof(float));
      for (int m = 0; m < 4; ++m)
        exchange<<<blocks, threads>>>(in, items, out, rounds, m, n - n / 3);
      nested<<<blocks, threads>>>(in, items, rounds, n);
      cudaFree(in), cudaFree(rounds), cudaFree(out), cudaFree(items);
      delete[] host;
    }
  const cudaError_t error = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
