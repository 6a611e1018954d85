// Two halves or four bytes in a word at a time.
#include "upload.h"

// clang-format off
#define ALL_BINARY(X, n)                                                                           \
  X(add##n)                                                                                        \
  X(addss##n)                                                                                      \
  X(addus##n) X(sub##n) X(subss##n) X(subus##n) X(avgs##n) X(avgu##n) X(haddu##n) X(maxs##n)       \
      X(maxu##n) X(mins##n) X(minu##n) X(absdiffs##n) X(absdiffu##n) X(sads##n) X(sadu##n)         \
          X(cmpeq##n) X(cmpne##n) X(cmpges##n) X(cmpgeu##n) X(cmpgts##n) X(cmpgtu##n) X(cmples##n) \
              X(cmpleu##n) X(cmplts##n) X(cmpltu##n) X(seteq##n) X(setne##n) X(setges##n)          \
                  X(setgeu##n) X(setgts##n) X(setgtu##n) X(setles##n) X(setleu##n) X(setlts##n)    \
                      X(setltu##n)
#define ALL_UNARY(X, n) X(abs##n) X(absss##n) X(neg##n) X(negss##n)
// clang-format on

#define BINARY(name) out[i + n * k++] = __v##name(a[i], b[i]);
#define UNARY(name) out[i + n * k++] = __v##name(a[i]);
__global__ void halves(const unsigned *a, const unsigned *b, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
  if (i >= n)
    return;
  ALL_BINARY(BINARY, 2)
  ALL_UNARY(UNARY, 2)
}

__global__ void bytes(const unsigned *a, const unsigned *b, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
  if (i >= n)
    return;
  ALL_BINARY(BINARY, 4)
  ALL_UNARY(UNARY, 4)
}

// What the launch knows takes no instruction.
__global__ void known(unsigned *out, unsigned word, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = __vadd4(i * 0x01010101u, word) ^ __vmaxs2(word, i << 9);
}

int main() {
  for (int n : {1, 129, 700}) {
    std::vector<unsigned> a(n), b(n);
    for (int i = 0; i < n; ++i) {
      a[i] = i * 2654435761u;
      b[i] = i % 5 ? i * 0x9e3779b1u + 0x7f80u : a[i] ^ 0x00018000u;
    }
    unsigned *x = upload(a), *y = upload(b), *out;
    cudaMalloc(&out, 41 * n * sizeof(unsigned));
    cudaMemset(out, 0, 41 * n * sizeof(unsigned));
    halves<<<(n + 95) / 96, 96>>>(x, y, out, n);
    bytes<<<(n + 95) / 96, 96>>>(x, y, out, n);
    known<<<(n + 95) / 96, 96>>>(out, 0x80ff7f01u, n);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
