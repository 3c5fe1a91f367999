/* reverse.c -- regions that call the host: target device (ancestor: 1).

   Times are for one call, of all threads together.  The calls are written as GCC 13 and newer emit them, so that any
   compiler will do.  "reverse/4" is: 4 threads of the device call at the same time.  Rows print
   nothing on devices that do not run regions, or run them on the host.  */

#include "../bench.h"
#include <stdint.h>

extern void GOMP_target_ext (int, void (*) (void *), size_t, void **, size_t *, unsigned short *,
			     unsigned, void **, void **);

/* A function that the tables name, as for a target construct.  */
#define REGION(name)							\
  static void name (void *);						\
  static void (*name##_entry) (void *)					\
    __attribute__ ((used, section (".gnu.offload_funcs"))) = name;	\
  static void name (void *name##_arg)

enum { TOFROM = 3, VALUE = 13, ALWAYS_TOFROM = 0x13 };

static long calls;		/* on the host */

REGION (on_host)
{
  (void) on_host_arg;
  __atomic_fetch_add (&calls, 1, __ATOMIC_RELAXED);
}

static void
call (size_t n, void **addrs, size_t *sizes, unsigned short *kinds)
{
  void *no_args = NULL;
  GOMP_target_ext (-2, on_host, n, addrs, sizes, kinds, 0, NULL, &no_args);
}

REGION (empty)
{
  long count = (long) ((void **) empty_arg)[0];
  for (long k = 0; k < count; k++)
    call (0, NULL, NULL, NULL);
}

REGION (local_int)
{
  long count = (long) ((void **) local_int_arg)[0];
  int x = 1;
  void *addrs[] = { &x };
  size_t sizes[] = { sizeof (x) };
  unsigned short kinds[] = { TOFROM };
  for (long k = 0; k < count; k++)
    call (1, addrs, sizes, kinds);
}

REGION (mapped_int)
{
  long count = (long) ((void **) mapped_int_arg)[0];
  void *addrs[] = { ((void **) mapped_int_arg)[1] };
  size_t sizes[] = { sizeof (int) };
  unsigned short kinds[] = { ALWAYS_TOFROM };
  for (long k = 0; k < count; k++)
    call (1, addrs, sizes, kinds);
}

static char block[16384];

REGION (local_16k)
{
  long count = (long) ((void **) local_16k_arg)[0];
  void *addrs[] = { block };
  size_t sizes[] = { sizeof (block) };
  unsigned short kinds[] = { TOFROM };
  for (long k = 0; k < count; k++)
    call (1, addrs, sizes, kinds);
}

REGION (several)
{
  long count = (long) ((void **) several_arg)[0];
  int threads = (int) (long) ((void **) several_arg)[1];
#pragma omp parallel num_threads (threads)
  for (long k = 0; k < count; k++)
    call (0, NULL, NULL, NULL);
}

static void
launch (void (*fn) (void *), long count, void *second, int kind)
{
  void *args[] = { (void *) -130816L, (void *) 0x200L, NULL };
  void *addrs[] = { (void *) count, second };
  size_t sizes[] = { 0, kind == TOFROM ? sizeof (int) : 0 };
  unsigned short kinds[] = { VALUE, kind };
  GOMP_target_ext (-1, fn, 2, addrs, sizes, kinds, 0, NULL, args);
}

static int
called_back (void)
{
  if (omp_get_num_devices () == 0)
    return 0;
  calls = 0;
  launch (empty, 1, NULL, VALUE);
  return calls == 1;
}

static int mapped;

static void run_empty (long count) { launch (empty, count, NULL, VALUE); }
static void run_local_int (long count) { launch (local_int, count, NULL, VALUE); }
static void run_mapped_int (long count) { launch (mapped_int, count, &mapped, TOFROM); }
static void run_local_16k (long count) { launch (local_16k, count, NULL, VALUE); }
static void run_4 (long count) { launch (several, count, (void *) 4L, VALUE); }
static void run_64 (long count) { launch (several, count, (void *) 64L, VALUE); }

static const struct bench_row rows[] =
{
  { "reverse", run_empty, .before = called_back },
  { "reverse/local-int", run_local_int, .before = called_back },
  { "reverse/mapped-int-always", run_mapped_int, .before = called_back },
  { "reverse/local-16K", run_local_16k, .before = called_back },
  { "reverse/4", run_4, .before = called_back, .parts = 4 },
  { "reverse/64", run_64, .before = called_back, .parts = 64 },
};

int
main (int argc, char **argv)
{
  return bench_main (argc, argv, rows, sizeof (rows) / sizeof (rows)[0]);
}
