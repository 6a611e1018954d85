// How the elements of views lie.
#pragma once

#include "chip/view.h"

namespace nki::chip {

/// Whether all elements of a partition lie apart, so that reading a view back gives what was
/// written. A destination whose pattern repeats (a stride of 0) keeps the last element only.
bool lies_apart(const View &view);
/// Whether two views are the same elements in the same order.
bool same_elements(const View &a, const View &b);

} // namespace nki::chip
