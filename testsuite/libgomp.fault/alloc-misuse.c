/* Handles of no allocator, and addresses that no allocator gave out: one message, exit status 1.
   TEST-MODES: host
   TEST-OPTIONS: -w
   TEST-SKIP-SANITIZER: address reports it in its own words
   TEST-SKIP-SANITIZER: thread reports the use of freed memory in its own words  */

#include "../libgomp.c/aux-run-self.h"
#include <omp.h>
#include <stdint.h>

extern void GOMP_free (void *, uintptr_t);

static omp_allocator_handle_t
make (omp_alloctrait_value_t fallback, omp_allocator_handle_t next)
{
  omp_alloctrait_t t[] = { { omp_atk_fallback, fallback }, { omp_atk_fb_data, next },
			   { omp_atk_pool_size, 500 } };
  return omp_init_allocator (omp_default_mem_space, 3, t);
}

static void
child (char what)
{
  omp_allocator_handle_t gone = make (omp_atv_null_fb, omp_null_allocator), h;
  static _Alignas (16) char memory[256];
  char *p = omp_alloc (100, gone), *volatile q = p;

  if (what != 'd')
    omp_destroy_allocator (gone);
  switch (what)
    {
    case 'a': omp_alloc (10, gone); break;
    case 'b': omp_aligned_calloc (64, 10, 10, gone); break;
    case 'c': omp_realloc (p, 10, gone, gone); break;
    case 'd': h = make (omp_atv_allocator_fb, gone);
      omp_destroy_allocator (gone); omp_alloc (1000, h); break;
    case 'e': omp_alloc (10, (omp_allocator_handle_t) 9); break;
    case 'f': omp_alloc (10, (omp_allocator_handle_t) 0x10000ffffff); break;
    case 'g': omp_set_default_allocator (gone); omp_alloc (10, omp_null_allocator); break;
    case 'h': omp_destroy_allocator (gone); break;
    case 'i': omp_realloc (p, 10, omp_null_allocator, gone); break;
    case 'j': omp_free (memory + 64, omp_null_allocator); break;
    case 'k': omp_free (p, omp_null_allocator); omp_free (q, omp_null_allocator); break;
    case 'l': omp_free (malloc (100), omp_null_allocator); break;
    case 'm': omp_realloc (p + 16, 10, omp_default_mem_alloc, gone); break;
    case 'n': memset (p - 16, 0x55, 16); GOMP_free (p, 0); break;
    }
  puts ("still here");
}

int
main (int argc, char **argv)
{
  static const char none[] = "there is no memory allocator 0x",
    address[] = " is not memory of an OpenMP allocator, or was freed before, or the bytes before"
		" it were overwritten\n";
  static const struct { const char *mode, *start, *end; } cases[] = {
    { "a", none, ": it was destroyed, or never made\n" },
    { "b", none, ": it was destroyed, or never made\n" },
    { "c", none, ": it was destroyed, or never made\n" },
    { "d", none, ": it was destroyed, or never made\n" },
    { "e", "there is no memory allocator 0x9: it was destroyed, or never made\n", "\n" },
    { "f", "there is no memory allocator 0x10000ffffff: it was destroyed, or never made\n", "\n" },
    { "g", none, ": it was destroyed, or never made\n" },
    { "h", "omp_destroy_allocator: there is no allocator 0x", "\n" },
    { "i", "omp_realloc: the allocator of 0x", " was destroyed\n" },
    { "j", "omp_free: 0x", address }, { "k", "omp_free: 0x", address },
    { "l", "omp_free: 0x", address }, { "m", "omp_realloc: 0x", address },
    { "n", "GOMP_free: 0x", address } };

  if (argc > 1)
    {
      child (argv[1][0]);
      return 0;
    }
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      int status = run_self ("", cases[i].mode);
      char want[200];
      snprintf (want, sizeof want, "\nlibgomp: %s", cases[i].start);
      size_t len = strlen (run_output), end = strlen (cases[i].end);
      if (status != 1 || strncmp (run_output, want, strlen (want)) != 0 || len < end
	  || strcmp (run_output + len - end, cases[i].end) != 0
	  || strstr (run_output, "still here"))
	run_complain (cases[i].mode, "not: ", want);
    }
  return run_failures != 0;
}
