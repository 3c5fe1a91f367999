/* The partition trait on a machine with four nodes, of which one has no memory.  The library
   calls this program's syscall () and so sees that machine: nodes 0, 1 and 65.
   TEST-OPTIONS: -D_GNU_SOURCE -rdynamic
   TEST-SKIP-SANITIZER: address its allocator calls before this program has started
   TEST-SKIP-SANITIZER: thread its runtime calls before this program has started  */

#include <dlfcn.h>
#include <errno.h>
#include <omp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int failures;
#define CHECK(x) do if (!(x)) { printf ("FAIL line %d: %s\n", __LINE__, #x); failures++; } while (0)

static struct call
{
  char *start;
  size_t size;
  long policy;
  unsigned long mask[2];
  size_t bits;
} calls[16];
static int count, refuse;

long
syscall (long number, ...)
{
  static long (*real) (long, ...);
  long a[6];
  va_list list;
  va_start (list, number);
  for (int i = 0; i < 6; i++)
    a[i] = va_arg (list, long);
  va_end (list);

  if (number == SYS_get_mempolicy && a[4] == 4 && a[2] >= 128)
    {
      unsigned long *mask = (unsigned long *) a[1];
      mask[0] = 3;
      mask[1] = 2;
      return 0;
    }
  if (number == SYS_mbind)
    {
      struct call *c = &calls[count++ % 16];
      *c = (struct call) { (char *) a[0], a[1], a[2], { 0, 0 }, a[4] };
      if (a[3] != 0)
	memcpy (c->mask, (void *) a[3], sizeof c->mask);
      errno = EPERM;
      return refuse ? -1 : 0;
    }
  if (real == NULL)
    real = (long (*) (long, ...)) dlsym (RTLD_NEXT, "syscall");
  return real (number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static char *
get (omp_alloctrait_value_t partition, size_t size, size_t align)
{
  omp_alloctrait_t t[] = { { omp_atk_partition, partition }, { omp_atk_alignment, align },
			   { omp_atk_fallback, omp_atv_null_fb } };
  omp_allocator_handle_t h = omp_init_allocator (omp_default_mem_space, 3, t);
  count = 0;
  errno = 77;
  char *p = omp_calloc (1, size, h);
  CHECK (errno == 77);
  CHECK (p != NULL && (uintptr_t) p % align == 0);
  for (size_t i = 0; i < size; i += 1000)
    CHECK (p[i] == 0);
  memset (p, 1, size);
  return p;
}

int
main (void)
{
  size_t page = sysconf (_SC_PAGESIZE), size = 100 * page;
  for (refuse = 0; refuse < 2; refuse++)
    {
      char *p = get (omp_atv_nearest, size, 1);
      CHECK (count == 1 && calls[0].policy == 1 && calls[0].bits == 0);
      CHECK (calls[0].start < p && calls[0].start + calls[0].size >= p + size);
      omp_free (p, omp_null_allocator);

      p = get (omp_atv_interleaved, size, 4 * page);
      CHECK (count == 1 && calls[0].policy == 3 && calls[0].bits >= 128);
      CHECK (calls[0].mask[0] == 3 && calls[0].mask[1] == 2);
      CHECK (calls[0].start < p && calls[0].start + calls[0].size >= p + size);
      p = omp_realloc (p, 2 * size, omp_null_allocator, omp_null_allocator);
      CHECK (count == 2 && p != NULL && p[size - 1] == 1);
      omp_free (p, omp_null_allocator);

      p = get (omp_atv_blocked, size, 1);
      CHECK (count == 3);
      static const unsigned long masks[3][2] = { { 1, 0 }, { 2, 0 }, { 0, 2 } };
      for (int i = 0; i < 3; i++)
	{
	  CHECK (calls[i].policy == 1 && memcmp (calls[i].mask, masks[i], sizeof masks[i]) == 0);
	  CHECK (calls[i].size / page >= 33 && calls[i].size / page <= 34);
	  CHECK (i == 0 || calls[i].start == calls[i - 1].start + calls[i - 1].size);
	}
      CHECK (calls[0].start < p && calls[2].start + calls[2].size >= p + size);
      omp_free (p, omp_null_allocator);

      p = get (omp_atv_environment, size, 1);
      CHECK (count == 0);
      omp_free (p, omp_null_allocator);
      p = get (omp_atv_blocked, 2 * page, 1);
      CHECK (count == 0);
      omp_free (p, omp_null_allocator);
    }
  return failures != 0;
}
