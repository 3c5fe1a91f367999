/* Pointer member of an unmapped struct on target data: only the pointee is mapped; with the struct mapped it is attached (GCC 12 itself crashes, code of GCC 13 maps nothing of the struct and reads it on the device).
   MINGCC: 14
   TEST-MODES: host cpu gpu
EXPECT BOTH:
5 12 1
16 23 1
END
   BOTH = host fallback and non-shared-memory device; DEV lines are derived from the OpenMP specification. */
#include <stdio.h>
#include <stdlib.h>
struct node { long tag; int *w; };
int main(void)
{
  struct node *t = malloc (sizeof *t); int len = 6, got = 0; int *keep = t->w = malloc (6 * sizeof (int));
  for (int k = 0; k < len; k++) keep[k] = k;
  t->tag = 11;
  #pragma omp target data map(tofrom: t->w[0:len])
  {
    #pragma omp target map(tofrom: t->w[0:len]) map(from: got)
    { got = t->w[5]; t->w[2] += 10; }
  }
  printf ("%d %d %d\n", got, keep[2], t->w == keep);
  #pragma omp target data map(tofrom: t[0:1])
  {
    #pragma omp target data map(tofrom: t->w[0:len])
    {
      #pragma omp target map(from: got)
      { got = t->w[5] + (int) t->tag; t->w[3] += 20; }
    }
  }
  printf ("%d %d %d\n", got, keep[3], t->w == keep);
  return 0;
}
