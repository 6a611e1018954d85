#include "nki/isa/indirection.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace nki::isa {

namespace {

int64_t load_index(const View &indices, int64_t partition, int64_t offset) {
  uint32_t bits = 0;
  std::memcpy(&bits, indices.row(partition) + offset, size_t(indices.element_bytes()));
  if (indices.type == DType::int32)
    return int32_t(bits);
  return indices.type == DType::int16 ? int64_t(int16_t(bits)) : int64_t(bits);
}

/// Byte offsets of a partition's elements, in order.
std::vector<int64_t> offsets_of(const View &view) {
  std::vector<int64_t> offsets;
  offsets.reserve(size_t(view.elements));
  chip::PatternWalk walk(view.pattern);
  for (int64_t i = 0; i < view.elements; ++i, walk.advance())
    offsets.push_back(walk.offset());
  return offsets;
}

/// One operand that goes through indices, and the direct copy that stands for it.
class IndirectOperand {
public:
  IndirectOperand(const Instruction &in, const char *role, const Tensor &tensor, int group)
      : in_(in), role_(role), indexed_(*tensor.indirection()->indexed),
        index_(*tensor.indirection()->indices), view_(chip::view_of(indexed_)),
        elements_(tensor.shape(1)) {
    check_index_place(tensor);
    read_indices(group);
    copy_ = chip::Storage::temporary(indexed_.buffer(), tensor.dtype(),
                                     tensor.start_partition() + tensor.partitions(),
                                     elements_ * view_.element_bytes(), view_.storage->name);
    const Dim dims[] = {{1, tensor.partitions()}, {1, elements_}};
    direct_ = Tensor(copy_, tensor.dtype(), dims, tensor.start_partition(), 0);
  }

  const Tensor &direct() const { return direct_; }
  const Tensor &index() const { return index_; }
  const Tensor &indexed() const { return indexed_; }

  /// direct = indexed[indices]
  void gather() {
    PoisonFlags source, flags;
    if (chip::begin_read(view_))
      source = chip::poison_of(view_);
    View to = chip::view_of(direct_);
    chip::begin_write(to);
    const std::vector<int64_t> offsets = offsets_of(view_);
    for (int64_t p = 0; p < view_.partitions; ++p)
      for (int64_t i = 0; i < elements_; ++i) {
        int64_t at = index_at(p, i);
        std::memcpy(to.row(p) + i * to.element_bytes(), view_.row(p) + offsets[size_t(at)],
                    size_t(to.element_bytes()));
        if (source.at(p * view_.elements + at))
          flags.set(p * elements_ + i, view_.partitions * elements_);
      }
    chip::end_write(to, flags);
    if (chip::products_of(view_).any())
      copy_products(offsets, to, true);
    copy_->written_at = std::max(view_.storage->written_at, index_.storage()->written_at);
  }
  /// indexed[indices] = direct; of equal indices the last wins.
  void scatter() {
    View from = chip::view_of(direct_);
    PoisonFlags added, flags;
    if (chip::begin_read(from))
      added = chip::poison_of(from);
    std::vector<uint8_t> poison;
    if (chip::begin_read(view_) || added.any())
      poison = flags_of(chip::kept_poison_of(view_));
    chip::begin_write(view_);
    const std::vector<int64_t> offsets = offsets_of(view_);
    for (int64_t p = 0; p < view_.partitions; ++p)
      for (int64_t i = 0; i < elements_; ++i) {
        int64_t at = index_at(p, i);
        std::memcpy(view_.row(p) + offsets[size_t(at)], from.row(p) + i * from.element_bytes(),
                    size_t(from.element_bytes()));
        if (!poison.empty())
          poison[size_t(p * view_.elements + at)] = added.at(p * elements_ + i);
      }
    if (view_.storage->buffer == Buffer::psum)
      copy_products(offsets, from, false);
    if (poison.empty())
      return;
    for (size_t i = 0; i < poison.size(); ++i)
      if (poison[i])
        flags.set(int64_t(i), int64_t(poison.size()));
    chip::end_write(view_, flags);
  }
  /// Where the elements that stay count, each may be met once only.
  void require_unique() const {
    for (int64_t first = 0; first < view_.partitions; first += group_) {
      std::vector<int64_t> seen(indices_.begin() + first / group_ * elements_,
                                indices_.begin() + (first / group_ + 1) * elements_);
      std::sort(seen.begin(), seen.end());
      auto twice = std::adjacent_find(seen.begin(), seen.end());
      if (twice != seen.end())
        in_.fail("dst is added to or kept in part, so that its indices must be unique: " +
                 std::to_string(*twice) + " is there twice");
    }
  }

  // Times of the memory behind the copy.
  void begin_destination() const {
    copy_->written_at = view_.storage->written_at;
    copy_->read_until = view_.storage->read_until;
    copy_->available_at = view_.storage->available_at;
    in_.core().timeline().hold(index_.storage()->written_at);
  }
  void end_source() const {
    view_.storage->read_until = std::max(view_.storage->read_until, copy_->read_until);
    index_.storage()->read_until = std::max(index_.storage()->read_until, copy_->read_until);
  }
  void end_destination() const {
    view_.storage->written_at = view_.storage->settled_at = copy_->written_at;
    view_.storage->landings.clear();
    index_.storage()->read_until = std::max(index_.storage()->read_until, copy_->written_at);
  }

private:
  std::string text(const char *rule) const { return std::string(role_) + rule; }

  void check_index_place(const Tensor &tensor) const {
    if (index_.start_partition() % chip::kQuadrant != 0)
      in_.fail(text(": its index starts at partition " + std::to_string(index_.start_partition()) +
                    ", which is no quadrant boundary (0, 32, 64 or 96)"));
    in_.require(!tensor.indirection()->indexed->is_indirect(), "an indirect view is indexed twice");
  }
  std::string text(const std::string &rule) const { return std::string(role_) + rule; }

  /// Index i of a group is at partition i % group and column i / group of the group.
  void read_indices(int group) {
    group_ = group;
    View from = chip::view_of(index_);
    if (chip::begin_read(from))
      chip::require_written((std::string("nisa.") + in_.name()).c_str(), "the index", from);
    const std::vector<int64_t> columns = offsets_of(from);
    for (int64_t first = 0; first < view_.partitions; first += group)
      for (int64_t i = 0; i < elements_; ++i) {
        int64_t partition = first + i % group, column = i / group;
        if (partition >= from.partitions || column >= from.elements)
          in_.fail(text(": " + std::to_string(elements_) + " indices of a group of " +
                        std::to_string(group) + " partitions do not fit an index tile of " +
                        std::to_string(from.partitions) + " partitions and " +
                        std::to_string(from.elements) + " columns: num_elem must be smaller"));
        int64_t index = load_index(from, partition, columns[size_t(column)]);
        if (index < 0 || index >= view_.elements)
          in_.fail(text(": index " + std::to_string(index) + " is out of bounds: there are " +
                        std::to_string(view_.elements) + " elements per partition"));
        indices_.push_back(index);
      }
  }
  int64_t index_at(int64_t partition, int64_t i) const {
    return indices_[size_t(partition / group_ * elements_ + i)];
  }
  /// Which elements a product wrote last goes with them.
  void copy_products(const std::vector<int64_t> &offsets, const View &direct, bool to_direct) {
    for (int64_t p = 0; p < view_.partitions; ++p)
      for (int64_t i = 0; i < elements_; ++i) {
        View there = element(view_, p, offsets[size_t(index_at(p, i))]);
        View here = element(direct, p, i * direct.element_bytes());
        View &from = to_direct ? there : here, &to = to_direct ? here : there;
        chip::mark_products(to, chip::all_products(from));
      }
  }
  static View element(const View &view, int64_t partition, int64_t offset) {
    View one = view;
    one.base = view.row(partition) + offset;
    one.start_partition += partition;
    one.offset_bytes += offset;
    one.partitions = one.elements = 1;
    one.pattern = {};
    one.pattern.dims[0] = {view.element_bytes(), 1};
    return one;
  }
  std::vector<uint8_t> flags_of(const PoisonFlags &flags) const {
    std::vector<uint8_t> all(size_t(view_.partitions * view_.elements));
    for (size_t i = 0; flags.any() && i < all.size(); ++i)
      all[i] = flags.at(int64_t(i));
    return all;
  }

  const Instruction &in_;
  const char *role_;
  const Tensor &indexed_, &index_;
  View view_;
  int64_t elements_;
  int64_t group_ = 16;
  std::vector<int64_t> indices_; ///< group after group
  std::shared_ptr<chip::Storage> copy_;
  Tensor direct_;
};

/// Where the index tiles of dst and of the sources must start.
void require_places(const Instruction &in, const Tensor &dst,
                    std::initializer_list<Instruction::Argument> sources) {
  for (const Instruction::Argument &source : sources)
    if (through_indices(*source.tensor) &&
        source.tensor->start_partition() !=
            source.tensor->indirection()->indices->start_partition())
      in.fail(std::string(source.role) + " must start at the partition of its index");
  if (!through_indices(dst))
    return;
  const Instruction::Argument &first = *sources.begin();
  const int64_t at = dst.indirection()->indices->start_partition();
  if (first.tensor->buffer() == Buffer::sbuf && at != first.tensor->start_partition())
    in.fail("the index of dst must start at the partition of " + std::string(first.role));
  if (first.tensor->buffer() == Buffer::psum && through_indices(*first.tensor) &&
      at != first.tensor->indirection()->indices->start_partition())
    in.fail("the index of dst must start at the partition of the index of " +
            std::string(first.role));
}

void require_apart(const Instruction &in, const Tensor &dst, const Instruction::Argument &source) {
  auto memory = [](const Tensor &tensor) {
    return chip::view_of(through_indices(tensor) ? *tensor.indirection()->indexed : tensor);
  };
  View to = memory(dst), from = memory(*source.tensor);
  if (to.storage == from.storage && chip::shares_bytes(to, from))
    in.fail("with tensor indirection dst may not lie over " + std::string(source.role));
}

} // namespace

void run_indirectly(const Instruction &in, const IndirectUse &use, const Tensor &dst,
                    std::initializer_list<Instruction::Argument> sources,
                    const std::function<void(const Tensor &, std::span<const Tensor>)> &body) {
  in.require(in.has(Feature::tensor_indirection),
             "tensor indirection exists from NeuronCore-v4 on");
  in.require(!use.scalar || !through_indices(dst) || dst.buffer() != Buffer::psum,
             "ScalarE cannot scatter to PSUM");
  require_places(in, dst, sources);

  std::vector<Tensor> direct;
  std::vector<std::unique_ptr<IndirectOperand>> gathered;
  for (const Instruction::Argument &source : sources) {
    if (*source.tensor)
      require_apart(in, dst, source);
    if (!through_indices(*source.tensor)) {
      direct.push_back(*source.tensor);
      continue;
    }
    gathered.push_back(
        std::make_unique<IndirectOperand>(in, source.role, *source.tensor, use.group));
    gathered.back()->gather();
    direct.push_back(gathered.back()->direct());
  }
  std::optional<IndirectOperand> scattered;
  if (through_indices(dst)) {
    scattered.emplace(in, "dst", dst, use.group);
    if (use.keeps) {
      scattered->require_unique();
      scattered->gather();
    }
    scattered->begin_destination();
  }
  body(scattered ? scattered->direct() : dst, direct);
  for (const auto &source : gathered)
    source->end_source();
  if (scattered) {
    scattered->scatter();
    scattered->end_destination();
  }
}

} // namespace nki::isa
