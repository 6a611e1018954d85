// Kernels are compiled once per host instruction set; each copy lives in a namespace of its own, so
// that the linker cannot mix them. All copies compute the same bits: they consist of IEEE
// operations and explicit fused multiply-adds only, in an order that the source fixes.
#pragma once

#ifndef NEURONIFY_TARGET
#define NEURONIFY_TARGET portable
#endif
