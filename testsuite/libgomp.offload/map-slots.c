/* What a region finds in its table of slots.
   TEST-MODES: test cpu */
#include "aux-direct.h"

static uint64_t out[16];

/* Slot 0 is where to write the others to.  */
KERNEL (copy_slots)
{
  uint64_t *s = copy_slots_arg;
  memcpy ((void *) s[0], s, 16 * sizeof (uint64_t));
}

int
main (void)
{
  int mapped[8] = { 0 }, other[4];
  struct { long a, b, c; } st = { 1, 2, 3 };
  char *pointer = (char *) other;

  need_device ();
  ENTER (ITEM (mapped, sizeof (mapped), TO));
  TARGET (copy_slots,
	  ITEM (out, sizeof (out), FROM),
	  ITEM (0x123456789aUL, 0, VALUE),		/* the value itself */
	  ITEM (NULL, 0, VALUE),
	  ITEM (NULL, 0x7777777777777777, TOFROM),	/* absent: the size is garbage */
	  ITEM (NULL, SIZE_MAX, TO),
	  ITEM (NULL, 8, FIRSTPRIVATE),
	  ITEM (mapped, 0, ZLAS),
	  ITEM (&mapped[3], 0, ZLAS),
	  ITEM (other, 0, ZLAS),			/* unmapped: keeps its value */
	  ITEM (&mapped[2], 8, TO),
	  ITEM (&st, 1, STRUCT | ALIGNED (3)),		/* where the struct would begin */
	  ITEM (&st.b, 8, TO),
	  ITEM (&mapped[8], 0, VALUE),
	  ITEM (&pointer, 0, ATTACH),			/* not mapped: ignored */
	  ITEM (other, 4, ALLOC),
	  ITEM (0, 0, VALUE));
  uint64_t base = device_address (mapped);
  CHECK (base != 0);
  CHECK_EQUAL (out[1], 0x123456789aUL);
  CHECK_EQUAL (out[2], 0);
  CHECK_EQUAL (out[3], 0);
  CHECK_EQUAL (out[4], 0);
  CHECK_EQUAL (out[5], 0);
  CHECK_EQUAL (out[6], base);
  CHECK_EQUAL (out[7], base + 12);
  CHECK_EQUAL (out[8], (uint64_t) other);
  CHECK_EQUAL (out[9], base + 8);
  CHECK_EQUAL (out[11], out[10] + 8);
  CHECK_EQUAL (out[12], (uint64_t) &mapped[8]);
  CHECK (out[14] != 0 && out[14] != (uint64_t) other);
  CHECK (!IS_PRESENT (other));
  return result ();
}
