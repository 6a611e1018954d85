# 64-bit integers as pairs of tiles (lanes/wide.h).
target_sources(neuronify_lanes PRIVATE
  wide_arithmetic.cpp wide_bits.cpp wide_compare.cpp wide_convert.cpp wide_division.cpp
  wide_values.cpp)
