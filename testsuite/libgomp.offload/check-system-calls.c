/* The mapping checker fails no system call of a region that has addresses in global variables, in memory
   that it watches, or inside of structures: regions start programs by system, popen, posix_spawn,
   fork, vfork and exec, change the mask of signals and handle them, start threads, and gather what
   they write.  Nor does a wrong address, or a region that wants the checker's own signals.
   TEST-MODES: cpu cpu2
   TEST-ENV: GOMP_CHECK=map
   TEST-NO-OUTPUT: ^libgomp: check: (?!global variables that are not mapped)[a-z]
   TEST-OUTPUT: ^libgomp: check: 0 findings
   TEST-SKIP-SANITIZER: thread calls with addresses inside of structures fail then  */

#define _GNU_SOURCE 1
#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#pragma omp declare target
static char command[64] = "exit 7", shell[32] = "/bin/sh", option[8] = "-c", line[64];
static char *args[4] = { shell, option, command, NULL };
static char *no_environment[1];
static sigset_t set, old;
static posix_spawnattr_t attributes;
static char part[2][32] = { "one ", "two" }, both[64];
static struct iovec parts[2];
static struct sigaction action;
static volatile int caught;
static int status, ends[2];

static int
ended_with (pid_t pid)
{
  return pid > 0 && waitpid (pid, &status, 0) == pid && WIFEXITED (status) ? WEXITSTATUS (status) : -1;
}

static int
by_system (void)
{
  status = system (command);
  return WIFEXITED (status) ? WEXITSTATUS (status) : -1;
}

static int
by_popen (void)
{
  strcpy (line, "");
  FILE *f = popen ("echo 7", "r");
  if (f == NULL || fgets (line, sizeof (line), f) == NULL || pclose (f) != 0)
    return -1;
  return atoi (line);
}

static int
by_spawn (void)
{
  pid_t pid;
  sigemptyset (&set);
  posix_spawnattr_init (&attributes);
  posix_spawnattr_setsigmask (&attributes, &set);
  posix_spawnattr_setflags (&attributes, POSIX_SPAWN_SETSIGMASK);
  return posix_spawn (&pid, shell, NULL, &attributes, args, no_environment) == 0 ? ended_with (pid) : -1;
}

static int
by_fork (void)
{
  pid_t pid = fork ();
  if (pid == 0)
    {
      execve (shell, args, no_environment);
      _exit (99);
    }
  return ended_with (pid);
}

static int
by_vfork (void)
{
  pid_t pid = vfork ();
  if (pid == 0)
    {
      execve (shell, args, no_environment);
      _exit (99);
    }
  return ended_with (pid);
}

/* A child that uses variables of its own.  */
static int
child_itself (void)
{
  pid_t pid = fork ();
  if (pid == 0)
    {
      status = 3;
      _exit (status + strlen (part[0]));
    }
  return ended_with (pid);
}

/* With all signals blocked, and from the structures that say so.  */
static int
blocked (void)
{
  sigfillset (&set);
  if (pthread_sigmask (SIG_SETMASK, &set, &old) != 0)
    return -1;
  ends[0] = 7;
  sigset_t now;
  pthread_sigmask (SIG_BLOCK, NULL, &now);
  int good = sigismember (&now, SIGSEGV) == 1 && sigismember (&now, SIGSYS) == 1
	     && sigismember (&now, SIGTRAP) == 1 && sigismember (&now, SIGUSR1) == 1;
  if (by_fork () != 7 || by_spawn () != 7 || pthread_sigmask (SIG_SETMASK, &old, NULL) != 0)
    return -1;
  pthread_sigmask (SIG_BLOCK, NULL, &now);
  good &= sigismember (&now, SIGSEGV) == 0 && sigismember (&now, SIGSYS) == 0;
  return good ? ends[0] : -1;
}

static void
catch_it (int number)
{
  caught += number == SIGUSR1;
  if (write (ends[1], part[0], 1) == 1)
    caught += 6;
}

static int
handled (void)
{
  if (pipe (ends) != 0)
    return -1;
  caught = 0;
  action.sa_handler = catch_it;
  sigfillset (&action.sa_mask);
  sigaction (SIGUSR1, &action, NULL);
  sigemptyset (&set);
  sigaddset (&set, SIGUSR1);
  pthread_sigmask (SIG_UNBLOCK, &set, &old);
  raise (SIGUSR1);
  pthread_sigmask (SIG_SETMASK, &old, NULL);
  close (ends[0]);
  close (ends[1]);
  return caught;
}

static void *
other_thread (void *unused)
{
  status = read (ends[0], both, sizeof (both));
  return unused;
}

static int
by_thread (void)
{
  pthread_t thread;
  if (pipe (ends) != 0 || pthread_create (&thread, NULL, other_thread, NULL) != 0)
    return -1;
  if (write (ends[1], "1234567", 7) != 7)
    return -1;
  pthread_join (thread, NULL);
  close (ends[0]);
  close (ends[1]);
  return status;
}

/* WHERE is memory that the region may not have written.  */
static int
gathered (char *where)
{
  if (pipe (ends) != 0)
    return -1;
  for (int i = 0; i < 2; i++)
    parts[i] = (struct iovec) { part[i], strlen (part[i]) };
  int good = writev (ends[1], parts, 2) == 7;
  parts[0] = (struct iovec) { where, 3 };
  parts[1] = (struct iovec) { both, sizeof (both) };
  good &= readv (ends[0], parts, 2) == 7;
  close (ends[0]);
  close (ends[1]);
  return good && memcmp (where, "one", 3) == 0 && strcmp (both, " two") == 0 ? 7 : -1;
}
/* What the system refuses.  */
static int
wrong_address (void)
{
  long got = syscall (SYS_rt_sigaction, SIGUSR1, (void *) 16, NULL, sizeof (long));
  return got == -1 && errno == EFAULT ? 7 : -1;
}

static int
without_handlers (void)
{
  signal (SIGSYS, SIG_DFL);
  signal (SIGTRAP, SIG_IGN);
  return 7;
}
#pragma omp end declare target

/* Behind the first one that is LATE nothing is watched any more; before it, what is watched is closed in
   each region anew.  */
enum { LATE = 9, WAYS = 13 };

static int
region (int way, int dev)
{
  int got = -1;
  char fresh[8192];
#pragma omp target map (from: got, fresh) device (dev)
  {
    memset (both, 0, sizeof (both));
    switch (way)
      {
      case 0: got = by_system (); break;
      case 1: got = by_popen (); break;
      case 2: got = by_spawn (); break;
      case 3: got = by_fork (); break;
      case 4: got = by_vfork (); break;
      case 5: got = child_itself (); break;
      case 6: got = blocked (); break;
      case 7: got = gathered (fresh); break;
      case 8: got = wrong_address (); break;
      case 9: got = handled (); break;
      case 10: got = by_thread (); break;
      case 11: got = without_handlers (); break;
      case 12: got = by_system (); break;
      }
  }
  if (got != 7)
    printf ("way %d on device %d: %d\n", way, dev, got);
  return got != 7;
}

int
main (void)
{
  /* System call user dispatch is Linux 5.11's.  */
  if (prctl (59, 0, 0, 0, 0) != 0)
    return 77;
  int failed = 0;
  for (int dev = 0; dev < omp_get_num_devices (); dev++)
    for (int round = 0; round < 2; round++)
      for (int way = 0; way < (round == 0 ? LATE : WAYS); way++)
	failed |= region (way, dev);
  return failed;
}
