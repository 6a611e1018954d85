// A predicted time in words: what was busy, how much was moved and computed, and what it waited
// for.
#pragma once

#include "chip/generations.h"
#include "chip/timeline.h"

#include <string>

namespace nki::chip {

/// Figures that people compare between kernels, from a summary of one core.
struct Utilisation {
  std::array<double, kUnits> busy{}; ///< part of the time that each unit works
  double hbm = 0;                    ///< of the core's share of the HBM bandwidth
  double mfu = 0;                    ///< FLOPs of products over TensorE's peak for bfloat16
  double intensity = 0;              ///< FLOPs per byte of HBM; 0 without transfers
  double ridge = 0;                  ///< the intensity from which on TensorE bounds
};
Utilisation utilisation(const Summary &summary, const Generation &generation);

/// Lines of text: time, units, bytes, FLOPs, the place in the roofline and, where the timeline has
/// traced, the critical path. Ends with a newline.
std::string report(const Timeline &timeline, const Generation &generation);

} // namespace nki::chip
