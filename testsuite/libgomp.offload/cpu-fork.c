/* fork before and after the device was used: a child that forked before gets a worker of its own;
   one that forked afterwards runs its regions on the host; the parent keeps its device.
   TEST-MODES: cpu  */

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#pragma omp declare target
int count = 100;
#pragma omp end declare target

/* Process that runs regions, and what count is there.  */
static int
region (int *value)
{
  int pid = 0, v = 0;
#pragma omp target map (from: pid, v)
  {
    pid = getpid ();
    v = ++count;
  }
  *value = v;
  return pid;
}

static int
in_child (int (*check) (void))
{
  int status = -1;
  fflush (stdout);
  pid_t pid = fork ();
  if (pid == 0)
    {
      int result = check ();
      fflush (stdout);
      _exit (result);
    }
  waitpid (pid, &status, 0);
  return status != 0;
}

static int parents_worker;

static int
child_before (void)
{
  int value, worker = region (&value);
  if (worker != getpid () && value == 101)
    return 0;
  printf ("child of an unused device: process %d, value %d\n", worker, value);
  return 1;
}

static int
child_after (void)
{
  int value, worker = region (&value);
  if (worker != parents_worker && worker == getpid ())
    return 0;
  printf ("child of a used device: process %d, parent's worker %d\n", worker, parents_worker);
  return 1;
}

int
main (void)
{
  int value, failed = in_child (child_before);
  parents_worker = region (&value);
  if (parents_worker == getpid () || value != 101)
    {
      printf ("parent: process %d, value %d\n", parents_worker, value);
      failed = 1;
    }
  failed |= in_child (child_after);
  if (region (&value) != parents_worker || value != 102)
    {
      printf ("parent after fork: value %d\n", value);
      failed = 1;
    }
  return failed;
}
