#include "neuronify.h"
#include "dependent_launches_kernels.h"
#include <vector>

// Ported as dependent_launches_kernels::scale_int, scale_short, scale_float.
template <typename T> void scale(T * /*x*/, T /*by*/, int /*n*/) { neuronify::kernel_stub("scale"); }
// Ported as dependent_launches_kernels::convert_float_double.
template <typename T, typename U> void convert(const T * /*from*/, U * /*to*/) {
  neuronify::kernel_stub("convert");
}
// Ported as dependent_launches_kernels::repeat_4_int, repeat_4_float.
template <int N, typename T> void repeat(T /*value*/, T * /*to*/) {
  neuronify::kernel_stub("repeat");
}

template <typename T> struct Buffer {
  T *data = nullptr;
  int size = 0;
  T *begin() const { return data; }

  void scale_by(T factor) { neuronify::launch(scale<T>, 1, size, 0, nullptr, data, factor, size); }
  void copy_to(Buffer<double> &other) { neuronify::launch(convert<T, double>, 1, 1, 0, nullptr, data, other.begin()); }
};

template <class Container> void run(Container &c, typename Container::value_type v) {
  auto *p = c.data();
  neuronify::launch(scale<typename Container::value_type>, 1, 32, 0, nullptr, p, v, int(c.size()));
  neuronify::launch(scale<typename Container::value_type>, 1, 32, 0, nullptr, c.data(), v, int(c.size()));
  neuronify::launch(repeat<4, typename Container::value_type>, 1, 1, 0, nullptr, v, c.data());
}

template <typename T, int N> void fixed(T (&array)[N]) { neuronify::launch(repeat<N, T>, 1, 1, 0, nullptr, array[0], array); }

template <typename Kernel, typename... Args> void launch_any(Kernel kernel, Args... args) {
  neuronify::launch(kernel, 1, 1, 0, nullptr, args...);
}

template <void (*Kernel)(float *, float, int)> void launch_given(float *x) {
  neuronify::launch(Kernel, 1, 1, 0, nullptr, x, 1.0f, 2);
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

// Ties the kernels to their ports in dependent_launches_kernels.cpp, before constructors of global
// objects run.
namespace {
[[gnu::init_priority(101)]] const neuronify::Registration registration(
    NEURONIFY_DEVICE_IR_FOLDER, "dependent_launches.bc",
    {neuronify::KernelStub(scale<int>, dependent_launches_kernels::scale_int),
     neuronify::KernelStub(scale<short>, dependent_launches_kernels::scale_short),
     neuronify::KernelStub(scale<float>, dependent_launches_kernels::scale_float),
     neuronify::KernelStub(convert<float, double>,
                           dependent_launches_kernels::convert_float_double),
     neuronify::KernelStub(repeat<4, int>, dependent_launches_kernels::repeat_4_int),
     neuronify::KernelStub(repeat<4, float>, dependent_launches_kernels::repeat_4_float)});
} // namespace
