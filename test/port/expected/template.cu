// Two instantiations of one template, with a value and a device function.
template <class T> __device__ T square(T x) { return x * x; }

template <class T, int N> __global__ void powers(T *out, const T *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T value = x[i];
  for (int k = 0; k < N; ++k)
    out[i * N + k] = value = square(value);
}

template <int N, class T> void run_any(T *out, const T *x, int blocks) {
  powers<T, N><<<blocks, 64>>>(out, x);
}

void run(float *out, const float *x, int *counts, const int *y) {
  run_any<2>(out, x, 10);
  run_any<3>(counts, y, 20);
}
