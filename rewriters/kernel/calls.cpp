#include "kernel/calls.h"

#include "kernel/link_library.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace neuronify::kernel {
namespace {

struct Row {
  const char *name, *operation;
};

// Values that the launch fixes.
constexpr Row kHostRegisters[] = {
    {"llvm.nvvm.read.ptx.sreg.ntid.x", "blockDim.x"},
    {"llvm.nvvm.read.ptx.sreg.ntid.y", "blockDim.y"},
    {"llvm.nvvm.read.ptx.sreg.ntid.z", "blockDim.z"},
    {"llvm.nvvm.read.ptx.sreg.nctaid.x", "gridDim.x"},
    {"llvm.nvvm.read.ptx.sreg.nctaid.y", "gridDim.y"},
    {"llvm.nvvm.read.ptx.sreg.nctaid.z", "gridDim.z"},
    {"llvm.nvvm.read.ptx.sreg.warpsize", "warpSize"},
};

constexpr Row kLaneRegisters[] = {
    {"llvm.nvvm.read.ptx.sreg.tid.x", "threadIdx.x"},
    {"llvm.nvvm.read.ptx.sreg.tid.y", "threadIdx.y"},
    {"llvm.nvvm.read.ptx.sreg.tid.z", "threadIdx.z"},
    {"llvm.nvvm.read.ptx.sreg.ctaid.x", "blockIdx.x"},
    {"llvm.nvvm.read.ptx.sreg.ctaid.y", "blockIdx.y"},
    {"llvm.nvvm.read.ptx.sreg.ctaid.z", "blockIdx.z"},
    {"llvm.nvvm.read.ptx.sreg.laneid", "laneId"},
    {"llvm.nvvm.read.ptx.sreg.warpid", "warpId"},
    {"llvm.nvvm.read.ptx.sreg.lanemask.eq", "laneMaskEq"},
    {"llvm.nvvm.read.ptx.sreg.lanemask.lt", "laneMaskLt"},
    {"llvm.nvvm.read.ptx.sreg.lanemask.le", "laneMaskLe"},
    {"llvm.nvvm.read.ptx.sreg.lanemask.gt", "laneMaskGt"},
    {"llvm.nvvm.read.ptx.sreg.lanemask.ge", "laneMaskGe"},
};

// Computed where their operands are known.
constexpr Row kEarly[] = {
    {"llvm.smin.i32", "smin"},
    {"llvm.smax.i32", "smax"},
    {"llvm.umin.i32", "umin"},
    {"llvm.umax.i32", "umax"},
    {"llvm.abs.i32", "iabs"},
    {"__nv_abs", "iabs"},
    {"__nv_min", "smin"},
    {"__nv_max", "smax"},
    {"__nv_umin", "umin"},
    {"__nv_umax", "umax"},
    {"llvm.smin.i64", "smin"},
    {"llvm.smax.i64", "smax"},
    {"llvm.umin.i64", "umin"},
    {"llvm.umax.i64", "umax"},
    {"llvm.abs.i64", "iabs"},
    {"__nv_llmin", "smin"},
    {"__nv_llmax", "smax"},
    {"__nv_ullmin", "umin"},
    {"__nv_ullmax", "umax"},
    {"__nv_llabs", "iabs"},
    {"llvm.smin.i16", "smin"},
    {"llvm.smax.i16", "smax"},
    {"llvm.umin.i16", "umin"},
    {"llvm.umax.i16", "umax"},
    {"llvm.smin.i8", "smin"},
    {"llvm.smax.i8", "smax"},
    {"llvm.umin.i8", "umin"},
    {"llvm.umax.i8", "umax"},
    {"llvm.abs.i16", "iabs"},
    {"llvm.abs.i8", "iabs"},
    {"llvm.fabs.f32", "fabs"},
    {"__nv_fabsf", "fabs"},
    {"llvm.nvvm.fabs.f32", "fabs"},
    {"llvm.sqrt.f32", "sqrt"},
    {"__nv_sqrtf", "sqrt"},
    {"__nv_fsqrt_rn", "sqrt"},
    {"llvm.nvvm.sqrt.rn.f", "sqrt"},
    {"llvm.nvvm.sqrt.f", "sqrt"},
};

// Computed on the chip.
constexpr Row kChip[] = {
    {"__nv_rsqrtf", "rsqrt"},
    {"__nv_frsqrt_rn", "rsqrt"},
    {"llvm.nvvm.rsqrt.approx.f", "rsqrt"},
    {"__nv_expf", "exp"},
    {"__nv_fast_expf", "exp"},
    {"llvm.exp.f32", "exp"},
    {"__nv_exp2f", "exp2"},
    {"llvm.exp2.f32", "exp2"},
    {"llvm.nvvm.ex2.approx.f", "exp2"},
    {"llvm.nvvm.ex2.approx.f32", "exp2"},
    {"__nv_exp10f", "exp10"},
    {"__nv_fast_exp10f", "exp10"},
    {"llvm.exp10.f32", "exp10"},
    {"__nv_expm1f", "expm1"},
    {"__nv_logf", "log"},
    {"__nv_fast_logf", "log"},
    {"llvm.log.f32", "log"},
    {"__nv_log2f", "log2"},
    {"__nv_fast_log2f", "log2"},
    {"llvm.log2.f32", "log2"},
    {"llvm.nvvm.lg2.approx.f", "log2"},
    {"__nv_log10f", "log10"},
    {"__nv_fast_log10f", "log10"},
    {"llvm.log10.f32", "log10"},
    {"__nv_log1pf", "log1p"},
    {"__nv_sinf", "sin"},
    {"__nv_fast_sinf", "sin"},
    {"llvm.sin.f32", "sin"},
    {"llvm.nvvm.sin.approx.f", "sin"},
    {"__nv_cosf", "cos"},
    {"__nv_fast_cosf", "cos"},
    {"llvm.cos.f32", "cos"},
    {"llvm.nvvm.cos.approx.f", "cos"},
    {"__nv_tanf", "tan"},
    {"__nv_fast_tanf", "tan"},
    {"llvm.tan.f32", "tan"},
    {"__nv_tanhf", "tanh"},
    {"llvm.tanh.f32", "tanh"},
    {"__nv_asinf", "asin"},
    {"llvm.asin.f32", "asin"},
    {"__nv_acosf", "acos"},
    {"llvm.acos.f32", "acos"},
    {"__nv_atanf", "atan"},
    {"llvm.atan.f32", "atan"},
    {"__nv_atan2f", "atan2"},
    {"llvm.atan2.f32", "atan2"},
    {"__nv_sinhf", "sinh"},
    {"llvm.sinh.f32", "sinh"},
    {"__nv_coshf", "cosh"},
    {"llvm.cosh.f32", "cosh"},
    {"__nv_asinhf", "asinh"},
    {"__nv_acoshf", "acosh"},
    {"__nv_atanhf", "atanh"},
    {"__nv_erff", "erf"},
    {"__nv_erfcf", "erfc"},
    {"__nv_cbrtf", "cbrt"},
    {"__nv_hypotf", "hypot"},
    {"__nv_floorf", "floor"},
    {"llvm.floor.f32", "floor"},
    {"llvm.nvvm.floor.f", "floor"},
    {"__nv_ceilf", "ceil"},
    {"llvm.ceil.f32", "ceil"},
    {"llvm.nvvm.ceil.f", "ceil"},
    {"__nv_truncf", "trunc_float"},
    {"llvm.trunc.f32", "trunc_float"},
    {"llvm.nvvm.trunc.f", "trunc_float"},
    {"__nv_rintf", "rint"},
    {"llvm.rint.f32", "rint"},
    {"__nv_nearbyintf", "rint"},
    {"llvm.nearbyint.f32", "rint"},
    {"llvm.roundeven.f32", "rint"},
    {"__nv_roundf", "round"},
    {"llvm.round.f32", "round"},
    {"__nv_powf", "pow"},
    {"__nv_fast_powf", "pow"},
    {"llvm.pow.f32", "pow"},
    {"__nv_fmodf", "fmod"},
    {"__nv_fdividef", "fdiv"},
    {"__nv_fast_fdividef", "fdiv"},
    {"__nv_fdiv_rn", "fdiv"},
    {"llvm.nvvm.div.rn.f", "fdiv"},
    {"llvm.nvvm.div.approx.f", "fdiv"},
    {"llvm.nvvm.div.full", "fdiv"},
    {"__nv_frcp_rn", "reciprocal"},
    {"llvm.nvvm.rcp.rn.f", "reciprocal"},
    {"__nv_fmaf", "fma"},
    {"__nv_fmaf_rn", "fma"},
    {"__nv_fmaf_ieee_rn", "fma"},
    {"llvm.fma.f32", "fma"},
    {"llvm.nvvm.fma.rn.f", "fma"},
    {"__nv_fadd_rn", "fadd"},
    {"__nv_fsub_rn", "fsub"},
    {"__nv_fmul_rn", "fmul"},
    {"llvm.nvvm.add.rn.f", "fadd"},
    {"llvm.nvvm.mul.rn.f", "fmul"},
    {"__nv_fmaxf", "fmax"},
    {"llvm.maxnum.f32", "fmax"},
    {"llvm.nvvm.fmax.f", "fmax"},
    {"__nv_fminf", "fmin"},
    {"llvm.minnum.f32", "fmin"},
    {"llvm.nvvm.fmin.f", "fmin"},
    {"__nv_copysignf", "copysign"},
    {"llvm.copysign.f32", "copysign"},
    {"__nv_isnanf", "isnan"},
    {"__nv_isinff", "isinf"},
    {"__nv_finitef", "isfinite"},
    {"__nv_isfinitef", "isfinite"},
    {"__nv_signbitf", "signbit"},
    {"__nv_saturatef", "saturate"},
    {"llvm.nvvm.saturate.f", "saturate"},
    {"__nv_popc", "popc"},
    {"llvm.ctpop.i32", "popc"},
    {"__nv_clz", "clz"},
    {"llvm.ctlz.i32", "clz"},
    {"__nv_brev", "brev"},
    {"llvm.bitreverse.i32", "brev"},
    {"__nv_ffs", "ffs"},
    {"llvm.nvvm.fns", "fns"},
    {"__nv_popcll", "popc"},
    {"llvm.ctpop.i64", "popc"},
    {"__nv_clzll", "clz"},
    {"llvm.ctlz.i64", "clz"},
    {"__nv_brevll", "brev"},
    {"llvm.bitreverse.i64", "brev"},
    {"__nv_ffsll", "ffs"},
    {"llvm.cttz.i32", "ctz"},
    {"llvm.cttz.i64", "ctz"},
    {"__nv_mul64hi", "smulhi"},
    {"__nv_umul64hi", "umulhi"},
    {"llvm.nvvm.mulhi.ll", "smulhi"},
    {"llvm.nvvm.mulhi.ull", "umulhi"},
    {"llvm.fshl.i64", "fshl"},
    {"llvm.fshr.i64", "fshr"},
    {"__nv_float2ll_rz", "float_to_int"},
    {"__nv_float2ull_rz", "float_to_uint"},
    {"llvm.nvvm.f2ll.rz", "float_to_int"},
    {"llvm.nvvm.f2ull.rz", "float_to_uint"},
    {"llvm.fptosi.sat.i64.f32", "float_to_int"},
    {"llvm.fptoui.sat.i64.f32", "float_to_uint"},
    {"__nv_float2ll_rn", "float_to_int_rn"},
    {"__nv_float2ull_rn", "float_to_uint_rn"},
    {"llvm.nvvm.f2ll.rn", "float_to_int_rn"},
    {"llvm.nvvm.f2ull.rn", "float_to_uint_rn"},
    {"__nv_llrintf", "float_to_int_rn"},
    {"__nv_float2ll_rd", "float_to_int_rd"},
    {"__nv_float2ll_ru", "float_to_int_ru"},
    {"llvm.nvvm.f2ll.rm", "float_to_int_rd"},
    {"llvm.nvvm.f2ll.rp", "float_to_int_ru"},
    {"__nv_ll2float_rn", "int_to_float"},
    {"__nv_ull2float_rn", "uint_to_float"},
    {"llvm.nvvm.ll2f.rn", "int_to_float"},
    {"llvm.nvvm.ull2f.rn", "uint_to_float"},
    {"__nv_mulhi", "smulhi"},
    {"__nv_umulhi", "umulhi"},
    {"llvm.nvvm.mulhi.i", "smulhi"},
    {"llvm.nvvm.mulhi.ui", "umulhi"},
    {"llvm.fshl.i32", "fshl"},
    {"llvm.fshr.i32", "fshr"},
    {"__nv_float_as_int", "float_as_int"},
    {"__nv_float_as_uint", "float_as_int"},
    {"__nv_int_as_float", "int_as_float"},
    {"__nv_uint_as_float", "int_as_float"},
    {"llvm.nvvm.bitcast.f2i", "float_as_int"},
    {"llvm.nvvm.bitcast.i2f", "int_as_float"},
    {"__nv_float2int_rz", "float_to_int"},
    {"__nv_float2uint_rz", "float_to_uint"},
    {"llvm.nvvm.f2i.rz", "float_to_int"},
    {"llvm.nvvm.f2ui.rz", "float_to_uint"},
    {"llvm.fptosi.sat.i32.f32", "float_to_int"},
    {"llvm.fptoui.sat.i32.f32", "float_to_uint"},
    {"__nv_float2int_rn", "float_to_int_rn"},
    {"__nv_float2uint_rn", "float_to_uint_rn"},
    {"llvm.nvvm.f2i.rn", "float_to_int_rn"},
    {"llvm.nvvm.f2ui.rn", "float_to_uint_rn"},
    {"__nv_float2int_rd", "float_to_int_rd"},
    {"__nv_float2int_ru", "float_to_int_ru"},
    {"llvm.nvvm.f2i.rm", "float_to_int_rd"},
    {"llvm.nvvm.f2i.rp", "float_to_int_ru"},
    {"__nv_int2float_rn", "int_to_float"},
    {"__nv_uint2float_rn", "uint_to_float"},
    {"llvm.nvvm.i2f.rn", "int_to_float"},
    {"llvm.nvvm.ui2f.rn", "uint_to_float"},
};

// Made by demote_doubles: from and to the 64 bits of a double in memory.
constexpr Row kDouble[] = {
    {"neuronify.double_to_float", "double_to_float"},
    {"neuronify.float_to_double", "float_to_double"},
    {"neuronify.int_to_double", "int_to_double"},
    {"neuronify.uint_to_double", "uint_to_double"},
};

// Made by widen_halves: between 16 bits and floats of the same value, and operations on such floats
// that are rounded once. Computed where their operands are known.
constexpr Row kHalf[] = {
    {"neuronify.half_to_float", "half_to_float"},
    {"neuronify.float_to_half", "float_to_half"},
    {"neuronify.round_half", "round_half"},
    {"neuronify.round_half.f64", "round_half"},
    {"neuronify.fma_half", "fma_half"},
    {"neuronify.bfloat_to_float", "bfloat_to_float"},
    {"neuronify.float_to_bfloat", "float_to_bfloat"},
    {"neuronify.round_bfloat", "round_bfloat"},
    {"neuronify.round_bfloat.f64", "round_bfloat"},
    {"neuronify.fma_bfloat", "fma_bfloat"},
    {"neuronify.int_to_float_odd", "int_to_float_odd"},
    {"neuronify.uint_to_float_odd", "uint_to_float_odd"},
    {"neuronify.div_exact", "div_exact"},
    {"neuronify.sqrt_exact", "sqrt_exact"},
};

// Functions of doubles that are not called as the ones of floats with another ending.
constexpr Row kFloatCounterparts[] = {
    {"__nv_dadd_rn", "__nv_fadd_rn"},
    {"__nv_dsub_rn", "__nv_fsub_rn"},
    {"__nv_dmul_rn", "__nv_fmul_rn"},
    {"__nv_ddiv_rn", "__nv_fdiv_rn"},
    {"__nv_drcp_rn", "__nv_frcp_rn"},
    {"__nv_dsqrt_rn", "__nv_fsqrt_rn"},
    {"__nv_fma_rn", "__nv_fmaf_rn"},
    {"__nv_isnand", "__nv_isnanf"},
    {"__nv_isinfd", "__nv_isinff"},
    {"__nv_isfinited", "__nv_finitef"},
    {"__nv_signbitd", "__nv_signbitf"},
    {"__nv_double2int_rz", "__nv_float2int_rz"},
    {"__nv_double2int_rn", "__nv_float2int_rn"},
    {"__nv_double2int_rd", "__nv_float2int_rd"},
    {"__nv_double2int_ru", "__nv_float2int_ru"},
    {"__nv_double2uint_rz", "__nv_float2uint_rz"},
    {"__nv_double2uint_rn", "__nv_float2uint_rn"},
    {"__nv_double2ll_rz", "__nv_float2ll_rz"},
    {"__nv_double2ll_rn", "__nv_float2ll_rn"},
    {"__nv_double2ll_rd", "__nv_float2ll_rd"},
    {"__nv_double2ll_ru", "__nv_float2ll_ru"},
    {"__nv_double2ull_rz", "__nv_float2ull_rz"},
    {"__nv_double2ull_rn", "__nv_float2ull_rn"},
    {"__nv_ll2double_rn", "__nv_ll2float_rn"},
    {"__nv_ull2double_rn", "__nv_ull2float_rn"},
    {"__nv_ll2double_rz", "__nv_ll2float_rn"},
    {"__nv_ll2double_rd", "__nv_ll2float_rn"},
    {"__nv_ll2double_ru", "__nv_ll2float_rn"},
    {"__nv_ull2double_rz", "__nv_ull2float_rn"},
    {"__nv_ull2double_rd", "__nv_ull2float_rn"},
    {"__nv_ull2double_ru", "__nv_ull2float_rn"},
    {"llvm.nvvm.d2i.rz", "llvm.nvvm.f2i.rz"},
    {"llvm.nvvm.d2i.rn", "llvm.nvvm.f2i.rn"},
    {"llvm.nvvm.d2ui.rz", "llvm.nvvm.f2ui.rz"},
    {"llvm.nvvm.d2ll.rz", "llvm.nvvm.f2ll.rz"},
    {"llvm.nvvm.d2ull.rz", "llvm.nvvm.f2ull.rz"},
    {"llvm.fptosi.sat.i32.f64", "llvm.fptosi.sat.i32.f32"},
    {"llvm.fptoui.sat.i32.f64", "llvm.fptoui.sat.i32.f32"},
    {"llvm.fptosi.sat.i64.f64", "llvm.fptosi.sat.i64.f32"},
    {"llvm.fptoui.sat.i64.f64", "llvm.fptoui.sat.i64.f32"},
};

constexpr Row kWarp[] = {
    {"llvm.nvvm.shfl.sync.down.i32", "shfl_down"}, {"llvm.nvvm.shfl.sync.down.f32", "shfl_down"},
    {"llvm.nvvm.shfl.sync.up.i32", "shfl_up"},     {"llvm.nvvm.shfl.sync.up.f32", "shfl_up"},
    {"llvm.nvvm.shfl.sync.bfly.i32", "shfl_xor"},  {"llvm.nvvm.shfl.sync.bfly.f32", "shfl_xor"},
    {"llvm.nvvm.shfl.sync.idx.i32", "shfl"},       {"llvm.nvvm.shfl.sync.idx.f32", "shfl"},
};

// Arguments: member mask (first, or last for reductions, or none), then value or predicate.
constexpr Row kVote[] = {
    {"llvm.nvvm.vote.ballot.sync", "ballot"},
    {"llvm.nvvm.vote.any.sync", "vote_any"},
    {"llvm.nvvm.vote.all.sync", "vote_all"},
    {"llvm.nvvm.vote.uni.sync", "vote_uni"},
    {"llvm.nvvm.vote.ballot", "ballot"},
    {"llvm.nvvm.vote.any", "vote_any"},
    {"llvm.nvvm.vote.all", "vote_all"},
    {"llvm.nvvm.vote.uni", "vote_uni"},
    {"llvm.nvvm.activemask", "activemask"},
    {"llvm.nvvm.match.any.sync.i32", "match_any"},
    {"llvm.nvvm.match.all.sync.i32p", "match_all"},
    {"llvm.nvvm.match.any.sync.i64", "match_any64"},
    {"llvm.nvvm.match.all.sync.i64p", "match_all64"},
    {"llvm.nvvm.redux.sync.add", "reduce_add"},
    {"llvm.nvvm.redux.sync.min", "reduce_min"},
    {"llvm.nvvm.redux.sync.max", "reduce_max"},
    {"llvm.nvvm.redux.sync.umin", "reduce_umin"},
    {"llvm.nvvm.redux.sync.umax", "reduce_umax"},
    {"llvm.nvvm.redux.sync.and", "reduce_and"},
    {"llvm.nvvm.redux.sync.or", "reduce_or"},
    {"llvm.nvvm.redux.sync.xor", "reduce_xor"},
    {"llvm.nvvm.barrier.cta.red.popc.aligned.all", "block_count"},
    {"llvm.nvvm.barrier.cta.red.and.aligned.all", "block_all"},
    {"llvm.nvvm.barrier.cta.red.or.aligned.all", "block_any"},
    {"llvm.nvvm.barrier.cta.red.popc.all", "block_count"},
    {"llvm.nvvm.barrier.cta.red.and.all", "block_all"},
    {"llvm.nvvm.barrier.cta.red.or.all", "block_any"},
};

// Functions of our own headers (frontend/include/neuronify/texture.h and surface.h); their last
// letters say of which type the result is.
constexpr Row kTexture[] = {
    {"__neuronify_texture_element_float", "texture_element"},
    {"__neuronify_texture_element_int", "texture_element"},
    {"__neuronify_texture_1d_float", "texture_1d"},
    {"__neuronify_texture_1d_int", "texture_1d"},
    {"__neuronify_texture_2d_float", "texture_2d"},
    {"__neuronify_texture_2d_int", "texture_2d"},
    {"__neuronify_texture_3d_float", "texture_3d"},
    {"__neuronify_texture_3d_int", "texture_3d"},
    {"__neuronify_texture_1d_layered_float", "texture_1d_layered"},
    {"__neuronify_texture_1d_layered_int", "texture_1d_layered"},
    {"__neuronify_texture_2d_layered_float", "texture_2d_layered"},
    {"__neuronify_texture_2d_layered_int", "texture_2d_layered"},
    {"__neuronify_surface_read_1d", "surface_read_1d"},
    {"__neuronify_surface_read_2d", "surface_read_2d"},
    {"__neuronify_surface_read_3d", "surface_read_3d"},
    {"__neuronify_surface_write_1d", "surface_write_1d"},
    {"__neuronify_surface_write_2d", "surface_write_2d"},
    {"__neuronify_surface_write_3d", "surface_write_3d"},
};

StringMap<Callee> build() {
  StringMap<Callee> table;
  for (const Row &row : kHostRegisters)
    table[row.name] = {row.operation, Known::host, Effect::none, ""};
  for (const Row &row : kLaneRegisters)
    table[row.name] = {row.operation, Known::launch, Effect::none, ""};
  for (const Row &row : kEarly)
    table[row.name] = {row.operation, Known::host, Effect::none, ""};
  for (const Row &row : kChip)
    table[row.name] = {row.operation, Known::chip, Effect::none, ""};
  for (const Row &row : kDouble)
    table[row.name] = {row.operation, Known::chip, Effect::none, ""};
  for (const Row &row : kHalf)
    table[row.name] = {row.operation, Known::host, Effect::none, ""};
  for (const Row &row : kWarp)
    table[row.name] = {row.operation, Known::chip, Effect::warp, ""};
  for (const Row &row : kTexture)
    table[row.name] = {row.operation, Known::chip, Effect::texture, ""};
  table["__neuronify_texture_handle"] = {"texture_handle", Known::host, Effect::texture, ""};
  table["neuronify.print"] = {"print", Known::chip, Effect::print, ""};
  table["__assertfail"] = {"assert_fail", Known::chip, Effect::stop, ""};
  table["__neuronify_grid_sync"] = {"grid_sync", Known::chip, Effect::grid_barrier, ""};
  table["llvm.trap"] = {"trap", Known::chip, Effect::stop, ""};
  for (const Row &row : kVote)
    table[row.name] = {row.operation, Known::chip, Effect::vote, ""};
  return table;
}

const StringMap<Callee> &table() {
  static const StringMap<Callee> built = build();
  return built;
}

bool is_barrier(StringRef name) {
  return name.starts_with("llvm.nvvm.barrier0") ||
         name.starts_with("llvm.nvvm.barrier.cta.sync.aligned.all") ||
         name.starts_with("llvm.nvvm.barrier.cta.sync.all") || name == "llvm.nvvm.barrier.sync";
}

bool is_ignored(StringRef name) {
  for (StringRef prefix :
       {"llvm.dbg.", "llvm.lifetime.", "llvm.assume", "llvm.nvvm.membar.",
        "llvm.nvvm.bar.warp.sync", "llvm.nvvm.fence", "llvm.experimental.noalias",
        "llvm.invariant.", "llvm.sideeffect", "llvm.donothing"})
    if (name.starts_with(prefix))
      return true;
  return false;
}

/// Functions of floats that become other operations before anything is lowered.
bool is_code(StringRef name) {
  for (StringRef expanded : {"__nv_ldexpf", "__nv_scalbnf", "__nv_ilogbf", "__nv_logbf",
                             "__nv_llroundf", "__nv_lroundf", "__nv_frexpf"})
    if (name == expanded)
      return true;
  return is_in_library(name);
}

/// The diagnostic that says best why a call is unsupported.
StringRef reason(StringRef name) {
  if (name.contains("vprintf") || name.contains("__assert") || name == "malloc" || name == "free" ||
      name.starts_with("_Zna") || name.starts_with("_Znw") || name.starts_with("_Zda") ||
      name.starts_with("_Zdl") || name == "llvm.trap")
    return "NFY4010";
  if (name.starts_with("__neuronify_texture_") || name.starts_with("__neuronify_surface_"))
    return "NFY4014";
  if (name.contains("atom") || name.contains("vote") || name.contains("match") ||
      name.contains("activemask") || name.contains("redux"))
    return "NFY4002";
  return "NFY4006";
}

} // namespace

std::string float_counterpart(StringRef name) {
  for (const Row &row : kFloatCounterparts)
    if (name == row.name)
      return row.operation;
  std::string candidate;
  if (name.starts_with("__nv_"))
    candidate = name.str() + "f";
  else if (name.starts_with("llvm.") && name.ends_with(".f64"))
    candidate = name.drop_back(2).str() + "32";
  else if (name.starts_with("llvm.nvvm.") && name.ends_with(".d"))
    candidate = name.drop_back(1).str() + "f";
  return table().contains(candidate) || is_code(candidate) ? candidate : std::string();
}

std::string pair_counterpart(const CallBase &call) {
  const Function *function = call.getCalledFunction();
  const std::string counterpart = function ? float_counterpart(function->getName()) : "";
  if (counterpart.empty())
    return "";
  std::string name(table().lookup(counterpart).operation);
  if (name.empty()) // code: __nv_expm1f
    name = StringRef(counterpart).drop_front(5).drop_back().str();
  // Integers of 64 bits have functions of their own.
  const Type *result = call.getType();
  const bool wide = result->isIntegerTy(64) ||
                    (call.arg_size() == 1 && call.getArgOperand(0)->getType()->isIntegerTy(64));
  for (StringRef integer : {"uint", "int"})
    if (size_t at = name.find(integer); wide && at != std::string::npos) {
      name.replace(at, integer.size(), integer == "uint" ? "ulong" : "long");
      break;
    }
  name = "neuronify_pair_" + name;
  return is_in_library(name) ? name : "";
}

Callee find_function(StringRef name) { return table().lookup(name); }

Callee find_callee(const CallBase &call) {
  if (call.isInlineAsm())
    return {"", Known::chip, Effect::unsupported, "NFY4005"};
  const Function *function = call.getCalledFunction();
  if (!function)
    return {"", Known::chip, Effect::unsupported, "NFY4004"};
  const StringRef name = function->getName();
  if (auto found = table().find(name); found != table().end())
    return found->second;
  if (const std::string counterpart = float_counterpart(name); !counterpart.empty()) {
    const auto found = table().find(counterpart);
    return found != table().end() ? found->second : Callee{"code", Known::chip, Effect::none, ""};
  }
  if (is_barrier(name))
    return {"", Known::host, Effect::barrier, ""};
  if (is_ignored(name))
    return {"", Known::host, Effect::ignored, ""};
  if (!function->isDeclaration())
    return {"", Known::chip, Effect::unsupported, "NFY4004"};
  return {"", Known::chip, Effect::unsupported, reason(name)};
}

} // namespace neuronify::kernel
