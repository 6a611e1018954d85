// 64-bit integers as data: arithmetic, division, shifts, bit operators, comparisons, products.
#include <cstdint>
#include <vector>

using i64 = long long;
using u64 = unsigned long long;

__global__ void sums(const i64 *a, const i64 *b, i64 *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const u64 x = a[i], y = b[i];
  out[0 * n + i] = x + y;
  out[1 * n + i] = x - y;
  out[2 * n + i] = -x;
  out[3 * n + i] = x * y;
  out[4 * n + i] = x + 1;
  out[5 * n + i] = x - 0x100000000ull;
  out[6 * n + i] = x * 10;
  out[7 * n + i] = x * 6364136223846793005ull + 1442695040888963407ull;
  out[8 * n + i] = 5000000000ull - x;
  out[9 * n + i] = x * 8;
}

__global__ void divisions(const i64 *a, const i64 *b, i64 *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const i64 x = a[i], y = b[i] == 0 ? 7 : b[i];
  out[0 * n + i] = x / (y == -1 ? 3 : y);
  out[1 * n + i] = x % (y == -1 ? 3 : y);
  out[2 * n + i] = u64(x) / u64(y);
  out[3 * n + i] = u64(x) % u64(y);
  out[4 * n + i] = x / 10;
  out[5 * n + i] = x % -1000000007ll;
  out[6 * n + i] = u64(x) / 1000000000000ull;
  out[7 * n + i] = u64(x) % 4096;
  out[8 * n + i] = x / 16;
  out[9 * n + i] = 0x7fffffffffffffffll / y;
}

__global__ void divisions_by_scalar(const i64 *a, i64 *out, i64 d, u64 e, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[0 * n + i] = a[i] / d;
  out[1 * n + i] = a[i] % d;
  out[2 * n + i] = u64(a[i]) / e;
  out[3 * n + i] = u64(a[i]) % e;
}

__global__ void bitwise(const i64 *a, const i64 *b, u64 *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const u64 x = a[i], y = b[i];
  out[0 * n + i] = x & y;
  out[1 * n + i] = x | y;
  out[2 * n + i] = x ^ y;
  out[3 * n + i] = ~x;
  out[4 * n + i] = x & 0xff00ff00ff00ff00ull;
  out[5 * n + i] = x & (x - 1);
  out[6 * n + i] = (x & 0xffffffffull) << 32 | y >> 32;
  out[7 * n + i] = __popcll(x) | __clzll(x) << 8 | __ffsll(x) << 16;
  out[8 * n + i] = __brevll(x);
  out[9 * n + i] = x & 0xffff;
}

__global__ void shifts(const i64 *a, const int *amount, u64 *out, int k, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const i64 x = a[i];
  const int s = amount[i] & 63;
  out[0 * n + i] = u64(x) << s;
  out[1 * n + i] = u64(x) >> s;
  out[2 * n + i] = x >> s;
  out[3 * n + i] = 1ull << s;
  out[4 * n + i] = u64(x) << k;
  out[5 * n + i] = u64(x) >> k;
  out[6 * n + i] = x >> k;
  out[7 * n + i] = u64(x) << 7 | u64(x) >> 57;
  out[8 * n + i] = u64(x) << 40 | u64(x) >> 24;
  out[9 * n + i] = x >> 33;
  out[10 * n + i] = x >> 5;
  out[11 * n + i] = u64(x) << (i % 64);
  out[12 * n + i] = u64(x) << 32;
  out[13 * n + i] = x >> 63;
}

// Low words of wide results.
__global__ void cut(const i64 *a, const i64 *b, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const i64 x = a[i], y = b[i];
  out[0 * n + i] = int(x >> 32);
  out[1 * n + i] = int(x >> 40);
  out[2 * n + i] = int(u64(x) >> 12);
  out[3 * n + i] = int(x * y + 3);
  out[4 * n + i] = int(u64(x) >> 63) + int(x >> 63);
  out[5 * n + i] = short(x >> 20);
  out[6 * n + i] = int(x / 1000);
}

__global__ void comparisons(const i64 *a, const i64 *b, int *out, i64 limit, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const i64 x = a[i], y = b[i];
  int bits = 0;
  bits |= (x < y) << 0;
  bits |= (x <= y) << 1;
  bits |= (x > y) << 2;
  bits |= (x >= y) << 3;
  bits |= (x == y) << 4;
  bits |= (x != y) << 5;
  bits |= (u64(x) < u64(y)) << 6;
  bits |= (u64(x) <= u64(y)) << 7;
  bits |= (u64(x) > u64(y)) << 8;
  bits |= (u64(x) >= u64(y)) << 9;
  bits |= (x < 0) << 10;
  bits |= (x > 0x100000000ll) << 11;
  bits |= (x == 0) << 12;
  bits |= (x < limit) << 13;
  bits |= (u64(x) < u64(limit)) << 14;
  bits |= (x < i) << 15;
  bits |= (x >= i64(i) << 31) << 16;
  bits |= (u64(x) > 0xffffffffull) << 17;
  out[i] = bits;
}

__global__ void extremes(const i64 *a, const i64 *b, i64 *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const i64 x = a[i], y = b[i];
  out[0 * n + i] = min(x, y);
  out[1 * n + i] = max(x, y);
  out[2 * n + i] = min(u64(x), u64(y));
  out[3 * n + i] = max(u64(x), u64(y));
  out[4 * n + i] = x < 0 ? -x : x;
  out[5 * n + i] = llabs(x);
  out[6 * n + i] = min(max(x, -5000000000ll), 5000000000ll);
}

// Products of 32-bit numbers in 64 bits, and the high halves of 64-bit ones.
__global__ void products(const int *a, const int *b, const i64 *c, const i64 *d, i64 *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[0 * n + i] = i64(a[i]) * b[i];
  out[1 * n + i] = u64(unsigned(a[i])) * unsigned(b[i]);
  out[2 * n + i] = i64(a[i]) * b[i] >> 32;
  out[3 * n + i] = int(i64(a[i]) * b[i] >> 32);
  out[4 * n + i] = int(u64(unsigned(a[i])) * 0xcccccccdu >> 35);
  out[5 * n + i] = __mul64hi(c[i], d[i]);
  out[6 * n + i] = __umul64hi(c[i], d[i]);
  out[7 * n + i] = (i64(a[i]) * b[i] + (1ll << 30)) >> 31; // fixed point
  out[8 * n + i] = i64(a[i]) * c[i];
  out[9 * n + i] = i64(a[i]) * 5000000000ll;
}

// Numbers of 32 bits in 64-bit operations, which may or may not do with 32 bits.
__global__ void narrow(const int *a, const int *b, i64 *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const i64 x = a[i], y = b[i] ? b[i] : -1;
  const u64 u = unsigned(a[i]), v = unsigned(b[i]) | 1;
  out[0 * n + i] = x / y;
  out[1 * n + i] = x % y;
  out[2 * n + i] = u / v;
  out[3 * n + i] = u % v;
  out[4 * n + i] = u64(x) / u64(y);
  out[5 * n + i] = u64(x) % u64(y);
  out[6 * n + i] = (u >> 40) + (u >> 31);
  out[7 * n + i] = (x >> 40) + (x >> 31);
  out[8 * n + i] = u64(x) >> 4;
  out[9 * n + i] = i64(u) >> 4;
  int bits = 0;
  bits |= (i64(u) < i64(v)) << 0;
  bits |= (i64(u) <= i64(v)) << 1;
  bits |= (x < y) << 2;
  bits |= (u64(x) < u64(y)) << 3;
  bits |= (x < i64(v)) << 4;
  bits |= (u64(x) > v) << 5;
  bits |= (u == v) << 6;
  bits |= (i64(u) > 3000000000ll) << 7;
  bits |= (x > -5) << 8;
  bits |= (u64(x) > 5) << 9;
  bits |= (i64(u) > -1) << 10;
  bits |= (x < i64(i)) << 11;
  out[10 * n + i] = bits;
  out[11 * n + i] = x / 7 + x % 7;
  out[12 * n + i] = int(x / y);
  out[15 * n + i] = int(u64(y) / u64(x | 1)) ^ int(u64(y) % u64(x | 1));
  out[13 * n + i] = (u & 0xff) * (v & 0xffff);
  out[14 * n + i] = x * y + i64(u) * i64(v);
}

static u64 state = 1;
static u64 next() { return state = state * 6364136223846793005ull + 1442695040888963407ull; }

template <class T> T *copy(const std::vector<T> &host) {
  T *device = nullptr;
  cudaMalloc(&device, host.size() * sizeof(T));
  cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

int main() {
  const i64 corners[] = {0,
                         1,
                         -1,
                         2,
                         7,
                         -3,
                         2147483647,
                         2147483648,
                         -2147483648,
                         -2147483649,
                         4294967295,
                         4294967296,
                         4294967297,
                         -4294967295,
                         -4294967296,
                         -4294967297,
                         0x7fffffffffffffffll,
                         -0x7fffffffffffffffll - 1,
                         -0x7fffffffffffffffll,
                         0x7fffffff00000000ll,
                         int64_t(0xaaaaaaaaaaaaaaaaull),
                         1000000007};
  const int kinds = sizeof corners / sizeof *corners;
  const int shapes[][2] = {{1, 1}, {1, 64}, {129, 3}, {300, 33}};
  for (const auto &[blocks, threads] : shapes) {
    const int n = blocks * threads > 1 ? blocks * threads - 1 : 1;
    std::vector<i64> a(n), b(n);
    std::vector<int> amount(n), small(n);
    for (int i = 0; i < n; ++i) {
      const bool corner = i < kinds * kinds;
      a[i] = corner ? corners[i % kinds] : i64(next() >> next() % 64) * (next() & 1 ? 1 : -1);
      b[i] = corner ? corners[i / kinds % kinds] : i64(next() >> next() % 64);
      amount[i] = i % 5 == 0 ? -1 : int(next() >> 32);
      small[i] = corner ? int(corners[i % kinds]) : int(next() >> 32);
    }
    i64 *da = copy(a), *db = copy(b), *out = nullptr;
    int *damount = copy(amount), *dsmall = copy(small);
    cudaMalloc(&out, 16 * n * sizeof(i64));
    cudaMemset(out, 0, 16 * n * sizeof(i64));
    sums<<<blocks, threads>>>(da, db, out, n);
    divisions<<<blocks, threads>>>(da, db, out, n);
    divisions_by_scalar<<<blocks, threads>>>(da, out, -12345678901ll, 0xfedcba9876543210ull, n);
    divisions_by_scalar<<<blocks, threads>>>(da, out, 3, 1, n);
    bitwise<<<blocks, threads>>>(da, db, (u64 *)out, n);
    for (int k : {0, 1, 31, 32, 33, 63})
      shifts<<<blocks, threads>>>(da, damount, (u64 *)out, k, n);
    cut<<<blocks, threads>>>(da, db, (int *)out, n);
    comparisons<<<blocks, threads>>>(da, db, (int *)out, 4294967296ll, n);
    comparisons<<<blocks, threads>>>(da, db, (int *)out, -1, n);
    extremes<<<blocks, threads>>>(da, db, out, n);
    products<<<blocks, threads>>>(dsmall, damount, da, db, out, n);
    narrow<<<blocks, threads>>>(dsmall, damount, out, n);
    if (cudaDeviceSynchronize() != cudaSuccess)
      return 1;
    for (void *p : {(void *)da, (void *)db, (void *)out, (void *)damount, (void *)dsmall})
      cudaFree(p);
  }
  return 0;
}
