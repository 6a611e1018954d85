// How registrations tell what buffers hold.
#include "host/element_type.h"
#include "host/float_bits.h"

#include <gtest/gtest.h>

using namespace neuronify;

namespace {

TEST(PointerTypes, OneEntryPerParameter) {
  auto hints = read_pointer_types("f32,-,i32,,u8");
  ASSERT_EQ(hints.size(), 3u);
  EXPECT_EQ(hints[0].parameter, 0);
  EXPECT_EQ(hints[1].parameter, 2);
  EXPECT_EQ(hints[1].layout.elements, std::vector{ElementType::i32});
  EXPECT_EQ(hints[2].parameter, 4);
  EXPECT_EQ(hints[2].offset, 0u);
}

TEST(PointerTypes, PlacesInsideStructs) {
  auto hints = read_pointer_types("0+8=f32, 2 = u16 ,1+16=f32 f32 i32");
  ASSERT_EQ(hints.size(), 3u);
  EXPECT_EQ(hints[0].parameter, 0);
  EXPECT_EQ(hints[0].offset, 8u);
  EXPECT_EQ(hints[1].parameter, 2);
  EXPECT_EQ(hints[2].offset, 16u);
  EXPECT_EQ(hints[2].layout.size(), 12u);
}

TEST(PointerTypes, PointersInMemoryTellWhatTheyPointTo) {
  auto hints = read_pointer_types("&f32,i32 &(f32 &(i32 u8 pad pad pad)) u64,-,&");
  ASSERT_EQ(hints.size(), 3u);
  EXPECT_EQ(hints[0].layout, (Layout{{ElementType::u64}, {read_layout("f32")}}));
  const Layout &fields = hints[1].layout;
  EXPECT_EQ(fields.elements, (std::vector{ElementType::i32, ElementType::u64, ElementType::u64}));
  EXPECT_TRUE(fields.pointees[0].elements.empty());
  EXPECT_TRUE(fields.pointees[2].elements.empty());
  ASSERT_EQ(fields.pointees[1].elements.size(), 2u);
  EXPECT_EQ(fields.pointees[1].pointees[1], read_layout("i32 u8 pad pad pad"));
  EXPECT_FALSE(fields == read_layout("i32 u64 u64"));
  EXPECT_TRUE(hints[2].layout.pointees[0].elements.empty());
}

TEST(PointerTypes, WhatCannotBeReadIsLeftOut) {
  EXPECT_TRUE(read_pointer_types(nullptr).empty());
  EXPECT_TRUE(read_pointer_types("").empty());
  EXPECT_TRUE(read_pointer_types("float,x=f32,1+=f99,-1=f32,f32 float").empty());
  auto hints = read_pointer_types("void,f32");
  ASSERT_EQ(hints.size(), 1u);
  EXPECT_EQ(hints[0].parameter, 1);
}

TEST(ElementType, NamesAndSizesAgree) {
  for (const char *name : {"bytes", "pad", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64",
                           "f16", "bf16", "f32", "f64"}) {
    auto type = element_type(name);
    ASSERT_TRUE(type) << name;
    EXPECT_EQ(name_of(*type), name);
  }
  EXPECT_EQ(size_of(ElementType::bf16), 2u);
  EXPECT_EQ(size_of(ElementType::u64), 8u);
  EXPECT_FALSE(element_type("float"));
}

TEST(ElementType, HalvesReadExactly) {
  auto read = [](uint16_t bits) { return read_float(ElementType::f16, &bits); };
  EXPECT_EQ(read(0x3C00), 1.0);
  EXPECT_EQ(read(0xC000), -2.0);
  EXPECT_EQ(read(0x0001), std::ldexp(1.0, -24));
  EXPECT_EQ(read(0x03FF), std::ldexp(1023.0, -24));
  EXPECT_EQ(read(0x7BFF), 65504.0);
  EXPECT_EQ(read(0xFC00), -INFINITY);
  EXPECT_TRUE(std::isnan(read(0x7C01)));
  EXPECT_TRUE(std::signbit(read(0x8000)));
}

TEST(ElementType, PrintsFloatsWithAllTheirDigits) {
  float third = 1.0f / 3;
  EXPECT_EQ(std::stof(print_element(ElementType::f32, &third)), third);
  double tenth = 0.1;
  EXPECT_EQ(std::stod(print_element(ElementType::f64, &tenth)), tenth);
  int8_t minus = -3;
  EXPECT_EQ(print_element(ElementType::i8, &minus), "-3");
  EXPECT_EQ(print_element(ElementType::bytes, &minus), "0xfd");
}

} // namespace
