/* After the library's exit handler a device counts as one that cannot be used: regions run on the host,
   data directives do nothing, routines answer so; exit in a data region copies nothing back.
   TEST-MODES: cpu cpu2
   TEST-OUTPUT: ^handlers are done$ */
#include "aux-direct.h"

#include <errno.h>
#include <unistd.h>

static int x[4] = { 1, 2, 3, 4 }, devices, ran;
static void *memory;

static void
region (void *args)
{
  int *copy = ((int **) args)[1];
  ran++;
  x[1] += 10 + *copy;
}

static void
late (void)
{
  int private = 5, h = omp_get_initial_device ();

  CHECK_EQUAL (omp_get_num_devices (), devices);
  CHECK_EQUAL (h, devices);
  CHECK_EQUAL (x[0], 1);		/* nothing came back */
  for (int number = -1; number < devices; number++)
    {
      struct list l = LIST (ITEM (x, sizeof (x), TOFROM), ITEM (&private, 4, FIRSTPRIVATE));
      GOMP_target_ext (number, region, l.n, l.addr, l.size, l.kind, 0, NULL,
		       (void *[]) { (void *) 0x100, (void *) 0x200, NULL });
    }
  CHECK_EQUAL (ran, devices + 1);
  CHECK_EQUAL (x[1], 2 + (devices + 1) * 15);
  DATA (ITEM (x, sizeof (x), PRESENT), ITEM (x, 0, USE_DEVICE));
  UPDATE (ITEM (x, sizeof (x), ALWAYS_PRESENT_TO));
  ENTER (ITEM (x, sizeof (x), TO));
  EXIT (ITEM (x, sizeof (x), PRESENT));
  END_DATA ();
  END_DATA ();				/* that of main */
  END_DATA ();
  CHECK (!IS_PRESENT (x));
  CHECK (omp_target_alloc (16, 0) == NULL);
  omp_target_free (memory, 0);
  CHECK_EQUAL (omp_target_memcpy (x, memory, 16, 0, 0, h, 0), EINVAL);
  CHECK_EQUAL (omp_target_associate_ptr (x, memory, 16, 0, 0), EINVAL);
  CHECK_EQUAL (omp_target_disassociate_ptr (x, 0), EINVAL);
  CHECK_EQUAL (omp_pause_resource (omp_pause_soft, 0), -1);
  void *p = omp_target_alloc (16, h);	/* the host is there */
  CHECK (p != NULL);
  omp_target_free (p, h);
  if (failures > 0)
    {
      fflush (stdout);
      _exit (1);
    }
  puts ("handlers are done");
}

KERNEL (set)
{
  int **s = set_arg;
  s[0][0] = 100;
}

int
main (void)
{
  atexit (late);			/* before the library's: it runs after that */
  need_device ();
  devices = omp_get_num_devices ();
  memory = omp_target_alloc (64, 0);
  DATA (ITEM (x, sizeof (x), TOFROM));
  TARGET (set, ITEM (x, sizeof (x), TOFROM));
  exit (0);
}
