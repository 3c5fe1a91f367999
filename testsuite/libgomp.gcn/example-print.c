/* Examples of the interface's description, 8: the C library on the device.
   TEST-OUTPUT: ^hello 1 x{50}def 3\.250000 75bcd15 z$
   TEST-OUTPUT: ^plain$  */
#include "aux-gcn.h"

int
main (void)
{
  char buf[64] = "abc";
  double d = 3.25;
  int r = 1;

#pragma omp target map (tofrom: buf, d, r)
  {
    char *p = malloc (100);
    memset (p, 'x', 50);
    p[50] = 0;
    strcpy (buf, p);
    strcat (buf, "def");
    printf ("hello %d %s %f %lx %c\n", r, buf, d, 123456789L, 'z');
    puts ("plain");
    char *q = malloc (200);
    memcpy (q, p, 60);
    memmove (q + 1, q, 40);
    r = strlen (q) + strcmp (p, q) + memcmp (p, q, 10);
    snprintf (buf, sizeof buf, "%5.2f|%-8s|%08d", d, "q", r);
    q = realloc (q, 400);
    free (q);
    free (p);
    qsort (buf, 5, 1, (int (*) (const void *, const void *)) strcmp);
  }
  CHECK_EQUAL (r, 50);
  CHECK_EQUAL (strcmp (buf, " .235|q       |00000050"), 0);
  if (failures != 0)
    printf ("`%s'\n", buf);
#pragma omp target map (to: r)
  {
    if (r == 12345)
      exit (3);
    if (r == 54321)
      abort ();
  }
  return failures != 0;
}
