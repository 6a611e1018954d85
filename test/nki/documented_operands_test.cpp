// Each operand of each instruction with every data type, in every memory, and with sizes that do
// not fit: what the documentation allows runs, everything else is an error of that instruction.

#include "documented_forms.h"

namespace nki::documented {
namespace {

class DocumentedOperands : public ChipTest, public testing::WithParamInterface<Form> {
protected:
  /// The call runs, or throws an error that names the instruction.
  void expect(bool legal, const std::vector<Tensor> &tensors, const std::string &what) {
    try {
      GetParam().call(tensors);
      EXPECT_TRUE(legal) << what << " was accepted";
    } catch (const Error &error) {
      EXPECT_FALSE(legal) << what << ": " << error.what();
      EXPECT_EQ(error.instruction(), std::string("nisa.") + GetParam().instruction) << what;
      EXPECT_FALSE(error.rule().empty());
    }
  }
  /// The legal call with one operand replaced.
  void expect_with(bool legal, size_t index, const Tensor &replacement, const std::string &what) {
    std::vector<Tensor> tensors = make_all(GetParam());
    tensors[index] = replacement;
    expect(legal, tensors, std::string(GetParam().slots[index].role) + " " + what);
  }
  static std::string name_of(Buffer buffer) {
    return buffer == Buffer::sbuf ? "in SBUF" : buffer == Buffer::psum ? "in PSUM" : "in HBM";
  }
};

TEST_P(DocumentedOperands, HaveTheListedTypes) {
  const Form &form = GetParam();
  for (size_t i = 0; i < form.slots.size(); ++i)
    for (DType type : every_type()) {
      const Slot &slot = form.slots[i];
      expect_with(slot.types.contains(type), i,
                  make(slot, type, slot.buffers[0], slot.partitions, slot.elements),
                  "of type " + std::string(nki::name_of(type)));
    }
}

TEST_P(DocumentedOperands, HaveOneTypeWhereTheyMust) {
  const Form &form = GetParam();
  for (DType type : every_type()) {
    std::vector<Tensor> tensors = make_all(form);
    for (size_t i : form.equal) {
      const Slot &slot = form.slots[i];
      tensors[i] = make(slot, type, slot.buffers[0], slot.partitions, slot.elements);
    }
    if (!form.equal.empty())
      expect(form.equal_types.contains(type), tensors,
             "all of type " + std::string(nki::name_of(type)));
  }
}

TEST_P(DocumentedOperands, LieInTheListedMemories) {
  const Form &form = GetParam();
  for (size_t i = 0; i < form.slots.size(); ++i)
    for (Buffer buffer : {Buffer::sbuf, Buffer::psum, Buffer::hbm}) {
      const Slot &slot = form.slots[i];
      const bool legal =
          std::find(slot.buffers.begin(), slot.buffers.end(), buffer) != slot.buffers.end();
      expect_with(legal, i, make(slot, slot.type, buffer, slot.partitions, slot.elements),
                  name_of(buffer));
    }
  if (form.not_both_in_psum.empty())
    return;
  std::vector<Tensor> tensors = make_all(form);
  for (size_t i : form.not_both_in_psum) {
    const Slot &slot = form.slots[i];
    tensors[i] = make(slot, slot.type, Buffer::psum, slot.partitions, slot.elements);
  }
  expect(false, tensors, "both in PSUM");
}

TEST_P(DocumentedOperands, AreThere) {
  const Form &form = GetParam();
  for (size_t i = 0; i < form.slots.size(); ++i)
    expect_with(form.slots[i].optional, i, Tensor(), "absent");
}

TEST_P(DocumentedOperands, FitEachOther) {
  const Form &form = GetParam();
  for (size_t i = 0; i < form.slots.size(); ++i) {
    const Slot &slot = form.slots[i];
    if (slot.partitions > 1)
      expect_with(slot.any_partitions, i,
                  make(slot, slot.type, slot.buffers[0], slot.partitions / 2, slot.elements),
                  "with half the partitions");
    expect_with(slot.any_elements, i,
                make(slot, slot.type, slot.buffers[0], slot.partitions,
                     slot.elements > 1 ? slot.elements / 2 : 2),
                "with another number of elements");
  }
}

TEST_P(DocumentedOperands, StartAtPartitionsThatAnEngineReaches) {
  const Form &form = GetParam();
  const bool has_scales = std::string(form.slots.back().role).ends_with("_scale");
  for (size_t i = 0; i < form.slots.size(); ++i) {
    const Slot &slot = form.slots[i];
    for (int64_t start : {16, 32, 48, 64}) {
      if (slot.buffers[0] == Buffer::hbm || start + slot.partitions > 128)
        continue;
      const bool legal = slot.any_start || start % (slot.partitions > 32 ? 64 : 32) == 0;
      if (legal && has_scales) // which must lie in the quadrant of their data
        continue;
      Tensor whole = make(slot, slot.type, slot.buffers[0], 128, slot.elements);
      expect_with(legal, i, whole.slice(0, start, start + slot.partitions),
                  "from partition " + std::to_string(start));
    }
  }
}

/// The slot's elements in their order, through indices (fewer where the partitions are too few).
Tensor through_indices(const Slot &slot, int64_t group) {
  const Buffer buffer = slot.buffers[0] == Buffer::hbm ? Buffer::sbuf : slot.buffers[0];
  Tensor data = make(slot, slot.type, buffer, slot.partitions, slot.elements);
  const int64_t columns = (slot.elements + group - 1) / group;
  Tensor index = tile(slot.partitions, columns, nl::uint32);
  std::vector<uint32_t> order;
  for (int64_t p = 0; p < slot.partitions; ++p)
    for (int64_t k = 0; k < columns; ++k)
      order.push_back(uint32_t(k * group + p % group));
  put_bits<uint32_t>(index, order);
  return data.indirect(index, std::min(slot.elements, index.size()));
}

TEST_P(DocumentedOperands, GoThroughTensorIndirectionWhereListed) {
  const Form &form = GetParam();
  for (size_t i = 0; i < form.slots.size(); ++i)
    expect_with(form.slots[i].indirect, i, through_indices(form.slots[i], form.index_group),
                "through indices");
  if (form.from > 3)
    return;
  chip::Core older(chip::generation("trn2"), hbm);
  CoreScope on(older);
  for (size_t i = 0; i < form.slots.size(); ++i)
    expect_with(false, i, through_indices(form.slots[i], form.index_group),
                "through indices on NeuronCore-v3");
}

std::string name_of(const testing::TestParamInfo<Form> &info) {
  std::string name = std::string(info.param.instruction) + "_" + info.param.form;
  for (char &c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, DocumentedOperands, testing::ValuesIn(forms()), name_of);

} // namespace
} // namespace nki::documented
