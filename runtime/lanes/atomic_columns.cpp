// Atomics on words of device memory that the chip names, or that lanes share in no simple way.
//
// 128 lanes at a time, in lane order, on partitions: an indirect DMA takes one index per partition.
// Comparing the index of each with those of all 128 tells which lanes meet. What they contribute is
// combined per lane twice, over all lanes that meet and over those before it, so that each lane
// knows the word's final value and the one it found. All of them write the final value.
#include "lanes/atomic_lanes.h"
#include "lanes/atomic_places.h"

#include "lanes/math_tiles.h"
#include "lanes/ops.h"

#include <algorithm>

namespace nki::atomics {

namespace {

constexpr int64_t kColumns = 8; // columns that are compared together

} // namespace

Tensor meetings(const Lanes &lanes, const Tensor &index, int64_t first, int64_t columns) {
  Tensor others = lanes.everywhere(first, columns), meet = tiles::like(others, DType::uint32);
  nisa::tensor_tensor(grouped(meet, columns), grouped(others, columns),
                      repeated(index, lanes.height()), nl::equal);
  return meet;
}

Tensor earlier(const Tensor &meet, int64_t columns) {
  // 1 where a lane of the row comes before the partition's.
  int64_t height = meet.partitions();
  Tensor distance = nl::ndarray({height, height}, DType::int32);
  Tensor before = nl::ndarray({height, height}, DType::uint32);
  nisa::iota(distance, {{1, height}}, 0, -1);
  nisa::tensor_scalar(before, distance, nl::less, 0.0f);
  Tensor result = tiles::like(meet, DType::uint32);
  nisa::tensor_tensor(grouped(result, columns), grouped(meet, columns), per_group(before, columns),
                      nl::bitwise_and);
  return result;
}

namespace {

class Columns {
public:
  Columns(const Request &request, const global::Indexed &indexed, const Tensor &old)
      : request_(request), memory_(indexed.memory), old_(old), index_(indexed.index, ~0u),
        height_(index_.height()) {
    if (request.value.tile)
      value_.emplace(words(request.value, indexed.index), 0);
    if (request.compare.tile)
      compare_.emplace(words(request.compare, indexed.index), 0);
    if (old)
      found_.emplace(indexed.index, 0);
  }

  void run() {
    for (int64_t first = 0; first < index_.columns(); first += kColumns)
      run(first, std::min(kColumns, index_.columns() - first));
    if (found_)
      found_->take(old_);
  }

private:
  /// The operands of the lanes of some columns, in every partition.
  Request everywhere(int64_t first, int64_t columns) const {
    Request request = request_;
    if (value_)
      request.value = value_->everywhere(first, columns);
    if (compare_)
      request.compare = compare_->everywhere(first, columns);
    return request;
  }
  Request on_partitions(int64_t first, int64_t columns) const {
    Request request = request_;
    if (value_)
      request.value = value_->on_partitions(first, columns);
    if (compare_)
      request.compare = compare_->on_partitions(first, columns);
    return request;
  }

  Tensor read(const Tensor &index) const {
    Tensor word = nl::ndarray({height_, 1}, DType::int32);
    nisa::memset(word, 0);
    Dim pattern[] = {{0, height_}, {1, 1}};
    nisa::dma_copy(word, memory_.ap_indirect(pattern, index), nisa::oob_mode::skip);
    return word;
  }
  void write(const Tensor &index, const Tensor &word) const {
    Dim pattern[] = {{0, height_}, {1, 1}};
    nisa::dma_copy(memory_.ap_indirect(pattern, index), word, nisa::oob_mode::skip);
  }

  void run(int64_t first, int64_t columns) {
    Tensor index = index_.on_partitions(first, columns);
    Tensor meet = meetings(index_, index, first, columns), before;
    if (found_ || (!combines(request_) && request_.op != Atomic::compare_swap))
      before = earlier(meet, columns);
    Tensor found = nl::ndarray({height_, columns}, DType::int32);
    if (request_.op == Atomic::compare_swap)
      swap(index, meet, before, found, first, columns);
    else if (!combines(request_))
      in_rounds(index, before, found, first, columns);
    else if (is_float_sum(request_.op))
      sum_floats(index, meet, before, found, first, columns);
    else
      combined(index, meet, before, found, first, columns);
    if (found_)
      found_->put(found, first);
  }

  void combined(const Tensor &index, const Tensor &meet, const Tensor &before, const Tensor &found,
                int64_t first, int64_t columns) {
    Combine combine = combine_of(request_.op);
    Request request = everywhere(first, columns);
    Tensor items = contributions(request, meet), values = words(request.value, meet);
    auto sum_over = [&](const Tensor &lanes) {
      return combine_groups(combine, masked(items, lanes, combine.identity), columns, height_);
    };
    Tensor all = sum_over(meet), some;
    if (found_)
      some = sum_over(before);
    for (int64_t c = 0; c < columns; ++c) {
      Tensor rows = tiles::column(index, c), word = read(rows);
      Tensor next = tiles::like(word, DType::int32);
      finish(request, next, word, tiles::column(all, c), values);
      write(rows, next);
      if (found_)
        finish(request, tiles::column(found, c), word, tiles::column(some, c), values);
    }
  }

  void sum_floats(const Tensor &index, const Tensor &meet, const Tensor &before,
                  const Tensor &found, int64_t first, int64_t columns) {
    Tensor items = addends(everywhere(first, columns), meet), earlier_items;
    Tensor all = masked(items, meet, kNegativeZero);
    if (found_)
      earlier_items = masked(items, before, kNegativeZero);
    Tensor sums = nl::ndarray({height_, height_}, DType::int32);
    Stretch column{0, height_};
    for (int64_t c = 0; c < columns; ++c, column.first += height_) {
      Tensor rows = tiles::column(index, c), word = read(rows);
      float_sums(sums, cut(all, column), word);
      write(rows, tiles::column(sums, height_ - 1));
      if (!found_)
        continue;
      float_sums(sums, cut(earlier_items, column), word);
      nisa::tensor_copy(tiles::column(found, c), tiles::column(sums, height_ - 1));
    }
  }

  void swap(const Tensor &index, const Tensor &meet, const Tensor &before, const Tensor &found,
            int64_t first, int64_t columns) {
    Request request = everywhere(first, columns);
    Tensor values = words(request.value, meet), compares = words(request.compare, meet);
    Stretch column{0, height_};
    for (int64_t c = 0; c < columns; ++c, column.first += height_) {
      Tensor rows = tiles::column(index, c), word = read(rows);
      auto after = [&](const Tensor &lanes) {
        Tensor result = tiles::like(word, DType::int32);
        nisa::tensor_copy(result, word);
        swap_rows(result, {}, cut(values, column), cut(compares, column), cut(lanes, column));
        return result;
      };
      write(rows, after(meet));
      if (found_)
        nisa::tensor_copy(tiles::column(found, c), after(before));
    }
  }

  /// One lane per word at a time: those with no lane before them, then those with one, …
  void in_rounds(const Tensor &index, const Tensor &before, const Tensor &found, int64_t first,
                 int64_t columns) {
    Tensor rank = combine_groups(combine_of(Atomic::add), before, columns, height_);
    Tensor is_live = tiles::like(index, DType::uint32);
    nisa::tensor_scalar(is_live, index, nl::greater_equal, 0.0f);
    nisa::tensor_tensor(rank, rank, tiles::as(is_live, DType::int32), nl::multiply);
    Request request = on_partitions(first, columns);
    auto at = [](const Word &word, int64_t c) {
      return word.tile ? Word(tiles::column(word.tile, c)) : word;
    };
    nisa::memset(found, 0);
    for (int64_t c = 0; c < columns; ++c) {
      Tensor ranks = tiles::column(rank, c), turn = tiles::like(ranks, DType::uint32);
      Tensor rows = tiles::like(ranks, DType::int32), next = tiles::like(ranks, DType::int32);
      int32_t last = math::trip_count(ranks);
      for (int32_t round = 0; round <= last; ++round) {
        nisa::tensor_scalar(turn, ranks, nl::equal, float(round));
        nisa::memset(rows, -1);
        nisa::tensor_copy_predicated(rows, tiles::column(index, c), turn);
        Tensor word = read(rows);
        apply(request_.op, next, word, at(request.value, c), at(request.compare, c));
        write(rows, next);
        nisa::tensor_copy_predicated(tiles::column(found, c), word, turn);
      }
    }
  }

  Request request_;
  Tensor memory_, old_;
  Lanes index_;
  std::optional<Lanes> value_, compare_, found_;
  int64_t height_;
};

} // namespace

void update_columns(const Request &request, const global::Indexed &indexed, const Tensor &old) {
  Columns(request, indexed, old).run();
}

} // namespace nki::atomics
