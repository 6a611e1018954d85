// __nv_bfloat16 in kernels and in host code.
#include <cuda_bf16.h>

#define TYPE __nv_bfloat16
#define RAW __nv_bfloat16_raw
#define ONE 0x3f80
#define NAME(before, after) before##bfloat16##after

#include "halves.h"
