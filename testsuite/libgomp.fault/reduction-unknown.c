/* A task with in_reduction of something that nobody registered ends the program and names the
   address: no group at all, a group of other items, a group outside of the innermost region.
   TEST-EXIT: 1
   TEST-OUTPUT: ^libgomp: couldn't find matching task_reduction or reduction with task modifier for 0x[0-9a-f]+$
   TEST-OUTPUT: ^children 3$  */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern void GOMP_task_reduction_remap (size_t, size_t, void **);

static int item, other;

static void
look (void)
{
  void *p[1] = { &item };
  GOMP_task_reduction_remap (1, 0, p);
  _exit (33);
}

int
main (void)
{
  int good = 0;
  for (int how = 0; how < 4; how++)
    {
      pid_t child = how < 3 ? fork () : 0;
      if (child == 0)
	{
	  if (how == 1)
	    {
#pragma omp taskgroup task_reduction (+: other)
#pragma omp task in_reduction (+: other)
	      {
		other++;
		look ();
	      }
	    }
	  else if (how == 2)
	    {
#pragma omp taskgroup task_reduction (+: item)
	      {
#pragma omp parallel num_threads (1)
		look ();
		item++;
	      }
	    }
	  if (how == 3)
	    {
	      printf ("children %d\n", good);
	      fflush (stdout);
	    }
	  look ();
	}
      int status;
      if (waitpid (child, &status, 0) == child && WIFEXITED (status) && WEXITSTATUS (status) == 1)
	good++;
    }
  return 0;
}
