// Operands of every kind: numbers, broadcast columns, slices, odd sizes, the destination itself.
#include "lanes/half.h"
#include "math_for_test.h"

namespace nki::math_test {

namespace {

using UnaryFunction = void (*)(const Tensor &, const Tensor &);

const std::pair<const char *, UnaryFunction> kUnary[] = {
    {"int_to_float", int_to_float},
    {"uint_to_float", uint_to_float},
    {"float_to_int", float_to_int},
    {"float_to_uint", float_to_uint},
    {"half_to_float", half_to_float},
    {"float_to_half", float_to_half},
    {"half_to_float bf16", bfloat_to_float},
    {"float_to_bfloat", float_to_bfloat},
    {"round_half", round_half},
    {"round_bfloat", round_bfloat},
    {"int_to_float_odd", int_to_float_odd},
    {"uint_to_float_odd", uint_to_float_odd},
    {"sqrt", [](const Tensor &d, const Tensor &a) { sqrt(d, a, false); }},
    {"sqrt precise", [](const Tensor &d, const Tensor &a) { sqrt(d, a, true); }},
    {"reciprocal", [](const Tensor &d, const Tensor &a) { reciprocal(d, a, false); }},
    {"reciprocal precise", [](const Tensor &d, const Tensor &a) { reciprocal(d, a, true); }},
    {"rsqrt", rsqrt},
    {"exp", exp},
    {"exp2", exp2},
    {"exp10", exp10},
    {"expm1", expm1},
    {"log", log},
    {"log2", log2},
    {"log10", log10},
    {"log1p", log1p},
    {"sin", sin},
    {"cos", cos},
    {"tan", tan},
    {"tanh", tanh},
    {"erf", erf},
    {"floor", floor},
    {"ceil", ceil},
    {"trunc", trunc},
    {"rint", rint},
    {"round", round},
    {"x / x", [](const Tensor &d, const Tensor &a) { fdiv(d, a, a, false); }},
    {"x / x precise", [](const Tensor &d, const Tensor &a) { fdiv(d, a, a, true); }},
    {"x * x + x", [](const Tensor &d, const Tensor &a) { fma(d, a, a, a, false); }},
    {"x * x + x precise", [](const Tensor &d, const Tensor &a) { fma(d, a, a, a, true); }},
    {"x * x + x as fp16", [](const Tensor &d, const Tensor &a) { fma_half(d, a, a, a); }},
    {"x * x + x as bf16", [](const Tensor &d, const Tensor &a) { fma_bfloat(d, a, a, a); }},
    {"pow(x, x)", [](const Tensor &d, const Tensor &a) { pow(d, a, a); }},
    {"fmod(x, x)", [](const Tensor &d, const Tensor &a) { fmod(d, a, a); }},
};

DType source_type(std::string_view name) {
  bool from_integer =
      name.substr(0, 3) == "int" || name.substr(0, 4) == "uint" || name.substr(0, 4) == "half";
  return from_integer ? DType::int32 : DType::float32;
}
DType result_type(std::string_view name) {
  return name.substr(0, 8) == "float_to" ? DType::int32 : DType::float32;
}

std::vector<uint32_t> lanes_of(const Tensor &tile) {
  std::vector<uint32_t> values;
  append_lanes(values, tile, size_t(tile.shape(0) * tile.shape(1)));
  return values;
}

std::vector<float> some_values(size_t count) {
  std::vector<float> values = few_edges();
  std::mt19937 random(11);
  while (values.size() < count)
    values.push_back(from_bits(uint32_t(random())));
  values.resize(count);
  return values;
}

TEST(MathOperands, TheDestinationMayBeTheSource) {
  Chip chip;
  std::vector<float> values = some_values(64 * 600);
  for (auto [name, function] : kUnary) {
    Tensor source = tile_of(values.data(), values.size(), 64, 600, source_type(name));
    Tensor separate = nl::ndarray({64, 600}, result_type(name));
    function(separate, source);
    Tensor same = source.view(result_type(name));
    function(same, source);
    EXPECT_EQ(lanes_of(same), lanes_of(separate)) << name;
  }
}

TEST(MathOperands, OddSizesGiveTheSameAsTheWhole) {
  Chip chip;
  std::vector<float> values = some_values(128 * 4100);
  for (auto [name, function] : kUnary)
    for (auto [partitions, free] :
         {std::pair<int64_t, int64_t>{1, 1}, {1, 2049}, {5, 4100}, {97, 3}, {128, 513}}) {
      Tensor source = tile_of(values.data(), values.size(), partitions, free, source_type(name));
      Tensor whole = nl::ndarray({partitions, free}, result_type(name));
      function(whole, source);
      // Lane by lane along the free axis, in columns of 7.
      Tensor pieces = nl::ndarray({partitions, free}, result_type(name));
      for (int64_t first = 0; first < free; first += 7) {
        int64_t last = std::min(first + 7, free);
        function(pieces.slice(1, first, last), source.slice(1, first, last));
        if (first > 70)
          first += 700;
      }
      std::vector<uint32_t> expected = lanes_of(whole), got = lanes_of(pieces);
      for (int64_t p = 0; p < partitions; ++p)
        for (int64_t f = 0; f < std::min<int64_t>(free, 70); ++f)
          ASSERT_EQ(got[size_t(p * free + f)], expected[size_t(p * free + f)]) << name;
    }
}

TEST(MathOperands, AColumnCountsForAllLanesOfItsPartition) {
  Chip chip;
  std::vector<float> values = some_values(128);
  for (auto [name, function] : kUnary) {
    Tensor column = tile_of(values.data(), values.size(), 128, 1, source_type(name));
    Tensor narrow = nl::ndarray({128, 1}, result_type(name));
    Tensor wide = nl::ndarray({128, 20}, result_type(name));
    function(narrow, column);
    function(wide, column.broadcast(1, 20));
    std::vector<uint32_t> expected = lanes_of(narrow), got = lanes_of(wide);
    for (size_t lane = 0; lane < got.size(); ++lane)
      ASSERT_EQ(got[lane], expected[lane / 20]) << name;
  }
}

using TernaryFunction = std::function<void(const Tensor &, const FloatOperand &,
                                           const FloatOperand &, const FloatOperand &)>;

TEST(MathOperands, NumbersGiveTheSameAsTilesThatHoldThem) {
  Chip chip;
  std::vector<float> values = some_values(128 * 8),
                     numbers = {3.0f, -0.0f, 0.1f, 1e-40f, 3e38f, kInf};
  Tensor tile = tile_of(values.data(), values.size(), 128, 8, DType::float32);
  const std::pair<const char *, TernaryFunction> functions[] = {
      {"fdiv precise", [](auto &d, auto &a, auto &b, auto &) { fdiv(d, a, b, true); }},
      {"fma", [](auto &d, auto &a, auto &b, auto &c) { fma(d, a, b, c, false); }},
      {"fma precise", [](auto &d, auto &a, auto &b, auto &c) { fma(d, a, b, c, true); }},
      {"fma_half", [](auto &d, auto &a, auto &b, auto &c) { fma_half(d, a, b, c); }},
      {"fma_bfloat", [](auto &d, auto &a, auto &b, auto &c) { fma_bfloat(d, a, b, c); }},
      {"pow", [](auto &d, auto &a, auto &b, auto &) { pow(d, a, b); }},
      {"fmod", [](auto &d, auto &a, auto &b, auto &) { fmod(d, a, b); }},
  };
  for (auto &[name, function] : functions)
    for (float number : numbers)
      for (int which = 0; which < 8; ++which) {
        std::vector<float> same(values.size(), number);
        Tensor filled = tile_of(same.data(), same.size(), 128, 8, DType::float32);
        auto operand = [&](int i) { return which >> i & 1 ? FloatOperand(number) : tile; };
        auto as_tile = [&](int i) { return FloatOperand(which >> i & 1 ? filled : tile); };
        Tensor got = nl::ndarray({128, 8}, DType::float32);
        Tensor expected = nl::ndarray({128, 8}, DType::float32);
        function(got, operand(0), operand(1), operand(2));
        function(expected, as_tile(0), as_tile(1), as_tile(2));
        std::vector<uint32_t> a = lanes_of(got), b = lanes_of(expected);
        for (size_t lane = 0; lane < a.size(); ++lane)
          ASSERT_TRUE(a[lane] == b[lane] ||
                      (std::isnan(from_bits(a[lane])) && std::isnan(from_bits(b[lane]))))
              << name << " of " << number << " in " << which;
      }
}

} // namespace

} // namespace nki::math_test
