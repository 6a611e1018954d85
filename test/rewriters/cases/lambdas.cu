#include <cuda_runtime.h>

template <class F> __global__ void for_each(int n, F f) {
  if (threadIdx.x < n)
    f(threadIdx.x);
}
template <int N, class F> __global__ void map(float *x, F f) {
  for (int k = 0; k < N; ++k)
    x[k] = f(x[k]);
}

// The kernel is found by overload once T is known.
__global__ void scale(float *x, float by) { x[threadIdx.x] *= by; }
__global__ void scale(int *x, int by) { x[threadIdx.x] *= by; }
template <class T> void scale_any(T *x, T by) { scale<<<1, 32>>>(x, by); }

__device__ float twice(float x) { return 2 * x; }

// Launches in a template; the lambda in a template.
template <class F> void parallel_for(int n, F f) { for_each<<<1, 32>>>(n, f); }
template <class T> void fill(T *x, T value, int n) {
  parallel_for(n, [=] __device__(int i) { x[i] = value; });
}

class Offset {
public:
  explicit Offset(float by) : by(by) {}
  void run(float *x, cudaStream_t stream) {
    map<1><<<1, 1, 0, stream>>>(x, Add{by});
    map<1><<<1, 1, 0, stream>>>(x, [*this] __device__(float v) { return v + by; });
  }

private:
  struct Add {
    float by;
    __device__ float operator()(float v) const { return v + by; }
  };
  float by;
};

int main() {
  float *x = nullptr;
  int *y = nullptr;
  float a = 2;
  auto times = [=] __host__ __device__(float v) { return v * a; };
  map<2><<<1, 1>>>(x, times);
  map<4><<<1, 1>>>(x, times);
  map<4><<<1, 1>>>(x, [a] __device__(float v) { return twice(v) + threadIdx.x; });
  map<1><<<1, 1>>>(x, [=, b = a + 1] __device__(float v) mutable { return v + (b += a); });
  for_each<<<1, 32>>>(32, [=] __device__(int i) {
    // A comment that stays.
    y[i] = i;
  });
  struct Square {
    __host__ __device__ float operator()(float v) const { return v * v; }
  };
  map<1><<<1, 1>>>(x, Square());
  fill(x, 1.0f, 32);
  fill(y, 1, 32);
  scale_any(x, 2.0f);
  scale_any(y, 2);
  Offset(1).run(x, nullptr);
  return times(1) > 2 ? 0 : int(Square()(1));
}
