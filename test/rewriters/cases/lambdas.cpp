#include "neuronify.h"
#include "lambdas_kernels.h"

// Ported as lambdas_kernels::for_each_lambda_50, for_each_lambda_22, for_each_lambda_22_2.
template <class F> void for_each(int n, F f) {
  neuronify::kernel_call<F>("lambdas_kernels::for_each", n, f);
}
// Ported as lambdas_kernels::map_1_Offset_Add, map_1_lambda_30, map_2_lambda_45, map_4_lambda_45,
// map_4_lambda_48, map_1_lambda_49, map_1_Square.
template <int N, class F> void map(float *x, F f) {
  neuronify::kernel_call<neuronify::Value<N>, F>("lambdas_kernels::map", x, f);
}

// The kernel is found by overload once T is known.
// Ported as lambdas_kernels::scale.
void scale(float *x, float by) {
  neuronify::kernel_call("lambdas_kernels::scale(float *, float)", x, by);
}
// Ported as lambdas_kernels::scale_2.
void scale(int *x, int by) {
  neuronify::kernel_call("lambdas_kernels::scale(int *, int)", x, by);
}
template <class T> void scale_any(T *x, T by) { neuronify::launch(1, 32, 0, nullptr, [&] { scale(x, by); }); }

// Launches in a template; the lambda in a template.
template <class F> void parallel_for(int n, F f) { neuronify::launch(1, 32, 0, nullptr, [&] { for_each(n, f); }); }
template <class T> void fill(T *x, T value, int n) {
  parallel_for(n, neuronify::lambda<"lambdas.cu:22", T>([x, value](int i) { x[i] = value; }));
}

class Offset {
public:
  explicit Offset(float by) : by(by) {}
  void run(float *x, neuronify::Stream_t stream) {
    neuronify::launch(1, 1, 0, stream, [&] { map<1>(x, Add{by}); });
    neuronify::launch(1, 1, 0, stream, [&] {
      map<1>(x, neuronify::lambda<"lambdas.cu:30">([*this](float v) { return v + by; }));
    });
  }

private:
  struct Add {
    float by;
  };
  float by;
};

int main() {
  float *x = nullptr;
  int *y = nullptr;
  float a = 2;
  auto times = neuronify::lambda<"lambdas.cu:45">([a](float v) { return v * a; });
  neuronify::launch(1, 1, 0, nullptr, [&] { map<2>(x, times); });
  neuronify::launch(1, 1, 0, nullptr, [&] { map<4>(x, times); });
  neuronify::launch(1, 1, 0, nullptr, [&] {
    map<4>(x, neuronify::lambda<"lambdas.cu:48">([a](float /*v*/) -> float { neuronify::device_lambda(a); }));
  });
  neuronify::launch(1, 1, 0, nullptr, [&] {
    map<1>(x, neuronify::lambda<"lambdas.cu:49">([b = a + 1, a](float v) mutable { return v + (b += a); }));
  });
  neuronify::launch(1, 32, 0, nullptr, [&] {
    for_each(32, neuronify::lambda<"lambdas.cu:50">([y](int i) {
    // A comment that stays.
    y[i] = i;
  }));
  });
  struct Square {
    float operator()(float v) const { return v * v; }
  };
  neuronify::launch(1, 1, 0, nullptr, [&] { map<1>(x, Square()); });
  fill(x, 1.0f, 32);
  fill(y, 1, 32);
  scale_any(x, 2.0f);
  scale_any(y, 2);
  Offset(1).run(x, nullptr);
  return times(1) > 2 ? 0 : int(Square()(1));
}

// Ties the kernels to their ports in lambdas_kernels.cpp, before constructors of global objects
// run.
namespace {
[[gnu::init_priority(101)]] const neuronify::Registration registration(
    NEURONIFY_DEVICE_IR_FOLDER, "lambdas.bc",
    {neuronify::KernelStub(neuronify::kernel_key<neuronify::LambdaAt<"lambdas.cu:50", 8>>(
                               "lambdas_kernels::for_each"),
                           lambdas_kernels::for_each_lambda_50),
     neuronify::KernelStub(neuronify::kernel_key<neuronify::LambdaAt<"lambdas.cu:22", 16, float>>(
                               "lambdas_kernels::for_each"),
                           lambdas_kernels::for_each_lambda_22),
     neuronify::KernelStub(neuronify::kernel_key<neuronify::LambdaAt<"lambdas.cu:22", 16, int>>(
                               "lambdas_kernels::for_each"),
                           lambdas_kernels::for_each_lambda_22_2),
     neuronify::KernelStub(
         neuronify::kernel_key<neuronify::Value<1>, neuronify::LocalType<"N6Offset3AddE">>(
             "lambdas_kernels::map"),
         lambdas_kernels::map_1_Offset_Add),
     neuronify::KernelStub(
         neuronify::kernel_key<neuronify::Value<1>, neuronify::LambdaAt<"lambdas.cu:30", 4>>(
             "lambdas_kernels::map"),
         lambdas_kernels::map_1_lambda_30),
     neuronify::KernelStub(
         neuronify::kernel_key<neuronify::Value<2>, neuronify::LambdaAt<"lambdas.cu:45", 4>>(
             "lambdas_kernels::map"),
         lambdas_kernels::map_2_lambda_45),
     neuronify::KernelStub(
         neuronify::kernel_key<neuronify::Value<4>, neuronify::LambdaAt<"lambdas.cu:45", 4>>(
             "lambdas_kernels::map"),
         lambdas_kernels::map_4_lambda_45),
     neuronify::KernelStub(
         neuronify::kernel_key<neuronify::Value<4>, neuronify::LambdaAt<"lambdas.cu:48", 4>>(
             "lambdas_kernels::map"),
         lambdas_kernels::map_4_lambda_48),
     neuronify::KernelStub(
         neuronify::kernel_key<neuronify::Value<1>, neuronify::LambdaAt<"lambdas.cu:49", 8>>(
             "lambdas_kernels::map"),
         lambdas_kernels::map_1_lambda_49),
     neuronify::KernelStub(
         neuronify::kernel_key<neuronify::Value<1>, neuronify::LocalType<"Z4mainE6Square">>(
             "lambdas_kernels::map"),
         lambdas_kernels::map_1_Square),
     neuronify::KernelStub(static_cast<void (*)(float *, float)>(scale), lambdas_kernels::scale,
                           neuronify::kernel_key("lambdas_kernels::scale(float *, float)")),
     neuronify::KernelStub(static_cast<void (*)(int *, int)>(scale), lambdas_kernels::scale_2,
                           neuronify::kernel_key("lambdas_kernels::scale(int *, int)"))});
} // namespace
