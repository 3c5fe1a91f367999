/* While regions call the program, another thread of the worker writes rubbish into the requests,
   their bells and the words of those who sleep.  The program goes on, or ends with a message and
   status 1; it does not crash or hang by itself.  The parts of a request are those of plugin/reverse-proto.h.

   By hand: a.out SECONDS FIRST-SEED RUNS tries others; a.out seed N is one run.
   TEST-MODES: cpu
   TEST-OPTIONS: -I@top_srcdir@ -I@srcdir@/libgomp.offload
   TEST-TIMEOUT: 120
   TEST-SKIP-SANITIZER: address it watches the shadow of memory, which a wild store may hit
   TEST-SKIP-SANITIZER: thread the stores of the region are races on purpose  */

#define _GNU_SOURCE 1
#include <pthread.h>
#include "aux-direct.h"
#include "aux-seeds.h"

static _Atomic (int) stop;

enum { TAG = 0x5eed000 };
#define TEXT "the region's"

/* What a function of the program gets may be a value that the region has written there, or nothing
   where it has written that the list is shorter: can SIZE bytes at P be read and written?  They may still be
   other memory of the program, so only what looks like the region's data is changed.  */
static bool
usable (void *p, size_t size)
{
  static __thread int ends[2];
  if (ends[1] == 0 && pipe (ends) != 0)
    abort ();
  return write (ends[1], p, size) == (ssize_t) size && read (ends[0], p, size) == (ssize_t) size;
}

KERNEL (add_one)
{
  int *at = ((int **) add_one_arg)[0], x;
  if (!usable (at, sizeof (x)))
    return;
  memcpy (&x, at, sizeof (x));
  x++;
  if ((x & ~0xfff) == TAG)
    memcpy (at, &x, sizeof (x));
}

/* A list with a pointer into a range of the call, and one with a structure.  */
KERNEL (look)
{
  char **p = ((char ***) look_arg)[0];
  char *at;
  if (!usable (p, sizeof (at)))
    return;
  memcpy (&at, p, sizeof (at));
  if (at != NULL && usable (at, sizeof (TEXT)) && memcmp (at + 1, TEXT + 1, sizeof (TEXT) - 1) == 0)
    ++*at;
}

/* Words of a few slots: more often in the first ones of a request than in its bytes.  */
static void *
writer (void *arg)
{
  uint64_t state = *(uint64_t *) arg;
  struct gomp_cpu_shared *s = find_shared ();
  struct gomp_reverse_area *area = gomp_cpu_calls (s);
  while (!stop)
    {
      struct gomp_reverse_slot *slot = &area->slots[next (&state) % 3];
      struct gomp_reverse_item *items = gomp_reverse_items (slot);
      unsigned char *at;
      size_t width = 8;
      switch (next (&state) % 12)
	{
	case 0: at = (unsigned char *) &slot->flags; width = 2; break;
	case 1: at = (unsigned char *) &slot->count; break;
	case 2: at = (unsigned char *) &slot->function; break;
	case 3: at = (unsigned char *) &slot->sequence; width = 4; break;
	case 4: at = (unsigned char *) &slot->addrs + next (&state) % 3 * 8; break;
	case 5: at = (unsigned char *) &area->u.xbell[next (&state) % 3]; width = 1; break;
	case 6: at = (unsigned char *) &area->xwaiters + next (&state) % 4 * 4; width = 4; break;
	case 7: at = (unsigned char *) &slot->type; width = 2; break;
	default: at = (unsigned char *) items + next (&state) % 12 * 8; break;
	}
      uint64_t v = 0;
      memcpy (&v, at, width);
      v = value (&state, v, s);
      memcpy (at, &v, width);
      __asm__ volatile ("" ::: "memory");
      if (next (&state) % 4 == 0)
	usleep (next (&state) % 300);
      else
	for (int i = next (&state) % 2000; i > 0; i--)
	  __asm__ volatile ("");
    }
  return NULL;
}

KERNEL (region)
{
  uint64_t *state = ((uint64_t **) region_arg)[0];
  int *good = ((int **) region_arg)[1];
  pthread_t thread;
  bool started = false;
  for (int i = 0; i < 300; i++)
    {
      struct { int x; char *p; } s = { i, NULL };
      char bytes[200] = TEXT;
      s.p = bytes;
      int x = TAG + i;
      if (i == 20)
	started = pthread_create (&thread, NULL, writer, state) == 0;
      CALL_HOST (add_one, ITEM (&x, sizeof (x), TOFROM));
      CALL_HOST (look, ITEM (&s.p, sizeof (s.p), ALLOC), ITEM (bytes, sizeof (bytes), TOFROM),
		 ITEM (&s.p, 0, ATTACH));
      CALL_HOST (look, ITEM (&s, 2, STRUCT), ITEM (&s.x, sizeof (s.x), TOFROM),
		 ITEM (&s.p, sizeof (s.p), TO));
      *good += x == TAG + i + 1 && bytes[0] == TEXT[0] + 1;
    }
  stop = 1;
  if (started)
    pthread_join (thread, NULL);
}

static int
one (uint64_t seed)
{
  need_device ();
  uint64_t state = seed * UINT64_C (0x9e3779b97f4a7c15) + 3;
  int good = 0;
  TARGET (region, ITEM (&state, sizeof (state), TO), ITEM (&good, sizeof (good), TOFROM));
  return good >= 20 ? 0 : 3;
}

int
main (int argc, char **argv)
{
  return many_seeds (argc, argv, one);
}
