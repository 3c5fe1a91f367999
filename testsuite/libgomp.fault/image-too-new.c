/* An image of a compiler that is newer than the library.
   TEST-EXIT: 1
   TEST-OUTPUT: Library too old for offload \(version 3 < 4\)  */

#include <stdint.h>
#include <stdio.h>

void GOMP_offload_register_ver (unsigned, const void *, int, const void *);
static uintptr_t table[6], data[4];

int
main (void)
{
  GOMP_offload_register_ver (0x40001, table, 5, data);
  printf ("registered\n");
  return 0;
}
