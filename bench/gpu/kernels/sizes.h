/* sizes.h -- how large the problems of the kernels are: for their OpenMP form, and for hand.cu.

   So that GCC's library, which is the slowest, takes tenths of a second for the slowest kernels.  -DSMALL is for
   trying things out without a GPU.  */

#ifndef SIZES_H
#define SIZES_H 1

#ifdef SMALL
# define SHRINK(n, small) (small)
#else
# define SHRINK(n, small) (n)
#endif

#define SAXPY_N SHRINK (64 << 20, 3000)
#define TRIAD_N SHRINK (32 << 20, 3000)
#define JACOBI_N SHRINK (4096, 48)		/* rows and columns */
#define HEAT_N SHRINK (256, 14)			/* planes, rows, columns */
#define MATMUL_N SHRINK (1024, 32)
#define TILE 4					/* rows and columns of a tile: MATMUL_N is a multiple */
#define FLOYD_N SHRINK (512, 20)
#define LU_N SHRINK (2048, 24)
#define LU_STEPS SHRINK (64, 6)
#define SPMV_ROWS SHRINK (1 << 20, 500)
#define SPMV_PER_ROW 12				/* on average; rows have from half to one and a half */
#define HISTOGRAM_N SHRINK (8 << 20, 3000)
#define BINS 256
#define WEIGHTS_N SHRINK (4 << 20, 3000)
#define WEIGHT_BINS SHRINK (65536, 128)
#define SUM_N SHRINK (16 << 20, 3000)
#define ROWS SHRINK (8192, 20)			/* of row sums */
#define COLUMNS SHRINK (2048, 70)
#define BODIES SHRINK (8192, 60)
#define MANDEL_N SHRINK (2048, 24)
#define MANDEL_STEPS 256
#define OPTIONS SHRINK (4 << 20, 600)
#define BINOMIAL_OPTIONS SHRINK (32768, 40)
#define BINOMIAL_STEPS SHRINK (128, 16)
#define PATHS SHRINK (1 << 20, 500)		/* of the Monte Carlo method */
#define PATH_STEPS SHRINK (64, 8)
#define TEXT_N SHRINK (16 << 20, 3000)
#define PATTERN 12				/* letters */
#define BITONIC_LOG SHRINK (20, 8)
#define BITONIC_N (1 << BITONIC_LOG)
#define LIFE_N SHRINK (4096, 40)

#endif
