// Launches whose text is not all there is to them: default arguments, deduced types and lambdas
// that macros write or move. The program checks its results itself, since running the same wrong
// kernel on both sides would match.
#define w 5 // the runtime's own headers come before it
#include <cstdio>
#include <cuda_runtime.h>

const int standard = 5;
__global__ void filled(int *p, int v = standard) { p[threadIdx.x] = v; }

template <class T, int N = 3> __global__ void filled_by(T *p, T v = N) { p[threadIdx.x] = v; }

struct Point {
  int a;
};
template <class T> __global__ void first_of(int *p, T t) { p[threadIdx.x] = t.a; }
namespace inner {
struct Point {
  int a;
  Point(::Point q) : a(q.a + 1000) {}
};
void launch(int *p) {
  first_of<<<1, 32>>>(p, Point(::Point{1}));
  first_of<<<1, 32>>>(p, ::Point{7});
}
} // namespace inner

template <class F> __global__ void apply(int *p, F f) { p[threadIdx.x] = f(p[threadIdx.x]); }
template <class F, class G> void both(int *p, F f, G g) {
  apply<<<1, 32>>>(p, f);
  apply<<<1, 32>>>(p, g);
}
#define ADD_AND_SCALE [] __device__(int v) { return v + 1; }, [] __device__(int v) { return v * 5; }
#define DISPATCH(...) [&] { __VA_ARGS__ }()
#define TWICE(...)                                                                                 \
  __VA_ARGS__;                                                                                     \
  __VA_ARGS__
#define LAMBDA(value) [=] __device__(int v) { return value; }
#define CAPTURING(p, a, b)                                                                         \
  apply<<<1, 32>>>(p, LAMBDA(v + a));                                                              \
  apply<<<1, 32>>>(p, LAMBDA(v * b))

__device__ volatile int flag = 3;
__global__ void class_(int *p) { p[threadIdx.x] = flag; }

static int *d;
static int wrong = 0;
static void expect(const char *what, int value) {
  int found = -1;
  cudaMemcpy(&found, d + 31, sizeof found, cudaMemcpyDeviceToHost);
  if (found == value)
    return;
  std::printf("%s: %d, not %d\n", what, found, value);
  ++wrong;
}

int main() {
  const int standard = 100; // not what the kernel's default argument means
  cudaMalloc(&d, 32 * sizeof *d);
  filled<<<1, 32>>>(d);
  expect("default argument", 5 + (standard - 100));
  filled_by<<<1, 32>>>(d);
  expect("default argument of a template", 3);
  inner::launch(d);
  expect("deduced type", 7);
  cudaMemset(d, 0, 32 * sizeof *d);
  both(d, ADD_AND_SCALE);
  expect("two lambdas of a macro", 5);
  DISPATCH(apply<<<1, 32>>>(d, [] __device__(int v) { return v + 2; });
           apply<<<1, 32>>>(d, [] __device__(int v) { return v * 3; }););
  expect("two lambdas in an argument", 21);
  TWICE(apply<<<1, 32>>>(d, [] __device__(int v) { return v - 4; }));
  expect("one lambda, written twice", 13);
  const int a = 2, b = 10;
  CAPTURING(d, a, b);
  expect("captures of a macro's lambdas", 150);
  class_<<<1, 32>>>(d);
  expect("volatile variable", 3);
  return wrong == 0 && cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
