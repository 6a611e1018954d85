# 64-bit integers as pairs of tiles (lanes/wide.h), and the bits of doubles (lanes/double.h).
target_sources(neuronify_lanes PRIVATE
  double.cpp wide_arithmetic.cpp wide_bits.cpp wide_compare.cpp wide_convert.cpp wide_division.cpp
  wide_values.cpp)
