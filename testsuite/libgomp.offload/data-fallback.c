/* Data regions that fall back to the host are balanced with those that do not; a region that
   the host runs has a stack of data regions of its own.
   TEST-MODES: test cpu */
#include "aux-direct.h"

static int x;

static void
inner (void *unused)
{
  (void) unused;
  END_DATA ();			/* the caller's regions stay open */
  CHECK (IS_PRESENT (&x));
  ENTER (ITEM (&x, 4, TO));
}

int
main (void)
{
  struct list host = LIST (ITEM (&x, 4, TO));

  need_device ();
  GOMP_target_data_ext (-2, host.n, host.addr, host.size, host.kind);
  DATA (ITEM (&x, 4, TO));
  CHECK (IS_PRESENT (&x));
  GOMP_target_data_ext (-2, host.n, host.addr, host.size, host.kind);
  GOMP_target_data_ext (99, host.n, host.addr, host.size, host.kind);
  END_DATA ();
  END_DATA ();
  CHECK (IS_PRESENT (&x));
  GOMP_target_ext (-2, inner, 0, NULL, NULL, NULL, 0, NULL, (void *[]) { NULL });
  EXIT (ITEM (&x, 4, RELEASE));	/* what inner left */
  CHECK (IS_PRESENT (&x));
  END_DATA ();
  CHECK (!IS_PRESENT (&x));
  END_DATA ();
  return result ();
}
