#include "neuronify.h"
#include "variables_kernels.h"

float weights[9];
int counter = 3;
static float table[] = {1, 2, 3};
namespace {
int hidden;
}
namespace ns {
struct Config {
  int n;
};
Config config = {4};
} // namespace ns

// Ported as variables_kernels::read_all.
void read_all(float * /*out*/) { neuronify::kernel_stub("read_all"); }

int main() {
  float host[9] = {};
  neuronify::memcpyToSymbol(weights, host, sizeof(host));
  neuronify::launch(read_all, 1, 1, 0, nullptr, nullptr);
}

// Ties the kernels to their ports in variables_kernels.cpp, before constructors of global objects
// run.
namespace {
[[gnu::init_priority(101)]] const neuronify::Registration
    registration(NEURONIFY_DEVICE_IR_FOLDER, "variables.bc",
                 {neuronify::KernelStub(read_all, variables_kernels::read_all)},
                 {{&weights, "weights", sizeof(weights), "f32"},
                  {&counter, "counter", sizeof(counter), "i32"},
                  {&ns::config, "_ZN2ns6configE", sizeof(ns::config), "i32"},
                  {&table, "_ZL5table", sizeof(table), "f32"},
                  {&hidden, "_ZN12_GLOBAL__N_16hiddenE", sizeof(hidden), "i32"}});
} // namespace
