#include "chip/core.h"

#include "chip/memory.h"
#include "nki/error.h"

namespace nki {

namespace {
thread_local chip::Core *current = nullptr; // see CoreScope
}

CoreScope::CoreScope(chip::Core &core) : outer_(current) { current = &core; }
CoreScope::~CoreScope() { current = outer_; }

chip::Core &current_core() {
  if (!current)
    throw Error("nki", "no current core: instructions run inside a nki::CoreScope");
  return *current;
}

namespace chip {

namespace {

void require_host_features() {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    throw Error("chip model", "this build needs a host CPU with AVX2 and FMA");
#endif
}

} // namespace

Core::Core(const Generation &generation, Hbm &hbm, ChipAssumptions assumptions, int index)
    : generation_(generation), hbm_(hbm), assumptions_(assumptions), index_(index),
      memory_(std::make_shared<CoreMemory>(generation.sbuf_partition_bytes,
                                           generation.psum_partition_bytes())),
      timeline_(generation) {
  require_host_features();
}

Core::~Core() = default;

int64_t Core::used(Buffer buffer) const { return memory_->space(buffer).used; }
int64_t Core::peak(Buffer buffer) const { return memory_->space(buffer).peak; }
int64_t Core::capacity(Buffer buffer) const { return memory_->space(buffer).capacity; }

} // namespace chip
} // namespace nki
