// Everything that an argument of an instruction can be chosen from (operators, engines, commands,
// and the generation it runs on), tried in full against the lists of the documentation.

#include "documented_forms.h"

#include "chip/generations.h"
#include "chip/kernels/kernels.h"

namespace nki::documented {
namespace {

using Op = nl::Op;
using Ops = std::set<Op>;
using nisa::engine;
using nisa::reduce_cmd;

// nki.api.shared.rst, table of math operators.
const Ops kBitvecBinary = {nl::bitwise_and, nl::bitwise_or, nl::bitwise_xor, nl::left_shift,
                           nl::right_shift};
const Ops kCommon = {nl::add,   nl::subtract,    nl::multiply,      nl::maximum,     nl::minimum,
                     nl::equal, nl::not_equal,   nl::greater_equal, nl::greater,     nl::less_equal,
                     nl::less,  nl::logical_and, nl::logical_or,    nl::logical_xor, nl::power};
const Ops kFromV4 = {nl::abs_max, nl::abs_min, nl::square, nl::relu};
const Ops kUnary = {nl::abs, nl::square, nl::relu, nl::rsqrt, nl::reciprocal};
const Ops kReductions = {nl::bitwise_and, nl::bitwise_or, nl::bitwise_xor, nl::add,
                         nl::subtract,    nl::multiply,   nl::maximum,     nl::minimum,
                         nl::logical_and, nl::logical_or, nl::logical_xor};
const Ops kComparisons = {nl::equal,   nl::not_equal,  nl::greater_equal,
                          nl::greater, nl::less_equal, nl::less};
// The same page, table of activation functions.
const Ops kActivations = {nl::copy,
                          nl::square,
                          nl::sigmoid,
                          nl::relu,
                          nl::prelu,
                          nl::gelu,
                          nl::gelu_dx,
                          nl::gelu_apprx_tanh,
                          nl::gelu_apprx_sigmoid,
                          nl::gelu_apprx_sigmoid_dx,
                          nl::silu,
                          nl::silu_dx,
                          nl::tanh,
                          nl::softplus,
                          nl::mish,
                          nl::erf,
                          nl::erf_dx,
                          nl::exp,
                          nl::log,
                          nl::sin,
                          nl::arctan,
                          nl::sqrt,
                          nl::rsqrt,
                          nl::reciprocal,
                          nl::sign,
                          nl::abs};

Ops with(Ops ops, const Ops &more) {
  ops.insert(more.begin(), more.end());
  return ops;
}
Ops without(Ops ops, const Ops &excluded) {
  for (Op op : excluded)
    ops.erase(op);
  return ops;
}

class Choices : public ChipTest {
public:
  explicit Choices(const char *generation = "trn3") : ChipTest(generation) {}

  /// Runs `call`; `legal` says whether it may.
  template <class F> static void expect(bool legal, const std::string &what, F &&call) {
    try {
      call();
      EXPECT_TRUE(legal) << what << " was accepted";
    } catch (const Error &error) {
      EXPECT_FALSE(legal) << what << ": " << error.what();
    }
  }
  /// call(op) for all operators there are.
  template <class F> static void expect_ops(const Ops &legal, const std::string &what, F &&call) {
    for (int i = 0; i < chip::kOps; ++i)
      expect(legal.contains(Op(i)), what + " nl." + std::string(nl::name_of(Op(i))),
             [&] { call(Op(i)); });
  }
  template <class F>
  static void expect_engines(const std::set<engine> &legal, const std::string &what, F &&call) {
    for (engine on : {engine::unknown, engine::tensor, engine::scalar, engine::gpsimd, engine::dma,
                      engine::vector, engine::sync})
      expect(legal.contains(on), what + " on engine " + std::to_string(int(on)), [&] { call(on); });
  }
  template <class F>
  static void expect_commands(const std::set<reduce_cmd> &legal, const std::string &what,
                              F &&call) {
    for (reduce_cmd cmd : {reduce_cmd::idle, reduce_cmd::reset, reduce_cmd::reduce,
                           reduce_cmd::reset_reduce, reduce_cmd::load_reduce})
      expect(legal.contains(cmd), what + " with command " + std::to_string(int(cmd)),
             [&] { call(cmd); });
  }
  /// Unary operators take no operand.
  static Operand operand_of(Op op) {
    return kUnary.contains(op) || op == nl::invert ? Operand() : Operand(1);
  }

  Tensor a = tile_of({1}, 64, 16), b = tile_of({1}, 64, 16), c = tile_of({1}, 64, 16);
  Tensor i = tile_of({1}, 64, 16, nl::int32), k = tile_of({1}, 64, 16, nl::int32);
  Tensor bytes = tile_of({1}, 64, 16, nl::uint8), column = tile_of({1}, 64, 1),
         int_column = tile_of({1}, 64, 1, nl::int32);
};

class ChoicesOfV2 : public Choices {
public:
  ChoicesOfV2() : Choices("trn1") {}
};
class ChoicesOfV3 : public Choices {
public:
  ChoicesOfV3() : Choices("trn2") {}
};

TEST_F(Choices, OperatorsOfElementWiseInstructions) {
  const Ops binary = with(kCommon, {nl::abs_max, nl::abs_min});
  expect_ops(binary, "tensor_tensor op", [&](Op op) { nisa::tensor_tensor(c, a, b, op); });
  expect_ops(with(binary, kBitvecBinary), "tensor_tensor op of integers",
             [&](Op op) { nisa::tensor_tensor(k, i, i, op); });
  expect_ops(with(binary, kUnary), "tensor_scalar op0",
             [&](Op op) { nisa::tensor_scalar(c, a, op, operand_of(op)); });
  expect_ops(with(with(binary, kUnary), with(kBitvecBinary, {nl::invert})),
             "tensor_scalar op0 of integers",
             [&](Op op) { nisa::tensor_scalar(k, i, op, operand_of(op)); });
  // None is no second operator.
  expect_ops(with(without(with(binary, kUnary), {nl::square, nl::relu}), {Op::none}),
             "tensor_scalar op1", [&](Op op) {
               nisa::tensor_scalar(c, a, nl::add, 1.0f, false, op,
                                   op == Op::none ? Operand() : operand_of(op));
             });
  expect_ops(with(kBitvecBinary, {nl::invert, Op::none}), "tensor_scalar op1 after bitvec",
             [&](Op op) {
               nisa::tensor_scalar(k, i, nl::bitwise_and, 1, false, op,
                                   op == Op::none ? Operand() : operand_of(op));
             });
  expect_ops(with(binary, kUnary), "scalar_tensor_tensor op0",
             [&](Op op) { nisa::scalar_tensor_tensor(c, a, op, operand_of(op), nl::add, b); });
  expect_ops(binary, "scalar_tensor_tensor op1",
             [&](Op op) { nisa::scalar_tensor_tensor(c, a, nl::add, 1.0f, op, b); });
}

TEST_F(ChoicesOfV2, OperatorsThatCameWithV4) {
  expect_ops(kCommon, "tensor_tensor op", [&](Op op) { nisa::tensor_tensor(c, a, b, op); });
  expect_ops(without(with(kCommon, kUnary), kFromV4), "tensor_scalar op0",
             [&](Op op) { nisa::tensor_scalar(c, a, op, operand_of(op)); });
  expect_ops(without(with(kCommon, kUnary), kFromV4), "scalar_tensor_tensor op0",
             [&](Op op) { nisa::scalar_tensor_tensor(c, a, op, operand_of(op), nl::add, b); });
  expect_ops(without(with(kCommon, kUnary), kFromV4), "tensor_scalar_reduce op0",
             [&](Op op) { nisa::tensor_scalar_reduce(c, a, op, operand_of(op), nl::add); });
  expect_ops(kCommon, "tensor_tensor_scan op0",
             [&](Op op) { nisa::tensor_tensor_scan(c, a, b, 0.0f, op, nl::add); });
}

TEST_F(Choices, OperatorsOfReductionsAndScans) {
  const Ops binary = with(kCommon, {nl::abs_max, nl::abs_min});
  const Ops bits = {nl::bitwise_and, nl::bitwise_or, nl::bitwise_xor};
  expect_ops(without(kReductions, bits), "tensor_reduce op",
             [&](Op op) { nisa::tensor_reduce(column, op, a, 1); });
  expect_ops(kReductions, "tensor_reduce op of integers",
             [&](Op op) { nisa::tensor_reduce(int_column, op, i, 1); });
  expect_ops(without(kReductions, bits), "negated tensor_reduce op of integers",
             [&](Op op) { nisa::tensor_reduce(int_column, op, i, 1, true); });
  expect_ops({nl::add, nl::average, nl::maximum}, "tensor_partition_reduce op",
             [&](Op op) { nisa::tensor_partition_reduce(c.slice(0, 0, 1), op, a); });
  expect_ops({nl::add, nl::average, nl::maximum, nl::bitwise_or, nl::bitwise_and},
             "tensor_partition_reduce op of integers",
             [&](Op op) { nisa::tensor_partition_reduce(k.slice(0, 0, 1), op, i); });
  expect_ops(with(binary, kUnary), "tensor_scalar_reduce op0",
             [&](Op op) { nisa::tensor_scalar_reduce(c, a, op, operand_of(op), nl::add); });
  expect_ops({nl::add, nl::multiply, nl::maximum, nl::minimum}, "tensor_scalar_reduce reduce_op",
             [&](Op op) { nisa::tensor_scalar_reduce(c, a, nl::add, 1.0f, op); });
  expect_ops(binary, "tensor_tensor_scan op0",
             [&](Op op) { nisa::tensor_tensor_scan(c, a, b, 0.0f, op, nl::add); });
  expect_ops(binary, "tensor_tensor_scan op1",
             [&](Op op) { nisa::tensor_tensor_scan(c, a, b, 0.0f, nl::add, op); });
  expect_ops(binary, "tensor_scalar_cumulative op0",
             [&](Op op) { nisa::tensor_scalar_cumulative(c, a, op, nl::add, 1.0f); });
  expect_ops({nl::add, nl::subtract, nl::multiply, nl::maximum, nl::minimum},
             "tensor_scalar_cumulative op1",
             [&](Op op) { nisa::tensor_scalar_cumulative(c, a, nl::add, op, 1.0f); });
  const Tensor hbm_tensor = nl::ndarray({64, 16}, nl::float32, nl::hbm);
  const Tensor sources[] = {a, b};
  expect_ops({nl::add}, "dma_compute reduce_op",
             [&](Op op) { nisa::dma_compute(hbm_tensor, sources, op); });
}

TEST_F(Choices, OperatorsOfActivations) {
  expect_ops(without(kActivations, {nl::prelu}), "activation op",
             [&](Op op) { nisa::activation(c, op, a); });
  expect_ops(without(kActivations, {nl::prelu}), "activation_reduce op",
             [&](Op op) { nisa::activation_reduce(c, op, a, nl::add, column); });
  expect_ops(kActivations, "activate2 op",
             [&](Op op) { nisa::activate2(c, op, a, 1.0f, 1.0f, nl::multiply, nl::add, 0.5f); });
  expect_ops({nl::add}, "activation reduce_op", [&](Op op) {
    nisa::activation(c, nl::exp, a, {}, 1.0f, op, column, reduce_cmd::reset_reduce);
  });
  expect_ops({nl::add}, "activation_reduce reduce_op",
             [&](Op op) { nisa::activation_reduce(c, nl::exp, a, op, column); });
  expect_ops({nl::add, nl::maximum, nl::minimum, nl::abs_max, nl::abs_min}, "activate2 reduce_op",
             [&](Op op) {
               nisa::activate2(c, nl::exp, a, 1.0f, 1.0f, nl::multiply, nl::add, 0.0f, false, false,
                               op, column, reduce_cmd::reset_reduce);
             });
  const std::set<std::pair<Op, Op>> pairs = {
      {nl::multiply, nl::add}, {nl::multiply, nl::subtract}, {nl::multiply, nl::bypass},
      {nl::add, nl::bypass},   {nl::subtract, nl::bypass},   {nl::bypass, nl::bypass}};
  for (int first = 0; first < chip::kOps; ++first)
    expect_ops(
        [&] {
          Ops seconds;
          for (const auto &[op0, op1] : pairs)
            if (op0 == Op(first))
              seconds.insert(op1);
          return seconds;
        }(),
        "activate2 nl." + std::string(nl::name_of(Op(first))) + " and",
        [&](Op op) { nisa::activate2(c, nl::copy, a, 1.0f, 1.0f, Op(first), op); });
}

TEST_F(Choices, OperatorsOfSelections) {
  const Ops range = without(kComparisons, {nl::not_equal});
  expect_ops(range, "range_select comp_op0",
             [&](Op op) { nisa::range_select(c, a, op, nl::less, column, column); });
  expect_ops(range, "range_select comp_op1",
             [&](Op op) { nisa::range_select(c, a, nl::less, op, column, column); });
  expect_ops({nl::maximum}, "range_select reduce_op", [&](Op op) {
    nisa::range_select(c, a, nl::less, nl::less, column, column, reduce_cmd::reset_reduce, column,
                       op);
  });
  expect_ops({nl::maximum}, "select_reduce reduce_op", [&](Op op) {
    nisa::select_reduce(c, bytes, a, 0.0f, column, reduce_cmd::reset_reduce, op);
  });
  expect_ops(kComparisons, "affine_select cmp_op",
             [&](Op op) { nisa::affine_select(c, {{1, 16}}, 0, a, 0.0f, op); });
}

TEST_F(Choices, CommandsOfAccumulators) {
  // A sum that accumulates on needs one to begin with; an idle instruction may leave none behind.
  auto begin = [&] {
    nisa::tensor_scalar_reduce(c, a, nl::add, 1.0f, nl::add);
    nisa::activation(c, nl::copy, a, {}, 1.0f, nl::add, {}, reduce_cmd::reset_reduce);
  };
  auto init = [](reduce_cmd cmd) {
    return cmd == reduce_cmd::load_reduce ? Operand(1.0f) : Operand();
  };
  const std::set<reduce_cmd> loads = {reduce_cmd::reduce, reduce_cmd::reset_reduce,
                                      reduce_cmd::load_reduce};
  const std::set<reduce_cmd> maxima = {reduce_cmd::idle, reduce_cmd::reduce,
                                       reduce_cmd::reset_reduce};
  expect_commands(loads, "tensor_scalar_reduce", [&](reduce_cmd cmd) {
    begin();
    nisa::tensor_scalar_reduce(c, a, nl::add, 1.0f, nl::add, {}, false, cmd, init(cmd));
  });
  expect_commands(loads, "tensor_scalar_cumulative", [&](reduce_cmd cmd) {
    begin();
    nisa::tensor_scalar_cumulative(c, a, nl::add, nl::add, 1.0f, init(cmd), cmd);
  });
  expect_commands(
      {reduce_cmd::idle, reduce_cmd::reset_reduce, reduce_cmd::reduce, reduce_cmd::load_reduce},
      "exponential", [&](reduce_cmd cmd) {
        begin();
        nisa::exponential(c, a, 0.0f, {}, cmd, init(cmd));
      });
  expect_commands(maxima, "select_reduce", [&](reduce_cmd cmd) {
    begin();
    nisa::select_reduce(c, bytes, a, 0.0f, {}, cmd);
  });
  expect_commands(maxima, "range_select", [&](reduce_cmd cmd) {
    begin();
    nisa::range_select(c, a, nl::less, nl::less, column, column, cmd);
  });
  const std::set<reduce_cmd> scalar = {reduce_cmd::idle, reduce_cmd::reset, reduce_cmd::reduce,
                                       reduce_cmd::reset_reduce};
  expect_commands(scalar, "activation", [&](reduce_cmd cmd) {
    begin();
    nisa::activation(c, nl::exp, a, {}, 1.0f, nl::add, {}, cmd);
  });
  expect_commands(scalar, "activate2", [&](reduce_cmd cmd) {
    begin();
    nisa::activate2(c, nl::exp, a, 1.0f, 1.0f, nl::multiply, nl::add, 0.0f, false, false, nl::add,
                    {}, cmd);
  });
}

/// The engines of instructions that run on several, by NeuronCore version.
template <class Test> void expect_all_engines(Test &&test, int version) {
  using Engines = std::set<engine>;
  const Engines any = {engine::unknown, engine::vector, engine::gpsimd};
  auto plus = [](Engines engines, bool condition, engine more) {
    if (condition)
      engines.insert(more);
    return engines;
  };
  test("tensor_copy", plus(any, version > 2, engine::scalar),
       [](auto &t, engine on) { nisa::tensor_copy(t.c, t.a, on); });
  test("memset", any, [](auto &t, engine on) { nisa::memset(t.c, 0.0f, on); });
  test("nc_transpose", Engines{engine::unknown, engine::vector}, [](auto &t, engine on) {
    nisa::nc_transpose(t.c.slice(0, 0, 16), t.b.slice(0, 0, 16), on);
  });
  test("tensor_tensor", any,
       [](auto &t, engine on) { nisa::tensor_tensor(t.c, t.a, t.b, nl::add, on); });
  test("tensor_tensor power", Engines{engine::unknown, engine::gpsimd},
       [](auto &t, engine on) { nisa::tensor_tensor(t.c, t.a, t.b, nl::power, on); });
  auto tensor_scalar = [](Op op0, Op op1, bool on_bits = false) {
    return [=](auto &t, engine on) {
      const Operand one = on_bits ? Operand(1) : Operand(1.0f);
      nisa::tensor_scalar(on_bits ? t.k : t.c, on_bits ? t.i : t.a, op0,
                          op0 == nl::rsqrt ? Operand() : one, false, op1,
                          op1 == Op::none ? Operand() : one, false, on);
    };
  };
  const Engines vector = {engine::unknown, engine::vector};
  test("tensor_scalar multiply add", plus(vector, version > 2, engine::scalar),
       tensor_scalar(nl::multiply, nl::add));
  test("tensor_scalar multiply", plus(vector, version > 2, engine::scalar),
       tensor_scalar(nl::multiply, Op::none));
  test("tensor_scalar add", plus(vector, version > 2, engine::scalar),
       tensor_scalar(nl::add, Op::none));
  test("tensor_scalar add multiply", plus(vector, version > 3, engine::scalar),
       tensor_scalar(nl::add, nl::multiply));
  test("tensor_scalar rsqrt", plus({engine::unknown, engine::gpsimd}, version > 3, engine::scalar),
       tensor_scalar(nl::rsqrt, Op::none));
  test("tensor_scalar bitwise_and", vector, tensor_scalar(nl::bitwise_and, Op::none, true));
  test("rng", plus({engine::vector}, version > 2, engine::gpsimd),
       [](auto &t, engine on) { nisa::rng(t.k, on); });
  Engines seeds;
  seeds = plus(plus(seeds, version > 2, engine::gpsimd), version > 3, engine::vector);
  test("rand_set_state", seeds, [](auto &, engine on) {
    nisa::rand_set_state(tile_of({1}, 64, on == engine::vector ? 24 : 6, nl::uint32), on);
  });
  test("rand_get_state", seeds, [](auto &, engine on) {
    nisa::rand_get_state(tile(64, on == engine::vector ? 24 : 6, nl::uint32), on);
  });
  Engines descriptors;
  for (engine on : {engine::unknown, engine::sync, engine::scalar})
    descriptors = plus(descriptors, version > 2, on);
  test("dma_copy with hwdge", descriptors, [](auto &t, engine on) {
    nisa::dma_copy(t.c, t.a, nisa::oob_mode::error, nisa::dge_mode::hwdge, on);
  });
}

#define TEST_ENGINES(Fixture, version)                                                             \
  TEST_F(Fixture, Engines) {                                                                       \
    expect_all_engines(                                                                            \
        [&](const char *what, const std::set<engine> &legal, auto call) {                          \
          expect_engines(legal, what, [&](engine on) { call(*this, on); });                        \
        },                                                                                         \
        version);                                                                                  \
  }
TEST_ENGINES(ChoicesOfV2, 2)
TEST_ENGINES(ChoicesOfV3, 3)
TEST_ENGINES(Choices, 4)

/// Every form on the generations that have it, and an error on the others.
class Availability : public testing::TestWithParam<Form> {};
TEST_P(Availability, IsAsDocumented) {
  const char *generations[] = {"trn1", "trn2", "trn3"};
  for (int version = 2; version <= 4; ++version) {
    chip::Hbm hbm;
    chip::Core core(chip::generation(generations[version - 2]), hbm);
    CoreScope scope(core);
    try {
      GetParam().call(make_all(GetParam()));
      EXPECT_GE(version, GetParam().from) << "was accepted";
    } catch (const Error &error) {
      // A constant is no bias on version 2, neither are operators of version 4.
      EXPECT_LT(version, GetParam().from) << error.what();
      EXPECT_NE(std::string(error.what()).find("NeuronCore-v"), std::string::npos)
          << "does not name the generation: " << error.what();
    }
  }
}
std::string name_of(const testing::TestParamInfo<Form> &info) {
  std::string name = std::string(info.param.instruction) + "_" + info.param.form;
  for (char &c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '_';
  return name;
}
INSTANTIATE_TEST_SUITE_P(All, Availability, testing::ValuesIn(forms()), name_of);

} // namespace
} // namespace nki::documented
