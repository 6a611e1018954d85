// Which copy of the kernels this host runs.

#include "chip/kernels/kernels.h"

namespace nki::chip {

#if defined(NEURONIFY_X86)
namespace v3 {
const Kernels &target_kernels();
}
namespace v4 {
const Kernels &target_kernels();
}

namespace {
bool has_v4() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512cd");
}
} // namespace

AllKernels all_kernels() {
  AllKernels all{};
  all.entries[all.count++] = {"x86-64-v3", &v3::target_kernels()};
  if (has_v4())
    all.entries[all.count++] = {"x86-64-v4", &v4::target_kernels()};
  return all;
}
#else
namespace portable {
const Kernels &target_kernels();
}

AllKernels all_kernels() { return {{{"portable", &portable::target_kernels()}, {}}, 1}; }
#endif

const Kernels &kernels() {
  static const Kernels &best = [&]() -> const Kernels & {
    AllKernels all = all_kernels();
    return *all.entries[all.count - 1].table;
  }();
  return best;
}

} // namespace nki::chip
