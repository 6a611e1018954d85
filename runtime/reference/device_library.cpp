// Carries the device library's bitcode (device/library.cpp) inside this shared library.
#include "passes.h"

__asm__(".pushsection .rodata\n"
        ".balign 16\n"
        ".globl neuronify_device_library\n"
        ".hidden neuronify_device_library\n"
        "neuronify_device_library:\n"
        ".incbin \"" NEURONIFY_DEVICE_LIBRARY "\"\n"
        ".globl neuronify_device_library_end\n"
        ".hidden neuronify_device_library_end\n"
        "neuronify_device_library_end:\n"
        ".byte 0\n"
        ".popsection\n");

extern "C" {
extern const char neuronify_device_library[] __attribute__((visibility("hidden")));
extern const char neuronify_device_library_end[] __attribute__((visibility("hidden")));
}

namespace neuronify::reference {

llvm::StringRef deviceLibrary() {
  return {neuronify_device_library,
          size_t(neuronify_device_library_end - neuronify_device_library)};
}

} // namespace neuronify::reference
