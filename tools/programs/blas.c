/* Multiply, factor and solve with a threaded BLAS; print rounded checksums and fail when a
   residual is too large.  */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void dgemm_ (const char *, const char *, const int *, const int *, const int *, const double *,
	     const double *, const int *, const double *, const int *, const double *, double *,
	     const int *);
void dgetrf_ (const int *, const int *, double *, const int *, int *, int *);
void dgetrs_ (const char *, const int *, const int *, const double *, const int *, const int *,
	      double *, const int *, int *);
void dpotrf_ (const char *, const int *, double *, const int *, int *);

int
main (void)
{
  int n = 700, one = 1, info;
  double alpha = 1, zero = 0;
  size_t nn = (size_t) n * n;
  double *a = malloc (nn * sizeof (*a)), *b = malloc (nn * sizeof (*b)), *c = malloc (nn * sizeof (*c));
  double *x = malloc (n * sizeof (*x));
  int *piv = malloc (n * sizeof (*piv));
  if (a == NULL || b == NULL || c == NULL || x == NULL || piv == NULL)
    return 1;
  for (size_t i = 0; i < nn; i++)
    a[i] = sin (i * 0.01) + (i % (n + 1) == 0 ? n : 0);

  dgemm_ ("T", "N", &n, &n, &n, &alpha, a, &n, a, &n, &zero, c, &n);	/* positive definite */
  double trace = 0;
  for (int i = 0; i < n; i++)
    trace += c[i * (size_t) (n + 1)];
  printf ("trace %.8e\n", trace);

  for (size_t i = 0; i < nn; i++)
    b[i] = a[i];
  for (int i = 0; i < n; i++)
    {
      x[i] = 0;
      for (int j = 0; j < n; j++)
	x[i] += a[i + (size_t) j * n] * (j % 5);
    }
  dgetrf_ (&n, &n, b, &n, piv, &info);
  if (info != 0)
    return 1;
  dgetrs_ ("N", &n, &one, b, &n, piv, x, &n, &info);
  double worst = 0;
  for (int j = 0; j < n; j++)
    worst = fmax (worst, fabs (x[j] - j % 5));
  printf ("LU %s\n", worst < 1e-9 ? "right" : "wrong");

  dpotrf_ ("L", &n, c, &n, &info);
  double logdet = 0;
  for (int i = 0; i < n; i++)
    logdet += 2 * log (c[i * (size_t) (n + 1)]);
  printf ("Cholesky info %d, log det %.8e\n", info, logdet);
  return info != 0 || worst >= 1e-9;
}
