/* Handlers of SIGSEGV and SIGBUS: using a device leaves those of the program alone, whenever they were installed, and
   ignored signals ignored.  Only where there was none the library has one afterwards.
   TEST-MODES: cpu fake  */

#define _GNU_SOURCE 1
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void own (int number) { (void) number; _exit (9); }
static void other (int number) { (void) number; _exit (9); }

static void
(*action_of (int number)) (int)
{
  struct sigaction now;
  if (sigaction (number, NULL, &now) != 0)
    abort ();
  return now.sa_handler;
}

static void
use (void)
{
  void *p = omp_target_alloc (4 << 20, 0);
  if (p == NULL)
    _exit (77);
  omp_target_free (p, 0);
}

/* In a process of its own, which has not used a device.  */
static int
in_child (int (*check) (void))
{
  int status;
  pid_t child = fork ();
  if (child == 0)
    _exit (check ());
  if (child < 0 || waitpid (child, &status, 0) != child)
    abort ();
  return WIFEXITED (status) ? WEXITSTATUS (status) : 99;
}

static int
before (void)
{
  signal (SIGSEGV, own);
  signal (SIGBUS, SIG_IGN);
  use ();
  return action_of (SIGSEGV) != own || action_of (SIGBUS) != SIG_IGN;
}

static int
later (void)
{
  void (*segv) (int) = action_of (SIGSEGV), (*bus) (int) = action_of (SIGBUS);
  use ();
  if ((action_of (SIGSEGV) != segv) != (segv == SIG_DFL) || (action_of (SIGBUS) != bus) != (bus == SIG_DFL))
    return 1;
  signal (SIGSEGV, other);
  signal (SIGBUS, SIG_DFL);
  use ();
  void *large[40];
  for (int i = 0; i < 40; i++)
    large[i] = omp_target_alloc (4 << 20, 0);
  for (int i = 0; i < 40; i++)
    omp_target_free (large[i], 0);
  return action_of (SIGSEGV) != other || action_of (SIGBUS) != SIG_DFL;
}

int
main (void)
{
  int a = in_child (before), b = in_child (later);
  if (a == 77 || b == 77)
    return 77;
  if (a != 0 || b != 0)
    {
      printf ("handlers from before: %d, from later: %d\n", a, b);
      return 1;
    }
  return 0;
}
