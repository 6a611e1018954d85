// Launches whose kernel only a call can name: `launch(grid, block, shared, stream, [&] { k(x); })`.
//
// The call finds the kernel's stub by C++'s own rules (overloads, deduced template arguments), and
// the stub hands its arguments to the launch.
#pragma once

#include "host/error.h"
#include "host/kernel_key.h"
#include "host/types.h"

#include <memory>
#include <string>

namespace neuronify {

/// A launch that waits for its kernel's stub to be called, on this thread.
class PendingLaunch {
public:
  PendingLaunch(dim3 grid, dim3 block, size_t shared, Stream_t stream);
  ~PendingLaunch();
  PendingLaunch(const PendingLaunch &) = delete;
  PendingLaunch &operator=(const PendingLaunch &) = delete;

  /// Success where no stub was called.
  Error_t result() const { return result_; }
  /// Launches the kernel with this key on the innermost pending launch; ends the program where
  /// there is none, as `kernel_stub(name)`. `arguments` holds `count` addresses.
  static void launch(const char *name, const std::string &key, void **arguments, size_t count);

private:
  dim3 grid_, block_;
  size_t shared_;
  Stream_t stream_;
  Error_t result_ = Success;
  PendingLaunch *outer_;
};

/// What `kernel<<<grid, block, shared, stream>>>(arguments...)` becomes where only a call can name
/// the kernel: `call` calls it. Errors are those of launchKernel, with
/// ErrorInvalidDeviceFunction also where no registration knows the template arguments.
template <class Call>
Error_t launch(dim3 grid, dim3 block, size_t shared, Stream_t stream, Call &&call) {
  PendingLaunch pending(grid, block, shared, stream);
  call();
  return pending.result();
}

/// Stands in the body of the stub of such a kernel: its name, as registered, its parameters, and
/// the parameters of its template, `Value<n>` for values.
template <class... TemplateArguments, class... T>
void kernel_call(const char *name, T &...parameters) {
  void *addresses[sizeof...(T) + 1] = {
      const_cast<void *>(static_cast<const volatile void *>(std::addressof(parameters)))...,
      nullptr};
  PendingLaunch::launch(name, kernel_key<TemplateArguments...>(name), addresses, sizeof...(T));
}

} // namespace neuronify
