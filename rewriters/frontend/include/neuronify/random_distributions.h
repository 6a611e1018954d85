// Distributions of cuRAND's device API over any of the generators.
//
// Uniform numbers lie in (0, 1]: the middle of one of 2^32 (2^53) parts. Normal numbers are those
// of Box and Muller: two of one pair of uniform numbers, the second of which the state keeps for
// the next call of the same kind.
#pragma once

namespace neuronify_random {

__device__ __forceinline__ float uniform(unsigned bits) { return bits * 0x1p-32f + 0x1p-33f; }

/// 53 bits of two words.
__device__ __forceinline__ double uniform(unsigned low, unsigned high) {
  const unsigned long long bits = low ^ (unsigned long long)high << 21;
  return bits * 0x1p-53 + 0x1p-54;
}

__device__ __forceinline__ float2 box_muller(unsigned x, unsigned y) {
  constexpr float part = 0x1p-32f * 6.2831855f;
  const float angle = y * part + part / 2;
  const float radius = sqrtf(-2.0f * logf(uniform(x)));
  float sine, cosine;
  __sincosf(angle, &sine, &cosine);
  return make_float2(sine * radius, cosine * radius);
}

__device__ __forceinline__ double2 box_muller(unsigned x0, unsigned x1, unsigned y0, unsigned y1) {
  const unsigned long long bits = y0 ^ (unsigned long long)y1 << 21;
  const double half_turns = bits * 0x1p-52 + 0x1p-53;
  const double radius = sqrt(-2.0 * log(uniform(x0, x1)));
  double sine, cosine;
  sincospi(half_turns, &sine, &cosine);
  return make_double2(sine * radius, cosine * radius);
}

/// Whose second number a state keeps.
enum Kept { nothing = 0, normal = 1, log_normal = 2 };

__device__ __forceinline__ float log_normal_of(float x, float mean, float deviation) {
  return expf(mean + deviation * x);
}
__device__ __forceinline__ double log_normal_of(double x, double mean, double deviation) {
  return exp(mean + deviation * x);
}

} // namespace neuronify_random

template <class State> static __device__ __forceinline__ float curand_uniform(State *state) {
  return neuronify_random::uniform(curand(state));
}

static __device__ __forceinline__ double curand_uniform_double(curandStateXORWOW *state) {
  const unsigned low = curand(state), high = curand(state);
  return neuronify_random::uniform(low, high);
}
/// The end of one of 2^32 parts, as in cuRAND; the numbers of curand_uniform2_double have 53 bits.
static __device__ __forceinline__ double curand_uniform_double(curandStatePhilox4_32_10 *state) {
  return curand(state) * 0x1p-32 + 0x1p-32;
}

template <class State> static __device__ __forceinline__ float2 curand_normal2(State *state) {
  const unsigned x = curand(state), y = curand(state);
  return neuronify_random::box_muller(x, y);
}

template <class State>
static __device__ __forceinline__ double2 curand_normal2_double(State *state) {
  const unsigned x0 = curand(state), x1 = curand(state), y0 = curand(state), y1 = curand(state);
  return neuronify_random::box_muller(x0, x1, y0, y1);
}

template <class State>
static __device__ __forceinline__ float2 curand_log_normal2(State *state, float mean,
                                                            float deviation) {
  const float2 pair = curand_normal2(state);
  return make_float2(neuronify_random::log_normal_of(pair.x, mean, deviation),
                     neuronify_random::log_normal_of(pair.y, mean, deviation));
}

template <class State>
static __device__ __forceinline__ double2 curand_log_normal2_double(State *state, double mean,
                                                                    double deviation) {
  const double2 pair = curand_normal2_double(state);
  return make_double2(neuronify_random::log_normal_of(pair.x, mean, deviation),
                      neuronify_random::log_normal_of(pair.y, mean, deviation));
}

// One number of a pair: the one that was kept by the last call of this kind, or the first of a new
// pair.
#define NEURONIFY_ONE_OF_PAIR(type, kept_member, extra_member, kind, pair_call)                    \
  if (state->kept_member == kind) {                                                                \
    state->kept_member = neuronify_random::nothing;                                                \
    return state->extra_member;                                                                    \
  }                                                                                                \
  const type##2 pair = pair_call;                                                                  \
  state->kept_member = kind;                                                                       \
  state->extra_member = pair.y;                                                                    \
  return pair.x;

template <class State> static __device__ __forceinline__ float curand_normal(State *state) {
  NEURONIFY_ONE_OF_PAIR(float, kept, extra, neuronify_random::normal, curand_normal2(state))
}
template <class State> static __device__ __forceinline__ double curand_normal_double(State *state) {
  NEURONIFY_ONE_OF_PAIR(double, kept_double, extra_double, neuronify_random::normal,
                        curand_normal2_double(state))
}
template <class State>
static __device__ __forceinline__ float curand_log_normal(State *state, float mean,
                                                          float deviation) {
  NEURONIFY_ONE_OF_PAIR(float, kept, extra, neuronify_random::log_normal,
                        curand_log_normal2(state, mean, deviation))
}
template <class State>
static __device__ __forceinline__ double curand_log_normal_double(State *state, double mean,
                                                                  double deviation) {
  NEURONIFY_ONE_OF_PAIR(double, kept_double, extra_double, neuronify_random::log_normal,
                        curand_log_normal2_double(state, mean, deviation))
}
#undef NEURONIFY_ONE_OF_PAIR

// Four at a time, of Philox only.
static __device__ __forceinline__ float4 curand_uniform4(curandStatePhilox4_32_10 *state) {
  const uint4 x = curand4(state);
  return make_float4(neuronify_random::uniform(x.x), neuronify_random::uniform(x.y),
                     neuronify_random::uniform(x.z), neuronify_random::uniform(x.w));
}

static __device__ __forceinline__ double2 curand_uniform2_double(curandStatePhilox4_32_10 *state) {
  const uint4 x = curand4(state);
  return make_double2(neuronify_random::uniform(x.x, x.y), neuronify_random::uniform(x.z, x.w));
}

static __device__ __forceinline__ float4 curand_normal4(curandStatePhilox4_32_10 *state) {
  const uint4 x = curand4(state);
  const float2 a = neuronify_random::box_muller(x.x, x.y),
               b = neuronify_random::box_muller(x.z, x.w);
  return make_float4(a.x, a.y, b.x, b.y);
}

static __device__ __forceinline__ float4 curand_log_normal4(curandStatePhilox4_32_10 *state,
                                                            float mean, float deviation) {
  const float4 x = curand_normal4(state);
  return make_float4(neuronify_random::log_normal_of(x.x, mean, deviation),
                     neuronify_random::log_normal_of(x.y, mean, deviation),
                     neuronify_random::log_normal_of(x.z, mean, deviation),
                     neuronify_random::log_normal_of(x.w, mean, deviation));
}

/// Knuth, "The Art of Computer Programming", volume 2, 3.4.1, algorithm Q, for means up to 64: how
/// many uniform numbers can be multiplied until the product is at most e^-mean. Poisson numbers of
/// larger means are sums of those of smaller ones, and from 4,000 on a rounded normal number.
template <class State>
static __device__ __forceinline__ unsigned int curand_poisson(State *state, double mean) {
  if (mean > 4000.0) {
    const float rounded = (float)mean + sqrtf((float)mean) * curand_normal(state) + 0.5f;
    return rounded > 0.0f ? (unsigned)rounded : 0u;
  }
  unsigned count = 0;
  for (float left = (float)mean; left > 0.0f; left -= 64.0f) {
    const float limit = expf(-fminf(left, 64.0f));
    for (float product = curand_uniform(state); product > limit; product *= curand_uniform(state))
      ++count;
  }
  return count;
}

template <class State>
static __device__ __forceinline__ uint4 curand_poisson4(State *state, double mean) {
  const unsigned a = curand_poisson(state, mean), b = curand_poisson(state, mean);
  const unsigned c = curand_poisson(state, mean), d = curand_poisson(state, mean);
  return make_uint4(a, b, c, d);
}
