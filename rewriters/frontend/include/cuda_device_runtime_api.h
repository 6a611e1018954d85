// Part of cuda_runtime.h, which every CUDA file starts with.
#pragma once
#define __CUDA_DEVICE_RUNTIME_API_H__ // NVIDIA's guard, so that a toolkit's copy of this header
                                      // adds nothing

#include "cuda_runtime.h"
