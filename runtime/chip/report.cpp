#include "chip/report.h"

#include <cstdio>

namespace nki::chip {

namespace {

/// With a prefix of a thousand and three digits: "16.8 MB".
std::string amount(double value, const char *unit) {
  static constexpr const char *prefixes[] = {"", "k", "M", "G", "T", "P"};
  size_t i = 0;
  for (; value >= 1000 && i + 1 < std::size(prefixes); ++i)
    value /= 1000;
  char text[48];
  std::snprintf(text, sizeof text, "%.3g %s%s", value, prefixes[i], unit);
  return text;
}

std::string percent(double part) {
  char text[16];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * part);
  return text;
}

std::string microseconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f us", seconds * 1e6);
  return text;
}

/// TensorE's FLOPs per second: one multiply-add per element of the array and cycle.
double peak_flops(const Generation &generation) {
  return 2.0 * kPartitions * kPartitions * generation.tensor_hz;
}

} // namespace

Utilisation utilisation(const Summary &summary, const Generation &generation) {
  Utilisation result;
  const double share = generation.hbm_bytes_per_second / generation.cores;
  result.ridge = peak_flops(generation) / share;
  if (summary.seconds <= 0)
    return result;
  for (size_t i = 0; i < result.busy.size(); ++i)
    result.busy[i] = summary.busy[i] / summary.seconds;
  result.hbm = double(summary.hbm_bytes) / summary.seconds / share;
  result.mfu = summary.flops / summary.seconds / peak_flops(generation);
  if (summary.hbm_bytes > 0)
    result.intensity = summary.flops / double(summary.hbm_bytes);
  return result;
}

std::string report(const Timeline &timeline, const Generation &generation) {
  const Summary &summary = timeline.summary();
  const Utilisation use = utilisation(summary, generation);
  std::string text = microseconds(summary.seconds) + " predicted for one core of " +
                     generation.name + ", " + std::to_string(summary.instructions) +
                     " instructions\nbusy: ";
  for (int unit = 0; unit < kUnits; ++unit)
    text += (unit ? ", " : "") + std::string(name_of(Unit(unit))) + " " +
            percent(use.busy[size_t(unit)]);
  text += "\nmoved: " + amount(double(summary.dma_bytes), "B") + " by DMA, " +
          amount(double(summary.hbm_bytes), "B") + " of them in HBM (" + percent(use.hbm) +
          " of the core's share)\ncomputed: " + amount(summary.flops, "FLOP") +
          " in products (MFU " + percent(use.mfu) + ")\n";
  if (summary.flops > 0 && summary.hbm_bytes > 0)
    text +=
        "roofline: " + amount(use.intensity, "FLOP") + " per byte, the ridge is at " +
        amount(use.ridge, "FLOP") +
        (use.intensity < use.ridge ? ": under the memory's roof\n" : ": under TensorE's roof\n");
  const std::string bound = summary.bound(generation.hbm_bytes_per_second / generation.cores);
  if (!bound.empty())
    text += "bound by: " + bound + "\n";
  const std::string path = timeline.critical_path();
  if (!path.empty())
    text += "critical path: " + path + "\n";
  return text;
}

} // namespace nki::chip
