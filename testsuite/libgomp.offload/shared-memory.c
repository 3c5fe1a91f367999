/* requires unified_shared_memory on a device that shares the host's memory: nothing is mapped,
   private copies are made by the host.  The requirement comes with an image, which no device here
   can run but which counts.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=shared */
#include "aux-direct.h"

extern void GOMP_offload_register_ver (unsigned, const void *, int, const void *);

KERNEL (work)
{
  void **s = work_arg;
  int *a = s[0], *private = s[1];
  a[0] = private[0] + (int) (uintptr_t) s[2];
  private[0] = -1;
}

int
main (void)
{
  static void *table[6];
  static void *data[8] = { (void *) 0x220 };
  static int a[4], private = 5;
  struct list l = LIST (ITEM (a, sizeof (a), TO), ITEM (&private, 4, FIRSTPRIVATE | ALIGNED (7)),
			ITEM (37, 0, VALUE));

  GOMP_offload_register_ver (0x30001, table, 99, data);
  if (omp_get_num_devices () == 0)
    return 77;
  target_list (&l, work);
  CHECK_EQUAL (a[0], 42);
  CHECK_EQUAL (private, 5);
  CHECK_EQUAL ((uint64_t) l.addr[1] & 127, 0);
  DATA (ITEM (a, sizeof (a), PRESENT));
  CHECK (!IS_PRESENT (a));
  CHECK_EQUAL (device_address (a), (uint64_t) a);
  UPDATE (ITEM (a, sizeof (a), ALWAYS_PRESENT_TO));
  END_DATA ();
  ENTER (ITEM (a, sizeof (a), TO));
  EXIT (ITEM (a, sizeof (a), PRESENT));
  CHECK (!IS_PRESENT (a));
  return result ();
}
