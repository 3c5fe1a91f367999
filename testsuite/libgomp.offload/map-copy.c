/* The copy table: what each map kind copies for new and for mapped ranges.
   TEST-MODES: test cpu */
#include "aux-direct.h"

/* Adds 100 to the int in slot 0 and keeps what it was in slot 1.  */
KERNEL (bump)
{
  int **s = bump_arg;
  *s[1] = *s[0];
  *s[0] += 100;
}

static int seen;
#define RUN(x, kind)							\
  TARGET (bump, ITEM (&(x), sizeof (x), kind), ITEM (&seen, sizeof (seen), FROM))

int
main (void)
{
  int x;

  need_device ();

  /* New.  */
  x = 1; RUN (x, TO); CHECK_EQUAL (seen, 1); CHECK_EQUAL (x, 1);
  x = 2; RUN (x, TOFROM); CHECK_EQUAL (seen, 2); CHECK_EQUAL (x, 102);
  x = 3; RUN (x, ALWAYS_TO); CHECK_EQUAL (seen, 3); CHECK_EQUAL (x, 3);
  x = 4; RUN (x, ALWAYS_TOFROM); CHECK_EQUAL (seen, 4); CHECK_EQUAL (x, 104);
  x = 5; RUN (x, IMPLICIT | TOFROM); CHECK_EQUAL (seen, 5); CHECK_EQUAL (x, 105);
  x = 6; RUN (x, FROM); CHECK_EQUAL (x, seen + 100);
  x = 7; RUN (x, ALLOC); CHECK_EQUAL (x, 7);
  CHECK (!IS_PRESENT (&x));

  /* Mapped: 50 on the device, something else on the host.  */
  x = 50;
  ENTER (ITEM (&x, sizeof (x), TO));
  x = 1; RUN (x, TOFROM); CHECK_EQUAL (seen, 50); CHECK_EQUAL (x, 1);
  x = 2; RUN (x, TO); CHECK_EQUAL (seen, 150); CHECK_EQUAL (x, 2);
  x = 3; RUN (x, ALWAYS_FROM); CHECK_EQUAL (seen, 250); CHECK_EQUAL (x, 350);
  x = 4; RUN (x, ALWAYS_TO); CHECK_EQUAL (seen, 4); CHECK_EQUAL (x, 4);
  x = 5; RUN (x, ALWAYS_TOFROM); CHECK_EQUAL (seen, 5); CHECK_EQUAL (x, 105);
  x = 6; RUN (x, ALWAYS_PRESENT_TO); CHECK_EQUAL (seen, 6); CHECK_EQUAL (x, 6);
  x = 7; RUN (x, ALWAYS_PRESENT_FROM); CHECK_EQUAL (seen, 106); CHECK_EQUAL (x, 206);
  x = 8; RUN (x, ALWAYS_PRESENT_TOFROM); CHECK_EQUAL (seen, 8); CHECK_EQUAL (x, 108);
  x = 9; RUN (x, PRESENT); CHECK_EQUAL (seen, 108); CHECK_EQUAL (x, 9);
  x = 10; EXIT (ITEM (&x, sizeof (x), FROM)); CHECK_EQUAL (x, 208);
  CHECK (!IS_PRESENT (&x));

  /* Exit: always copies although the range stays mapped.  */
  ENTER (ITEM (&x, sizeof (x), TO));
  ENTER (ITEM (&x, sizeof (x), TO));
  x = 0; EXIT (ITEM (&x, sizeof (x), FROM)); CHECK_EQUAL (x, 0);
  ENTER (ITEM (&x, sizeof (x), ALLOC));
  EXIT (ITEM (&x, sizeof (x), ALWAYS_FROM)); CHECK_EQUAL (x, 208);
  CHECK (IS_PRESENT (&x));
  x = 0; EXIT (ITEM (&x, sizeof (x), RELEASE)); CHECK_EQUAL (x, 0);
  CHECK (!IS_PRESENT (&x));
  return result ();
}
