// bfloat16: __nv_bfloat16 and __nv_bfloat162 over Clang's __bf16.
#pragma once
#define __CUDA_BF16_H__ // NVIDIA's guards, so that a toolkit's copy of this header adds nothing
#define __CUDA_BF16_HPP__
#define __CUDA_BF16_TYPES_EXIST__

#include "cuda_runtime.h"
#include "neuronify/begin_library.h"
#include "neuronify/half_begin.h"

#define NEURONIFY_SCALAR __bf16
#include "neuronify/narrow/bf16.inc"
#define NEURONIFY_H __nv_bfloat16
#define NEURONIFY_H2 __nv_bfloat162
#include "neuronify/half_device.inc"
#undef NEURONIFY_H
#undef NEURONIFY_H2
#undef NEURONIFY_SCALAR

#include "neuronify/end_library.h"
#include "neuronify/half_end.h"
