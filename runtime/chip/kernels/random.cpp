// Random numbers of generators that run abreast.

#include "chip/kernels/tables.h"

namespace nki::chip {
inline namespace NEURONIFY_TARGET {

namespace {

using Words = uint32_t __attribute__((vector_size(kGenerators * 4), aligned(4)));

/// XORWOW (Marsaglia, "Xorshift RNGs", 2003).
void draw(GeneratorStates &states, uint32_t *const *out, int64_t steps) {
  Words word[kGeneratorWords];
  __builtin_memcpy(word, states.words, sizeof word);
  auto &[x, y, z, w, v, d] = word;
  for (int64_t step = 0; step < steps; ++step) {
    Words t = x ^ (x >> 2);
    x = y;
    y = z;
    z = w;
    w = v;
    v = (v ^ (v << 4)) ^ (t ^ (t << 1));
    d += 362437;
    Words numbers = d + v;
    for (int lane = 0; lane < kGenerators / 4; ++lane)
      __builtin_memcpy(out[lane] + 4 * step, reinterpret_cast<const char *>(&numbers) + 16 * lane,
                       16);
  }
  __builtin_memcpy(states.words, word, sizeof word);
}

void uniform(float *out, const uint32_t *bits, float start, float range, int64_t count) {
#pragma clang loop vectorize(assume_safety)
  for (int64_t i = 0; i < count; ++i)
    out[i] = start + range * (float(int32_t(bits[i] >> 8)) * 0x1p-24f);
}

} // namespace

void fill_random(Kernels &table) {
  table.draw = draw;
  table.uniform = uniform;
}

} // namespace NEURONIFY_TARGET
} // namespace nki::chip
