// 8-bit floating point: storage and conversions.
#pragma once
#define __CUDA_FP8_H__ // NVIDIA's guards, so that a toolkit's copy of this header adds nothing
#define __CUDA_FP8_HPP__
#define __CUDA_FP8_TYPES_EXIST__

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "neuronify/begin_library.h"
#include "neuronify/half_begin.h"

#include "neuronify/narrow/fp8.inc"

#include "neuronify/end_library.h"
#include "neuronify/half_end.h"
