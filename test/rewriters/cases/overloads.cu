__global__ void scale(float *x, float by, int n = 10) { x[threadIdx.x % n] *= by; }
__global__ void scale(double *x, double by) { x[threadIdx.x] *= by; }
template <class T> __global__ void scale(T *x) { x[0] *= 2; }

void run(float *x, double *y, int *z, cudaStream_t stream) {
  scale<<<1, 32>>>(x, 2.0f);
  scale<<<1, 32, 16>>>(x, 2.0f, 3);
  scale<<<1, 32, 0, stream>>>(y, 2.0);
  scale<<<1, 32>>>(z);
}

#define LAUNCH(kernel, ...) kernel<<<1, 32>>>(__VA_ARGS__)
void through_macro(float *x, double *y, int *z) {
  LAUNCH(scale, x, 1.5f, 3);
  LAUNCH(scale, y, 1.5);
  LAUNCH(scale, z);
}
