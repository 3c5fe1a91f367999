/* A process that has no more address space: null, or the message, never memory that is not there.
   TEST-SKIP-SANITIZER: address shadow memory needs the address space
   TEST-SKIP-SANITIZER: thread shadow memory needs the address space  */

#include "aux-run-self.h"
#include <omp.h>
#include <stdint.h>
#include <sys/resource.h>

extern void *GOMP_alloc (size_t align, size_t, uintptr_t allocator);

static omp_allocator_handle_t
with_fallback (omp_alloctrait_value_t fallback)
{
  omp_alloctrait_t t = { omp_atk_fallback, fallback };
  return omp_init_allocator (omp_large_cap_mem_space, 1, &t);
}

static volatile size_t size = (size_t) 1 << 30;

int
main (int argc, char **argv)
{
  if (argc > 1)
    {
      struct rlimit limit = { 1 << 29, 1 << 29 };
      omp_allocator_handle_t null_fb = with_fallback (omp_atv_null_fb);
      omp_allocator_handle_t default_fb = with_fallback (omp_atv_default_mem_fb);
      setrlimit (RLIMIT_AS, &limit);
      char *p = omp_alloc (100, null_fb);
      p[0] = 4;
      printf ("%d%d%d%d%d ", omp_alloc (size, omp_default_mem_alloc) != NULL,
	      omp_calloc (size / 8, 8, omp_high_bw_mem_alloc) != NULL,
	      omp_aligned_alloc (8192, size, null_fb) != NULL, omp_alloc (size, default_fb) != NULL,
	      omp_realloc (p, size, null_fb, null_fb) != NULL);
      printf ("%d\n", p[0]);
      fflush (stdout);
      omp_free (p, null_fb);
      if (argv[1][0] == 'a')
	omp_alloc (size + 1, with_fallback (omp_atv_abort_fb));
      else
	/* What an allocate clause calls: a variable must have memory.  */
	GOMP_alloc (64, size + 2, null_fb);
      return 0;
    }

  for (int i = 0; i < 2; i++)
    {
      static const char *const wants[] = {
	"00000 4\n\nlibgomp: Out of memory allocating 1073741825 bytes\n",
	"00000 4\n\nlibgomp: Out of memory allocating 1073741826 bytes\n" };
      int status = run_self ("", i == 0 ? "abort" : "clause");
      if (status != 1 || strcmp (run_output, wants[i]) != 0)
	run_complain ("", "not: ", wants[i]);
    }
  return run_failures != 0;
}
