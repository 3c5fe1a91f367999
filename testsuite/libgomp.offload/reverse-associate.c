/* Device memory that belongs to two host variables: the address means the first one, and the second
   one when the first is gone.  Before, after and between it means none, also for who has just found that out.
   TEST-MODES: cpu */

#include "aux-direct.h"

static int a[10], b[10], *found;

KERNEL (which)
{
  found = ((int **) which_arg)[0];
}

KERNEL (region)
{
  int *memory = ((int **) region_arg)[0];
  CALL_HOST (which, ITEM (memory + 2, 4, TO));
}

int
main (void)
{
  need_device ();
  int *memory = omp_target_alloc (sizeof (a), 0);
  for (int round = 0; round < 20; round++)
    {
      int *host = round % 2 ? a : b;
      for (int calls = 0; calls < 3; calls++)
	{
	  TARGET (region, ITEM (memory, 0, VALUE));
	  CHECK (found < a || found >= a + 10);
	  CHECK (found < b || found >= b + 10);
	}
      CHECK_EQUAL (omp_target_associate_ptr (host, memory, sizeof (a), 0, 0), 0);
      TARGET (region, ITEM (memory, 0, VALUE));
      CHECK (found == host + 2);
      omp_target_disassociate_ptr (host, 0);
    }
  CHECK_EQUAL (omp_target_associate_ptr (a, memory, sizeof (a), 0, 0), 0);
  CHECK_EQUAL (omp_target_associate_ptr (b, memory, sizeof (b), 0, 0), 0);
  TARGET (region, ITEM (memory, 0, VALUE));
  int *first = found - 2, *second = first == a ? b : a;
  CHECK (first == a || first == b);
  omp_target_disassociate_ptr (first, 0);
  TARGET (region, ITEM (memory, 0, VALUE));
  CHECK (found == second + 2);
  omp_target_disassociate_ptr (second, 0);
  TARGET (region, ITEM (memory, 0, VALUE));
  CHECK (found != second + 2 && found != first + 2);
  omp_target_free (memory, 0);
  return result ();
}
