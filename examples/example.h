/* example.h -- the verdict of an example.

   Every example ends in one of two lines, which the demo and the tests look for:
     NAME: right: WHAT WAS FOUND (0.123 s, 2 devices)      exit status 0
     NAME: WRONG: WHY                                      exit status 1
   A program defines EXAMPLE, its name, before it includes this.  */

#ifndef EXAMPLE_H
#define EXAMPLE_H 1

#include <omp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* The program cannot go on, or found something that must not be.  */
static inline void __attribute__ ((format (printf, 1, 2), noreturn))
example_wrong (const char *fmt, ...)
{
  va_list ap;
  fflush (stdout);
  fprintf (stderr, EXAMPLE ": WRONG: ");
  va_start (ap, fmt);
  vfprintf (stderr, fmt, ap);
  va_end (ap);
  fputc ('\n', stderr);
  exit (1);
}

/* Last line of a program whose checks have all passed; the work took SECONDS.  */
static inline void __attribute__ ((format (printf, 2, 3)))
example_right (double seconds, const char *fmt, ...)
{
  va_list ap;
  int devices = omp_get_num_devices ();
  printf (EXAMPLE ": right: ");
  va_start (ap, fmt);
  vprintf (fmt, ap);
  va_end (ap);
  printf (" (%.3f s, %d device%s)\n", seconds, devices, devices == 1 ? "" : "s");
  if (fflush (stdout) != 0)
    example_wrong ("cannot write to standard output");
}

/* Memory for N objects of SIZE bytes, cleared.  */
static inline void * __attribute__ ((malloc, returns_nonnull))
example_alloc (size_t n, size_t size)
{
  void *p = calloc (n > 0 ? n : 1, size);
  if (!p)
    example_wrong ("no memory for %zu objects of %zu bytes", n, size);
  return p;
}

#endif /* EXAMPLE_H */
