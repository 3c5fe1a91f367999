/* A process that claims to be a worker without a proof must not become the program; the variable
   without the claim means nothing and is removed.
   TEST-MODES: host cpu  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

static int
run (const char *argument, const char *value)
{
  int status = -1;
  pid_t pid = fork ();
  if (pid == 0)
    {
      if (value != NULL)
	setenv ("GOMPX_CPU_WORKER", value, 1);
      execl ("/proc/self/exe", "self", argument, NULL);
      _exit (99);
    }
  waitpid (pid, &status, 0);
  return WIFEXITED (status) ? WEXITSTATUS (status) : 256;
}

int
main (int argc, char **argv)
{
  if (argc == 2 && strcmp (argv[1], "again") == 0)
    return getenv ("GOMPX_CPU_WORKER") == NULL ? 10 + omp_get_max_threads () * 0 : 11;
  if (argc == 2)
    return 12;			/* main must not run */

  static const char *const proofs[]
    = { NULL, "", "0:00000000000000000000000000000000", "1:x", "-1:0", "99999:1",
	"2:0123456789abcdef0123456789abcdef", "%s%n" };
  int failed = 0;
  for (unsigned i = 0; i < sizeof (proofs) / sizeof (proofs[0]); i++)
    {
      int status = run ("--gompx-cpu-worker", proofs[i]);
      if (status != 125)
	{
	  printf ("proof `%s': exit status %d, not 125\n", proofs[i] ? proofs[i] : "none", status);
	  failed = 1;
	}
    }
  int status = run ("again", "3:0123456789abcdef0123456789abcdef");
  if (status != 10)
    {
      printf ("variable without the claim: exit status %d, not 10\n", status);
      failed = 1;
    }
  return failed;
}
