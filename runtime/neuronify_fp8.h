// What ported host code includes in place of cuda_fp8.h: 8-bit floats and their conversions.
#pragma once

#include "neuronify_bf16.h"
#include "neuronify_fp16.h"

#include "host/narrow/host_begin.inc"

#include "host/narrow/fp8.inc"

#include "host/narrow/host_end.inc"
