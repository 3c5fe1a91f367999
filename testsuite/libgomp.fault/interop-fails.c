/* A device that cannot make an interop object: the program gets omp_interop_none.
   TEST-OPTIONS: -D_GNU_SOURCE -I@srcdir@/libgomp.offload
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=cuda,fail_alloc=2  */

#include "aux-interop.h"

int
main (void)
{
  get_symbols ();
  object a = make (0, 1, NULL), b = make (0, 1, NULL), c = make (0, 0, NULL);
  int rc, bad = a == NULL || b != NULL || c == NULL;
  get_int (b, FR_ID, &rc);
  bad |= rc != -1 || get_type (b, FR_ID) != NULL || strcmp (get_name (b, FR_ID), "fr_id") != 0
	 || get_ptr (b, DEVICE, &rc) != NULL || get_str (b, FR_NAME, &rc) != NULL
	 || get_num (b) != 0 || get_rc (b, 0) == NULL;
  use (b);
  destroy (&b);
  destroy (&a);
  destroy (&c);
  if (bad)
    puts ("wrong objects");
  return bad;
}
