/* Pinned memory is locked while it is in use; what may not be locked is no memory.  */

#include <errno.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static int failures;
#define CHECK(x) do if (!(x)) { printf ("FAIL line %d: %s\n", __LINE__, #x); failures++; } while (0)

#define PINNED ((omp_allocator_handle_t) 200)

/* Locked kB of the process.  */
static long
locked (void)
{
  char line[256];
  long kb = -1;
  FILE *f = fopen ("/proc/self/status", "r");
  while (f != NULL && fgets (line, sizeof line, f) != NULL)
    if (sscanf (line, "VmLck: %ld", &kb) == 1)
      break;
  if (f != NULL)
    fclose (f);
  return kb;
}

static omp_allocator_handle_t
pinned (omp_alloctrait_value_t fallback, size_t align)
{
  omp_alloctrait_t t[] = { { omp_atk_pinned, omp_atv_true }, { omp_atk_fallback, fallback },
			   { omp_atk_alignment, align } };
  return omp_init_allocator (omp_default_mem_space, 3, t);
}

int
main (void)
{
  size_t page = sysconf (_SC_PAGESIZE);
  struct rlimit limit = { 1 << 20, 1 << 20 };
  void *probe = mmap (NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  setrlimit (RLIMIT_MEMLOCK, &limit);
  if (probe == MAP_FAILED || mlock (probe, page) != 0 || locked () <= 0)
    {
      puts ("memory cannot be locked here");
      return 77;
    }
  munlock (probe, page);
  long before = locked ();

  omp_allocator_handle_t h[4] = { PINNED, pinned (omp_atv_null_fb, 64), pinned (omp_atv_null_fb, 65536),
				  pinned (omp_atv_default_mem_fb, 1) };
  CHECK (locked () == before);	/* nothing is, before something is allocated */
  for (int i = 0; i < 4; i++)
    {
      static const size_t aligns[] = { 16, 64, 65536, 16 };
      char *p = omp_alloc (100000, h[i]);
      CHECK (p != NULL && (uintptr_t) p % aligns[i] == 0);
      CHECK (locked () >= before + 97);
      for (int k = 0; k < 100000; k++)
	failures += p[k] != 0;
      memset (p, 1, 100000);
      p = omp_realloc (p, 200000, h[i], h[i]);
      CHECK (p != NULL && (uintptr_t) p % aligns[i] == 0 && p[0] == 1 && p[99999] == 1);
      CHECK (locked () >= before + 195);
      p = omp_realloc (p, 5000, omp_default_mem_alloc, h[i]);
      CHECK (locked () == before && p[4999] == 1);
      p = omp_realloc (p, 6000, h[i], h[i]);
      CHECK (locked () > before && p[4999] == 1);
      omp_free (p, omp_null_allocator);
      CHECK (locked () == before);
      p = omp_aligned_calloc (8192, 3, 1000, h[i]);
      CHECK (p != NULL && (uintptr_t) p % 8192 == 0 && p[2999] == 0);
      omp_free (p, h[i]);
      CHECK (locked () == before);
    }

  if (geteuid () == 0)
    {
      /* The limit is none for root; another user has it.  */
      if (setuid (65534) != 0)
	return 77;
      if (mlock (probe, page) == 0)
	munlock (probe, page);
    }
  errno = 1234;
  CHECK (omp_alloc (2 << 20, h[0]) == NULL);
  CHECK (omp_alloc (2 << 20, h[1]) == NULL);
  CHECK (omp_calloc (2, 1 << 20, h[2]) == NULL);
  char *p = omp_calloc (2, 1 << 20, h[3]);
  CHECK (p != NULL && p[(2 << 20) - 1] == 0);
  CHECK (locked () == before);
  omp_free (p, h[3]);
  CHECK (errno == 1234);
  p = omp_alloc (1000, h[0]);
  CHECK (p != NULL && omp_realloc (p, 2 << 20, h[0], h[0]) == NULL);
  omp_free (p, h[0]);
  for (int i = 1; i < 4; i++)
    omp_destroy_allocator (h[i]);
  return failures != 0;
}
