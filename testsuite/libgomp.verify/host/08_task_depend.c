/* Task dependences.  MINGCC: 13  (inoutset); expected: 08_task_depend.out */
#include <omp.h>
#include <stdio.h>
#include <string.h>
static char log_[64]; static int n;
static void put (char c) {
#pragma omp critical
  log_[n++] = c; }
static void show (const char *t) { printf ("%s %.*s\n", t, n, log_); n = 0; }
static int pos (char c) { char *p = memchr (log_, c, n); return p ? (int) (p - log_) : -1; }
int main (void)
{
  int x = 0, y = 0, a[8] = { 0 };
#pragma omp parallel num_threads(4)
#pragma omp single
  {
    for (int i = 0; i < 10; i++)
#pragma omp task depend(inout: x) firstprivate(i)
      { put ('0' + i); x = x * 2 + i; }
#pragma omp taskwait
    show ("chain"); printf ("x %d\n", x);

#pragma omp task depend(out: x)
    put ('A');
#pragma omp task depend(in: x)
    put ('b');
#pragma omp task depend(in: x)
    put ('c');
#pragma omp task depend(inout: x) depend(out: y)
    put ('D');
#pragma omp task depend(mutexinoutset: y)
    put ('e');
#pragma omp task depend(mutexinoutset: y)
    put ('f');
#pragma omp task depend(in: y)
    put ('G');
#pragma omp taskwait
    printf ("A first %d, D after b,c %d, G last %d, n %d\n", pos ('A') == 0, pos ('D') == 3, pos ('G') == 6, n); n = 0;

    omp_depend_t d;
#pragma omp depobj(d) depend(inout: x)
#pragma omp task depend(out: x)
    put ('1');
#pragma omp task depend(depobj: d)
    put ('2');
#pragma omp depobj(d) update(in)
#pragma omp task depend(depobj: d)
    put ('3');
#pragma omp task depend(out: x) if(0)
    put ('4');
#pragma omp depobj(d) destroy
    show ("depobj");

    for (int i = 0; i < 8; i++)
#pragma omp task depend(out: a[i]) firstprivate(i)
      a[i] = i + 1;
    int s = 0;
#pragma omp task depend(iterator(int k = 0:8), in: a[k]) shared(s)
    for (int i = 0; i < 8; i++) s += a[i];
#pragma omp taskwait
    printf ("iterator %d\n", s);

#pragma omp task depend(out: x)
    put ('p');
#pragma omp task depend(in: y)
    put ('q');
#pragma omp taskwait depend(in: x)
    printf ("taskwait depend saw p %d\n", pos ('p') >= 0);
#pragma omp taskwait
    n = 0;
#if __GNUC__ >= 13
#pragma omp task depend(out: x)
    put ('i');
#pragma omp task depend(inoutset: x)
    put ('j');
#pragma omp task depend(inoutset: x)
    put ('k');
#pragma omp task depend(inout: omp_all_memory)
    put ('L');
#pragma omp task depend(in: a[3])
    put ('m');
#pragma omp taskwait depend(in: a[3]) nowait
#pragma omp taskwait
    printf ("i first %d, L 4th %d, m last %d\n", pos ('i') == 0, pos ('L') == 3, pos ('m') == 4); n = 0;
#endif
  }
  /* outside parallel */
  int z = 0;
#pragma omp task depend(out: z) shared(z)
  z = 5;
#pragma omp task depend(in: z) shared(z)
  printf ("orphan %d\n", z);
#pragma omp taskwait depend(in: z)
  return 0;
}
