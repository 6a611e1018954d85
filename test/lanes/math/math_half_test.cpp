// 16-bit floats on the chip and on the host round once, to nearest even, for every input.
#include "lanes/half.h"
#include "math_for_test.h"

namespace nki::math_test {

namespace {

bool same_number(float a, float b) {
  return to_bits(a) == to_bits(b) || (std::isnan(a) && std::isnan(b));
}

/// Both formats, on the host and on tiles.
struct Format {
  const char *name;
  float (*value)(int16_t);
  int16_t (*nearest)(float);
  float (*fused_on_host)(float, float, float);
  void (*widen)(const Tensor &, const Tensor &);
  void (*narrow)(const Tensor &, const Tensor &);
  void (*round)(const Tensor &, const Tensor &);
  void (*fused)(const Tensor &, const FloatOperand &, const FloatOperand &, const FloatOperand &);
  int digits;   ///< of the significand
  float lowest; ///< smallest subnormal
  float largest;
};
const Format kFormats[] = {
    {"fp16", half_to_float, [](float x) { return float_to_half(x); }, fma_half, half_to_float,
     float_to_half, round_half, fma_half, 11, 0x1p-24f, 65504.0f},
    {"bf16", bfloat_to_float, [](float x) { return float_to_bfloat(x); }, fma_bfloat,
     bfloat_to_float, float_to_bfloat, round_bfloat, fma_bfloat, 8, 0x1p-133f, 0x1.fep127f},
};

std::vector<float> all_numbers(const Format &format) {
  std::vector<float> numbers;
  for (uint32_t bits = 0; bits < 0x10000; ++bits)
    numbers.push_back(format.value(int16_t(bits)));
  return numbers;
}

/// What rounding means, without bits: the neighbour that is nearer, or the even one.
TEST(MathHalf, RoundingOnTheHostIsToTheNearestNumber) {
  for (const Format &format : kFormats) {
    // In the order of values: 0, the smallest, ..., the largest, infinity.
    for (uint16_t bits = 0; format.value(int16_t(bits)) < kInf; ++bits) {
      const float low = format.value(int16_t(bits)), next = format.value(int16_t(bits + 1));
      const double high = next == kInf ? 2.0 * low - format.value(int16_t(bits - 1)) : next;
      const float middle = float((low + high) / 2);
      const uint16_t even = bits & 1 ? bits + 1 : bits;
      for (float sign : {1.0f, -1.0f}) {
        const uint16_t sign_bit = sign < 0 ? 0x8000 : 0;
        auto check = [&](float x, uint16_t expected) {
          ASSERT_EQ(uint16_t(format.nearest(sign * x)), uint16_t(sign_bit | expected))
              << format.name << " " << describe(sign * x);
        };
        check(low, bits);
        check(middle, even);
        check(std::nextafterf(middle, 0), bits);
        check(std::nextafterf(middle, kInf), bits + 1);
      }
    }
    EXPECT_EQ(format.value(format.nearest(kInf)), kInf);
    EXPECT_TRUE(std::isnan(format.value(format.nearest(std::nanf("")))));
  }
}

TEST(MathHalf, DoublesRoundOnceOnTheHost) {
  // Just beyond a middle, by less than a float can tell.
  EXPECT_EQ(round_half(1.0 + 0x1p-11 + 0x1p-40), 1.0f + 0x1p-10f);
  EXPECT_EQ(round_half(1.0 + 0x1p-11 - 0x1p-40), 1.0f);
  EXPECT_EQ(round_bfloat(1.0 + 0x1p-8 + 0x1p-40), 1.0f + 0x1p-7f);
  EXPECT_EQ(round_bfloat(-1.0 - 0x1p-8 + 0x1p-40), -1.0f);
  EXPECT_EQ(round_half(1e300), kInf);
  EXPECT_EQ(to_bits(round_half(-1e-300)), 0x80000000u);
}

TEST(MathHalf, EveryNumberIsTheSameOnChipAndHost) {
  Chip chip;
  std::vector<int32_t> bits;
  for (uint32_t i = 0; i < 0x10000; ++i)
    bits.push_back(int32_t(i | (i * 0x9e370000u))); // the upper half has no meaning
  for (const Format &format : kFormats) {
    auto numbers = evaluate<float>(format.widen, DType::float32, DType::int32, bits);
    auto back = evaluate<int32_t>(format.narrow, DType::int32, DType::float32, numbers);
    for (uint32_t i = 0; i < 0x10000; ++i) {
      ASSERT_TRUE(same_number(numbers[i], format.value(int16_t(i)))) << format.name << i;
      if (!std::isnan(numbers[i]))
        ASSERT_EQ(uint32_t(back[i]), i) << format.name; // and the upper half is zero
    }
  }
}

TEST(MathHalf, RoundingOnTheChipIsThatOfTheHost) {
  Chip chip;
  for (const Format &format : kFormats) {
    auto check = [&](const std::vector<float> &inputs) {
      auto rounded = evaluate_floats(format.round, inputs);
      auto bits = evaluate<int32_t>(format.narrow, DType::int32, DType::float32, inputs);
      for (size_t i = 0; i < inputs.size(); ++i) {
        const float expected = format.value(format.nearest(inputs[i]));
        ASSERT_TRUE(same_number(rounded[i], expected)) << format.name << describe(inputs[i]);
        ASSERT_TRUE(same_number(format.value(int16_t(bits[i])), expected));
      }
    };
    std::vector<float> inputs = edges();
    const uint32_t middle = 1u << (23 - format.digits);
    for (float number : all_numbers(format))
      for (int offset : {-1, 0, 1})
        inputs.push_back(from_bits(to_bits(number) + middle + uint32_t(offset)));
    check(inputs);
    sweep(check);
  }
}

/// Triples of numbers of the format: any, and such that the sum is a tie but for a little.
struct Triples {
  std::vector<float> a, b, c;
  void add(float x, float y, float z) {
    a.push_back(x);
    b.push_back(y);
    c.push_back(z);
  }
};

Triples triples(const Format &format) {
  Triples result;
  std::mt19937 random(5);
  auto any = [&] { return format.value(int16_t(random())); };
  auto near = [&](float x) { return format.value(format.nearest(x)); };
  const float specials[] = {0,     -0.0f,          1,
                            -1,    format.lowest,  -format.lowest,
                            kInf,  -kInf,          std::nanf(""),
                            0.75f, format.largest, -format.largest,
                            3,     0x1.01p0f,      near(std::sqrt(format.lowest))};
  for (float x : specials)
    for (float y : specials)
      for (float z : specials)
        result.add(x, y, z);
  for (int i = 0; i < 400000; ++i) {
    const float x = any(), y = any();
    const double product = double(x) * y;
    result.add(x, y, any());
    result.add(x, y, near(float(-product)));                                   // cancels
    result.add(x, y, near(std::ldexp(float(product), format.digits - i % 5))); // ties with it
    result.add(x, y, near(std::ldexp(float(-product), -format.digits + i % 5)));
    result.add(x, y, i % 2 ? format.lowest : -format.lowest);
    // A product whose lower digits are a half of the last place.
    const float odd = near(std::ldexp(float((1 << format.digits) - 1 - int(random() % 64)), -4));
    result.add(odd, 1.5f, format.lowest * float(int(random() % 7) - 3));
    // Products next to both bounds of fp32.
    const float power = std::ldexp(1.0f, int(random() % 200) - 100);
    result.add(near(x * power), near(y / power), any());
  }
  return result;
}

TEST(MathHalf, AFusedOperationRoundsOnce) {
  Chip chip;
  for (const Format &format : kFormats) {
    const Triples in = triples(format);
    const auto results = evaluate_floats(format.fused, in.a, in.b, in.c);
    for (size_t i = 0; i < results.size(); ++i)
      ASSERT_TRUE(same_number(results[i], format.fused_on_host(in.a[i], in.b[i], in.c[i])))
          << format.name << " " << describe(in.a[i]) << " * " << describe(in.b[i]) << " + "
          << describe(in.c[i]) << " = " << describe(results[i]);
  }
}

TEST(MathHalf, AFusedOperationOnTheHostIsTheNearestToTheExactSum) {
  // With few digits long double holds product and sum exactly.
  for (const Format &format : kFormats) {
    const Triples in = triples(format);
    for (size_t i = 0; i < in.a.size(); ++i) {
      const long double sum = (long double)(in.a[i]) * in.b[i] + in.c[i];
      const long double part = (long double)(in.a[i]) * in.b[i];
      if (!std::isfinite(sum) || sum - part != in.c[i] || sum - in.c[i] != part || sum == 0)
        continue;
      const float result = format.fused_on_host(in.a[i], in.b[i], in.c[i]);
      const int16_t bits = format.nearest(result);
      if (std::isinf(result)) {
        ASSERT_GE(std::fabs(sum), format.largest);
        continue;
      }
      for (int step : {-1, 1}) {
        const float other = format.value(int16_t(bits + step));
        const long double error = std::fabs(sum - result), more = std::fabs(sum - other);
        ASSERT_TRUE(error < more || std::isnan(other) || (error == more && bits % 2 == 0))
            << format.name << " " << describe(in.a[i]) << " * " << describe(in.b[i]) << " + "
            << describe(in.c[i]) << " = " << describe(result);
      }
    }
  }
}

TEST(MathHalf, QuotientsAndRootsOfNumbersOfTheFormatAreExact) {
  Chip chip;
  for (const Format &format : kFormats) {
    const Triples in = triples(format);
    const auto divide = [](const Tensor &d, const Tensor &a, const Tensor &b) {
      fdiv(d, a, b, true);
    };
    const auto quotients = evaluate_floats(divide, in.a, in.b);
    for (size_t i = 0; i < quotients.size(); ++i) {
      // 64 digits never come next to a middle of these quotients.
      const auto exact = (long double)(in.a[i]) / in.b[i];
      const float expected = format.value(format.nearest(half_bits::to_odd(double(exact))));
      ASSERT_TRUE(same_number(format.value(format.nearest(quotients[i])), expected))
          << format.name << " " << describe(in.a[i]) << " / " << describe(in.b[i]);
    }
    const std::vector<float> numbers = all_numbers(format);
    const auto roots =
        evaluate_floats([](const Tensor &d, const Tensor &a) { sqrt(d, a, true); }, numbers);
    for (size_t i = 0; i < roots.size(); ++i)
      ASSERT_TRUE(same_number(
          format.value(format.nearest(roots[i])),
          format.value(format.nearest(half_bits::to_odd(std::sqrt(double(numbers[i])))))))
          << format.name << " " << describe(numbers[i]);
  }
}

TEST(MathHalf, IntegersAreRoundedOnceToBfloat) {
  Chip chip;
  std::vector<int32_t> inputs;
  std::mt19937 random(6);
  for (int bit = 0; bit < 32; ++bit)
    for (int64_t offset = -3; offset <= 3; ++offset)
      for (int64_t digits : {128, 129, 191, 255, 192}) // middles are odd multiples of half a place
        for (int64_t sign : {1, -1}) {
          const int64_t number = (digits << bit) + (int64_t(1) << bit) / 2 + offset;
          inputs.push_back(int32_t(uint32_t(uint64_t(sign * number))));
          inputs.push_back(int32_t(random() >> bit) + int32_t(offset));
        }
  const auto from_signed = evaluate<float>(int_to_float_odd, DType::float32, DType::int32, inputs);
  const auto from_unsigned =
      evaluate<float>(uint_to_float_odd, DType::float32, DType::int32, inputs);
  for (size_t i = 0; i < inputs.size(); ++i) {
    ASSERT_EQ(float_to_bfloat(from_signed[i]), float_to_bfloat(double(inputs[i]))) << inputs[i];
    ASSERT_EQ(float_to_bfloat(from_unsigned[i]), float_to_bfloat(double(uint32_t(inputs[i]))))
        << uint32_t(inputs[i]);
    ASSERT_EQ(to_float_odd(inputs[i]), half_bits::to_odd(double(inputs[i])));
  }
}

TEST(MathHalf, ResultsDoNotDependOnWhatTheDocumentationLeavesOpen) {
  for (const chip::ChipAssumptions &assumptions : other_assumptions()) {
    Chip chip(assumptions);
    for (const Format &format : kFormats) {
      Triples in = triples(format);
      for (auto *values : {&in.a, &in.b, &in.c})
        values->resize(40000);
      const auto results = evaluate_floats(format.fused, in.a, in.b, in.c);
      for (size_t i = 0; i < results.size(); ++i)
        ASSERT_TRUE(same_number(results[i], format.fused_on_host(in.a[i], in.b[i], in.c[i])));
    }
  }
}

} // namespace

} // namespace nki::math_test
