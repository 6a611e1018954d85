// cuRAND's device API: XORWOW and Philox4x32-10, and their distributions. The numbers are cuRAND's;
// docs/numerics.md says how far that was checked.
#pragma once
#define CURAND_KERNEL_H_ // NVIDIA's guard, so that a toolkit's copy of this header adds nothing

#include "cuda_runtime.h"
#include "neuronify/begin_library.h"

#include "neuronify/random/states.inc"
#include "neuronify/random_philox.h"
#include "neuronify/random_xorwow.h"

#include "neuronify/random_distributions.h"

#include "neuronify/end_library.h"
