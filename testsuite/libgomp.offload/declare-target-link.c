/* A declare target link variable that is not mapped looks unmapped everywhere; the first part of it
   that is mapped gets the device's pointer.
   TEST-MODES: cpu gpu
   TEST-GPU: mingcc=13 GCC 12 lists link variables in another order than the host  */
#include "aux-direct.h"

static int v[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
#pragma omp declare target link (v)
#pragma omp declare target
static int peek (int i) { return v[i]; }
static int plain = 5;
#pragma omp end declare target

static int
peek_there (int i)
{
  int r = -1;
  #pragma omp target map(from: r)
  r = peek (i);
  return r;
}

int
main (void)
{
  int r = 0;

  need_device ();
  CHECK (!IS_PRESENT (v));
  UPDATE (ITEM (v, sizeof (v), TO), ITEM (v, sizeof (v), FROM));
  EXIT (ITEM (v, sizeof (v), DELETE), ITEM (v, 0, ZLAS));
  struct list l = LIST (ITEM (v, 0, USE_DEVICE));
  data_list (&l);
  END_DATA ();
  CHECK (l.addr[0] == v);

  /* A section; then a second one, which must not move the pointer.  */
  ENTER (ITEM (&v[2], 8, TO | ALIGNED (2)));
  CHECK_EQUAL (peek_there (3), 3);
  ENTER (ITEM (&v[6], 8, TO | ALIGNED (2)));
  CHECK_EQUAL (peek_there (2), 2);
  CHECK (IS_PRESENT (&v[6]) && !IS_PRESENT (&v[5]));
  EXIT (ITEM (&v[6], 8, RELEASE));
  EXIT (ITEM (&v[2], 8, RELEASE));
  CHECK (!IS_PRESENT (&v[2]));

  /* The whole, again and again.  */
  for (int i = 0; i < 3; i++)
    {
      v[7] = 70 + i;
      ENTER (ITEM (v, sizeof (v), TO | ALIGNED (2)));
      CHECK_EQUAL (peek_there (7), 70 + i);
      EXIT (ITEM (v, sizeof (v), FROM));
      CHECK (!IS_PRESENT (v));
    }

  /* An ordinary variable: always there, copied only by always and update.  */
  CHECK (IS_PRESENT (&plain));
  plain = 6;
  #pragma omp target map(tofrom: plain) map(from: r)
  {
    r = plain;
    plain = 9;
  }
  CHECK_EQUAL (r, 5);
  CHECK_EQUAL (plain, 6);
  #pragma omp target update from(plain)
  CHECK_EQUAL (plain, 9);
  plain = 10;
  #pragma omp target map(always, tofrom: plain) map(from: r)
  {
    r = plain;
    plain = 11;
  }
  CHECK_EQUAL (r, 10);
  CHECK_EQUAL (plain, 11);
  #pragma omp target exit data map(delete: plain)
  CHECK (IS_PRESENT (&plain));
  return result ();
}
