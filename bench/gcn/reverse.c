/* reverse.c -- calls of the host by one thread, for counts.sh: reverse WHICH N.  */

#include <stdlib.h>
#include <string.h>

#pragma omp requires reverse_offload

struct three
{
  char c[3];
};
struct twelve
{
  int i[3];
};
struct hundred
{
  int i[25];
};
struct large
{
  int i[100];
};

/* One item of TYPE, FIELD of which counts the calls.  */
#define COUNTED(WHICH, TYPE, FIELD, CLAUSE)				\
  case WHICH:								\
    {									\
      TYPE x;								\
      memset (&x, 0, sizeof x);						\
      _Pragma ("omp target map (to: n) map (tofrom: x)")		\
      for (int i = 0; i < n; i++)					\
	{								\
	  _Pragma (CLAUSE)						\
	  x FIELD++;							\
	}								\
      return x FIELD != n;						\
    }
#define ALWAYS "omp target device (ancestor: 1) map (always, tofrom: x)"

/* An aggregate of TYPE without a clause.  */
#define UNNAMED(WHICH, TYPE, LAST)					\
  case WHICH:								\
    _Pragma ("omp target map (to: n) map (tofrom: x)")			\
    for (int i = 0; i < n; i++)						\
      {									\
	TYPE local;							\
	local.i[LAST] = i;						\
	_Pragma ("omp target device (ancestor: 1)")			\
	local.i[LAST]++;						\
	x += local.i[LAST] == i + 1;					\
      }									\
    return x != n;

/* The same of other items.  */
static int
main_items (int which, int n)
{
  int x = 0;
  switch (which)
    {
    COUNTED (6, char, , ALWAYS)
    COUNTED (7, short, , ALWAYS)
    COUNTED (8, struct three, .c[2], ALWAYS)
    COUNTED (9, struct twelve, .i[2], ALWAYS)
    COUNTED (10, struct hundred, .i[24], ALWAYS)
    COUNTED (11, struct large, .i[99], ALWAYS)
    UNNAMED (12, struct hundred, 24)
    UNNAMED (13, struct large, 99)
    case 14:			/* two private copies */
#pragma omp target map (to: n)
      for (int i = 0; i < n; i++)
	{
	  int own = i, too = 1;
#pragma omp target device (ancestor: 1) firstprivate (own, too)
	  __asm__ volatile ("" : : "r" (own), "r" (too));
	}
      break;
    case 15:			/* an int back */
#pragma omp target map (to: n) map (tofrom: x)
      for (int i = 0; i < n; i++)
	{
	  int back;
#pragma omp target device (ancestor: 1) map (from: back)
	  back = 1;
	  x += back;
	}
      return x != n;
    case 16:			/* four ints both ways */
#pragma omp target map (to: n) map (tofrom: x)
      for (int i = 0; i < n; i++)
	{
	  int a = 0, b = 0, c = 1;
#pragma omp target device (ancestor: 1) map (always, tofrom: x) map (tofrom: a, b, c)
	  a = b = c = ++x;
	}
      return x != n;
    case 17:			/* eight of all kinds */
#pragma omp target map (to: n) map (tofrom: x)
      for (int i = 0; i < n; i++)
	{
	  int a = i, b = 1, c = 2, d = 3, e, f, own = 4;
#pragma omp target device (ancestor: 1) map (always, tofrom: x) map (to: a, b) map (from: e, f) map (tofrom: c, d) \
  firstprivate (own)
	  e = f = a + b, c = d = own, x++;
	  x += e + f - 2 * (i + 1) + c + d - 8;
	}
      return x != n;
    case 18:			/* two double both ways */
#pragma omp target map (to: n) map (tofrom: x)
      for (int i = 0; i < n; i++)
	{
	  double a = i, b = 1;
#pragma omp target device (ancestor: 1) map (tofrom: a, b)
	  a += b, b += a;
	  x += a == i + 1 && b == i + 2;
	}
      return x != n;
    case 19:			/* a char and a struct of 12 bytes both ways, a struct to the host */
#pragma omp target map (to: n) map (tofrom: x)
      for (int i = 0; i < n; i++)
	{
	  char c = 1;
	  struct twelve t = { { i, 1, 2 } };
	  struct three r = { { 1, 2, 3 } };
#pragma omp target device (ancestor: 1) map (tofrom: c, t) map (to: r)
	  c += r.c[2], t.i[0] += r.c[0] + t.i[2];
	  x += c == 4 && t.i[0] == i + 3 && t.i[1] == 1;
	}
      return x != n;
    }
  return 0;
}

int
main (int argc, char **argv)
{
  int which = argc > 1 ? atoi (argv[1]) : 0, n = argc > 2 ? atoi (argv[2]) : 1, x = 0, y = 0;
  switch (which)
    {
    case 0:			/* without data */
#pragma omp target map (to: n)
      for (int i = 0; i < n; i++)
	{
#pragma omp target device (ancestor: 1)
	  __asm__ volatile ("");
	}
      break;
    case 1:			/* an int both ways */
#pragma omp target map (to: n) map (tofrom: x)
      for (int i = 0; i < n; i++)
	{
#pragma omp target device (ancestor: 1) map (always, tofrom: x)
	  x++;
	}
      return x != n;
    case 2:			/* an int one way */
#pragma omp target map (to: n) map (tofrom: x)
      for (int i = 0; i < n; i++)
	{
#pragma omp target device (ancestor: 1) map (always, to: x)
	  __asm__ volatile ("" : : "r" (x));
	}
      break;
    case 3:			/* two of them both ways */
#pragma omp target map (to: n) map (tofrom: x, y)
      for (int i = 0; i < n; i++)
	{
#pragma omp target device (ancestor: 1) map (always, tofrom: x, y)
	  x++, y++;
	}
      return x != n || y != n;
    case 4:			/* one to the host, one back, one both ways, and a private copy */
#pragma omp target map (to: n) map (tofrom: x, y)
      for (int i = 0; i < n; i++)
	{
	  int there = i, back = 0, own = 1;
#pragma omp target device (ancestor: 1) map (to: there) map (from: back) map (always, tofrom: x) firstprivate (own)
	  back = there, x += own;
	  y += back == i;
	}
      return x != n || y != n;
    case 5:			/* eight of them both ways */
#pragma omp target map (to: n) map (tofrom: x)
      for (int i = 0; i < n; i++)
	{
	  int a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0;
#pragma omp target device (ancestor: 1) map (always, tofrom: x) map (tofrom: a, b, c, d, e, f, g)
	  x++, a++, b++, c++, d++, e++, f++, g++;
	  x += a + b + c + d + e + f + g - 7;
	}
      return x != n;
    default:
      return main_items (which, n);
    }
  return 0;
}
