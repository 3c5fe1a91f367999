/* Plan and run threaded transforms of several sizes with FFTW's OpenMP library; print checksums
   of the results, and fail when a transform and its inverse do not give back the data.  */
#include <complex.h>
#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <omp.h>

static int
transform (int rank, const int *dims, unsigned flags)
{
  int n = 1;
  for (int i = 0; i < rank; i++)
    n *= dims[i];
  fftw_complex *a = fftw_malloc (sizeof (*a) * n), *b = fftw_malloc (sizeof (*b) * n);
  fftw_plan to = fftw_plan_dft (rank, dims, a, b, FFTW_FORWARD, flags);
  fftw_plan back = fftw_plan_dft (rank, dims, b, a, FFTW_BACKWARD, flags);
  if (a == NULL || b == NULL || to == NULL || back == NULL)
    return 1;
  for (int i = 0; i < n; i++)
    a[i] = sin (i * 0.37) + I * cos (i * 0.11);
  fftw_execute (to);
  double sum = 0, worst = 0;
  for (int i = 0; i < n; i++)
    sum += cabs (b[i]);
  fftw_execute (back);
  for (int i = 0; i < n; i++)
    {
      double err = cabs (a[i] / n - (sin (i * 0.37) + I * cos (i * 0.11)));
      if (err > worst)
	worst = err;
    }
  printf ("rank %d, %d points: sum %.6e\n", rank, n, sum);
  fftw_destroy_plan (to);
  fftw_destroy_plan (back);
  fftw_free (a);
  fftw_free (b);
  return worst > 1e-12;
}

int
main (void)
{
  if (!fftw_init_threads ())
    return 1;
  fftw_plan_with_nthreads (omp_get_max_threads ());
  int bad = 0;
  bad |= transform (1, (int[]) { 1 << 16 }, FFTW_MEASURE);
  bad |= transform (1, (int[]) { 100003 }, FFTW_ESTIMATE);
  bad |= transform (2, (int[]) { 720, 600 }, FFTW_ESTIMATE);
  bad |= transform (3, (int[]) { 64, 60, 72 }, FFTW_ESTIMATE);
  fftw_cleanup_threads ();
  return bad;
}
