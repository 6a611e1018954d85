// How a ported program's kernels become known to the runtime.
//
// NAME_kernels.cpp defines one Kernel per ported kernel; the end of NAME.cpp ties each to the
// function that stands where the original kernel stood (its stub), so that kernels keep their C++
// identity: templates, overloads, function pointers and cudaLaunchKernel work as before.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>

namespace nki {
class Launch;
}

namespace neuronify {

/// A kernel of the original program. Everything here has static lifetime.
struct Kernel {
  const char *name;    ///< as a person writes it: "saxpy<float>"
  const char *mangled; ///< symbol in the device IR
  const char *file;    ///< original source
  unsigned line;
  void (*run)(nki::Launch &); ///< the port; null if it could not be ported
  const char *mapping;        ///< for reports, for example "block -> partition, thread -> free"
  const char *diagnostic;     ///< why it was not ported ("NFY4001: ..."), else null
  /// What its pointers point to, for the comparison: one entry per parameter, "f32,-,i32"; see
  /// read_pointer_types in element_type.h. Null: buffers are compared as bytes.
  const char *pointer_types = nullptr;
  unsigned static_shared_bytes = 0; ///< `__shared__` arrays of fixed size, per block
  bool precise_math = false;        ///< computes bit for bit what docs/numerics.md calls precise
  bool demoted = false; ///< double precision computed in single: doubles compare as floats do
  /// Not 0: the blocks wait for each other at barriers of the grid, so that all of them have to be
  /// on the chip at the same time, each with this many bytes of its partition per thread.
  unsigned together_lane_bytes = 0;
  bool paired = false; ///< double precision computed with pairs of floats: docs/numerics.md
};

struct KernelStub {
  /// Address of the function that replaced the kernel in the host code; null if it has no name.
  const void *stub = nullptr;
  std::string key; ///< see kernel_key.h; empty: the address is enough
  const Kernel *kernel;
  unsigned parameters = 0; ///< how many, where there is an address
  template <class... P>
  KernelStub(void (*stub)(P...), const Kernel &kernel, std::string key = {})
      : stub(reinterpret_cast<const void *>(stub)), key(std::move(key)), kernel(&kernel),
        parameters(sizeof...(P)) {}
  KernelStub(std::string key, const Kernel &kernel) : key(std::move(key)), kernel(&kernel) {}
};

/// A `__device__` or `__constant__` variable: its host shadow holds the initial value.
struct DeviceSymbol {
  const volatile void *shadow;
  const char *mangled;
  size_t size;
  const char *type = nullptr; ///< what it holds, "f32" or "f32 f32 i32"; null: compared as bytes
  const char *name = nullptr; ///< as a person writes it; null: the mangled name is demangled
  bool managed = false;       ///< host and device code share the shadow itself
};

/// Ties one translation unit's kernels and variables to the runtime for as long as it lives.
/// `device_ir` names the original's device bitcode (NAME.bc) for side-by-side runs: it is looked
/// for in $NEURONIFY_DEVICE_IR, then in the folder given at build time, then beside the program.
class Registration {
public:
  Registration(const char *device_ir_folder, const char *device_ir,
               std::initializer_list<KernelStub> kernels,
               std::initializer_list<DeviceSymbol> symbols = {});
  ~Registration();
  Registration(const Registration &) = delete;
  Registration &operator=(const Registration &) = delete;

private:
  void *unit_;
};

} // namespace neuronify
