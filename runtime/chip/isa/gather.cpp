#include "chip/isa/gather.h"

#include "chip/numbers.h"
#include "chip/stream.h"

#include <limits>

namespace nki::chip::isa {

int64_t first_bad_index(const View &data, const View &indices) {
  int64_t position = 0, bad = -1;
  Source<uint32_t> from(indices);
  for (int64_t p = 0; p < indices.partitions; ++p) {
    from.begin(p);
    for (int64_t done = 0; done < indices.elements; done += kChunk) {
      int64_t count = std::min(kChunk, indices.elements - done);
      const uint32_t *index = from.next(count);
      if (int64_t(kernels().largest(index, count)) >= data.elements) {
        bad = position;
        while (int64_t(index[bad - position]) < data.elements)
          ++bad;
        return bad;
      }
      position += count;
    }
  }
  return bad;
}

void nc_n_gather(const View &dst, const View &data, const View &indices) {
  // Rows that have to be converted are converted whole.
  bool direct = is_direct<uint32_t>(data);
  auto all = scratch<uint32_t>(direct ? 0 : data.partitions * data.elements);
  if (!direct)
    read_rows(data, all.get());
  stream<uint32_t>(
      [&](int64_t p, uint32_t *out, const uint32_t *index, int64_t count) {
        const uint32_t *row = direct ? reinterpret_cast<const uint32_t *>(data.row(p))
                                     : all.get() + p * data.elements;
        kernels().gather(out, row, index, count);
      },
      dst, indices);
}

namespace {

/// The int32 values of partition 0; other partitions add their share to every one.
Scratch<int32_t> affine_row(const AffinePattern &pattern) {
  const auto &[w, z, y, x] = pattern.dims;
  auto row = scratch<int32_t>(w.count * z.count * y.count * x.count);
  int32_t *out = row.get();
  for (int64_t i = 0; i < w.count; ++i)
    for (int64_t j = 0; j < z.count; ++j)
      for (int64_t k = 0; k < y.count; ++k, out += x.count) {
        uint32_t start = uint32_t(pattern.offset) + uint32_t(i) * uint32_t(w.stride) +
                         uint32_t(j) * uint32_t(z.stride) + uint32_t(k) * uint32_t(y.stride);
        kernels().ramp(out, int32_t(start), int32_t(x.stride), x.count);
      }
  return row;
}

uint32_t channel_base(const AffinePattern &pattern, int64_t partition) {
  return uint32_t(partition) * uint32_t(pattern.channel_multiplier);
}

/// Where a stream over rows is: chunks come in order.
class Position {
public:
  /// The first element of a chunk of `count` elements of `partition`.
  int64_t advance(int64_t partition, int64_t count) {
    if (partition != partition_) {
      partition_ = partition;
      next_ = 0;
    }
    int64_t here = next_;
    next_ += count;
    return here;
  }

private:
  int64_t partition_ = -1, next_ = 0;
};

} // namespace

void iota(const View &dst, const AffinePattern &pattern) {
  const auto &x = pattern.dims.back();
  const bool is_ramp = x.count == dst.elements; // other dimensions have one step
  auto row = is_ramp ? Scratch<int32_t>() : affine_row(pattern);
  Position position;
  auto values = [&](int64_t p, int64_t count, uint32_t *out) {
    const int64_t first = position.advance(p, count);
    const uint32_t base = channel_base(pattern, p);
    if (is_ramp) {
      const uint32_t start = uint32_t(pattern.offset) + base + uint32_t(first) * uint32_t(x.stride);
      return kernels().ramp(reinterpret_cast<int32_t *>(out), int32_t(start), int32_t(x.stride),
                            count);
    }
    const int32_t *from = row.get() + first;
    for (int64_t i = 0; i < count; ++i)
      out[i] = uint32_t(from[i]) + base;
  };
  if (is_integer(dst.type) && size_of(dst.type) == 4) {
    stream<uint32_t>([&](int64_t p, uint32_t *out, int64_t count) { values(p, count, out); }, dst);
    return;
  }
  // The cast of the engine: through fp32, saturating where the type is narrow.
  stream<float>(
      [&](int64_t p, float *out, int64_t count) {
        uint32_t buffer[kChunk];
        values(p, count, buffer);
        load(out, DType::int32, reinterpret_cast<const uint8_t *>(buffer), 4, count);
      },
      dst);
}

void affine_select(const View &dst, const AffinePattern &pattern, const View &on_true,
                   float on_false, Op cmp_op) {
  auto row = affine_row(pattern);
  SelectAffine select = kernels().select_affine[int(cmp_op)];
  Position position;
  auto run = [&](int64_t p, auto *out, const auto *in, int64_t count, uint32_t other) {
    select(reinterpret_cast<uint32_t *>(out), row.get() + position.advance(p, count),
           int32_t(channel_base(pattern, p)), reinterpret_cast<const uint32_t *>(in), other, count);
  };
  if (dst.type == on_true.type) {
    uint32_t bits = 0;
    store_float(dst.type, &bits, on_false);
    stream<uint32_t>([&](int64_t p, uint32_t *out, const uint32_t *in,
                         int64_t count) { run(p, out, in, count, bits); },
                     dst, on_true);
    return;
  }
  stream<float>(
      [&](int64_t p, float *out, const float *in, int64_t count) {
        run(p, out, in, count, __builtin_bit_cast(uint32_t, on_false));
      },
      dst, on_true);
}

namespace {

void select_chunk(float *out, const uint32_t *take, const float *a, float b, int64_t count) {
  kernels().select_scalars(reinterpret_cast<uint32_t *>(out), take,
                           reinterpret_cast<const uint32_t *>(a), __builtin_bit_cast(uint32_t, b),
                           count);
}

} // namespace

void select(const View &dst, const View &predicate, const View &on_true,
            const ScalarOperand &on_false, bool reverse) {
  Source<uint32_t> take(predicate);
  int64_t partition = -1;
  stream<float>(
      [&](int64_t p, float *out, const float *in, int64_t count) {
        if (p != partition)
          take.begin(partition = p);
        const uint32_t *chosen = take.next(count);
        float other = on_false.as_float(p);
        if (!reverse)
          return select_chunk(out, chosen, in, other, count);
        uint32_t constant[kChunk];
        std::fill_n(constant, count, __builtin_bit_cast(uint32_t, other));
        kernels().select(reinterpret_cast<uint32_t *>(out), chosen, constant,
                         reinterpret_cast<const uint32_t *>(in), count);
      },
      dst, on_true);
}

void range_select(const View &dst, const View &on_true, Op op0, Op op1, const ScalarOperand &bound0,
                  const ScalarOperand &bound1, int range_start) {
  SelectRange select = kernels().select_range[int(op0) - int(Op::equal)][int(op1) - int(Op::equal)];
  Position position;
  stream<float>(
      [&](int64_t p, float *out, const float *in, int64_t count) {
        int64_t first = position.advance(p, count);
        select(out, in, float(range_start + first), bound0.as_float(p), bound1.as_float(p),
               -std::numeric_limits<float>::max(), count);
      },
      dst, on_true);
}

} // namespace nki::chip::isa
