/* Memory of which the program has registered a part with CUDA, and the rest not, is copied all the same: the driver
   refuses such a copy, so that it goes by way of other memory.  Constructs, omp_target_memcpy, what a region
   on the host changes; small and large, with the part at the begin, in the middle and at the end.
   TEST-MODES: fake
   TEST-OPTIONS: -I@top_srcdir@/plugin -D_GNU_SOURCE  */

#include "aux-fake.h"
#include "cuda-api.h"

#include <omp.h>
#include <string.h>

#define PROTOTYPE(base, suffix, version, parameters) extern CUresult base##suffix parameters;
CUDA_FUNCTIONS (PROTOTYPE, PROTOTYPE)

static int failures;
#define CHECK(x) do if (!(x)) { printf ("FAIL line %d, %zu bytes, part at %zu: %s\n", __LINE__, size, part, #x); failures++; } while (0)

static unsigned char
value (size_t i, unsigned round)
{
  return (unsigned char) (i * 7 + (i >> 8) + round);
}

/* Is it what VALUE says of ROUND?  */
static int
is (const unsigned char *a, size_t size, unsigned round)
{
  for (size_t i = 0; i < size; i++)
    if (a[i] != value (i, round))
      return 0;
  return 1;
}

static void
set (unsigned char *a, size_t size, unsigned round)
{
  for (size_t i = 0; i < size; i++)
    a[i] = value (i, round);
}

/* [A, A + SIZE), of which so many bytes from PART on are registered.  */
static void
go (unsigned char *a, size_t size, size_t part, size_t length)
{
  int host = omp_get_initial_device ();
  unsigned char *dev = omp_target_alloc (size, 0);

  CHECK (FAKE_CUDA (cuMemHostRegister_v2) (a + part, length, 0) == CUDA_SUCCESS);
  set (a, size, 1);
#pragma omp target enter data map (to: a[:size])
  set (a, size, 2);
#pragma omp target update from (a[:size])
  CHECK (is (a, size, 1));
  set (a, size, 3);
#pragma omp target update to (a[:size])
  set (a, size, 4);
#pragma omp target exit data map (from: a[:size])
  CHECK (is (a, size, 3));
#pragma omp target map (tofrom: a[:size])
  for (size_t i = 0; i < size; i++)
    a[i]++;
  CHECK (is (a, size, 4));
  set (a, size, 5);
  CHECK (omp_target_memcpy (dev, a, size, 0, 0, 0, host) == 0);
  set (a, size, 6);
  CHECK (omp_target_memcpy (a, dev, size, 0, 0, host, 0) == 0);
  CHECK (is (a, size, 5));
  CHECK (FAKE_CUDA (cuMemHostUnregister) (a + part) == CUDA_SUCCESS);
  omp_target_free (dev, 0);
}

int
main (void)
{
  static const size_t sizes[] = { 24, 300, 4000, 5000, 60000, 70000, 3000000 };
  CUcontext context;
  unsigned char *block = aligned_alloc (4096, 8 << 20);
  size_t size = 0, part = 0;
  unsigned refused = 0;

  CHECK (omp_get_num_devices () == 1 && block != NULL);
  /* In front of the first registration.  */
#pragma omp target
  { }
  CHECK (FAKE_CUDA (cuDevicePrimaryCtxRetain) (&context, 0) == 0 && FAKE_CUDA (cuCtxPushCurrent_v2) (context) == 0);
  if (failures)
    return 1;
  for (unsigned i = 0; i < sizeof (sizes) / sizeof (sizes[0]); i++)
    {
      size_t n = sizes[i];
      go (block, n, 0, n / 2);
      go (block, n, n / 3, n / 3);
      go (block + 100, n, n / 2, n);
      go (block, n, 0, n);
    }
  /* The driver does refuse it.  */
  CUdeviceptr p;
  CHECK (FAKE_CUDA (cuMemAlloc_v2) (&p, 100) == 0 && FAKE_CUDA (cuMemHostRegister_v2) (block, 50, 0) == 0);
  refused += FAKE_CUDA (cuMemcpyHtoD_v2) (p, block, 100) == CUDA_ERROR_INVALID_VALUE;
  refused += FAKE_CUDA (cuMemcpyDtoH_v2) (block + 49, p, 2) == CUDA_ERROR_INVALID_VALUE;
  CHECK (refused == 2);
  return failures != 0;
}
