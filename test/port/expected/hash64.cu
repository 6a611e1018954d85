// 64-bit integers: pairs of tiles where both words are wanted, the low word elsewhere.
__global__ void splitmix(const unsigned long long *seeds, const int *where, unsigned *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned long long z = seeds[where[i]] + 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  out[i] = unsigned((z ^ (z >> 31)) >> 32);
}

void run(const unsigned long long *seeds, const int *where, unsigned *out, int n) {
  splitmix<<<(n + 127) / 128, 128>>>(seeds, where, out, n);
}
