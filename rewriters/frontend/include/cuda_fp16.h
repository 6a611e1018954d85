// 16-bit floating point: __half and __half2 over Clang's _Float16.
#pragma once
#define __CUDA_FP16_H__ // NVIDIA's guards, so that a toolkit's copy of this header adds nothing
#define __CUDA_FP16_HPP__
#define __CUDA_FP16_TYPES_EXIST__

#include "cuda_runtime.h"
#include "neuronify/begin_library.h"
#include "neuronify/half_begin.h"

#define NEURONIFY_SCALAR _Float16
#include "neuronify/narrow/fp16.inc"
#define NEURONIFY_H __half
#define NEURONIFY_H2 __half2
#include "neuronify/half_device.inc"
#undef NEURONIFY_H
#undef NEURONIFY_H2
#undef NEURONIFY_SCALAR

#include "neuronify/end_library.h"
#include "neuronify/half_end.h"
