#include "chip/kernels/tables.h"

namespace nki::chip {
inline namespace NEURONIFY_TARGET {

const Kernels &target_kernels() {
  static const Kernels table = [] {
    Kernels filled{};
    fill_element_wise(filled);
    fill_power(filled);
    fill_activations(filled);
    fill_conversions(filled);
    fill_rows(filled);
    fill_matrix(filled);
    fill_random(filled);
    fill_microscaling(filled);
    return filled;
  }();
  return table;
}

} // namespace NEURONIFY_TARGET
} // namespace nki::chip
