/* The list that omp-h.c checks our omp.h against is true of the compiler's own, too.  */

#define COMPILER_HEADER 1
#include "omp-h.c"
