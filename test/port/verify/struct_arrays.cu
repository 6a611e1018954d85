// Arrays inside of arguments by value: read at places that the host knows (also pointers), that
// the launch gives each lane, and that lanes load; arrays of structs and mixed element types.
#include "upload.h"

#include <vector>

struct Weights {
  float w[8];
  int n;
};

struct Shape {
  int dims;
  long long sizes[5], strides[5];
};

struct Mixed {
  signed char tag;
  short steps[5];
  Weights sides[2];
  unsigned char bytes[7];
  bool flags[3];
};

struct Columns {
  const float *column[3];
  int count;
};

__global__ void picked(float *x, Weights p) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < p.n)
    x[i] = p.w[(i * 3) % 8] - p.w[threadIdx.x & 7];
}

__global__ void loaded(float *x, const int *which, Weights p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += p.w[which[i]]; // lanes beyond n would read anywhere
}

__global__ void known_to_the_host(float *x, Weights p, int first, int last) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = first; k < last; ++k)
    sum = sum * 0.5f + p.w[k];
  if (i < p.n)
    x[i] += sum + (last > 0 ? p.w[last - 1] : 0.25f);
}

// The usual way to address tensors of any rank.
__global__ void strided(float *out, const float *in, Shape shape, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  long long rest = i, offset = 0;
  for (int d = shape.dims - 1; d >= 0; --d) {
    offset += rest % shape.sizes[d] * shape.strides[d];
    rest /= shape.sizes[d];
  }
  out[i] = in[offset];
}

// The same through functions: a member, a reference, a copy.
struct View {
  float *data;
  int sizes[3], strides[3];
  __device__ int offset(int i) const {
    int sum = 0;
    for (int d = 2; d >= 0; --d) {
      sum += (i % sizes[d]) * strides[d];
      i /= sizes[d];
    }
    return sum;
  }
};
__device__ int offset_in(const View &view, int i) {
  int sum = 0;
  for (int d = 0; d < 3; ++d)
    sum = sum * view.sizes[d] + (i + d) % view.sizes[d];
  return sum;
}
__device__ float element(View view, int i) {
  return view.data[view.offset(i)] + view.strides[i % 3];
}

__global__ void viewed(float *out, const View view, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = view.data[view.offset(i)] + view.data[offset_in(view, i)] + element(view, i);
}

__global__ void mixed(float *x, const int *which, Mixed m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int k = which[i];
  float value = m.sides[k & 1].w[k] + m.steps[i % 5] + m.bytes[k % 7] + m.tag;
  if (m.flags[i % 3])
    value = -value;
  x[i] += value;
}

__global__ void columns(float *x, Columns c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < c.count; ++k)
    if (i < n)
      sum += c.column[k][i] * (k + 1);
  if (i < n)
    x[i] = sum;
}

// Written to, so every thread has a copy of its own.
__global__ void changed(float *x, Weights p) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  p.w[i & 7] += 100;
  if (i < p.n)
    x[i] += p.w[(i + 1) & 7] + p.w[i & 7];
}

int main() {
  const int size = 1000;
  std::vector<int> which(size);
  std::vector<float> data(size);
  for (int i = 0; i < size; ++i) {
    which[i] = (i * 7919) % 8;
    data[i] = i * 0.75f;
  }
  for (int i = 905; i < size; ++i)
    which[i] = 1 << 28;
  int *d_which = upload(which);
  float *d_x = upload(data), *d_in = upload(data);
  Weights p{{1.5f, -2, 3.25f, 0, 1e-3f, 7, -8, 1e6f}, 0};
  Mixed m{-3, {1, -2, 300, -400, 5}, {p, p}, {255, 1, 2, 3, 4, 5, 128}, {true, false, true}};
  m.sides[1].w[3] = 17;
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1}, {1, 33, 20}, {4, 64, 255}, {129, 7, 900}, {300, 3, 899}};
  for (const auto &c : cases) {
    p.n = c.n;
    picked<<<c.blocks, c.threads>>>(d_x, p);
    loaded<<<c.blocks, c.threads>>>(d_x, d_which, p, c.n);
    for (int last : {0, 1, 8})
      known_to_the_host<<<c.blocks, c.threads>>>(d_x, p, last / 2, last);
    for (int rank = 1; rank <= 5; ++rank) {
      Shape shape{rank, {3, 2, 5, 4, 2}, {1, 3, 6, 30, 120}};
      strided<<<c.blocks, c.threads>>>(d_x, d_in, shape, c.n);
    }
    viewed<<<c.blocks, c.threads>>>(d_x, View{d_in, {3, 5, 4}, {20, 4, 1}}, c.n);
    mixed<<<c.blocks, c.threads>>>(d_x, d_which, m, c.n);
    for (int count = 0; count <= 3; ++count)
      columns<<<c.blocks, c.threads>>>(d_x, Columns{{d_in, d_in + 50, d_in + 100}, count}, c.n);
    changed<<<c.blocks, c.threads>>>(d_x, p);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
