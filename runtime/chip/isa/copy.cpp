#include "chip/isa/copy.h"

#include "chip/stream.h"

namespace nki::chip::isa {

namespace {

/// Whether all partitions of a tile are one run of bytes.
bool is_block(const View &view) {
  return view.is_run() &&
         (view.partitions == 1 || view.pitch == view.elements * view.element_bytes());
}

/// f(to, from, number of bytes): row by row, or all at once.
template <class F> void over_runs(const View &dst, const View &src, F &&f) {
  const int64_t bytes = dst.elements * dst.element_bytes();
  if (is_block(dst) && is_block(src))
    return f(dst.row(0), src.row(0), size_t(bytes * dst.partitions));
  for (int64_t p = 0; p < dst.partitions; ++p)
    f(dst.row(p), src.row(p), size_t(bytes));
}

} // namespace

void copy_row(uint8_t *to, const uint8_t *from, size_t bytes) {
  const uintptr_t misaligned = (uintptr_t(to) | uintptr_t(from) | bytes) % 4;
  if (bytes < 256 || bytes > 16384 || misaligned != 0) {
    std::memcpy(to, from, bytes);
    return;
  }
  kernels().float_scalar[int(Op::bypass)][0](reinterpret_cast<float *>(to),
                                             reinterpret_cast<const float *>(from), 0.0f,
                                             int64_t(bytes / 4)); // moves, which keep all bits
}

void tensor_copy(const View &dst, const View &src) {
  auto copy = [](int64_t, auto *out, const auto *in, int64_t count) {
    std::memmove(out, in, size_t(count) * sizeof *out);
  };
  if (dst.type != src.type)
    return stream<float>(copy, dst, src);
  if (dst.is_run() && src.is_run())
    return over_runs(dst, src, [](uint8_t *to, const uint8_t *from, size_t bytes) {
      std::memmove(to, from, bytes);
    });
  stream_uniform<uint32_t>(copy, dst, src);
}

namespace {

/// The bits of `value` in a type.
uint32_t bits_of(DType type, double value) {
  if (is_integer(type))
    return uint32_t(int64_t(value));
  uint32_t bits = 0;
  store_float(type, &bits, float(value));
  return bits;
}

} // namespace

void memset(const View &dst, double value) {
  uint32_t bits = bits_of(dst.type, value);
  if (dst.is_run() && dst.element_bytes() < 4) {
    const uint32_t word =
        dst.element_bytes() == 2 ? (bits & 0xffff) * 0x10001u : (bits & 0xff) * 0x1010101u;
    return over_runs(dst, dst, [&](uint8_t *to, const uint8_t *, size_t bytes) {
      kernels().fill(reinterpret_cast<uint32_t *>(to), word, int64_t(bytes / 4));
      std::memcpy(to + bytes / 4 * 4, &word, bytes % 4);
    });
  }
  stream_uniform<uint32_t>(
      [&](int64_t, uint32_t *out, int64_t count) { kernels().fill(out, bits, count); }, dst);
}

void tensor_copy_predicated(const View &dst, const View &src, const View &predicate, bool reverse) {
  stream_uniform<uint32_t>(
      [&](int64_t, uint32_t *out, const uint32_t *old, const uint32_t *in, const uint32_t *take,
          int64_t count) {
        kernels().select(out, take, reverse ? old : in, reverse ? in : old, count);
      },
      dst, dst, src, predicate);
}

void tensor_copy_predicated(const View &dst, float src, const View &predicate, bool reverse) {
  uint32_t bits = bits_of(dst.type, src);
  stream<uint32_t>(
      [&](int64_t, uint32_t *out, const uint32_t *old, const uint32_t *take, int64_t count) {
        if (reverse) {
          kernels().select_scalars(out, take, old, bits, count);
          return;
        }
        uint32_t constant[kChunk];
        std::fill_n(constant, count, bits);
        kernels().select(out, take, constant, old, count);
      },
      dst, dst, predicate);
}

namespace {

/// Partition q of a shuffle's source for partition p of its destination; negative: none.
int64_t shuffled_partition(std::span<const int> mask, int64_t p) {
  int source = mask[size_t(p % kQuadrant)];
  return source == 255 ? -1 : p / kQuadrant * kQuadrant + source;
}

} // namespace

void nc_stream_shuffle(const View &dst, const View &src, std::span<const int> mask) {
  if (dst.storage != src.storage && dst.is_run() && src.is_run()) {
    const size_t bytes = size_t(dst.elements * dst.element_bytes());
    for (int64_t p = 0; p < dst.partitions; ++p)
      if (int64_t q = shuffled_partition(mask, p); q >= 0)
        copy_row(dst.row(p), src.row(q), bytes);
    return;
  }
  // Everything is read before anything is written: the shuffle may be in place.
  auto rows = scratch<uint32_t>(src.partitions * src.elements);
  read_rows(src, rows.get());
  Sink<uint32_t> to(dst);
  for (int64_t p = 0; p < dst.partitions; ++p) {
    int64_t q = shuffled_partition(mask, p);
    if (q < 0)
      continue;
    to.begin(p);
    write_row(to, rows.get() + q * src.elements, dst.elements);
  }
}

void nc_transpose(const View &dst, const View &data) {
  if (data.element_bytes() == 2 && data.is_run() && dst.is_run())
    return kernels().transpose16(reinterpret_cast<uint16_t *>(dst.base), dst.pitch / 2,
                                 reinterpret_cast<const uint16_t *>(data.base), data.pitch / 2,
                                 data.partitions, data.elements);
  bool from_place = is_direct<uint32_t>(data), to_place = is_direct<uint32_t>(dst);
  Scratch<uint32_t> rows, columns;
  const uint32_t *from = reinterpret_cast<const uint32_t *>(data.base);
  int64_t from_pitch = data.pitch / 4, to_pitch = dst.pitch / 4;
  if (!from_place) {
    rows = scratch<uint32_t>(data.partitions * data.elements);
    read_rows(data, rows.get());
    from = rows.get();
    from_pitch = data.elements;
  }
  uint32_t *to = reinterpret_cast<uint32_t *>(dst.base);
  if (!to_place) {
    columns = scratch<uint32_t>(dst.partitions * dst.elements);
    to = columns.get();
    to_pitch = dst.elements;
  }
  kernels().transpose(to, to_pitch, from, from_pitch, data.partitions, data.elements);
  if (!to_place)
    write_rows(dst, columns.get());
}

} // namespace nki::chip::isa
