/* Entry points called directly, as compiled code would.  Expected: 04_gomp_direct.out */
#include <omp.h>
#include <stdio.h>
#include <stdint.h>
#include <stdbool.h>
#include <string.h>
extern void GOMP_parallel (void (*) (void *), void *, unsigned, unsigned);
extern void GOMP_parallel_start (void (*) (void *), void *, unsigned);
extern void GOMP_parallel_end (void);
extern bool GOMP_loop_start (long, long, long, long, long, long *, long *, uintptr_t *, void **);
extern bool GOMP_loop_static_start (long, long, long, long, long *, long *);
extern bool GOMP_loop_static_next (long *, long *);
extern bool GOMP_loop_dynamic_next (long *, long *);
extern void GOMP_loop_end (void);
extern void GOMP_loop_end_nowait (void);
extern void GOMP_parallel_loop_static (void (*) (void *), void *, unsigned, long, long, long, long, unsigned);
extern void GOMP_barrier (void);
extern void GOMP_task (void (*) (void *), void *, void (*) (void *, void *), long, long, bool, unsigned, void **, int, void *);
static int zeroed, same, ret, owner[10], cnt;
static void *first;
static void f1 (void *p)
{
  void *mem = (void *) (uintptr_t) 400;
  bool r = GOMP_loop_start (0, 1, 1, 0x80000001L, 0, NULL, NULL, NULL, &mem);
  int nz = 0;
  for (int i = 0; i < 400; i++) nz += ((unsigned char *) mem)[i] != 0;
  GOMP_barrier ();
#pragma omp critical
  {
    if (!first) first = mem;
    same += first == mem; zeroed += nz == 0; ret += r;
    if ((uintptr_t) mem & 7) printf ("misaligned\n");
  }
  ((volatile char *) mem)[omp_get_thread_num ()] = 1;
  GOMP_loop_end ();
  /* dynamic through the generic start, mem again (large) */
  long s, e;
  mem = (void *) (uintptr_t) 5000;
  if (GOMP_loop_start (0, 10, 1, 0x80000002L, 3, &s, &e, NULL, &mem))
    do
#pragma omp atomic
      cnt += e - s;
    while (GOMP_loop_dynamic_next (&s, &e));
  __atomic_store_n ((char *) mem + 4999, 1, __ATOMIC_RELAXED);
  GOMP_loop_end_nowait ();
}
static void f2 (void *p)
{
  long s, e;
  while (GOMP_loop_static_next (&s, &e))
    for (long i = s; i < e; i++) owner[i] = omp_get_thread_num ();
  GOMP_loop_end_nowait ();
}
static void f3 (void *p) {
#pragma omp atomic
  ++*(int *) p; }
static void tk (void *p) { printf ("task %d %d\n", ((int *) p)[0], ((int *) p)[1]); }
int main (void)
{
  GOMP_parallel (f1, NULL, 3, 0);
  printf ("generic start: ret %d zeroed %d same %d cnt %d\n", ret, zeroed, same, cnt);
  GOMP_parallel_loop_static (f2, NULL, 3, 0, 10, 1, 0, 0);
  for (int i = 0; i < 10; i++) printf ("%d", owner[i]);
  printf ("\n");
  int n = 0;
  GOMP_parallel_start (f3, &n, 4); f3 (&n); GOMP_parallel_end ();
  printf ("old pair %d\n", n);
  long s, e;
  bool r = GOMP_loop_static_start (5, 50, 2, 0, &s, &e);
  printf ("orphan %d %ld %s\n", r, s, e >= 50 && e <= 51 ? "ok" : "WRONG");
  if (r) printf ("next %d\n", GOMP_loop_static_next (&s, &e));
  GOMP_loop_end ();
  /* garbage in the optional arguments must not be touched when flags say so */
  int a[2] = { 7, 9 };
  GOMP_task (tk, a, NULL, sizeof a, 4, true, 0, (void **) 1, -5, (void *) 3);
  return 0;
}
