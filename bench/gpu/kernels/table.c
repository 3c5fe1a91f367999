/* table.c -- all kernels, in the order of the rows.  */

#include "kernels.h"

union result result;

#define KERNELS(X)							\
  X (saxpy) X (triad) X (jacobi) X (heat) X (life) X (matmul) X (tiles) X (lu) X (floyd)	\
  X (spmv) X (histogram) X (weights) X (sumf) X (sumd) X (maxi) X (argmin) X (rows)	\
  X (bodies) X (mandel) X (options) X (binomial) X (paths) X (text) X (bitonic)

#define DECLARE(k) extern const struct kernel k;
KERNELS (DECLARE)

#define ENTRY(k) &k,
const struct kernel *const kernels[] = { KERNELS (ENTRY) NULL };
