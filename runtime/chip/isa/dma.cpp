#include "chip/isa/dma.h"

#include "chip/isa/copy.h"
#include "chip/stream.h"

namespace nki::chip::isa {

namespace {

/// All elements of a view in order, partitions outermost.
struct Flat {
  Pattern pattern;
  uint8_t *base;
  DType type;
};

Flat flat_of(const View &view) {
  Flat flat{view.pattern, view.base, view.type};
  if (view.partitions == 1)
    return flat;
  const Dim &outer = view.pattern.dims[0];
  Dim partition{view.pitch, view.partitions};
  if (view.elements == 1) {
    flat.pattern = {};
    flat.pattern.dims[0] = partition;
  } else if (view.pitch == outer.stride * outer.count) {
    flat.pattern.dims[0].count *= view.partitions;
  } else {
    for (int d = view.pattern.rank; d > 0; --d)
      flat.pattern.dims[size_t(d)] = view.pattern.dims[size_t(d - 1)];
    flat.pattern.dims[0] = partition;
    ++flat.pattern.rank;
  }
  return flat;
}

template <class Bits>
void copy_strided(uint8_t *to, int64_t to_stride, const uint8_t *from, int64_t from_stride,
                  int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    *reinterpret_cast<Bits *>(to + i * to_stride) =
        *reinterpret_cast<const Bits *>(from + i * from_stride);
}

void copy_same_type(uint8_t *to, int64_t to_stride, const uint8_t *from, int64_t from_stride,
                    int64_t bytes, int64_t count) {
  if (to_stride == bytes && from_stride == bytes) {
    copy_row(to, from, size_t(bytes * count));
    return;
  }
  switch (bytes) {
  case 1:
    return copy_strided<uint8_t>(to, to_stride, from, from_stride, count);
  case 2:
    return copy_strided<uint16_t>(to, to_stride, from, from_stride, count);
  default:
    return copy_strided<uint32_t>(to, to_stride, from, from_stride, count);
  }
}

void copy_through_fp32(uint8_t *to, DType to_type, int64_t to_stride, const uint8_t *from,
                       DType from_type, int64_t from_stride, int64_t count) {
  float buffer[kChunk];
  for (int64_t done = 0; done < count; done += kChunk) {
    int64_t part = std::min(kChunk, count - done);
    load(buffer, from_type, from + done * from_stride, from_stride, part);
    store(to + done * to_stride, to_type, to_stride, buffer, part);
  }
}

/// Copies `count` elements from where the walks are.
void copy_elements(const Flat &dst, PatternWalk &to, const Flat &src, PatternWalk &from,
                   int64_t count) {
  int64_t to_stride = dst.pattern.inner().stride, from_stride = src.pattern.inner().stride;
  while (count > 0) {
    int64_t run = std::min({count, to.left_in_run(), from.left_in_run()});
    uint8_t *there = dst.base + to.offset();
    const uint8_t *here = src.base + from.offset();
    if (dst.type == src.type)
      copy_same_type(there, to_stride, here, from_stride, int64_t(size_of(dst.type)), run);
    else
      copy_through_fp32(there, dst.type, to_stride, here, src.type, from_stride, run);
    to.advance(run);
    from.advance(run);
    count -= run;
  }
}

} // namespace

uint8_t *indirect_row(const DmaSide &side, int64_t row, int64_t *index) {
  const View &indices = *side.indices;
  int64_t column = row / indices.partitions;
  uint32_t bits = 0;
  std::memcpy(&bits,
              indices.row(row % indices.partitions) + column * indices.pattern.inner().stride, 4);
  *index = side.indices->type == DType::int32 ? int64_t(int32_t(bits)) : int64_t(bits);
  if (*index < 0 || *index >= side.index_count)
    return nullptr;
  return side.view.base + *index * side.index_stride_bytes;
}

void dma_copy(const View &dst, const View &src) {
  Flat to = flat_of(dst), from = flat_of(src);
  PatternWalk to_walk(to.pattern), from_walk(from.pattern);
  copy_elements(to, to_walk, from, from_walk, dst.partitions * dst.elements);
}

void dma_copy_indirect(const DmaSide &dst, const DmaSide &src, int64_t rows,
                       const std::function<bool(int64_t)> &skip) {
  Flat to = flat_of(dst.view), from = flat_of(src.view);
  PatternWalk to_walk(to.pattern), from_walk(from.pattern);
  int64_t per_row = (dst.indices ? dst.view.elements * dst.view.partitions
                                 : src.view.elements * src.view.partitions);
  for (int64_t row = 0; row < rows; ++row) {
    bool skipped = skip(row);
    int64_t index = 0;
    // The indirect side starts anew in each row, the direct one goes on.
    if (dst.indices && !skipped) {
      to.base = indirect_row(dst, row, &index);
      to_walk = PatternWalk(to.pattern);
    }
    if (src.indices && !skipped) {
      from.base = indirect_row(src, row, &index);
      from_walk = PatternWalk(from.pattern);
    }
    if (!skipped) {
      copy_elements(to, to_walk, from, from_walk, per_row);
      continue;
    }
    PatternWalk &direct = dst.indices ? from_walk : to_walk;
    for (int64_t left = per_row; left > 0;) {
      int64_t run = std::min(left, direct.left_in_run());
      direct.advance(run);
      left -= run;
    }
  }
}

} // namespace nki::chip::isa
