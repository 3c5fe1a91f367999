/* Sections that are together more than there can be: their sum does not wrap around to a size
   that the device has.
   TEST-MODES: test cpu
   TEST-EXIT: 1
   TEST-OUTPUT: device memory allocation fail: 18446744073709551615 bytes on device 0
   TEST-OUTPUT: the largest new list item is .*, 9223372036854775792 bytes */
#include "../libgomp.offload/aux-direct.h"

int
main (void)
{
  const uint64_t half = (uint64_t) 1 << 63;

  need_device ();
  DATA (ITEM (1, 8, ALLOC), ITEM (16, half - 16, ALLOC), ITEM (half, half - 16, ALLOC));
  puts ("mapped");
  return 0;
}
