// Reductions and scans along the free axis and across partitions.
#pragma once

#include "chip/isa/element_wise.h"

namespace nki::chip::isa {

/// dst[p, i] = op over data[p, i, :], where `group` consecutive elements make one result. fp32
/// results are taken in order, from the first element on (assumption 9).
void tensor_reduce(const View &dst, const View &data, Op op, int64_t group, bool negate,
                   const ChipAssumptions &assumptions);
/// registers[p] = op over registers[p] and all elements of partition p.
void accumulate(float *registers, const View &data, Op op, const ChipAssumptions &assumptions);
/// dst = step applied to data; the results, before they are rounded to dst's type, are accumulated.
void tensor_scalar_reduce(const View &dst, const View &data, const ScalarStep &step, Op op,
                          float *registers, const ChipAssumptions &assumptions);
/// dst[p, 0] = registers[p]
void read_registers(const View &dst, const float *registers, bool negate);

void tensor_tensor_scan(const View &dst, const View &data0, const View &data1,
                        const ScalarOperand &initial, Op op0, Op op1, bool reverse0, bool reverse1,
                        const ChipAssumptions &assumptions);
void tensor_scalar_cumulative(const View &dst, const View &src, const ScalarStep &first, Op op1,
                              float *registers, const ChipAssumptions &assumptions);
void tensor_partition_reduce(const View &dst, const View &data, Op op,
                             const ChipAssumptions &assumptions);

} // namespace nki::chip::isa
