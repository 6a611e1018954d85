// Runs functions of runtime/lanes on given bits, for the test of their twins in Python.
//
//   lanes_reference COMMANDS TILES RESULTS
//
// TILES holds 32-bit words, `128 * lanes` to a tile. Each line of COMMANDS is
//
//   NAME LANES OPERAND...
//
// where an operand is `tN` (tile N of TILES), `iN` (an integer for all lanes) or `fN` (the bits of
// a float for all lanes). RESULTS gets the bits of each line's result, two tiles where it is a
// pair.
#include "chip/core.h"
#include "chip/storage.h"
#include "lanes/double.h"
#include "lanes/element.h"
#include "lanes/half.h"
#include "lanes/ops.h"
#include "lanes/wide.h"
#include "nki/isa.h"

#include <bit>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>

namespace {

using namespace nki;

struct Argument {
  Tensor tile, high; ///< the words of a pair, or a tile alone
  int64_t number = 0;
  IntOperand integer() const {
    return tile ? IntOperand(tile.view(DType::int32)) : int32_t(number);
  }
  FloatOperand real() const {
    return tile ? FloatOperand(tile.view(DType::float32)) : std::bit_cast<float>(int32_t(number));
  }
  WideOperand wide() const { return tile ? WideOperand(Wide{tile, high}) : WideOperand(number); }
};

/// One line: where the result goes and what it is made of.
struct Call {
  const Wave &wave;
  Tensor dst, high; ///< int32
  std::vector<Argument> arguments;

  Tensor as_float() const { return dst.view(DType::float32); }
  IntOperand integer(size_t i) const { return arguments.at(i).integer(); }
  FloatOperand real(size_t i) const { return arguments.at(i).real(); }
  Tensor int_tile(size_t i) const { return arguments.at(i).tile.view(DType::int32); }
  Tensor float_tile(size_t i) const { return arguments.at(i).tile.view(DType::float32); }
  int number(size_t i) const { return int(arguments.at(i).number); }
  Wide pair() const { return {dst, high}; }
  WideOperand wide(size_t i) const { return arguments.at(i).wide(); }
  Wide wide_pair(size_t i) const { return wide(i).tile; }
};

using Function = std::function<void(const Call &)>;
using Table = std::map<std::string, Function>;

using IntBinary = void (*)(const Tensor &, const IntOperand &, const IntOperand &);
using FloatBinary = void (*)(const Tensor &, const FloatOperand &, const FloatOperand &);
using Unary = void (*)(const Tensor &, const Tensor &);
using Comparison = Mask (*)(const Wave &, const IntOperand &, const IntOperand &);

void add_integers(Table &table) {
  const std::pair<const char *, IntBinary> binary[] = {
      {"iadd", iadd},     {"isub", isub},     {"imul", imul}, {"iand", iand}, {"ior", ior},
      {"ixor", ixor},     {"shl", shl},       {"lshr", lshr}, {"ashr", ashr}, {"sdiv", sdiv},
      {"udiv", udiv},     {"srem", srem},     {"urem", urem}, {"smin", smin}, {"smax", smax},
      {"smulhi", smulhi}, {"umulhi", umulhi}, {"umin", umin}, {"umax", umax}};
  for (auto &[name, function] : binary)
    table[name] = [f = function](const Call &c) { f(c.dst, c.integer(0), c.integer(1)); };
  const std::pair<const char *, Unary> unary[] = {{"iabs", iabs}, {"popc", popc}, {"clz", clz},
                                                  {"brev", brev}, {"ffs", ffs},   {"ctz", ctz}};
  for (auto &[name, function] : unary)
    table[name] = [f = function](const Call &c) { f(c.dst, c.int_tile(0)); };
  table["fshl"] = [](const Call &c) { fshl(c.dst, c.integer(0), c.integer(1), c.integer(2)); };
  table["fshr"] = [](const Call &c) { fshr(c.dst, c.integer(0), c.integer(1), c.integer(2)); };
  table["sext"] = [](const Call &c) { sext(c.dst, c.int_tile(0), c.number(1)); };
  table["zext"] = [](const Call &c) { zext(c.dst, c.int_tile(0), c.number(1)); };
  table["test_bit"] = [](const Call &c) {
    from_mask(c.dst, test_bit(c.wave, c.int_tile(0), c.number(1)));
  };
  const std::pair<const char *, Comparison> comparisons[] = {
      {"eq", eq}, {"ne", ne}, {"slt", slt}, {"sle", sle}, {"ult", ult}, {"ule", ule}};
  for (auto &[name, function] : comparisons)
    table[name] = [f = function](const Call &c) {
      from_mask(c.dst, f(c.wave, c.integer(0), c.integer(1)));
    };
}

void add_floats(Table &table) {
  const std::pair<const char *, FloatBinary> binary[] = {
      {"fadd", fadd},   {"fsub", fsub}, {"fmul", fmul}, {"fmax", fmax},         {"fmin", fmin},
      {"atan2", atan2}, {"pow", pow},   {"fmod", fmod}, {"copysign", copysign}, {"hypot", hypot}};
  for (auto &[name, function] : binary)
    table[name] = [f = function](const Call &c) { f(c.as_float(), c.real(0), c.real(1)); };
  const char *predicates[] = {"oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                              "ueq", "ugt", "uge", "ult", "ule", "une", "uno"};
  for (size_t i = 0; i < std::size(predicates); ++i)
    table[std::string("f") + predicates[i]] = [i](const Call &c) {
      from_mask(c.dst, compare(c.wave, FloatCompare(i), c.real(0), c.real(1)));
    };
  const std::pair<const char *, Unary> unary[] = {{"fneg", fneg},
                                                  {"fabs", fabs},
                                                  {"saturate", saturate},
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
                                                  {"asin", asin},
                                                  {"acos", acos},
                                                  {"atan", atan},
                                                  {"sinh", sinh},
                                                  {"cosh", cosh},
                                                  {"asinh", asinh},
                                                  {"acosh", acosh},
                                                  {"atanh", atanh},
                                                  {"erf", erf},
                                                  {"erfc", erfc},
                                                  {"cbrt", cbrt},
                                                  {"floor", floor},
                                                  {"ceil", ceil},
                                                  {"trunc", trunc},
                                                  {"rint", rint},
                                                  {"round", round},
                                                  {"round_half", round_half},
                                                  {"round_bfloat", round_bfloat}};
  for (auto &[name, function] : unary)
    table[name] = [f = function](const Call &c) { f(c.as_float(), c.float_tile(0)); };
  for (bool precise : {false, true}) {
    const std::string suffix = precise ? ".precise" : "";
    table["fdiv" + suffix] = [=](const Call &c) {
      fdiv(c.as_float(), c.real(0), c.real(1), precise);
    };
    table["fma" + suffix] = [=](const Call &c) {
      fma(c.as_float(), c.real(0), c.real(1), c.real(2), precise);
    };
    table["sqrt" + suffix] = [=](const Call &c) { sqrt(c.as_float(), c.float_tile(0), precise); };
    table["reciprocal" + suffix] = [=](const Call &c) {
      reciprocal(c.as_float(), c.float_tile(0), precise);
    };
  }
}

void add_conversions(Table &table) {
  const std::pair<const char *, Unary> from_float[] = {
      {"float_to_int", float_to_int},       {"float_to_uint", float_to_uint},
      {"float_to_int_rn", float_to_int_rn}, {"float_to_uint_rn", float_to_uint_rn},
      {"float_to_int_rd", float_to_int_rd}, {"float_to_int_ru", float_to_int_ru},
      {"float_to_half", float_to_half},     {"float_to_bfloat", float_to_bfloat}};
  for (auto &[name, function] : from_float)
    table[name] = [f = function](const Call &c) { f(c.dst, c.float_tile(0)); };
  const std::pair<const char *, Unary> to_float[] = {
      {"int_to_float", int_to_float},         {"uint_to_float", uint_to_float},
      {"int_to_float_odd", int_to_float_odd}, {"uint_to_float_odd", uint_to_float_odd},
      {"half_to_float", half_to_float},       {"bfloat_to_float", bfloat_to_float}};
  for (auto &[name, function] : to_float)
    table[name] = [f = function](const Call &c) { f(c.as_float(), c.int_tile(0)); };
  table["fma_half"] = [](const Call &c) {
    fma_half(c.as_float(), c.real(0), c.real(1), c.real(2));
  };
  table["fma_bfloat"] = [](const Call &c) {
    fma_bfloat(c.as_float(), c.real(0), c.real(1), c.real(2));
  };
}

using WideBinary = void (*)(const Wide &, const WideOperand &, const WideOperand &);
using WideShift = void (*)(const Wide &, const WideOperand &, const IntOperand &);
using WideFunnel = void (*)(const Wide &, const WideOperand &, const WideOperand &,
                            const IntOperand &);
using WideUnary = void (*)(const Wide &, const Wide &);
using Counting = void (*)(const Tensor &, const Wide &);
using Widening = void (*)(const Wide &, const Tensor &);
using WideComparison = Mask (*)(const Wave &, const WideOperand &, const WideOperand &);

void add_wide_arithmetic(Table &table) {
  const std::pair<const char *, WideBinary> binary[] = {
      {"iadd", iadd}, {"isub", isub}, {"imul", imul},     {"iand", iand},
      {"ior", ior},   {"ixor", ixor}, {"sdiv", sdiv},     {"udiv", udiv},
      {"srem", srem}, {"urem", urem}, {"smulhi", smulhi}, {"umulhi", umulhi},
      {"smin", smin}, {"smax", smax}, {"umin", umin},     {"umax", umax}};
  for (auto &[name, function] : binary)
    table[std::string("wide.") + name] = [f = function](const Call &c) {
      f(c.pair(), c.wide(0), c.wide(1));
    };
  const std::pair<const char *, WideComparison> comparisons[] = {
      {"eq", eq}, {"ne", ne}, {"slt", slt}, {"sle", sle}, {"ult", ult}, {"ule", ule}};
  for (auto &[name, function] : comparisons)
    table[std::string("wide.") + name] = [f = function](const Call &c) {
      from_mask(c.dst, f(c.wave, c.wide(0), c.wide(1)));
    };
  table["wide.umul_wide"] = [](const Call &c) { umul_wide(c.pair(), c.integer(0), c.integer(1)); };
  table["wide.smul_wide"] = [](const Call &c) { smul_wide(c.pair(), c.integer(0), c.integer(1)); };
  table["wide.iabs"] = [](const Call &c) { iabs(c.pair(), c.wide_pair(0)); };
}

void add_wide_bits(Table &table) {
  const std::pair<const char *, WideShift> shifts[] = {
      {"shl", shl}, {"lshr", lshr}, {"ashr", ashr}};
  for (auto &[name, function] : shifts)
    table[std::string("wide.") + name] = [f = function](const Call &c) {
      f(c.pair(), c.wide(0), c.integer(1));
    };
  const std::pair<const char *, WideFunnel> funnels[] = {{"fshl", fshl}, {"fshr", fshr}};
  for (auto &[name, function] : funnels)
    table[std::string("wide.") + name] = [f = function](const Call &c) {
      f(c.pair(), c.wide(0), c.wide(1), c.integer(2));
    };
  table["wide.brev"] = [](const Call &c) { brev(c.pair(), c.wide_pair(0)); };
  const std::pair<const char *, Counting> to_word[] = {
      {"popc", popc}, {"clz", clz}, {"ctz", ctz}, {"ffs", ffs}};
  for (auto &[name, function] : to_word)
    table[std::string("wide.") + name] = [f = function](const Call &c) {
      f(c.dst, c.wide_pair(0));
    };
  table["wide.sext"] = [](const Call &c) { sext(c.pair(), c.int_tile(0), c.number(1)); };
  table["wide.zext"] = [](const Call &c) { zext(c.pair(), c.int_tile(0), c.number(1)); };
  table["wide.sext.pair"] = [](const Call &c) { sext(c.pair(), c.wide_pair(0), c.number(1)); };
  table["wide.zext.pair"] = [](const Call &c) { zext(c.pair(), c.wide_pair(0), c.number(1)); };
}

void add_wide_conversions(Table &table) {
  const std::pair<const char *, Counting> to_float[] = {{"int_to_float", int_to_float},
                                                        {"uint_to_float", uint_to_float},
                                                        {"double_to_float", double_to_float}};
  for (auto &[name, function] : to_float)
    table[std::string("wide.") + name] = [f = function](const Call &c) {
      f(c.as_float(), c.wide_pair(0));
    };
  const std::pair<const char *, Widening> from_float[] = {
      {"float_to_int", float_to_int},       {"float_to_uint", float_to_uint},
      {"float_to_int_rn", float_to_int_rn}, {"float_to_int_rd", float_to_int_rd},
      {"float_to_int_ru", float_to_int_ru}, {"float_to_uint_rn", float_to_uint_rn},
      {"float_to_double", float_to_double}};
  for (auto &[name, function] : from_float)
    table[std::string("wide.") + name] = [f = function](const Call &c) {
      f(c.pair(), c.float_tile(0));
    };
  table["wide.int_to_double"] = [](const Call &c) { int_to_double(c.pair(), c.int_tile(0)); };
  table["wide.uint_to_double"] = [](const Call &c) { uint_to_double(c.pair(), c.int_tile(0)); };
}

constexpr int64_t kPartitions = 128;

std::vector<uint32_t> words_of(const char *path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

Tensor tile_from(const uint32_t *words, int64_t lanes) {
  Tensor tile = nl::ndarray({kPartitions, lanes}, DType::int32);
  nisa::memset(tile, 0);
  for (int64_t p = 0; p < kPartitions; ++p)
    std::memcpy(tile.storage()->row(p), words + p * lanes, size_t(lanes) * 4);
  return tile;
}

Argument parse(const std::string &text, int64_t lanes, const std::vector<uint32_t> &words) {
  Argument argument;
  argument.number = std::stoll(text.substr(1));
  const uint32_t *from = words.data() + argument.number * kPartitions * lanes;
  if (text[0] == 't' || text[0] == 'w')
    argument.tile = tile_from(from, lanes);
  if (text[0] == 'w')
    argument.high = tile_from(from + kPartitions * lanes, lanes);
  return argument;
}

void write(std::ostream &out, const Tensor &tile) {
  for (int64_t p = 0; p < kPartitions; ++p)
    out.write(reinterpret_cast<const char *>(tile.storage()->row(p)), tile.shape(1) * 4);
}

void run(const Table &table, std::istream &commands, const std::vector<uint32_t> &words,
         std::ostream &out) {
  for (std::string line; std::getline(commands, line);) {
    std::istringstream fields(line);
    std::string name;
    int64_t lanes;
    fields >> name >> lanes;
    Launch launch;
    launch.gridDim = {uint32_t(kPartitions), 1, 1};
    launch.blockDim = {uint32_t(lanes), 1, 1};
    const Wave wave(launch, {0, 0, 0}, {uint32_t(kPartitions), 1, 1}, 1);
    Call call{wave, wave.tile(DType::int32), wave.tile(DType::int32), {}};
    nisa::memset(call.high, 0);
    for (std::string text; fields >> text;)
      call.arguments.push_back(parse(text, lanes, words));
    const auto found = table.find(name);
    if (found == table.end())
      throw std::runtime_error("no function " + name);
    found->second(call);
    write(out, call.dst);
    if (name.starts_with("wide."))
      write(out, call.high);
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 4) {
    std::cerr << "lanes_reference COMMANDS TILES RESULTS\n";
    return 2;
  }
  try {
    Table table;
    add_integers(table);
    add_floats(table);
    add_conversions(table);
    add_wide_arithmetic(table);
    add_wide_bits(table);
    add_wide_conversions(table);
    chip::Hbm memory;
    chip::Core core(chip::generation("trn3"), memory, {});
    CoreScope scope(core);
    std::ifstream commands(argv[1]);
    std::ofstream results(argv[3], std::ios::binary);
    run(table, commands, words_of(argv[2]), results);
  } catch (const std::exception &error) {
    std::cerr << "lanes_reference: " << error.what() << '\n';
    return 1;
  }
}
