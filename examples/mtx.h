/* mtx.h -- sparse matrices, read from Matrix Market files.  */

#ifndef MTX_H
#define MTX_H 1

#include <stdbool.h>
#include <stddef.h>

/* A square matrix by compressed rows: the entries of row i are at row[i] .. row[i + 1] - 1
   of col and val, columns ascending and counted from 0.  A symmetric file is expanded, so
   both triangles are here.  */
struct csr
{
  int n;
  int entries;
  int *row;
  int *col;
  double *val;
};

/* Read the Matrix Market file NAME: coordinate format; real, integer or pattern; general or
   symmetric; square.  False: *A is untouched, and ERROR (SIZE bytes) says what is wrong with
   the file and in which line.  */
bool csr_read (const char *name, struct csr *a, char *error, size_t size);
void csr_free (struct csr *);

/* y = A x, by the host alone: the examples check their results with it.  */
void csr_multiply (const struct csr *, const double *x, double *y);

#endif /* MTX_H */
