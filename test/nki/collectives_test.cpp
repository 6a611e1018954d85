// Collectives between the ranks of a chip.
#include "nki/collectives.h"

#include "chip/core_group.h"
#include "chip_for_test.h"

namespace nki {
namespace {

namespace ncc = collectives;

class Collectives : public testing::Test {
protected:
  Collectives()
      : group(chip::generation("trn3"), hbm, {4, 1}), pairs(chip::generation("trn3"), hbm, {4, 2}) {
  }

  /// Runs body(rank) on four ranks of one core.
  void run(const std::function<void(int)> &body) {
    group.run([&](chip::Core &core) { body(core.place.rank); });
  }
  static Tensor device(const std::vector<float> &values, std::initializer_list<int64_t> shape,
                       DType type = nl::float32) {
    Tensor tensor = nl::ndarray(shape, type, nl::hbm);
    put(tensor, values);
    return tensor;
  }
  template <class... T> static std::vector<Tensor> list(const T &...tensors) {
    return {tensors...};
  }
  void expect(const char *text, const std::function<void(int)> &body) {
    EXPECT_RULE(run(body), text);
  }

  const ncc::ReplicaGroup all{{{0, 1, 2, 3}}}, halves{{{0, 2}, {3, 1}}};
  chip::Hbm hbm;
  chip::CoreGroup group, pairs;
};

using Values = std::vector<float>;

TEST_F(Collectives, ReduceOverTheirGroup) {
  run([&](int rank) {
    EXPECT_EQ(ncc::rank_id(), rank);
    Tensor a = device({float(rank), 1}, {3, 2}), b = device({float(-rank)}, {1}, nl::bfloat16);
    Tensor a_out = device({0}, {3, 2}), b_out = device({0}, {1}, nl::bfloat16);
    ncc::all_reduce(list(a, b), list(a_out, b_out), all, nl::add);
    EXPECT_EQ(get(a_out), (Values{6, 4, 6, 4, 6, 4}));
    EXPECT_EQ(get(b_out), (Values{-6}));
    ncc::all_reduce(list(a), list(a), halves, nl::maximum); // in place
    EXPECT_EQ(get(a)[0], rank % 2 == 0 ? 2.0f : 3.0f);
    ncc::all_reduce(list(b), list(b_out), all, nl::minimum);
    EXPECT_EQ(get(b_out), (Values{-3}));
  });
}

TEST_F(Collectives, SumsAreMadeInTheOrderOfRanksAndRoundedOnce) {
  const Values terms = {0x1p24f, 1, 1, 1};
  run([&](int rank) {
    Tensor a = device({terms[size_t(rank)]}, {1}), out = device({0}, {1});
    ncc::all_reduce(list(a), list(out), ncc::ReplicaGroup{{{0, 1, 2, 3}}}, nl::add);
    EXPECT_EQ(get(out)[0], 0x1p24f); // each 1 is lost
    ncc::all_reduce(list(a), list(out), ncc::ReplicaGroup{{{3, 2, 1, 0}}}, nl::add);
    EXPECT_EQ(get(out)[0], 0x1p24f + 4); // 3 + 2^24 rounds to even
    Tensor half = device({rank == 0 ? 256.0f : 0.5f}, {1}, nl::bfloat16);
    Tensor half_out = device({0}, {1}, nl::bfloat16);
    ncc::all_reduce(list(half), list(half_out), all, nl::add);
    EXPECT_EQ(get(half_out)[0], 258.0f); // 257.5 in fp32
  });
}

TEST_F(Collectives, GatherInTheOrderOfTheList) {
  run([&](int rank) {
    Tensor a = device({float(rank), float(rank) + 0.5f}, {1, 2}), out = device({0}, {4, 2});
    ncc::all_gather(list(a), list(out), all, 0);
    EXPECT_EQ(get(out), (Values{0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5}));
    if (rank % 2 == 0)
      return;
    Tensor two = device({0}, {2, 2});
    ncc::all_gather(list(a), list(two), ncc::ReplicaGroup{{{3, 1}}}, 0);
    EXPECT_EQ(get(two), (Values{3, 3.5, 1, 1.5}));
  });
}

TEST_F(Collectives, GatherTilesAlongPartitionsOrElements) {
  run([&](int rank) {
    Tensor a = tile_of({float(rank)}, 2, 3), rows = tile(8, 3), columns = tile(2, 12);
    ncc::all_gather(list(a), list(rows), all, 0);
    ncc::all_gather(list(a), list(columns), all, 1);
    EXPECT_EQ(get(rows)[2 * 3], 1.0f);
    EXPECT_EQ(get(columns)[3], 1.0f);
    EXPECT_EQ(get(columns)[12 + 11], 3.0f);
    Tensor sum = tile(2, 3);
    ncc::all_reduce(list(a), list(sum), all, nl::add);
    EXPECT_EQ(get(sum)[5], 6.0f);
  });
}

TEST_F(Collectives, ScatterSumsAndTransposeParts) {
  run([&](int rank) {
    Values values;
    for (int i = 0; i < 8; ++i)
      values.push_back(float(100 * rank + i));
    Tensor a = device(values, {4, 2}), part = device({0}, {1, 2}), turned = device({0}, {4, 2});
    ncc::reduce_scatter(list(a), list(part), all, 0, nl::add);
    EXPECT_EQ(get(part), (Values{600.0f + 8 * float(rank), 604.0f + 8 * float(rank)}));
    ncc::all_to_all(list(a), list(turned), all, 0);
    for (int from = 0; from < 4; ++from)
      EXPECT_EQ(get(turned)[size_t(2 * from)], float(100 * from + 2 * rank));
  });
}

TEST_F(Collectives, PermuteByPairsAndInRings) {
  run([&](int rank) {
    Tensor a = device({float(rank)}, {2}), out = device({-1}, {2});
    const std::pair<int, int> around[] = {{0, 2}, {2, 0}, {1, 3}};
    ncc::collective_permute(list(a), list(out), around);
    const float expected[] = {2, -1, 0, 1}; // rank 1 receives nothing
    EXPECT_EQ(get(out)[1], expected[rank]);

    const int channels[] = {0, 1};
    Tensor b = device({float(10 * rank)}, {1}), b_out = device({0}, {1});
    ncc::collective_permute_implicit(list(a, b), list(out, b_out), all, channels);
    EXPECT_EQ(get(out)[0], float((rank + 3) % 4));
    EXPECT_EQ(get(b_out)[0], 10 * float((rank + 3) % 4));
    ncc::collective_permute_implicit_reduce(list(a), list(a), list(out), all, nl::add);
    EXPECT_EQ(get(out)[0], 2 * float((rank + 3) % 4));
    for (int i = 0; i < 6; ++i)
      EXPECT_EQ(ncc::collective_permute_implicit_current_processing_rank_id(i, all).value(),
                (rank + 8 - i) % 4);
  });
}

TEST_F(Collectives, ChunksOfAnyLength) {
  pairs.run([&](chip::Core &core) {
    const int rank = core.place.rank;
    Tensor src = nl::ndarray({6}, nl::float32, nl::shared_hbm);
    Tensor dst = nl::ndarray({12}, nl::float32, nl::shared_hbm);
    Tensor metadata = nl::ndarray({3, 4}, nl::uint32, nl::shared_hbm);
    if (core.place.program == 0) {
      put(src, {float(rank), float(rank) + 0.25f, float(rank) + 0.5f});
      put(dst, {-1});
      put_bits<uint32_t>(metadata, {uint32_t(rank), 9, 9, 9, 1, 9, 9, 9, 7, 7, 7, 7});
    }
    const int both[] = {0, 1};
    nisa::core_barrier(src, both);
    ncc::all_gather_v(list(src), list(dst), all, metadata);
    EXPECT_EQ(get(dst), (Values{-1, -1, -1, 1.25, -1, -1, 2.25, 2.5, -1, 3.25, 3.5, 3}));
    std::vector<uint32_t> counts = get_bits(metadata);
    EXPECT_EQ((std::vector<uint32_t>(counts.begin() + 8, counts.end())),
              (std::vector<uint32_t>{0, 1, 2, 3}));
    nisa::core_barrier(src, both);
    // Each rank sends one element to itself and two to the next.
    if (core.place.program == 0) {
      std::vector<uint32_t> rows(16, 0);
      rows[size_t(rank)] = 1;
      rows[size_t((rank + 1) % 4)] = 2;
      rows[size_t(4 + (rank + 1) % 4)] = 1;
      put(dst, {-1});
      Tensor wide = nl::ndarray({4}, nl::float32, nl::hbm);
      put_bits<uint32_t>(metadata, {rows.begin(), rows.begin() + 12});
    }
    nisa::core_barrier(src, both);
    ncc::all_to_all_v(list(src), list(dst), all, metadata, true);
    const int before = (rank + 3) % 4;
    EXPECT_EQ(get(dst)[size_t(3 * rank)], float(rank));
    EXPECT_EQ(get(dst)[size_t(3 * before)], float(before) + 0.25f);
    EXPECT_EQ(get(dst)[size_t(3 * before + 1)], float(before) + 0.5f);
    EXPECT_EQ(get(dst)[size_t(3 * before + 2)], -1.0f);
    EXPECT_EQ(get_bits(metadata)[8], 0u); // counts were known
  });
}

TEST_F(Collectives, WithTwoCoresPerRankEachIsDoneOnce) {
  pairs.run([&](chip::Core &core) {
    Tensor sum = nl::ndarray({2}, nl::float32, nl::shared_hbm);
    if (core.place.program == 0)
      put(sum, {1});
    ncc::all_reduce(list(sum), list(sum), all, nl::add);
    EXPECT_EQ(get(sum)[1], 4.0f);
  });
}

TEST_F(Collectives, RulesOfTheirTensors) {
  auto one = [](DType type = nl::float32) { return device({1}, {4}, type); };
  expect("a tensor is missing",
         [&](int) { ncc::all_reduce(list(Tensor()), list(one()), all, nl::add); });
  expect("addresses are known beforehand", [&](int) {
    Tensor table = device({1}, {3, 4});
    Tensor row = table.select(0, ScalarOffset(nisa::register_alloc(1)));
    ncc::all_reduce(list(row), list(one()), all, nl::add);
  });
  expect("tensors are in HBM or SBUF", [&](int) {
    Tensor a = nl::ndarray({4, 1}, nl::float32, nl::psum);
    ncc::all_reduce(list(a), list(a), all, nl::add);
  });
  expect("tensors in SBUF have two dimensions", [&](int) {
    Tensor a = nl::ndarray({4, 2, 2}, nl::float32);
    ncc::all_reduce(list(a), list(a), all, nl::add);
  });
  expect("does not take packed types", [&](int) {
    Tensor a = nl::ndarray({4}, nl::float8_e5m2_x4, nl::hbm);
    ncc::all_reduce(list(a), list(a), all, nl::add);
  });
  expect("as large as src but for collective_dim",
         [&](int) { ncc::all_gather(list(tile_of({1}, 4, 2)), list(tile(8, 4)), all, 0); });
  expect("in SBUF 0 or 1",
         [&](int) { ncc::all_gather(list(tile_of({1}, 4, 2)), list(tile(16, 2)), all, 2); });
  expect("collective_dim must be 0",
         [&](int) { ncc::reduce_scatter(list(one()), list(device({0}, {1})), all, 1, nl::add); });
  expect("collective_dim must be 0",
         [&](int) { ncc::all_to_all(list(one()), list(one()), all, 1); });
}

TEST_F(Collectives, RulesOfPermutations) {
  auto one = [] { return device({1}, {4}); };
  using Pairs = std::vector<std::pair<int, int>>;
  expect("names a rank that is not",
         [&](int) { ncc::collective_permute(list(one()), list(one()), Pairs{{0, 4}}); });
  expect("source of two pairs",
         [&](int) { ncc::collective_permute(list(one()), list(one()), Pairs{{0, 1}, {0, 2}}); });
  expect("one tensor per channel", [&](int) {
    ncc::collective_permute_implicit(list(one()), list(one()), all, std::vector<int>{0, 1});
  });
  expect("at most 4 channels", [&](int) {
    const std::vector<Tensor> five(5, one());
    ncc::collective_permute_implicit(five, five, all, std::vector<int>{0, 1, 2, 3, 4});
  });
  expect("iteration_id is negative",
         [&](int) { ncc::collective_permute_implicit_current_processing_rank_id(-1, all); });
  expect("channel_id is 0 to 3",
         [&](int) { ncc::collective_permute_implicit_current_processing_rank_id(0, all, 4); });
}

TEST_F(Collectives, RulesOfChunks) {
  auto expect_pairs = [&](const char *text, const std::function<void()> &body) {
    EXPECT_RULE(pairs.run([&](chip::Core &) { body(); }), text);
  };
  auto shared = [](std::initializer_list<int64_t> shape, DType type = nl::float32) {
    Tensor tensor = nl::ndarray(shape, type, nl::shared_hbm);
    put(tensor, {1});
    return tensor;
  };
  auto gather = [&](const Tensor &metadata, bool has_rdispls = false) {
    ncc::all_gather_v(list(shared({4})), list(shared({8})), all, metadata, false, has_rdispls);
  };
  expect_pairs("has_rdispls is not supported", [&] { gather(shared({4, 4}, nl::uint32), true); });
  expect_pairs("uint32 and contiguous", [&] { gather(shared({3, 4})); });
  expect_pairs("uint32 and contiguous", [&] { gather(shared({3, 8}, nl::uint32).slice(1, 0, 4)); });
  expect_pairs("metadata_tensor is in HBM or SBUF",
               [&] { gather(nl::ndarray({1, 3, 4}, nl::uint32, nl::psum)); });
  expect_pairs("with 3 rows or 4", [&] { gather(shared({4, 4}, nl::uint32)); });
  expect_pairs("which its src does not have", [&] {
    Tensor metadata = shared({3, 4}, nl::uint32);
    put_bits<uint32_t>(metadata, {1, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0});
    gather(metadata);
  });
  expect_pairs("does not fit its place in dst", [&] {
    Tensor metadata = shared({3, 4}, nl::uint32);
    put_bits<uint32_t>(metadata, {3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    gather(metadata);
  });
  chip::CoreGroup old(chip::generation("trn2"), hbm, {4, 2});
  EXPECT_RULE(old.run([&](chip::Core &) {
    ncc::all_to_all_v(list(shared({4})), list(shared({8})), all, shared({4, 4}, nl::uint32), false,
                      true);
  }),
              "from NeuronCore-v4 on");
}

TEST_F(Collectives, Rules) {
  auto one = [](DType type = nl::float32) { return device({1}, {4}, type); };
  expect("add, minimum or maximum",
         [&](int) { ncc::all_reduce(list(one()), list(one()), all, nl::multiply); });
  expect("equal length", [&](int) { ncc::all_reduce(list(one()), {}, all, nl::add); });
  expect("same data type",
         [&](int) { ncc::all_reduce(list(one()), list(one(nl::int32)), all, nl::add); });
  expect("are in HBM or all in SBUF",
         [&](int) { ncc::all_reduce(list(one()), list(tile(4, 1)), all, nl::add); });
  expect("several tensors at once", [&](int) {
    Tensor a = tile_of({1}, 1, 1);
    ncc::all_reduce(list(a, a), list(a, a), all, nl::add);
  });
  expect("times the elements", [&](int) { ncc::all_gather(list(one()), list(one()), all, 0); });
  expect("collective_dim must be 0, in SBUF 0 or 1",
         [&](int) { ncc::all_gather(list(one()), list(one()), all, 1); });
  expect("tensors are in HBM", [&](int) {
    Tensor a = tile_of({1}, 4, 1);
    ncc::all_to_all(list(a), list(a), all, 0);
  });
  expect("multiple of the ranks", [&](int) {
    Tensor a = device({1}, {6});
    ncc::all_to_all(list(a), list(a), all, 0);
  });
  expect("there is no rank 4",
         [&](int) { ncc::all_reduce(list(one()), list(one()), {{{0, 1, 2, 3, 4}}}, nl::add); });
  expect("in the replica group twice",
         [&](int) { ncc::all_reduce(list(one()), list(one()), {{{0, 1}, {1, 2, 3}}}, nl::add); });
  expect("not in the replica group",
         [&](int) { ncc::all_reduce(list(one()), list(one()), {{{1, 2, 3}}}, nl::add); });
  expect("priority is 0 to 3",
         [&](int) { ncc::all_reduce(list(one()), list(one()), all, nl::add, 4); });
  expect("exactly one tensor", [&](int) {
    const std::pair<int, int> pair[] = {{0, 1}};
    ncc::collective_permute(list(one(), one()), list(one(), one()), pair);
  });
  expect("target of two pairs", [&](int) {
    const std::pair<int, int> two[] = {{0, 1}, {2, 1}};
    ncc::collective_permute(list(one()), list(one()), two);
  });
  expect("channel_ids count from 0", [&](int) {
    const int channels[] = {1};
    ncc::collective_permute_implicit(list(one()), list(one()), all, channels);
  });
  expect("needs LNC 2", [&](int) {
    ncc::all_gather_v(list(one()), list(one()), all, nl::ndarray({3, 4}, nl::uint32, nl::hbm));
  });
  expect("exactly 4", [&](int) {
    ncc::all_gather_v(list(one()), list(one()), halves, nl::ndarray({3, 2}, nl::uint32, nl::hbm));
  });
  expect("waits in nki.collectives.all_reduce(ranks 0 1 2 3)", [&](int rank) {
    if (rank != 3)
      ncc::all_reduce(list(one()), list(one()), all, nl::add);
  });
  expect("in vain", [&](int rank) {
    ncc::all_reduce(list(one()), list(one()), all, rank == 0 ? nl::add : nl::maximum);
  });
  expect("same size and type", [&](int rank) {
    Tensor a = device({1}, {rank + 1});
    ncc::all_reduce(list(a), list(a), all, nl::add);
  });
  chip::Core alone(chip::generation("trn3"), hbm);
  CoreScope on(alone);
  EXPECT_RULE(ncc::all_reduce(list(one()), list(one()), {{{0}}}, nl::add), "run together");
}

} // namespace
} // namespace nki
