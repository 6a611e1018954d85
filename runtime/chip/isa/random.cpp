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
  for (Lane &lane : lanes_)
    for (int generator = 0; generator < kMaxPerLane; ++generator) {
      for (auto &word : lane)
        word[size_t(generator)] = mixed(counter++);
      lane[0][size_t(generator)] |= 1; // a state of zeros would stay one
    }
}

namespace {

/// One step of a generator, or of several in a vector.
template <class T> T step(T (&state)[RandomGenerators::kWords]) {
  auto &[x, y, z, w, v, d] = state;
  T t = x ^ (x >> 2);
  x = y;
  y = z;
  z = w;
  w = v;
  v = (v ^ (v << 4)) ^ (t ^ (t << 1));
  d += 362437;
  return d + v;
}

} // namespace

void RandomGenerators::draw(int64_t partition, uint32_t *out, int64_t count) {
  using Four = uint32_t __attribute__((vector_size(16)));
  Lane &lane = lanes_[size_t(partition)];
  int64_t done = 0;
  if (per_lane_ == kMaxPerLane) {
    Four state[kWords];
    __builtin_memcpy(state, lane.data(), sizeof state);
    for (; done + kMaxPerLane <= count; done += kMaxPerLane) {
      Four numbers = step(state);
      __builtin_memcpy(out + done, &numbers, sizeof numbers);
    }
    __builtin_memcpy(lane.data(), state, sizeof state);
  }
  for (; done < count; ++done) {
    size_t generator = size_t(done % per_lane_);
    uint32_t state[kWords];
    for (size_t word = 0; word < kWords; ++word)
      state[word] = lane[word][generator];
    out[done] = step(state);
    for (size_t word = 0; word < kWords; ++word)
      lane[word][generator] = state[word];
  }
}

namespace isa {

namespace {

/// The random numbers of a row, chunk by chunk: chunks start with the first generator, as kChunk is
/// a multiple of the number of generators.
static_assert(kChunk % RandomGenerators::kMaxPerLane == 0);

/// f(partition of the tile, random numbers, count) for chunks of all rows of `view`; `begin` is
/// called with each partition first.
template <class Begin, class F>
void draw(RandomGenerators &generators, const View &view, Begin &&begin, F &&f) {
  uint32_t numbers[kChunk];
  for (int64_t p = 0; p < view.partitions; ++p) {
    begin(p);
    for (int64_t done = 0; done < view.elements; done += kChunk) {
      int64_t count = std::min(kChunk, view.elements - done);
      generators.draw(view.start_partition + p, numbers, count);
      f(p, numbers, count);
    }
  }
}

float uniform(uint32_t bits) { return float(bits >> 8) * 0x1p-24f; }

} // namespace

void rng(const View &dst, RandomGenerators &generators) {
  Sink<uint32_t> to(dst);
  draw(
      generators, dst, [&](int64_t p) { to.begin(p); },
      [&](int64_t, const uint32_t *numbers, int64_t count) {
        std::copy_n(numbers, count, to.next());
        to.put(count);
      });
}

void rand2(const View &dst, const ScalarOperand &low, const ScalarOperand &high,
           RandomGenerators &generators) {
  Sink<float> to(dst);
  draw(
      generators, dst, [&](int64_t p) { to.begin(p); },
      [&](int64_t p, const uint32_t *numbers, int64_t count) {
        float *out = to.next(), start = low.as_float(p), range = high.as_float(p) - start;
        for (int64_t i = 0; i < count; ++i)
          out[i] = start + range * uniform(numbers[i]);
        to.put(count);
      });
}

void dropout(const View &dst, const View &data, const ScalarOperand &probability,
             RandomGenerators &generators) {
  Source<uint32_t> from(data);
  Sink<uint32_t> to(dst);
  auto begin = [&](int64_t p) {
    from.begin(p);
    to.begin(p);
  };
  draw(generators, dst, begin, [&](int64_t p, const uint32_t *numbers, int64_t count) {
    float keeps[kChunk];
    for (int64_t i = 0; i < count; ++i)
      keeps[i] = uniform(numbers[i]);
    kernels().float_scalar[int(Op::greater_equal)][0](keeps, keeps, probability.as_float(p), count);
    kernels().select_scalars(to.next(), reinterpret_cast<const uint32_t *>(keeps), from.next(count),
                             0, count);
    to.put(count);
  });
}

void rand_set_state(const View &seeds, RandomGenerators &generators) {
  Source<uint32_t> from(seeds);
  for (int64_t p = 0; p < seeds.partitions; ++p) {
    from.begin(p);
    const uint32_t *words = from.next(seeds.elements);
    for (int64_t i = 0; i < seeds.elements; ++i)
      generators.word(seeds.start_partition + p, i / RandomGenerators::kWords,
                      i % RandomGenerators::kWords) = words[i];
  }
}

void rand_get_state(const View &dst, RandomGenerators &generators) {
  Sink<uint32_t> to(dst);
  for (int64_t p = 0; p < dst.partitions; ++p) {
    to.begin(p);
    uint32_t *words = to.next();
    for (int64_t i = 0; i < dst.elements; ++i)
      words[i] = generators.word(dst.start_partition + p, i / RandomGenerators::kWords,
                                 i % RandomGenerators::kWords);
    to.put(dst.elements);
  }
}

} // namespace isa
} // namespace nki::chip
