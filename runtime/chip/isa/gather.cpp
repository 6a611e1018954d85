#include "chip/isa/gather.h"

#include "chip/stream.h"

#include <limits>
#include <vector>

namespace nki::chip::isa {

int64_t first_bad_index(const View &data, const View &indices) {
  int64_t bad = -1, position = 0;
  Source<uint32_t> from(indices);
  for (int64_t p = 0; p < indices.partitions; ++p) {
    from.begin(p);
    for (int64_t done = 0; done < indices.elements;) {
      int64_t count = std::min(kChunk, indices.elements - done);
      const uint32_t *index = from.next(count);
      uint32_t largest = 0;
      for (int64_t i = 0; i < count; ++i)
        largest = std::max(largest, index[i]);
      if (int64_t(largest) >= data.elements)
        for (int64_t i = 0; i < count; ++i)
          if (int64_t(index[i]) >= data.elements)
            return position + i;
      done += count;
      position += count;
    }
  }
  return bad;
}

void nc_n_gather(const View &dst, const View &data, const View &indices) {
  // A whole partition is read before any of it is written: dst may lie over data.
  std::vector<uint32_t> row(size_t(data.elements));
  Source<uint32_t> from(data), index_from(indices);
  Sink<uint32_t> to(dst);
  for (int64_t p = 0; p < dst.partitions; ++p) {
    from.begin(p);
    for (int64_t done = 0; done < data.elements; done += kChunk) {
      int64_t count = std::min(kChunk, data.elements - done);
      std::memcpy(&row[size_t(done)], from.next(count), size_t(count) * 4);
    }
    index_from.begin(p);
    to.begin(p);
    for (int64_t done = 0; done < dst.elements; done += kChunk) {
      int64_t count = std::min(kChunk, dst.elements - done);
      const uint32_t *index = index_from.next(count);
      uint32_t *out = to.next();
      for (int64_t i = 0; i < count; ++i)
        out[i] = row[index[i]];
      to.put(count);
    }
  }
}

namespace {

/// The int32 values of one partition.
void affine_row(const AffinePattern &pattern, int64_t partition, int32_t *out) {
  const auto &[w, z, y, x] = pattern.dims;
  uint32_t base =
      uint32_t(pattern.offset) + uint32_t(partition) * uint32_t(pattern.channel_multiplier);
  for (int64_t i = 0; i < w.count; ++i)
    for (int64_t j = 0; j < z.count; ++j)
      for (int64_t k = 0; k < y.count; ++k) {
        uint32_t start = base + uint32_t(i) * uint32_t(w.stride) +
                         uint32_t(j) * uint32_t(z.stride) + uint32_t(k) * uint32_t(y.stride);
        uint32_t step = uint32_t(x.stride);
        for (int64_t l = 0; l < x.count; ++l)
          *out++ = int32_t(start + uint32_t(l) * step);
      }
}

} // namespace

void iota(const View &dst, const AffinePattern &pattern) {
  std::vector<int32_t> row(size_t(dst.elements));
  bool exact = is_integer(dst.type);
  Sink<uint32_t> bits(dst);
  Sink<float> floats(dst);
  for (int64_t p = 0; p < dst.partitions; ++p) {
    affine_row(pattern, p, row.data());
    bits.begin(p);
    floats.begin(p);
    for (int64_t done = 0; done < dst.elements; done += kChunk) {
      int64_t count = std::min(kChunk, dst.elements - done);
      if (exact && size_of(dst.type) == 4) {
        std::memcpy(bits.next(), &row[size_t(done)], size_t(count) * 4);
        bits.put(count);
        continue;
      }
      // The cast of the engine: through fp32, saturating where the type is narrow.
      float *out = floats.next();
      for (int64_t i = 0; i < count; ++i)
        out[i] = float(row[size_t(done + i)]);
      floats.put(count);
    }
  }
}

namespace {

template <class T> bool compare(Op op, T a, T b) {
  switch (op) {
  case Op::equal:
    return a == b;
  case Op::not_equal:
    return a != b;
  case Op::greater_equal:
    return a >= b;
  case Op::greater:
    return a > b;
  case Op::less_equal:
    return a <= b;
  default:
    return a < b;
  }
}

} // namespace

void affine_select(const View &dst, const AffinePattern &pattern, const View &on_true,
                   float on_false, Op cmp_op) {
  std::vector<int32_t> row(size_t(dst.elements));
  int64_t partition = -1, position = 0;
  auto select = [&](int64_t p, auto *out, const auto *in, int64_t count, auto other) {
    if (p != partition) {
      affine_row(pattern, p, row.data());
      partition = p;
      position = 0;
    }
    for (int64_t i = 0; i < count; ++i)
      out[i] = compare(cmp_op, row[size_t(position + i)], 0) ? in[i] : other;
    position += count;
  };
  if (dst.type == on_true.type) {
    uint32_t bits = 0;
    store_float(dst.type, &bits, on_false);
    stream<uint32_t>([&](int64_t p, uint32_t *out, const uint32_t *in,
                         int64_t count) { select(p, out, in, count, bits); },
                     dst, on_true);
  } else {
    stream<float>([&](int64_t p, float *out, const float *in,
                      int64_t count) { select(p, out, in, count, on_false); },
                  dst, on_true);
  }
}

void select(const View &dst, const View &predicate, const View &on_true,
            const ScalarOperand &on_false, bool reverse) {
  stream<float>(
      [&](int64_t p, float *out, const float *in, const float *take, int64_t count) {
        float other = on_false.as_float(p);
        for (int64_t i = 0; i < count; ++i)
          out[i] = (take[i] != 0.0f) != reverse ? in[i] : other;
      },
      dst, on_true, predicate);
}

void range_select(const View &dst, const View &on_true, Op op0, Op op1, const ScalarOperand &bound0,
                  const ScalarOperand &bound1, int range_start) {
  int64_t partition = -1, position = 0;
  stream<float>(
      [&](int64_t p, float *out, const float *in, int64_t count) {
        if (p != partition) {
          partition = p;
          position = 0;
        }
        float low = bound0.as_float(p), high = bound1.as_float(p);
        for (int64_t i = 0; i < count; ++i) {
          float index = float(range_start + position + i);
          bool take = compare(op0, index, low) && compare(op1, index, high);
          out[i] = take ? in[i] : -std::numeric_limits<float>::max();
        }
        position += count;
      },
      dst, on_true);
}

} // namespace nki::chip::isa
