#include "host/kernel_call.h"

#include "host/kernel_stub.h"
#include "host/runtime.h"

namespace neuronify {

namespace {
thread_local PendingLaunch *innermost = nullptr;
} // namespace

PendingLaunch::PendingLaunch(dim3 grid, dim3 block, size_t shared, Stream_t stream)
    : grid_(grid), block_(block), shared_(shared), stream_(stream), outer_(innermost) {
  innermost = this;
}

PendingLaunch::~PendingLaunch() { innermost = outer_; }

void PendingLaunch::launch(const char *name, const std::string &key, void **arguments,
                           size_t count) {
  if (!innermost)
    kernel_stub(name);
  innermost->result_ = api([&](Runtime &runtime) {
    const void *stub = runtime.registry.stub_of(key, unsigned(count));
    if (!stub)
      return runtime.refuse(key);
    return launchKernel(stub, innermost->grid_, innermost->block_, arguments, innermost->shared_,
                        innermost->stream_);
  });
}

} // namespace neuronify
