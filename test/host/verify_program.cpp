// A ported program in small, for tests: its argument says what goes wrong.
#include "lanes/launch.h"
#include "neuronify.h"
#include "nki/error.h"

#include <csignal>
#include <cstdio>
#include <string>
#include <unistd.h>

namespace {

std::string scenario;

void fill(float *out, float value, int n) { (void)out, (void)value, (void)n; }
void count() {}
void missing(float *out) { (void)out; }
int counter = 1;

void run_fill(nki::Launch &launch) {
  float *out = launch.pointer<float>(0).pointer;
  float value = launch.argument<float>(1);
  int n = launch.argument<int>(2);
  if (launch.core != 0)
    return;
  if (scenario == "fail")
    throw nki::Error("nisa.memset", "the port fails");
  if (scenario == "crash")
    raise(SIGSEGV);
  if (scenario == "abort")
    abort();
  if (scenario == "hang")
    pause();
  for (int i = 0; i < n; ++i)
    out[i] = scenario == "mismatch" && i == 700 ? value + 1 : nextafterf(value, 4);
}

void run_count(nki::Launch &launch) {
  if (launch.core == 0)
    ++*launch.symbol<int>("counter").pointer;
}

constexpr neuronify::Kernel kFill{"fill<float>", "fill", "k.cu",  12,
                                  run_fill,      "flat", nullptr, "f32"};
constexpr neuronify::Kernel kCount{"count", "count", "k.cu", 20, run_count, "flat", nullptr};
constexpr neuronify::Kernel kMissing{
    "missing", "missing", "k.cu", 30, nullptr, "", "NFY4001: cannot be ported"};

const neuronify::Registration registration("/nowhere", "k.bc",
                                           {{fill, kFill}, {count, kCount}, {missing, kMissing}},
                                           {{&counter, "counter", sizeof counter, "i32"}});

int run() {
  float *out, first;
  int value = 0;
  neuronify::malloc(&out, 1001 * sizeof(float));
  if (scenario == "invalid")
    neuronify::launch(fill, 1, 2000, 0, 0, out, 3.0f, 1001);
  else
    neuronify::launch(fill, 8, 128, 0, 0, out, 3.0f, 1001);
  if (scenario == "missing")
    neuronify::launch(missing, 8, 128, 0, 0, out);
  neuronify::launch(count, 1, 1, 0, 0);
  neuronify::memcpyFromSymbol(&value, counter, sizeof value);
  neuronify::memcpy(&first, out + 700, 4, neuronify::MemcpyDeviceToHost);
  std::printf("%.9g %d %s\n", first, value, neuronify::getErrorName(neuronify::getLastError()));
  return scenario == "exit3" ? 3 : 0;
}

} // namespace

int main(int argc, char **argv) {
  scenario = argc > 1 ? argv[1] : "";
  return run();
}
