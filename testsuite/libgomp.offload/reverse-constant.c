/* A region calls the host with constant tables, which are mapped tofrom implicitly: nothing is copied
   back to them.  As newer compilers make such calls.
   TEST-MODES: cpu cpu2 */

#include "aux-direct.h"

static const int table[40] = { 3, 1, 4, 1, 5, 9, 2, 6 };
static const int large[20000] = { [19999] = 7 };
static int *const pointers[2] = { (int *) &table[1], (int *) &table[5] };

KERNEL (called)
{
  void **slot = called_arg;
  const int *t = slot[0], *l = slot[1];
  int *sum = slot[3];
  *sum = 0;
  for (int i = 0; i < 8; i++)
    *sum += t[i];
  *sum += l[19999];
}

KERNEL (region)
{
  int *result = ((int **) region_arg)[0], sum = -1;
  CALL_HOST (called, ITEM (table, sizeof (table), TOFROM), ITEM (large, sizeof (large), 0x63),
	     ITEM (pointers, sizeof (pointers), ALWAYS_TOFROM), ITEM (&sum, sizeof (sum), TOFROM));
  *result = sum + (pointers[1] == &table[5]);
}

int
main (void)
{
  int result = 0;
  need_device ();
  TARGET (region, ITEM (&result, 4, TOFROM));
  CHECK_EQUAL (result, 39);
  return failures != 0;
}
