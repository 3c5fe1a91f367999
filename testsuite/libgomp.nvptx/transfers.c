/* What is copied to a GPU and back arrives, in all sizes: bytes, what goes by way of pinned memory,
   arrays together, bulk data through the ring, boxes whose rows lie apart, pinned memory of the program.  Nothing is
   left over when the device has been closed.
   TEST-MODES: fake fakeold
   TEST-ENV: FAKE_CUDA_LEAKS=1  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
#define CHECK(x) do if (!(x)) { printf ("FAIL line %d: %s\n", __LINE__, #x); failures++; } while (0)

static void
plain (size_t n)
{
  int host = omp_get_initial_device ();
  char *a = malloc (n), *b = calloc (n, 1), *dev = omp_target_alloc (n, 0);

  for (size_t i = 0; i < n; i++)
    a[i] = i * 7 + (i >> 12);
  CHECK (dev != NULL);
  CHECK (omp_target_memcpy (dev, a, n, 0, 0, 0, host) == 0);
  CHECK (omp_target_memcpy (b, dev, n, 0, 0, host, 0) == 0);
  CHECK (memcmp (a, b, n) == 0);
#pragma omp target enter data map (to: a[:n])
  memset (a, 0, n);
#pragma omp target exit data map (from: a[:n])
  CHECK (memcmp (a, b, n) == 0);
  omp_target_free (dev, 0);
  free (a);
  free (b);
}

static void
box (void)
{
  enum { PLANES = 5, ROWS = 60, WIDTH = 30001 };
  int host = omp_get_initial_device ();
  const size_t volume[3] = { PLANES, ROWS, WIDTH }, at[3] = { 1, 1, 1 },
	       dims[3] = { PLANES + 2, ROWS + 3, WIDTH + 9 },
	       dev_dims[3] = { PLANES + 1, ROWS + 1, WIDTH + 1 };
  size_t n = dims[0] * dims[1] * dims[2];
  char *a = malloc (n), *b = calloc (n, 1);
  char *dev = omp_target_alloc (dev_dims[0] * dev_dims[1] * dev_dims[2], 0);

  for (size_t i = 0; i < n; i++)
    a[i] = i * 11;
  CHECK (omp_target_memcpy_rect (dev, a, 1, 3, volume, at, at, dev_dims, dims, 0, host) == 0);
  CHECK (omp_target_memcpy_rect (b, dev, 1, 3, volume, at, at, dims, dev_dims, host, 0) == 0);
  for (size_t z = 0; z < PLANES; z++)
    for (size_t y = 0; y < ROWS; y++)
      {
	size_t start = ((z + 1) * dims[1] + y + 1) * dims[2] + 1;
	CHECK (memcmp (a + start, b + start, WIDTH) == 0);
	CHECK (b[start - 1] == 0 && b[start + WIDTH] == 0);
      }
  omp_target_free (dev, 0);
  free (a);
  free (b);
}

static void
pinned (void)
{
  enum { N = 5 << 20 };
  omp_alloctrait_t t[] = { { omp_atk_pinned, omp_atv_true }, { omp_atk_fallback, omp_atv_null_fb } };
  omp_allocator_handle_t h = omp_init_allocator (omp_default_mem_space, 2, t);
  char *p = omp_alloc (N, h);

  CHECK (p != NULL);
  memset (p, 3, N);
#pragma omp target enter data map (to: p[:N])
  memset (p, 4, N);
#pragma omp target exit data map (from: p[:N])
  int wrong = 0;
  for (int i = 0; i < N; i++)
    wrong += p[i] != 3;
  CHECK (wrong == 0);
  omp_free (p, h);
}

/* Several arrays that travel as one, each at any address and of any size, and nothing around them changes.  */
static void
packed (size_t n, size_t shift)
{
  enum { ROOM = 80 << 10 };
  static char memory[4][ROOM];
  for (int k = 0; k < 4; k++)
    for (size_t i = 0; i < ROOM; i++)
      memory[k][i] = i * 3 + k;
  size_t na = n, nb = n + 1, nc = n / 2 + 3;
  char *a = memory[0] + 64 + shift, *b = memory[1] + 65 + shift, *c = memory[2] + 127, *d = memory[3] + 64;
#pragma omp target map (tofrom: a[:na], b[:nb]) map (to: c[:nc]) map (from: d[:nc])
  {
    for (size_t i = 0; i < na; i++)
      a[i] += b[i];
    for (size_t i = 0; i < nb; i++)
      b[i] += 1;
    for (size_t i = 0; i < nc; i++)
      d[i] = c[i] ^ 0x55;
  }
  size_t wrong = 0;
  for (int k = 0; k < 4; k++)
    for (size_t i = 0; i < ROOM; i++)
      {
	char was = i * 3 + k, *at = &memory[k][i];
	if (at >= a && at < a + na)
	  was += (char) ((b - memory[1] + (at - a)) * 3 + 1);
	else if (at >= b && at < b + nb)
	  was += 1;
	else if (at >= d && at < d + nc)
	  was = (char) ((c - memory[2] + (at - d)) * 3 + 2) ^ 0x55;
	wrong += *at != was;
      }
  if (wrong > 0)
    printf ("arrays of %zu bytes at %zu: %zu bytes are wrong\n", n, shift, wrong), failures++;
}

int
main (void)
{
  static const size_t sizes[] = { 5, 4096, 4097, 70000, 1 << 20, (2 << 20) + 5, (40 << 20) + 77 };

  CHECK (omp_get_num_devices () == 1);
  for (size_t k = 0; k < sizeof (sizes) / sizeof (sizes[0]); k++)
    plain (sizes[k]);
  box ();
  pinned ();
  for (size_t shift = 0; shift < 70; shift += 23)
    for (size_t n = 900; n < 70000; n = n * 3 + shift)
      packed (n, shift);
  CHECK (omp_pause_resource (omp_pause_hard, 0) == 0);
  return failures != 0;
}
