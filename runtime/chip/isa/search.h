// Searches along the free axis (VectorE): values are compared as fp32, NaN equals nothing.
#pragma once

#include "chip/view.h"

namespace nki::chip::isa {

/// The 8 largest values in descending order.
void max8(const View &dst, const View &src);
/// dst[p, j] = where vals[p, j] is in data; a value that is there several times in vals takes its
/// places in data in order. All ones where it is not found.
void nc_find_index8(const View &dst, const View &data, const View &vals);
/// dst = data with the first occurrence of each of vals replaced by `value`; equal vals take
/// occurrences from the last of vals to the first. `places` (null: none) gets the occurrences.
void nc_match_replace8(const View &dst, const View &data, const View &vals, float value,
                       const View *places);

} // namespace nki::chip::isa
