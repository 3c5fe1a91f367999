/* A value of GOMP_TRACE_LIMIT that is no number of events.
   TEST-ENV: GOMP_TRACE_LIMIT=many
   TEST-OUTPUT: Invalid value for environment variable GOMP_TRACE_LIMIT: many  */

#include <omp.h>

int
main (void)
{
  return omp_get_max_threads () < 1;
}
