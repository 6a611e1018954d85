#include "chip/isa/random.h"

#include "chip/stream.h"

#include <cmath>

namespace nki::chip {

void RandomGenerators::seed(uint32_t value) {
  constexpr int64_t words = kMaxPerLane * kWords; // numbers for all, even if some are not there
  uint32_t states[kPartitions * words];
  kernels().mix(states, uint64_t(value) << 32, kPartitions * words);
  for (int64_t p = 0; p < kPartitions; ++p) {
    for (int64_t generator = 0; generator < kMaxPerLane; ++generator)
      states[p * words + generator * kWords] |= 1; // a state of zeros would stay one
    set_state(p, states + p * words);
  }
}

/// Numbers `done` to `count` of one partition.
void RandomGenerators::draw_row(Lane &lane, uint32_t *out, int64_t done, int64_t count) {
  for (; done < count; ++done) {
    size_t generator = size_t(done % per_lane_);
    uint32_t &x = lane[0][generator], &y = lane[1][generator], &z = lane[2][generator],
             &w = lane[3][generator], &v = lane[4][generator], &d = lane[5][generator];
    uint32_t t = x ^ (x >> 2);
    x = y;
    y = z;
    z = w;
    w = v;
    v = (v ^ (v << 4)) ^ (t ^ (t << 1));
    d += 362437;
    out[done] = d + v;
  }
}

/// As many rows as kGenerators generators have. Returns how many rows those were.
template <int PerLane>
int64_t RandomGenerators::draw_abreast(int64_t first, int64_t rows, uint32_t *const *out,
                                       int64_t count) {
  static_assert(kGeneratorWords == kWords);
  constexpr int64_t per_set = kGenerators / PerLane;
  int64_t row = 0;
  for (int64_t abreast = 0; row + per_set <= rows; row += abreast) {
    const int64_t sets = PerLane > 1 && row + 2 * per_set <= rows ? 2 : 1;
    abreast = sets * per_set;
    GeneratorStates states[2];
    Lane *lanes = &lanes_[size_t(first + row)];
    auto generators = [&](int64_t lane, int word) {
      return &states[lane / per_set].words[word][lane % per_set * PerLane];
    };
    for (int64_t lane = 0; lane < abreast; ++lane)
      for (int word = 0; word < kWords; ++word)
        std::copy_n(lanes[lane][size_t(word)].data(), PerLane, generators(lane, word));
    auto draw = PerLane == 1 ? kernels().draw_single : kernels().draw[sets - 1];
    draw(states, out + row, count / PerLane);
    for (int64_t lane = 0; lane < abreast; ++lane) {
      for (int word = 0; word < kWords; ++word)
        std::copy_n(generators(lane, word), PerLane, lanes[lane][size_t(word)].data());
      draw_row(lanes[lane], out[row + lane], count / PerLane * PerLane, count);
    }
  }
  return row;
}

void RandomGenerators::draw(int64_t first, int64_t rows, uint32_t *const *out, int64_t count) {
  int64_t row = per_lane_ == 1             ? draw_abreast<1>(first, rows, out, count)
                : per_lane_ == kMaxPerLane ? draw_abreast<kMaxPerLane>(first, rows, out, count)
                                           : 0;
  for (; row < rows; ++row)
    draw_row(lanes_[size_t(first + row)], out[row], 0, count);
}

namespace {

using Four = uint32_t __attribute__((vector_size(16), aligned(4)));

Four load_four(const uint32_t *from) {
  Four four;
  std::memcpy(&four, from, sizeof four);
  return four;
}

void transpose_four(Four (&m)[4]) {
  Four t[4];
  for (int i = 0; i < 2; ++i) {
    t[i] = __builtin_shufflevector(m[i], m[i + 2], 0, 4, 1, 5);
    t[i + 2] = __builtin_shufflevector(m[i], m[i + 2], 2, 6, 3, 7);
  }
  for (int i = 0; i < 2; ++i) {
    m[2 * i] = __builtin_shufflevector(t[2 * i], t[2 * i + 1], 0, 4, 1, 5);
    m[2 * i + 1] = __builtin_shufflevector(t[2 * i], t[2 * i + 1], 2, 6, 3, 7);
  }
}

} // namespace

// Four generators of six words: a square of four words, and the pairs of the last two.

void RandomGenerators::set_state(int64_t partition, const uint32_t *words) {
  static_assert(kMaxPerLane == 4 && kWords == 6);
  Lane &lane = lanes_[size_t(partition)];
  if (per_lane_ < kMaxPerLane) {
    for (size_t word = 0; word < kWords; ++word)
      lane[word][0] = words[word];
    return;
  }
  Four square[4], pairs[2];
  for (int generator = 0; generator < 4; ++generator)
    square[generator] = load_four(words + generator * kWords);
  for (int half = 0; half < 2; ++half) // two words of one generator, then two of the next
    pairs[half] = __builtin_shufflevector(load_four(words + half * 2 * kWords + 2),
                                          load_four(words + half * 2 * kWords + 8), 2, 3, 6, 7);
  transpose_four(square);
  for (size_t word = 0; word < 4; ++word)
    std::memcpy(lane[word].data(), &square[word], 16);
  Four last[2] = {__builtin_shufflevector(pairs[0], pairs[1], 0, 2, 4, 6),
                  __builtin_shufflevector(pairs[0], pairs[1], 1, 3, 5, 7)};
  for (size_t word = 0; word < 2; ++word)
    std::memcpy(lane[4 + word].data(), &last[word], 16);
}

void RandomGenerators::get_state(int64_t partition, uint32_t *words) const {
  const Lane &lane = lanes_[size_t(partition)];
  if (per_lane_ < kMaxPerLane) {
    for (size_t word = 0; word < kWords; ++word)
      words[word] = lane[word][0];
    return;
  }
  Four square[4];
  for (size_t word = 0; word < 4; ++word)
    square[word] = load_four(lane[word].data());
  const Four v = load_four(lane[4].data()), d = load_four(lane[5].data());
  const Four pairs[2] = {__builtin_shufflevector(v, d, 0, 4, 1, 5),
                         __builtin_shufflevector(v, d, 2, 6, 3, 7)};
  transpose_four(square);
  for (int generator = 0; generator < 4; ++generator) {
    std::memcpy(words + generator * kWords, &square[generator], 16);
    std::memcpy(words + generator * kWords + 4,
                reinterpret_cast<const char *>(&pairs[generator / 2]) + generator % 2 * 8, 8);
  }
}

namespace isa {

namespace {

/// As many as run abreast.
constexpr int64_t kRowsAtOnce = kGenerators;

/// f(partition of the tile, its random numbers) for all rows of `view`.
template <class F> void draw(RandomGenerators &generators, const View &view, F &&f) {
  auto numbers = scratch<uint32_t>(kRowsAtOnce * view.elements);
  for (int64_t p = 0; p < view.partitions; p += kRowsAtOnce) {
    const int64_t rows = std::min(kRowsAtOnce, view.partitions - p);
    uint32_t *out[kRowsAtOnce];
    for (int64_t r = 0; r < rows; ++r)
      out[r] = numbers.get() + r * view.elements;
    generators.draw(view.start_partition + p, rows, out, view.elements);
    for (int64_t r = 0; r < rows; ++r)
      f(p + r, out[r]);
  }
}

} // namespace

void rng(const View &dst, RandomGenerators &generators) {
  if (is_direct<uint32_t>(dst)) {
    uint32_t *rows[kPartitions];
    for (int64_t p = 0; p < dst.partitions; ++p)
      rows[p] = reinterpret_cast<uint32_t *>(dst.row(p));
    return generators.draw(dst.start_partition, dst.partitions, rows, dst.elements);
  }
  Sink<uint32_t> to(dst);
  draw(generators, dst, [&](int64_t p, const uint32_t *numbers) {
    to.begin(p);
    write_row(to, numbers, dst.elements);
  });
}

void rand2(const View &dst, const ScalarOperand &low, const ScalarOperand &high,
           RandomGenerators &generators) {
  Sink<float> to(dst);
  draw(generators, dst, [&](int64_t p, const uint32_t *numbers) {
    const float start = low.as_float(p), range = high.as_float(p) - start;
    to.begin(p);
    for (int64_t done = 0; done < dst.elements; done += kChunk) {
      int64_t count = std::min(kChunk, dst.elements - done);
      kernels().uniform(to.next(), numbers + done, start, range, count);
      to.put(count);
    }
  });
}

namespace {

/// The least number of 24 bits that is at least `probability` times 2^24: an element with a smaller
/// one is dropped. NaN drops everything.
uint32_t least_kept(float probability) {
  double least = std::ceil(double(probability) * 0x1p24);
  return least <= 0 ? 0 : least <= 0x1p24 ? uint32_t(least) : 1u << 24;
}

} // namespace

void dropout(const View &dst, const View &data, const ScalarOperand &probability,
             RandomGenerators &generators) {
  Source<uint32_t> from(data);
  Sink<uint32_t> to(dst);
  draw(generators, dst, [&](int64_t p, const uint32_t *numbers) {
    from.begin(p);
    to.begin(p);
    const uint32_t limit = least_kept(probability.as_float(p));
    for (int64_t done = 0; done < dst.elements; done += kChunk) {
      int64_t count = std::min(kChunk, dst.elements - done);
      kernels().keep(to.next(), numbers + done, limit, from.next(count), count);
      to.put(count);
    }
  });
}

void rand_set_state(const View &seeds, RandomGenerators &generators) {
  if (is_direct<uint32_t>(seeds)) {
    for (int64_t p = 0; p < seeds.partitions; ++p)
      generators.set_state(seeds.start_partition + p,
                           reinterpret_cast<const uint32_t *>(seeds.row(p)));
    return;
  }
  Source<uint32_t> from(seeds);
  for (int64_t p = 0; p < seeds.partitions; ++p) {
    from.begin(p);
    generators.set_state(seeds.start_partition + p, from.next(seeds.elements));
  }
}

void rand_get_state(const View &dst, RandomGenerators &generators) {
  if (is_direct<uint32_t>(dst)) {
    for (int64_t p = 0; p < dst.partitions; ++p)
      generators.get_state(dst.start_partition + p, reinterpret_cast<uint32_t *>(dst.row(p)));
    return;
  }
  Sink<uint32_t> to(dst);
  for (int64_t p = 0; p < dst.partitions; ++p) {
    to.begin(p);
    generators.get_state(dst.start_partition + p, to.next());
    to.put(dst.elements);
  }
}

} // namespace isa
} // namespace nki::chip
