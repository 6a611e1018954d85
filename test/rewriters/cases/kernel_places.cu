#include <cuda_runtime.h>

__global__ void declared_first(int *p);
extern "C" __global__ void with_c_linkage(int *p) { *p = 1; }
static __global__ void file_local(int *p) { *p = 2; }
namespace {
__global__ void hidden(int *p) { *p = 3; }
} // namespace
namespace a::b {
__global__ void nested(int *p) { *p = 4; }
} // namespace a::b
struct Solver {
  static __global__ void member(int *p) { *p = 5; }
};

__global__ __launch_bounds__(256)
void on_two_lines(
    int *p,       // the output
    const int n,
    int values[4])
{
  *p = n + values[0]; // done
}

/// A kernel whose name is long.
template <typename Element>
__global__ void a_kernel_with_a_rather_long_name(Element *destination, Element source, int count, void (*)(int)) {
  *destination = source + count;
}

__global__ void declared_first(int *p) { *p = 6; }
template __global__ void a_kernel_with_a_rather_long_name<int>(int *, int, int, void (*)(int));

void run(int *p, cudaStream_t stream) {
  declared_first<<<1, 1>>>(p);
  with_c_linkage<<<1, 1>>>(p);
  file_local<<<1, 1>>>(p);
  hidden<<<1, 1>>>(p);
  a::b::nested<<<1, 1>>>(p);
  Solver::member<<<1, 1>>>(p);
  on_two_lines<<<dim3(1, 2, 3), dim3(4)>>>(
      p, 3,
      p);
  void *args[] = {&p};
  cudaLaunchKernel((const void *)hidden, 1, 1, args, 0, stream);
  cudaLaunchKernel((void *)a::b::nested, dim3(1), dim3(1), args, 0, 0);
}
