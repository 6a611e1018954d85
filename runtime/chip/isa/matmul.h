// TensorE.
#pragma once

#include "chip/poison.h"
#include "chip/view.h"

namespace nki::chip::isa {

/// dst[m, n] (+)= sum over k of stationary[k, m] * moving[k, n], k in order, fused multiply-adds in
/// fp32 (assumption 13). `rows_per_partition` is 2 in double-row mode, where a partition holds two
/// values of k one after the other. `overwrite` flags elements of dst where nothing is accumulated.
void nc_matmul(const View &dst, const View &stationary, const View &moving, int rows_per_partition,
               bool accumulate, const PoisonFlags &overwrite);

/// The same for microscaling formats: k = 4 times the partition plus the place in the x4 element.
void nc_matmul_mx(const View &dst, const View &stationary, const View &moving,
                  const View &stationary_scale, const View &moving_scale, bool accumulate,
                  const PoisonFlags &overwrite);

} // namespace nki::chip::isa
