// Streams keep order, events keep model time.
#include "host/model_clock.h"
#include "neuronify.h"

#include <gtest/gtest.h>

namespace {

class Streams : public testing::Test {
protected:
  void SetUp() override { neuronify::deviceReset(); }
};

TEST_F(Streams, WorkOfAStreamRunsInOrder) {
  neuronify::Stream_t stream;
  ASSERT_EQ(neuronify::streamCreate(&stream), neuronify::Success);
  int *device, in = 7, out = 0;
  neuronify::malloc(&device, 4);
  neuronify::memcpyAsync(device, &in, 4, neuronify::MemcpyHostToDevice, stream);
  neuronify::memsetAsync(device, 0, 2, stream);
  neuronify::memcpyAsync(&out, device, 4, neuronify::MemcpyDeviceToHost, stream);
  EXPECT_EQ(neuronify::streamSynchronize(stream), neuronify::Success);
  EXPECT_EQ(out, 0);
  EXPECT_EQ(neuronify::streamQuery(stream), neuronify::Success);
  EXPECT_EQ(neuronify::streamDestroy(stream), neuronify::Success);
}

TEST_F(Streams, DeadHandlesAreInvalid) {
  using namespace neuronify;
  Stream_t stream;
  Event_t event;
  streamCreateWithFlags(&stream, StreamNonBlocking);
  eventCreate(&event);
  EXPECT_EQ(streamDestroy(stream), Success);
  EXPECT_EQ(streamDestroy(stream), ErrorInvalidResourceHandle);
  EXPECT_EQ(streamSynchronize(stream), ErrorInvalidResourceHandle);
  EXPECT_EQ(memsetAsync(nullptr, 0, 0, stream), ErrorInvalidResourceHandle);
  EXPECT_EQ(eventRecord(event, stream), ErrorInvalidResourceHandle);
  EXPECT_EQ(streamDestroy(0), ErrorInvalidResourceHandle);
  EXPECT_EQ(eventDestroy(event), Success);
  EXPECT_EQ(eventDestroy(event), ErrorInvalidResourceHandle);
  EXPECT_EQ(eventRecord(event, 0), ErrorInvalidResourceHandle);
  EXPECT_EQ(streamCreate(nullptr), ErrorInvalidValue);
  EXPECT_EQ(eventCreateWithFlags(&event, EventInterprocess), ErrorInvalidValue);
}

TEST_F(Streams, EventsMeasureModelTime) {
  using namespace neuronify;
  Event_t start, end;
  eventCreate(&start);
  eventCreate(&end);
  float ms = -1;
  EXPECT_EQ(eventElapsedTime(&ms, start, end), ErrorInvalidResourceHandle); // never recorded
  void *a, *b;
  neuronify::malloc(&a, 1 << 20);
  neuronify::malloc(&b, 1 << 20);
  eventRecord(start);
  neuronify::memcpy(a, b, 1 << 20, MemcpyDeviceToDevice);
  eventRecord(end);
  eventSynchronize(end);
  EXPECT_EQ(eventElapsedTime(&ms, start, end), Success);
  EXPECT_FLOAT_EQ(ms, float((2e-6 + 2 * 1048576.0 / 4.7e12) * 1e3)) << "trn3's HBM";
  EXPECT_EQ(eventElapsedTime(&ms, end, start), Success);
  EXPECT_LT(ms, 0);
  Event_t untimed;
  eventCreateWithFlags(&untimed, EventDisableTiming);
  eventRecord(untimed);
  EXPECT_EQ(eventElapsedTime(&ms, start, untimed), ErrorInvalidResourceHandle);
  EXPECT_EQ(eventQuery(end), Success);
}

TEST_F(Streams, CallbacksRunWithTheirData) {
  int value = 0;
  auto set = [](void *p) { *static_cast<int *>(p) = 5; };
  EXPECT_EQ(neuronify::launchHostFunc(0, set, &value), neuronify::Success);
  EXPECT_EQ(value, 5);
  auto callback = [](neuronify::Stream_t, neuronify::Error_t status, void *p) {
    *static_cast<int *>(p) = status == neuronify::Success ? 6 : 7;
  };
  EXPECT_EQ(neuronify::streamAddCallback(0, callback, &value, 0), neuronify::Success);
  EXPECT_EQ(value, 6);
}

TEST(ModelClock, StreamsOverlapExceptOnWhatTheyShare) {
  neuronify::ModelClock clock;
  auto &a = *clock.find(clock.add_stream(neuronify::StreamNonBlocking, 0));
  auto &b = *clock.find(clock.add_stream(neuronify::StreamNonBlocking, 0));
  EXPECT_EQ(clock.submit(a, 2, neuronify::Resource::chip), 0);
  EXPECT_EQ(clock.submit(b, 1, neuronify::Resource::link), 0); // a copy beside a kernel
  EXPECT_EQ(clock.submit(b, 1, neuronify::Resource::chip), 2); // the chip is busy until 2
  EXPECT_EQ(b.time, 3);
  EXPECT_EQ(clock.synchronize(), 3);
  EXPECT_EQ(a.time, 3);
}

TEST(ModelClock, TheDefaultStreamWaitsForBlockingStreamsAndTheyForIt) {
  neuronify::ModelClock clock;
  auto &blocking = *clock.find(clock.add_stream(neuronify::StreamDefault, 0));
  auto &free = *clock.find(clock.add_stream(neuronify::StreamNonBlocking, 0));
  auto &standard = *clock.find(neuronify::Stream_t(0));
  clock.submit(blocking, 2, neuronify::Resource::none);
  clock.submit(free, 9, neuronify::Resource::none);
  EXPECT_EQ(clock.submit(standard, 1, neuronify::Resource::none), 2);
  EXPECT_EQ(clock.submit(blocking, 1, neuronify::Resource::none), 3);
  EXPECT_EQ(&standard, clock.find(neuronify::StreamPerThread));
}

} // namespace
