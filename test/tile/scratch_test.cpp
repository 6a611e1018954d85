// What the operations of runtime/lanes need besides their operands is what the table says: the
// emitted kernels tell from it how many lanes a partition can have.
#include "chip/core.h"
#include "lanes/atomics.h"
#include "lanes/element.h"
#include "lanes/half.h"
#include "lanes/wide.h"
#include "nki/isa.h"
#include "tile/space.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>

namespace neuronify::tile {
namespace {

using namespace nki;

/// One block in a partition, with operands that hold ordinary numbers.
class Bench {
public:
  Bench() : core_(chip::generation("trn3"), memory_), scope_(core_) {
    memory.pointer = static_cast<int *>(memory_.allocate(64));
    launch_.gridDim = {3, 1, 1};
    launch_.blockDim = {kLanes, 1, 1};
    std::array<uint32_t, 3> first{0, 0, 0}, box{3, 1, 1};
    wave_.emplace(launch_, first, box, 1u);
    for (Tensor *tile : {&f, &g, &h})
      nisa::memset(*tile = wave_->tile(DType::float32), 1.5f);
    for (Tensor *tile : {&i, &j, &k})
      nisa::memset(*tile = wave_->tile(DType::int32), 3);
    for (Wide *pair : {&p, &q, &l}) {
      *pair = {wave_->tile(DType::int32), wave_->tile(DType::int32)};
      nki::fill(*pair, 5);
    }
    x = wave_->tile(DType::float32);
    n = wave_->tile(DType::int32);
    nisa::memset(x, 0.0f);
    nisa::memset(n, 0);
    mask = Mask(*wave_, nki::slt(*wave_, i, j).tile(*wave_));
  }
  /// Tiles that `operation` needed at the same time.
  double run(const std::function<void(Bench &)> &operation) {
    int64_t before = core_.used(Buffer::sbuf);
    EXPECT_EQ(core_.peak(Buffer::sbuf), before) << "making operands needs less than them";
    operation(*this);
    return double(core_.peak(Buffer::sbuf) - before) / (4 * kLanes);
  }

  const Wave &wave() const { return *wave_; }
  Tensor f, g, h, i, j, k; ///< float and integer operands
  Tensor x, n;             ///< float and integer results
  Wide p, q;               ///< 64-bit operands
  Wide l;                  ///< 64-bit result
  Mask mask;
  hbm<int> memory;
  bool precise = false;

private:
  static constexpr int64_t kLanes = 960;
  chip::Hbm memory_;
  chip::Core core_;
  CoreScope scope_;
  Launch launch_;
  std::optional<Wave> wave_;
};

using Run = std::function<void(Bench &)>;
#define INT2(name) {#name, [](Bench &b) { nki::name(b.n, b.i, b.j); }}
#define INT1(name) {#name, [](Bench &b) { nki::name(b.n, b.i); }}
#define FLOAT2(name) {#name, [](Bench &b) { nki::name(b.x, b.f, b.g); }}
#define FLOAT1(name) {#name, [](Bench &b) { nki::name(b.x, b.f); }}
#define TO_INT(name) {#name, [](Bench &b) { nki::name(b.n, b.f); }}

const std::map<std::string, Run> kRuns{
    {"assign", [](Bench &b) { nki::assign(b.x, 1.0f, b.mask); }},
    {"select", [](Bench &b) { nki::select(b.x, b.mask, 1.0f, b.f); }},
    {"fill", [](Bench &b) { nki::fill(b.n, 3); }},
    {"copy", [](Bench &b) { nisa::tensor_copy(b.x, b.f); }},
    {"materialize",
     [](Bench &b) {
       nki::materialize(b.n, nki::urem(b.wave().threadIdx.x, 7) * b.wave().blockIdx.x);
     }},
    {"from_mask", [](Bench &b) { nki::from_mask(b.n, b.mask); }},
    INT2(iadd),
    INT2(isub),
    INT2(imul),
    INT2(iand),
    INT2(ior),
    INT2(ixor),
    INT2(shl),
    INT2(lshr),
    INT2(ashr),
    INT2(sdiv),
    INT2(udiv),
    INT2(srem),
    INT2(urem),
    INT2(smulhi),
    INT2(umulhi),
    INT2(smin),
    INT2(smax),
    INT2(umin),
    INT2(umax),
    INT1(iabs),
    INT1(popc),
    INT1(clz),
    INT1(brev),
    INT1(ffs),
    {"fshl", [](Bench &b) { nki::fshl(b.n, b.i, b.j, b.k); }},
    {"fshr", [](Bench &b) { nki::fshr(b.n, b.i, b.j, b.k); }},
    {"sext", [](Bench &b) { nki::sext(b.n, b.i, 8); }},
    {"zext", [](Bench &b) { nki::zext(b.n, b.i, 8); }},
    FLOAT2(fadd),
    FLOAT2(fsub),
    FLOAT2(fmul),
    FLOAT2(fmod),
    FLOAT2(pow),
    FLOAT2(fmax),
    FLOAT2(fmin),
    FLOAT2(copysign),
    FLOAT1(fneg),
    FLOAT1(fabs),
    FLOAT1(rsqrt),
    FLOAT1(exp),
    FLOAT1(exp2),
    FLOAT1(exp10),
    FLOAT1(expm1),
    FLOAT1(log),
    FLOAT1(log2),
    FLOAT1(log10),
    FLOAT1(log1p),
    FLOAT1(sin),
    FLOAT1(cos),
    FLOAT1(tan),
    FLOAT1(tanh),
    FLOAT1(asin),
    FLOAT1(acos),
    FLOAT1(atan),
    FLOAT2(atan2),
    FLOAT1(sinh),
    FLOAT1(cosh),
    FLOAT1(asinh),
    FLOAT1(acosh),
    FLOAT1(atanh),
    FLOAT1(erf),
    FLOAT1(erfc),
    FLOAT1(cbrt),
    FLOAT2(hypot),
    FLOAT1(floor),
    FLOAT1(ceil),
    FLOAT1(rint),
    FLOAT1(round),
    FLOAT1(saturate),
    TO_INT(float_to_int),
    TO_INT(float_to_uint),
    TO_INT(float_to_int_rn),
    TO_INT(float_to_uint_rn),
    TO_INT(float_to_int_rd),
    TO_INT(float_to_int_ru),
    {"trunc_float", [](Bench &b) { nki::trunc(b.x, b.f); }},
    {"int_to_float", [](Bench &b) { nki::int_to_float(b.x, b.i); }},
    {"uint_to_float", [](Bench &b) { nki::uint_to_float(b.x, b.i); }},
    {"fdiv", [](Bench &b) { nki::fdiv(b.x, b.f, b.g, b.precise); }},
    {"fma", [](Bench &b) { nki::fma(b.x, b.f, b.g, b.h, b.precise); }},
    {"sqrt", [](Bench &b) { nki::sqrt(b.x, b.f, b.precise); }},
    {"reciprocal", [](Bench &b) { nki::reciprocal(b.x, b.f, b.precise); }},
    {"half_to_float", [](Bench &b) { nki::half_to_float(b.x, b.i); }},
    {"bfloat_to_float", [](Bench &b) { nki::bfloat_to_float(b.x, b.i); }},
    {"int_to_float_odd", [](Bench &b) { nki::int_to_float_odd(b.x, b.i); }},
    {"uint_to_float_odd", [](Bench &b) { nki::uint_to_float_odd(b.x, b.i); }},
    TO_INT(float_to_half),
    TO_INT(float_to_bfloat),
    FLOAT1(round_half),
    FLOAT1(round_bfloat),
    {"fma_half", [](Bench &b) { nki::fma_half(b.x, b.f, b.g, b.h); }},
    {"fma_bfloat", [](Bench &b) { nki::fma_bfloat(b.x, b.f, b.g, b.h); }},
    {"div_exact", [](Bench &b) { nki::fdiv(b.x, b.f, b.g, true); }},
    {"sqrt_exact", [](Bench &b) { nki::sqrt(b.x, b.f, true); }},
    {"atomic_add", [](Bench &b) { nki::atomic_add(b.wave(), b.memory[b.i], b.j, b.mask); }},
    {"fetch_add", [](Bench &b) { nki::fetch_add(b.wave(), b.n, b.memory[b.i], b.j, b.mask); }},
    {"atomic_fadd", [](Bench &b) { nki::atomic_fadd(b.wave(), b.memory[b.i], b.f, b.mask); }},
    {"fetch_max", [](Bench &b) { nki::fetch_max(b.wave(), b.n, b.memory[b.i], b.j, b.mask); }},
    {"atomic_inc", [](Bench &b) { nki::atomic_inc(b.wave(), b.memory[b.i], b.j, b.mask); }},
    {"fetch_cas", [](Bench &b) { nki::fetch_cas(b.wave(), b.n, b.memory[b.i], b.j, b.k, b.mask); }},
    {"shfl", [](Bench &b) { nki::shfl(b.wave(), b.n, b.i, b.j, 16); }},
    {"shfl_up", [](Bench &b) { nki::shfl_up(b.wave(), b.n, b.n, b.wave().threadIdx.x, 32); }},
    {"shfl_down", [](Bench &b) { nki::shfl_down(b.wave(), b.n, b.n, 3, 32); }},
    {"shfl_xor", [](Bench &b) { nki::shfl_xor(b.wave(), b.n, b.n, 3, 32); }},
};

#define WIDE2(name) {#name, [](Bench &b) { nki::name(b.l, b.p, b.q); }}
#define WIDE1(name) {#name, [](Bench &b) { nki::name(b.l, b.p); }}
#define FROM_WIDE(name) {#name, [](Bench &b) { nki::name(b.n, b.p); }}
#define SHIFT(name) {#name, [](Bench &b) { nki::name(b.l, b.p, b.i); }}
#define TO_WIDE(name) {#name, [](Bench &b) { nki::name(b.l, b.f); }}

const std::map<std::string, Run> kWideRuns{
    WIDE2(iadd),
    WIDE2(isub),
    WIDE2(imul),
    WIDE2(smulhi),
    WIDE2(umulhi),
    WIDE2(sdiv),
    WIDE2(udiv),
    WIDE2(srem),
    WIDE2(urem),
    WIDE2(smin),
    WIDE2(smax),
    WIDE2(umin),
    WIDE2(umax),
    WIDE2(iand),
    WIDE2(ior),
    WIDE2(ixor),
    WIDE1(iabs),
    WIDE1(brev),
    FROM_WIDE(popc),
    FROM_WIDE(clz),
    FROM_WIDE(ffs),
    FROM_WIDE(ctz),
    SHIFT(shl),
    SHIFT(lshr),
    SHIFT(ashr),
    TO_WIDE(float_to_int),
    TO_WIDE(float_to_uint),
    TO_WIDE(float_to_int_rn),
    TO_WIDE(float_to_int_rd),
    TO_WIDE(float_to_int_ru),
    TO_WIDE(float_to_uint_rn),
    {"smul_wide", [](Bench &b) { nki::smul_wide(b.l, b.i, b.j); }},
    {"umul_wide", [](Bench &b) { nki::umul_wide(b.l, b.i, b.j); }},
    {"fshl", [](Bench &b) { nki::fshl(b.l, b.p, b.q, b.i); }},
    {"fshr", [](Bench &b) { nki::fshr(b.l, b.p, b.q, b.i); }},
    {"sext", [](Bench &b) { nki::sext(b.l, b.p, 40); }},
    {"zext", [](Bench &b) { nki::zext(b.l, b.p, 40); }},
    {"assign", [](Bench &b) { nki::assign(b.l, 1, b.mask); }},
    {"select", [](Bench &b) { nki::select(b.l, b.mask, 1, b.p); }},
    {"int_to_float", [](Bench &b) { nki::int_to_float(b.x, b.p); }},
    {"uint_to_float", [](Bench &b) { nki::uint_to_float(b.x, b.p); }},
    {"shfl", [](Bench &b) { nki::shfl(b.wave(), b.l, b.p, b.i, 16); }},
    {"shfl_up", [](Bench &b) { nki::shfl_up(b.wave(), b.l, b.l, b.wave().threadIdx.x, 32); }},
};

TEST(Scratch, OfOperationsOn64BitIntegersIsWhatTheTableSays) {
  for (const auto &[name, run] : kWideRuns) {
    Bench bench;
    double tiles = bench.run(run);
    EXPECT_LE(tiles, scratch_tiles(name, true) + 0.1) << name;
  }
}

TEST(Scratch, IsWhatTheTableSays) {
  for (const auto &[name, run] : kRuns) {
    for (bool precise : {false, true}) {
      Bench bench;
      bench.precise = precise;
      double tiles = bench.run(run);
      // Columns and the like are not counted: they do not grow with the lanes.
      EXPECT_LE(tiles, scratch_tiles(name, false) + 0.1) << name << (precise ? ", precise" : "");
    }
  }
}

} // namespace
} // namespace neuronify::tile
