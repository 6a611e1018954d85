# Conversions and the functions of CUDA's math library, as instructions on tiles (lanes/ops.h).
target_sources(neuronify_lanes PRIVATE
  math_convert.cpp math_divide.cpp math_exponential.cpp math_fma.cpp math_logarithm.cpp
  math_reduction.cpp math_remainder.cpp math_tiles.cpp math_trigonometric.cpp)
