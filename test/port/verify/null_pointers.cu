// Pointers that may be null: chosen by lanes, by the host, or null because the argument is.
__device__ int *at(int *a, int i) { return i % 3 ? &a[i / 2] : nullptr; }

__global__ void chosen_by_lanes(int *a, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int *p = at(a, i);
  int v = -1;
  if (p)
    v = *p;
  out[i] = v;
  int *r = at(a, i);
  if (i & 4)
    r = a + i;
  out[n + i] = r == nullptr ? -5 : r[0];
}

__global__ void optional_output(int *out, int *optional, int *other, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int *by_host = m ? optional + i * m : nullptr;
  for (int j = 0; j < m; ++j)
    if (by_host)
      by_host[j] = j + i;
  int *by_lane = i % 2 ? optional : nullptr; // null for all lanes where the argument is
  if (by_lane)
    atomicAdd(by_lane, 1);
  out[i] = (by_lane ? 10 : 20) + (other ? 1 : 2);
}

template <class T> static T *upload(int n) {
  T *device = nullptr;
  cudaMalloc(&device, n * sizeof(T));
  cudaMemset(device, 3, n * sizeof(T));
  return device;
}

int main() {
  for (int n : {1, 31, 300, 1001}) {
    int *a = upload<int>(n), *out = upload<int>(2 * n), *extra = upload<int>(3 * n);
    chosen_by_lanes<<<(n + 127) / 128, 128>>>(a, out, n);
    optional_output<<<(n + 95) / 96, 96>>>(out, extra, a, 3, n);
    optional_output<<<(n + 95) / 96, 96>>>(out, extra, nullptr, 0, n);
    optional_output<<<(n + 95) / 96, 96>>>(out, nullptr, a, 0, n);
    if (cudaDeviceSynchronize() != cudaSuccess)
      return 1;
    cudaFree(a);
    cudaFree(out);
    cudaFree(extra);
  }
  return 0;
}
