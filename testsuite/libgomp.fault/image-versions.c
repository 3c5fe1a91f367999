/* Images of all versions register: 0 to 2 have a host table of four words, 3 of six; the words
   behind a short table are not read.  Unknown device types are just kept.
   TEST-NO-OUTPUT: libgomp  */

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void GOMP_offload_register_ver (unsigned, const void *, int, const void *);
void GOMP_offload_unregister_ver (unsigned, const void *, int, const void *);
void GOMP_offload_register (const void *, int, const void *);
void GOMP_offload_unregister (const void *, int, const void *);

static uintptr_t data[4][4];
static uintptr_t short_table[6] = { 0, 0, 0, 0, 1, 2 };	/* the last two are nonsense */
static uintptr_t long_table[6];

int
main (void)
{
  int x = 1;
  GOMP_offload_register (short_table, 5, data[0]);
  GOMP_offload_register_ver (0x10001, short_table, 8, data[1]);
  GOMP_offload_register_ver (0x20001, short_table, 77, data[2]);
  GOMP_offload_register_ver (0x30001, long_table, -3, data[3]);
  GOMP_offload_register_ver (0x30001, long_table, -3, data[3]);
#pragma omp target map(tofrom: x)
  x += 41;
  GOMP_offload_unregister_ver (0x30001, long_table, -3, data[3]);
  GOMP_offload_unregister_ver (0x30001, long_table, -3, data[3]);
  GOMP_offload_unregister_ver (0x20001, short_table, 77, data[2]);
  GOMP_offload_unregister_ver (0x10001, short_table, 8, data[1]);
  GOMP_offload_unregister (short_table, 5, data[0]);
  if (x != 42)
    return printf ("x = %d\n", x), 1;
  return 0;
}
