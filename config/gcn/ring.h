/* ring.h -- a reverse call through the ring of messages, as GCC's plugin serves it (abi/gcn, 2.3 and 2.6).

   The ring is shared with the C library's write, which takes records in the same way.  */

#ifndef GOMPX_RING_H
#define GOMPX_RING_H 1

#include "machine.h"
#include "remote.h"

#pragma omp declare target

enum { RING_RECORDS = 1024, RING_REVERSE = 4 };

struct ring_record
{
  uint32_t xwritten;		/* 0: free; 1: the host has not handled it */
  char message[128];
  int32_t type;
  uint64_t u[16];
};

struct ring
{
  int32_t returned;
  uint32_t xnext;		/* index of the next record that is taken; not wrapped */
  struct ring_record records[RING_RECORDS];
  uint32_t xconsumed;		/* first index that the host has not handled */
};

_Static_assert (sizeof (struct ring_record) == 264 && offsetof (struct ring, xconsumed) == 270344, "abi/gcn");

static void __attribute__ ((noinline))
ring_call (uint64_t function, uint64_t count, void **addrs, size_t *sizes, unsigned short *kinds,
	   int device)
{
  struct ring *ring = (struct ring *) (uintptr_t) MACHINE_KERNARG64 (output);
  /* relaxed: the fences order.  */
  uint32_t index = __atomic_fetch_add (&ring->xnext, 1, __ATOMIC_RELAXED);
  for (unsigned turn = 0; index - remote_load32 (&ring->xconsumed) >= RING_RECORDS; turn++)
    remote_pause (turn);

  struct ring_record *record = &ring->records[index % RING_RECORDS];
  record->message[0] = '\0';
  record->type = RING_REVERSE;
  record->u[0] = function;
  record->u[1] = count;
  record->u[2] = (uintptr_t) addrs;
  record->u[3] = (uintptr_t) sizes;
  record->u[4] = (uintptr_t) kinds;
  record->u[5] = (uint64_t) device;
  remote_fence ();		/* the record, and what the host will read */
  remote_store32 (&record->xwritten, 1, 0);
  for (unsigned turn = 0; remote_load32 (&record->xwritten) != 0; turn++)
    remote_pause (turn);
  remote_fence ();		/* what the host has changed is not read from a cache */
}

#pragma omp end declare target

#endif /* GOMPX_RING_H */
