#include <cuda_runtime.h>
#include <vector>

template <typename T> __global__ void scale(T *x, T by, int n) {
  int i = threadIdx.x;
  if (i < n)
    x[i] *= by;
}
template <typename T, typename U> __global__ void convert(const T *from, U *to) { *to = *from; }
template <int N, typename T> __global__ void repeat(T value, T *to) {
  for (int i = 0; i < N; ++i)
    to[i] = value;
}

template <typename T> struct Buffer {
  T *data = nullptr;
  int size = 0;
  T *begin() const { return data; }

  void scale_by(T factor) { scale<<<1, size>>>(data, factor, size); }
  void copy_to(Buffer<double> &other) { convert<<<1, 1>>>(data, other.begin()); }
};

template <class Container> void run(Container &c, typename Container::value_type v) {
  auto *p = c.data();
  scale<<<1, 32>>>(p, v, int(c.size()));
  scale<<<1, 32>>>(c.data(), v, int(c.size()));
  repeat<4><<<1, 1>>>(v, c.data());
}

template <typename T, int N> void fixed(T (&array)[N]) { repeat<N><<<1, 1>>>(array[0], array); }

template <typename Kernel, typename... Args> void launch_any(Kernel kernel, Args... args) {
  kernel<<<1, 1>>>(args...);
}

template <void (*Kernel)(float *, float, int)> void launch_given(float *x) {
  Kernel<<<1, 1>>>(x, 1.0f, 2);
}

int main() {
  Buffer<float> b;
  b.scale_by(2);
  Buffer<double> d;
  b.copy_to(d);
  std::vector<int> v(3);
  run(v, 3);
  float array[4] = {};
  fixed(array);
  launch_any(scale<short>, (short *)nullptr, short(1), 3);
  launch_given<scale<float>>(nullptr);
}
