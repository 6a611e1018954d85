#include "tile/operations.h"

namespace neuronify::tile {

static constexpr OperationRow kRows[] = {
    {"load", "tpnm"},
    {"store", "pTnm"},
    {"assign", "vVm"},
    {"select", "tmTT"},
    {"fill", "tT"},
    {"copy", "tt"},
    {"materialize", "ix"},
    {"from_mask", "im"},
    {"iadd", "iII"},
    {"isub", "iII"},
    {"imul", "iII"},
    {"iand", "iII"},
    {"ior", "iII"},
    {"ixor", "iII"},
    {"shl", "iII"},
    {"lshr", "iII"},
    {"ashr", "iII"},
    {"sdiv", "iII"},
    {"udiv", "iII"},
    {"srem", "iII"},
    {"urem", "iII"},
    {"smulhi", "iII"},
    {"umulhi", "iII"},
    {"smin", "iII"},
    {"smax", "iII"},
    {"umin", "iII"},
    {"umax", "iII"},
    {"fshl", "iIII"},
    {"fshr", "iIII"},
    {"iabs", "ii"},
    {"popc", "ii"},
    {"clz", "ii"},
    {"brev", "ii"},
    {"ffs", "ii"},
    {"ctz", "ii"},
    {"sext", "iin"},
    {"zext", "iin"},
    // The same on 64-bit integers.
    {"materialize", "lx"},
    {"words", "lII"},
    {"iadd", "lLL"},
    {"isub", "lLL"},
    {"imul", "lLL"},
    {"smul_wide", "lII"},
    {"umul_wide", "lII"},
    {"iand", "lLL"},
    {"ior", "lLL"},
    {"ixor", "lLL"},
    {"shl", "lLI"},
    {"lshr", "lLI"},
    {"ashr", "lLI"},
    {"sdiv", "lLL"},
    {"udiv", "lLL"},
    {"srem", "lLL"},
    {"urem", "lLL"},
    {"smulhi", "lLL"},
    {"umulhi", "lLL"},
    {"smin", "lLL"},
    {"smax", "lLL"},
    {"umin", "lLL"},
    {"umax", "lLL"},
    {"fshl", "lLLI"},
    {"fshr", "lLLI"},
    {"iabs", "ll"},
    {"popc", "il"},
    {"clz", "il"},
    {"brev", "ll"},
    {"ffs", "il"},
    {"ctz", "il"},
    {"sext", "lin"},
    {"zext", "lin"},
    {"sext", "lln"},
    {"zext", "lln"},
    {"int_to_float", "fl"},
    {"uint_to_float", "fl"},
    {"double_to_float", "fl"},
    {"float_to_double", "lf"},
    {"int_to_double", "li"},
    {"uint_to_double", "li"},
    {"float_to_int", "lf"},
    {"float_to_uint", "lf"},
    {"float_to_int_rn", "lf"},
    {"float_to_uint_rn", "lf"},
    {"float_to_int_rd", "lf"},
    {"float_to_int_ru", "lf"},
    // 16-bit floats, in tiles of floats and of their bits.
    {"half_to_float", "fi"},
    {"float_to_half", "if"},
    {"round_half", "ff"},
    {"fma_half", "fFFF"},
    {"bfloat_to_float", "fi"},
    {"float_to_bfloat", "if"},
    {"round_bfloat", "ff"},
    {"fma_bfloat", "fFFF"},
    {"int_to_float_odd", "fi"},
    {"uint_to_float_odd", "fi"},
    {"div_exact", "fFF"},
    {"sqrt_exact", "ff"},
    {"fadd", "fFF"},
    {"fsub", "fFF"},
    {"fmul", "fFF"},
    {"fdiv", "fFF"},
    {"fmod", "fFF"},
    {"pow", "fFF"},
    {"atan2", "fFF"},
    {"hypot", "fFF"},
    {"fmax", "fFF"},
    {"fmin", "fFF"},
    {"copysign", "fFF"},
    {"fma", "fFFF"},
    {"fneg", "ff"},
    {"fabs", "ff"},
    {"sqrt", "ff"},
    {"rsqrt", "ff"},
    {"reciprocal", "ff"},
    {"exp", "ff"},
    {"exp2", "ff"},
    {"exp10", "ff"},
    {"expm1", "ff"},
    {"log", "ff"},
    {"log2", "ff"},
    {"log10", "ff"},
    {"log1p", "ff"},
    {"sin", "ff"},
    {"cos", "ff"},
    {"tan", "ff"},
    {"tanh", "ff"},
    {"asin", "ff"},
    {"acos", "ff"},
    {"atan", "ff"},
    {"sinh", "ff"},
    {"cosh", "ff"},
    {"asinh", "ff"},
    {"acosh", "ff"},
    {"atanh", "ff"},
    {"erf", "ff"},
    {"erfc", "ff"},
    {"cbrt", "ff"},
    {"floor", "ff"},
    {"ceil", "ff"},
    {"trunc_float", "ff"},
    {"rint", "ff"},
    {"round", "ff"},
    {"saturate", "ff"},
    {"int_to_float", "fi"},
    {"uint_to_float", "fi"},
    {"float_to_int", "if"},
    {"float_to_uint", "if"},
    {"float_to_int_rn", "if"},
    {"float_to_uint_rn", "if"},
    {"float_to_int_rd", "if"},
    {"float_to_int_ru", "if"},
    {"atomic_add", "pIm"},
    {"atomic_sub", "pIm"},
    {"atomic_exch", "pTm"},
    {"atomic_min", "pIm"},
    {"atomic_max", "pIm"},
    {"atomic_umin", "pIm"},
    {"atomic_umax", "pIm"},
    {"atomic_and", "pIm"},
    {"atomic_or", "pIm"},
    {"atomic_xor", "pIm"},
    {"atomic_inc", "pIm"},
    {"atomic_dec", "pIm"},
    {"atomic_fadd", "pFm"},
    {"atomic_fadd_half", "pFm"},
    {"atomic_fadd_bfloat", "pFm"},
    {"fetch_fadd_half", "fpFm"},
    {"fetch_fadd_bfloat", "fpFm"},
    {"atomic_fsub", "pFm"},
    {"atomic_fmin", "pFm"},
    {"atomic_fmax", "pFm"},
    {"atomic_cas", "pIIm"},
    {"atomic_cas16", "pIIm"},
    {"fetch_add", "ipIm"},
    {"fetch_sub", "ipIm"},
    {"fetch_exch", "tpTm"},
    {"fetch_min", "ipIm"},
    {"fetch_max", "ipIm"},
    {"fetch_umin", "ipIm"},
    {"fetch_umax", "ipIm"},
    {"fetch_and", "ipIm"},
    {"fetch_or", "ipIm"},
    {"fetch_xor", "ipIm"},
    {"fetch_inc", "ipIm"},
    {"fetch_dec", "ipIm"},
    {"fetch_fadd", "fpFm"},
    {"fetch_fsub", "fpFm"},
    {"fetch_fmin", "fpFm"},
    {"fetch_fmax", "fpFm"},
    {"fetch_cas", "ipIIm"},
    {"fetch_cas16", "ipIIm"},
    {"atomic_add64", "pLm"},
    {"atomic_sub64", "pLm"},
    {"atomic_exch64", "pLm"},
    {"atomic_min64", "pLm"},
    {"atomic_max64", "pLm"},
    {"atomic_umin64", "pLm"},
    {"atomic_umax64", "pLm"},
    {"atomic_and64", "pLm"},
    {"atomic_or64", "pLm"},
    {"atomic_xor64", "pLm"},
    {"atomic_cas64", "pLLm"},
    {"fetch_add64", "lpLm"},
    {"fetch_sub64", "lpLm"},
    {"fetch_exch64", "lpLm"},
    {"fetch_min64", "lpLm"},
    {"fetch_max64", "lpLm"},
    {"fetch_umin64", "lpLm"},
    {"fetch_umax64", "lpLm"},
    {"fetch_and64", "lpLm"},
    {"fetch_or64", "lpLm"},
    {"fetch_xor64", "lpLm"},
    {"fetch_cas64", "lpLLm"},
    {"ballot", "immI"},
    {"activemask", "im"},
    {"match_any", "iImI"},
    {"match_all", "iImI"},
    {"match_any64", "iLmI"},
    {"match_all64", "iLmI"},
    {"fns", "iIII"},
    {"reduce_add", "iImI"},
    {"reduce_min", "iImI"},
    {"reduce_max", "iImI"},
    {"reduce_umin", "iImI"},
    {"reduce_umax", "iImI"},
    {"reduce_and", "iImI"},
    {"reduce_or", "iImI"},
    {"reduce_xor", "iImI"},
    {"block_count", "imm"},
    // Handle, component, coordinates; surfaces: handle, value, coordinates, size, offset, bytes and
    // what happens outside.
    {"texture_element", "tnnXm"},
    {"texture_1d", "tnnFm"},
    {"texture_2d", "tnnFFm"},
    {"texture_3d", "tnnFFFm"},
    {"texture_1d_layered", "tnnFIm"},
    {"texture_2d_layered", "tnnFFIm"},
    {"surface_read_1d", "inXnnnnm"},
    {"surface_read_2d", "inXXnnnnm"},
    {"surface_read_3d", "inXXXnnnnm"},
    {"surface_write_1d", "nIXnnnnm"},
    {"surface_write_2d", "nIXXnnnnm"},
    {"surface_write_3d", "nIXXXnnnnm"},
    // Number of the text, then values or the line; see PrintedText.
    {"print", "n*m"},
    {"assert_fail", "nnm"},
    {"trap", "m"},
    {"grid_sync", "m"},
    {"shfl", "ttXn"},
    {"shfl_up", "ttxn"},
    {"shfl_down", "ttxn"},
    {"shfl_xor", "ttxn"},
};

const OperationRow *find_operation(std::string_view name) {
  for (const OperationRow &row : kRows)
    if (row.name == name)
      return &row;
  return nullptr;
}

bool takes(const OperationRow &row, size_t count) {
  const bool any = row.signature.find('*') != std::string_view::npos;
  return any ? count + 1 >= row.signature.size() : count == row.signature.size();
}

char letter_of(const OperationRow &row, size_t operand, size_t count) {
  const size_t star = row.signature.find('*');
  if (operand < star)
    return row.signature[operand];
  const size_t behind = count - operand; // counted from the end
  return behind < row.signature.size() - star ? row.signature[row.signature.size() - behind] : '*';
}

static bool fits(const OperationRow &row, const std::vector<Expr> &operands) {
  if (!takes(row, operands.size()))
    return false;
  for (size_t i = 0; i < operands.size(); ++i)
    if (operands[i] && !fits(letter_of(row, i, operands.size()), operands[i]))
      return false;
  return true;
}

const OperationRow *find_operation(std::string_view name, const std::vector<Expr> &operands) {
  for (const OperationRow &row : kRows)
    if (row.name == name && fits(row, operands))
      return &row;
  return nullptr;
}

bool fits(char letter, const Expr &e) {
  const Kind kind = e->type.kind;
  switch (letter) {
  case 'f':
    return kind == Kind::tile_float;
  case 'i':
    return kind == Kind::tile_int;
  case 'l':
    return kind == Kind::tile_wide;
  case 't':
    return e->type.is_tile();
  case 'F':
    return kind == Kind::tile_float || (kind == Kind::host_float && e->type.bits == 32);
  case 'I':
    return kind == Kind::tile_int || kind == Kind::host_int;
  case 'L':
    return kind == Kind::tile_wide || kind == Kind::host_int;
  case 'T':
    return e->type.is_tile() || e->type.is_host();
  case 'm':
    return kind == Kind::mask || kind == Kind::host_bool;
  case 'p':
    return kind == Kind::place;
  case 'x':
    return kind == Kind::index || kind == Kind::host_int;
  case 'X':
    return kind == Kind::index || kind == Kind::host_int || kind == Kind::tile_int;
  case 'n':
    return kind == Kind::host_int;
  case '*':
    return e->type.is_tile() || e->type.is_host() || kind == Kind::index;
  case 'v':
    return e->form == Expression::Form::variable;
  case 'V':
    return true;
  default:
    return false;
  }
}

} // namespace neuronify::tile
