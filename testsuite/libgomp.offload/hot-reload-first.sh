#!/bin/bash
# A program that is not an OpenMP program itself: the library comes with the first plugin that it loads, which
# is there already when the library looks for regions for the first time.  The plugin is closed, another
# file takes its place, and is loaded at the same addresses: its code runs, and its variables are fresh.
# TEST-MODES: cpu cpu2
# TEST-SKIP-SANITIZER: thread does not come into a program that was not built with it
# TEST-SKIP-SANITIZER: address does not come into a program that was not built with it

cat >plugin.c <<'END'
#include <unistd.h>
#pragma omp declare target
static int calls;
#pragma omp end declare target
int
answer (void)
{
  int result = 0, pid = 0;
#pragma omp target map (from: result, pid)
  {
    result = 10 * NUMBER + ++calls;
    pid = getpid ();
  }
  return pid != 0 && pid != getpid () ? result : -1;
}
END
cat >prog.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int
main (int argc, char **argv)
{
  int failed = 0;
  for (int i = 1; i < argc; i++)
    {
      if (rename (argv[i], "plugin.so") != 0)
	return 2;
      void *plugin = dlopen ("./plugin.so", RTLD_NOW);
      int (*answer) (void) = plugin ? (int (*) (void)) dlsym (plugin, "answer") : NULL;
      if (answer == NULL)
	return printf ("%s\n", dlerror ()), 2;
      int number = 1 + (i - 1) % 2, first = answer (), second = answer ();
      if (first != 10 * number + 1 || second != 10 * number + 2)
	{
	  printf ("%s: %d and %d instead of %d and %d\n", argv[i], first, second, 10 * number + 1,
		  10 * number + 2);
	  failed = 1;
	}
      dlclose (plugin);
    }
  return failed;
}
END
gcc prog.c -o prog -ldl || exit 1
for i in 1 2 3 4; do
  $TEST_CC -fopenmp -shared -fPIC -DNUMBER=$((1 + (i - 1) % 2)) plugin.c -o $i.so || exit 1
done
export OMP_TARGET_OFFLOAD=mandatory
./prog 1.so 2.so 3.so 4.so
