/* What a tool sees of regions whose function the program calls itself (GCC 4.8 and older).
   TEST-OPTIONS: -rdynamic  */

#include "aux-ompt.h"

void GOMP_parallel_start (void (*) (void *), void *, unsigned);
void GOMP_parallel_loop_dynamic_start (void (*) (void *), void *, unsigned, long, long, long,
				       long);
void GOMP_parallel_end (void);
bool GOMP_loop_dynamic_next (long *, long *);
void GOMP_loop_end_nowait (void);

static int n;

static void
region (void *arg)
{
  __atomic_add_fetch (&n, arg == NULL, __ATOMIC_RELAXED);
}

static void
loop (void *arg)
{
  long start, end;
  while (GOMP_loop_dynamic_next (&start, &end))
    __atomic_add_fetch (&n, end - start, __ATOMIC_RELAXED);
  GOMP_loop_end_nowait ();
  (void) arg;
}

#define END(i)								\
  "sync parallel barrier begin\n" "wait parallel barrier begin\n"	\
  "wait parallel barrier end\n" "sync parallel barrier end\n"		\
  "implicit task end 0 " #i "\n"

int
main (void)
{
  GOMP_parallel_start (region, NULL, 2);
  region (NULL);
  GOMP_parallel_end ();
  ompt_expect (0, "region",
	       "thread begin initial\n" "initial task begin 1 1\n"
	       "parallel begin 2 team program\n"
	       "implicit task begin 2 0\n" END (0) "parallel end\n");
  ompt_expect (1, "region",
	       "thread begin worker\n" "implicit task begin 2 1\n" END (1));

  ompt_forget ();
  GOMP_parallel_loop_dynamic_start (loop, NULL, 1, 0, 5, 1, 5);
  loop (NULL);
  GOMP_parallel_end ();
  ompt_expect (0, "loop",
	       "parallel begin 1 team program\n" "implicit task begin 1 0\n"
	       "work dynamic loop begin 5\n" "chunk 0 5\n" "work dynamic loop end 5\n"
	       END (0) "parallel end\n");
  if (n != 2 + 5)
    ompt_bad ("the program is wrong: %d", n);
  return ompt_failures != 0;
}
