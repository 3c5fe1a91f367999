/* The message explains the address of the fault: a variable that is not mapped.
   TEST-MODES: host
   TEST-EXIT: 1
   TEST-ENV: GOMP_PLUGINS=test
   TEST-ENV: GOMP_PLUGIN_PATH=@top_builddir@/testsuite/plugins/.libs
   TEST-OUTPUT: it read the host address 0x[0-9a-f]+
   TEST-OUTPUT: this is host memory \(`not_mapped\+0x10'\), which is not mapped
   TEST-OUTPUT: the nearest mapping is host \[0x[0-9a-f]+..0x[0-9a-f]+\) at device \[.*\), [0-9]+ bytes (before its start|behind its end)  */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int mapped[100], not_mapped[100];

int
main (int argc, char **argv)
{
  (void) argc;
  /* The address is known at run time only: start again with it in the environment, without
     address space randomisation it stays.  */
  char words[64];
  snprintf (words, sizeof (words), "lose=2,fault=%lx", (unsigned long) &not_mapped[4]);
  const char *now = getenv ("GOMPX_TEST_PLUGIN");
  if (now == NULL)
    {
      setenv ("GOMPX_TEST_PLUGIN", words, 1);
      execlp ("setarch", "setarch", "-R", argv[0], (char *) NULL);
      execv ("/proc/self/exe", argv);
      perror ("exec");
      return 77;
    }
  if (__builtin_strcmp (now, words) != 0)
    {
      /* Randomised, or the first start was.  */
      static int tries;
      const char *count = getenv ("TRIES");
      tries = count ? atoi (count) : 0;
      if (tries > 2)
	return 77;
      char next[16];
      snprintf (next, sizeof (next), "%d", tries + 1);
      setenv ("TRIES", next, 1);
      setenv ("GOMPX_TEST_PLUGIN", words, 1);
      execv ("/proc/self/exe", argv);
      return 77;
    }
#pragma omp target map(tofrom: mapped)
  mapped[1] = 42;
  printf ("the region ran: %d\n", mapped[1]);
  return 0;
}
