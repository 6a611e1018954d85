// How fast the reference runs, as ratios to plain host loops over the same data, in one run:
//   reference_speed [elements]
#include "reference_for_test.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>

using namespace neuronify::reference;

namespace {

/// Seconds of the best of a few runs.
double best(const std::function<void()> &work) {
  double least = 1e30;
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    least = std::min(least, taken.count());
  }
  return least;
}

void check(const Result &result) {
  if (result.ok && result.findings.empty())
    return;
  std::fprintf(stderr, "%s\n", result.error.c_str());
  std::exit(1);
}

__attribute__((noinline)) void saxpy(float a, const float *x, float *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = a * x[i] + y[i];
}
__attribute__((noinline)) float sum(const float *x, int n) {
  float total = 0;
  for (int i = 0; i < n; ++i)
    total += x[i];
  return total;
}

void line(const char *what, double seconds, double host) {
  std::printf("%-44s %9.2f ms %9.2f ms %8.2f x\n", what, 1e3 * seconds, 1e3 * host, seconds / host);
}

} // namespace

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 16 << 20;
  std::vector<float> x(n), y(n), out(n / 256 + 1);
  for (int i = 0; i < n; ++i)
    x[i] = std::sin(float(i));
  const uint32_t blocks = uint32_t(n + 255) / 256;
  const float *in = x.data();
  DeviceForTest device;
  device.add(x);
  device.add(y);
  device.add(out);
  Checks checks = allChecks();
  Module &basic = kernels("basic"), &warps = kernels("warps"), &numbers = kernels("numbers");
  auto reference = [&](Module &module, const char *kernel, const Checks &with, auto... arguments) {
    auto work = [&] {
      check(launch(module, kernel, {blocks}, {256}, 0, device, with, arguments...));
    };
    work(); // compiles
    return best(work);
  };

  std::printf("%d elements %46s %12s\n", n, "reference", "host");
  const double host_saxpy = best([&] { saxpy(1e-9f, in, y.data(), n); });
  volatile float sink = 0;
  const double host_sum = best([&] { sink = sum(in, n); });
  const double host_exp = best([&] {
    for (int i = 0; i < n; ++i)
      y[i] = std::exp(x[i]);
  });
  line("saxpy", reference(basic, "saxpy", Checks(), 1e-9f, in, y.data(), n), host_saxpy);
  line("expf of each", reference(numbers, "f_exp", Checks(), in, y.data(), n), host_exp);
  line("sum by blocks, shared memory and barriers",
       reference(basic, "block_sum", Checks(), in, out.data(), n), host_sum);
  out.resize(n / 32 + 8);
  device.add(out);
  line("sum by warps, shuffles", reference(warps, "warp_sum", Checks(), in, out.data(), n),
       host_sum);
  line("saxpy, all checks", reference(basic, "saxpy", checks, 1e-9f, in, y.data(), n), host_saxpy);
  line("sum by blocks, all checks", reference(basic, "block_sum", checks, in, out.data(), n),
       host_sum);
  return 0;
}
