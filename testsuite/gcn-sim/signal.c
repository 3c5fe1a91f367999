/* signal.c -- signals: words that the host and device code change, and on which threads wait.

   A signal is a block of memory with ROCr's layout, 64 bytes in pages that all agents may use; beside
   each block the host keeps a record, found by the block's place in its page.  Values are
   changed by atomic operations, by the simulator at the addresses that the program uses too: so tools
   that watch threads see who waits for whom.

   A waiter counts itself in the signal's record, looks at the value once more and sleeps on the
   record's futex word; who has changed a value adds 1 to the word and wakes if there are
   waiters.  Counting, looking, changing and looking for waiters are sequentially consistent, so one
   of the two sees the other.  Device code that stores to a signal wakes nobody, as on hardware,
   unless it sends the interrupt of the signal's event: sim_interrupt.

   Blocks are never given back: a handle that was destroyed is known as such.  */

#include "hsa-sim.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PER_PAGE = 64, MAX_PAGES = 4096, FIRST_EVENT = 1 };

struct record
{
  _Atomic uint32_t xserial;	/* futex: changes with the value, while somebody waits */
  _Atomic uint32_t xwaiters;
  _Atomic uint32_t xuses;	/* by packets and copies in flight */
  _Atomic bool xlive;
  void *doorbell;		/* the queue; fixed while it lives */
  bool own;			/* made by the simulator */
  bool interrupts;		/* false: who waits looks again and again */
};

static struct page
{
  struct hsa_signal_block *blocks;
  struct record records[PER_PAGE];
} *_Atomic pages[MAX_PAGES];
static _Atomic unsigned num_pages;
static uint64_t mailboxes;	/* a page where device code stores numbers of events */

/* Free blocks, the ones freed first taken first.  Protected by hsa_lock.  */
static uint32_t *free_blocks;
static size_t free_head, free_count, free_room;

/* The page and place of a handle.  */
static struct record *
record_of (hsa_signal_t signal, struct hsa_signal_block **block)
{
  /* acquire: pages are filled before they are counted.  */
  unsigned n = atomic_load_explicit (&num_pages, memory_order_acquire);
  for (unsigned i = 0; i < n; i++)
    {
      struct page *p = atomic_load_explicit (&pages[i], memory_order_relaxed);
      uint64_t offset = signal.handle - (uintptr_t) p->blocks;
      if (offset < PER_PAGE * sizeof (struct hsa_signal_block))
	{
	  if (offset % sizeof (struct hsa_signal_block) != 0)
	    return NULL;
	  *block = &p->blocks[offset / sizeof (struct hsa_signal_block)];
	  return &p->records[offset / sizeof (struct hsa_signal_block)];
	}
    }
  return NULL;
}

static struct record *
live_record (hsa_signal_t signal, struct hsa_signal_block **block, const char *function)
{
  struct record *r = signal.handle != 0 ? record_of (signal, block) : NULL;
  /* acquire: the block was filled before it was alive.  */
  if (r != NULL && atomic_load_explicit (&r->xlive, memory_order_acquire))
    return r;
  if (function != NULL)
    hsa_misuse ("%s: signal %#lx %s", function, (unsigned long) signal.handle,
		signal.handle == 0 ? "is none" : r != NULL ? "was destroyed" : "is no signal");
  return NULL;
}

bool
hsa_signal_ok (hsa_signal_t signal, const char *function)
{
  struct hsa_signal_block *block;
  return live_record (signal, &block, function) != NULL;
}

static bool
add_page (void)
{
  unsigned n = atomic_load_explicit (&num_pages, memory_order_relaxed);
  uint64_t addr;
  struct page *p;

  if (n == MAX_PAGES)
    return false;
  if (mailboxes == 0)
    mailboxes = space_allocate (SIM_SYSTEM_ARENA, SIM_PAGE, SIM_SIGNAL_MEMORY, ~(uint32_t) 0);
  addr = space_allocate (SIM_SYSTEM_ARENA, PER_PAGE * sizeof (struct hsa_signal_block),
			 SIM_SIGNAL_MEMORY, ~(uint32_t) 0);
  if (addr == 0 || mailboxes == 0)
    return false;
  p = calloc (1, sizeof (*p));
  if (p == NULL)
    abort ();
  p->blocks = (struct hsa_signal_block *) addr;
  memset (p->blocks, 0, PER_PAGE * sizeof (*p->blocks));
  if (free_room < (n + 1) * PER_PAGE)
    {
      /* Nothing is on the list now.  */
      free_room = (n + 1) * 2 * PER_PAGE;
      free_blocks = realloc (free_blocks, free_room * sizeof (*free_blocks));
      if (free_blocks == NULL)
	abort ();
      free_head = 0;
    }
  for (unsigned i = 0; i < PER_PAGE; i++)
    free_blocks[(free_head + free_count++) % free_room] = n * PER_PAGE + i;
  atomic_store_explicit (&pages[n], p, memory_order_relaxed);
  /* release: what is in the page.  */
  atomic_store_explicit (&num_pages, n + 1, memory_order_release);
  return true;
}

/* With hsa_lock held.  */
static hsa_signal_t
make_signal (int64_t value, void *doorbell, bool own, bool interrupts)
{
  if (free_count == 0 && !add_page ())
    return (hsa_signal_t) { 0 };
  uint32_t i = free_blocks[free_head];
  free_head = (free_head + 1) % free_room;
  free_count--;
  struct page *p = atomic_load_explicit (&pages[i / PER_PAGE], memory_order_relaxed);
  struct hsa_signal_block *b = &p->blocks[i % PER_PAGE];
  struct record *r = &p->records[i % PER_PAGE];
  b->kind = doorbell != NULL ? -1 : 1;
  b->mailbox = interrupts ? mailboxes : 0;
  b->event = interrupts ? FIRST_EVENT + i : 0;
  r->interrupts = interrupts;
  b->start = b->end = b->queue = 0;
  atomic_store_explicit (&b->xvalue, value, memory_order_relaxed);
  r->doorbell = doorbell;
  r->own = own;
  atomic_store_explicit (&r->xuses, 0, memory_order_relaxed);
  /* release: all of that.  */
  atomic_store_explicit (&r->xlive, true, memory_order_release);
  return (hsa_signal_t) { (uintptr_t) &p->blocks[i % PER_PAGE] };
}

static void
drop_signal (hsa_signal_t signal, struct record *r, struct hsa_signal_block *b)
{
  b->kind = 0;
  /* release: whoever sees it dead leaves the block alone.  */
  atomic_store_explicit (&r->xlive, false, memory_order_release);
  for (unsigned i = 0; i < atomic_load_explicit (&num_pages, memory_order_relaxed); i++)
    {
      struct page *p = atomic_load_explicit (&pages[i], memory_order_relaxed);
      uint64_t offset = signal.handle - (uintptr_t) p->blocks;
      if (offset < PER_PAGE * sizeof (*b))
	free_blocks[(free_head + free_count++) % free_room]
	  = i * PER_PAGE + (uint32_t) (offset / sizeof (*b));
    }
}

hsa_signal_t
signal_new (int64_t value, void *doorbell)
{
  return make_signal (value, doorbell, true, true);
}

void
signal_delete (hsa_signal_t signal)
{
  struct hsa_signal_block *b;
  struct record *r = live_record (signal, &b, NULL);
  if (r != NULL)
    drop_signal (signal, r, b);
}

static hsa_status_t
create (const char *function, int64_t value, uint32_t consumers, const hsa_agent_t *list,
	bool interrupts, hsa_signal_t *out)
{
  if (out == NULL || (consumers != 0 && list == NULL))
    {
      hsa_misuse ("%s: a null pointer", function);
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  for (uint32_t i = 0; i < consumers; i++)
    if (hsa_agent_number (list[i]) < -1)
      {
	hsa_misuse ("%s: consumer %u is no agent", function, i);
	return HSA_STATUS_ERROR_INVALID_ARGUMENT;
      }
  pthread_mutex_lock (&hsa_lock);
  *out = make_signal (value, NULL, false, interrupts);
  pthread_mutex_unlock (&hsa_lock);
  if (out->handle == 0)
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  hsa_count (COUNT_SIGNALS_CREATED, 1);
  hsa_log ("signal %#lx = %ld", (unsigned long) out->handle, (long) value);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_signal_create (hsa_signal_value_t initial, uint32_t num_consumers, const hsa_agent_t *consumers,
		   hsa_signal_t *signal)
{
  ENTER (hsa_signal_create);
  return create ("hsa_signal_create", initial, num_consumers, consumers, true, signal);
}

hsa_status_t
hsa_amd_signal_create (hsa_signal_value_t initial, uint32_t num_consumers,
		       const hsa_agent_t *consumers, uint64_t attributes, hsa_signal_t *signal)
{
  ENTER (hsa_amd_signal_create);
  if (attributes > 3)
    {
      hsa_misuse ("hsa_amd_signal_create: attributes %#lx", (unsigned long) attributes);
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  return create ("hsa_amd_signal_create", initial, num_consumers, consumers,
		 (attributes & HSA_AMD_SIGNAL_AMD_GPU_ONLY) == 0, signal);
}

hsa_status_t
hsa_signal_destroy (hsa_signal_t signal)
{
  struct hsa_signal_block *b;
  ENTER (hsa_signal_destroy);
  pthread_mutex_lock (&hsa_lock);
  struct record *r = live_record (signal, &b, "hsa_signal_destroy");
  bool ok = r != NULL;
  if (ok && r->own)
    {
      hsa_misuse ("hsa_signal_destroy: signal %#lx is a queue's doorbell",
		  (unsigned long) signal.handle);
      ok = false;
    }
  if (ok)
    {
      if (atomic_load_explicit (&r->xuses, memory_order_relaxed) != 0)
	hsa_misuse ("hsa_signal_destroy: signal %#lx is used by a packet or copy in flight",
		    (unsigned long) signal.handle);
      if (atomic_load_explicit (&r->xwaiters, memory_order_relaxed) != 0)
	hsa_misuse ("hsa_signal_destroy: a thread waits for signal %#lx",
		    (unsigned long) signal.handle);
      drop_signal (signal, r, b);
      hsa_count (COUNT_SIGNALS_DESTROYED, 1);
    }
  pthread_mutex_unlock (&hsa_lock);
  return ok ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_SIGNAL;
}

void
signal_use (hsa_signal_t signal)
{
  struct hsa_signal_block *b;
  struct record *r = signal.handle != 0 ? live_record (signal, &b, NULL) : NULL;
  if (r != NULL)
    atomic_fetch_add_explicit (&r->xuses, 1, memory_order_relaxed);
}

void
signal_unuse (hsa_signal_t signal)
{
  struct hsa_signal_block *b;
  struct record *r = signal.handle != 0 ? record_of (signal, &b) : NULL;
  uint32_t n = r != NULL ? atomic_load_explicit (&r->xuses, memory_order_relaxed) : 0;
  while (n != 0 && !atomic_compare_exchange_weak_explicit (&r->xuses, &n, n - 1,
							    memory_order_relaxed,
							    memory_order_relaxed))
    ;
}

void
signal_times (hsa_signal_t signal, uint64_t start, uint64_t end)
{
  struct hsa_signal_block *b;
  if (signal.handle != 0 && live_record (signal, &b, NULL) != NULL)
    {
      b->start = start;
      b->end = end;
    }
}

/* ---- waiting ---- */

static void
futex_wait (_Atomic uint32_t *word, uint32_t value, uint64_t ns)
{
  struct timespec ts = { .tv_sec = (time_t) (ns / 1000000000u),
			 .tv_nsec = (long) (ns % 1000000000u) };
  syscall (SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &ts, NULL, 0);
}

/* The value of R's signal has changed.  */
static void
changed (struct record *r)
{
  /* seq_cst: after the value; see the head.  */
  if (atomic_load_explicit (&r->xwaiters, memory_order_seq_cst) != 0)
    {
      atomic_fetch_add_explicit (&r->xserial, 1, memory_order_seq_cst);
      syscall (SYS_futex, &r->xserial, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
    }
}

static bool
condition_holds (int condition, int64_t seen, int64_t value)
{
  switch (condition)
    {
    case HSA_SIGNAL_CONDITION_EQ:
      return seen == value;
    case HSA_SIGNAL_CONDITION_NE:
      return seen != value;
    case HSA_SIGNAL_CONDITION_LT:
      return seen < value;
    default:
      return seen >= value;
    }
}

static hsa_signal_value_t
wait_for (hsa_signal_t signal, int condition, int64_t value, uint64_t timeout, int how,
	  const char *function)
{
  struct hsa_signal_block *b;
  struct record *r = live_record (signal, &b, function);
  uint64_t begin = 0;

  if (r == NULL)
    return 0;
  if (condition < HSA_SIGNAL_CONDITION_EQ || condition > HSA_SIGNAL_CONDITION_GTE)
    {
      hsa_misuse ("%s: condition %d", function, condition);
      return 0;
    }
  hsa_count (COUNT_SIGNAL_WAITS, 1);
  for (unsigned round = 0;; round++)
    {
      /* acquire: what was done before the signal was changed.  */
      int64_t seen = atomic_load_explicit (&b->xvalue, memory_order_acquire);
      uint64_t now, left;
      if (condition_holds (condition, seen, value))
	return seen;
      if (round == 0)
	begin = hsa_now ();
      now = hsa_now ();
      if (now - begin >= timeout)
	return seen;
      left = timeout - (now - begin);
      if (how == HSA_WAIT_STATE_ACTIVE && round < 200)
	continue;
      if (left > 1000000000u)
	left = 1000000000u;
      /* seq_cst: see the head.  */
      atomic_fetch_add_explicit (&r->xwaiters, 1, memory_order_seq_cst);
      uint32_t serial = atomic_load_explicit (&r->xserial, memory_order_seq_cst);
      seen = atomic_load_explicit (&b->xvalue, memory_order_seq_cst);
      if (!condition_holds (condition, seen, value))
	{
	  hsa_count (COUNT_SIGNAL_SLEEPS, 1);
	  /* An active wait sees what device code stores; let others run meanwhile.  */
	  futex_wait (&r->xserial, serial,
		      (how == HSA_WAIT_STATE_ACTIVE || !r->interrupts) && left > 50000
		      ? 50000 : left);
	}
      atomic_fetch_sub_explicit (&r->xwaiters, 1, memory_order_relaxed);
    }
}

#define WAIT(name)								\
  hsa_signal_value_t								\
  name (hsa_signal_t signal, int condition, hsa_signal_value_t value,		\
	uint64_t timeout, int how)						\
  {										\
    COUNT_CALL (name);								\
    return wait_for (signal, condition, value, timeout, how, #name);		\
  }
WAIT (hsa_signal_wait_acquire)
WAIT (hsa_signal_wait_scacquire)
WAIT (hsa_signal_wait_relaxed)

uint32_t
hsa_amd_signal_wait_any (uint32_t count, hsa_signal_t *signals, int *conditions,
			 hsa_signal_value_t *values, uint64_t timeout, int wait_state,
			 hsa_signal_value_t *satisfying)
{
  uint64_t begin = hsa_now ();
  COUNT_CALL (hsa_amd_signal_wait_any);
  (void) wait_state;
  hsa_count (COUNT_SIGNAL_WAITS, 1);
  for (;;)
    {
      for (uint32_t i = 0; i < count; i++)
	{
	  struct hsa_signal_block *b;
	  if (live_record (signals[i], &b, "hsa_amd_signal_wait_any") == NULL)
	    return UINT32_MAX;
	  /* acquire: what was done before the signal was changed.  */
	  int64_t seen = atomic_load_explicit (&b->xvalue, memory_order_acquire);
	  if (condition_holds (conditions[i], seen, values[i]))
	    {
	      if (satisfying != NULL)
		*satisfying = seen;
	      return i;
	    }
	}
      if (count == 0 || hsa_now () - begin >= timeout)
	return UINT32_MAX;
      usleep (50);
    }
}

/* A handler waits in a thread of its own.  */
struct handler
{
  hsa_signal_t signal;
  int condition;
  hsa_signal_value_t value;
  hsa_amd_signal_handler function;
  void *data;
};

static void *
run_handler (void *arg)
{
  struct handler *h = arg;
  struct hsa_signal_block *b;
  bool again = true;
  while (again && live_record (h->signal, &b, NULL) != NULL)
    {
      int64_t seen = wait_for (h->signal, h->condition, h->value, UINT64_MAX,
			       HSA_WAIT_STATE_BLOCKED, "hsa_amd_signal_async_handler");
      again = h->function (seen, h->data);
    }
  free (h);
  return NULL;
}

hsa_status_t
hsa_amd_signal_async_handler (hsa_signal_t signal, int condition, hsa_signal_value_t value,
			      hsa_amd_signal_handler function, void *data)
{
  pthread_t thread;
  ENTER (hsa_amd_signal_async_handler);
  if (!hsa_signal_ok (signal, "hsa_amd_signal_async_handler"))
    return HSA_STATUS_ERROR_INVALID_SIGNAL;
  if (function == NULL || condition < HSA_SIGNAL_CONDITION_EQ
      || condition > HSA_SIGNAL_CONDITION_GTE)
    {
      hsa_misuse ("hsa_amd_signal_async_handler: no handler, or condition %d", condition);
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  struct handler *h = malloc (sizeof (*h));
  if (h == NULL)
    abort ();
  *h = (struct handler) { signal, condition, value, function, data };
  if (pthread_create (&thread, NULL, run_handler, h) != 0)
    abort ();
  pthread_detach (thread);
  return HSA_STATUS_SUCCESS;
}

bool
signal_wait_zero (const hsa_signal_t *signals, unsigned n, bool all, const _Atomic bool *stop)
{
  for (;;)
    {
      unsigned zero = 0, used = 0;
      struct record *first = NULL;
      uint32_t serial = 0;
      for (unsigned i = 0; i < n; i++)
	{
	  struct hsa_signal_block *b;
	  if (signals[i].handle == 0)
	    continue;
	  /* One that was destroyed meanwhile, which was told, is never 0.  */
	  struct record *r = live_record (signals[i], &b, NULL);
	  if (r == NULL)
	    {
	      used++;
	      continue;
	    }
	  used++;
	  if (first == NULL)
	    {
	      /* seq_cst: see the head.  */
	      atomic_fetch_add_explicit (&r->xwaiters, 1, memory_order_seq_cst);
	      serial = atomic_load_explicit (&r->xserial, memory_order_seq_cst);
	    }
	  if (atomic_load_explicit (&b->xvalue, memory_order_seq_cst) == 0)
	    zero++;
	  else if (first == NULL)
	    {
	      first = r;
	      continue;
	    }
	  if (first == NULL)
	    atomic_fetch_sub_explicit (&r->xwaiters, 1, memory_order_relaxed);
	}
      bool done = all ? zero == used : zero != 0 || used == 0;
      /* acquire: whoever stops us has done so for a reason.  */
      bool stopped = atomic_load_explicit (stop, memory_order_acquire);
      if (first != NULL)
	{
	  /* With several signals only the first is slept on; the others are looked at now and
	     then, as is the order to stop.  */
	  if (!done && !stopped)
	    futex_wait (&first->xserial, serial, all ? 20000000 : 100000);
	  atomic_fetch_sub_explicit (&first->xwaiters, 1, memory_order_relaxed);
	}
      else if (!done && !stopped)
	usleep (1000);
      if (done || stopped)
	return done;
    }
}

/* ---- values ---- */

int64_t
signal_value (hsa_signal_t signal)
{
  struct hsa_signal_block *b;
  /* acquire: as for a wait.  */
  return live_record (signal, &b, NULL) != NULL
	 ? atomic_load_explicit (&b->xvalue, memory_order_acquire) : 0;
}

void
signal_subtract (hsa_signal_t signal, int64_t n)
{
  struct hsa_signal_block *b;
  struct record *r = live_record (signal, &b, "a completion");
  if (r != NULL)
    {
      /* seq_cst: see the head; and it releases what was executed.  */
      atomic_fetch_sub_explicit (&b->xvalue, n, memory_order_seq_cst);
      changed (r);
    }
}

void
signal_set (hsa_signal_t signal, int64_t value)
{
  struct hsa_signal_block *b;
  struct record *r = live_record (signal, &b, "a completion");
  if (r != NULL)
    {
      /* seq_cst: as above.  */
      atomic_store_explicit (&b->xvalue, value, memory_order_seq_cst);
      changed (r);
    }
}

#define LOAD(name)								\
  hsa_signal_value_t								\
  name (hsa_signal_t signal)							\
  {										\
    struct hsa_signal_block *b;							\
    COUNT_CALL (name);								\
    if (live_record (signal, &b, #name) == NULL)				\
      return 0;									\
    /* acquire: at least what the name says.  */				\
    return atomic_load_explicit (&b->xvalue, memory_order_acquire);		\
  }
LOAD (hsa_signal_load_acquire)
LOAD (hsa_signal_load_scacquire)
LOAD (hsa_signal_load_relaxed)

/* A store to a doorbell is for its queue.  */
#define STORE(name)								\
  void										\
  name (hsa_signal_t signal, hsa_signal_value_t value)				\
  {										\
    struct hsa_signal_block *b;							\
    COUNT_CALL (name);								\
    struct record *r = live_record (signal, &b, #name);				\
    if (r == NULL)								\
      return;									\
    /* seq_cst: see the head.  */						\
    atomic_store_explicit (&b->xvalue, value, memory_order_seq_cst);		\
    if (r->doorbell != NULL)							\
      queue_doorbell (r->doorbell, value);					\
    else									\
      changed (r);								\
  }
STORE (hsa_signal_store_relaxed)
STORE (hsa_signal_store_release)
STORE (hsa_signal_store_screlease)

#define CHANGE(name, operation)							\
  void										\
  name (hsa_signal_t signal, hsa_signal_value_t value)				\
  {										\
    struct hsa_signal_block *b;							\
    COUNT_CALL (name);								\
    struct record *r = live_record (signal, &b, #name);				\
    if (r == NULL)								\
      return;									\
    /* seq_cst: see the head.  */						\
    operation (&b->xvalue, value, memory_order_seq_cst);			\
    changed (r);								\
  }
CHANGE (hsa_signal_subtract_screlease, atomic_fetch_sub_explicit)

hsa_status_t
hsa_amd_signal_value_pointer (hsa_signal_t signal, volatile hsa_signal_value_t **pointer)
{
  struct hsa_signal_block *b;
  ENTER (hsa_amd_signal_value_pointer);
  struct record *r = live_record (signal, &b, "hsa_amd_signal_value_pointer");
  if (r == NULL)
    return HSA_STATUS_ERROR_INVALID_SIGNAL;
  if (pointer == NULL)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  *pointer = (volatile hsa_signal_value_t *) &b->xvalue;
  return HSA_STATUS_SUCCESS;
}

/* ---- interrupts of device code, leaks ---- */

void
sim_interrupt (struct sim_wave *w, uint32_t event)
{
  (void) w;
  uint32_t i = event - FIRST_EVENT;
  /* acquire: pages are filled before they are counted.  */
  if (event >= FIRST_EVENT && i / PER_PAGE < atomic_load_explicit (&num_pages, memory_order_acquire))
    changed (&atomic_load_explicit (&pages[i / PER_PAGE], memory_order_relaxed)
	      ->records[i % PER_PAGE]);
}

unsigned
signal_report_leaks (void)
{
  unsigned leaks = 0;
  char text[80];
  pthread_mutex_lock (&hsa_lock);
  unsigned n = atomic_load_explicit (&num_pages, memory_order_relaxed);
  for (unsigned i = 0; i < n * PER_PAGE; i++)
    {
      struct page *p = atomic_load_explicit (&pages[i / PER_PAGE], memory_order_relaxed);
      struct record *r = &p->records[i % PER_PAGE];
      if (!atomic_load_explicit (&r->xlive, memory_order_relaxed) || r->own)
	continue;
      snprintf (text, sizeof (text), "signal %p", (void *) &p->blocks[i % PER_PAGE]);
      hsa_tell ("leak", text);
      leaks++;
    }
  pthread_mutex_unlock (&hsa_lock);
  return leaks;
}
