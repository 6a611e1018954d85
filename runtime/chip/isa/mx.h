// OCP microscaling formats: 8 partitions by 4 adjacent elements share a power of two as scale.
#pragma once

#include "chip/view.h"

#include <cstdint>

namespace nki::chip::isa {

/// Partitions of a scaling group, and elements of it in each.
inline constexpr int64_t kGroupPartitions = 8, kGroupElements = 4;

/// Where the scales of data partitions [8 group, 8 group + 8) lie: four rows in each quadrant.
inline int64_t scale_partition(int64_t group) { return group / 4 * 32 + group % 4; }

/// dst (x4) = src / scale, scales = 2^(floor(log2 of the group's largest magnitude) - (Emax - 1)).
void quantize_mx(const View &dst, const View &src, const View &scales);

/// out[(4 p + j) * columns + c] = element j of data[p, c] times its scale, in fp32.
void dequantize_mx(float *out, const View &data, const View &scales);

} // namespace nki::chip::isa
