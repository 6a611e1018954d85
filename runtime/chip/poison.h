// Poison: bytes on the chip that the program reads without having written them.
//
// Poison spreads silently through instructions, since lanes that are switched off may compute on
// anything. It is an error where it reaches HBM, an index, a predicate or a register. A storage
// that is fully written is not tracked at all; everything here starts with that test.
#pragma once

#include "chip/view.h"

#include <cstdint>
#include <string>
#include <vector>

namespace nki::chip {

/// One flag per element of a view, partition-major; empty when no element is poison.
class PoisonFlags {
public:
  bool any() const { return !flags_.empty(); }
  bool at(int64_t index) const { return any() && flags_[size_t(index)]; }
  void set(int64_t index, int64_t size) {
    if (!any())
      flags_.assign(size_t(size), 0);
    flags_[size_t(index)] = 1;
  }
  /// flags |= other, element by element.
  void merge(const PoisonFlags &other);

private:
  std::vector<uint8_t> flags_;
};

/// Call before an instruction reads `view`: unwritten bytes get the values of fresh memory.
/// Returns whether bytes of the storage (not necessarily of the view) are unwritten.
inline bool begin_read(const View &view) {
  if (view.storage->contents == Contents::written)
    return false;
  if (view.storage->contents == Contents::unwritten)
    view.storage->materialize();
  return true;
}

/// Which elements of `view` are poison, for an instruction that computes with them. Only after
/// begin_read.
PoisonFlags poison_of(const View &view);
/// The same for elements of a destination that the instruction may leave as they are.
PoisonFlags kept_poison_of(const View &view);
/// Whether any element of `view` is poison.
bool is_poisoned(const View &view);

/// Call before an instruction writes `view`, after begin_read of its sources.
void begin_write(const View &view);
/// Call after an instruction has written `view` with results that are all defined.
void end_write(const View &view);
/// The same where `flags` tells which elements are poison.
void end_write(const View &view, const PoisonFlags &flags);

/// Notes that TensorE wrote `view`, or that another engine did.
void mark_products(const View &view, bool by_product);
/// Which elements of `view` a product wrote last.
PoisonFlags products_of(const View &view);
bool all_products(const View &view);

/// Throws nki::Error naming the first element that is poison: "`role` was never written", or the
/// instruction that made it of something that was not.
void require_written(const char *instruction, const char *role, const View &view);
/// That error's text for element `index` of `view`, partition-major, which is poison.
std::string describe_poison(const char *role, const View &view, int64_t index);

} // namespace nki::chip
