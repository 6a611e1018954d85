// Part of cuda_runtime.h, which every CUDA file starts with.
#pragma once

#include "cuda_runtime.h"
