// curandStateXORWOW: seeding, skipping ahead, and the next 32 bits.
//
// The generator is Marsaglia's ("Xorshift RNGs", Journal of Statistical Software 8 (14), 2003, page
// 5). Its five words v are multiplied by one 160 x 160 matrix A over GF(2) at each step; a counter
// is added to what comes out. How cuRAND makes the words of a seed, and that subsequences are 2^67
// steps apart, is what the cuRAND guide and many public reimplementations say.
//
// Skipping n steps needs A^n v. Instead of matrices we hold polynomials: by Cayley and Hamilton A
// satisfies its characteristic polynomial p, so that A^n = q(A) with q = x^n mod p, and q(A) v is
// Horner's rule with one step of the generator per coefficient. p comes from 320 bits of the
// generator by Berlekamp and Massey's algorithm; test/frontend/random_test.cpp computes the
// constants again. For a seed and a subsequence that are known at launch, so is the whole state.
#pragma once

namespace neuronify_random {

/// A polynomial over GF(2) of degree 159 at most, lowest coefficients first; or the words of a
/// state.
struct Words {
  unsigned a, b, c, d, e;
};

__device__ __forceinline__ void xorwow_step(Words &v) {
  const unsigned t = v.a ^ (v.a >> 2);
  v.a = v.b;
  v.b = v.c;
  v.c = v.d;
  v.d = v.e;
  v.e = (v.e ^ (v.e << 4)) ^ (t ^ (t << 1));
}

__device__ __forceinline__ void add_where(unsigned mask, Words &v, const Words &w) {
  v.a ^= w.a & mask;
  v.b ^= w.b & mask;
  v.c ^= w.c & mask;
  v.d ^= w.d & mask;
  v.e ^= w.e & mask;
}

/// The highest word; the others move up.
__device__ __forceinline__ unsigned pop(Words &w) {
  const unsigned highest = w.e;
  w.e = w.d;
  w.d = w.c;
  w.c = w.b;
  w.b = w.a;
  return highest;
}

/// q(A) v.
__device__ __forceinline__ Words xorwow_apply(Words q, const Words &v) {
  Words sum = {0, 0, 0, 0, 0};
  for (int i = 0; i < 5; ++i) {
    const unsigned coefficients = pop(q);
    for (int bit = 31; bit >= 0; --bit) {
      xorwow_step(sum);
      add_where(0u - (coefficients >> bit & 1u), sum, v);
    }
  }
  return sum;
}

/// The square of 16 coefficients: zeros between them.
__device__ __forceinline__ unsigned square(unsigned w) {
  w = (w | w << 8) & 0x00ff00ffu;
  w = (w | w << 4) & 0x0f0f0f0fu;
  w = (w | w << 2) & 0x33333333u;
  return (w | w << 1) & 0x55555555u;
}

/// q^2 mod p: coefficients enter a register of 160 bits from below, the highest ones first.
__device__ __forceinline__ Words xorwow_square(const Words &q) {
  const Words p = {0x00060001u, 0x08610030u, 0x00062121u, 0x0f3c0035u, 0x00000f0eu}; // less x^160
  Words r = {square(q.c >> 16), square(q.d & 0xffffu), square(q.d >> 16), square(q.e & 0xffffu),
             square(q.e >> 16)};
  Words rest = {square(q.a & 0xffffu), square(q.a >> 16), square(q.b & 0xffffu), square(q.b >> 16),
                square(q.c & 0xffffu)};
  for (int i = 0; i < 5; ++i) {
    const unsigned low = pop(rest);
    for (int bit = 31; bit >= 0; --bit) {
      const unsigned out = 0u - (r.e >> 31);
      r.e = r.e << 1 | r.d >> 31;
      r.d = r.d << 1 | r.c >> 31;
      r.c = r.c << 1 | r.b >> 31;
      r.b = r.b << 1 | r.a >> 31;
      r.a = r.a << 1 | (low >> bit & 1u);
      add_where(out, r, p);
    }
  }
  return r;
}

/// The words after n times as many steps as `q` stands for.
__device__ __forceinline__ Words xorwow_skip(Words v, Words q, unsigned long long n) {
  while (n != 0) {
    if (n & 1)
      v = xorwow_apply(q, v);
    n >>= 1;
    q = xorwow_square(q);
  }
  return v;
}

/// The words after n steps, and after n times 2^67.
__device__ __forceinline__ Words xorwow_after(const Words &v, unsigned long long n) {
  return xorwow_skip(v, {2u, 0, 0, 0, 0}, n); // x
}
__device__ __forceinline__ Words xorwow_of_sequence(const Words &v, unsigned long long n) {
  return xorwow_skip( // x^(2^67) mod p
      v, {0x26294934u, 0x77bbc248u, 0x1a87dad0u, 0x930052d4u, 0x947e6dd2u}, n);
}

__device__ __forceinline__ Words xorwow_words(const curandStateXORWOW &state) {
  return {state.v[0], state.v[1], state.v[2], state.v[3], state.v[4]};
}
__device__ __forceinline__ void set_xorwow_words(curandStateXORWOW &state, const Words &words) {
  state.v[0] = words.a;
  state.v[1] = words.b;
  state.v[2] = words.c;
  state.v[3] = words.d;
  state.v[4] = words.e;
}

} // namespace neuronify_random

/// The next 32 bits.
static __device__ __forceinline__ unsigned int curand(curandStateXORWOW *state) {
  neuronify_random::Words words = neuronify_random::xorwow_words(*state);
  neuronify_random::xorwow_step(words);
  neuronify_random::set_xorwow_words(*state, words);
  state->counter += 362437u;
  return words.e + state->counter;
}

static __device__ __forceinline__ void skipahead(unsigned long long n, curandStateXORWOW *state) {
  using namespace neuronify_random;
  set_xorwow_words(*state, xorwow_after(xorwow_words(*state), n));
  state->counter += 362437u * (unsigned)n;
}

/// n subsequences further. The counter stays: 2^67 is a multiple of 2^32.
static __device__ __forceinline__ void skipahead_sequence(unsigned long long n,
                                                          curandStateXORWOW *state) {
  using namespace neuronify_random;
  set_xorwow_words(*state, xorwow_of_sequence(xorwow_words(*state), n));
}

static __device__ __forceinline__ void curand_init(unsigned long long seed,
                                                   unsigned long long subsequence,
                                                   unsigned long long offset,
                                                   curandStateXORWOW *state) {
  using namespace neuronify_random;
  const unsigned low = 1099087573u * ((unsigned)seed ^ 0xaad26b49u);
  const unsigned high = 2591861531u * ((unsigned)(seed >> 32) ^ 0xf7dcefddu);
  const Words first = {123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high,
                       5783321u + low};
  set_xorwow_words(*state, xorwow_after(xorwow_of_sequence(first, subsequence), offset));
  state->counter = 6615241u + high + low + 362437u * (unsigned)offset;
  state->kept = state->kept_double = 0;
  state->extra = 0.0f;
  state->extra_double = 0.0;
}
