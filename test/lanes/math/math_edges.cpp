#include "math_for_test.h"

namespace nki::math_test {

namespace {

/// `value` and its neighbours, both signs.
void add_around(std::vector<float> &values, float value, int neighbours = 2) {
  float up = value, down = value;
  for (int i = 0; i <= neighbours; ++i) {
    for (float each : {up, down, -up, -down})
      values.push_back(each);
    up = std::nextafter(up, kInf);
    down = std::nextafter(down, -kInf);
  }
}

} // namespace

std::vector<float> few_edges() {
  std::vector<float> values;
  for (uint32_t bits :
       {0x00000000u, 0x00000001u, 0x00000003u, 0x00400000u, 0x007fffffu, 0x00800000u, 0x00800001u,
        0x0d800000u, 0x1f800000u, 0x20000001u, 0x33800000u, 0x34000000u, 0x3effffffu, 0x3f000000u,
        0x3f7fffffu, 0x3f800000u, 0x3f800001u, 0x3fc00000u, 0x40000000u, 0x40400000u, 0x40490fdbu,
        0x4afffffdu, 0x4b000000u, 0x4b7fffffu, 0x5f000000u, 0x71800000u, 0x72000001u, 0x7e800000u,
        0x7f000000u, 0x7f000001u, 0x7f7fffffu, 0x7f800000u, 0x7f800001u, 0x7fc00000u, 0x7fffffffu})
    for (uint32_t sign : {0u, 0x80000000u})
      values.push_back(from_bits(bits | sign));
  return values;
}

std::vector<float> edges() {
  std::vector<float> values = few_edges();
  for (int exponent = -149; exponent <= 127; ++exponent)
    add_around(values, std::ldexp(1.0f, exponent));
  for (float value : {0.75f, 1.25f, 1.5f, 1.512f, 0.88f, 10.0f, 100.0f, 1000.0f, 12864.0f, 6432.0f})
    add_around(values, value);
  // Where exponentials overflow, underflow, and become subnormal.
  for (float value : {88.72284f, 87.33655f, 103.97208f, 103.27893f, 128.0f, 126.0f, 149.0f, 150.0f,
                      38.53184f, 37.92978f, 44.85347f, 45.15449f})
    add_around(values, value, 4);
  // Integers, halves, and the floats nearest to multiples of pi / 2.
  for (int n = 1; n < 5000; ++n) {
    add_around(values, float(n) * 0.5f, 1);
    add_around(values, float(n * 1.57079632679489661923), 1);
  }
  for (int n = 1; n < 40; ++n)
    add_around(values, float(std::ldexp(1.57079632679489661923, n * 3)), 1);
  // 16367173 * 2^72, known to lie very close to a multiple of pi / 2, and arbitrary huge angles.
  for (uint32_t bits : {0x6f79be45u, 0x7e7d3bf0u, 0x5c3a2b1fu, 0x4c5a9d3eu, 0x58a4cb6eu})
    add_around(values, from_bits(bits), 1);
  values.push_back(from_bits(0x7f800001u));
  values.push_back(from_bits(0xff800001u));
  return values;
}

} // namespace nki::math_test
