/* Two images with contradicting requires clauses (0x210, then 0x280).
   TEST-EXIT: 1
   TEST-OUTPUT: OpenMP 'requires' directive with non-identical clauses in multiple compilation units: 'unified_address' vs. 'reverse_offload'  */

#include <stdint.h>
#include <stdio.h>

void GOMP_offload_register_ver (unsigned, const void *, int, const void *);
static uintptr_t table[6];
static uintptr_t first[4] = { 0x210 }, none[4] = { 0 }, second[4] = { 0x280 };

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
