/* A GPU newer than everything that is known here is used: the image is linked for its architecture.
   TEST-ENV: FAKE_CUDA_ATTRIBUTE=75:31,76:4
   TEST-ENV: GOMP_DEBUG=1
   TEST-OUTPUT: objects linked for sm_314  */

#include "region.c"
