// Device memory at addresses that only the chip knows: pointers that were loaded from memory.
//
// No instruction takes a 64-bit address. All of device memory is one tensor, though, and an
// indirect DMA takes the number of an element of it: the distance from the start of that tensor, of
// which the low word is enough.
#include "lanes/global.h"
#include "lanes/wide_parts.h"

#include "chip/core.h"
#include "chip/storage.h"
#include "chip/stream.h"
#include "nki/error.h"

#include <bit>
#include <cinttypes>
#include <cstdio>

namespace nki {

Place at_address(const Index &address) {
  Place place;
  place.offset = address.bits() < 64 ? zext(address, 64) : address;
  return place;
}

namespace global {

namespace {

std::vector<uint32_t> words_of(const Tensor &tile) {
  std::vector<uint32_t> words(size_t(tile.partitions() * tile.elements_per_partition()));
  chip::read_rows(chip::view_of(tile), words.data());
  return words;
}

/// What the model checks without instructions of the kernel's: that live lanes are inside.
class AddressCheck {
public:
  AddressCheck(const Place &place, const Mask &mask, int element_bytes, Access access)
      : place_(place), mask_(mask), wave_(place.offset.wave() ? place.offset.wave() : mask.wave()),
        bytes_(element_bytes), access_(access) {}

  void run() {
    const std::vector<uint32_t> low = words_of(place_.address_low),
                                high = words_of(place_.address_high);
    std::vector<uint32_t> index, live;
    if (place_.index)
      index = words_of(place_.index);
    if (mask_.is_tile())
      live = words_of(mask_.tile(*mask_.wave()));
    const size_t free = size_t(place_.address_low.elements_per_partition());
    for (size_t lane = 0; lane < low.size(); ++lane) {
      if (mask_.is_tile() ? !live[lane] : !mask_.at(int64_t(lane)))
        continue;
      uint64_t address = uint64_t(high[lane]) << 32 | low[lane];
      address += uint64_t(place_.offset.wave() ? place_.offset.signed_at(int64_t(lane))
                                               : place_.offset.constant());
      if (place_.index) {
        const bool column = index.size() < low.size();
        address += uint64_t(int64_t(int32_t(index[column ? lane / free : lane])) * place_.scale);
      }
      check(int64_t(lane), address);
    }
  }

private:
  void check(int64_t lane, uint64_t address) {
    if (address - start_ >= size_ || size_ - (address - start_) < uint64_t(bytes_)) {
      const auto found = current_core().hbm().find(reinterpret_cast<const void *>(address));
      start_ = found ? reinterpret_cast<uint64_t>(found->base) : 0;
      size_ = found ? found->size : 0;
      if (!found || size_ - (address - start_) < uint64_t(bytes_))
        outside(access_, Place(), wave_, lane, int64_t(address), bytes_);
    }
    if (address % uint64_t(bytes_) == 0)
      return;
    char text[32];
    snprintf(text, sizeof text, "0x%" PRIx64, address);
    throw Error(access_ == Access::load ? "load" : "store",
                "addresses are multiples of the element size",
                std::to_string(bytes_) + " bytes at " + text);
  }

  const Place &place_;
  const Mask &mask_;
  const Wave *wave_;
  int bytes_;
  Access access_;
  uint64_t start_ = 0, size_ = 0; // the allocation that the last lane was in
};

/// The addresses without the launch-known part, as far as they are computed on the chip.
Wide moved_by_index(const Place &place, bool whole) {
  Wide address{place.address_low, place.address_high};
  if (!place.index)
    return address;
  const Tensor index = place.index.elements_per_partition() < address.low.elements_per_partition()
                           ? tiles::spread(place.index, address.low.elements_per_partition())
                           : place.index;
  if (whole) {
    Wide moved = wides::pair_like(address.low);
    smul_wide(moved, index, int32_t(place.scale));
    iadd(moved, moved, address);
    return moved;
  }
  Tensor moved = wides::word_like(address.low);
  imul(moved, index, int32_t(place.scale));
  iadd(moved, moved, address.low);
  return {moved, address.high};
}

/// Bytes from `start` on, per lane: the low word, or both where `whole`.
Wide distance(const Wide &address, const Index &offset, uint64_t start, bool whole) {
  const Index by = offset - Index(int64_t(start), 64);
  Wide result = wides::pair_like(address.low);
  if (whole && by.is_uniform()) {
    iadd(result, address, by.constant());
  } else if (whole) {
    materialize(result, by);
    iadd(result, result, address);
  } else if (by.is_uniform()) {
    iadd(result.low, address.low, int32_t(by.constant()));
  } else {
    materialize(result.low, trunc(by, 32));
    iadd(result.low, result.low, address.low);
  }
  return result;
}

} // namespace

std::vector<InWindow> in_windows(const Place &place, const Mask &mask, int element_bytes,
                                 DType type, Access access) {
  AddressCheck(place, mask, element_bytes, access).run();
  const DType element = memory_type(element_bytes, type);
  const std::vector<chip::Allocation> windows = current_core().hbm().windows();
  const bool several = windows.size() > 1;
  const Wide address = moved_by_index(place, several);
  const Wave *wave = place.offset.wave() ? place.offset.wave() : mask.wave();
  std::vector<InWindow> result;
  Mask left = mask;
  for (const chip::Allocation &window : windows) {
    const int64_t bytes = int64_t(window.size);
    const Wide from_start =
        distance(address, place.offset, reinterpret_cast<uint64_t>(window.base), several);
    Tensor index = from_start.low;
    if (element_bytes > 1) {
      index = wides::word_like(index);
      lshr(index, from_start.low, std::countr_zero(unsigned(element_bytes)));
    }
    const Dim rows{1, bytes / element_bytes};
    auto storage = chip::Storage::in_hbm(window.base, bytes, DType::uint8);
    InWindow part{{Tensor(storage, element, {&rows, 1}, 0, 0), index, true}, left};
    if (&window != &windows.back()) { // the last one has whoever is left
      const Mask inside = ult(*wave, from_start, WideOperand(bytes));
      part.lanes = left & inside;
      left = andnot(left, inside);
    }
    result.push_back(std::move(part));
  }
  return result;
}

} // namespace global

} // namespace nki
