// What ported host code includes in place of cuda_bf16.h: __nv_bfloat16, __nv_bfloat162 and their
// functions, with the results that they have on a device.
#pragma once

#include "neuronify.h"

#include "host/half_scalar.h"

#include "host/narrow/host_begin.inc"
#define NEURONIFY_SCALAR neuronify::halves::Scalar<neuronify::halves::Bfloat>
#include "host/narrow/bf16.inc"
#undef NEURONIFY_SCALAR
#include "host/narrow/host_end.inc"
