/* gcn-console.c -- the output block: what kernels say to the host.

   The C library of the device writes text into a ring of records in memory of the host, and when a
   wave calls exit or abort a word in front of it (abi/gcn section 2.3).  GCC's device library calls
   the host through the same ring (2.6).  Each queue has a block, and the kernels that run on it, one after
   the other, go on where the one before stopped: nothing is reset for a launch.

     device: index i = xnext++, once xconsumed > i - GCN_RECORDS
       write    | the record, then xwritten = 1                     release
     host:   looked == i, xwritten == 1                             acquire
       look     | text is printed and the record done;
		| a call gets its bit in xcalls
       take     | the bit is cleared, by exactly one thread
       answer   | what was called has run
       done     | xwritten = 0, which a caller waits for            release
       consumed | xconsumed moves over what is done                 release
     device: the slot again

   So calls do not keep text behind them waiting, and any number of them is served at a time.

   Invariants
   1. consumed <= looked <= consumed + GCN_RECORDS; only slots of [consumed, looked) have bits in done and xcalls.
   2. Nothing in the block is believed: texts end with their arrays, types are looked up, and
      indices are the host's own.
   3. The lock is not held while a call is served, nor when the process ends.
   4. Text of one queue is printed in the order in which the device has reserved records, and before what was said
      with a later call of the host.

   Called by gcn-launch.c and gcn-reverse.c.  */

#include "gcn-console.h"
#include "gcn-launch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The upper half of the return value.  */
enum { RETURN_EXIT = 0xffff };
enum { SIGNAL_ABORT = 6 };
/* Counters go on forever, but the device's must not wrap: then it would say that its file is full.  */
#define START_AGAIN (UINT32_C (1) << 30)

static uint64_t
quiet_words (const struct gcn_console *c)
{
  return GCN_RETURN_NONE | (uint64_t) c->looked << 32;
}

/* A block as kernels expect it.  Nothing runs that uses it.  */
static void
reset (struct gcn_console *c)
{
  struct gcn_output *o = c->output;
  c->looked = c->consumed = 0;
  memset (c->done, 0, sizeof (c->done));
  /* Relaxed, all of them: a launch comes behind that.  */
  for (unsigned i = 0; i < GCN_RECORDS; i++)
    atomic_store_explicit (&o->records[i].xwritten, 0, memory_order_relaxed);
  atomic_store_explicit (&o->xreturn_value, GCN_RETURN_NONE, memory_order_relaxed);
  atomic_store_explicit (&o->xnext, 0, memory_order_relaxed);
  atomic_store_explicit (&o->xconsumed, 0, memory_order_relaxed);
  atomic_store_explicit (&c->xquiet, quiet_words (c), memory_order_relaxed);
}

gomp_status_t
gcn_console_new (struct gomp_plugin_device *dev, struct gcn_queue *queue, struct gcn_console **console)
{
  void *memory = NULL;
  struct gcn_console *c = calloc (1, sizeof (*c));
  if (c == NULL)
    return gcn_no_memory ();
  gomp_status_t status = gcn_shared_new (dev, sizeof (struct gcn_output), &memory, "output of kernels");
  if (status != GOMP_OK)
    {
      free (c);
      return status;
    }
  c->output = memory;
  c->queue = queue;
  pthread_mutex_init (&c->lock, NULL);
  reset (c);
  /* At the end, so that numbers of calls mean the same from one look to the next.  */
  struct gcn_console *_Atomic *end = &dev->launches->xconsoles;
  struct gcn_console *last;
  pthread_mutex_lock (&dev->lock);
  while ((last = atomic_load_explicit (end, memory_order_relaxed)) != NULL)	/* under the lock */
    end = &last->xnext;
  /* Release: the console, for who goes through the list.  */
  atomic_store_explicit (end, c, memory_order_release);
  pthread_mutex_unlock (&dev->lock);
  *console = c;
  return GOMP_OK;
}

void
gcn_consoles_close (struct gomp_plugin_device *dev)
{
  /* Relaxed, all: nobody else uses the device.  */
  struct gcn_console *c = atomic_exchange_explicit (&dev->launches->xconsoles, NULL, memory_order_relaxed);
  while (c != NULL)
    {
      struct gcn_console *next = atomic_load_explicit (&c->xnext, memory_order_relaxed);
      gcn_shared_delete (dev, c->output);
      pthread_mutex_destroy (&c->lock);
      free (c);
      c = next;
    }
}

void
gcn_console_begin (struct gcn_console *c, uint32_t number)
{
  /* Relaxed: a measure, of the queue's own kernels.  */
  if (__builtin_expect (atomic_load_explicit (&c->output->xnext, memory_order_relaxed) > START_AGAIN, 0)
      && gcn_console_idle (c))
    {
      pthread_mutex_lock (&c->lock);
      if (c->looked == c->consumed
	  && c->looked == atomic_load_explicit (&c->output->xnext, memory_order_relaxed))
	reset (c);
      pthread_mutex_unlock (&c->lock);
    }
  /* Release: see gcn_console_idle.  */
  atomic_store_explicit (&c->xlast, number, memory_order_release);
}

/* ---- looking at records ---- */

static void
print (const struct gcn_record *r)
{
  int msg = (int) strnlen (r->msg, sizeof (r->msg));
  int text = (int) strnlen (r->u.text, sizeof (r->u.text));

  switch (r->type)
    {
    case GCN_RECORD_INTEGER:
      printf ("%.*s%" PRId64 "\n", msg, r->msg, r->u.integer);
      break;
    case GCN_RECORD_REAL:
      printf ("%.*s%f\n", msg, r->msg, r->u.real);
      break;
    case GCN_RECORD_TEXT:
      printf ("%.*s%.*s\n", msg, r->msg, text, r->u.text);
      break;
    case GCN_RECORD_RAW:
      fwrite (r->msg, 1, (size_t) msg, stdout);
      fwrite (r->u.text, 1, (size_t) text, stdout);
      break;
    }
}

static inline void
set_done (struct gcn_console *c, unsigned slot)
{
  c->done[slot / 64] |= UINT64_C (1) << slot % 64;
  /* Release: who called finds what was done for it.  */
  atomic_store_explicit (&c->output->records[slot].xwritten, 0, memory_order_release);
}

/* Give the device the slots that are done, from the first on.  */
static void
advance (struct gcn_console *c)
{
  uint32_t before = c->consumed;
  while (c->consumed != c->looked)
    {
      unsigned slot = c->consumed % GCN_RECORDS;
      uint64_t bit = UINT64_C (1) << slot % 64;
      if ((c->done[slot / 64] & bit) == 0)
	break;
      c->done[slot / 64] &= ~bit;
      c->consumed++;
    }
  if (c->consumed != before)	/* release: xwritten of these slots is 0 */
    atomic_store_explicit (&c->output->xconsumed, c->consumed, memory_order_release);
}

/* Look at one record.  False: it is not written yet.  */
static bool
look_at (struct gomp_plugin_device *dev, struct gcn_console *c, unsigned slot, bool ended, bool *printed)
{
  struct gcn_record *r = &c->output->records[slot];
  /* Acquire: the record.  */
  bool written = atomic_load_explicit (&r->xwritten, memory_order_acquire) != 0;

  if (!written && !ended)
    return false;
  if (written && r->type == GCN_RECORD_CALL && !ended && dev->reverse != NULL)
    {
      /* Release: for who takes it.  */
      atomic_fetch_or_explicit (&c->xcalls[slot / 64], UINT64_C (1) << slot % 64, memory_order_release);
      return true;
    }
  if (written && r->type >= 0 && r->type < GCN_RECORD_CALL)
    {
      print (r);
      *printed = true;
    }
  else if (written && !c->told)
    {
      c->told = true;
      if (r->type == GCN_RECORD_CALL)
	gcn_core->debug (0, "a region on device %u calls the host, which the program does not require"
			 " (`requires reverse_offload'): nothing is done", dev->ordinal);
      else
	gcn_core->debug (0, "a region on device %u has written output of the unknown type %" PRId32,
			 dev->ordinal, r->type);
    }
  set_done (c, slot);
  return true;
}

/* Look at all that is there; with the lock.  */
static void
look (struct gomp_plugin_device *dev, struct gcn_console *c)
{
  /* Acquire: it comes before the look whether kernels have ended.  If so, what they have reserved and not
     written will not be written: a wave has ended in the middle of it.  */
  uint32_t next = atomic_load_explicit (&c->output->xnext, memory_order_acquire);
  bool ended = gcn_console_idle (c), printed = false;

  while (c->looked != next && c->looked - c->consumed < GCN_RECORDS
	 && look_at (dev, c, c->looked % GCN_RECORDS, ended, &printed))
    {
      c->looked++;
      /* What is done can be used again at once; a full ring stops the device.  */
      if (c->looked % 64 == 0)
	advance (c);
    }
  advance (c);
  if (printed)
    fflush (stdout);
  /* Relaxed: a hint.  */
  atomic_store_explicit (&c->xquiet, quiet_words (c), memory_order_relaxed);
}

gomp_status_t
gcn_console_look (struct gomp_plugin_device *dev, struct gcn_console *c, bool *any)
{
  pthread_mutex_lock (&c->lock);
  uint32_t before = c->looked;
  look (dev, c);
  /* Acquire: what was printed before exit was called.  */
  uint32_t value = atomic_load_explicit (&c->output->xreturn_value, memory_order_acquire);
  if (__builtin_expect (value != GCN_RETURN_NONE, 0))
    look (dev, c);
  if (any != NULL)
    *any = c->looked != before;
  pthread_mutex_unlock (&c->lock);
  if (__builtin_expect (value == GCN_RETURN_NONE, 1))
    return GOMP_OK;

  unsigned signal = value >> 8 & 0xff;
  if (value >> 16 == RETURN_EXIT && (signal == 0 || signal == SIGNAL_ABORT))
    gcn_core->end_process (dev->core_device, (int) (value & 0xff), signal != 0);
  if (value >> 16 == RETURN_EXIT)
    gcn_core->set_error ("a region has ended itself by signal %u", signal);
  else
    gcn_core->set_error ("a region has written over the memory through which it talks to the host:"
			 " %#" PRIx32 " is there instead of %#" PRIx32, value, GCN_RETURN_NONE);
  return GOMP_DRIVER_ERROR;
}

void
gcn_console_drain (struct gomp_plugin_device *dev)
{
  /* Acquire: the consoles.  */
  for (struct gcn_console *c = atomic_load_explicit (&dev->launches->xconsoles, memory_order_acquire);
       c != NULL; c = atomic_load_explicit (&c->xnext, memory_order_acquire))
    if (gcn_console_speaks (c))
      {
	pthread_mutex_lock (&c->lock);
	look (dev, c);
	pthread_mutex_unlock (&c->lock);
      }
}

/* ---- calls ---- */

int
gcn_console_find_call (struct gomp_plugin_device *dev)
{
  int first = 0;
  /* Acquire: the consoles.  */
  for (struct gcn_console *c = atomic_load_explicit (&dev->launches->xconsoles, memory_order_acquire);
       c != NULL; c = atomic_load_explicit (&c->xnext, memory_order_acquire), first += GCN_RECORDS)
    {
      if (gcn_console_speaks (c) && pthread_mutex_trylock (&c->lock) == 0)
	{
	  look (dev, c);
	  pthread_mutex_unlock (&c->lock);
	}
      for (unsigned w = 0; w < GCN_RECORDS / 64; w++)
	{
	  /* Relaxed: taking it is what synchronizes.  */
	  uint64_t bits = atomic_load_explicit (&c->xcalls[w], memory_order_relaxed);
	  if (bits != 0)
	    return first + (int) (64 * w) + __builtin_ctzll (bits);
	}
    }
  return -1;
}

static struct gcn_console *
console_of_call (struct gomp_plugin_device *dev, int i)
{
  /* Acquire: the consoles.  */
  struct gcn_console *c = atomic_load_explicit (&dev->launches->xconsoles, memory_order_acquire);
  for (; i >= GCN_RECORDS; i -= GCN_RECORDS)
    c = atomic_load_explicit (&c->xnext, memory_order_acquire);
  return c;
}

bool
gcn_console_take_call (struct gomp_plugin_device *dev, int i, uint64_t words[6])
{
  struct gcn_console *c = console_of_call (dev, i);
  unsigned slot = (unsigned) i % GCN_RECORDS;
  uint64_t bit = UINT64_C (1) << slot % 64;
  /* Acquire: the record.  */
  if ((atomic_fetch_and_explicit (&c->xcalls[slot / 64], ~bit, memory_order_acquire) & bit) == 0)
    return false;
  memcpy (words, c->output->records[slot].u.call, 6 * sizeof (*words));
  return true;
}

void
gcn_console_leave_call (struct gomp_plugin_device *dev, int i)
{
  unsigned slot = (unsigned) i % GCN_RECORDS;
  /* Release: nothing, the record is as it was.  */
  atomic_fetch_or_explicit (&console_of_call (dev, i)->xcalls[slot / 64], UINT64_C (1) << slot % 64, memory_order_release);
}

void
gcn_console_answer (struct gomp_plugin_device *dev, int i)
{
  struct gcn_console *c = console_of_call (dev, i);
  pthread_mutex_lock (&c->lock);
  set_done (c, (unsigned) i % GCN_RECORDS);
  advance (c);
  pthread_mutex_unlock (&c->lock);
}
