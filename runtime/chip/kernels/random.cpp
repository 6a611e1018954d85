// Random numbers of generators that run abreast.

#include "chip/kernels/blocks.h"
#include "chip/kernels/tables.h"

namespace nki::chip {
inline namespace NEURONIFY_TARGET {

namespace {

using Words = uint32_t __attribute__((vector_size(kGenerators * 4), aligned(4)));

/// XORWOW (Marsaglia, "Xorshift RNGs", 2003).
struct Generators {
  Words x, y, z, w, v, d;

  explicit Generators(const GeneratorStates &states) {
    __builtin_memcpy(this, &states, sizeof states);
  }
  void store(GeneratorStates &states) const { __builtin_memcpy(&states, this, sizeof states); }
  Words next() {
    Words t = x ^ (x >> 2);
    x = y;
    y = z;
    z = w;
    w = v;
    v = (v ^ (v << 4)) ^ (t ^ (t << 1));
    d += 362437;
    return d + v;
  }
};

void draw_four(Generators &generators, uint32_t *const *out, int64_t step) {
  Words n[4], m[4];
  for (Words &numbers : n)
    numbers = generators.next();
  for (int i = 0; i < 4; i += 2) {
    m[i] = __builtin_shufflevector(n[i], n[i + 1], 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25,
                                   26, 27);
    m[i + 1] = __builtin_shufflevector(n[i], n[i + 1], 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15,
                                       28, 29, 30, 31);
  }
  for (int i = 0; i < 2; ++i) {
    n[i] = __builtin_shufflevector(m[i], m[i + 2], 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21,
                                   22, 23);
    n[i + 2] = __builtin_shufflevector(m[i], m[i + 2], 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27,
                                       28, 29, 30, 31);
  }
  for (int lane = 0; lane < 4; ++lane)
    __builtin_memcpy(out[lane] + 4 * step, &n[lane], sizeof(Words));
}

void draw_rest(GeneratorStates &states, uint32_t *const *out, int64_t step, int64_t steps) {
  Generators generators(states);
  for (; step < steps; ++step) {
    Words numbers = generators.next();
    for (int lane = 0; lane < 4; ++lane)
      __builtin_memcpy(out[lane] + 4 * step, reinterpret_cast<const char *>(&numbers) + 16 * lane,
                       16);
  }
  generators.store(states);
}

/// Four steps at a time, so that each row gets a whole vector. Each set of generators is a chain of
/// dependent operations: two sets hide what one waits for.
template <int Sets>
[[gnu::flatten]] void draw(GeneratorStates *states, uint32_t *const *out, int64_t steps) {
  static_assert(kGenerators == 16);
  if constexpr (Sets == 2) {
    Generators first(states[0]), second(states[1]);
    int64_t step = 0;
    for (; step + 4 <= steps; step += 4) {
      draw_four(first, out, step);
      draw_four(second, out + 4, step);
    }
    first.store(states[0]);
    second.store(states[1]);
    for (int set = 0; step < steps && set < 2; ++set)
      draw_rest(states[set], out + 4 * set, step, steps);
  } else {
    Generators generators(*states);
    int64_t step = 0;
    for (; step + 4 <= steps; step += 4)
      draw_four(generators, out, step);
    generators.store(*states);
    draw_rest(*states, out, step, steps);
  }
}
/// Eight steps at a time, turned into rows by blocks.
void draw_single(GeneratorStates *states, uint32_t *const *out, int64_t steps) {
  static_assert(kGenerators == 2 * kBlock);
  Generators generators(*states);
  int64_t step = 0;
  for (; step + kBlock <= steps; step += kBlock) {
    BlockLanes block[2][kBlock];
    for (int i = 0; i < kBlock; ++i) {
      Words numbers = generators.next();
      for (int half = 0; half < 2; ++half)
        __builtin_memcpy(&block[half][i], reinterpret_cast<const char *>(&numbers) + 32 * half, 32);
    }
    for (int half = 0; half < 2; ++half) {
      transpose_block(block[half]);
      for (int i = 0; i < kBlock; ++i)
        __builtin_memcpy(out[half * kBlock + i] + step, &block[half][i], 32);
    }
  }
  for (; step < steps; ++step) {
    Words numbers = generators.next();
    for (int lane = 0; lane < kGenerators; ++lane)
      out[lane][step] = numbers[lane];
  }
  generators.store(*states);
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014), upper half.
void mix(uint32_t *out, uint64_t counter, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    uint64_t value = counter + uint64_t(i) + 0x9e3779b97f4a7c15;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    out[i] = uint32_t((value ^ (value >> 31)) >> 32);
  }
}

void keep(uint32_t *out, const uint32_t *bits, uint32_t limit, const uint32_t *in, int64_t count) {
#pragma clang loop vectorize(assume_safety)
  for (int64_t i = 0; i < count; ++i) {
    uint32_t value = in[i];
    out[i] = bits[i] >> 8 >= limit ? value : 0;
  }
}

void uniform(float *out, const uint32_t *bits, float start, float range, int64_t count) {
#pragma clang loop vectorize(assume_safety)
  for (int64_t i = 0; i < count; ++i)
    out[i] = start + range * (float(int32_t(bits[i] >> 8)) * 0x1p-24f);
}

} // namespace

void fill_random(Kernels &table) {
  table.draw[0] = draw<1>;
  table.draw[1] = draw<2>;
  table.keep = keep;
  table.mix = mix;
  table.draw_single = draw_single;
  table.uniform = uniform;
}

} // namespace NEURONIFY_TARGET
} // namespace nki::chip
