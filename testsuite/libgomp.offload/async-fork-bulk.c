/* fork while target tasks move bulk data, which threads of the library do, or a thread that collects:
   what the child waits for comes to an end, and the parent's tasks are complete as always.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=pinned,pinned_only,pinned_memory=16777216,delay_us=1500,memory=268435456 */

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 2 << 20, TASKS = 11, ROUNDS = 6 };

/* 0: as it should be.  */
static int
child_result (pid_t child)
{
  int status = -1;
  waitpid (child, &status, 0);
  return !WIFEXITED (status) || WEXITSTATUS (status) != 3 ? printf ("child: %#x\n", status) : 0;
}

/* On its way to the device: handed over before the construct returns.  */
static int
to_device (void)
{
  char *p = malloc (N);
  int last = 0;

  for (int i = 0; i < N; i++)
    p[i] = i * 7;
#pragma omp target enter data map(to: p[:N]) nowait depend(out: p[0])
#pragma omp task depend(in: p[0]) shared(last)
  last = 1;
  pid_t child = fork ();
  if (child == 0)
    {
#pragma omp taskwait
      _exit (last == 1 ? 3 : 2);
    }
#pragma omp taskwait
  int failed = child_result (child) | !last, sum = 0;
#pragma omp target map(tofrom: sum) map(to: p[:N])
  for (int i = 0; i < N; i++)
    sum += p[i] == (char) (i * 7);
  if (sum != N)
    failed = printf ("%d bytes of %d\n", sum, N);
#pragma omp target exit data map(delete: p[:N])
  free (p);
  return failed;
}

/* More tasks on their way back than there are helpers: some are in the hands of threads that collect.  */
static int
to_host (int round)
{
  char *p[TASKS];
  int failed = 0;

  for (int k = 0; k < TASKS; k++)
    {
      char *q = p[k] = calloc (N, 1);
#pragma omp target nowait map(from: q[:N])
      for (int i = 0; i < N; i++)
	q[i] = i + k;
    }
  /* Whenever it is.  */
  usleep (round * 9000);
  pid_t child = fork ();
  if (child == 0)
    {
#pragma omp taskwait
      _exit (3);
    }
#pragma omp taskwait
  failed |= child_result (child);
  for (int k = 0; k < TASKS; k++)
    {
      for (int i = 0; i < N && !failed; i++)
	if (p[k][i] != (char) (i + k))
	  failed = printf ("task %d, byte %d\n", k, i);
      free (p[k]);
    }
  return failed;
}

int
main (void)
{
  int failed = to_device ();
  for (int round = 0; round < ROUNDS; round++)
    failed |= to_host (round);
  return failed != 0;
}
