/* What regions print: formats, and texts longer than a record of the ring.
EXPECT BOTH:
before
int 42 -7 4294967295 long 123456789012 hex 0xbeef char z text words percent %
float 3.250000 1e+10 0.1 inf | 2.50|left    |00000042
plain
a line of 300: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx.
after
END
*/
#include "aux-gcn.h"

int
main (void)
{
  int n = 42;
  printf ("before\n");
  fflush (stdout);
#pragma omp target firstprivate (n)
  {
    char line[301];
    double d = n * 1.0;
    printf ("int %d %d %u long %ld hex %#x char %c text %s percent %%\n", n, n - 49, 4294967253u + (unsigned) n,
	    123456788970L + n, 0xbec5u + (unsigned) n, 'z', "words");
    printf ("float %f %g %g %f |%5.2f|%-8s|%08d\n", d - 38.75, d * 1e10 / 42, d / 420, d * 1e308, d - 39.5, "left", n);
    puts ("plain");
    memset (line, 'x', 300);
    line[300] = 0;
    printf ("a line of %d: %s.\n", 300, line);
  }
  printf ("after\n");
  return 0;
}
