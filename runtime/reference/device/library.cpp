// The device library, one translation unit: see definitions.h.
#include "half.h"
#include "packed.h"
#include "special.h"
#include "texture.h"
#include "threads.h"
