// The generators of curand_kernel.h, compiled as plain C++: their numbers, bit for bit.
//
// "cuRAND" below are numbers that NVIDIA's curand_kernel.h of toolkit 13.0 gives, compiled for a
// CPU.
#include <gtest/gtest.h>

#include <array>
#include <bitset>
#include <cmath>
#include <cstdint>
#include <vector>

// What the headers need of CUDA.
#define __device__
#define __forceinline__ inline
struct uint4 {
  unsigned x, y, z, w;
};
struct float2 {
  float x, y;
};
struct float4 {
  float x, y, z, w;
};
struct double2 {
  double x, y;
};
static inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) {
  return {x, y, z, w};
}
static inline float2 make_float2(float x, float y) { return {x, y}; }
static inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
static inline double2 make_double2(double x, double y) { return {x, y}; }
static inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<uint64_t>(a) * b >> 32);
}
#undef __sincosf
#define __sincosf sincos_of_floats
static inline void sincos_of_floats(float x, float *s, float *c) {
  *s = std::sin(x);
  *c = std::cos(x);
}
static inline void sincospi(double x, double *s, double *c) {
  *s = std::sin(3.14159265358979323846 * x);
  *c = std::cos(3.14159265358979323846 * x);
}
#include "frontend/include/neuronify/random/states.inc"
#include "frontend/include/neuronify/random_philox.h"
#include "frontend/include/neuronify/random_xorwow.h"

#include "frontend/include/neuronify/random_distributions.h"

namespace {

using neuronify_random::Words;
using Three = std::array<unsigned, 3>;

bool operator==(const Words &x, const Words &y) {
  return x.a == y.a && x.b == y.b && x.c == y.c && x.d == y.d && x.e == y.e;
}

// ---- Polynomials over GF(2), the slow way. Bit i is the coefficient of x^i.

using Polynomial = std::bitset<512>;

Polynomial as_polynomial(const Words &words) {
  Polynomial result;
  const unsigned all[] = {words.a, words.b, words.c, words.d, words.e};
  for (int i = 0; i < 160; ++i)
    result[i] = all[i / 32] >> i % 32 & 1;
  return result;
}

/// The shortest recurrence of a sequence of bits, highest coefficient first (Massey,
/// "Shift-Register Synthesis and BCH Decoding", 1969); its length.
int shortest_recurrence(const std::vector<bool> &bits, Polynomial &connection) {
  Polynomial current(1), previous(1);
  int length = 0, since = 1;
  for (int n = 0; n < static_cast<int>(bits.size()); ++n) {
    bool wrong = false;
    for (int i = 0; i <= length; ++i)
      wrong ^= current[i] && bits[n - i];
    if (!wrong) {
      ++since;
      continue;
    }
    const Polynomial before = current;
    current ^= previous << since;
    if (2 * length <= n) {
      length = n + 1 - length;
      previous = before;
      since = 0;
    }
    ++since;
  }
  connection = current;
  return length;
}

/// The polynomial of degree 160 that xorwow's matrix satisfies.
Polynomial characteristic() {
  Words v = {123456789, 362436069, 521288629, 88675123, 5783321};
  std::vector<bool> bits;
  for (int i = 0; i < 400; ++i) {
    bits.push_back(v.a & 1);
    neuronify_random::xorwow_step(v);
  }
  Polynomial connection, result;
  EXPECT_EQ(shortest_recurrence(bits, connection), 160);
  for (int i = 0; i <= 160; ++i)
    result[160 - i] = connection[i];
  return result;
}

Polynomial squared(const Polynomial &q, const Polynomial &p) {
  Polynomial square;
  for (int i = 0; i < 160; ++i)
    square[2 * i] = q[i];
  for (int i = 319; i >= 160; --i)
    if (square[i])
      square ^= p << (i - 160);
  return square;
}

TEST(Xorwow, HasTheCharacteristicPolynomialOfItsConstants) {
  const Polynomial p = characteristic();
  Words q = {2u, 0, 0, 0, 0};
  Polynomial slow(2);
  for (int k = 1; k <= 67; ++k) {
    slow = squared(slow, p);
    q = neuronify_random::xorwow_square(q);
    ASSERT_EQ(as_polynomial(q), slow) << "x^(2^" << k << ")";
  }
  // A subsequence is x^(2^67) further: what one of them does is what q does.
  const Words v = {1, 2, 3, 4, 5};
  EXPECT_TRUE(neuronify_random::xorwow_of_sequence(v, 1) == neuronify_random::xorwow_apply(q, v));
}

TEST(Xorwow, SkipsAsFarAsManySteps) {
  curandState state;
  curand_init(99, 3, 0, &state);
  curandState walker = state;
  for (unsigned n = 0; n <= 700; ++n) {
    curandState skipper = state;
    skipahead(n, &skipper);
    curandState after = walker;
    ASSERT_EQ(curand(&skipper), curand(&after)) << n;
    ASSERT_EQ(curand(&skipper), curand(&after)) << n;
    (void)curand(&walker);
  }
}

TEST(Xorwow, SkipsFarInAnyParts) {
  curandState at_once, in_parts;
  curand_init(7, 0xffff0001ull, 0xfffffffffffull, &at_once);
  curand_init(7, 1, 0xfffull, &in_parts);
  skipahead_sequence(0xffff0000ull, &in_parts);
  skipahead(0xffffffff000ull, &in_parts);
  EXPECT_EQ(curand(&at_once), curand(&in_parts));
  // 2^63 + 2^63 steps, and twice that, 8 times: 2^67.
  curandState far, sequence;
  curand_init(7, 0, 0, &far);
  curand_init(7, 1, 0, &sequence);
  for (int i = 0; i < 16; ++i)
    skipahead(1ull << 63, &far);
  EXPECT_EQ(curand(&far), curand(&sequence));
}

// ---- Philox

TEST(Philox, GivesTheKnownAnswersOfRandom123) {
  // D. E. Shaw Research's Random123 publishes these for philox4x32 with ten rounds.
  struct Answer {
    unsigned counter[4], key[2], block[4];
  };
  const Answer answers[] = {
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
       {0xffffffff, 0xffffffff},
       {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xa4093822, 0x299f31d0},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};
  for (const Answer &answer : answers) {
    unsigned block[4];
    neuronify_random::philox(answer.counter, answer.key, block);
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(block[i], answer.block[i]);
  }
}

TEST(Philox, CountsBlocksAcrossWords) {
  unsigned counter[4] = {0xffffffff, 0xffffffff, 0xffffffff, 5};
  neuronify_random::skip_blocks(counter, 1);
  EXPECT_EQ(counter[0] | counter[1] | counter[2], 0u);
  EXPECT_EQ(counter[3], 6u);
  unsigned full[4] = {1, 0xffffffff, 8, 5};
  neuronify_random::skip_blocks(full, ~0ull);
  EXPECT_EQ(full[0], 0u);
  EXPECT_EQ(full[1], 0xffffffffu);
  EXPECT_EQ(full[2], 9u);
}

TEST(Philox, SkipsAsFarAsManyNumbers) {
  curandStatePhilox4_32_10_t state;
  curand_init(99, 3, 2, &state);
  curandStatePhilox4_32_10_t walker = state;
  for (unsigned n = 0; n <= 40; ++n) {
    curandStatePhilox4_32_10_t skipper = state, after = walker, four = walker;
    skipahead(n, &skipper);
    const uint4 block = curand4(&four);
    for (const unsigned number : {block.x, block.y, block.z, block.w}) {
      const unsigned next = curand(&after);
      ASSERT_EQ(next, number) << n;
      ASSERT_EQ(curand(&skipper), next) << n;
    }
    ASSERT_EQ(curand(&four), curand(&after));
    (void)curand(&walker);
  }
}

// ---- Both

struct Start {
  unsigned long long seed, subsequence, offset;
  Three numbers; ///< of cuRAND
};

template <class State> void expect_numbers(const std::vector<Start> &starts) {
  for (const Start &start : starts) {
    State state;
    curand_init(start.seed, start.subsequence, start.offset, &state);
    const unsigned a = curand(&state), b = curand(&state), c = curand(&state);
    EXPECT_EQ((Three{a, b, c}), start.numbers) << start.seed << " " << start.subsequence;
  }
}

TEST(Xorwow, GivesTheNumbersOfCurand) {
  expect_numbers<curandState>({
      {0, 0, 0, {3179217846u, 1883133293u, 2220552389u}},
      {1234, 0, 0, {624778773u, 1867875844u, 3739671282u}},
      {1234, 1, 0, {3522650202u, 3978931785u, 2198015705u}},
      {1234, 2, 5, {839904678u, 25984073u, 402672861u}},
      {1234, 3, 1000000007, {3994933615u, 443753514u, 2466162847u}},
      {0xdeadbeefcafef00dull, 123456789, 4, {1685530269u, 245866086u, 1099623016u}},
      {1, 0x123456789abcdefull, 0xfedcba9876543210ull, {743993829u, 218461786u, 2578114427u}},
      {~0ull, ~0ull, ~0ull, {306211019u, 1524243084u, 1962521252u}},
  });
}

TEST(Philox, GivesTheNumbersOfCurand) {
  expect_numbers<curandStatePhilox4_32_10_t>({
      {0, 0, 0, {1713891541u, 3781805453u, 3159862348u}},
      {1234, 0, 0, {546353992u, 3665621163u, 1140953199u}},
      {1234, 1, 0, {3507855656u, 1392278645u, 3354607383u}},
      {1234, 2, 5, {4135726294u, 2504520210u, 1132705754u}},
      {1234, 3, 1000000007, {2089152986u, 4027006711u, 2720810441u}},
      {0xdeadbeefcafef00dull, 123456789, 4, {1123869132u, 3252887078u, 3307161876u}},
      {1, 0x123456789abcdefull, 0xfedcba9876543210ull, {958994459u, 699661472u, 2960007078u}},
      {~0ull, ~0ull, ~0ull, {1092603645u, 3334665795u, 1496449696u}},
  });
}

struct Drawn {
  float uniform;
  double uniform_double;
  float normal, log_normal, second_normal, second_log_normal;
  double normal_double, second_normal_double, log_normal_double;
  std::array<unsigned, 4> poisson; ///< of means 0.5, 3, 30 and 63
  unsigned next;
};

/// The numbers that a state gives one after the other, those of cuRAND but for the last bits of
/// logarithms, sines and cosines.
template <class State> void expect_distributions(const Drawn &expected) {
  State state;
  curand_init(1234, 5, 0, &state);
  EXPECT_EQ(curand_uniform(&state), expected.uniform);
  EXPECT_EQ(curand_uniform_double(&state), expected.uniform_double);
  EXPECT_FLOAT_EQ(curand_normal(&state), expected.normal);
  EXPECT_FLOAT_EQ(curand_log_normal(&state, 0.5f, 0.25f), expected.log_normal);
  EXPECT_FLOAT_EQ(curand_normal(&state), expected.second_normal);
  EXPECT_FLOAT_EQ(curand_log_normal(&state, 0.5f, 0.25f), expected.second_log_normal);
  EXPECT_DOUBLE_EQ(curand_normal_double(&state), expected.normal_double);
  EXPECT_DOUBLE_EQ(curand_normal_double(&state), expected.second_normal_double);
  EXPECT_DOUBLE_EQ(curand_log_normal_double(&state, 0.5, 0.25), expected.log_normal_double);
  const double means[] = {0.5, 3, 30, 63};
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(curand_poisson(&state, means[i]), expected.poisson[i]);
  EXPECT_EQ(curand(&state), expected.next);
}

TEST(Xorwow, DistributesAsCurand) {
  expect_distributions<curandState>({0.868978858f,
                                     0.21408208798414113,
                                     1.26772416f,
                                     1.31951523f,
                                     -0.582404733f,
                                     2.81414747f,
                                     -0.73549862331711346,
                                     -0.87890888332844863,
                                     1.5446195265571441,
                                     {0, 1, 34, 63},
                                     3716062838u});
}

TEST(Philox, DistributesAsCurand) {
  expect_distributions<curandStatePhilox4_32_10_t>({0.973670244f,
                                                    0.7173020530026406,
                                                    -1.10222578f,
                                                    2.35600758f,
                                                    0.575401485f,
                                                    1.10468829f,
                                                    0.61854611773733903,
                                                    0.12008763890136703,
                                                    1.3114965108924499,
                                                    {0, 2, 40, 80},
                                                    2759390853u});
}

TEST(Distributions, LieBetweenZeroAndOneWithoutZero) {
  EXPECT_EQ(neuronify_random::uniform(0u), 0x1p-33f);
  EXPECT_EQ(neuronify_random::uniform(0xffffffffu), 1.0f);
  EXPECT_EQ(neuronify_random::uniform(0u, 0u), 0x1p-54);
  EXPECT_LE(neuronify_random::uniform(0xffffffffu, 0xffffffffu), 1.0);
}

TEST(Distributions, HaveTheirMeansAndVariances) {
  constexpr int count = 20000;
  // Means between the methods: products of uniform numbers, sums of such, and normal numbers.
  for (const double mean : {0.25, 12.0, 64.0, 100.0, 700.0, 5000.0}) {
    curandState state;
    curand_init(5, 6, 7, &state);
    double sum = 0, squares = 0;
    const int trials = mean > 500 ? count / 10 : count;
    for (int i = 0; i < trials; ++i) {
      const double number = curand_poisson(&state, mean) - mean;
      sum += number;
      squares += number * number;
    }
    // Five times the deviations of a mean, and of a variance.
    EXPECT_NEAR(sum / trials, 0, 5 * std::sqrt(mean / trials)) << mean;
    EXPECT_NEAR(squares / trials / mean, 1, 5 * std::sqrt((2 + 1 / mean) / trials)) << mean;
  }
}

} // namespace
