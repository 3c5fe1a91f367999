/* Every single allocation of host memory that target constructs lead to fails in turn, once or from
   then on, those of the plugin too: the program ends with a message, or its results are right
   because the host runs the regions.  It does not hang or crash, though destructors unregister an image then,
   as those of programs with images do.
   TEST-MODES: host cpu
   TEST-TIMEOUT: 120
   TEST-SKIP-SANITIZER: address has its own allocator
   TEST-SKIP-SANITIZER: thread has its own allocator  */

#include "aux-malloc.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern void GOMP_offload_unregister_ver (unsigned, const void *, int, const void *);

enum { N = 2000 };
static int a[N], b[4][100];

static int
work (void)
{
  struct { int n; int *p; } s = { 5, a };
  int h = omp_get_initial_device (), x = 1, bad = 0, copied = 0;

  for (int i = 0; i < N; i++)
    a[i] = i;
#pragma omp target map(tofrom: a, x)
  {
    x += 10;
    a[N - 1] = 7;
  }
  bad |= x != 11 || a[N - 1] != 7;
#pragma omp target data map(tofrom: a)
  {
#pragma omp target map(s, s.p[0:N]) firstprivate(x)
    s.p[1] = s.n + x;
#pragma omp target update from(a[1:1])
    bad |= a[1] != 16;
  }
  for (int i = 0; i < 4; i++)
    {
#pragma omp target enter data map(to: b[i]) nowait depend(out: b[i])
      /* Without the clause all of b would be mapped, of which parts of earlier tasks may be present, too.  */
#pragma omp target map(tofrom: b[i]) nowait depend(inout: b[i])
      b[i][3] = i + 1;
#pragma omp target exit data map(from: b[i]) nowait depend(inout: b[i])
    }
#pragma omp taskwait
  for (int i = 0; i < 4; i++)
    bad |= b[i][3] != i + 1;
  void *p = omp_target_alloc (sizeof (a), 0);
  if (p != NULL && omp_get_num_devices () > 0
      && omp_target_memcpy (p, a, sizeof (a), 0, 0, 0, h) == 0
      && omp_target_memcpy (&copied, p, sizeof (int), 0, sizeof (int), h, 0) == 0)
    bad |= copied != 16;
  omp_target_free (p, 0);
  return bad;
}

static void __attribute__ ((destructor))
unregister (void)
{
  GOMP_offload_unregister_ver (0x30001, NULL, 5, a);
}

/* What is left of the K that were to come: 0: one has failed.  */
static int
child (long k)
{
  alarm (50);
  left = k;
  int bad = work ();
  long unused = left;
  left = 0;
  return bad ? 3 : unused > (for_ever ? 1 : 0) ? 4 : 0;
}

int
main (int argc, char **argv)
{
  if (argc > 2)
    {
      for_ever = argv[1][0] == 'e';
      return child (atol (argv[2]));
    }
  int bad = 0;
  for (int ever = 0; ever < 2; ever++)
    {
      int k = 1, ended = 0;
      for (; k < 600; k++)
	{
	  char number[20];
	  int status;
	  snprintf (number, sizeof (number), "%d", k);
	  pid_t pid = fork ();
	  if (pid == 0)
	    {
	      freopen ("/dev/null", "w", stderr);
	      execl ("/proc/self/exe", "malloc-fails-target", ever ? "ever" : "once", number,
		     (char *) NULL);
	      _exit (9);
	    }
	  if (waitpid (pid, &status, 0) != pid || !WIFEXITED (status)
	      || (WEXITSTATUS (status) > 1 && WEXITSTATUS (status) != 4))
	    printf ("allocation %d%s: status %#x\n", k, ever ? " and later ones" : "", status), bad++;
	  else if (WEXITSTATUS (status) == 4)
	    break;
	  else if (WEXITSTATUS (status) == 1)
	    ended++;
	}
      printf ("%d allocations%s, the program ended at %d\n", k - 1, ever ? ", with all later ones" : "",
	      ended);
      if (ended == 0)
	printf ("none was needed\n"), bad++;
    }
  return bad != 0;
}
