#include "chip/isa/copy.h"

#include "chip/stream.h"

#include <vector>

namespace nki::chip::isa {

void tensor_copy(const View &dst, const View &src) {
  if (dst.type == src.type)
    stream<uint32_t>([](int64_t, uint32_t *out, const uint32_t *in,
                        int64_t count) { std::memmove(out, in, size_t(count) * 4); },
                     dst, src);
  else
    stream<float>([](int64_t, float *out, const float *in,
                     int64_t count) { std::memmove(out, in, size_t(count) * 4); },
                  dst, src);
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
  stream<uint32_t>([&](int64_t, uint32_t *out, int64_t count) { std::fill_n(out, count, bits); },
                   dst);
}

void tensor_copy_predicated(const View &dst, const View &src, const View &predicate, bool reverse) {
  stream<uint32_t>(
      [&](int64_t, uint32_t *out, const uint32_t *old, const uint32_t *in, const uint32_t *take,
          int64_t count) {
        for (int64_t i = 0; i < count; ++i)
          out[i] = (take[i] != 0) != reverse ? in[i] : old[i];
      },
      dst, dst, src, predicate);
}

void tensor_copy_predicated(const View &dst, float src, const View &predicate, bool reverse) {
  uint32_t bits = bits_of(dst.type, src);
  stream<uint32_t>(
      [&](int64_t, uint32_t *out, const uint32_t *old, const uint32_t *take, int64_t count) {
        for (int64_t i = 0; i < count; ++i)
          out[i] = (take[i] != 0) != reverse ? bits : old[i];
      },
      dst, dst, predicate);
}

void nc_stream_shuffle(const View &dst, const View &src, std::span<const int> mask) {
  // Everything is read before anything is written: the shuffle may be in place.
  std::vector<uint32_t> rows(size_t(src.partitions * src.elements));
  Source<uint32_t> from(src);
  for (int64_t p = 0; p < src.partitions; ++p) {
    from.begin(p);
    for (int64_t done = 0; done < src.elements; done += kChunk) {
      int64_t count = std::min(kChunk, src.elements - done);
      std::memcpy(&rows[size_t(p * src.elements + done)], from.next(count), size_t(count) * 4);
    }
  }
  Sink<uint32_t> to(dst);
  for (int64_t p = 0; p < dst.partitions; ++p) {
    int source = mask[size_t(p % kQuadrant)];
    if (source == 255)
      continue;
    const uint32_t *row = &rows[size_t((p / kQuadrant * kQuadrant + source) * src.elements)];
    to.begin(p);
    for (int64_t done = 0; done < dst.elements; done += kChunk) {
      int64_t count = std::min(kChunk, dst.elements - done);
      std::memcpy(to.next(), row + done, size_t(count) * 4);
      to.put(count);
    }
  }
}

void nc_transpose(const View &dst, const View &data) {
  std::vector<uint32_t> column(size_t(dst.partitions * data.partitions));
  Source<uint32_t> from(data);
  for (int64_t p = 0; p < data.partitions; ++p) {
    from.begin(p);
    const uint32_t *row = from.next(data.elements);
    for (int64_t f = 0; f < data.elements; ++f)
      column[size_t(f * data.partitions + p)] = row[f];
  }
  Sink<uint32_t> to(dst);
  for (int64_t f = 0; f < dst.partitions; ++f) {
    to.begin(f);
    std::memcpy(to.next(), &column[size_t(f * data.partitions)], size_t(data.partitions) * 4);
    to.put(data.partitions);
  }
}

} // namespace nki::chip::isa
