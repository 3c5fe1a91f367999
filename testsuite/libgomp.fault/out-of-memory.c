/* Device memory runs out: what was to be mapped, where, and how much there is.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=memory=4194304
   TEST-EXIT: 1
   TEST-OUTPUT: device memory allocation fail: [0-9]+ bytes on device 0 \(test device 0\), where [0-9]+ of 4194304 bytes are free; the largest new list item is \[0x[0-9a-f]+\.\.0x[0-9a-f]+\), 8000000 bytes */
#include "../libgomp.offload/aux-direct.h"

static char big[8000000];
static int small;

static void
at_exit (void)
{
  /* The table holds nothing that has no memory, and no lock is held.  */
  if (IS_PRESENT (big) || IS_PRESENT (&small))
    {
      printf ("still present\n");
      _Exit (2);
    }
}

int
main (void)
{
  need_device ();
  atexit (at_exit);
  ENTER (ITEM (&small, 4, TO));
  EXIT (ITEM (&small, 4, DELETE));
  DATA (ITEM (&small, 4, TO), ITEM (big, sizeof (big), TO));
  return 0;
}
