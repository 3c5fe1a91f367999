/* omp_target_is_accessible knows the memory of omp_target_alloc with the mapping checker, too, which
   allocates each block by itself.
   TEST-OPTIONS: -I@srcdir@/libgomp.offload -D_GNU_SOURCE
   TEST-MODES: cpu2
   TEST-ENV: GOMP_CHECK=map  */

#include "accessible-device-memory.c"
