// Cores that run one kernel together: barriers, exchanges, shared memory, turns.
#include "chip/core_group.h"
#include "documented_forms.h"

#include <stdexcept>

namespace nki {
namespace {

class TwoCores : public testing::Test {
protected:
  explicit TwoCores(const char *generation = "trn3")
      : group(chip::generation(generation), hbm, {1, 2}) {}

  void run(const std::function<void(int)> &body) {
    group.run([&](chip::Core &core) { body(core.place.program); });
  }
  static Tensor shared(std::initializer_list<int64_t> shape, DType type = nl::float32) {
    return nl::ndarray(shape, type, nl::shared_hbm, "shared");
  }
  static constexpr int kBoth[] = {0, 1};

  chip::Hbm hbm;
  chip::CoreGroup group;
};

TEST(SeveralRanks, RunOneAfterTheOtherInTheOrderOfTheirNumbers) {
  chip::Hbm hbm;
  chip::CoreGroup group(chip::generation("trn3"), hbm, {5, 1});
  std::vector<int> turns;
  group.run([&](chip::Core &core) {
    turns.push_back(core.index());
    const chip::CoreGroup::Meeting meeting{
        "test", "key", {0, 1, 2, 3, 4}, nullptr, [](std::span<void *const>) {}};
    core.group->meet(core.index(), meeting);
    turns.push_back(core.index());
  });
  // The last to come goes on, then the others from it on.
  EXPECT_EQ(turns, (std::vector<int>{0, 1, 2, 3, 4, 4, 0, 1, 2, 3}));
}

TEST_F(TwoCores, KnowTheirPlace) {
  std::vector<int> ids;
  run([&](int) {
    ids.push_back(nl::program_id());
    EXPECT_EQ(nl::num_programs(), 2);
    EXPECT_EQ(nl::program_ndim(), 1);
    EXPECT_EQ(nisa::get_nc_version(), nisa::nc_version::gen4);
    EXPECT_RULE(nl::program_id(1), "one dimension");
  });
  EXPECT_EQ(ids, (std::vector<int>{0, 1}));
  chip::Core alone(chip::generation("trn1"), hbm);
  CoreScope on(alone);
  EXPECT_EQ(nl::program_id(), 0);
  EXPECT_EQ(nl::num_programs(), 1);
  EXPECT_EQ(nl::program_ndim(), 0);
  EXPECT_EQ(nisa::get_nc_version(), nisa::nc_version::gen2);
}

TEST_F(TwoCores, SeeWhatTheOtherWroteBeforeTheBarrier) {
  std::vector<std::vector<float>> seen(2);
  run([&](int self) {
    Tensor both = shared({2, 3});
    nisa::dma_copy(both.slice(0, self, self + 1), tile_of({float(self + 1)}, 1, 3));
    nisa::core_barrier(both, kBoth);
    Tensor all = tile(2, 3);
    nisa::dma_copy(all, both);
    seen[size_t(self)] = get(all);
  });
  EXPECT_EQ(seen[0], (std::vector<float>{1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(seen[1], seen[0]);
  EXPECT_EQ(hbm.used(), 0u); // shared tensors are gone
}

TEST_F(TwoCores, RunInTheSameOrderEveryTime) {
  // Without a barrier core 1 runs after core 0 has ended; with one they take turns there.
  std::vector<std::string> first;
  for (int round = 0; round < 20; ++round) {
    std::vector<std::string> order;
    run([&](int self) {
      Tensor data = shared({1});
      for (int step = 0; step < 3; ++step) {
        order.push_back(std::to_string(self) + std::to_string(step));
        nisa::core_barrier(data, kBoth);
      }
    });
    first = first.empty() ? order : first;
    ASSERT_EQ(order, first);
  }
  EXPECT_EQ(first[0], "00");
  EXPECT_EQ(first[1], "10");
}

TEST_F(TwoCores, ExchangeTiles) {
  std::vector<std::vector<float>> got(2);
  run([&](int self) {
    Tensor mine = tile_of({float(10 + self), NAN}, 5, 7, nl::bfloat16);
    Tensor theirs = tile(5, 7, nl::bfloat16);
    nisa::sendrecv(mine, theirs, 1 - self, 1 - self, 0);
    got[size_t(self)] = get(theirs);
    nisa::sendrecv(theirs, mine, 1 - self, 1 - self, 1, nisa::dma_engine::gpsimd_dma);
    EXPECT_EQ(get(mine)[0], 10.0f + float(self)); // and back
  });
  EXPECT_EQ(got[0][0], 11.0f);
  EXPECT_EQ(got[1][0], 10.0f);
  EXPECT_TRUE(std::isnan(got[0][1]));
}

TEST_F(TwoCores, UnwrittenBytesStayUnwrittenOnTheOtherCore) {
  EXPECT_RULE(run([&](int self) {
                Tensor mine = tile(4, 2), theirs = tile(4, 2);
                nisa::memset(self == 0 ? mine : mine.slice(1, 0, 1), 1.0f);
                nisa::sendrecv(mine, theirs, 1 - self, 1 - self, 0);
                Tensor out = nl::ndarray({4, 2}, nl::float32, nl::hbm);
                if (self == 1)
                  nisa::dma_copy(out, theirs); // core 0 wrote all
                else
                  nisa::dma_copy(out, theirs);
              }),
              "never written");
}

TEST_F(TwoCores, WaitingInVainIsAnError) {
  EXPECT_RULE(run([&](int self) {
                Tensor data = shared({1});
                if (self == 0)
                  nisa::core_barrier(data, kBoth);
              }),
              "core 0 waits in nisa.core_barrier; core 1 has ended");
  EXPECT_RULE(run([&](int self) {
                Tensor data = shared({1}), a = tile_of({1}, 1, 1), b = tile(1, 1);
                if (self == 0)
                  nisa::core_barrier(data, kBoth);
                else
                  nisa::sendrecv(a, b, 0, 0, 3);
              }),
              "core 0 waits in nisa.core_barrier; core 1 waits in nisa.sendrecv(pipe_id 3)");
  EXPECT_RULE(run([&](int self) {
                Tensor a = tile_of({1}, 1, 1), b = tile(1, 1);
                nisa::sendrecv(a, b, 1 - self, 1 - self, self);
              }),
              "in vain");
}

TEST_F(TwoCores, TheFirstErrorIsTheOneThatIsReported) {
  try {
    run([&](int self) {
      Tensor data = shared({1});
      if (self == 1)
        throw std::runtime_error("core 1 is out");
      nisa::core_barrier(data, kBoth);
    });
    FAIL();
  } catch (const std::runtime_error &error) {
    EXPECT_STREQ(error.what(), "core 1 is out");
  }
  int rounds = 0; // the group can be used again
  run([&](int) { ++rounds; });
  EXPECT_EQ(rounds, 2);
}

TEST_F(TwoCores, SharedTensorsAreTheSameOnBoth) {
  EXPECT_RULE(run([&](int self) { shared({2, self == 0 ? 4 : 5}); }), "must allocate the same");
  EXPECT_RULE(run([&](int self) { shared({2}, self == 0 ? nl::int32 : nl::float32); }),
              "number 0 of core 1");
  run([&](int self) {
    Tensor first = shared({4}), second = shared({4});
    if (self == 0)
      put(second, {7});
    else
      EXPECT_EQ(get(second)[3], 7.0f);
  });
}

TEST_F(TwoCores, RulesOfBarriers) {
  auto expect = [&](const char *text, const std::function<void(int)> &body) {
    EXPECT_RULE(run(body), text);
  };
  expect("cores must be (0, 1)", [](int) { nisa::core_barrier(shared({1}), std::vector{0}); });
  expect("cores must be (0, 1)", [](int) { nisa::core_barrier(shared({1}), std::vector{0, 2}); });
  expect("must be in shared HBM",
         [](int) { nisa::core_barrier(nl::ndarray({1}, nl::float32, nl::private_hbm), kBoth); });
  expect("must be in shared HBM", [](int) { nisa::core_barrier(tile(1, 1), kBoth); });
  expect("data is missing", [](int) { nisa::core_barrier({}, kBoth); });
  expect("DMA engines cannot wait",
         [](int) { nisa::core_barrier(shared({1}), kBoth, nisa::engine::dma); });
  expect("same shared tensor", [](int self) {
    Tensor a = shared({1}), b = shared({1});
    nisa::core_barrier(self == 0 ? a : b, kBoth);
  });
  chip::Core alone(chip::generation("trn3"), hbm);
  CoreScope on(alone);
  EXPECT_RULE(nisa::core_barrier(shared({1}), kBoth), "launched on two cores");
}

TEST_F(TwoCores, ExchangePatternsOfEveryType) {
  for (DType type : documented::every_type())
    for (auto mode : {nisa::dma_engine::dma, nisa::dma_engine::gpsimd_dma})
      run([&](int self) {
        const uint32_t mask = size_of(type) == 4 ? ~0u : (1u << (8 * size_of(type))) - 1;
        std::vector<uint32_t> patterns, expected;
        for (uint32_t i = 0; i < 3 * 256; ++i) { // as many as GpSimdE's own DMA moves
          patterns.push_back((i * 0x9e3779b9u + uint32_t(self)) & mask);
          expected.push_back((i * 0x9e3779b9u + uint32_t(1 - self)) & mask);
        }
        Tensor mine = tile(3, 256, type), theirs = tile(3, 256, type);
        put_bits<uint32_t>(mine, patterns);
        nisa::sendrecv(mine, theirs, 1 - self, 1 - self, 0, mode);
        EXPECT_EQ(get_bits(theirs), expected) << name_of(type);
        EXPECT_EQ(get_bits(mine), patterns) << name_of(type);
      });
}

TEST_F(TwoCores, BarriersWaitOnEveryEngine) {
  using nisa::engine;
  for (engine on : {engine::unknown, engine::tensor, engine::vector, engine::scalar, engine::gpsimd,
                    engine::sync})
    EXPECT_NO_THROW(run([&](int) { nisa::core_barrier(shared({1}), kBoth, on); }));
}

TEST_F(TwoCores, RulesOfExchanges) {
  auto expect = [&](const char *text, const std::function<void(int)> &body) {
    EXPECT_RULE(run(body), text);
  };
  using enum nisa::dma_engine;
  expect("0 or 1", [](int) { nisa::sendrecv(tile_of({1}, 1, 1), tile(1, 1), 2, 0, 0); });
  expect("same data type",
         [](int) { nisa::sendrecv(tile_of({1}, 1, 1), tile(1, 1, nl::int32), 1, 1, 0); });
  expect("as many elements", [](int) { nisa::sendrecv(tile_of({1}, 1, 1), tile(1, 2), 1, 1, 0); });
  expect("as many partitions",
         [](int) { nisa::sendrecv(tile_of({1}, 2, 1), tile(1, 1), 1, 1, 0); });
  expect("must be in SBUF", [](int) { nisa::sendrecv(shared({1, 1}), tile(1, 1), 1, 1, 0); });
  expect("PSUM", [](int) {
    nisa::sendrecv(tile_of({1}, 1, 1), nl::ndarray({1, 1}, nl::float32, nl::psum), 1, 1, 0);
  });
  expect("at most 256 elements",
         [](int) { nisa::sendrecv(tile_of({1}, 1, 257), tile(1, 257), 1, 1, 0, gpsimd_dma); });
  expect("dst lies over src", [](int) {
    Tensor a = tile_of({1}, 1, 4);
    nisa::sendrecv(a.slice(1, 0, 2), a.slice(1, 1, 3), 1, 1, 0);
  });
  expect("core 0 receives from core 1, which sends to core 1",
         [](int) { nisa::sendrecv(tile_of({1}, 1, 1), tile(1, 1), 1, 1, 0); });
  expect("size and type of what is received", [](int self) {
    nisa::sendrecv(tile_of({1}, 1, 1 + self), tile(1, 1 + self), 1 - self, 1 - self, 0);
  });
}

TEST_F(TwoCores, WaitForEachOtherInModelTime) {
  // Core 0 has far more to do; the barrier ends at the same time on both.
  std::vector<double> ends(2);
  group.run([&](chip::Core &core) {
    core.timeline().reset();
    Tensor data = shared({1}), work = tile_of({1}, 128, 2048);
    for (int i = 0; core.place.program == 0 && i < 10; ++i)
      nisa::tensor_scalar(work, work, nl::add, 1.0f);
    nisa::core_barrier(data, kBoth, nisa::engine::vector);
    ends[size_t(core.place.program)] = core.timeline().summary().seconds;
  });
  EXPECT_DOUBLE_EQ(ends[0], ends[1]);
  EXPECT_GT(ends[1], 10 * 2048 / 1.2e9);
}

class OldCores : public TwoCores {
protected:
  OldCores() : TwoCores("trn1") {}
};

TEST_F(OldCores, WorkTogetherFromV3On) {
  EXPECT_RULE(run([](int) { nisa::core_barrier(shared({1}), kBoth); }), "from NeuronCore-v3 on");
  EXPECT_RULE(chip::CoreGroup(chip::generation("trn1"), hbm, {2, 2}), "has 2 cores");
}

} // namespace
} // namespace nki
