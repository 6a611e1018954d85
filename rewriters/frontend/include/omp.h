// OpenMP's own header where Clang has one, and the commonest functions where it has not: the host
// pass only reads the file.
#pragma once

#if __has_include_next(<omp.h>)
#include_next <omp.h>
#else
extern "C" {
int omp_get_num_threads();
int omp_get_max_threads();
int omp_get_thread_num();
int omp_get_num_procs();
int omp_in_parallel();
int omp_get_dynamic();
int omp_get_nested();
int omp_get_level();
void omp_set_num_threads(int threads);
void omp_set_dynamic(int dynamic);
void omp_set_nested(int nested);
double omp_get_wtime();
double omp_get_wtick();
}
#endif
