/* The stand-in for a device: a number of threads that no block can have.  */
/* TEST-ENV: ACCEL_HOST_THREADS=33 */
/* TEST-EXIT: signal 6 */
/* TEST-OUTPUT: ^accel-host: ACCEL_HOST_THREADS is "33"$ */

int
main (void)
{
  int threads = 0;
#pragma omp parallel
  {
#pragma omp atomic
    threads++;
  }
  return threads == 0;
}
