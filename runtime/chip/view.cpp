#include "chip/view.h"

namespace nki::chip {

Pattern coalesce(std::span<const Dim> dims, int64_t element_bytes) {
  std::array<Dim, Pattern::kMaxRank> reversed{};
  size_t rank = 0;
  for (size_t i = dims.size(); i-- > 0;) {
    Dim dim{dims[i].stride * element_bytes, dims[i].count};
    if (dim.count == 1)
      continue;
    if (rank > 0 && dim.stride == reversed[rank - 1].stride * reversed[rank - 1].count)
      reversed[rank - 1].count *= dim.count;
    else
      reversed[rank++] = dim;
  }
  if (rank == 0)
    reversed[rank++] = {element_bytes, 1};
  Pattern pattern;
  pattern.rank = int(rank);
  for (size_t i = 0; i < rank; ++i)
    pattern.dims[i] = reversed[rank - 1 - i];
  return pattern;
}

View view_of(const Tensor &tensor) {
  Storage *storage = tensor.storage().get();
  View view;
  view.type = tensor.dtype();
  view.storage = storage;
  view.offset_bytes = tensor.offset_bytes();
  view.start_partition = tensor.start_partition();
  view.base = storage->row(tensor.start_partition()) + tensor.offset_bytes();
  std::span<const Dim> dims = tensor.dims();
  if (storage->on_chip()) {
    view.pitch = storage->pitch;
    view.partitions = dims[0].count;
    dims = dims.subspan(1);
  }
  for (const Dim &dim : dims)
    view.elements *= dim.count;
  view.pattern = coalesce(dims, view.element_bytes());
  return view;
}

} // namespace nki::chip
