// Values at addresses that are no multiple of their size: copied out of strings of bytes, in packed
// structs, in shared memory and local arrays. The host computes the same.
#include "upload.h"

#include <cstdio>
#include <cstring>

#pragma pack(push, 1)
struct Packed {
  unsigned char kind;
  short length;
  int value;
  float weight;
  long long stamp;
  double time;
};
#pragma pack(pop)

#pragma pack(push, 4)
struct Words {
  int kind;
  double time;
  long long stamp;
};
#pragma pack(pop)

__host__ __device__ void update(Packed &p, int i) {
  p.length += p.kind;
  p.value = (int)(p.value * 31u + p.length);
  p.weight = p.weight * 0.5f + i;
  p.stamp -= p.value;
  if (p.kind & 1)
    p.time = -p.time;
  p.kind = (unsigned char)(p.kind + i);
}

__global__ void packed(Packed *all, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    update(all[i], i);
}

__global__ void words(const Words *in, Words *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Words w = in[n - 1 - i];
  w.kind ^= (int)w.stamp;
  w.stamp = w.stamp * 3 + i;
  out[i] = w;
}

// Records of `size` bytes, a word at byte 1 of each.
__global__ void records(const unsigned char *in, unsigned char *out, int size, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned value;
  memcpy(&value, in + i * size + 1, 4);
  value = value * 2654435761u;
  memcpy(out + i * size + 1, &value, 4);
}

// The place is a byte that was loaded; by way of shared memory and of a local array.
__global__ void anywhere(const unsigned char *in, unsigned long long *out, int n) {
  __shared__ unsigned char s[64 + 16];
  const int thread = threadIdx.x, i = blockIdx.x * blockDim.x + thread;
  s[thread] = i < n ? in[i] : 0;
  if (thread < 16)
    s[blockDim.x + thread] = (unsigned char)thread;
  __syncthreads();
  if (i >= n)
    return;
  unsigned char own[12];
  for (int k = 0; k < 12; ++k)
    own[k] = s[thread + k];
  unsigned long long wide;
  unsigned short narrow;
  float real;
  memcpy(&wide, s + thread + (in[i] & 7), 8);
  memcpy(&narrow, own + (in[i] & 3), 2);
  memcpy(&real, in + (in[i] & 31), 4);
  out[i] = wide * 5 + narrow + (real > 0.0f);
}

template <class T> static std::vector<T> download(const T *from, size_t n) {
  std::vector<T> values(n);
  cudaMemcpy(values.data(), from, n * sizeof(T), cudaMemcpyDeviceToHost);
  return values;
}

template <class T> static bool equal(const std::vector<T> &a, const std::vector<T> &b) {
  return memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

static int check_records(int blocks, int threads, int size) {
  const int n = blocks * threads;
  std::vector<unsigned char> in(n * size + 64);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = (unsigned char)((i * 2654435761u) >> 13);
  std::vector<unsigned char> out(in.size());
  unsigned char *from = upload(in), *to = upload(out);
  records<<<blocks, threads>>>(from, to, size, n);
  for (int i = 0; i < n; ++i) {
    unsigned value;
    memcpy(&value, &in[i * size + 1], 4);
    value *= 2654435761u;
    memcpy(&out[i * size + 1], &value, 4);
  }
  int wrong = !equal(out, download(to, out.size()));
  std::vector<unsigned long long> found(n), expected(n);
  unsigned long long *numbers = upload(found);
  anywhere<<<blocks, threads>>>(from, numbers, n);
  for (int i = 0; i < n; ++i) {
    unsigned char s[64 + 16] = {};
    const int first = i / threads * threads, thread = i - first;
    for (int k = 0; k < threads; ++k)
      s[k] = in[first + k];
    for (int k = 0; k < 16 && k < threads; ++k)
      s[threads + k] = (unsigned char)k;
    unsigned long long wide;
    unsigned short narrow;
    float real;
    memcpy(&wide, s + thread + (in[i] & 7), 8);
    memcpy(&narrow, s + thread + (in[i] & 3), 2);
    memcpy(&real, &in[in[i] & 31], 4);
    expected[i] = wide * 5 + narrow + (real > 0.0f);
  }
  wrong += !equal(expected, download(numbers, n));
  cudaFree(from), cudaFree(to), cudaFree(numbers);
  return wrong;
}

int main() {
  int wrong = 0;
  for (int blocks : {1, 3, 129})
    for (int threads : {16, 33, 64}) {
      const int n = blocks * threads - (blocks > 1 ? 5 : 0);
      std::vector<Packed> all(n);
      std::vector<Words> in(n), out(n);
      for (int i = 0; i < n; ++i) {
        all[i] = {(unsigned char)(i * 7),
                  (short)(i * 1001),
                  i * 100003,
                  i * 0.25f,
                  i * 5000000003ll,
                  i / 8.0};
        in[i] = {i, i / 4.0, i * 7000000001ll};
      }
      Packed *p = upload(all);
      Words *from = upload(in), *to = upload(out);
      packed<<<blocks, threads>>>(p, n);
      words<<<blocks, threads>>>(from, to, n);
      for (int i = 0; i < n; ++i) {
        update(all[i], i);
        out[i] = in[n - 1 - i];
        out[i].kind ^= (int)out[i].stamp;
        out[i].stamp = out[i].stamp * 3 + i;
      }
      wrong += !equal(all, download(p, n)) + !equal(out, download(to, n));
      cudaFree(p), cudaFree(from), cudaFree(to);
      for (int size : {5, 6, 8})
        wrong += check_records(blocks, threads, size);
    }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
