// Inline PTX of integer instructions, which must give what the same in C++ gives: carry chains,
// wide products, shifts by any amount, predicates, registers of a statement.
#include "upload.h"

#include <cstdio>

typedef unsigned long long Word;

__global__ void carries(const unsigned *x, unsigned *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const unsigned a = x[i], b = x[(i + 1) % n], c = x[(i + 2) % n], d = x[(i + 3) % n];
  const Word left = (Word)b << 32 | a, right = (Word)d << 32 | c;
  unsigned low, high, top, r[4];
  asm("add.cc.u32 %0, %3, %5;\n\t"
      "addc.cc.u32 %1, %4, %6;\n\t"
      "addc.u32 %2, 0, 0;"
      : "=r"(low), "=&r"(high), "=&r"(top)
      : "r"(a), "r"(b), "r"(c), "r"(d));
  const Word sum = left + right;
  out[i] = low == (unsigned)sum && high == (unsigned)(sum >> 32) && top == (sum < left);
  asm volatile("sub.cc.u32 %0, %3, %5;\n\t"
               "subc.cc.u32 %1, %4, %6;\n\t"
               "subc.u32 %2, 0, 0;"
               : "=r"(low), "=r"(high), "=r"(top)
               : "r"(a), "r"(b), "r"(c), "r"(d));
  const Word rest = left - right;
  out[n + i] = low == (unsigned)rest && high == (unsigned)(rest >> 32) &&
               top == (left < right ? 0xffffffffu : 0u);
  // A product of 64 bits by 64: 128 bits.
  asm("{\n\t"
      ".reg .u32 t;\n\t"
      "mul.lo.u32 %0, %4, %6;\n\t"
      "mul.hi.u32 %1, %4, %6;\n\t"
      "mad.lo.cc.u32 %1, %4, %7, %1;\n\t"
      "madc.hi.u32 %2, %4, %7, 0;\n\t"
      "mad.lo.cc.u32 %1, %5, %6, %1;\n\t"
      "madc.hi.cc.u32 %2, %5, %6, %2;\n\t"
      "addc.u32 t, 0, 0;\n\t"
      "mad.lo.cc.u32 %2, %5, %7, %2;\n\t"
      "madc.hi.u32 %3, %5, %7, t;\n\t"
      "}"
      : "=&r"(r[0]), "=&r"(r[1]), "=&r"(r[2]), "=&r"(r[3])
      : "r"(a), "r"(b), "r"(c), "r"(d));
  const Word product = left * right, above = __umul64hi(left, right);
  out[2 * n + i] = r[0] == (unsigned)product && r[1] == (unsigned)(product >> 32) &&
                   r[2] == (unsigned)above && r[3] == (unsigned)(above >> 32);
  Word total = left, more;
  asm("add.cc.u64 %0, %0, %2; addc.u64 %1, %3, 0;"
      : "+l"(total), "=l"(more)
      : "l"(right), "l"(left));
  out[3 * n + i] = total == sum && more == left + (sum < left);
}

__global__ void products(const unsigned *x, unsigned *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const unsigned a = x[i], b = x[(i * 5 + 1) % n];
  const int s = (int)a, t = (int)b;
  Word wide, packed;
  long long signed_wide;
  unsigned low, high, r;
  int q;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(wide) : "r"(a), "r"(b));
  asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(signed_wide) : "r"(s), "r"(t), "l"(7ll));
  out[i] = wide == (Word)a * b && signed_wide == (long long)s * t + 7;
  asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(wide));
  asm("mov.b64 %0, {%1, %2};" : "=l"(packed) : "r"(high), "r"(low));
  out[n + i] =
      low == (unsigned)wide && high == (unsigned)(wide >> 32) && packed == ((Word)low << 32 | high);
  asm("mul.hi.s32 %0, %1, %2;" : "=r"(q) : "r"(s), "r"(t));
  asm("mul.hi.u64 %0, %1, %2;" : "=l"(packed) : "l"(wide), "l"(wide + 3));
  out[2 * n + i] = q == __mulhi(s, t) && packed == __umul64hi(wide, wide + 3);
  float value;
  asm("mov.b32 %0, %1;" : "=f"(value) : "r"(a & 0x3fffffff));
  asm("mov.b32 %0, %1;" : "=r"(r) : "f"(value));
  out[3 * n + i] = r == (a & 0x3fffffff) && value == __uint_as_float(r);
}

__global__ void shifts(const unsigned *x, unsigned *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const unsigned a = x[i], b = x[(i + 1) % n], by = i % 70;
  unsigned left, right, wrapped, clamped;
  int down;
  Word far;
  asm("shl.b32 %0, %1, %2;" : "=r"(left) : "r"(a), "r"(by));
  asm("shr.u32 %0, %1, %2;" : "=r"(right) : "r"(a), "r"(by));
  asm("shr.s32 %0, %1, %2;" : "=r"(down) : "r"((int)a), "r"(by));
  out[i] = left == (by < 32 ? a << by : 0) && right == (by < 32 ? a >> by : 0) &&
           down == (int)a >> (by < 32 ? by : 31);
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(wrapped) : "r"(a), "r"(b), "r"(by));
  asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(clamped) : "r"(a), "r"(b), "r"(by));
  out[n + i] = wrapped == __funnelshift_l(a, b, by) && clamped == __funnelshift_rc(a, b, by);
  asm("shl.b64 %0, %1, %2;" : "=l"(far) : "l"((Word)a), "r"(by));
  out[2 * n + i] = far == (by < 64 ? (Word)a << by : 0);
  unsigned bits;
  asm("{ popc.b32 %0, %1; xor.b32 %0, %0, 0xff; not.b32 %0, %0; }" : "=&r"(bits) : "r"(a));
  out[3 * n + i] = bits == ~((unsigned)__popc(a) ^ 0xffu);
}

__global__ void choices(const unsigned *x, unsigned *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const unsigned a = x[i], b = x[(i + 1) % n];
  unsigned larger, kept = a;
  int less;
  asm("{\n\t.reg .pred p, q;\n\t"
      "setp.ge.u32 p, %1, %2;\n\t"
      "selp.u32 %0, %1, %2, p;\n\t}"
      : "=r"(larger)
      : "r"(a), "r"(b));
  asm("{ .reg .pred p; setp.lt.s32 p, %1, 0; @p add.u32 %0, %0, 1; @!p sub.u32 %0, %0, %2; }"
      : "+r"(kept)
      : "r"((int)b), "r"(b));
  asm("min.s32 %0, %1, %2;" : "=r"(less) : "r"((int)a), "r"((int)b));
  Word widened;
  asm("cvt.s64.s32 %0, %1;" : "=l"(widened) : "r"((int)a));
  out[i] = larger == (a >= b ? a : b);
  out[n + i] = kept == ((int)b < 0 ? a + 1 : a - b);
  out[2 * n + i] = less == min((int)a, (int)b);
  out[3 * n + i] = widened == (Word)(long long)(int)a;
}

__global__ void packed(const unsigned *x, unsigned *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const unsigned a = x[i], b = x[(i + 1) % n], c = x[(i + 2) % n];
  unsigned differences, sum, average;
  int dot;
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(differences) : "r"(a), "r"(b), "r"(c));
  asm("vadd2.s32.s32.s32.sat %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(0));
  asm("vavrg4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(average) : "r"(a), "r"(b), "r"(0));
  asm("dp4a.s32.u32 %0, %1, %2, %3;" : "=r"(dot) : "r"(a), "r"(b), "r"(c));
  int expected = (int)c;
  for (int k = 0; k < 32; k += 8)
    expected += (signed char)(a >> k) * (int)(unsigned char)(b >> k);
  out[i] = differences == __vsadu4(a, b) + c;
  out[n + i] = sum == __vaddss2(a, b);
  out[2 * n + i] = average == __vavgu4(a, b);
  out[3 * n + i] = dot == expected;
}

// Fields and counts of bits, in 32 and 64 bits, of any start and length.
__device__ Word field_of(Word x, unsigned start, unsigned length, int bits, bool is_signed) {
  Word result = 0;
  start &= 255;
  length &= 255;
  unsigned last = start + length - 1;
  last = last < (unsigned)bits ? last : bits - 1;
  for (unsigned i = 0; i < (unsigned)bits; ++i) {
    Word bit = is_signed && length ? x >> last & 1 : 0;
    if (i < length && start + i < (unsigned)bits)
      bit = x >> (start + i) & 1;
    result |= bit << i;
  }
  return result;
}

__global__ void fields(const unsigned *x, unsigned *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const unsigned a = x[i], b = x[(i + 1) % n];
  const Word wide = (Word)b << 32 | a, other = (Word)(a * 2654435761u) << 32 | ~b;
  const unsigned start = i % 71 + (i % 5 == 4 ? 256 : 0), length = i % 67 + (i % 7 == 6 ? 512 : 0);
  unsigned u;
  int s;
  Word wu, ws;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(u) : "r"(a), "r"(start), "r"(length));
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(s) : "r"(a), "r"(start), "r"(length));
  asm("bfe.u64 %0, %1, %2, %3;" : "=l"(wu) : "l"(wide), "r"(start), "r"(length));
  asm("bfe.s64 %0, %1, %2, %3;" : "=l"(ws) : "l"(wide), "r"(start), "r"(length));
  out[i] = u == (unsigned)field_of(a, start, length, 32, false) &&
           s == (int)field_of(a, start, length, 32, true) &&
           wu == field_of(wide, start, length, 64, false) &&
           ws == field_of(wide, start, length, 64, true);
  unsigned narrow, fixed;
  Word inserted;
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(narrow) : "r"(a), "r"(b), "r"(start), "r"(length));
  asm("bfi.b32 %0, %1, %2, 5, 9;" : "=r"(fixed) : "r"(a), "r"(b));
  asm("bfi.b64 %0, %1, %2, %3, %4;"
      : "=l"(inserted)
      : "l"(wide), "l"(other), "r"(start), "r"(length));
  Word expected = other;
  for (unsigned k = 0; k < (length & 255) && k + (start & 255) < 64; ++k) {
    const Word place = (Word)1 << (k + (start & 255));
    expected = wide >> k & 1 ? expected | place : expected & ~place;
  }
  unsigned short_expected = b;
  for (unsigned k = 0; k < (length & 255) && k + (start & 255) < 32; ++k) {
    const unsigned place = 1u << (k + (start & 255));
    short_expected = a >> k & 1 ? short_expected | place : short_expected & ~place;
  }
  out[n + i] = narrow == short_expected && inserted == expected &&
               fixed == ((b & ~(511u << 5)) | (a & 511u) << 5);
  unsigned ones, zeros, reversed, permuted;
  Word turned;
  asm("popc.b64 %0, %1;" : "=r"(ones) : "l"(wide));
  asm("clz.b64 %0, %1;" : "=r"(zeros) : "l"(wide));
  asm("brev.b64 %0, %1;" : "=l"(turned) : "l"(wide));
  asm("brev.b32 %0, %1;" : "=r"(reversed) : "r"(a));
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(permuted) : "r"(a), "r"(b), "r"(start * 2087u));
  out[2 * n + i] = ones == (unsigned)__popcll(wide) && zeros == (unsigned)__clzll(wide) &&
                   turned == __brevll(wide) && reversed == __brev(a) &&
                   permuted == __byte_perm(a, b, start * 2087u);
  const unsigned small = i % 3 ? a >> i % 33 % 32 : 0;
  unsigned high, of_signed, distance, of_wide;
  asm("bfind.u32 %0, %1;" : "=r"(high) : "r"(small));
  asm("bfind.s32 %0, %1;" : "=r"(of_signed) : "r"((int)~small));
  asm("bfind.shiftamt.u32 %0, %1;" : "=r"(distance) : "r"(small));
  asm("bfind.u64 %0, %1;" : "=r"(of_wide) : "l"((Word)small << 17));
  const int low = (int)~small < 0 ? (int)small : (int)~small;
  out[3 * n + i] = high == 31u - __clz(small) && distance == (small ? __clz(small) : ~0u) &&
                   of_signed == (low ? 31u - __clz(low) : ~0u) &&
                   of_wide == (small ? 31u - __clz(small) + 17 : ~0u);
}

int main() {
  bool right = true;
  for (int n : {1, 100, 515}) {
    std::vector<unsigned> words(n);
    for (int i = 0; i < n; ++i)
      words[i] = i % 4 == 3 ? 0xffffffffu - (i % 8 == 3) : (i + 1) * 2654435761u;
    unsigned *x = upload(words), *out;
    cudaMalloc(&out, 4 * n * sizeof(unsigned));
    for (auto kernel : {carries, products, shifts, choices, packed, fields}) {
      cudaMemset(out, 0, 4 * n * sizeof(unsigned));
      kernel<<<(n + 63) / 64, 64>>>(x, out, n);
      std::vector<unsigned> found(4 * n);
      cudaMemcpy(found.data(), out, found.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
      for (int i = 0; i < 4 * n; ++i)
        right &= found[i] == 1;
    }
  }
  return right ? 0 : 1;
}
