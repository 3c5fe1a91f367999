/* gompx.h: regions write to files and standard streams of the host and have memory from it.
   TEST-MODES: host cpu gpu
   TEST-GPU: mingcc=13 ours
   TEST-OPTIONS: -I@top_srcdir@/include
   TEST-OUTPUT: to the output
   TEST-OUTPUT: to the errors  */

#include <stdio.h>
#include <stdlib.h>
#include "gompx.h"

#if __GNUC__ >= 13
# pragma omp requires reverse_offload	/* so that GPUs have somebody to call */
#endif

enum { LONG = 5000, THREADS = 4, LINES = 25 };

#pragma omp declare target

static void
fill (char *line, int thread)
{
  for (int i = 0; i < 20; i++)
    line[i] = 'a' + thread;
  line[20] = '\n';
}

#pragma omp end declare target

int
main (void)
{
  static char text[LONG];
  char name[] = "written", nowhere[] = "no/such/directory";
  int failures = 0, threads = 0;

  for (int i = 0; i < LONG; i++)
    text[i] = i % 80 == 79 ? '\n' : '0' + i % 10;
#pragma omp target map (to: text, name, nowhere) map (tofrom: failures, threads)
  {
    gompx_file f = gompx_open (name, "w");
    if (f < 3 || gompx_open (nowhere, "w") != -1)
      failures |= 1;
    if (gompx_write (f, text, LONG) != LONG || gompx_write (f, text, 0) != 0)
      failures |= 2;
    if (gompx_close (f) != 0 || gompx_close (f) != -1 || gompx_write (f, text, 3) != -1
	|| gompx_close (1) != -1)
      failures |= 4;
    f = gompx_open (name, "a");
    int bad = 0;
#pragma omp parallel num_threads (THREADS) reduction (+: bad, threads)
    {
      char line[21];
      fill (line, threads);
      threads++;
      for (int i = 0; i < LINES; i++)
	bad += gompx_write (f, line, sizeof (line)) != sizeof (line);
    }
    if (bad || gompx_close (f) != 0)
      failures |= 8;
    if (gompx_puts (1, "to the output\n") != 14 || gompx_puts (2, "to the errors\n") != 14)
      failures |= 16;

    char *memory[3];
    for (int i = 0; i < 3; i++)
      {
	memory[i] = (char *) gompx_alloc (i == 2 ? 4 << 20 : 100);
	if (memory[i] == NULL)
	  failures |= 32;
	else
	  memset (memory[i], i + 1, 100);
      }
    for (int i = 0; i < 3; i++)
      {
	if (memory[i] != NULL && (memory[i][0] != i + 1 || memory[i][99] != i + 1))
	  failures |= 64;
	gompx_free (memory[i]);
      }
    gompx_free (NULL);
    /* What is not there is not freed.  */
    gompx_free (&failures);
    if (gompx_alloc ((size_t) -1) != NULL)
      failures |= 128;
  }

  FILE *f = fopen (name, "r");
  static char read[LONG + THREADS * LINES * 21 + 1];
  size_t size = f != NULL ? fread (read, 1, sizeof (read), f) : 0;
  if (size != LONG + (size_t) threads * LINES * 21 || memcmp (read, text, LONG) != 0)
    return printf ("failures %d, %zu bytes, %d threads\n", failures, size, threads), 1;
  /* Lines are whole.  */
  for (size_t i = LONG; i < size; i++)
    if (read[i] != ((i - LONG) % 21 == 20 ? '\n' : 'a'))
      return printf ("byte %zu is damaged\n", i), 1;
  fclose (f);
  remove (name);
  if (failures)
    printf ("failures %d\n", failures);
  return failures != 0;
}
