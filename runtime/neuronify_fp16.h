// What ported host code includes in place of cuda_fp16.h: __half, __half2 and their functions, with
// the results that they have on a device.
#pragma once

#include "neuronify.h"

#include "host/half_scalar.h"

#include "host/narrow/host_begin.inc"
#define NEURONIFY_SCALAR neuronify::halves::Scalar<neuronify::halves::Half>
#include "host/narrow/fp16.inc"
#undef NEURONIFY_SCALAR
#include "host/narrow/host_end.inc"
