#include "chip/isa/reduce.h"

#include "chip/generations.h"
#include "chip/isa/rows.h"
#include "chip/layout.h"
#include "chip/numbers.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <vector>

namespace nki::chip::isa {

namespace {

ReduceRows reduce_rows(Op op, const ChipAssumptions &assumptions) {
  return kernels().reduce_rows[int(op)][int(assumptions.nan_in_min_max)];
}

void reduce_bits(const View &dst, const View &data, Op op, int64_t group,
                 const ChipAssumptions &assumptions) {
  BitsBinary run = bits_binary(op, assumptions);
  auto all = scratch<uint32_t>(data.partitions * data.elements);
  std::vector<uint32_t> results(size_t(dst.partitions * dst.elements));
  read_rows(data, all.get());
  for (size_t i = 0; i < results.size(); ++i) {
    const uint32_t *row = &all[i * size_t(group)];
    results[i] = row[0];
    for (int64_t j = 1; j < group; ++j)
      run(&results[i], &results[i], row + j, 1);
  }
  write_rows(dst, results.data());
}

} // namespace

void tensor_reduce(const View &dst, const View &data, Op op, int64_t group, bool negate,
                   const ChipAssumptions &assumptions) {
  if (is_bitvec(op))
    return reduce_bits(dst, data, op, group, assumptions);
  FloatRows rows(data, group);
  std::vector<float> results(size_t(rows.count()));
  ReduceRows reduce = reduce_rows(op, assumptions);
  for_each_batch(rows, [&](int64_t first, int64_t used, const float **row) {
    float state[kRows];
    for (int r = 0; r < kRows; ++r)
      state[r] = *row[r]++;
    reduce(row, group - 1, state);
    for (int64_t r = 0; r < used; ++r)
      results[size_t(first + r)] = negate ? -state[r] : state[r];
  });
  write_rows(dst, results.data());
}

void accumulate(float *registers, const View &data, Op op, const ChipAssumptions &assumptions) {
  FloatRows rows(data, data.elements);
  ReduceRows reduce = reduce_rows(op, assumptions);
  for_each_batch(rows, [&](int64_t first, int64_t used, const float **row) {
    float state[kRows] = {};
    std::copy_n(registers + first, used, state);
    reduce(row, data.elements, state);
    std::copy_n(state, used, registers + first);
  });
}

void tensor_scalar_reduce(const View &dst, const View &data, const ScalarStep &step, Op op,
                          float *registers, const ChipAssumptions &assumptions) {
  if (is_native<float>(dst.type) && lies_apart(dst)) {
    tensor_scalar(dst, data, step, {}, Arithmetic::float32, assumptions);
    accumulate(registers, dst, op, assumptions);
    return;
  }
  auto results = scratch<float>(dst.partitions * dst.elements);
  View all = scratch_view(results.get(), dst.partitions, dst.elements);
  tensor_scalar(all, data, step, {}, Arithmetic::float32, assumptions);
  accumulate(registers, all, op, assumptions);
  write_rows(dst, results.get());
}

void read_registers(const View &dst, const float *registers, bool negate) {
  for (int64_t p = 0; p < dst.partitions; ++p)
    store_float(dst.type, dst.row(p), negate ? -registers[p] : registers[p]);
}

namespace {

/// run(out, rows, count, state) for all rows, kRows at a time, through buffers where dst is not in
/// place. `rows` gives the pointers of each source.
template <size_t Sources, class F>
void scan(const View &dst, const std::array<const FloatRows *, Sources> &sources, float *state,
          F &&run) {
  bool direct = is_direct<float>(dst);
  int64_t length = dst.elements;
  auto results = scratch<float>(direct ? 0 : dst.partitions * length);
  auto spare = scratch<float>(length); // for rows that only fill up a batch
  for (int64_t first = 0; first < dst.partitions; first += kRows) {
    const float *from[Sources][kRows];
    float *to[kRows], now[kRows];
    for (int64_t r = 0; r < kRows; ++r) {
      bool real = first + r < dst.partitions;
      int64_t p = real ? first + r : first;
      for (size_t source = 0; source < Sources; ++source)
        from[source][r] = sources[source]->row(p);
      to[r] = !real    ? spare.get()
              : direct ? reinterpret_cast<float *>(dst.row(p))
                       : results.get() + p * length;
      now[r] = state[p];
    }
    run(to, from, length, now);
    std::copy_n(now, std::min<int64_t>(kRows, dst.partitions - first), state + first);
  }
  if (!direct)
    write_rows(dst, results.get());
}

} // namespace

void tensor_tensor_scan(const View &dst, const View &data0, const View &data1,
                        const ScalarOperand &initial, Op op0, Op op1, bool reverse0, bool reverse1,
                        const ChipAssumptions &assumptions) {
  float state[kPartitions];
  for (int64_t p = 0; p < dst.partitions; ++p)
    state[p] = initial.as_float(p);
  const FloatRows a(data0, data0.elements), b(data1, data1.elements);
  ScanRows run = kernels().scan_rows[int(assumptions.nan_in_min_max)];
  scan<2>(dst, {&a, &b}, state, [&](float **out, auto &from, int64_t count, float *now) {
    run(out, from[0], from[1], count, now, op0, op1, reverse0, reverse1);
  });
}

void tensor_scalar_cumulative(const View &dst, const View &src, const ScalarStep &first, Op op1,
                              float *registers, const ChipAssumptions &assumptions) {
  // reg = op1(op0(in, imm0), reg)
  auto stepped = scratch<float>(src.partitions * src.elements);
  View all = scratch_view(stepped.get(), src.partitions, src.elements);
  tensor_scalar(all, src, first, {}, Arithmetic::float32, assumptions);
  FloatRows rows(all, all.elements);
  CumulateRows run = kernels().cumulate_rows[int(op1)][int(assumptions.nan_in_min_max)];
  scan<1>(dst, {&rows}, registers, [&](float **out, auto &from, int64_t count, float *now) {
    run(out, from[0], count, now);
  });
}

void tensor_partition_reduce(const View &dst, const View &data, Op op,
                             const ChipAssumptions &assumptions) {
  auto over_rows = [&](auto results, auto step) {
    auto *sum = results.data();
    Source<std::remove_pointer_t<decltype(sum)>> from(data);
    for (int64_t p = 0; p < data.partitions; ++p) {
      from.begin(p);
      for (int64_t done = 0; done < data.elements; done += kChunk) {
        int64_t count = std::min(kChunk, data.elements - done);
        const auto *row = from.next(count);
        if (p == 0)
          std::copy_n(row, count, sum + done);
        else
          step(sum + done, sum + done, row, count);
      }
    }
    return results;
  };
  size_t columns = size_t(dst.elements);
  if (is_bitvec(op)) {
    write_rows(dst, over_rows(std::vector<uint32_t>(columns), bits_binary(op, assumptions)).data());
    return;
  }
  const Op step = op == Op::average ? Op::add : op;
  std::vector<float> results(columns);
  if (is_direct<float>(data) && data.pitch % 4 == 0)
    kernels().reduce_columns[int(step)][int(assumptions.nan_in_min_max)](
        results.data(), reinterpret_cast<const float *>(data.base), data.pitch / 4, data.partitions,
        data.elements);
  else
    results = over_rows(std::move(results), float_binary(step, assumptions));
  if (op == Op::average)
    for (float &result : results)
      result /= float(data.partitions);
  write_rows(dst, results.data());
}

} // namespace nki::chip::isa
