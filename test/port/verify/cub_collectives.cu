// Block and warp collectives of CUB over full and ragged blocks: sums, other operators, some that
// do not commute, structs, several items for each thread.
#include <cub/cub.cuh>

#include <cmath>

struct Span { // composition of affine maps: it does not commute
  float scale, shift;
};
struct Compose {
  __device__ Span operator()(const Span &a, const Span &b) const {
    return {a.scale * b.scale, a.shift * b.scale + b.shift};
  }
};

template <int Threads>
__global__ void reduce(const float *x, const int *k, float *out, int *whole, int n) {
  typedef cub::BlockReduce<float, Threads> FloatReduce;
  typedef cub::BlockReduce<int, Threads> IntReduce;
  typedef cub::BlockReduce<Span, Threads> SpanReduce;
  __shared__ typename FloatReduce::TempStorage floats;
  __shared__ typename IntReduce::TempStorage ints;
  __shared__ typename SpanReduce::TempStorage spans;
  int i = blockIdx.x * Threads + threadIdx.x;
  float value = i < n ? x[i] : 0.0f;
  float sum = FloatReduce(floats).Sum(value);
  __syncthreads();
  float largest = FloatReduce(floats).Reduce(value, cub::Max());
  int valid = min(Threads, n - (int)blockIdx.x * Threads);
  int least = IntReduce(ints).Reduce(i < n ? k[i] : 0, cub::Min(), valid);
  Span all =
      SpanReduce(spans).Reduce(Span{1.0f + 0.001f * (threadIdx.x % 5), 0.01f * value}, Compose());
  if (threadIdx.x == 0) {
    out[4 * blockIdx.x] = sum;
    out[4 * blockIdx.x + 1] = largest;
    out[4 * blockIdx.x + 2] = all.scale;
    out[4 * blockIdx.x + 3] = all.shift;
    whole[blockIdx.x] = least;
  }
}

template <int Threads, int Items> __global__ void scan(const int *k, int *out, int *totals, int n) {
  typedef cub::BlockLoad<int, Threads, Items, cub::BLOCK_LOAD_WARP_TRANSPOSE> Load;
  typedef cub::BlockStore<int, Threads, Items, cub::BLOCK_STORE_WARP_TRANSPOSE> Store;
  typedef cub::BlockScan<int, Threads> Scan;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Scan::TempStorage scan;
  } storage;
  int first = blockIdx.x * Threads * Items, items[Items], total;
  Load(storage.load).Load(k + first, items, n - first, 0);
  __syncthreads();
  if (blockIdx.x % 2)
    Scan(storage.scan).ExclusiveSum(items, items, total);
  else
    Scan(storage.scan).InclusiveScan(items, items, cub::Max(), total);
  __syncthreads();
  Store(storage.store).Store(out + first, items, n - first);
  if (threadIdx.x == Threads - 1)
    totals[blockIdx.x] = total;
}

__global__ void warps(const int *k, int *out, int n) {
  typedef cub::WarpReduce<int> Reduce;
  typedef cub::WarpScan<int> Scan;
  typedef cub::WarpScan<long long, 16> HalfScan;
  __shared__ typename Reduce::TempStorage reduces[4];
  __shared__ typename Scan::TempStorage scans[4];
  __shared__ typename HalfScan::TempStorage halves[8];
  int i = blockIdx.x * blockDim.x + threadIdx.x, value = i < n ? k[i] : 0, inclusive, exclusive;
  int sum = Reduce(reduces[threadIdx.x / 32]).Sum(value);
  sum = __shfl_sync(0xffffffff, sum, 0);
  Scan(scans[threadIdx.x / 32]).InclusiveSum(value, inclusive);
  Scan(scans[threadIdx.x / 32]).ExclusiveSum(value, exclusive);
  long long half;
  HalfScan(halves[threadIdx.x / 16]).InclusiveSum((long long)value << 20, half);
  if (i < n) {
    out[4 * i] = sum;
    out[4 * i + 1] = inclusive;
    out[4 * i + 2] = exclusive;
    out[4 * i + 3] = (int)(half >> 21);
  }
}

template <class T> static T *room(int n) {
  T *device = nullptr;
  cudaMalloc(&device, n * sizeof(T));
  cudaMemset(device, 0, n * sizeof(T));
  return device;
}

template <class T> static T *download(const T *device, int n) {
  T *host = new T[n];
  cudaMemcpy(host, device, n * sizeof(T), cudaMemcpyDeviceToHost);
  return host;
}

/// What the collectives of one launch each must give, computed here: both sides of the comparison
/// compile the same header.
static bool right(const int *k, const int *scanned, const int *totals, const int *warp, int n) {
  for (int block = 0; block * 192 < n; ++block) {
    int running = block % 2 ? 0 : -1000000;
    for (int i = block * 192; i < block * 192 + 192; ++i) {
      const int value = i < n ? k[i] : 0;
      const int next = block % 2 ? running + value : value > running ? value : running;
      if (i < n && scanned[i] != (block % 2 ? running : next))
        return false;
      running = next;
    }
    if (totals[block] != running)
      return false;
  }
  for (int i = 0; i < n; ++i) {
    int sum = 0, inclusive = 0;
    long long half = 0;
    for (int j = i / 32 * 32; j < i / 32 * 32 + 32; ++j) {
      const int value = j < n ? k[j] : 0;
      sum += value;
      inclusive += j <= i ? value : 0;
      half += j <= i && j >= i / 16 * 16 ? (long long)value * (1 << 20) : 0;
    }
    if (warp[4 * i] != sum || warp[4 * i + 1] != inclusive || warp[4 * i + 2] != inclusive - k[i] ||
        warp[4 * i + 3] != (int)(half >> 21))
      return false;
  }
  return true;
}

static bool right(const float *x, const int *k, const float *out, const int *least, int n) {
  for (int block = 0; block * 64 < n; ++block) {
    double sum = 0, scale = 1, shift = 0, largest = -1e9;
    int smallest = 1000000;
    for (int t = 0; t < 64; ++t) {
      const int i = block * 64 + t;
      const double value = i < n ? x[i] : 0, factor = 1 + 0.001 * (t % 5);
      sum += value;
      largest = value > largest ? value : largest;
      smallest = i < n && k[i] < smallest ? k[i] : smallest;
      shift = shift * factor + 0.01 * value;
      scale *= factor;
    }
    const double expected[] = {sum, largest, scale, shift};
    for (int i = 0; i < 4; ++i)
      if (!(fabs(out[4 * block + i] - expected[i]) <= 1e-3))
        return false;
    if (least[block] != smallest)
      return false;
  }
  return true;
}

int main() {
  for (int n : {1, 95, 300, 1537}) {
    float *x = room<float>(n), *out = room<float>(4 * n + 64), *hx = new float[n];
    int *k = room<int>(n), *whole = room<int>(n + 64), *numbers = room<int>(4 * n),
        *hk = new int[n];
    for (int i = 0; i < n; ++i) {
      hx[i] = (i * 37 % 101) * 0.25f - 9;
      hk[i] = i * 7919 % 1000 - 300;
    }
    cudaMemcpy(x, hx, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(k, hk, n * sizeof(int), cudaMemcpyHostToDevice);
    reduce<96><<<(n + 95) / 96, 96>>>(x, k, out, whole, n);
    reduce<64><<<(n + 63) / 64, 64>>>(x, k, out, whole, n);
    const float *hout = download(out, 4 * n + 64);
    const int *least = download(whole, n + 64);
    scan<64, 3><<<(n + 191) / 192, 64>>>(k, numbers, whole, n);
    const int *scanned = download(numbers, n), *totals = download(whole, n + 64);
    warps<<<(n + 127) / 128, 128>>>(k, numbers, n);
    const int *warp = download(numbers, 4 * n);
    if (cudaDeviceSynchronize() != cudaSuccess || !right(hx, hk, hout, least, n) ||
        !right(hk, scanned, totals, warp, n))
      return 1;
    delete[] hout;
    delete[] least;
    delete[] scanned;
    delete[] totals;
    delete[] warp;
    delete[] hx;
    delete[] hk;
    for (void *p : {(void *)x, (void *)out, (void *)k, (void *)whole, (void *)numbers})
      cudaFree(p);
  }
  return 0;
}
