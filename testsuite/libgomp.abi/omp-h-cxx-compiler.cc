/* What omp-h-cxx.cc says of our omp.h is true of the compiler's own, too.  */

#define COMPILER_HEADER 1
#include "omp-h-cxx.cc"
