/* Damaged host tables of images: each is named and ignored, and nothing else is lost.
   TEST-MODES: host cpu
   TEST-OUTPUT: an offload image of .* \(type 5\) is damaged and ignored: it has no host table
   TEST-OUTPUT: damaged and ignored: its host table is not in any loaded module
   TEST-OUTPUT: damaged and ignored: its host table has an end before its begin
   TEST-OUTPUT: damaged and ignored: its host table points outside of every loaded module
   TEST-OUTPUT: damaged and ignored: its table of functions is not made of whole words
   TEST-OUTPUT: damaged and ignored: its table of variables is not made of pairs of words
   TEST-OUTPUT: damaged and ignored: a variable in its table ends behind the end of memory
   TEST-OUTPUT: damaged and ignored: it has no data
   TEST-OUTPUT: damaged and ignored: its data is not in any loaded module  */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void GOMP_offload_register_ver (unsigned, const void *, int, const void *);
void GOMP_offload_unregister_ver (unsigned, const void *, int, const void *);

static uintptr_t words[8];
static uintptr_t data[8];

#define LIB3 0x30001

static void
try (uintptr_t fb, uintptr_t fe, uintptr_t vb, uintptr_t ve, uintptr_t ib, uintptr_t ie)
{
  static uintptr_t table[6];
  table[0] = fb;
  table[1] = fe;
  table[2] = vb;
  table[3] = ve;
  table[4] = ib;
  table[5] = ie;
  GOMP_offload_register_ver (LIB3, table, 5, data);
  GOMP_offload_unregister_ver (LIB3, table, 5, data);
}

int
main (void)
{
  uintptr_t w = (uintptr_t) words;
  uintptr_t *heap = calloc (6, sizeof (*heap));
  int x = 1;

  GOMP_offload_register_ver (LIB3, NULL, 5, data);
  GOMP_offload_register_ver (LIB3, heap, 5, data);
  GOMP_offload_register_ver (LIB3, (void *) 16, 5, data);
  GOMP_offload_register_ver (LIB3, (char *) words + 1, 5, data);
  try (w + 16, w, 0, 0, 0, 0);
  try (16, 64, 0, 0, 0, 0);
  try (0, UINTPTR_MAX & ~7, 0, 0, 0, 0);
  try (w, w + 12, 0, 0, 0, 0);
  try (w + 1, w + 9, 0, 0, 0, 0);
  try (0, 0, w, w + 24, 0, 0);
  try (0, 0, 0, 0, w + 4, w + 12);
  words[0] = 0x1000;
  words[1] = UINT64_MAX >> 1;
  words[2] = UINTPTR_MAX - 10;
  words[3] = 100;
  try (0, 0, w, w + 32, 0, 0);
  static uintptr_t empty[6];
  GOMP_offload_register_ver (LIB3, empty, 5, NULL);
  GOMP_offload_register_ver (LIB3, empty, 5, (void *) 16);

  /* What was never registered, and no data at all.  */
  GOMP_offload_unregister_ver (LIB3, empty, 5, words);
  GOMP_offload_unregister_ver (LIB3, NULL, 5, NULL);

#pragma omp target map(tofrom: x)
  x += 41;
  if (x != 42)
    return printf ("x = %d\n", x), 1;
  free (heap);
  return 0;
}
