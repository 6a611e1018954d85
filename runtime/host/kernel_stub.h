// What stands in the body of a function that replaced device code in ported host code.
#pragma once

#include <cstdio>
#include <cstdlib>

/// Defined where code is a port: `#ifdef __CUDACC__` of the original becomes `#ifdef NEURONIFY`.
#define NEURONIFY 1

/// Where the device IR of the original kernels (*.bc) lies; a ported project's build says so.
#ifndef NEURONIFY_DEVICE_IR_FOLDER
#define NEURONIFY_DEVICE_IR_FOLDER "."
#endif

namespace neuronify {

/// Ends the program: kernels run through launch(), and device functions run in kernels only.
[[noreturn]] inline void kernel_stub(const char *name) {
  std::fprintf(stderr,
               "neuronify: '%s' was called like a host function; a kernel runs through "
               "neuronify::launch, a device function inside a kernel\n",
               name);
  std::abort();
}

/// The same in a lambda that only a device can run; what it captured stays with it.
template <class... T> [[noreturn]] void device_lambda(const T &...) { kernel_stub("lambda"); }

} // namespace neuronify
