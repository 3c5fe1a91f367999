/* Members that are mapped, but not together.
   TEST-MODES: test cpu
   TEST-EXIT: 1
   TEST-OUTPUT: structure element when other mapped elements from the same structure weren't mapped together with it */
#include "../libgomp.offload/aux-direct.h"

static struct { int a, b, c; } s;

int
main (void)
{
  need_device ();
  ENTER (ITEM (&s.a, 4, TO));
  ENTER (ITEM (&s.c, 4, TO));
  ENTER (ITEM (&s, 2, STRUCT), ITEM (&s.a, 4, TO), ITEM (&s.c, 4, TO));
  return 0;
}
