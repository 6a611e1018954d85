// curandStatePhilox4_32_10: Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel Random
// Numbers: As Easy as 1, 2, 3" (SC 2011), section 4.3 and table 2.
//
// The low two words of the counter count blocks of four numbers, the high two are the subsequence,
// the key is the seed (cuRAND guide, "Philox_4x32_10 generator"). `output` is the block of the
// counter: what comes next is always there.
#pragma once

namespace neuronify_random {

/// The block of `counter` under `key`.
__device__ __forceinline__ void philox(const unsigned (&counter)[4], const unsigned (&key)[2],
                                       unsigned (&block)[4]) {
  unsigned a = counter[0], b = counter[1], c = counter[2], d = counter[3];
  unsigned k0 = key[0], k1 = key[1];
  for (int round = 0; round < 10; ++round) {
    const unsigned high_a = __umulhi(0xd2511f53u, a), low_a = 0xd2511f53u * a;
    const unsigned high_c = __umulhi(0xcd9e8d57u, c), low_c = 0xcd9e8d57u * c;
    a = high_c ^ b ^ k0;
    b = low_c;
    c = high_a ^ d ^ k1;
    d = low_a;
    k0 += 0x9e3779b9u;
    k1 += 0xbb67ae85u;
  }
  block[0] = a;
  block[1] = b;
  block[2] = c;
  block[3] = d;
}

/// Adds n to the number of the block, the low two words of the counter; what it leaves goes on.
__device__ __forceinline__ void skip_blocks(unsigned (&counter)[4], unsigned long long n) {
  const unsigned low = (unsigned)n, high = (unsigned)(n >> 32);
  counter[0] += low;
  const unsigned carry = counter[0] < low, sum = counter[1] + high;
  counter[1] = sum + carry;
  const unsigned over = (unsigned)(sum < high) | (unsigned)(counter[1] < carry);
  counter[2] += over;
  counter[3] += (unsigned)(counter[2] < over);
}

__device__ __forceinline__ void next_block(curandStatePhilox4_32_10 &state) {
  skip_blocks(state.counter, 1);
  philox(state.counter, state.key, state.output);
}

/// Skips n numbers in a block of which `used` are used up, and gives how many then are.
__device__ __forceinline__ unsigned skip_numbers(unsigned (&counter)[4], unsigned used,
                                                 unsigned long long n) {
  const unsigned sum = used + (unsigned)(n & 3u);
  skip_blocks(counter, n / 4 + sum / 4);
  return sum & 3u;
}

} // namespace neuronify_random

static __device__ __forceinline__ void skipahead(unsigned long long n,
                                                 curandStatePhilox4_32_10 *state) {
  state->used = neuronify_random::skip_numbers(state->counter, state->used, n);
  neuronify_random::philox(state->counter, state->key, state->output);
}

/// n subsequences further: the upper words of the counter.
static __device__ __forceinline__ void skipahead_sequence(unsigned long long n,
                                                          curandStatePhilox4_32_10 *state) {
  const unsigned low = (unsigned)n, high = (unsigned)(n >> 32);
  state->counter[2] += low;
  state->counter[3] += high + (unsigned)(state->counter[2] < low);
  neuronify_random::philox(state->counter, state->key, state->output);
}

static __device__ __forceinline__ void curand_init(unsigned long long seed,
                                                   unsigned long long subsequence,
                                                   unsigned long long offset,
                                                   curandStatePhilox4_32_10 *state) {
  unsigned counter[4] = {0, 0, (unsigned)subsequence, (unsigned)(subsequence >> 32)};
  const unsigned key[2] = {(unsigned)seed, (unsigned)(seed >> 32)};
  state->used = neuronify_random::skip_numbers(counter, 0, offset);
  neuronify_random::philox(counter, key, state->output);
  state->counter[0] = counter[0];
  state->counter[1] = counter[1];
  state->counter[2] = counter[2];
  state->counter[3] = counter[3];
  state->key[0] = key[0];
  state->key[1] = key[1];
  state->kept = state->kept_double = 0;
  state->extra = 0.0f;
  state->extra_double = 0.0;
}

/// The next four numbers of 32 bits.
static __device__ __forceinline__ uint4 curand4(curandStatePhilox4_32_10 *state) {
  const unsigned a = state->output[0], b = state->output[1], c = state->output[2],
                 d = state->output[3], used = state->used;
  neuronify_random::next_block(*state);
  const unsigned e = state->output[0], f = state->output[1], g = state->output[2];
  return make_uint4(used == 0   ? a
                    : used == 1 ? b
                    : used == 2 ? c
                                : d,
                    used == 0   ? b
                    : used == 1 ? c
                    : used == 2 ? d
                                : e,
                    used == 0   ? c
                    : used == 1 ? d
                    : used == 2 ? e
                                : f,
                    used == 0   ? d
                    : used == 1 ? e
                    : used == 2 ? f
                                : g);
}

/// The next 32 bits.
static __device__ __forceinline__ unsigned int curand(curandStatePhilox4_32_10 *state) {
  const unsigned used = state->used;
  const unsigned result = used == 0   ? state->output[0]
                          : used == 1 ? state->output[1]
                          : used == 2 ? state->output[2]
                                      : state->output[3];
  state->used = (used + 1) & 3u;
  if (used == 3)
    neuronify_random::next_block(*state);
  return result;
}
