/* The pointer that a device keeps for a link variable: the first mapped part sets it, as if the
   whole variable were there; other parts do not touch it.  A device that shares the host's memory
   has it from the start.  With the word "links" the pointer is where the host has the variable.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=links */
#include "aux-direct.h"

extern void GOMP_offload_register_ver (unsigned, const void *, int, const void *);

int whole[64], parts[64];
#pragma omp declare target link (whole, parts)

static uint64_t
pointer_of (const int *variable)
{
  uint64_t value;
  memcpy (&value, variable, sizeof (value));
  return value;
}

int
main (void)
{
  static void *table[6];
  static void *data[8] = { (void *) 0x220 };

  if (getenv ("GOMPX_TEST_PLUGIN") == NULL)
    return 77;
  if (strstr (getenv ("GOMPX_TEST_PLUGIN"), "shared") != NULL)
    {
      GOMP_offload_register_ver (0x30001, table, 99, data);
      need_device ();
      ENTER (ITEM (whole, sizeof (whole), TO));
      CHECK_EQUAL (pointer_of (whole), (uint64_t) whole);
      CHECK_EQUAL (pointer_of (parts), (uint64_t) parts);
      return result ();
    }

  need_device ();
  CHECK (!IS_PRESENT (whole));
  ENTER (ITEM (whole, sizeof (whole), ALLOC), ITEM (&parts[16], 64, ALLOC));
  CHECK (IS_PRESENT (whole));
  CHECK_EQUAL (pointer_of (whole), device_address (whole));
  uint64_t first = device_address (&parts[16]) - 64;
  CHECK_EQUAL (pointer_of (parts), first);
  CHECK (!IS_PRESENT (parts));
  ENTER (ITEM (&parts[40], 16, ALLOC));
  CHECK_EQUAL (pointer_of (parts), first);
  EXIT (ITEM (&parts[16], 64, RELEASE), ITEM (whole, sizeof (whole), DELETE));
  CHECK (!IS_PRESENT (whole));
  EXIT (ITEM (&parts[40], 16, RELEASE));
  ENTER (ITEM (&parts[8], 32, ALLOC));
  CHECK_EQUAL (pointer_of (parts), device_address (&parts[8]) - 32);
  return result ();
}
