// Structs: by value with pointers and padding inside, nested, in arrays in memory, partly written,
// with small members, returned from functions.
#include "upload.h"

#include <cstdint>
#include <vector>

struct Range {
  int first, count;
};

struct View {
  const float *data;
  int8_t kind;
  Range rows, columns;
  bool flipped;
  float *out;
  float weights[3];
  uint16_t stride;
};

__global__ void views(View v) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
  if (c >= v.columns.count || r >= v.rows.count)
    return;
  const int row = v.flipped ? v.rows.count - 1 - r : r;
  const float x = v.data[(v.rows.first + row) * v.stride + v.columns.first + c];
  v.out[r * v.columns.count + c] = x * v.weights[0] + v.weights[2] * float(v.kind);
}

struct Particle {
  float x, y;
  int16_t age;
  uint8_t flags;
  int id;
};

__device__ Particle moved(Particle p, float dx, float dy) {
  p.x += dx;
  p.y -= dy;
  ++p.age;
  return p;
}

// An array of structs: members are strided, some are left as they were.
__global__ void array_of_structs(Particle *p, float dx, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (p[i].flags & 1)
    p[i] = moved(p[i], dx, 0.5f);
  else
    p[i].id = -i;
  p[i].flags ^= uint8_t(i);
}

struct Sums {
  int *out;
  int n;
  __device__ void add(int i, int v) const {
    if (i < n)
      out[i] += v;
  }
};

struct Task {
  Sums even, odd;
  const int *a;
};

// Two structs with pointers, chosen by the lane.
__global__ void nested(Task task) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Sums &sums = i % 2 ? task.odd : task.even;
  if (i / 2 < sums.n)
    sums.add(i / 2, task.a[i]);
}

__global__ void reversed_struct(const Range *in, Range *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const Range r = in[n - 1 - i];
  out[i] = Range{r.count, r.first + 1};
}

int main() {
  const int size = 1000;
  std::vector<int> a(2 * size);
  std::vector<float> x(2 * size);
  std::vector<Particle> p(size);
  std::vector<Range> ranges(size);
  for (int i = 0; i < 2 * size; ++i) {
    a[i] = (i * 7919) % 2311 - 1111;
    x[i] = float((i * 37) % 101) / 64.0f - 0.75f;
  }
  for (int i = 0; i < size; ++i) {
    p[i] = {float(i), float(-i), int16_t(i * 100), uint8_t(i * 7), i};
    ranges[i] = {i * 3, -i};
  }
  int *d_a = upload(a), *d_out = upload(std::vector<int>(2 * size, 9));
  float *d_x = upload(x), *d_y = upload(std::vector<float>(2 * size, 1.0f));
  Particle *d_p = upload(p);
  Range *d_ranges = upload(ranges), *d_reversed = upload(std::vector<Range>(size));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1},     {1, 33, 20},   {4, 64, 0},
                     {129, 5, 641}, {300, 3, 900}, {1, 1000, 999}};
  for (const auto &c : cases) {
    array_of_structs<<<c.blocks, c.threads>>>(d_p, 0.25f, c.n);
    reversed_struct<<<c.blocks, c.threads>>>(d_ranges, d_reversed, c.n);
    nested<<<c.blocks, c.threads>>>(Task{{d_out, c.n / 2}, {d_out + size, c.n / 3}, d_a});
  }
  View v{d_x, -3, {2, 7}, {5, 19}, false, d_y, {0.5f, 7.0f, -1.0f}, 31};
  views<<<dim3(3, 7), 7>>>(v);
  v.flipped = true;
  v.rows = {0, 1};
  views<<<dim3(1, 130), 33>>>(v);
  v.rows.count = 60;
  v.columns = {0, 31};
  views<<<dim3(4, 60), 8>>>(v);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
