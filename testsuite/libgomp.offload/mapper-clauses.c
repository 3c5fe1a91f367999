/* User-defined mappers: default and named ones, implicit use, nested mappers, one for each object.
   MINGCC: 16
   TEST-MODES: host cpu gpu */
#include <stdlib.h>
#include "aux-check.h"

typedef struct { int n, unused[100]; int *p; } vec;
#pragma omp declare mapper (vec v) map(v.n) map(v.p, v.p[0:v.n])
#pragma omp declare mapper (half : vec v) map(v.n) map(v.p, v.p[0:v.n / 2])
typedef struct { vec first, second; double scale; } two;
#pragma omp declare mapper (two t) map(t.first, t.second, t.scale)

static vec
make (int n)
{
  vec v = { .n = n, .p = malloc (n * sizeof (int)) };
  for (int i = 0; i < n; i++)
    v.p[i] = i;
  return v;
}

int
main (void)
{
  vec v = make (10), w = make (4);
  int *p = v.p, r = 0;

  #pragma omp target map(tofrom: v) map(from: r)
  {
    r = 0;
    for (int i = 0; i < v.n; i++)
      r += v.p[i];
    v.p[9] = 99;
  }
  CHECK_EQUAL (r, 45);
  CHECK_EQUAL (v.p[9], 99);
  CHECK_EQUAL (v.p == p, 1);

  /* By implicit mapping; and two objects at once.  */
  #pragma omp target map(from: r)
  {
    r = v.p[2] + w.p[3];
    v.p[2] = 20;
    w.p[3] = 30;
  }
  CHECK_EQUAL (r, 5);
  CHECK_EQUAL (v.p[2] + w.p[3], 50);

  #pragma omp target map(mapper(half), tofrom: v) map(from: r)
  {
    r = v.p[4];
    v.p[4] = 40;
  }
  CHECK_EQUAL (r, 4);
  CHECK_EQUAL (v.p[4], 40);
  CHECK_EQUAL (v.p[5], 5);

  /* Pointers to such objects, one element.  */
  vec *q = &w;
  #pragma omp target map(tofrom: q[0:1]) map(from: r)
  {
    r = q->p[1];
    q->p[1] = 11;
  }
  CHECK_EQUAL (r, 1);
  CHECK_EQUAL (w.p[1], 11);

  /* What the mapper maps is present already.  */
  #pragma omp target data map(tofrom: p[0:10])
  {
    #pragma omp target map(tofrom: v)
    v.p[1] = 111;
  }
  CHECK_EQUAL (p[1], 111);
  /* A mapper that uses another one.  */
  two t = { make (3), make (5), 0.5 };
  #pragma omp target map(tofrom: t) map(from: r)
  {
    r = t.first.p[2] + t.second.p[4];
    t.first.p[2] = 200;
    t.second.p[4] = 400;
    t.scale *= 4;
  }
  CHECK_EQUAL (r, 6);
  CHECK_EQUAL (t.first.p[2] + t.second.p[4], 600);
  CHECK_EQUAL (t.scale, 2);
  free (t.first.p);
  free (t.second.p);
  free (v.p);
  free (w.p);
  return failures != 0;
}
