/* mtx.c -- reads a Matrix Market file into compressed rows.

   Nothing in a file is believed: the header, the counts, every index and every number are
   checked, memory grows with what was really read and never with what the file promises, and
   whatever is wrong is reported with its line.  Not here: arrays (dense files), complex
   numbers, skew-symmetric and hermitian matrices.  */

#define _GNU_SOURCE
#include "mtx.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Rows and entries are counted by int; a symmetric entry may become two.  */
#define MAX_ENTRIES (INT_MAX / 2)

struct entry
{
  int row, col;
  double val;
};

struct reader
{
  FILE *file;
  const char *name;
  char *line;			/* of getline */
  size_t room;
  long number;			/* of the line, from 1 */
  char *error;
  size_t error_size;
};

static bool __attribute__ ((format (printf, 2, 3)))
reject (struct reader *in, const char *fmt, ...)
{
  va_list ap;
  int used = snprintf (in->error, in->error_size, "%s:%ld: ", in->name, in->number);
  if (used > 0 && (size_t) used < in->error_size)
    {
      va_start (ap, fmt);
      vsnprintf (in->error + used, in->error_size - used, fmt, ap);
      va_end (ap);
    }
  return false;
}

static char *
skip_space (char *s)
{
  while (isspace ((unsigned char) *s))
    s++;
  return s;
}

/* Go to the next line that has something in it and is no comment; NULL at the end.  */
static char *
next_line (struct reader *in)
{
  while (getline (&in->line, &in->room, in->file) >= 0)
    {
      char *s = skip_space (in->line);
      in->number++;
      if (*s != '\0' && *s != '%')
	return s;
    }
  return NULL;
}

/* Take a whole number from *S and move *S behind it.  */
static bool
take_int (char **s, long long *value)
{
  char *end;
  errno = 0;
  *value = strtoll (*s, &end, 10);
  if (end == *s || errno != 0 || (*end != '\0' && !isspace ((unsigned char) *end)))
    return false;
  *s = skip_space (end);
  return true;
}

static bool
take_double (char **s, double *value)
{
  char *end;
  *value = strtod (*s, &end);
  if (end == *s || !isfinite (*value) || (*end != '\0' && !isspace ((unsigned char) *end)))
    return false;
  *s = skip_space (end);
  return true;
}

/* "%%MatrixMarket matrix coordinate real symmetric"  */
static bool
read_header (struct reader *in, bool *pattern, bool *symmetric)
{
  char object[32], format[32], field[32], symmetry[32];
  in->number = 1;
  if (getline (&in->line, &in->room, in->file) < 0)
    return reject (in, "the file is empty");
  if (strncasecmp (in->line, "%%MatrixMarket", 14) != 0
      || sscanf (in->line + 14, "%31s %31s %31s %31s", object, format, field, symmetry) != 4)
    return reject (in, "not a Matrix Market file: the first line must be "
		       "\"%%%%MatrixMarket matrix coordinate FIELD SYMMETRY\"");
  if (strcasecmp (object, "matrix") != 0)
    return reject (in, "the file holds a \"%s\", not a matrix", object);
  if (strcasecmp (format, "coordinate") != 0)
    return reject (in, "format \"%s\" is not supported, only \"coordinate\"", format);
  *pattern = strcasecmp (field, "pattern") == 0;
  if (!*pattern && strcasecmp (field, "real") != 0 && strcasecmp (field, "integer") != 0)
    return reject (in, "field \"%s\" is not supported, only real, integer and pattern", field);
  *symmetric = strcasecmp (symmetry, "symmetric") == 0;
  if (!*symmetric && strcasecmp (symmetry, "general") != 0)
    return reject (in, "symmetry \"%s\" is not supported, only general and symmetric", symmetry);
  return true;
}

/* The line "rows columns entries".  */
static bool
read_counts (struct reader *in, int *n, int *entries)
{
  long long rows, cols, count;
  char *s = next_line (in);
  if (!s)
    return reject (in, "the file ends before the line \"rows columns entries\"");
  if (!take_int (&s, &rows) || !take_int (&s, &cols) || !take_int (&s, &count) || *s != '\0')
    return reject (in, "expected \"rows columns entries\", three whole numbers");
  if (rows < 1 || rows != cols)
    return reject (in, "a square matrix is needed, this one is %lld x %lld", rows, cols);
  if (rows >= INT_MAX || count < 0 || count > MAX_ENTRIES)
    return reject (in, "%lld rows with %lld entries: more than this program can count, %d",
		   rows, count, MAX_ENTRIES);
  if (count / rows > rows)
    return reject (in, "%lld entries do not fit into %lld x %lld", count, rows, cols);
  *n = rows;
  *entries = count;
  return true;
}

/* The entries as the file has them, counted from 0.  */
static bool
read_entries (struct reader *in, int n, int count, bool pattern, bool symmetric,
	      struct entry **result)
{
  struct entry *list = NULL;
  int room = 0, used = 0;
  char *s;

  while ((s = next_line (in)) != NULL)
    {
      long long i, j;
      double value = 1;
      if (used == count)
	{
	  reject (in, "more entries than the %d announced", count);
	  goto failed;
	}
      if (!take_int (&s, &i) || !take_int (&s, &j) || (!pattern && !take_double (&s, &value))
	  || *s != '\0')
	{
	  reject (in, "expected \"row column%s\"", pattern ? "" : " value");
	  goto failed;
	}
      if (i < 1 || i > n || j < 1 || j > n)
	{
	  reject (in, "entry (%lld, %lld) lies outside the matrix, %d x %d", i, j, n, n);
	  goto failed;
	}
      if (symmetric && i < j)
	{
	  reject (in, "entry (%lld, %lld) is above the diagonal: a symmetric file holds the "
		      "lower triangle", i, j);
	  goto failed;
	}
      if (used == room)
	{
	  int more = room < 1024 ? 1024 : room > MAX_ENTRIES / 2 ? MAX_ENTRIES : 2 * room;
	  struct entry *grown = realloc (list, more * sizeof *list);
	  if (!grown)
	    {
	      reject (in, "no memory for %d entries", more);
	      goto failed;
	    }
	  list = grown;
	  room = more;
	}
      list[used++] = (struct entry) { i - 1, j - 1, value };
    }
  if (ferror (in->file))
    {
      reject (in, "cannot be read: %s", strerror (errno));
      goto failed;
    }
  if (used < count)
    {
      reject (in, "the file ends after %d of %d entries", used, count);
      goto failed;
    }
  *result = list;
  return true;

failed:
  free (list);
  return false;
}

static bool
allocate (struct csr *a, int n, int entries)
{
  a->n = n;
  a->entries = entries;
  a->row = calloc ((size_t) n + 1, sizeof *a->row);
  a->col = malloc (((size_t) entries + 1) * sizeof *a->col);
  a->val = malloc (((size_t) entries + 1) * sizeof *a->val);
  if (a->row && a->col && a->val)
    return true;
  csr_free (a);
  return false;
}

/* B = A transposed.  The columns of B come out sorted, whatever the order in A was: doing it
   twice sorts a matrix in linear time.  */
static bool
transpose (const struct csr *a, struct csr *b)
{
  int i, k;
  if (!allocate (b, a->n, a->entries))
    return false;
  for (k = 0; k < a->entries; k++)
    b->row[a->col[k] + 1]++;
  for (i = 0; i < a->n; i++)
    b->row[i + 1] += b->row[i];
  for (i = 0; i < a->n; i++)
    for (k = a->row[i]; k < a->row[i + 1]; k++)
      {
	int at = b->row[a->col[k]]++;
	b->col[at] = i;
	b->val[at] = a->val[k];
      }
  /* Each row's start has moved to the next one's.  */
  for (i = a->n; i > 0; i--)
    b->row[i] = b->row[i - 1];
  b->row[0] = 0;
  return true;
}

/* Compressed rows from COUNT entries; a symmetric one off the diagonal stands for two.  */
static bool
compress (struct reader *in, int n, const struct entry *list, int count, bool symmetric,
	  struct csr *result)
{
  struct csr loose = { 0 }, turned = { 0 };
  int i, k, total = count;
  bool ok;

  if (symmetric)
    for (k = 0; k < count; k++)
      total += list[k].row != list[k].col;
  if (!allocate (&loose, n, total))
    return reject (in, "no memory for %d entries", total);

  /* The rows of LOOSE are those of the file in any order: count, then fill from the end.  */
  for (k = 0; k < count; k++)
    {
      loose.row[list[k].row]++;
      if (symmetric && list[k].row != list[k].col)
	loose.row[list[k].col]++;
    }
  for (i = 1; i <= n; i++)
    loose.row[i] += loose.row[i - 1];
  for (k = 0; k < count; k++)
    {
      int at = --loose.row[list[k].row];
      loose.col[at] = list[k].col;
      loose.val[at] = list[k].val;
      if (symmetric && list[k].row != list[k].col)
	{
	  at = --loose.row[list[k].col];
	  loose.col[at] = list[k].row;
	  loose.val[at] = list[k].val;
	}
    }

  ok = transpose (&loose, &turned);
  csr_free (&loose);
  ok = ok && transpose (&turned, result);
  csr_free (&turned);
  if (!ok)
    return reject (in, "no memory for %d entries", total);

  for (i = 0; i < n; i++)
    for (k = result->row[i] + 1; k < result->row[i + 1]; k++)
      if (result->col[k] == result->col[k - 1])
	{
	  reject (in, "entry (%d, %d) is given twice", i + 1, result->col[k] + 1);
	  csr_free (result);
	  return false;
	}
  return true;
}

bool
csr_read (const char *name, struct csr *a, char *error, size_t size)
{
  struct reader in = { .name = name, .error = error, .error_size = size };
  struct entry *list = NULL;
  struct csr result;
  bool pattern = false, symmetric = false, ok;
  int n = 0, count = 0;

  in.file = fopen (name, "r");
  if (!in.file)
    {
      snprintf (error, size, "%s: %s", name, strerror (errno));
      return false;
    }
  ok = (read_header (&in, &pattern, &symmetric)
	&& read_counts (&in, &n, &count)
	&& read_entries (&in, n, count, pattern, symmetric, &list)
	&& compress (&in, n, list, count, symmetric, &result));
  if (ok)
    *a = result;
  free (list);
  free (in.line);
  fclose (in.file);
  return ok;
}

void
csr_free (struct csr *a)
{
  free (a->row);
  free (a->col);
  free (a->val);
  *a = (struct csr) { 0 };
}

void
csr_multiply (const struct csr *a, const double *x, double *y)
{
  int i, k;
  for (i = 0; i < a->n; i++)
    {
      double sum = 0;
      for (k = a->row[i]; k < a->row[i + 1]; k++)
	sum += a->val[k] * x[a->col[k]];
      y[i] = sum;
    }
}
