// Ported host code calls functions of the C library without a namespace, on arguments whose types
// are the runtime's. They must stay what they are.
#include "neuronify.h"

#include "gtest/gtest.h"

namespace {

TEST(Lookup, c_functions_on_types_of_the_runtime_are_those_of_the_c_library) {
  auto *streams = (neuronify::Stream_t *)malloc(2 * sizeof(neuronify::Stream_t));
  auto *events = (neuronify::Event_t *)malloc(sizeof(neuronify::Event_t));
  auto *vectors = (float3 *)calloc(3, sizeof(float3));
  auto *sizes = (dim3 *)malloc(sizeof(dim3));
  auto *errors = (neuronify::Error_t *)malloc(sizeof(neuronify::Error_t));
  neuronify::DeviceProp properties;
  memset(&properties, 0, sizeof(properties));
  memset(streams, 0, 2 * sizeof(neuronify::Stream_t));
  memcpy(sizes, sizes, 0);
  vectors = (float3 *)realloc(vectors, 4 * sizeof(float3));
  EXPECT_EQ(vectors[2].z, 0);
  free(streams);
  free(events);
  free(vectors);
  free(sizes);
  free(errors);
}

} // namespace
