/* task-state.c -- what programs may ask about the task that they are in.  */

#include "accel.h"

#pragma omp declare target

extern int omp_in_final (void);
extern int omp_in_explicit_task (void);
extern int omp_in_final_ (void);
extern int omp_in_explicit_task_ (void);

int
omp_in_final (void)
{
  return accel_self ()->final != 0;
}

int
omp_in_explicit_task (void)
{
  return accel_self ()->task != NULL;
}

int
omp_in_final_ (void)
{
  return omp_in_final ();
}

int
omp_in_explicit_task_ (void)
{
  return omp_in_explicit_task ();
}

#pragma omp end declare target
