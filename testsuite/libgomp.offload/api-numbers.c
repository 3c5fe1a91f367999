/* Every device routine with every way to name the host, a device and nothing: abi/target section 7.
   TEST-OPTIONS: -D_GNU_SOURCE
   TEST-MODES: host cpu2 test
   TEST-ENV: GOMPX_TEST_PLUGIN=devices=2  */

#include "aux-device-api.h"

static int failures;
#define CHECK(x) do if (!(x)) { printf ("FAIL line %d, device %d: %s\n", __LINE__, number, #x); failures++; } while (0)

static const size_t one[2] = { 1, 1 }, zero[2] = { 0, 0 }, dims[2] = { 4, 4 };
static int h;

static int
rect (void *dst, const void *src, int to, int from)
{
  return omp_target_memcpy_rect (dst, src, 4, 2, one, zero, zero, dims, dims, to, from);
}

static int
rect_later (void *dst, const void *src, int to, int from)
{
  return rect_async (dst, src, 4, 2, one, zero, zero, dims, dims, to, from, 0, NULL);
}

/* NUMBER means the host.  */
static void
host (int number)
{
  int a = 1, b = 2;
  void *p = omp_target_alloc (0, number), *q = omp_target_alloc (100, number);
  CHECK (p != NULL && q != NULL);
  memset (q, 1, 100);
  omp_target_free (p, number);
  free (q);			/* it is ordinary memory */
  omp_target_free (NULL, number);
  CHECK (omp_target_is_present (&a, number) == 1 && omp_target_is_present (NULL, number) == 0);
  CHECK (omp_target_memcpy (&b, &a, 4, 0, 0, number, number) == 0 && b == 1);
  a = 3;
  CHECK (memcpy_async (&b, &a, 4, 0, 0, number, number, 0, NULL) == 0);
#pragma omp taskwait
  CHECK (b == 3);
  a = 4;
  CHECK (rect (&b, &a, number, number) == 0 && b == 4);
  a = 5;
  CHECK (rect_later (&b, &a, number, number) == 0);
#pragma omp taskwait
  CHECK (b == 5);
  CHECK (set_memory (&a, 1, 4, number) == &a && a == 0x01010101);
  CHECK (set_memory_async (&a, 2, 4, number, 0, NULL) == &a);
#pragma omp taskwait
  CHECK (a == 0x02020202);
  CHECK (set_memory (NULL, 2, 0, number) == NULL);
  CHECK (mapped_ptr (&a, number) == &a && mapped_ptr (NULL, number) == NULL);
  CHECK (is_accessible (&a, 4, number) == 1 && is_accessible (&a, 0, number) == 0);
  CHECK (is_accessible (NULL, 4, number) == 0);
  CHECK (omp_target_associate_ptr (&a, &b, 4, 0, number) == EINVAL);
  CHECK (omp_target_disassociate_ptr (&a, number) == EINVAL);
  CHECK (strcmp (uid_of (number), "OMP_INITIAL_DEVICE") == 0);
  CHECK (omp_pause_resource (omp_pause_soft, number) == 0);
}

/* NUMBER means device REAL.  */
static void
device (int number, int real)
{
  int a = 1, b = 2;
  int *p = omp_target_alloc (100, number);
  CHECK (p != NULL);
  CHECK (omp_target_memcpy (p, &a, 4, 8, 0, number, h) == 0);
  CHECK (omp_target_memcpy (&b, p, 4, 0, 8, -1, real) == 0 && b == 1);
  a = 3;
  CHECK (memcpy_async (p, &a, 4, 0, 0, number, -1, 0, NULL) == 0);
#pragma omp taskwait
  CHECK (omp_target_memcpy (p, p, 4, 12, 0, number, real) == 0);
  CHECK (omp_target_memcpy (&b, p, 4, 0, 12, h, number) == 0 && b == 3);
  a = 4;
  CHECK (rect (p, &a, number, h) == 0 && rect (&b, p, -1, number) == 0 && b == 4);
  a = 5;
  CHECK (rect_later (p, &a, number, h) == 0);
#pragma omp taskwait
  CHECK (rect (&b, p, -1, number) == 0 && b == 5);
  CHECK (set_memory (p, 1, 4, number) == p);
  CHECK (omp_target_memcpy (&b, p, 4, 0, 0, h, real) == 0 && b == 0x01010101);
  CHECK (set_memory_async (p, 2, 4, number, 0, NULL) == p);
#pragma omp taskwait
  CHECK (omp_target_memcpy (&b, p, 4, 0, 0, h, real) == 0 && b == 0x02020202);
  CHECK (set_memory (NULL, 2, 0, number) == NULL);
  CHECK (omp_target_memcpy (NULL, &a, 0, 0, 0, number, h) == 0);
  CHECK (omp_target_memcpy (NULL, &a, 4, 0, 0, number, h) == EINVAL);

  CHECK (omp_target_is_present (&a, number) == 0 && mapped_ptr (&a, number) == NULL);
  CHECK (is_accessible (&a, 4, number) == 0 && is_accessible (NULL, 4, number) == 0);
  CHECK (omp_target_associate_ptr (&a, p, 4, 16, number) == 0);
  CHECK (omp_target_is_present (&a, real) == 1 && mapped_ptr (&a, number) == p + 4);
  CHECK (mapped_ptr ((char *) &a + 3, number) == (char *) (p + 4) + 3);
  CHECK (omp_target_is_present (&a + 1, number) == 0 && mapped_ptr (&a + 1, number) == NULL);
  CHECK (omp_target_disassociate_ptr (&a, number) == 0);
  CHECK (omp_target_disassociate_ptr (&a, real) == EINVAL);
  omp_target_free (p, number);
  omp_target_free (NULL, number);
  CHECK (uid_of (number) != NULL && strcmp (uid_of (number), uid_of (real)) == 0);
  CHECK (device_of (uid_of (number)) == real);
  CHECK (omp_pause_resource (omp_pause_soft, number) == 0);
}

/* NUMBER means nothing.  */
static void
nothing (int number)
{
  int a = 1, b = 2;
  CHECK (omp_target_alloc (100, number) == NULL && omp_target_alloc (0, number) == NULL);
  omp_target_free (&a, number);
  CHECK (omp_target_is_present (&a, number) == 0 && omp_target_is_present (NULL, number) == 0);
  CHECK (omp_target_memcpy (&b, &a, 4, 0, 0, number, h) == EINVAL);
  CHECK (omp_target_memcpy (&b, &a, 4, 0, 0, h, number) == EINVAL);
  CHECK (memcpy_async (&b, &a, 4, 0, 0, number, h, 0, NULL) == EINVAL);
  CHECK (memcpy_async (&b, &a, 4, 0, 0, h, number, 0, NULL) == EINVAL);
  CHECK (rect (&b, &a, number, h) == EINVAL && rect (&b, &a, h, number) == EINVAL);
  CHECK (rect_later (&b, &a, number, h) == EINVAL && rect_later (&b, &a, h, number) == EINVAL);
  /* The question for the number of dimensions comes first.  */
  CHECK (rect (NULL, NULL, number, number) == INT_MAX);
  CHECK (rect_later (NULL, NULL, number, h) == INT_MAX);
  CHECK (rect (NULL, &a, number, h) == EINVAL && rect (&a, NULL, h, number) == EINVAL);
  CHECK (b == 2);
  CHECK (set_memory (&a, 1, 4, number) == &a && a == 0x01010101);
  CHECK (set_memory_async (&a, 2, 4, number, 0, NULL) == &a);
#pragma omp taskwait
  CHECK (a == 0x02020202);
  CHECK (mapped_ptr (&a, number) == NULL && mapped_ptr (NULL, number) == NULL);
  CHECK (is_accessible (&a, 4, number) == 0 && is_accessible (NULL, 4, number) == 0);
  CHECK (omp_target_associate_ptr (&a, &b, 4, 0, number) == EINVAL);
  CHECK (omp_target_disassociate_ptr (&a, number) == EINVAL);
  CHECK (uid_of (number) == NULL);
  CHECK (omp_pause_resource (omp_pause_soft, number) == -1);
}

static void
all (void)
{
  int number = -1;
  host (-1);
  host (h);
  for (int i = 0; i < h; i++)
    device (i, i);
  nothing (h + 1);
  nothing (INT_MAX);
  nothing (-2);
  nothing (-3);
  nothing (INT_MIN);
  omp_set_default_device (h);
  host (-5);
  omp_set_default_device (-1);
  host (-5);
  omp_set_default_device (h + 7);
  nothing (-5);
  omp_set_default_device (-4);
  CHECK (uid_of (-5) == NULL);
  for (int i = 0; i < h; i++)
    {
      omp_set_default_device (i);
      device (-5, i);
    }
  omp_set_default_device (0);
  CHECK (uid_of (-4) == NULL);
  CHECK (device_of (NULL) == -4 && device_of ("") == -4 && device_of ("OMP_DEV_x") == -4);
  CHECK (device_of ("OMP_INITIAL_DEVICE") == -1 && device_of ("OMP_INITIAL_DEVIC") == -4);
  CHECK (omp_get_num_devices () == h && omp_get_initial_device () == h);
  CHECK (omp_get_device_num () == h && omp_is_initial_device ());
}

int
main (void)
{
  get_routines ();
  h = omp_get_num_devices ();
  all ();
  /* A region that the host runs is like the host's own code.  */
#pragma omp target if (0)
  all ();
  return failures != 0;
}
