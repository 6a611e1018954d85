// Moving tiles: copies, constants, predicated copies, shuffles, transposes.
#pragma once

#include "chip/generations.h"
#include "chip/isa/operand.h"

#include <span>

namespace nki::chip::isa {

/// Copies bytes that do not overlap. Rows of a tile out of order are faster by whole vectors than
/// by the host's memcpy.
void copy_row(uint8_t *to, const uint8_t *from, size_t bytes);
/// Equal types bit for bit, different ones through fp32.
void tensor_copy(const View &dst, const View &src);
/// `value` is exact in a double; floats are rounded to dst's type, integers keep their low bits.
void memset(const View &dst, double value);
/// dst = src where (predicate != 0) != reverse; bit for bit.
void tensor_copy_predicated(const View &dst, const View &src, const View &predicate, bool reverse);
void tensor_copy_predicated(const View &dst, float src, const View &predicate, bool reverse);
/// dst partition i = src partition mask[i % 32] of the same quadrant; 255 leaves it alone.
void nc_stream_shuffle(const View &dst, const View &src, std::span<const int> mask);
/// dst[f, p] = data[p, f], bit for bit.
void nc_transpose(const View &dst, const View &data);

} // namespace nki::chip::isa
