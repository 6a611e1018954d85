#include "chip/isa/random.h"

#include "nki/isa/instruction.h"

namespace nki::isa {

namespace {

using chip::RandomGenerators;

RandomGenerators &generators_of(const Instruction &in, engine on) {
  return on == engine::gpsimd ? in.core().gpsimd_random : in.core().vector_random;
}
Unit unit_of(engine on) { return on == engine::gpsimd ? Unit::gpsimd : Unit::vector; }

/// Rules of rand_set_state and rand_get_state.
void require_states(const Instruction &in, const char *role, const Tensor &tensor, engine on) {
  in.require(in.has(Feature::random_states),
             "NeuronCore-v2 has no access to the states of its generators");
  in.require(on == engine::gpsimd ||
                 (on == engine::vector && in.has(Feature::random_states_on_vector)),
             "engine must be GpSimdE or, from NeuronCore-v4 on, VectorE");
  in.tile(role, tensor, 1);
  if (tensor.ndim() != 2 || tensor.dtype() != DType::uint32)
    in.fail(std::string(role) + " must have two dimensions and the type uint32");
  int64_t words = generators_of(in, on).per_lane() * RandomGenerators::kWords;
  if (tensor.elements_per_partition() != words)
    in.fail(std::string(role) + " must have " + std::to_string(words) +
            " elements per partition on this engine");
}

/// min < max in every partition.
void require_range(const Instruction &in, const Operand &min, const Operand &max,
                   int64_t partitions) {
  ScalarOperand low = scalar_of(min), high = scalar_of(max);
  for (int64_t p = 0; p < partitions; ++p)
    in.require(low.as_float(p) < high.as_float(p), "min must be less than max");
}

} // namespace

void rng(const Tensor &dst, engine on) {
  Instruction in("rng", {{"dst", &dst}});
  in.tile("dst", dst);
  in.require(chip::is_integer(dst.dtype()),
             "dst must be int8, int16, int32, uint8, uint16 or uint32");
  in.require(on == engine::vector || (on == engine::gpsimd && in.has(Feature::rng_on_gpsimd)),
             "engine must be VectorE or, from NeuronCore-v3 on, GpSimdE");
  in.require(on != engine::gpsimd || dst.buffer() == Buffer::sbuf, "GpSimdE cannot access PSUM");

  View to = chip::view_of(dst);
  Access access(in);
  access.write(to);
  chip::isa::rng(to, generators_of(in, on));
  access.end(to);
  access.take(unit_of(on), double(to.elements));
}

void rand2(const Tensor &dst, const Operand &min, const Operand &max) {
  Instruction in("rand2", {{"dst", &dst}, {"min", &min.tensor()}, {"max", &max.tensor()}});
  in.require(in.has(Feature::rand2), "rand2 exists from NeuronCore-v4 on");
  in.tile("dst", dst);
  in.unpacked("dst", dst);
  in.require(dst.dtype() != DType::bool_ && dst.dtype() != DType::float8_e4m3fn &&
                 dst.dtype() != DType::float8_e8m0fnu,
             "dst may not be bool_, float8_e4m3fn or float8_e8m0fnu");
  in.require(!min.is_none() && !max.is_none(), "min and max are numbers or columns");
  for (const Operand *bound : {&min, &max}) {
    in.scalar("a bound", *bound, dst);
    in.require(!bound->is_tensor() || bound->tensor().dtype() == DType::float32,
               "min and max must be float32");
  }

  View to = chip::view_of(dst);
  ScalarOperand low = scalar_of(min), high = scalar_of(max);
  Access access(in);
  access.read(low);
  access.read(high);
  if (!access.maybe_poison())
    require_range(in, min, max, to.partitions);
  access.write(to);
  chip::isa::rand2(to, low, high, in.core().vector_random);
  access.end(to);
  access.take(Unit::vector, double(to.elements));
}

void dropout(const Tensor &dst, const Tensor &data, const Operand &prob) {
  Instruction in("dropout", {{"dst", &dst}, {"data", &data}, {"prob", &prob.tensor()}});
  in.tile("dst", dst);
  in.tile("data", data);
  in.same_size("dst", dst, "data", data);
  in.same_type("dst", dst, "data", data);
  in.unpacked("data", data);
  in.require(!prob.is_none(), "prob is missing");
  in.scalar("prob", prob, data);
  if (prob.is_tensor() && chip::is_float(data.dtype()))
    in.require(chip::is_float(prob.tensor().dtype()), "prob must have a float type");
  else
    in.require(!prob.is_tensor() || prob.tensor().dtype() == DType::float32,
               "prob must be float32 where data are integers");

  View to = chip::view_of(dst), from = chip::view_of(data);
  ScalarOperand probability = scalar_of(prob);
  Access access(in);
  access.read("data", from);
  access.read(probability);
  access.write(to);
  PoisonFlags flags = access.maybe_poison() ? access.element_wise(to) : PoisonFlags();
  chip::isa::dropout(to, from, probability, in.core().vector_random);
  access.end(to, flags);
  access.take(Unit::vector, chip::costs::one_input(in.generation(), Unit::vector, to, from));
}

void set_rng_seed(const Tensor &src_seeds) {
  Instruction in("set_rng_seed", {{"src_seeds", &src_seeds}});
  in.tile("src_seeds", src_seeds);
  in.require(src_seeds.size() == 1 && size_of(src_seeds.dtype()) == 4,
             "src_seeds must be one value of 32 bits");
  View from = chip::view_of(src_seeds);
  Access access(in);
  access.read_written("src_seeds", from);
  uint32_t seed = 0;
  __builtin_memcpy(&seed, from.base, sizeof seed);
  in.core().vector_random.seed(seed);
  access.take(Unit::vector, chip::costs::kMinimum);
}

void rand_set_state(const Tensor &src_seeds, engine on) {
  Instruction in("rand_set_state", {{"src_seeds", &src_seeds}});
  require_states(in, "src_seeds", src_seeds, on);
  in.in_sbuf("src_seeds", src_seeds);
  View from = chip::view_of(src_seeds);
  Access access(in);
  access.read_written("src_seeds", from);
  chip::isa::rand_set_state(from, generators_of(in, on));
  access.take(unit_of(on), chip::costs::kMinimum);
}

void rand_get_state(const Tensor &dst, engine on) {
  Instruction in("rand_get_state", {{"dst", &dst}});
  require_states(in, "dst", dst, on);
  in.require(dst.buffer() == Buffer::sbuf || on == engine::vector, "GpSimdE cannot access PSUM");
  View to = chip::view_of(dst);
  Access access(in);
  access.write(to);
  chip::isa::rand_get_state(to, generators_of(in, on));
  access.end(to);
  access.take(unit_of(on), chip::costs::kMinimum);
}

} // namespace nki::isa
