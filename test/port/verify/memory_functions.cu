// memcpy and memset in kernels: of local arrays and structs larger than a few registers, of sizes
// that the launch or data decide, and of nothing.
struct Table {
  int values[400];
  float scale;
};

__global__ void large(const Table *tables, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Table mine = tables[i % 3]; // 1,604 bytes
  short row[700];
  memset(row, 0, sizeof row);
  row[i % 700] = 7;
  int sum = 0;
  for (int j = i % 5; j < 400; j += 57)
    sum += mine.values[j] + row[j];
  out[i] = sum * mine.scale;
}

__global__ void counted(const unsigned char *from, unsigned char *to, const int *lengths, int width,
                        int n, int fill) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned char *mine = to + i * width;
  memset(mine, fill + i, width);              // the launch says how many
  memcpy(mine, from + i, lengths[i] % width); // data say how many, and for some it is none
}

int main() {
  for (int n : {1, 33, 130}) {
    Table host[3];
    for (int t = 0; t < 3; ++t) {
      for (int j = 0; j < 400; ++j)
        host[t].values[j] = j * (t + 1);
      host[t].scale = 0.5f * t;
    }
    Table *tables;
    float *out;
    cudaMalloc(&tables, sizeof host);
    cudaMalloc(&out, n * sizeof(float));
    cudaMemcpy(tables, host, sizeof host, cudaMemcpyHostToDevice);
    large<<<(n + 31) / 32, 32>>>(tables, out, n);
    const int width = 13;
    unsigned char *from, *to;
    int *lengths;
    int *host_lengths = new int[n];
    for (int i = 0; i < n; ++i)
      host_lengths[i] = i * 5;
    cudaMalloc(&from, n + width);
    cudaMalloc(&to, n * width);
    cudaMalloc(&lengths, n * sizeof(int));
    cudaMemset(from, 17, n + width);
    cudaMemset(to, 0, n * width);
    cudaMemcpy(lengths, host_lengths, n * sizeof(int), cudaMemcpyHostToDevice);
    counted<<<(n + 31) / 32, 32>>>(from, to, lengths, width, n, 250);
    if (cudaDeviceSynchronize() != cudaSuccess)
      return 1;
    delete[] host_lengths;
    for (void *p : {(void *)tables, (void *)out, (void *)from, (void *)to, (void *)lengths})
      cudaFree(p);
  }
  return 0;
}
