#include "chip/core.h"
#include "lanes/launch.h"
#include "nki/device.h"

#include <cstring>

namespace nki {

ArgumentCopy::ArgumentCopy(const Launch &launch, int index, size_t size)
    : memory_(current_core().hbm().allocate(size)) {
  std::memcpy(memory_, launch.arguments[size_t(index)], size);
}

ArgumentCopy::~ArgumentCopy() { current_core().hbm().release(memory_); }

} // namespace nki
