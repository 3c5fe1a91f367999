/* Fortran: neither the data nor its descriptor is present.
   TEST-MODES: test cpu
   TEST-EXIT: 1
   TEST-OUTPUT: present clause: not present on the device \(addr: 0x[0-9a-f]+, size: 16 \(0x10\), dev: 0\) */
#include "../libgomp.offload/aux-direct.h"

static int a[4];
static struct { void *data; long bounds[3]; } desc = { a, { 0 } };

int
main (void)
{
  need_device ();
  DATA (ITEM (a, 16, PRESENT), ITEM (&desc, sizeof (desc), TO_PSET), ITEM (&desc.data, 0, POINTER));
  return 0;
}
