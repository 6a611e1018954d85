#include "chip/poison.h"

#include "chip/memory.h"
#include "chip/poison_origin.h"
#include "nki/error.h"

#include <algorithm>

namespace nki::chip {

namespace {

/// Bits [begin, end) of one word.
uint64_t bits_between(int64_t begin, int64_t end) {
  uint64_t low = ~uint64_t(0) << begin;
  uint64_t high = end == 64 ? ~uint64_t(0) : (uint64_t(1) << end) - 1;
  return low & high;
}

/// Calls f(word, bits) for the words that bits [begin, end) touch, until f returns true.
template <class F> bool over_words(uint64_t *words, int64_t begin, int64_t end, F &&f) {
  for (int64_t word = begin / 64; word * 64 < end; ++word)
    if (f(words[word], bits_between(std::max<int64_t>(begin - word * 64, 0),
                                    std::min<int64_t>(end - word * 64, 64))))
      return true;
  return false;
}

bool any_bit(uint64_t *words, int64_t begin, int64_t end) {
  return over_words(words, begin, end, [](uint64_t &word, uint64_t bits) { return word & bits; });
}

void clear_bits(uint64_t *words, int64_t begin, int64_t end) {
  over_words(words, begin, end, [](uint64_t &word, uint64_t bits) { return word &= ~bits, false; });
}

void set_bits(uint64_t *words, int64_t begin, int64_t end) {
  over_words(words, begin, end, [](uint64_t &word, uint64_t bits) { return word |= bits, false; });
}

int64_t words_per_row(const Storage &storage) { return (storage.row_bytes + 63) / 64; }

uint64_t *row_of(std::vector<uint64_t> &bits, const View &view, int64_t partition) {
  return bits.data() + (view.start_partition + partition) * words_per_row(*view.storage);
}

uint64_t *words_of(const View &view, int64_t partition) {
  return row_of(view.storage->poison, view, partition);
}

bool covers_storage(const View &view) {
  return view.partitions == view.storage->partitions && view.offset_bytes == 0 &&
         view.elements * view.element_bytes() == view.storage->row_bytes && view.is_run();
}

/// Calls f(begin, end) with the byte ranges of the free pattern, runs where there are some.
template <class F> bool over_runs(const View &view, F &&f) {
  int64_t bytes = view.element_bytes();
  bool runs = view.pattern.inner().stride == bytes;
  PatternWalk walk(view.pattern);
  for (int64_t done = 0; done < view.elements;) {
    int64_t count = runs ? walk.left_in_run() : 1;
    int64_t begin = view.offset_bytes + walk.offset();
    if (f(begin, begin + count * bytes))
      return true;
    walk.advance(count);
    done += count;
  }
  return false;
}

void forget_poison(Storage &storage) {
  storage.poison = {};
  storage.spreads.clear();
  storage.contents = Contents::written;
}

void drop_if_clean(Storage &storage) {
  for (uint64_t word : storage.poison)
    if (word)
      return;
  forget_poison(storage);
}

} // namespace

void PoisonFlags::merge(const PoisonFlags &other) {
  if (!other.any())
    return;
  if (!any()) {
    flags_ = other.flags_;
    return;
  }
  for (size_t i = 0; i < flags_.size(); ++i)
    flags_[i] |= other.flags_[i];
}

bool is_poisoned(const View &view) {
  if (view.storage->contents == Contents::written)
    return false;
  if (view.storage->contents == Contents::unwritten)
    return true;
  for (int64_t p = 0; p < view.partitions; ++p)
    if (over_runs(view, [&](int64_t begin, int64_t end) {
          return any_bit(words_of(view, p), begin, end);
        }))
      return true;
  return false;
}

namespace {

int64_t first_of(const PoisonFlags &flags) {
  int64_t index = 0;
  while (!flags.at(index))
    ++index;
  return index;
}

} // namespace

PoisonFlags kept_poison_of(const View &view) {
  PoisonFlags flags;
  if (!is_poisoned(view))
    return flags;
  for (int64_t p = 0; p < view.partitions; ++p) {
    PatternWalk walk(view.pattern);
    for (int64_t i = 0; i < view.elements; ++i, walk.advance()) {
      int64_t begin = view.offset_bytes + walk.offset();
      if (view.storage->contents == Contents::unwritten ||
          any_bit(words_of(view, p), begin, begin + view.element_bytes()))
        flags.set(p * view.elements + i, view.partitions * view.elements);
    }
  }
  return flags;
}

PoisonFlags poison_of(const View &view) {
  PoisonFlags flags = kept_poison_of(view);
  if (flags.any())
    note_poisoned_read(view, first_of(flags));
  return flags;
}

namespace {

/// What a placed tile writes is lost to the others that lie there.
void overwrite_others(const View &view) {
  const Storage &tile = *view.storage;
  tile.memory()->over_placed(tile, [&](Storage &other) {
    const int64_t shift = tile.placed_byte - other.placed_byte;
    over_runs(view, [&](int64_t begin, int64_t end) {
      begin = std::max<int64_t>(begin + shift, 0);
      end = std::min(end + shift, other.row_bytes);
      if (begin >= end || other.contents == Contents::unwritten)
        return false;
      if (other.contents == Contents::written) {
        other.poison_words = words_per_row(other);
        other.poison.assign(size_t(other.poison_words * other.partitions), 0);
        other.contents = Contents::partly;
      }
      other.spreads.clear(); // whatever came from them
      for (int64_t p = view.start_partition;
           p < std::min(view.start_partition + view.partitions, other.partitions); ++p)
        set_bits(other.poison.data() + p * other.poison_words, begin, end);
      return false;
    });
  });
}

} // namespace

void begin_write(const View &view) {
  if (view.storage->is_placed) [[unlikely]]
    overwrite_others(view);
  if (view.storage->contents == Contents::unwritten && !covers_storage(view))
    view.storage->materialize();
}

void end_write(const View &view) {
  Storage &storage = *view.storage;
  if (storage.contents == Contents::written)
    return;
  if (covers_storage(view)) {
    forget_poison(storage);
    return;
  }
  for (int64_t p = 0; p < view.partitions; ++p)
    over_runs(view, [&](int64_t begin, int64_t end) {
      return clear_bits(words_of(view, p), begin, end), false;
    });
  drop_if_clean(storage);
}

void end_write(const View &view, const PoisonFlags &flags) {
  if (!flags.any())
    return end_write(view);
  Storage &storage = *view.storage;
  if (!storage.on_chip())
    return;
  if (storage.contents != Contents::partly) {
    storage.poison_words = words_per_row(storage);
    storage.poison.assign(size_t(storage.poison_words * storage.partitions), 0);
    storage.contents = Contents::partly;
  }
  for (int64_t p = 0; p < view.partitions; ++p) {
    PatternWalk walk(view.pattern);
    for (int64_t i = 0; i < view.elements; ++i, walk.advance()) {
      int64_t begin = view.offset_bytes + walk.offset(), end = begin + view.element_bytes();
      if (flags.at(p * view.elements + i))
        set_bits(words_of(view, p), begin, end);
      else
        clear_bits(words_of(view, p), begin, end);
    }
  }
  note_poisoned_write(view);
  drop_if_clean(storage);
}

void mark_products(const View &view, bool by_product) {
  Storage &storage = *view.storage;
  if (storage.products.empty()) {
    if (!by_product)
      return;
    storage.products.assign(size_t(words_per_row(storage) * storage.partitions), 0);
  }
  if (covers_storage(view)) {
    std::fill(storage.products.begin(), storage.products.end(), by_product ? ~uint64_t(0) : 0);
    return;
  }
  for (int64_t p = 0; p < view.partitions; ++p)
    over_runs(view, [&](int64_t begin, int64_t end) {
      uint64_t *row = row_of(storage.products, view, p);
      by_product ? set_bits(row, begin, end) : clear_bits(row, begin, end);
      return false;
    });
}

bool all_products(const View &view) {
  if (view.storage->products.empty())
    return false;
  for (int64_t p = 0; p < view.partitions; ++p)
    if (over_runs(view, [&](int64_t begin, int64_t end) {
          return over_words(row_of(view.storage->products, view, p), begin, end,
                            [](uint64_t &word, uint64_t bits) { return (word & bits) != bits; });
        }))
      return false;
  return true;
}

PoisonFlags products_of(const View &view) {
  PoisonFlags flags;
  if (view.storage->products.empty())
    return flags;
  for (int64_t p = 0; p < view.partitions; ++p) {
    PatternWalk walk(view.pattern);
    for (int64_t i = 0; i < view.elements; ++i, walk.advance()) {
      int64_t begin = view.offset_bytes + walk.offset();
      if (any_bit(row_of(view.storage->products, view, p), begin, begin + 1))
        flags.set(p * view.elements + i, view.partitions * view.elements);
    }
  }
  return flags;
}

void require_written(const char *instruction, const char *role, const View &view) {
  if (!is_poisoned(view))
    return;
  throw Error(instruction, describe_poison(role, view, first_of(kept_poison_of(view))));
}

std::string describe_poison(const char *role, const View &view, int64_t index) {
  const std::string tile = view.storage->name.empty() ? "" : " '" + view.storage->name + "'";
  const std::string place = " at partition " +
                            std::to_string(view.start_partition + index / view.elements) +
                            ", element " + std::to_string(index % view.elements);
  if (const auto origin = origin_of(view, index))
    return role + tile + " holds no defined value" + place + ": " + origin->text();
  return role + tile + " was never written" + place;
}

} // namespace nki::chip
