/* functions.c -- the first regions of a program with nine mathematical functions, so that much of the C library is linked.  */

#define NAME "functions"
#define LOOPS(loop)							\
  loop (sqrt (x[i] + i))							\
  loop (exp (-x[i] / 100))						\
  loop (pow (x[i], 1.5))						\
  loop (log (x[i] + 1))							\
  loop (sin (x[i]))							\
  loop (cos (x[i]))							\
  loop (atan2 (x[i], 2.0))						\
  loop (tanh (x[i] * 0.1))						\
  loop (cbrt (x[i] + 1))

#include "starts.h"
