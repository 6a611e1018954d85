#include "chip/view.h"

#include "chip/layout.h"
#include "chip/poison.h"
#include "nki/describe.h"
#include "nki/error.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

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

namespace {

int64_t index_of(const ScalarOffset &offset) {
  if (offset.reg())
    return offset.reg()->value();
  View element = view_of(*offset.element());
  if (begin_read(element))
    require_written("nki", "scalar_offset", element);
  uint32_t bits = 0;
  __builtin_memcpy(&bits, element.base, 4);
  return element.type == DType::int32 ? int64_t(int32_t(bits)) : int64_t(bits);
}

int64_t checked_start(const Tensor &tensor) {
  DynamicStart start = dynamic_start(tensor);
  if (!start.in_bounds)
    throw Error("nki",
                "scalar_offset " + std::to_string(start.index) +
                    " is out of bounds: the indexed dimension has " +
                    std::to_string(tensor.indirection()->count) + " elements",
                describe(tensor));
  return start.offset_bytes;
}

} // namespace

DynamicStart dynamic_start(const Tensor &tensor) {
  const Indirection &indirection = *tensor.indirection();
  DynamicStart start;
  start.index = index_of(indirection.scalar);
  start.offset_bytes = start.index * indirection.stride_bytes;
  int64_t low = tensor.offset_bytes() + start.offset_bytes;
  int64_t high = low + int64_t(size_of(tensor.dtype()));
  std::span<const Dim> dims = tensor.dims();
  for (const Dim &dim : tensor.buffer() == Buffer::hbm ? dims : dims.subspan(1)) {
    int64_t reach = dim.stride * (dim.count - 1) * int64_t(size_of(tensor.dtype()));
    (reach < 0 ? low : high) += reach;
  }
  start.in_bounds = start.index >= 0 && start.index < indirection.count && low >= 0 &&
                    high <= tensor.storage()->row_bytes;
  return start;
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
  if (tensor.has_scalar_offset()) [[unlikely]] {
    int64_t offset = checked_start(tensor);
    view.base += offset;
    view.offset_bytes += offset;
  }
  return view;
}

bool lies_apart(const View &view) {
  std::array<Dim, Pattern::kMaxRank> dims = view.pattern.dims;
  auto end = dims.begin() + view.pattern.rank;
  std::sort(dims.begin(), end,
            [](const Dim &a, const Dim &b) { return std::abs(a.stride) < std::abs(b.stride); });
  int64_t extent = view.element_bytes();
  for (auto dim = dims.begin(); dim != end; ++dim) {
    if (dim->count == 1)
      continue;
    if (std::abs(dim->stride) < extent)
      return false;
    extent += std::abs(dim->stride) * (dim->count - 1);
  }
  return true;
}

bool same_elements(const View &a, const View &b) {
  if (a.base != b.base || a.partitions != b.partitions || a.pattern.rank != b.pattern.rank ||
      a.element_bytes() != b.element_bytes())
    return false;
  for (int d = 0; d < a.pattern.rank; ++d)
    if (a.pattern.dims[size_t(d)].stride != b.pattern.dims[size_t(d)].stride ||
        a.pattern.dims[size_t(d)].count != b.pattern.dims[size_t(d)].count)
      return false;
  return true;
}

namespace {

struct Range {
  int64_t begin, end;
};

/// Where a view starts: in its partition's row, or in HBM.
int64_t place(const View &view) {
  return view.storage->on_chip() ? view.offset_bytes
                                 : int64_t(reinterpret_cast<intptr_t>(view.base));
}

/// The bytes that a pattern spans.
Range hull(const View &view) {
  Range range{place(view), place(view) + view.element_bytes()};
  for (int d = 0; d < view.pattern.rank; ++d) {
    const Dim &dim = view.pattern.dims[size_t(d)];
    int64_t reach = dim.stride * (dim.count - 1);
    (reach < 0 ? range.begin : range.end) += reach;
  }
  return range;
}

} // namespace

namespace {

/// Whether the two views' partitions and byte ranges meet at all.
bool hulls_meet(const View &a, const View &b) {
  if (a.start_partition >= b.start_partition + b.partitions ||
      b.start_partition >= a.start_partition + a.partitions)
    return false;
  Range x = hull(a), y = hull(b);
  return x.begin < y.end && y.begin < x.end;
}

/// The number of the last element of `view` that each byte of its hull belongs to, plus one.
std::vector<int64_t> last_owners(const View &view, const Range &range) {
  std::vector<int64_t> owners(size_t(range.end - range.begin));
  PatternWalk walk(view.pattern);
  for (int64_t i = 0; i < view.elements; ++i, walk.advance())
    for (int64_t byte = 0; byte < view.element_bytes(); ++byte)
      owners[size_t(place(view) + walk.offset() + byte - range.begin)] = i + 1;
  return owners;
}

/// Whether an element i of `a` shares a byte with an element of `b` that comes `after` i.
bool meets(const View &a, const View &b, bool only_after) {
  if (!hulls_meet(a, b))
    return false;
  Range range = hull(b);
  std::vector<int64_t> owners = last_owners(b, range);
  bool same_partitions = a.start_partition == b.start_partition;
  PatternWalk walk(a.pattern);
  for (int64_t i = 0; i < a.elements; ++i, walk.advance())
    for (int64_t byte = 0; byte < a.element_bytes(); ++byte) {
      int64_t at = place(a) + walk.offset() + byte;
      if (at < range.begin || at >= range.end)
        continue;
      int64_t owner = owners[size_t(at - range.begin)];
      if (owner > (only_after && same_partitions ? i + 1 : 0))
        return true;
    }
  return false;
}

} // namespace

bool overwrites_before_read(const View &dst, const View &src) {
  return !same_elements(dst, src) && meets(dst, src, true);
}

bool shares_bytes(const View &a, const View &b) { return meets(a, b, false); }

View scratch_view(float *values, int64_t partitions, int64_t elements) {
  View view;
  view.base = reinterpret_cast<uint8_t *>(values);
  view.partitions = partitions;
  view.elements = elements;
  view.pitch = elements * 4;
  view.pattern.dims[0] = {4, elements};
  return view;
}

} // namespace nki::chip
