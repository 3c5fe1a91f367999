/* log.c -- code on the device writes a log file of the host.

   A search in which every thread that finds something writes a line at once (gompx_open, gompx_write,
   gompx_close): when the region dies, what it had found until then is in the file.  Lines are not
   mixed.  The region's last words go to the host's standard error (gompx_puts).  Where nobody serves there is
   no log, and the program says so.  */

#define EXAMPLE "log"
#include "example.h"

#include <string.h>

#if __GNUC__ >= 13
# pragma omp requires reverse_offload	/* so that GPUs have somebody to call */
#endif
#include "../include/gompx.h"		/* <gompx.h> where gompx is installed */

enum { FIRST = 1000000, NUMBERS = 2000 };

#pragma omp declare target

static int
is_prime (int n)
{
  for (int d = 2; d * d <= n; d++)
    if (n % d == 0)
      return 0;
  return n > 1;
}

/* "prime N\n"; its length.  */
static int
format_line (char *line, int n)
{
  char digits[12];
  int num = 0, at = 0;
  const char *word = "prime ";
  while (*word != '\0')
    line[at++] = *word++;
  do
    digits[num++] = '0' + n % 10;
  while ((n /= 10) != 0);
  while (num > 0)
    line[at++] = digits[--num];
  line[at++] = '\n';
  return at;
}

#pragma omp end declare target

/* Lines of the log that are right; -1: one is not.  */
static int
read_log (const char *name)
{
  FILE *f = fopen (name, "r");
  int lines = 0, n;
  char end;
  if (f == NULL)
    return -1;
  while (fscanf (f, "prime %d%c", &n, &end) == 2)
    {
      if (end != '\n' || n < FIRST || n >= FIRST + NUMBERS || !is_prime (n))
	lines = -NUMBERS;
      lines++;
    }
  if (!feof (f))
    lines = -1;
  fclose (f);
  return lines < 0 ? -1 : lines;
}

int
main (void)
{
  char name[] = "primes.log";
  double begin = omp_get_wtime ();
  int found = 0, expected = 0, written = 0, opened = 0;

#pragma omp target map (to: name) map (tofrom: found, written, opened)
  {
    gompx_file log = gompx_open (name, "w");
    opened = log != -1;
#pragma omp parallel for schedule (dynamic, 16)
    for (int n = FIRST; n < FIRST + NUMBERS; n++)
      if (is_prime (n))
	{
	  char line[32];
	  int size = format_line (line, n);
#pragma omp atomic
	  found++;
	  if (gompx_write (log, line, size) == size)
#pragma omp atomic
	    written++;
	}
    if (opened)
      {
	gompx_close (log);
	gompx_puts (2, "log: the region is at its end\n");
      }
  }

  for (int n = FIRST; n < FIRST + NUMBERS; n++)
    expected += is_prime (n);
  if (found != expected)
    example_wrong ("%d primes instead of %d", found, expected);
  if (opened && (written != expected || read_log (name) != expected))
    example_wrong ("%d of %d lines were written, %d are in the log", written, expected, read_log (name));
  example_right (omp_get_wtime () - begin, "%d primes, %d lines in the log", found,
		 opened ? written : 0);
  return 0;
}
