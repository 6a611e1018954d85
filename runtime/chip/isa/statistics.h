// Mean and variance per partition (VectorE), in fp32, elements in order.
#pragma once

#include "chip/view.h"

namespace nki::chip::isa {

/// dst[p, :] = count, mean and count times variance of the even elements, then of the odd ones.
void bn_stats(const View &dst, const View &data);
/// dst[p, :] = mean and variance of what (count, mean, count times variance) triples describe.
void bn_aggr(const View &dst, const View &data);

} // namespace nki::chip::isa
