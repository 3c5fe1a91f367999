/* With AddressSanitizer the misuse of blocks is found: they come from malloc.
   Only in such a build.  */

#include "aux-run-self.h"
#include <omp.h>

static volatile int index_behind = 100;

int
main (int argc, char **argv)
{
#if __SANITIZE_ADDRESS__
  if (argc > 1)
    {
      char *volatile p = omp_alloc (100, omp_default_mem_alloc), *volatile q = p;
      switch (argv[1][0])
	{
	case 'b': p[index_behind] = 1; break;
	case 'f': omp_free (p, omp_null_allocator); q[5] = 1; break;
	case 'd': omp_free (p, omp_null_allocator); omp_free (q, 0); break;
	case 'l': p = q = NULL; break;
	}
      return 0;
    }
  static const char *const what[] = { "behind", "heap-buffer-overflow", "freed",
				      "heap-use-after-free", "double", "AddressSanitizer",
				      "leak", "LeakSanitizer" };
  for (int i = 0; i < 8; i += 2)
    if (run_self ("ASAN_OPTIONS=exitcode=99:abort_on_error=0", what[i]) != 99
	|| !strstr (run_output, what[i + 1]))
      run_complain (what[i], "not reported: ", what[i + 1]);
  return run_failures != 0;
#else
  (void) argc, (void) argv, (void) index_behind;
  (void) run_self, (void) run_complain;
  return 77;
#endif
}
