/* An exit handler that uses what was being mapped when a copy failed: it does not hang.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=fail_copy=2
   TEST-EXIT: 1
   TEST-OUTPUT: Copying of host object .* failed
   TEST-OUTPUT: handler done */
#include "../libgomp.offload/aux-direct.h"

static char data[100000], more[100000];

static void
at_exit (void)
{
  UPDATE (ITEM (data, sizeof (data), TO), ITEM (more, sizeof (more), TO));
  DATA (ITEM (data, sizeof (data), TO));
  END_DATA ();
  printf ("handler done\n");
  fflush (stdout);
}

int
main (void)
{
  need_device ();
  atexit (at_exit);
  DATA (ITEM (data, sizeof (data), TO), ITEM (more, sizeof (more), TO));
  return 0;
}
