/* cg.c -- conjugate gradients on a sparse matrix from a file:   cg [FILE.mtx]

   Solves A x = b for the symmetric positive definite matrix of FILE (data/diffusion.mtx) by
   conjugate gradients with a diagonal preconditioner, for two right-hand sides whose solutions
   are known.  What to look at:
     - target data: the matrix travels to the device once, and stays for both solves;
     - the work vectors are map(alloc:): they never travel;
     - target update: the second right-hand side goes in, each solution comes out;
     - three regions an iteration; only the sums that steer it come back, by reduction.
   The functions below get host pointers and name them in their regions.  What a pointer points
   to has been mapped already, so the region finds it and nothing is copied.

   Checked: the residual and the error against the known solution, both computed by the host.  */

#define EXAMPLE "cg"
#include "example.h"
#include "mtx.h"

#include <math.h>

#define TOLERANCE 1e-10		/* of the residual, relative to b */

/* Everything the solver works with.  The pointers are host addresses; all they point to is on
   the device.  */
struct problem
{
  int n;
  const int *row, *col;		/* the matrix A, see mtx.h */
  const double *val;
  const double *inverse;	/* 1 / diagonal of A: the preconditioner */
  const double *b;
  double *x;			/* the solution so far */
  double *r;			/* the residual, b - A x */
  double *p;			/* the direction of the next step */
  double *q;			/* A p */
};

/* q = A p; answers p . q.  */
static double
multiply (const struct problem *s)
{
  int n = s->n;
  const int *row = s->row, *col = s->col;
  const double *val = s->val, *p = s->p;
  double *q = s->q, pq = 0;

#pragma omp target teams distribute parallel for reduction (+: pq)
  for (int i = 0; i < n; i++)
    {
      double sum = 0;
      for (int k = row[i]; k < row[i + 1]; k++)
	sum += val[k] * p[col[k]];
      q[i] = sum;
      pq += sum * p[i];
    }
  return pq;
}

/* x += alpha p, r -= alpha q; answers r . r in *RR and r . (r / diagonal) in *RZ.  */
static void
step (const struct problem *s, double alpha, double *rr, double *rz)
{
  int n = s->n;
  const double *p = s->p, *q = s->q, *inverse = s->inverse;
  double *x = s->x, *r = s->r, sum_rr = 0, sum_rz = 0;

#pragma omp target teams distribute parallel for reduction (+: sum_rr, sum_rz)
  for (int i = 0; i < n; i++)
    {
      double res = r[i] - alpha * q[i];
      x[i] += alpha * p[i];
      r[i] = res;
      sum_rr += res * res;
      sum_rz += res * res * inverse[i];
    }
  *rr = sum_rr;
  *rz = sum_rz;
}

/* p = r / diagonal + beta p  */
static void
turn (const struct problem *s, double beta)
{
  int n = s->n;
  const double *r = s->r, *inverse = s->inverse;
  double *p = s->p;

#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    p[i] = r[i] * inverse[i] + beta * p[i];
}

/* Start at x = 0, where the residual is b; answers as step does.  */
static void
start (const struct problem *s, double *rr, double *rz)
{
  int n = s->n;
  const double *b = s->b, *inverse = s->inverse;
  double *x = s->x, *r = s->r, *p = s->p, sum_rr = 0, sum_rz = 0;

#pragma omp target teams distribute parallel for reduction (+: sum_rr, sum_rz)
  for (int i = 0; i < n; i++)
    {
      x[i] = 0;
      r[i] = b[i];
      p[i] = b[i] * inverse[i];
      sum_rr += b[i] * b[i];
      sum_rz += b[i] * b[i] * inverse[i];
    }
  *rr = sum_rr;
  *rz = sum_rz;
}

/* Solve A x = b on the device; answers the number of iterations.  */
static int
solve (const struct problem *s)
{
  int k, limit = s->n < 200 ? 2000 : 10 * s->n;
  double rr, rz, bb;

  start (s, &rr, &rz);
  bb = rr;
  for (k = 0; rr > TOLERANCE * TOLERANCE * bb; k++)
    {
      double pq = multiply (s), old = rz;
      if (k == limit)
	example_wrong ("no convergence after %d iterations, residual %g", k, sqrt (rr / bb));
      if (!(pq > 0))
	example_wrong ("the matrix is not positive definite: p.Ap = %g", pq);
      step (s, rz / pq, &rr, &rz);
      turn (s, rz / old);
    }
  return k;
}

/* The two solutions to be found, at row I of N.  */
static double
known_solution (int which, int i, int n)
{
  double t = (i + 0.5) / n;
  return which == 0 ? 1 + t * (1 - t) : sin (20 * t) - 3 * t;
}

/* |y - x| / |x| */
static double
distance (int n, const double *y, const double *x)
{
  double diff = 0, norm = 0;
  for (int i = 0; i < n; i++)
    {
      diff += (y[i] - x[i]) * (y[i] - x[i]);
      norm += x[i] * x[i];
    }
  return sqrt (diff / norm);
}

static void
invert_diagonal (const struct csr *a, double *inverse)
{
  for (int i = 0; i < a->n; i++)
    for (int k = a->row[i]; k < a->row[i + 1]; k++)
      if (a->col[k] == i)
	inverse[i] = a->val[k];
  for (int i = 0; i < a->n; i++)
    {
      if (!(inverse[i] > 0))
	example_wrong ("row %d: the diagonal is %g: not positive definite", i + 1, inverse[i]);
      inverse[i] = 1 / inverse[i];
    }
}

int
main (int argc, char **argv)
{
  const char *file = argc > 1 ? argv[1] : "data/diffusion.mtx";
  struct csr a;
  char error[300];

  if (argc > 2)
    example_wrong ("usage: cg [FILE.mtx]");
  if (!csr_read (file, &a, error, sizeof error))
    example_wrong ("%s", error);
  printf ("cg: %s: %d rows, %d entries\n", file, a.n, a.entries);

  int n = a.n, entries = a.entries, iterations[2];
  const int *row = a.row, *col = a.col;
  const double *val = a.val;
  double *b = example_alloc (n, sizeof *b), *known = example_alloc (n, sizeof *known);
  double *x = example_alloc (n, sizeof *x), *check = example_alloc (n, sizeof *check);
  double *r = example_alloc (n, sizeof *r), *inverse = example_alloc (n, sizeof *inverse);
  double *p = example_alloc (n, sizeof *p), *q = example_alloc (n, sizeof *q);
  double worst_residual = 0, worst_error = 0, seconds = 0;
  const struct problem s = { n, row, col, val, inverse, b, x, r, p, q };

  invert_diagonal (&a, inverse);

#pragma omp target data map (to: row[0:n + 1], col[0:entries], val[0:entries], inverse[0:n]) \
			map (alloc: b[0:n], x[0:n], r[0:n], p[0:n], q[0:n])
  for (int which = 0; which < 2; which++)
    {
      double residual, err, begin;

      for (int i = 0; i < n; i++)
	known[i] = known_solution (which, i, n);
      csr_multiply (&a, known, b);

      begin = omp_get_wtime ();
#pragma omp target update to (b[0:n])
      iterations[which] = solve (&s);
#pragma omp target update from (x[0:n])
      seconds += omp_get_wtime () - begin;

      csr_multiply (&a, x, check);
      residual = distance (n, check, b);
      err = distance (n, x, known);
      printf ("cg: system %d: %d iterations, residual %.2e, error %.2e\n",
	      which + 1, iterations[which], residual, err);
      worst_residual = fmax (worst_residual, residual);
      worst_error = fmax (worst_error, err);
    }

  /* The solver's r drifts away from b - A x by rounding alone.  The error may exceed the residual
     by the condition number; for data/diffusion.mtx it is some ten times larger.  */
  if (!(worst_residual < 10 * TOLERANCE))
    example_wrong ("the residual is %g", worst_residual);
  if (!(worst_error < 1e5 * TOLERANCE))
    example_wrong ("the solution is off by %g", worst_error);
  example_right (seconds, "%d + %d iterations, residual %.1e, error %.1e",
		 iterations[0], iterations[1], worst_residual, worst_error);

  csr_free (&a);
  free (b);
  free (known);
  free (x);
  free (check);
  free (r);
  free (inverse);
  free (p);
  free (q);
  return 0;
}
