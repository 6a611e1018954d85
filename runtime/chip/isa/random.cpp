#include "chip/isa/random.h"

#include "chip/stream.h"

namespace nki::chip {

namespace {

/// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014), upper half.
uint32_t mixed(uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return uint32_t((value ^ (value >> 31)) >> 32);
}

} // namespace

void RandomGenerators::seed(uint32_t value) {
  uint64_t counter = uint64_t(value) << 32;
  for (auto &lane : lanes_)
    for (Xorwow &generator : lane) {
      for (uint32_t &word : generator.words)
        word = mixed(counter++);
      generator.words[0] |= 1; // a state of zeros would stay one
    }
}

namespace isa {

namespace {

/// f(element, random number) for the elements [from, from + count) of a partition.
template <class F>
void draw(RandomGenerators &generators, int64_t partition, int64_t from, int64_t count, F &&f) {
  for (int64_t i = 0; i < count; ++i)
    f(i, generators.at(partition, (from + i) % generators.per_lane()).next());
}

/// Calls f(partition of the tile, number of the first element, count) for chunks of all rows.
template <class F> void over_chunks(const View &view, F &&f) {
  for (int64_t p = 0; p < view.partitions; ++p)
    for (int64_t done = 0; done < view.elements; done += kChunk)
      f(p, done, std::min(kChunk, view.elements - done));
}

float uniform(uint32_t bits) { return float(bits >> 8) * 0x1p-24f; }

} // namespace

void rng(const View &dst, RandomGenerators &generators) {
  Sink<uint32_t> to(dst);
  over_chunks(dst, [&](int64_t p, int64_t done, int64_t count) {
    if (done == 0)
      to.begin(p);
    uint32_t *out = to.next();
    draw(generators, dst.start_partition + p, done, count,
         [&](int64_t i, uint32_t bits) { out[i] = bits; });
    to.put(count);
  });
}

void rand2(const View &dst, const ScalarOperand &low, const ScalarOperand &high,
           RandomGenerators &generators) {
  Sink<float> to(dst);
  over_chunks(dst, [&](int64_t p, int64_t done, int64_t count) {
    if (done == 0)
      to.begin(p);
    float *out = to.next(), start = low.as_float(p), range = high.as_float(p) - start;
    draw(generators, dst.start_partition + p, done, count,
         [&](int64_t i, uint32_t bits) { out[i] = start + range * uniform(bits); });
    to.put(count);
  });
}

void dropout(const View &dst, const View &data, const ScalarOperand &probability,
             RandomGenerators &generators) {
  Source<uint32_t> from(data);
  Sink<uint32_t> to(dst);
  over_chunks(dst, [&](int64_t p, int64_t done, int64_t count) {
    if (done == 0) {
      from.begin(p);
      to.begin(p);
    }
    const uint32_t *in = from.next(count);
    uint32_t *out = to.next();
    float limit = probability.as_float(p);
    draw(generators, dst.start_partition + p, done, count,
         [&](int64_t i, uint32_t bits) { out[i] = uniform(bits) < limit ? 0u : in[i]; });
    to.put(count);
  });
}

void rand_set_state(const View &seeds, RandomGenerators &generators) {
  Source<uint32_t> from(seeds);
  for (int64_t p = 0; p < seeds.partitions; ++p) {
    from.begin(p);
    const uint32_t *words = from.next(seeds.elements);
    for (int64_t i = 0; i < seeds.elements; ++i)
      generators.at(seeds.start_partition + p, i / Xorwow::kWords)
          .words[size_t(i % Xorwow::kWords)] = words[i];
  }
}

void rand_get_state(const View &dst, RandomGenerators &generators) {
  Sink<uint32_t> to(dst);
  for (int64_t p = 0; p < dst.partitions; ++p) {
    to.begin(p);
    uint32_t *words = to.next();
    for (int64_t i = 0; i < dst.elements; ++i)
      words[i] = generators.at(dst.start_partition + p, i / Xorwow::kWords)
                     .words[size_t(i % Xorwow::kWords)];
    to.put(dst.elements);
  }
}

} // namespace isa
} // namespace nki::chip
