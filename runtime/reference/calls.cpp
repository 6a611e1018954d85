// The functions of device/operations.h: from running kernels to the Execution they belong to.
#include "device/operations.h"
#include "execution.h"
#include "print.h"

using neuronify::reference::Execution;

namespace {
Execution &execution(void *context) { return *static_cast<Execution *>(context); }
} // namespace

void neuronify_arrive_barrier(void *context, uint32_t thread, uint32_t site, uint32_t id,
                              uint32_t count) {
  execution(context).arriveBarrier(thread, site, id, count);
}

uint32_t neuronify_wait_converge(void *context, uint32_t thread, uint32_t site) {
  return execution(context).waitConverge(thread, site);
}

void neuronify_wait_grid(void *context, uint32_t thread, uint32_t site) {
  execution(context).waitGrid(thread, site);
}

void neuronify_wait_others(void *context, uint32_t thread, uint32_t) {
  execution(context).waitOthers(thread);
}

void neuronify_wait_exit(void *context, uint32_t thread, uint32_t) {
  execution(context).exitThread(thread);
}

void neuronify_trap(void *context, uint32_t thread, uint32_t site) {
  execution(context).trap(thread, site);
}

void neuronify_assert_failed(void *context, uint32_t thread, uint32_t site, const char *condition,
                             const char *file, uint32_t line, const char *function) {
  execution(context).failAssertion(thread, site, condition, file, line, function);
}

int neuronify_print(void *context, uint32_t thread, uint32_t, const char *format,
                    const void *arguments) {
  return neuronify::reference::print(execution(context).printedBy(thread), format, arguments);
}

uint32_t neuronify_is_shared(void *context, uint32_t, uint32_t, const void *address) {
  return execution(context).isShared(static_cast<const std::byte *>(address));
}

uint64_t neuronify_clock(void *context, uint32_t thread, uint32_t) {
  return execution(context).clock(thread);
}

bool neuronify_check_access(void *context, uint32_t thread, uint32_t site, const void *address,
                            uint64_t size, uint32_t flags, const void *value) {
  return execution(context).checker()->access(thread, site, static_cast<const std::byte *>(address),
                                              size, flags, value);
}
