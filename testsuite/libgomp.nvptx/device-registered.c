/* Memory that the program has registered with CUDA, or got with the trait "pinned", is copied from where it is, at once;
   other memory is not.
   TEST-OPTIONS: -I@top_srcdir@/plugin -D_GNU_SOURCE  */

#include "aux-fake.h"
#include "cuda-api.h"

#include <omp.h>
#include <string.h>

#define PROTOTYPE(base, suffix, version, parameters) extern CUresult base##suffix parameters;
CUDA_FUNCTIONS (PROTOTYPE, PROTOTYPE)

enum { N = 24 << 20 };
static int failures;
#define CHECK(x) do if (!(x)) { printf ("FAIL line %d: %s\n", __LINE__, #x); failures++; } while (0)

/* The driver's copies of BLOCK to the device and back.  */
static unsigned long
copies (char *block)
{
  unsigned long before = FAKE_CUDA (fake_cuda_calls) ("cuMemcpyHtoDAsync")
			 + FAKE_CUDA (fake_cuda_calls) ("cuMemcpyDtoHAsync");
  memset (block, 1, N);
#pragma omp target enter data map (to: block[:N])
  memset (block, 2, N);
#pragma omp target exit data map (from: block[:N])
  CHECK (block[0] == 1 && block[N / 2] == 1 && block[N - 1] == 1);
  return (FAKE_CUDA (fake_cuda_calls) ("cuMemcpyHtoDAsync") + FAKE_CUDA (fake_cuda_calls) ("cuMemcpyDtoHAsync")
	  - before);
}

int
main (void)
{
  CUcontext context;
  omp_alloctrait_t t[] = { { omp_atk_pinned, omp_atv_true }, { omp_atk_fallback, omp_atv_null_fb } };
  omp_allocator_handle_t h = omp_init_allocator (omp_default_mem_space, 2, t);
  char *block = aligned_alloc (4096, N), *pinned = omp_alloc (N, h);

  CHECK (omp_get_num_devices () == 1);
  if (block == NULL || pinned == NULL || failures)
    return 1;
  CHECK (copies (block) > 2);
  CHECK (FAKE_CUDA (cuDevicePrimaryCtxRetain) (&context, 0) == 0 && FAKE_CUDA (cuCtxPushCurrent_v2) (context) == 0);
  CHECK (FAKE_CUDA (cuMemHostRegister_v2) (block, N, 0) == 0);
  CHECK (copies (block) == 2);
  CHECK (FAKE_CUDA (cuMemHostUnregister) (block) == 0);
  CHECK (copies (block) > 2);
  CHECK (copies (pinned) == 2);
  omp_free (pinned, h);
  free (block);
  return failures != 0;
}
