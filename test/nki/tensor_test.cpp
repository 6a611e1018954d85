// Views: which elements they name, and which ones cannot be made.

#include "chip_for_test.h"

namespace nki {
namespace {

class TensorViews : public ChipTest {
protected:
  Tensor counting(std::initializer_list<int64_t> shape, Buffer buffer = nl::sbuf) {
    Tensor a = nl::ndarray(shape, nl::float32, buffer);
    std::vector<float> values;
    for (int64_t i = 0; i < a.size(); ++i)
      values.push_back(float(i));
    put(a, values);
    return a;
  }
};

TEST_F(TensorViews, SlicesSelectsAndPermutes) {
  Tensor a = counting({4, 3, 5});
  EXPECT_EQ(get(a.slice(0, 1, 3).slice(2, 1, 5, 3)),
            (std::vector<float>{16, 19, 21, 24, 26, 29, 31, 34, 36, 39, 41, 44}));
  EXPECT_EQ(get(a.select(1, 2).slice(0, 3, 4)), (std::vector<float>{55, 56, 57, 58, 59}));
  EXPECT_EQ(a.select(0, 1).ndim(), 3) << "the partition dimension stays";
  EXPECT_EQ(get(a.permute({0, 2, 1}).slice(0, 0, 1)).at(1), 5.0f);
  EXPECT_EQ(get(a.slice(1, 0, 1).broadcast(1, 2).slice(0, 0, 1)),
            (std::vector<float>{0, 1, 2, 3, 4, 0, 1, 2, 3, 4}));
}

TEST_F(TensorViews, ReshapesWhatIsOneRun) {
  Tensor a = counting({4, 6, 10});
  EXPECT_EQ(get(a.reshape({4, 60})), get(a));
  EXPECT_EQ(get(a.reshape({4, 3, 2, 5, 2})), get(a));
  EXPECT_EQ(get(a.slice(2, 0, 4).reshape({4, 3, 2, 4})), get(a.slice(2, 0, 4)));
  EXPECT_EQ(get(a.slice(2, 0, 8).reshape({4, 6, 2, 4})), get(a.slice(2, 0, 8)));
  EXPECT_EQ(get(a.reshape({4, 1, 60, 1})), get(a));
  EXPECT_RULE(a.slice(2, 0, 4).reshape({4, 24}), "layout");
  EXPECT_RULE(a.reshape({2, 120}), "partition dimension");
  Tensor h = counting({4, 6}, nl::hbm);
  EXPECT_EQ(get(h.reshape({2, 12})), get(h));
  EXPECT_RULE(h.permute({1, 0}).reshape({24}), "layout");
}

TEST_F(TensorViews, AccessPatternsCountThroughTheAllocation) {
  Tensor a = counting({4, 10});
  EXPECT_EQ(get(a.ap({{10, 2}, {3, 3}}, 21)), (std::vector<float>{21, 24, 27, 31, 34, 37}));
  EXPECT_EQ(get(a.slice(1, 2, 6).ap({{10, 1}, {1, 2}})), (std::vector<float>{2, 3}));
  EXPECT_EQ(a.ap({{20, 4}, {1, 20}}, 0, nl::bfloat16).size(), 80);
  EXPECT_RULE(a.ap({{20, 2}, {1, 10}}), "steps over partitions");
  EXPECT_RULE(a.ap({{10, 4}, {1, 11}}), "reaches bytes");
  EXPECT_RULE(a.ap({{10, 4}, {1, 10}}, 10), "are not in the allocation");
  Tensor h = counting({40}, nl::hbm);
  EXPECT_EQ(get(h.ap({{-1, 3}}, 39)), (std::vector<float>{39, 38, 37}));
  EXPECT_RULE(h.ap({{-1, 3}}, 1), "reaches bytes");
}

TEST_F(TensorViews, ReinterpretsBytes) {
  Tensor a = tile_of({1.0f, -2.0f}, 3, 2);
  EXPECT_EQ(get_bits(a.view(nl::uint16)).at(1), 0x3f80u);
  EXPECT_EQ(get_bits(a.view(nl::uint8).view(nl::int32)).at(1), 0xc0000000u);
  EXPECT_RULE(a.view(nl::uint8).slice(1, 0, 6).view(nl::float32), "whole number");
  EXPECT_RULE(a.view(nl::uint8).slice(1, 1, 5).view(nl::float32), "multiple of the element size");
}

TEST_F(TensorViews, TilesFreeTheirSpaceWithTheirLastView) {
  int64_t before = core.used(nl::sbuf);
  {
    Tensor view;
    {
      Tensor a = tile(128, 100);
      EXPECT_EQ(core.used(nl::sbuf), before + 400);
      view = a.slice(1, 0, 1);
    }
    EXPECT_EQ(core.used(nl::sbuf), before + 400);
  }
  EXPECT_EQ(core.used(nl::sbuf), before);
  EXPECT_EQ(core.peak(nl::sbuf), before + 400);
}

TEST_F(TensorViews, CapacityIsPerPartitionAndSaysTheSizes) {
  Tensor most = tile(1, 60000);
  EXPECT_RULE(tile(128, 6000),
              "needs 24000 bytes per partition, 240000 of 262144 are in use on trn3");
  Tensor psum = nl::ndarray({128, 4096}, nl::float32, nl::psum);
  EXPECT_RULE(nl::ndarray({1, 1}, nl::float32, nl::psum), "PSUM is full");
}

TEST_F(TensorViews, ShapesThatDoNotExist) {
  EXPECT_RULE(tile(129, 1), "at most 128 partitions");
  EXPECT_RULE(tile(128, 0), "at least one element");
  EXPECT_RULE(nl::ndarray({1, int64_t(1) << 62}, nl::float32), "overflows");
  EXPECT_RULE(tile(4, 4).slice(1, 2, 2), "start < end");
  EXPECT_RULE(tile(4, 4).slice(0, 0, 4, 2), "no stride");
  EXPECT_RULE(tile(4, 4).select(1, 4), "outside");
  EXPECT_RULE(tile(4, 4).broadcast(1, 3), "not size 1");
}

TEST_F(TensorViews, ViewsThatDoNotExist) {
  Tensor a = tile(4, 16), h = nl::ndarray({4, 4}, nl::float32, nl::hbm);
  EXPECT_RULE(a.slice(2, 0, 1), "no dimension 2");
  EXPECT_RULE(a.select(-1, 0), "no dimension -1");
  EXPECT_RULE(a.reshape({4, 15}), "number of elements");
  EXPECT_RULE(a.permute({0, 0}), "not a permutation");
  EXPECT_RULE(a.permute({1, 0}), "partition dimension stays first");
  EXPECT_RULE(a.slice(0, 0, 1).broadcast(0, 4), "cannot be broadcast");
  EXPECT_RULE(a.expand_dim(0), "partition dimension stays first");
  EXPECT_RULE(a.expand_dim(3), "no room");
  EXPECT_RULE(a.ap({}), "1 to 6 levels");
  EXPECT_RULE(a.ap({{16, 4}, {1, 1}}, -1), "offset is negative");
  Tensor bytes = tile(4, 15, nl::uint8).reshape({4, 5, 3});
  EXPECT_RULE(bytes.slice(2, 0, 2).view(nl::uint16), "no multiple of the new element size");
  EXPECT_RULE(nl::ndarray({1, 1, 1, 1, 1, 1, 1}, nl::float32), "1 to 6 dimensions");
  Tensor column = nl::ndarray({4, 1}, nl::uint32);
  Dim levels[7] = {{1, 4}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}};
  EXPECT_RULE(h.ap_indirect(levels, column), "1 to 6 levels");
  chip::Hbm small(1000);
  EXPECT_RULE(small.allocate(2000), "out of memory");
}

TEST_F(TensorViews, DeviceMemoryKnowsItsAllocations) {
  auto *memory = static_cast<char *>(hbm.allocate(100));
  EXPECT_EQ(hbm.find(memory + 99)->base, memory);
  EXPECT_FALSE(hbm.find(memory + 100).has_value());
  EXPECT_EQ(hbm_tensor(memory + 4, 96, nl::float32).size(), 24);
  EXPECT_RULE(hbm_tensor(memory + 4, 100, nl::float32), "not inside the allocation of 100 bytes");
  EXPECT_RULE(hbm_tensor(memory + 2, 8, nl::float32), "multiple of the element size");
  EXPECT_RULE(hbm_tensor(memory, 10, nl::float32), "whole number");
  hbm.release(memory);
  EXPECT_RULE(hbm_tensor(memory, 4, nl::float32), "not in device memory");
  EXPECT_RULE(hbm.release(memory), "not the start of a live allocation");
  EXPECT_NE(hbm.allocate(0), hbm.allocate(0));
}

class Views : public ChipTest {
protected:
  static Tensor counted(std::initializer_list<int64_t> shape, Buffer buffer = nl::sbuf) {
    Tensor tensor = nl::ndarray(shape, nl::float32, buffer);
    std::vector<float> values;
    for (int64_t i = 0; i < tensor.size(); ++i)
      values.push_back(float(i));
    put(tensor, values);
    return tensor;
  }
  static std::vector<int64_t> shape_of(const Tensor &tensor) {
    std::vector<int64_t> shape;
    for (int d = 0; d < tensor.ndim(); ++d)
      shape.push_back(tensor.shape(d));
    return shape;
  }
  using Shape = std::vector<int64_t>;
};

TEST_F(Views, SplitAndMergeDimensions) {
  Tensor a = counted({2, 24});
  Tensor split = a.reshape_dim(1, Shape{4, -1});
  EXPECT_EQ(shape_of(split), (Shape{2, 4, 6}));
  EXPECT_EQ(get(split.select(1, 2))[1], 13.0f);
  EXPECT_EQ(shape_of(split.flatten_dims(1, 2)), (Shape{2, 24}));
  EXPECT_EQ(get(split.flatten_dims(1, 2)), get(a));
  EXPECT_EQ(shape_of(split.slice(1, 0, 1).squeeze_dim(1)), (Shape{2, 6}));
  EXPECT_EQ(shape_of(a.reshape_dim(0, Shape{2})), (Shape{2, 24}));
  // A split of a dimension with a stride.
  Tensor odd = a.slice(1, 1, 24, 2).reshape_dim(1, Shape{3, 4});
  EXPECT_EQ(get(odd)[5], 11.0f);
  Tensor memory = counted({6, 4}, nl::hbm);
  EXPECT_EQ(shape_of(memory.reshape_dim(0, Shape{-1, 3})), (Shape{2, 3, 4}));

  EXPECT_RULE(a.reshape_dim(0, Shape{1, 2}), "dimension 0");
  EXPECT_RULE(memory.reshape_dim(0, Shape{1, 1, 1, 1, 1, 1, 1, 6}), "a view has at most");
  EXPECT_RULE(split.flatten_dims(2, 1), "start comes before end");
  EXPECT_RULE(nl::ndarray({1}, nl::float32, nl::hbm).squeeze_dim(0), "at least one dimension");
  EXPECT_RULE(memory.rearrange({{"a", "b"}, {}}, {{"a"}, {"b"}}), "without a name");
  EXPECT_RULE(a.reshape_dim(1, Shape{5, -1}), "the sizes must make 24");
  EXPECT_RULE(a.reshape_dim(1, Shape{-1, -1}), "one of them may be -1");
  EXPECT_RULE(a.reshape_dim(1, Shape{0, 24}), "1 and more");
  EXPECT_RULE(a.reshape_dim(2, Shape{24}), "no dimension 2");
  EXPECT_RULE(a.squeeze_dim(1), "has not size 1");
  EXPECT_RULE(a.slice(0, 0, 1).squeeze_dim(0), "dimension 0");
  EXPECT_RULE(a.flatten_dims(0, 1), "dimension 0");
  EXPECT_RULE(split.permute({0, 2, 1}).flatten_dims(1, 2), "do not follow each other");
}

TEST_F(Views, RearrangeByNames) {
  Tensor a = counted({2, 24});
  Tensor turned = a.rearrange({{"b"}, {"h", "w"}}, {{"b"}, {"w"}, {"h"}}, {{"h", 4}});
  EXPECT_EQ(shape_of(turned), (Shape{2, 6, 4}));
  std::vector<float> values = get(turned);
  for (int64_t w = 0; w < 6; ++w)
    for (int64_t h = 0; h < 4; ++h)
      EXPECT_EQ(values[size_t(24 + w * 4 + h)], float(24 + h * 6 + w));
  Tensor memory = counted({2, 3, 4}, nl::hbm);
  Tensor merged = memory.rearrange({{"a"}, {"b"}, {"c"}}, {{"c"}, {"a", "b"}});
  EXPECT_EQ(shape_of(merged), (Shape{4, 6}));
  EXPECT_EQ(get(merged)[6 + 5], 21.0f); // c = 1, a = 1, b = 2

  EXPECT_RULE(a.rearrange({{"b"}, {"f"}}, {{"f"}, {"b"}}), "stays first");
  EXPECT_RULE(a.rearrange({{"b"}}, {{"b"}}), "names each dimension");
  EXPECT_RULE(a.rearrange({{"b"}, {"f"}}, {{"b"}, {"g"}}), "the same names");
  EXPECT_RULE(a.rearrange({{"b"}, {"b"}}, {{"b"}, {"b"}}), "each once");
  EXPECT_RULE(a.rearrange({{"b"}, {"h", "w"}}, {{"b"}, {"w"}, {"h"}}), "one of them may be -1");
}

} // namespace
} // namespace nki
