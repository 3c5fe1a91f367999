/* Two images with contradicting requires clauses (0x2b0, then 0x600).
   TEST-EXIT: 1
   TEST-OUTPUT: non-identical clauses in multiple compilation units: 'unified_address, unified_shared_memory, reverse_offload' vs. 'self_maps'  */

#include <stdint.h>
#include <stdio.h>

void GOMP_offload_register_ver (unsigned, const void *, int, const void *);
static uintptr_t table[6];
static uintptr_t first[4] = { 0x2b0 }, none[4] = { 0 }, second[4] = { 0x600 };

int
main (void)
{
  GOMP_offload_register_ver (0x30001, table, 5, first);
  /* No mask agrees with everything.  */
  GOMP_offload_register_ver (0x30001, table, 5, none);
  printf ("two\n");
  GOMP_offload_register_ver (0x30001, table, 5, second);
  printf ("three\n");
  return 0;
}
