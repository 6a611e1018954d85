// What ported kernels include: lanes (namespace nki), NKI's language (nl) and instructions (nisa).
#pragma once

#include "host/registry.h"
#include "lanes/atomics.h"
#include "lanes/atomics_wide.h"
#include "lanes/double.h"
#include "lanes/element.h"
#include "lanes/index.h"
#include "lanes/launch.h"
#include "lanes/mask.h"
#include "lanes/memory.h"
#include "lanes/ops.h"
#include "lanes/votes.h"
#include "lanes/wide.h"
#include "nki/error.h"
#include "nki/isa.h"
#include "nki/language.h"
#include "nki/tensor.h"
