// Takes back what half_begin.h set.
#undef NEURONIFY_HD
#undef NEURONIFY_FN
#undef NEURONIFY_FMA
#undef NEURONIFY_ABS
#undef NEURONIFY_SQRT
#undef NEURONIFY_ON_DEVICE
