// TensorE.
#pragma once

#include "chip/poison.h"
#include "chip/view.h"

namespace nki::chip::isa {

/// dst[m, n] (+)= sum over k of stationary[k, m] * moving[k, n], k in order, fp32 (assumption 10).
/// `overwrite` has one flag per element of dst: where nothing is accumulated.
void nc_matmul(const View &dst, const View &stationary, const View &moving, bool accumulate,
               const PoisonFlags &overwrite);

} // namespace nki::chip::isa
