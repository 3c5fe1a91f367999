/* aux-nests.c -- a generator of programs with random loops over rows, for lanes-nest.sh.

     aux-nests SEED NUM

   prints a C program with NUM parallel loops, each with a sequential loop in it that writes arrays;
   iterations of that may depend on each other in any way, rows do not.  The program runs each loop
   on the device and on the host, with some numbers of rows and columns, and prints what differs.

   Invariants
   1. No undefined behaviour: whole numbers have no sign; a row's indices are below 2 m + 8, which
      is its length, but in E, of which it has a column.
   2. Words of the arguments lead to different arrays.  */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long long state;

static unsigned
below (unsigned n)
{
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned) (state >> 33) % n;
}

#define PICK(...) \
  ((const char *[]) { __VA_ARGS__ }) \
    [below (sizeof ((const char *[]) { __VA_ARGS__ }) / sizeof (char *))]

/* A number made of row I, column J and, if MORE, what passes from iteration to iteration.  */
static const char *
value (int more)
{
  return more && below (6) == 0
	     ? PICK ("r", "c[i * w + j]", "c[i * w]", "d[i * w + j + 1]", "c[i * w + j + 2]")
	     : PICK ("a[i * m + j]", "b[j]", "i * 3 + j", "a[j * 2]", "a[(i * m + j) ^ 1] * b[i]",
		     "(j & 3) * i", "a[(j + i) % 31]", "(j > 2 ? b[j - 2] : 7)");
}

static void
store (const char *array)
{
  if (below (4) == 0)
    printf ("\tif (t %% %u)\n  ", 2 + below (3));
  if (below (12) == 0)
    {
      printf ("\te[j * n + i] = t;\n");
      return;
    }
  printf ("\t%s[", array);
  switch (below (11))
    {
    case 0:
      printf ("i * w + 2 * j] = t;\n\t%s[i * w + 2 * j + %u] = t + 1;\n", array, 1 + below (2));
      break;
    case 1:
      printf ("i * w + m + 3 - j] = t;\n");
      break;
    case 2:
      printf ("i * w + j + %u] += t;\n", below (2));
      break;
    case 3:
      printf ("i * w + (j & 7)] %s t;\n", PICK ("=", "^="));
      break;
    case 4:
      printf ("i * w + j + %u] = %s[i * w + j + %u] + t;\n", below (3), array, below (3));
      break;
    case 5:
      printf ("i * w + j * %u / 2] = t;\n", 2 + below (2));
      break;
    default:
      printf ("i * w + j] = t;\n");
      break;
    }
}

/* The loop over J, whose number is like that of TYPE.  */
static void
columns (const char *type, int carried)
{
  const char *bound = PICK ("m", "m", "m", "m - 1", "m / 2", "(m > 3 ? m - (i & 3) : m)",
			    "(b[i] & 15) % (m + 1)");

  switch (below (8))
    {
    case 0:
      printf ("      for (%s j = %s; j > 0; j--)\n", type, bound);
      break;
    case 1:
      printf ("      for (%s j = %u; j < %s; j += %u)\n", type, below (3), bound, 2 + below (2));
      break;
    case 2:
      printf ("      for (%s j = i & 1; j < %s; j++)\n", type, bound);
      break;
    default:
      printf ("      for (%s j = %u; j < %s; j++)\n", type, below (3), bound);
      break;
    }
  printf ("      {\n\tunsigned t = %s %s %s;\n", value (carried), PICK ("+", "^", "*"),
	  value (carried));
  switch (below (6))
    {
    case 0:
      printf ("\tfor (unsigned k = 0; k < %s; k++)\n\t  t += a[k * %s] * %s;\n",
	      PICK ("5", "m", "j"), PICK ("m", "2", "1"), PICK ("b[k]", "k", "j"));
      break;
    case 1:
      printf ("\twhile (t %% 7 && t %% 13)\n\t  t = t * 5 + %s;\n", PICK ("1", "j", "b[j]"));
      break;
    case 2:
      printf ("\tif (%s %% 3)\n\t  t ^= %s;\n", value (0), value (carried));
      break;
    default:
      break;
    }
  if (carried && below (5) == 0)
    printf ("\tr = r * 3 + t;\n");
  store ("c");
  if (below (4) == 0)
    store (PICK ("c", "d", "d"));
  if (below (12) == 0)
    printf ("\tif (t %% 29 == 1)\n\t  break;\n");
  printf ("      }\n");
}

static void
function (unsigned number)
{
  int carried = below (3) == 0;
  const char *type = PICK ("int", "int", "unsigned", "long", "size_t");

  printf ("static void __attribute__ ((noinline))\nf%u (unsigned *c, unsigned *d, unsigned *e, "
	  "const unsigned *a, const unsigned *b, "
	  "int n, int m)\n{\n  int w = 2 * m + 8;\n"
	  "#pragma omp target teams distribute parallel for if (target: !on_host) \\\n"
	  "  map (tofrom: c[:SIZE], d[:SIZE], e[:SIZE]) map (to: a[:SIZE], b[:SIZE])%s\n"
	  "  for (%s i = 0; i < n; i++)\n    {\n      unsigned r = b[i];\n",
	  number, PICK ("", "", " num_teams (2)", " thread_limit (96)"), type);
  if (below (5) == 0)
    printf ("      if (b[i] %% 5)\n");
  if (below (4) == 0)
    printf ("      for (%s y = 0; y < %s; y++)\n", type, PICK ("3", "(b[i] & 3)"));
  columns (type, carried);
  if (below (8) == 0)
    columns (type, carried);
  printf ("      %s;\n    }\n}\n\n", below (6) == 0 ? "d[i * w] += r" : "(void) r");
}

int
main (int argc, char **argv)
{
  unsigned num = argc > 2 ? (unsigned) atoi (argv[2]) : 10;

  state = argc > 1 ? strtoull (argv[1], NULL, 0) * 7919 + 1 : 1;
  printf ("#include <stdio.h>\n#include <string.h>\n#define SIZE 4000\n"
	  "static unsigned a[SIZE], b[SIZE], c[2][SIZE], d[2][SIZE], e[2][SIZE];\nstatic int "
	  "on_host, bad;\n\n");
  for (unsigned i = 0; i < num; i++)
    function (i);
  printf ("int\nmain (void)\n{\n  static const int shapes[][2] = { { 23, 31 }, { 1, 40 }, { 2, 1 "
	  "}, { 7, 5 }, { 3, 2 } };\n"
	  "  for (int i = 0; i < SIZE; i++)\n    {\n      a[i] = i * 2654435761u >> 7;\n      b[i] "
	  "= i * 40503u >> 3;\n    }\n"
	  "  for (int k = 0; k < 5; k++)\n    {\n      int n = shapes[k][0], m = shapes[k][1];\n");
  for (unsigned i = 0; i < num; i++)
    printf ("      for (int h = 0; h < 2; h++)\n\t{\n\t  for (int q = 0; q < SIZE; q++)\n\t    "
	    "c[h][q] = d[h][q] = e[h][q] = q %% 77;\n"
	    "\t  on_host = h;\n\t  f%u (c[h], d[h], e[h], a, b, n, m);\n\t}\n"
	    "      if (memcmp (c[0], c[1], sizeof (c[0])) || memcmp (d[0], d[1], sizeof (d[0]))\n"
	    "\t  || memcmp (e[0], e[1], sizeof (e[0])))\n"
	    "\tbad = 1, printf (\"f%u, %%d rows of %%d\\n\", n, m);\n",
	    i, i);
  printf ("    }\n  return bad;\n}\n");
  return 0;
}
