// The licence of this file
// stays.
#include <cuda_runtime.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
using namespace cooperative_groups;

constexpr int TILE = 16;
static const int HOST_TOO = 4;

// Sums over a warp.
// Only the device can do that.
__device__ float warp_sum(float x);

__device__ __forceinline__ float square(float x) { return x * x; }

/* Both sides
   use this. */
__host__ __device__ inline float cube(float x) { return x * x * x; }

static __host__ __device__ float only_kernels_use_this(float x) { return x + 1; }

__host__ __device__ inline float thread() { return threadIdx.x; }

__device__ float square_for_both(float x) { return square(x); }
inline __host__ __device__ float calls_device(float x) { return square_for_both(x); }

static constexpr int tiles(int n) { return n / TILE; }

__device__ float warp_sum(float x) {
  auto block = cg::this_thread_block();
  (void)block;
  return x;
}

__device__ cg::thread_block same(const cg::thread_block &block) { return block; }

struct __align__(16) Vec {
  float x, y;
  __host__ __device__ Vec(float x, float y) : x(x), y(y) {}
  __device__ float dot(const Vec &o) const { return x * o.x + y * o.y; }

  // Length, on the device.
  __device__ float length() const;
  __host__ __device__ float sum() const { return x + y; }
};
__device__ float Vec::length() const { return square(x) + square(y); }

template <typename T> __device__ T clamp(T x, T low, T high) {
  return x < low ? low : x > high ? high : x;
}
template <> __device__ int clamp<int>(int x, int, int) { return x; }

extern __shared__ float scratch[];

__global__ void __launch_bounds__(TILE, 2) use_all(Vec *v, float *out) {
  scratch[threadIdx.x] = clamp(v->dot(*v) + v->length(), 0.f, 1.f) + tiles(3);
  out[0] = warp_sum(scratch[0]) + only_kernels_use_this(thread()) + calls_device(HOST_TOO);
}

int main() {
  Vec v(1, 2);
  use_all<<<1, 32, HOST_TOO * sizeof(float)>>>(nullptr, nullptr);
  return cube(v.sum()) > 3;
}
