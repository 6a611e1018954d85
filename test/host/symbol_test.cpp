// __device__ and __constant__ variables: their device copies, by the address of the shadow.
#include "lanes/launch.h"
#include "neuronify.h"

#include <gtest/gtest.h>

namespace {

// Host shadows, as the port leaves them.
float coefficients[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
int counter = 41;
struct Settings {
  int n;
  float scale;
} settings{3, 0.5f};
int unknown;

void count_up() {}
void run_count_up(nki::Launch &launch) {
  if (launch.core != 0)
    return;
  ++*launch.symbol<int>("counter").pointer;
  launch.symbol<float>("_ZL12coefficients").pointer[8] = 10;
}
constexpr neuronify::Kernel kCountUp{"count_up", "", "", 0, run_count_up, "", nullptr};

const neuronify::Registration
    registration("", "", {{count_up, kCountUp}},
                 {{coefficients, "_ZL12coefficients", sizeof coefficients, "f32"},
                  {&counter, "counter", sizeof counter, "i32"},
                  {&settings, "settings", sizeof settings}});

class Symbols : public testing::Test {
protected:
  void SetUp() override { neuronify::deviceReset(); }
};

TEST_F(Symbols, StartWithTheirInitialValue) {
  float out[9] = {};
  EXPECT_EQ(neuronify::memcpyFromSymbol(out, coefficients, sizeof out), neuronify::Success);
  EXPECT_EQ(out[8], 9);
}

TEST_F(Symbols, CopiesTakeOffsetsAndKeepTheShadow) {
  float two[2] = {20, 30}, out[3];
  EXPECT_EQ(neuronify::memcpyToSymbol(coefficients, two, 8, 4), neuronify::Success);
  EXPECT_EQ(neuronify::memcpyFromSymbol(out, coefficients, 12, 0), neuronify::Success);
  EXPECT_EQ(out[0], 1);
  EXPECT_EQ(out[2], 30);
  EXPECT_EQ(coefficients[1], 2);
  Settings s{7, 2};
  EXPECT_EQ(
      neuronify::memcpyToSymbolAsync(settings, &s, sizeof s, 0, neuronify::MemcpyHostToDevice),
      neuronify::Success);
  s = {};
  neuronify::memcpyFromSymbolAsync(&s, settings, sizeof s, 0, neuronify::MemcpyDeviceToHost, 0);
  EXPECT_EQ(s.n, 7);
}

TEST_F(Symbols, KernelsChangeTheDeviceCopy) {
  int value;
  neuronify::launch(count_up, 1, 1, 0, 0);
  neuronify::launch(count_up, 1, 1, 0, 0);
  neuronify::memcpyFromSymbol(&value, counter, 4);
  EXPECT_EQ(value, 43);
  EXPECT_EQ(counter, 41);
  float last;
  neuronify::memcpyFromSymbol(&last, coefficients, 4, 32);
  EXPECT_EQ(last, 10);
}

TEST_F(Symbols, ResetBringsInitialValuesBack) {
  int value = 7;
  neuronify::memcpyToSymbol(counter, &value, 4);
  neuronify::deviceReset();
  neuronify::memcpyFromSymbol(&value, counter, 4);
  EXPECT_EQ(value, 41);
}

TEST_F(Symbols, AddressAndSize) {
  float *device;
  size_t size;
  EXPECT_EQ(neuronify::getSymbolAddress((void **)&device, coefficients), neuronify::Success);
  EXPECT_NE(device, coefficients);
  float value = 100;
  EXPECT_EQ(neuronify::memcpy(device + 8, &value, 4, neuronify::MemcpyHostToDevice), 0);
  EXPECT_EQ(neuronify::free(device), neuronify::ErrorInvalidValue);
  EXPECT_EQ(neuronify::getSymbolSize(&size, coefficients), neuronify::Success);
  EXPECT_EQ(size, 36u);
}

TEST_F(Symbols, WrongUsesAreErrors) {
  using namespace neuronify;
  int value = 0;
  EXPECT_EQ(memcpyToSymbol(unknown, &value, 4), ErrorInvalidSymbol);
  EXPECT_EQ(memcpyToSymbol(counter, &value, 5), ErrorInvalidValue);
  EXPECT_EQ(memcpyToSymbol(counter, &value, 4, 1), ErrorInvalidValue);
  EXPECT_EQ(memcpyToSymbol(counter, &value, SIZE_MAX, 4), ErrorInvalidValue);
  EXPECT_EQ(memcpyToSymbol(counter, &value, 4, 0, MemcpyDeviceToHost), ErrorInvalidMemcpyDirection);
  EXPECT_EQ(memcpyFromSymbol(&value, counter, 4, 0, MemcpyHostToDevice),
            ErrorInvalidMemcpyDirection);
}

} // namespace
