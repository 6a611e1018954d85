#include "chip/isa/reduce.h"

#include "chip/stream.h"

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

namespace nki::chip::isa {

namespace {

uint32_t apply_bits(Op op, uint32_t a, uint32_t b) {
  return op == Op::bitwise_and ? a & b : op == Op::bitwise_or ? a | b : a ^ b;
}

/// f(partition, position, element) over all elements of a view.
template <class C, class F> void for_each_element(const View &view, F &&f) {
  Source<C> from(view);
  for (int64_t p = 0; p < view.partitions; ++p) {
    from.begin(p);
    for (int64_t done = 0; done < view.elements;) {
      int64_t count = std::min(kChunk, view.elements - done);
      const C *in = from.next(count);
      for (int64_t i = 0; i < count; ++i)
        f(p, done + i, in[i]);
      done += count;
    }
  }
}

template <class C> void write_all(const View &view, const std::vector<C> &values) {
  Sink<C> to(view);
  for (int64_t p = 0; p < view.partitions; ++p) {
    to.begin(p);
    for (int64_t done = 0; done < view.elements;) {
      int64_t count = std::min(kChunk, view.elements - done);
      std::memcpy(to.next(), &values[size_t(p * view.elements + done)], size_t(count) * 4);
      to.put(count);
      done += count;
    }
  }
}

template <class C, class F>
void reduce_groups(const View &dst, const View &data, int64_t group, F &&apply, bool negate) {
  std::vector<C> results(size_t(dst.partitions * dst.elements));
  for_each_element<C>(data, [&](int64_t p, int64_t i, C value) {
    C &result = results[size_t(p * dst.elements + i / group)];
    result = i % group == 0 ? value : apply(result, value);
  });
  if constexpr (std::is_same_v<C, float>)
    for (float &result : results)
      result = negate ? -result : result;
  write_all(dst, results);
}

} // namespace

void tensor_reduce(const View &dst, const View &data, Op op, int64_t group, bool negate,
                   const ChipAssumptions &assumptions) {
  if (is_bitvec(op))
    reduce_groups<uint32_t>(
        dst, data, group, [&](uint32_t a, uint32_t b) { return apply_bits(op, a, b); }, negate);
  else
    reduce_groups<float>(
        dst, data, group, [&](float a, float b) { return apply_float(op, a, b, assumptions); },
        negate);
}

void accumulate(float *registers, const View &data, Op op, const ChipAssumptions &assumptions) {
  for_each_element<float>(data, [&](int64_t p, int64_t, float value) {
    registers[p] = apply_float(op, registers[p], value, assumptions);
  });
}

void accumulate_step(float *registers, const View &data, const ScalarStep &step, Op op,
                     const ChipAssumptions &assumptions) {
  FloatScalar run = float_scalar(step.op, step.reverse, assumptions);
  float buffer[kChunk];
  Source<float> from(data);
  for (int64_t p = 0; p < data.partitions; ++p) {
    from.begin(p);
    for (int64_t done = 0; done < data.elements; done += kChunk) {
      int64_t count = std::min(kChunk, data.elements - done);
      run(buffer, from.next(count), step.operand.as_float(p), count);
      for (int64_t i = 0; i < count; ++i)
        registers[p] = apply_float(op, registers[p], buffer[i], assumptions);
    }
  }
}

void read_registers(const View &dst, const float *registers, bool negate) {
  for (int64_t p = 0; p < dst.partitions; ++p)
    store_float(dst.type, dst.row(p), negate ? -registers[p] : registers[p]);
}

void tensor_tensor_scan(const View &dst, const View &data0, const View &data1,
                        const ScalarOperand &initial, Op op0, Op op1, bool reverse0, bool reverse1,
                        const ChipAssumptions &assumptions) {
  int64_t partition = -1;
  float state = 0;
  stream<float>(
      [&](int64_t p, float *out, const float *a, const float *b, int64_t count) {
        if (p != partition) {
          partition = p;
          state = initial.as_float(p);
        }
        for (int64_t i = 0; i < count; ++i) {
          float middle = reverse0 ? apply_float(op0, state, a[i], assumptions)
                                  : apply_float(op0, a[i], state, assumptions);
          state = reverse1 ? apply_float(op1, b[i], middle, assumptions)
                           : apply_float(op1, middle, b[i], assumptions);
          out[i] = state;
        }
      },
      dst, data0, data1);
}

void tensor_scalar_cumulative(const View &dst, const View &src, const ScalarStep &first, Op op1,
                              float *registers, const ChipAssumptions &assumptions) {
  FloatScalar run = float_scalar(first.op, first.reverse, assumptions);
  stream<float>(
      [&](int64_t p, float *out, const float *in, int64_t count) {
        run(out, in, first.operand.as_float(p), count);
        for (int64_t i = 0; i < count; ++i)
          out[i] = registers[p] = apply_float(op1, out[i], registers[p], assumptions);
      },
      dst, src);
}

void tensor_partition_reduce(const View &dst, const View &data, Op op,
                             const ChipAssumptions &assumptions) {
  if (is_bitvec(op)) {
    std::vector<uint32_t> results(size_t(dst.elements));
    for_each_element<uint32_t>(data, [&](int64_t p, int64_t i, uint32_t value) {
      results[size_t(i)] = p == 0 ? value : apply_bits(op, results[size_t(i)], value);
    });
    return write_all(dst, results);
  }
  std::vector<float> results(size_t(dst.elements));
  Op step = op == Op::average ? Op::add : op;
  for_each_element<float>(data, [&](int64_t p, int64_t i, float value) {
    results[size_t(i)] = p == 0 ? value : apply_float(step, results[size_t(i)], value, assumptions);
  });
  if (op == Op::average)
    for (float &result : results)
      result /= float(data.partitions);
  write_all(dst, results);
}

void max8(const View &dst, const View &src) {
  std::vector<std::vector<float>> rows(static_cast<size_t>(src.partitions));
  for_each_element<float>(
      src, [&](int64_t p, int64_t, float value) { rows[size_t(p)].push_back(value); });
  std::vector<float> results;
  for (std::vector<float> &row : rows) {
    // NaN counts as the smallest value, so that it cannot upset the order (assumption 9).
    auto before = [](float a, float b) { return a > b || (b != b && a == a); };
    std::partial_sort(row.begin(), row.begin() + 8, row.end(), before);
    results.insert(results.end(), row.begin(), row.begin() + 8);
  }
  write_all(dst, results);
}

} // namespace nki::chip::isa
