// Random numbers and what is made of them. Element i of a partition takes the next number of
// generator i mod RandomGenerators::per_lane() of its partition.
#pragma once

#include "chip/isa/operand.h"
#include "chip/random.h"

namespace nki::chip::isa {

/// dst = the low bits of random numbers
void rng(const View &dst, RandomGenerators &generators);
/// dst = low + (high - low) u, with u uniform in [0, 1) in steps of 2^-24, in fp32.
void rand2(const View &dst, const ScalarOperand &low, const ScalarOperand &high,
           RandomGenerators &generators);
/// dst = u < probability ? 0 : data, bit for bit.
void dropout(const View &dst, const View &data, const ScalarOperand &probability,
             RandomGenerators &generators);
/// The words of all generators of a partition, one after the other.
void rand_set_state(const View &seeds, RandomGenerators &generators);
void rand_get_state(const View &dst, RandomGenerators &generators);

} // namespace nki::chip::isa
