/* omp_target_is_accessible answers for device addresses, too: memory of omp_target_alloc, what a variable
   is mapped to, and a declare target variable, each no further than it goes.  What the device has for
   itself is no memory of the host; sizes have to be positive.
   TEST-OPTIONS: -I@srcdir@/libgomp.offload -D_GNU_SOURCE
   TEST-MODES: host cpu2 test fake gcnsim gpu */

#include "aux-device-api.h"

static int failures, host;
#define CHECK(x) do if (!(x)) { printf ("FAIL line %d: %s\n", __LINE__, #x); failures++; } while (0)

static int table[30];
#pragma omp declare target (table)

/* P has N bytes on device D and on no other.  */
static void
block (const char *p, size_t n, int d)
{
  CHECK (p != NULL && is_accessible (p, n, d) == 1 && is_accessible (p, 1, d) == 1);
  CHECK (is_accessible (p + n - 1, 1, d) == 1 && is_accessible (p + n / 3, n / 3, d) == 1);
  CHECK (is_accessible (p, 0, d) == 0);
  CHECK (is_accessible (p, n, host) == 0 && is_accessible (p + n - 1, 1, host) == 0
	 && is_accessible (p, n, -1 /* omp_initial_device */) == 0);
  CHECK (is_accessible (p, n + 1, d) == 0 && is_accessible (p + 1, n, d) == 0);
  CHECK (is_accessible (p + n - 1, 2, d) == 0 && is_accessible (p, n << 10, d) == 0);
  CHECK (is_accessible (p, (size_t) -1, d) == 0 && is_accessible (p + 1, (size_t) -2, d) == 0);
}

static void
device (int d)
{
  enum { BLOCKS = 300 };
  static char *p[BLOCKS];
  size_t size[BLOCKS];
  for (int i = 0; i < BLOCKS; i++)
    {
      size[i] = i % 7 == 0 ? 300000 + i : 10 + 37 * i;
      p[i] = omp_target_alloc (size[i], d);
    }
  for (int i = 0; i < BLOCKS; i += 11)
    {
      block (p[i], size[i], d);
      omp_target_free (p[i], d);
      CHECK (is_accessible (p[i], 1, d) == 0);
      p[i] = NULL;
    }
  for (int i = 0; i < BLOCKS; i++)
    omp_target_free (p[i], d);

  int a[100] = { 0 };
#pragma omp target enter data map (to: a) device (d)
  block (mapped_ptr (a, d), sizeof (a), d);
  CHECK (is_accessible (a, sizeof (a), host) == 1 && is_accessible (a, 0, host) == 0);
  /* A block that is mapped still is no memory of the device at the host's address.  */
  CHECK (omp_target_is_present (a, d) && is_accessible (a, sizeof (a), d) == 0);
  char *gone = mapped_ptr (a, d);
#pragma omp target exit data map (delete: a) device (d)
  CHECK (is_accessible (gone, 1, d) == 0);
  if (mapped_ptr (table, d) != NULL)
    CHECK (is_accessible (mapped_ptr (table, d), sizeof (table), d) == 1);
}

int
main (void)
{
  get_routines ();
  int h = host = omp_get_initial_device ();
  for (int d = 0; d < h; d++)
    device (d);
  if (h > 1)
    {
      /* Room for more than the other device has in use.  */
      char *p = omp_target_alloc (64 << 20, 0);
      CHECK (is_accessible (p + (63 << 20), 1 << 20, 0) == 1);
      CHECK (is_accessible (p + (63 << 20), 1 << 20, 1) == 0);
      omp_target_free (p, 0);
    }
  char *p = omp_target_alloc (100, h);
  CHECK (is_accessible (p, 100, h) == 1);
  omp_target_free (p, h);
  return failures != 0;
}
