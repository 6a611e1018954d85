// How the kernel sources put their entries into the table of their copy.
#pragma once

#include "chip/kernels/kernels.h"
#include "chip/kernels/target.h"

namespace nki::chip {
inline namespace NEURONIFY_TARGET {

void fill_element_wise(Kernels &table);
void fill_power(Kernels &table); ///< after fill_element_wise
void fill_activations(Kernels &table);
void fill_conversions(Kernels &table);
void fill_rows(Kernels &table);
void fill_matrix(Kernels &table);
void fill_random(Kernels &table);
void fill_microscaling(Kernels &table);

/// This copy's table.
const Kernels &target_kernels();

} // namespace NEURONIFY_TARGET
} // namespace nki::chip
