/* requires unified_shared_memory: on a device that can use the host's pages the region works on the
   program's own memory; otherwise there is no device, and the host runs it.
   MINGCC: 13
   TEST-MODES: gpu
   TEST-GPU: fallback  */

#include <stdio.h>
#include <stdlib.h>

#pragma omp requires unified_shared_memory

static int global = 3;

int
main (void)
{
  int *list = malloc (1000 * sizeof (int)), on_stack = 4, *p = &on_stack;
  for (int i = 0; i < 1000; i++)
    list[i] = i;
#pragma omp target firstprivate (list, p) map (tofrom: global)
  {
    for (int i = 0; i < 1000; i++)
      list[i] *= 2;
    *p += 10;
    global += 10;
  }
  if (list[999] != 1998 || on_stack != 14 || global != 13)
    return printf ("%d %d %d\n", list[999], on_stack, global), 1;
  free (list);
  return 0;
}
