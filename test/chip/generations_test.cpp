// Generations are data files: a new one needs no code.
#include "chip/generations.h"

#include "../nki/chip_for_test.h"

#include <cstdio>
#include <fstream>
#include <unistd.h>

namespace nki {
namespace {

/// A chip that is not: as trn2, with more memory, indirection, and no bank rule for products.
std::string imaginary() {
  return R"({
    "name": "imaginary", "core_version": 9, "core_sub_version": 1, "cores": 16,
    "hbm_bytes": 1099511627776, "hbm_bytes_per_second": 1e13,
    "sbuf_partition_bytes": 524288, "psum_bank_bytes": 4096, "psum_banks": 4,
    "tensor_hz": 4e9, "vector_hz": 2e9, "scalar_hz": 2e9, "gpsimd_hz": 2e9,
    "dma_engines": 32, "dma_engine_bytes_per_second": 5e10,
    "features": ["tensor_indirection", "several_cores"]
  })";
}

class DataFile {
public:
  explicit DataFile(const std::string &text)
      : path_(testing::TempDir() + "generation" + std::to_string(getpid()) + ".json") {
    std::ofstream(path_) << text;
  }
  ~DataFile() { std::remove(path_.c_str()); }
  const std::string &path() const { return path_; }

private:
  std::string path_;
};

TEST(Generations, AFileAddsOne) {
  DataFile file(imaginary());
  const chip::Generation &fourth = chip::generation(file.path());
  EXPECT_EQ(&fourth, &chip::generation(file.path()));
  EXPECT_EQ(fourth.name, "imaginary");
  EXPECT_EQ(fourth.cores, 16);

  chip::Hbm hbm;
  chip::Core core(fourth, hbm);
  CoreScope scope(core);
  EXPECT_EQ(nisa::get_nc_version(), nisa::nc_version(9));
  EXPECT_EQ(nisa::get_nc_sub_version(), 1);
  nl::ndarray({128, 131072}, nl::float32); // 512 KiB per partition
  EXPECT_RULE(nl::ndarray({128, 131073}, nl::float32), "on imaginary");
  // What it can, and what it cannot.
  Tensor data = tile_of({1, 2}, 16, 2), index = tile_of({1}, 16, 1, nl::int32), out = tile(16, 1);
  nisa::tensor_copy(out, data.indirect(index, 1));
  EXPECT_EQ(get(out)[0], 2.0f);
  EXPECT_RULE(nisa::exponential(out, data.slice(1, 0, 1)), "exponential exists from");
  Tensor psum = nl::ndarray({16, 1024}, nl::float32, nl::psum);
  nisa::nc_matmul(psum, tile_of({1}, 16, 16), tile_of({1}, 16, 1024)); // a bank of 4 KiB
  EXPECT_RULE(nisa::nc_matmul(nl::ndarray({16, 1025}, nl::float32, nl::psum), tile_of({1}, 16, 16),
                              tile_of({1}, 16, 1025)),
              "at most 1024");
  // Its clock counts.
  core.timeline().reset();
  Tensor row = tile_of({1}, 128, 4096);
  nisa::tensor_scalar(row, row, nl::add, 1.0f);
  EXPECT_GE(core.timeline().summary().seconds, 4096 / 2e9);
  EXPECT_LT(core.timeline().summary().seconds, 4096 / 2e9 + 1e-7);
}

/// Up to v3 a product accumulates on products only, and tensor indirection is there from v4 on; a
/// chip with both rules is one that a file adds.
TEST(Generations, ProductsThroughIndicesAccumulateOnProductsOnly) {
  DataFile file(imaginary());
  chip::Hbm hbm;
  chip::Core core(chip::generation(file.path()), hbm);
  CoreScope scope(core);
  const auto at = [](std::vector<float> indices) { // the first ones are used
    indices.resize(16);
    return tile_of(indices, 16, 1, nl::uint32);
  };
  const Tensor sums = nl::ndarray({16, 8}, nl::float32, nl::psum);
  const auto multiply = [](const Tensor &dst, int64_t columns) {
    nisa::nc_matmul(dst, tile_of({1}, 2, 16), tile_of({3}, 2, columns));
  };
  const Tensor first = at({1, 3}), second = at({1}), third = at({5});
  multiply(sums.indirect(first, 2), 2);
  multiply(sums.indirect(first, 2), 2); // what was scattered is gathered as a product
  EXPECT_EQ(get(sums.slice(1, 1, 2)), std::vector<float>(16, 12));
  multiply(sums.slice(1, 3, 4), 1); // and is one for who looks at it directly
  EXPECT_EQ(get(sums.slice(1, 3, 4)), std::vector<float>(16, 18));
  multiply(sums.slice(1, 5, 6), 1);
  multiply(sums.indirect(third, 1), 1); // as the other way round
  EXPECT_EQ(get(sums.slice(1, 5, 6)), std::vector<float>(16, 12));
  nisa::tensor_copy(sums.indirect(second, 1), tile_of({2}, 16, 1));
  EXPECT_RULE(multiply(sums.slice(1, 1, 2), 1), "which another instruction than a product wrote");
  EXPECT_RULE(multiply(sums.indirect(first, 2), 2), "partition 0, element 0");
  multiply(sums.slice(1, 3, 4), 1);
  EXPECT_EQ(get(sums.slice(1, 3, 4)), std::vector<float>(16, 24));
}

TEST(Generations, TheThreeAreBuiltIn) {
  EXPECT_EQ(chip::generations(), (std::vector<std::string>{"trn1", "trn2", "trn3"}));
  EXPECT_EQ(chip::generation("trn1").features.count(), 0u);
  EXPECT_TRUE(chip::generation("trn2").has(chip::Feature::double_row));
  EXPECT_FALSE(chip::generation("trn2").has(chip::Feature::rand2));
  EXPECT_EQ(chip::generation("trn3").features.count(), size_t(chip::kFeatures));
}

TEST(Generations, WhatIsWrongWithAFileIsSaid) {
  auto expect = [](const std::string &from, const std::string &to, const char *text) {
    std::string file = imaginary();
    file.replace(file.find(from), from.size(), to);
    EXPECT_RULE(chip::parse_generation(file, "x.json"), text);
  };
  expect("\"cores\": 16,", "", "x.json:8: 'cores' is missing");
  expect("\"cores\"", "\"kernels\"", "x.json:2: unknown member 'kernels'");
  expect("\"cores\": 16", "\"cores\": -1", "'cores' must be more than 0");
  expect("\"cores\": 16", "\"cores\": many", "expected a number");
  expect("several_cores", "flying", "x.json:7: unknown feature 'flying'");
  expect("\"imaginary\"", "\"\"", "'name' is missing");
  expect("{", "[", "expected '{'");
  expect("\"several_cores\"]", "\"several_cores", "a string does not end");
  EXPECT_RULE(chip::generation("/nowhere/x.json"), "cannot read /nowhere/x.json");
  EXPECT_RULE(chip::generation("trn9"), "known are trn1, trn2, trn3");
}

} // namespace
} // namespace nki
