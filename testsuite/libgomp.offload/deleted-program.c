/* The program's file is gone before the device reads its tables.
   TEST-MODES: host cpu test gpu
   TEST-GPU: fallback */

/* It is a copy that removes itself: the program is run again in the next mode.  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int table[3] = { 1, 2, 3 };
#pragma omp declare target to(table)

int
main (int argc, char **argv)
{
  int sum = 0, on_host = 1;
  if (argc == 1)
    {
      char command[4096];
      snprintf (command, sizeof (command), "cp '%s' ./copy.exe", argv[0]);
      if (system (command) != 0)
	return 77;
      execl ("./copy.exe", "./copy.exe", "copy", (char *) NULL);
      return 77;
    }
  if (unlink (argv[0]) != 0)
    return printf ("unlink failed\n"), 1;
#pragma omp target map(tofrom: sum) map(from: on_host)
  {
    on_host = omp_is_initial_device ();
    for (int i = 0; i < 3; i++)
      sum += table[i];
  }
  if (sum != 6)
    return printf ("sum = %d\n", sum), 1;
  return 0;
}
