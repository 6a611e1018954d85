// Part of block_load.cuh.
#pragma once

#include "block_load.cuh"
