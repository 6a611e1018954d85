// Part of cooperative_groups.h, which declares all groups at once.
#pragma once

#include "../cooperative_groups.h"
