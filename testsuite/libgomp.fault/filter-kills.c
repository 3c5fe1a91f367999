/* A filter that ends the process for system calls that only debuggers need, as systemd's
   SystemCallFilter=@system-service does, inherited at the start or installed by the program itself: teams, regions,
   copies at wrong addresses and the mapping checker do without these calls.
   TEST-MODES: cpu
   TEST-SKIP-SANITIZER: address its own calls are forbidden, too
   TEST-SKIP-SANITIZER: thread its own calls are forbidden, too  */

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <omp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SECCOMP_RET_KILL_PROCESS
# define SECCOMP_RET_KILL_PROCESS 0x80000000U
#endif

#define N 1000

#pragma omp declare target
int values[N];
#pragma omp end declare target

static void
install (void)
{
  static const unsigned numbers[] =
    { SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_ptrace, SYS_perf_event_open, 438 /* pidfd_getfd */ };
  enum { COUNT = sizeof (numbers) / sizeof (numbers[0]) };
  struct sock_filter code[COUNT + 3] =
    { BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)) };
  for (int i = 0; i < COUNT; i++)
    code[1 + i] = (struct sock_filter) BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, numbers[i], COUNT - i, 0);
  code[COUNT + 1] = (struct sock_filter) BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  code[COUNT + 2] = (struct sock_filter) BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  struct sock_fprog program = { COUNT + 3, code };
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
      || prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    _exit (77);
}

/* 0: all is right.  */
static int
work (void)
{
  int a[N], sum = 0, device = omp_get_default_device ();
  for (int turn = 0; turn < 200; turn++)
#pragma omp parallel num_threads (4) reduction (+: sum)
    {
#pragma omp barrier
      sum += 1;
    }
  if (sum != 800)
    return 1;

  for (int i = 0; i < N; i++)
    a[i] = i;
#pragma omp target enter data map (to: a)
#pragma omp target map (from: sum)
  {
    sum = 0;
    for (int i = 0; i < N; i++)
      {
	sum += a[i]++;
	values[i] = 2 * i;
      }
  }
#pragma omp target exit data map (from: a)
  if (sum != N * (N - 1) / 2 || a[N - 1] != N)
    return 2;

  /* A variable of the device's by its address there, and an address where nothing is.  */
  void *there = NULL;
#pragma omp target map (from: there)
  there = values;
  if (omp_target_memcpy (a, there, sizeof (a), 0, 0, omp_get_initial_device (), device) != 0 || a[N - 1] != 2 * (N - 1))
    return 3;
  if (omp_target_memcpy (a, (void *) 4096, sizeof (a), 0, 0, omp_get_initial_device (), device) == 0)
    return 4;
  if (a[N - 1] != 2 * (N - 1))
    return 5;
  return 0;
}

/* How a run ends: 0: well.  */
static int
again (char *self, const char *how, const char *check)
{
  int status = 0;
  pid_t pid = fork ();
  if (pid == 0)
    {
      setenv ("GOMP_CHECK", check, 1);
      setenv ("OMP_TARGET_OFFLOAD", "mandatory", 1);
      if (strcmp (how, "inherited") == 0)
	install ();
      execl ("/proc/self/exe", self, how, NULL);
      _exit (99);
    }
  if (waitpid (pid, &status, 0) != pid)
    return -1;
  if (status != 0)
    printf ("%s, GOMP_CHECK=%s: %s %d\n", how, check, WIFSIGNALED (status) ? "signal" : "exit",
	    WIFSIGNALED (status) ? WTERMSIG (status) : WEXITSTATUS (status));
  return status;
}

int
main (int argc, char **argv)
{
  if (argc == 2)
    {
      if (strcmp (argv[1], "own") == 0)
	install ();
      return work ();
    }
  static const char *const hows[] = { "inherited", "own" }, *const checks[] = { "off", "map" };
  int failed = 0;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      {
	int status = again (argv[0], hows[i], checks[j]);
	if (WIFEXITED (status) && WEXITSTATUS (status) == 77)
	  {
	    printf ("there are no filters\n");
	    return 77;
	  }
	failed |= status != 0;
      }
  return failed;
}
