/* A handle that is no interop object, because it was destroyed, is told.
   TEST-OPTIONS: -D_GNU_SOURCE -I@srcdir@/libgomp.offload
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=cuda
   TEST-EXIT: 1
   TEST-OUTPUT: ^libgomp: omp_get_interop_int: there is no interop object 0x[0-9a-f]+: it was destroyed, or never made$  */

#include "aux-interop.h"

int
main (void)
{
  get_symbols ();
  int rc;
  object o = make (0, 1, NULL), copy = o;
  if (o == NULL || get_int (o, FR_ID, &rc) != 1)
    return 2;
  use (o);
  printf ("%s %s %d\n", get_type (o, FR_ID), get_rc (o, 0), get_num (o) + get_name (o, 1) != NULL);
  printf ("%p %s\n", get_ptr (o, DEVICE, &rc), get_str (o, FR_NAME, &rc));
  destroy (&o);
  get_int (copy, FR_ID, &rc);
  return 3;
}
