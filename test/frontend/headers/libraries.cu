// Libraries whose device code is ours: random and complex numbers.
#include <cuComplex.h>
#include <cuda/std/complex>
#include <curand_kernel.h>
#include <curand_normal.h>
#include <library_types.h>
#include <thrust/complex.h>

#include <complex>
#include <iostream>

template <class State> __device__ float draw(State *state) {
  curand_init(1, 2, 3, state);
  skipahead(4, state);
  skipahead_sequence(5, state);
  const double2 pair = curand_normal2_double(state);
  return float(curand(state)) + curand_uniform(state) + float(curand_uniform_double(state)) +
         curand_normal(state) + curand_log_normal(state, 0.0f, 1.0f) + curand_normal2(state).x +
         float(pair.x + curand_log_normal_double(state, 0.0, 1.0)) +
         float(curand_poisson(state, 3.0));
}

__global__ void random_numbers(curandState_t *a, curandStatePhilox4_32_10_t *b, float *out) {
  const float4 four = curand_uniform4(b), normal = curand_normal4(b);
  const uint4 counts = curand_poisson4(b, 2.0);
  *out = draw(a) + draw(b) + four.x + normal.w + float(curand_uniform2_double(b).y) +
         float(counts.x) + curand_log_normal4(b, 0.0f, 1.0f).z;
}

__global__ void complex_numbers(cuDoubleComplex *x, thrust::complex<double> *y,
                                cuda::std::complex<float> *z) {
  *x = cuCadd(cuCmul(*x, *x), make_cuDoubleComplex(1, 0));
  *y = thrust::conj(*y * 2.0 + 1.0) / thrust::polar(2.0, 0.5);
  *z = cuda::std::exp(*z) - cuda::std::complex<double>(1.0, 2.0);
}

int main() {
  const thrust::complex<float> z(3, 4);
  const std::complex<float> plain = z;
  std::cout << thrust::abs(z) << z << plain << CUDA_R_32F << sizeof(curandState);
}
