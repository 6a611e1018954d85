#include "chip/core.h"
#include "lanes/index_form.h"
#include "nki/device.h"

#include <cstring>

namespace nki {

ArgumentCopy::ArgumentCopy(const Launch &launch, int index, size_t size)
    : memory_(current_core().hbm().allocate(size)) {
  std::memcpy(memory_, launch.arguments[size_t(index)], size);
}

ArgumentCopy::~ArgumentCopy() { current_core().hbm().release(memory_); }

Index Launch::field(int index, size_t size, int bits, const Index &offset) const {
  const auto at = [&](int64_t place) -> int64_t {
    switch (bits) {
    case 8:
      return field<int8_t>(index, size, place);
    case 16:
      return field<int16_t>(index, size, place);
    case 32:
      return field<int32_t>(index, size, place);
    default:
      return field<int64_t>(index, size, place);
    }
  };
  if (offset.is_uniform())
    return IndexOps::uniform(offset.wave(), bits, uint64_t(at(offset.constant())));
  const Index place = offset.bits() < 64 ? sext(offset, 64) : offset;
  return trunc(
      map_lanes(*place.wave(), place, place, [&](int64_t lane, int64_t) { return at(lane); }),
      bits);
}

} // namespace nki
