/* The protocol of requests across a bus (plugin/slots-proto.h) by itself: threads play the device, with the
   code that runs there (config/accel/call.h), and the host.  Two slots for many callers, so that each slot is
   used again at once; numbers of requests wrap around and come past a refreshing record; records of all
   lengths.
   TEST-MODES: host
   TEST-OPTIONS: -I@top_srcdir@/plugin -I@top_srcdir@/config/accel -I@top_srcdir@/testsuite/lib/accel-host -pthread -Wno-unknown-pragmas */

#define _GNU_SOURCE 1
#include "call.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 2, DEVICES = 5, HOSTS = 3, CALLS = 1500, MOST = 900 };

struct gompx_reverse *gompx_reverse;
static struct gompx_slots *area;
static uint32_t numbers[SLOTS];	/* the last request that was taken; atomic */
static _Atomic unsigned served, failures, refreshed;
static _Atomic bool stop;

static void
fail (const char *what, unsigned n)
{
  if (failures++ == 0)
    printf ("%s (%u)\n", what, n);
}

/* Take a request of slot I if there is one, and answer with its bytes, each one more.  */
static bool
serve (unsigned i)
{
  uint32_t words[GOMPX_SLOT_WORDS], number = __atomic_load_n (&numbers[i], __ATOMIC_RELAXED), last = number;
  struct gompx_slot *slot = &area->slots[i];

  number += GOMPX_NUMBER_STEP;
  if (__atomic_load_n (&area->bell[i], __ATOMIC_RELAXED) == (uint8_t) last)
    return false;
  unsigned num = 1;
  for (unsigned w = 0; w < num; w++)
    {
      uint64_t word = remote_load (&slot->request[w]);
      if (word >> 32 != number)
	return false;
      words[w] = (uint32_t) word;
      if (w == 0)
	num = GOMPX_HEAD_WORDS (word);
    }
  if (!__atomic_compare_exchange_n (&numbers[i], &last, number, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    return false;
  uint32_t size = words[GOMPX_REQUEST_COUNT];
  if (num != GOMPX_REQUEST_DATA + (size + 3) / 4 || size > MOST)
    fail ("a damaged request", size);
  unsigned char *bytes = (unsigned char *) &words[GOMPX_REQUEST_DATA];
  for (unsigned k = 0; k < size; k++)
    {
      if (bytes[k] != (unsigned char) (words[GOMPX_REQUEST_FUNCTION] + k))
	fail ("a wrong byte on the host", k);
      bytes[k]++;
    }
  if (number % GOMPX_SLOTS_REFRESH == 0)
    {
      refreshed++;
      for (unsigned w = num; w < GOMPX_SLOT_WORDS; w++)
	while (remote_load (&slot->request[w]) >> 32 != number)
	  sched_yield ();
    }
  num = GOMPX_ANSWER_DATA + (size + 3) / 4;
  served++;
  remote_store (&slot->answer[0], gompx_tagged (number, GOMPX_HEAD (num, 0, 0)));
  remote_store (&slot->answer[1], gompx_tagged (number, ~words[GOMPX_REQUEST_FUNCTION]));
  remote_store (&slot->answer[2], gompx_tagged (number, 7));
  for (unsigned w = num; w-- > GOMPX_ANSWER_DATA; )
    {
      remote_store (&slot->answer[w],
		    gompx_tagged (number, words[GOMPX_REQUEST_DATA + w - GOMPX_ANSWER_DATA]));
      if (w == 5)
	sched_yield ();
    }
  return true;
}

static void *
host (void *arg)
{
  (void) arg;
  while (!stop)
    {
      bool any = false;
      for (unsigned i = 0; i < SLOTS; i++)
	any |= serve (i);
      if (!any)
	sched_yield ();
    }
  return NULL;
}

static void *
device (void *arg)
{
  unsigned me = (unsigned) (uintptr_t) arg;
  unsigned char data[MOST + 1];

  for (unsigned n = 0; n < CALLS; n++)
    {
      struct accel_call c;
      unsigned size = n % 97 == 5 ? MOST - n % 7 : (n * 7 + me) % 50, id = me * CALLS + n;
      for (unsigned k = 0; k < size; k++)
	data[k] = (unsigned char) (id + k);
      data[size] = 0x55;
      if (!accel_call_begin (&c))
	return fail ("no slot", n), NULL;
      c.type = 2;
      c.function = id;
      c.argument = 0;
      accel_call_set_data (&c, data, size);
      accel_call_send (&c);
      if (n % 3 == 0)
	while (!accel_call_is_done (&c))
	  sched_yield ();
      else
	accel_call_await (&c);
      if (accel_call_value (&c) != ((uint64_t) 7 << 32 | (uint32_t) ~id))
	fail ("a wrong value", n);
      accel_call_bring (&c, GOMPX_ANSWER_DATA, data, size);
      accel_call_end (&c);
      for (unsigned k = 0; k < size; k++)
	if (data[k] != (unsigned char) (id + k + 1))
	  fail ("a wrong byte on the device", k);
      if (data[size] != 0x55)
	fail ("a byte behind it", size);
    }
  return NULL;
}

int
main (void)
{
  static struct gompx_reverse reverse;
  pthread_t hosts[HOSTS], devices[DEVICES];

  area = calloc (1, gompx_slots_size (SLOTS));
  reverse.version = GOMPX_SLOTS_VERSION;
  reverse.num_slots = SLOTS;
  reverse.mask = SLOTS - 1;
  reverse.area = (uintptr_t) area;
  for (unsigned i = 0; i < SLOTS; i++)
    {
      /* About to come to a multiple of GOMPX_SLOTS_REFRESH, and around.  */
      uint32_t last = i == 0 ? -100 * GOMPX_NUMBER_STEP : GOMPX_SLOTS_REFRESH - 50 * GOMPX_NUMBER_STEP;
      numbers[i] = last;
      reverse.owner[i] = last;
      area->bell[i] = (uint8_t) last;
      /* As if it had been so for long.  */
      for (unsigned w = 0; w < GOMPX_SLOT_WORDS; w++)
	area->slots[i].request[w] = area->slots[i].answer[w] = gompx_tagged (last, 0);
    }
  gompx_reverse = &reverse;
  for (uintptr_t i = 0; i < HOSTS; i++)
    pthread_create (&hosts[i], NULL, host, NULL);
  for (uintptr_t i = 0; i < DEVICES; i++)
    pthread_create (&devices[i], NULL, device, (void *) i);
  for (int i = 0; i < DEVICES; i++)
    pthread_join (devices[i], NULL);
  stop = true;
  for (int i = 0; i < HOSTS; i++)
    pthread_join (hosts[i], NULL);
  if (served != DEVICES * CALLS || refreshed != SLOTS)
    printf ("%u of %u requests, %u refreshing ones\n", served, DEVICES * CALLS, refreshed), failures++;
  free (area);
  return failures != 0;
}
