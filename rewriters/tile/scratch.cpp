#include "tile/space.h"

#include <span>

namespace neuronify::tile {

namespace {

struct Row {
  std::string_view operation;
  int tiles;
};

/// What is not listed needs two tiles at most.
constexpr Row kRows[] = {
    {"load", 8},
    {"store", 8},
    {"ashr", 4},
    {"sdiv", 12},
    {"udiv", 8},
    {"srem", 12},
    {"urem", 8},
    {"smulhi", 9},
    {"umulhi", 7},
    {"fshl", 5},
    {"fshr", 5},
    {"popc", 3},
    {"clz", 5},
    {"brev", 3},
    {"ffs", 6},
    {"fdiv", 14},
    {"fmod", 13},
    {"fmax", 4},
    {"fmin", 4},
    {"copysign", 3},
    {"fma", 17},
    {"sqrt", 13},
    {"reciprocal", 14},
    {"exp2", 5},
    {"exp10", 6},
    {"expm1", 3},
    {"log", 5},
    {"log2", 5},
    {"log10", 6},
    {"log1p", 7},
    {"sin", 5},
    {"cos", 5},
    {"tan", 10},
    {"asin", 10},
    {"acos", 10},
    {"atan", 6},
    {"atan2", 12},
    {"sinh", 6},
    {"cosh", 5},
    {"asinh", 16},
    {"acosh", 15},
    {"atanh", 13},
    {"erfc", 10},
    {"cbrt", 8},
    {"hypot", 15},
    {"floor", 7},
    {"ceil", 7},
    {"trunc_float", 5},
    {"rint", 6},
    {"round", 7},
    {"float_to_int", 4},
    {"float_to_uint", 3},
    {"float_to_int_rn", 7},
    {"float_to_uint_rn", 7},
    {"float_to_int_rd", 8},
    {"float_to_int_ru", 8},
    {"shfl", 4},
    {"div_exact", 14},
    {"sqrt_exact", 13},
    {"fma_half", 8},
    {"int_to_float_odd", 8},
    {"uint_to_float_odd", 8},
    {"fma_bfloat", 24},
};

/// The same on 64-bit integers; six where it is not listed.
constexpr Row kWideRows[] = {
    {"load", 16},
    {"store", 16},
    {"ashr", 8},
    {"clz", 8},
    {"ctz", 7},
    {"ffs", 10},
    {"float_to_int", 7},
    {"float_to_int_rd", 8},
    {"float_to_int_rn", 8},
    {"float_to_int_ru", 8},
    {"float_to_uint_rn", 7},
    {"fshl", 10},
    {"fshr", 10},
    {"imul", 9},
    {"int_to_float", 13},
    {"sdiv", 25},
    {"smul_wide", 9},
    {"smulhi", 19},
    {"srem", 25},
    {"udiv", 18},
    {"uint_to_float", 10},
    {"umul_wide", 9},
    {"umulhi", 15},
    {"urem", 18},
};

} // namespace

int scratch_tiles(std::string_view operation, bool is_wide) {
  if (operation.starts_with("atomic_") || operation.starts_with("fetch_"))
    return 8;
  if (operation.starts_with("texture_"))
    return operation == "texture_element" ? 12 : 32;
  if (operation.starts_with("surface_"))
    return 16;
  if (operation == "print")
    return 4;
  for (const Row &row : is_wide ? std::span<const Row>(kWideRows) : std::span<const Row>(kRows))
    if (row.operation == operation)
      return row.tiles;
  return is_wide ? 6 : 2;
}

} // namespace neuronify::tile
