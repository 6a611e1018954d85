// nvcuda::wmma: matrix products of a warp, each lane with a part of every matrix in its registers.
#pragma once
#define __CUDA_MMA_H__ // NVIDIA's guards, so that a toolkit's copy of this header adds nothing
#define __CUDA_MMA_HPP__

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#include "neuronify/fragments.h"
