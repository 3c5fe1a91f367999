/* Memory that is not pinned goes by way of memory that is, whatever its size and alignment, with map
   clauses and update: no byte is lost, none beside them changes, and the device never sees other
   memory for what comes back (pinned_only).
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=pinned,pinned_only,pinned_memory=16777216  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Around what goes along with a command, by way of a block (2 * 16 KiB) and through the ring.  */
static const size_t sizes[] = { 1, 2, 63, 64, 65, 4095, 4096, 4097, 16383, 16384, 16385, 32767, 32768,
				32769, 65535, 65536, 65537, 131072, 1000001, (1 << 20) - 1, 1 << 20,
				(5 << 20) + 3 };
enum { NUM_SIZES = sizeof (sizes) / sizeof (sizes[0]), MOST = (5 << 20) + 3, ROOM = MOST + 64 };

static int failures;
static unsigned char *memory;

static unsigned char
pattern (size_t i, unsigned seed)
{
  return i * 7 + (i >> 8) * 13 + (i >> 16) * 31 + seed;
}

static void
check (const unsigned char *p, size_t n, unsigned seed, const char *what)
{
  for (size_t i = 0; i < n; i++)
    if (p[i] != pattern (i, seed))
      {
	printf ("FAIL: %s, %zu bytes at %p: byte %zu is %u instead of %u\n", what, n, (void *) p, i,
		p[i], pattern (i, seed));
	failures++;
	return;
      }
  if (p[-1] != 0xee || p[n] != 0xee)
    {
      printf ("FAIL: %s, %zu bytes: the byte %s them has changed\n", what, n,
	      p[-1] != 0xee ? "before" : "after");
      failures++;
    }
}

static void
one (size_t n, size_t shift)
{
  unsigned char *p = memory + 32 + shift;
  int wrong = 0;

  memset (memory, 0xee, ROOM);
  for (size_t i = 0; i < n; i++)
    p[i] = pattern (i, 1);
#pragma omp target map (tofrom: p[:n], wrong)
  for (size_t i = 0; i < n; i++)
    {
      wrong += p[i] != pattern (i, 1);
      p[i] = pattern (i, 2);
    }
  if (wrong)
    {
      printf ("FAIL: %zu bytes: %d of them are wrong on the device\n", n, wrong);
      failures++;
    }
  check (p, n, 2, "tofrom");

#pragma omp target enter data map (alloc: p[:n])
  for (size_t i = 0; i < n; i++)
    p[i] = pattern (i, 3);
#pragma omp target update to (p[:n])
  memset (p, 0, n);
#pragma omp target map (alloc: p[:n])
  for (size_t i = 0; i < n; i++)
    p[i]++;
#pragma omp target update from (p[:n])
  check (p, n, 4, "update");
#pragma omp target map (alloc: p[:n])
  for (size_t i = 0; i < n; i++)
    p[i]++;
#pragma omp target exit data map (from: p[:n])
  check (p, n, 5, "exit data");

  void *dev = omp_target_alloc (n, 0);
  if (dev == NULL || omp_target_memcpy (dev, p, n, 0, 0, 0, omp_get_initial_device ()) != 0)
    failures++;
  memset (p, 0, n);
  if (omp_target_memcpy (p, dev, n, 0, 0, omp_get_initial_device (), 0) != 0)
    failures++;
  check (p, n, 5, "omp_target_memcpy");
  omp_target_free (dev, 0);
}

/* Several in one construct.  */
static void
together (void)
{
  enum { N = 6 };
  static const size_t n[N] = { 100, 5000, 40000, 2000000, 33000, 1 };
  unsigned char *v[N];

  for (int k = 0; k < N; k++)
    {
      v[k] = (unsigned char *) malloc (n[k] + 2) + 1;
      v[k][-1] = v[k][n[k]] = 0xee;
      for (size_t i = 0; i < n[k]; i++)
	v[k][i] = pattern (i, k);
    }
  unsigned char *a = v[0], *b = v[1], *c = v[2], *d = v[3], *e = v[4], *f = v[5];
  for (int round = 0; round < 3; round++)
    {
#pragma omp target map (tofrom: a[:100], b[:5000], c[:40000], d[:2000000], e[:33000], f[:1])
      {
	for (int i = 0; i < 100; i++) a[i]++;
	for (int i = 0; i < 5000; i++) b[i]++;
	for (int i = 0; i < 40000; i++) c[i]++;
	for (int i = 0; i < 2000000; i++) d[i]++;
	for (int i = 0; i < 33000; i++) e[i]++;
	f[0]++;
      }
      for (int k = 0; k < N; k++)
	check (v[k], n[k], k + round + 1, "together");
    }
  for (int k = 0; k < N; k++)
    free (v[k] - 1);
}

int
main (void)
{
  memory = malloc (ROOM);
  for (int k = 0; k < NUM_SIZES; k++)
    for (size_t shift = 0; shift < 8; shift += 7)
      one (sizes[k], shift);
  together ();
  /* Memory that the program has pinned goes as it is.  */
  omp_alloctrait_t t[] = { { omp_atk_pinned, omp_atv_true }, { omp_atk_fallback, omp_atv_null_fb } };
  omp_allocator_handle_t h = omp_init_allocator (omp_default_mem_space, 2, t);
  unsigned char *p = omp_alloc (1000002, h);
  if (p == NULL)
    failures++;
  else
    {
      p[0] = p[1000001] = 0xee;
      unsigned char *q = p + 1;
      for (size_t i = 0; i < 1000000; i++)
	q[i] = pattern (i, 1);
#pragma omp target map (tofrom: q[:1000000])
      for (size_t i = 0; i < 1000000; i++)
	q[i]++;
      check (q, 1000000, 2, "pinned");
      omp_free (p, h);
    }
  /* Everything can be given back.  */
  if (omp_pause_resource (omp_pause_hard, 0) != 0)
    {
      puts ("FAIL: the device cannot be closed");
      failures++;
    }
  one (1000001, 0);
  free (memory);
  return failures != 0;
}
