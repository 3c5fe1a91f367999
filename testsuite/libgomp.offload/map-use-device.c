/* use_device_ptr and use_device_addr: what is handed back to the caller.
   TEST-MODES: test cpu */
#include "aux-direct.h"

int
main (void)
{
  int a[8] = { 0 }, other, *p = a;

  need_device ();
  struct list l = LIST (ITEM (&a[2], 16, TO), ITEM (&p, 8, ATTACH),
			ITEM (&a[3], 0, USE_DEVICE),	/* inside */
			ITEM (&a[6], 0, USE_DEVICE),	/* one past the end */
			ITEM (a, 0, USE_DEVICE),	/* below: its attachment tells how far */
			ITEM (&other, 0, USE_DEVICE),	/* not mapped: keeps its value */
			ITEM (NULL, 0, USE_DEVICE));
  data_list (&l);
  uint64_t dev = device_address (&a[2]);
  CHECK (dev != (uint64_t) &a[2]);
  CHECK_EQUAL ((uint64_t) l.addr[2], dev + 4);
  CHECK_EQUAL ((uint64_t) l.addr[3], dev + 16);
  CHECK_EQUAL ((uint64_t) l.addr[4], dev - 8);
  CHECK (l.addr[5] == &other);
  CHECK (l.addr[6] == NULL);
  END_DATA ();
  CHECK (!IS_PRESENT (&a[2]));
  return result ();
}
