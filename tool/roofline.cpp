#include "assessment.h"
#include "table.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

namespace neuronify::tool {

namespace {

// The plane: both axes are logarithmic, in powers of ten.
constexpr double left = 70, top = 20, width = 620, height = 340;
constexpr double x_first = -3, x_last = 3, y_first = -4, y_last = 0;

double x_of(double ratio) {
  const double power = std::clamp(std::log10(ratio), x_first, x_last);
  return left + (power - x_first) / (x_last - x_first) * width;
}

double y_of(double share) {
  const double power = std::clamp(std::log10(share), y_first, y_last);
  return top + (y_last - power) / (y_last - y_first) * height;
}

std::string label(double x, double y, const char *anchor, const std::string &text) {
  return llvm::formatv("<text x=\"{0:f1}\" y=\"{1:f1}\" text-anchor=\"{2}\">{3}</text>\n", x, y,
                       anchor, text);
}

std::string line(double x1, double y1, double x2, double y2, const char *kind) {
  return llvm::formatv(
      "<line x1=\"{0:f1}\" y1=\"{1:f1}\" x2=\"{2:f1}\" y2=\"{3:f1}\" class=\"{4}\"/>\n", x1, y1, x2,
      y2, kind);
}

std::string axes() {
  std::string out;
  for (double power = x_first; power <= x_last; ++power) {
    const double x = left + (power - x_first) / (x_last - x_first) * width;
    out += line(x, top, x, top + height, "grid");
    char text[16];
    std::snprintf(text, sizeof text, "%g", std::pow(10.0, power));
    out += label(x, top + height + 16, "middle", text);
  }
  for (double power = y_first; power <= y_last; ++power) {
    const double y = top + (y_last - power) / (y_last - y_first) * height;
    out += line(left, y, left + width, y, "grid");
    char text[16];
    std::snprintf(text, sizeof text, "%g %%", 100 * std::pow(10.0, power));
    out += label(left - 6, y + 4, "end", text);
  }
  out += label(left + width / 2, top + height + 36, "middle",
               "time of the busiest compute engine / time of the bytes moved");
  out += llvm::formatv("<text transform=\"translate(16 {0:f1}) rotate(-90)\" "
                       "text-anchor=\"middle\">use of that engine</text>\n",
                       top + height / 2);
  return out;
}

/// Engine full on the right, memory full on the slope.
std::string roofs() {
  return line(x_of(std::pow(10.0, x_first)), y_of(std::pow(10.0, x_first)), x_of(1), y_of(1),
              "roof") +
         line(x_of(1), y_of(1), left + width, y_of(1), "roof");
}

std::string point(const AssessedKernel &kernel) {
  const Measured &measured = kernel.measured;
  const double share = measured.engine_busy / measured.predicted;
  const double ratio =
      measured.hbm_busy > 0 ? measured.engine_busy / measured.hbm_busy : std::pow(10.0, x_last);
  const char *kind = measured.bound == "latency"                          ? "latency"
                     : measured.bound == "DMA" || measured.bound == "HBM" ? "memory"
                                                                          : "engine";
  return llvm::formatv("<circle cx=\"{0:f1}\" cy=\"{1:f1}\" r=\"5\" class=\"{2}\"><title>{3}: {4}, "
                       "bound: {5}</title></circle>\n",
                       x_of(std::max(ratio, 1e-9)), y_of(std::max(share, 1e-9)), kind,
                       escape(kernel.name), print_seconds(measured.predicted),
                       escape(measured.bound));
}

} // namespace

std::string roofline(const std::vector<const AssessedKernel *> &kernels) {
  std::string points;
  for (const AssessedKernel *kernel : kernels)
    if (kernel->measured.predicted > 0)
      points += point(*kernel);
  if (points.empty())
    return "";
  return llvm::formatv("<svg viewBox=\"0 0 {0:f0} {1:f0}\" role=\"img\" "
                       "aria-label=\"Kernels against the roofline\">\n",
                       left + width + 20, top + height + 50)
             .str() +
         axes() + roofs() + points + "</svg>\n";
}

} // namespace neuronify::tool
