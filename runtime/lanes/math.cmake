# Conversions and the functions of CUDA's math library, as instructions on tiles (lanes/ops.h).
target_sources(neuronify_lanes PRIVATE
  math_convert.cpp math_divide.cpp math_exponential.cpp math_fma.cpp math_half.cpp
  math_hyperbolic.cpp math_inverse.cpp math_logarithm.cpp math_reduction.cpp math_remainder.cpp
  math_roots.cpp math_tiles.cpp math_trigonometric.cpp)
