/* Pointers to structs that hold pointers: lists, trees of enter data, arrays of structs, several
   members at once, members that come and go.
   MINGCC: 14
   TEST-MODES: host cpu gpu */
#include <omp.h>
#include <stdlib.h>
#include "aux-check.h"

struct cell { int value; struct cell *next; };
struct column { long n; double *v; char name[8]; };
struct frame { int columns; struct column *column; struct { int *index; int n; } key; };

static struct cell *
make_list (int n)
{
  struct cell *first = NULL;
  while (n-- > 0)
    {
      struct cell *c = malloc (sizeof (*c));
      *c = (struct cell) { n, first };
      first = c;
    }
  return first;
}

static void
lists (void)
{
  struct cell *first = make_list (10), *c;
  int sum = 0;

  #pragma omp target enter data map(to: first[0:1])
  for (c = first; c->next != NULL; c = c->next)
    {
      struct cell *p = c;
      #pragma omp target enter data map(to: p->next[0:1])
    }
  #pragma omp target map(tofrom: sum)
  for (struct cell *p = first; p != NULL; p = p->next)
    {
      sum += p->value;
      p->value *= 2;
    }
  CHECK_EQUAL (sum, 45);
  /* As it was entered, from the end.  */
  for (int i = 8; i >= 0; i--)
    {
      struct cell *p = first;
      for (int j = 0; j < i; j++)
	p = p->next;
      struct cell *next = p->next;
      #pragma omp target exit data map(from: p->next[0:1])
      CHECK_EQUAL (p->next == next, 1);
      sum += p->next->value;
      free (next);
      p->next = NULL;
    }
  #pragma omp target exit data map(from: first[0:1])
  sum += first->value;
  free (first);
  CHECK_EQUAL (sum, 45 + 90);
}

static void
frames (void)
{
  struct frame f = { .columns = 3 };
  double total = 0;
  int index[4] = { 3, 1, 2, 0 };

  f.column = calloc (f.columns, sizeof (*f.column));
  f.key.index = index;
  f.key.n = 4;
  for (int i = 0; i < f.columns; i++)
    {
      f.column[i].n = 4;
      f.column[i].v = malloc (4 * sizeof (double));
      for (int j = 0; j < 4; j++)
	f.column[i].v[j] = 10 * i + j;
    }
  #pragma omp target enter data map(to: f, f.column[0:f.columns], f.key.index[0:f.key.n])
  for (int i = 0; i < f.columns; i++)
    {
      #pragma omp target enter data map(to: f.column[i].v[0:f.column[i].n])
    }
  #pragma omp target map(tofrom: total)
  for (int i = 0; i < f.columns; i++)
    {
      for (int j = 0; j < f.key.n; j++)
	total += f.column[i].v[f.key.index[j]] * (j + 1);
      f.column[i].v[1] += 0.5;
    }
  double expected = 0;
  for (int i = 0; i < f.columns; i++)
    for (int j = 0; j < 4; j++)
      expected += (10 * i + index[j]) * (j + 1);
  CHECK_EQUAL (total == expected, 1);
  /* Whole structs do not overwrite attached pointers, in either direction.  */
  f.column[1].name[0] = 'x';
  #pragma omp target update to(f.column[0:f.columns])
  int c = 0;
  #pragma omp target map(from: c)
  c = f.column[1].name[0] + (int) f.column[2].v[3];
  CHECK_EQUAL (c, 'x' + 23);
  #pragma omp target update from(f, f.column[0:f.columns])
  CHECK_EQUAL (f.key.index == index, 1);
  for (int i = 0; i < f.columns; i++)
    {
      double *v = f.column[i].v;
      #pragma omp target exit data map(from: f.column[i].v[0:f.column[i].n])
      CHECK_EQUAL (f.column[i].v == v && v[1] == 10 * i + 1.5, 1);
      free (v);
    }
  #pragma omp target exit data map(release: f.column[0:f.columns], f.key.index[0:f.key.n], f)
  if (omp_get_num_devices () > 0)
    CHECK_EQUAL (omp_target_is_present (&f, 0) + omp_target_is_present (f.column, 0), 0);
  free (f.column);
}

static void
members (void)
{
  int a[3] = { 1, 2, 3 }, b[3] = { 4, 5, 6 }, n = 3, r = 0;
  struct { int before, *p, between, *q; char rest[40]; } s = { 1, a, 2, b, "" }, *t = &s;

  #pragma omp target map(tofrom: s.before, s.p[0:n], s.q[1:2]) map(from: r)
  {
    r = s.p[2] + s.q[1] + s.before;
    s.p[0] = 10;
    s.q[2] = 60;
    s.before = 100;
  }
  CHECK_EQUAL (r, 9);
  CHECK_EQUAL (a[0] + b[2] + s.before, 170);
  CHECK_EQUAL (s.p == a && s.q == b, 1);
  #pragma omp target data map(tofrom: t->p[:n], t->q[:n])
  {
    #pragma omp target map(tofrom: t->p[:n], t->q[:n]) map(from: r)
    r = t->p[0]++ + t->q[2]++;
  }
  CHECK_EQUAL (r, 70);
  CHECK_EQUAL (a[0] + b[2], 72);
  /* Nothing behind one of them.  */
  s.q = NULL;
  #pragma omp target map(tofrom: t->p[:n], t->q[:0]) map(from: r)
  r = t->p[1];
  CHECK_EQUAL (r, 2);
}

static void
elements (void)
{
  struct { int a, b; } v[10] = { { 0, 0 } };
  int i = 7, j = 2, k = 4;

  #pragma omp target map(tofrom: v[i].a, v[j].b, v[k].a)
  {
    v[i].a = 7;
    v[j].b = 2;
    v[k].a = 4;
  }
  CHECK_EQUAL (v[7].a * 100 + v[4].a * 10 + v[2].b, 742);
  CHECK_EQUAL (v[7].b + v[4].b + v[2].a, 0);
}

int
main (void)
{
  lists ();
  frames ();
  members ();
  elements ();
  return failures != 0;
}
