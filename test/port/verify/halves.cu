// __half in kernels and in host code.
#include <cuda_fp16.h>

#define TYPE __half
#define RAW __half_raw
#define ONE 0x3c00
#define NAME(before, after) before##half##after

#include "halves.h"
