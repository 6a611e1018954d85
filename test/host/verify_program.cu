// The original of verify_program.cpp, without a toolkit's headers.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

__device__ int counter = 1;

extern "C" __global__ void fill(float *out, float value, int n) {
  int i =
      __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
  if (i < n)
    out[i] = value;
}

extern "C" __global__ void count() { ++counter; }
