/* target data regions of two devices and of the host, nested: each end side goes to its own
   device, whose counts and values are its own.
   TEST-MODES: cpu2 */
#include "aux-direct.h"

static struct list item;

static void
open_on (int device)
{
  GOMP_target_data_ext (device, item.n, item.addr, item.size, item.kind);
}

KERNEL (bump)
{
  int **s = bump_arg;
  s[0][1] += 100;
}

static void
bump_on (int device)
{
  void *args[] = { (void *) -130816L, (void *) 0x200, NULL };
  GOMP_target_ext (device, bump, item.n, item.addr, item.size, item.kind, 0, NULL, args);
}

int
main (void)
{
  int a[4] = { 1, 2, 3, 4 };

  if (omp_get_num_devices () < 2)
    return 77;
  item = LIST (ITEM (a, sizeof (a), TOFROM));
  open_on (0);
  open_on (-2);				/* if (0) */
  open_on (1);
  CHECK (omp_target_is_present (a, 0) && omp_target_is_present (a, 1));
  open_on (0);
  bump_on (1);
  bump_on (1);
  bump_on (0);
  bump_on (omp_get_num_devices ());	/* the host */
  CHECK_EQUAL (a[1], 102);
  END_DATA ();				/* 0, still open */
  CHECK_EQUAL (a[1], 102);
  CHECK (omp_target_is_present (a, 0) && omp_target_is_present (a, 1));
  END_DATA ();				/* 1 */
  CHECK_EQUAL (a[1], 202);
  CHECK (omp_target_is_present (a, 0) && !omp_target_is_present (a, 1));
  /* The default device decides at the beginning, not at the end.  */
  omp_set_default_device (1);
  open_on (-1);
  omp_set_default_device (0);
  bump_on (1);
  END_DATA ();
  CHECK_EQUAL (a[1], 302);
  CHECK (!omp_target_is_present (a, 1));
  END_DATA ();				/* the host's */
  CHECK_EQUAL (a[1], 302);
  END_DATA ();				/* 0 */
  CHECK_EQUAL (a[1], 102);
  CHECK (!omp_target_is_present (a, 0));

  /* Attached on one device only.  */
  struct { int *p; } v = { a };
  struct list whole = LIST (ITEM (&v, sizeof (v), TO), ITEM (a, sizeof (a), TO),
			    ITEM (&v.p, 0, ATTACH));
  for (int device = 0; device < 2; device++)
    GOMP_target_enter_exit_data (device, device == 0 ? 3 : 1, whole.addr, whole.size, whole.kind,
				 0, NULL);
  struct list out = LIST (ITEM (&v, sizeof (v), FROM), ITEM (a, sizeof (a), RELEASE));
  v.p = NULL;
  GOMP_target_enter_exit_data (0, 2, out.addr, out.size, out.kind, 2, NULL);
  CHECK (v.p == NULL);			/* protected */
  GOMP_target_enter_exit_data (1, 2, out.addr, out.size, out.kind, 2, NULL);
  CHECK (v.p == a);			/* an ordinary word there */
  return result ();
}
