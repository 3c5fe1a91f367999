/* staging.c -- the ring: bulk transfers of memory that is not pinned, and the threads that help.

   staging.h tells which transfers come here.  A transfer is a job.  It is cut into pieces; a piece
   travels through a slot, which is a few megabytes of pinned memory and an event:

     to the device      free -> filled by a thread -> enqueued, in flight -> arrived -> free
     from the device    free -> enqueued, in flight -> arrived -> emptied by a thread -> free

   Every thread that takes part does whatever is next: fill or enqueue the next piece of the next
   job if a slot is free, otherwise wait for the slot that has been in flight for the longest
   time.  The thread whose job it is takes part until its job is over; helpers join in.  So one
   thread alone gets everything done, each further one makes it faster, and jobs of several threads
   get slots in turn.

   Helpers are created when a job has work for them, sleep when there is none, and end when they
   have slept for some seconds.  How many work at once follows from what they do: when they wait for the
   device most of the time there are too many, when they hardly do too few.  A helper may also be
   lent to target tasks, for steps that wait (gomp_staging_hand_over).

   Invariants
   1. A job's queue is idle when the job begins: slots in flight wait for the device's copies
      and for nothing else.  So no thread waits here for a region, and none that a region waits for
      waits for slots that are held for long.
   2. A slot is on the list of free ones, in flight, or in the hands of one thread.
   3. When a job is done none of its pieces is anywhere: the memory of the program that it moves
      and its queue are not used any more.
   4. Who gives up while something could be done next, because its own job is done, calls those that
      sleep; who sleeps has seen, under the lock, that others have all slots in their hands.
   5. The text of an error goes from the thread that met it to the one whose job it is.  */

#include "diag.h"
#include "staging.h"
#include "config/linux/futex.h"
#include "host/env.h"
#include "host/icv.h"
#include "host/thread.h"
#include "ompt-target.h"
#include "reverse.h"
#include "plugin/thread-own.h"

#include <pthread.h>

#define MOST_THREADS 8		/* that copy for one device; more gain nothing on any machine so far */
#define MOST_ERRANDS 8
#define MOST_SLOTS (2 * MOST_THREADS)
#define MOST_PIECE ((size_t) 4 << 20)
#define LEAST_PIECE ((size_t) 512 << 10)	/* where the plugin does not say */
#define FIRST_RING 16		/* smallest pieces that the ring may have at once */
/* The ring may grow to this part of what was moved ever, and beyond what is nearly as fast as a larger
   one to that: pinning the second half costs several transfers.  */
#define RING_PART 8
#define USUAL_RING ((size_t) 32 << 20)
#define LARGE_RING_PART 64
/* Slots arrive in turn, one every 100 us or less, and a thread may wait for the last one of those that
   others wait for.  Sleeping in the plugin would come back too late for most.  */
#define POLL_NS 2000000
/* Past the caches go transfers to the device of no more than the one and from the device of no less than the
   other: measured (doc/staging.md).  */
#define PAST_TO ((size_t) 32 << 20)
#define PAST_FROM ((size_t) 192 << 20)
#define IDLE_NS UINT64_C (3000000000)
#define NAP_NS 900000000

struct piece
{
  gomp_devptr_t dev;
  char *host;
  size_t width, rows, dev_stride, host_stride;
};

struct slot
{
  struct slot *next;		/* free, or in flight */
  unsigned char *memory;
  size_t size;
  struct gomp_plugin_event *event;
  struct job *job;		/* whose piece it has */
  struct piece piece;
  bool recorded;		/* the event marks the piece's arrival */
};

/* On the stack of its thread.  Protected by the lock; the fixed ones are not changed any more.  */
struct job
{
  struct job *next;		/* a ring of all jobs of the device */
  struct gomp_plugin_queue *queue;	/* used with the lock */
  const struct gomp_staging_part *parts;	/* fixed */
  const struct gomp_region_note *note;	/* fixed, or NULL */
  const struct gomp_host_copy *whole;	/* what its thread has told, or NULL; fixed */
  bool to_device, past;		/* fixed; past: the caches */
  bool done;
  size_t part, x, y, z;		/* where the next piece begins */
  size_t total;			/* fixed */
  size_t left;			/* bytes that nobody has taken */
  size_t piece;			/* usual size of a piece; fixed */
  unsigned pending;		/* pieces that somebody has taken */
  gomp_status_t status;
  char *error;			/* text, if that is not GOMP_OK */
};

struct errand
{
  struct errand *next;
  void (*fn) (void *);
  void *arg;
};

struct gomp_staging
{
  struct gomp_device *dev;	/* fixed */
  size_t least_piece;		/* fixed */
  unsigned most_threads;	/* fixed */
  gomp_mutex_t lock;		/* GOMP_RANK_STAGING: everything below */
  struct job *jobs;		/* the one that got a slot last, or NULL */
  struct slot *free;
  struct slot *flight, **flight_end;
  unsigned num_slots;
  size_t ring_size;		/* bytes of all slots */
  bool exhausted;		/* there was no more pinned memory */
  uint64_t moved;		/* bytes, ever */
  unsigned workers;		/* threads that take part */
  unsigned wanted;		/* how many should, at most */
  uint64_t busy_ns, waited_ns;	/* of the workers, in the present jobs */
  unsigned helpers, idle, errands_now;	/* threads; those that sleep, those on errands */
  unsigned num_errands;
  struct errand *errands;	/* for idle helpers */
  unsigned sleepers;		/* threads whose jobs are in the hands of others */
  _Atomic (uint32_t) xcall;		/* helpers sleep on it; changed under the lock */
  _Atomic (uint32_t) xturn;		/* sleepers; the same */
};

/* Devices that have jobs: they share the processors.  Relaxed: a measure.  */
static _Atomic (unsigned) xrings;

struct gomp_staging *
gomp_staging_new (struct gomp_device *dev)
{
  struct gomp_staging *s = gomp_calloc (1, sizeof (*s));
  size_t least = dev->attr.chunk_min != 0 ? dev->attr.chunk_min : LEAST_PIECE;
  unsigned cpus = gomp_global_icvs.available_cpus;
  const char *setting = gomp_getenv ("GOMP_STAGING_THREADS", false);

  s->dev = dev;
  s->least_piece = least < 4096 ? 4096 : least > LEAST_PIECE ? LEAST_PIECE : least;
  s->most_threads = cpus < 1 ? 1 : cpus > MOST_THREADS ? MOST_THREADS : cpus;
  if (setting != NULL && *setting != 0)
    {
      char *end;
      unsigned long n = strtoul (setting, &end, 10);
      if (*end != 0 || n < 1 || n > MOST_THREADS)
	gomp_env_invalid (GOMP_ENV_STAGING_THREADS, "GOMP_STAGING_THREADS", setting);
      else
	s->most_threads = n;
    }
  s->wanted = s->most_threads;
  s->flight_end = &s->flight;
  return s;
}

static inline void
lock (struct gomp_staging *s)
{
  gomp_lock_ranked (&s->lock, GOMP_RANK_STAGING);
}

static inline void
unlock (struct gomp_staging *s)
{
  gomp_unlock_ranked (&s->lock, GOMP_RANK_STAGING);
}

/* ---- Pieces ---- */

static void
move_host (const struct gomp_staging *s, const struct piece *p, unsigned char *memory,
	   const struct job *job)
{
  size_t rows = p->rows, width = p->width;
  bool to_device = job->to_device, past = job->past;
  struct gomp_host_copy copy = { .dev = s->dev, .note = job->note, .host = p->host,
				 .size = (rows - 1) * p->host_stride + width, .writes = !to_device };

  if (job->whole != NULL)
    copy = *job->whole;
  gomp_host_copy_begin (&copy);
  if (p->host_stride == width)
    {
      width *= rows;
      rows = 1;
    }
  past = past && width >= GOMP_PAST_LEAST;
  for (size_t i = 0; i < rows; i++)
    {
      char *host = p->host + i * p->host_stride;
      void *to = to_device ? (char *) memory + i * width : host;
      const void *from = to_device ? host : (char *) memory + i * width;
      if (past)
	gomp_copy_past (to, from, width);
      else
	memcpy (to, from, width);
    }
  if (past)
    gomp_copied_past ();
  gomp_host_copy_end (&copy);
}

/* How large the next piece of JOB should be.  Small ones at first, so that the device has something to
   do soon, and at the end, so that all threads have.  */
static size_t
piece_size (const struct gomp_staging *s, const struct job *job)
{
  size_t size = job->piece, done = job->total - job->left;
  size_t ramp = job->to_device && done / 4 > s->least_piece ? done / 4 : s->least_piece;
  size_t tail = job->left / (2 * s->most_threads);

  if (job->to_device && size > ramp)
    size = ramp;
  if (size > tail)
    size = tail > s->least_piece / 2 ? tail : s->least_piece / 2;
  return (size + 4095) & ~(size_t) 4095;
}

/* Take the next piece of JOB, which has one, of at most MOST bytes.  */
static struct piece
take_piece (struct job *job, size_t most)
{
  const struct gomp_staging_part *p = &job->parts[job->part];
  size_t width = p->count[0] - job->x, rows = 1;

  if (width > most)
    width = most;
  if (width == p->count[0])
    {
      rows = most / width;
      if (rows > p->count[1] - job->y)
	rows = p->count[1] - job->y;
    }
  size_t dev_at = job->z * p->dev_stride[1] + job->y * p->dev_stride[0] + job->x;
  size_t host_at = job->z * p->host_stride[1] + job->y * p->host_stride[0] + job->x;
  struct piece piece = { p->dev + dev_at, p->host + host_at, width, rows, p->dev_stride[0],
			 p->host_stride[0] };

  job->left -= width * rows;
  job->pending++;
  if (width == p->count[0])
    job->y += rows;
  else if ((job->x += width) == p->count[0])
    {
      job->x = 0;
      job->y++;
    }
  if (job->y == p->count[1])
    {
      job->y = 0;
      job->z++;
    }
  if (job->z == p->count[2])
    {
      job->z = 0;
      job->part++;
    }
  return piece;
}

/* With the lock: JOB has failed, nothing more of it is begun.  */
static void
fail (struct job *job, gomp_status_t status)
{
  if (job->status != GOMP_OK)
    return;
  job->status = status;
  job->error = strdup (gomp_plugin_error_text ());
  job->left = 0;
}

/* With the lock: enqueue the piece in SLOT.  */
static void
enqueue (struct gomp_staging *s, struct slot *slot)
{
  const struct gomp_plugin *ops = s->dev->ops;
  struct gomp_plugin_queue *queue = slot->job->queue;
  const struct piece *p = &slot->piece;
  gomp_status_t status;

  if (p->rows == 1)
    status = slot->job->to_device ? ops->copy_h2d (queue, p->dev, slot->memory, p->width)
				  : ops->copy_d2h (queue, slot->memory, p->dev, p->width);
  else
    {
      struct gomp_copy3d shape = { .count = { p->width, p->rows, 1 } };
      size_t *dev_stride = slot->job->to_device ? shape.dst_stride : shape.src_stride;
      size_t *stride = slot->job->to_device ? shape.src_stride : shape.dst_stride;
      dev_stride[0] = p->dev_stride;
      dev_stride[1] = p->dev_stride * p->rows;
      stride[0] = p->width;
      stride[1] = p->width * p->rows;
      status = slot->job->to_device
	       ? gomp_dev_copy3d_h2d (s->dev, queue, p->dev, slot->memory, &shape)
	       : gomp_dev_copy3d_d2h (s->dev, queue, slot->memory, p->dev, &shape);
    }
  if (status == GOMP_OK)
    status = ops->event_record (queue, slot->event);
  slot->recorded = status == GOMP_OK;
  if (status == GOMP_OK)
    status = ops->queue_flush (queue);
  if (status != GOMP_OK)
    fail (slot->job, status);
  slot->next = NULL;
  *s->flight_end = slot;
  s->flight_end = &slot->next;
}

/* Without the lock: wait until the piece in SLOT has arrived, or never will.  */
static gomp_status_t
await (struct gomp_device *dev, struct slot *slot)
{
  gomp_status_t status = GOMP_OK;

  /* A part of it may be under way.  The job has failed: nobody enqueues now.  */
  if (!slot->recorded)
    return dev->ops->queue_wait (slot->job->queue);
  /* Where the word advances in calls of the plugin only, the plugin polls in its wait.  */
  if (!gomp_event_done (slot->event) && gomp_global_icvs.wait_policy != GOMP_WAIT_PASSIVE
      && gomp_global_icvs.available_cpus > 2 && !(dev->attr.caps & GOMP_CAP_NEEDS_PROGRESS))
    for (uint64_t start = gomp_now_ns (); gomp_now_ns () - start < POLL_NS; )
      {
	for (int i = 0; i < 32; i++)
	  gomp_cpu_relax ();
	if (gomp_event_done (slot->event))
	  break;
      }
  if (!gomp_event_done (slot->event))
    status = dev->ops->event_wait (slot->event);
  if (status == GOMP_OK)
    status = dev->ops->event_status (slot->event);
  return status;
}

static void
call_sleepers (struct gomp_staging *s)
{
  /* Relaxed: under the lock, with which the sleeper looked.  */
  gomp_add_relaxed (&s->xturn, 1);
  if (s->sleepers > 0)
    gomp_futex_wake (&s->xturn, INT_MAX);
}

/* With the lock: SLOT is free, one piece of JOB less is pending.  */
static void
release (struct gomp_staging *s, struct slot *slot, struct job *job)
{
  slot->job = NULL;
  slot->next = s->free;
  s->free = slot;
  if (--job->pending == 0 && job->left == 0)
    {
      job->done = true;
      call_sleepers (s);
    }
}

/* Begin the next piece of JOB in SLOT, which is in nobody's hands.  The lock is released meanwhile.  */
static void
begin_piece (struct gomp_staging *s, struct job *job, struct slot *slot)
{
  size_t size = piece_size (s, job);
  slot->piece = take_piece (job, size < slot->size ? size : slot->size);
  slot->job = job;
  s->jobs = job;
  if (job->to_device)
    {
      unlock (s);
      uint64_t start = gomp_now_ns ();
      move_host (s, &slot->piece, slot->memory, job);
      uint64_t ns = gomp_now_ns () - start;
      lock (s);
      s->busy_ns += ns;
    }
  if (job->status == GOMP_OK)
    enqueue (s, slot);
  else
    release (s, slot, job);
}

/* Take SLOT, the first one in flight, to its end.  The lock is released meanwhile.  */
static void
finish_piece (struct gomp_staging *s, struct slot *slot)
{
  struct job *job = slot->job;

  s->flight = slot->next;
  if (s->flight == NULL)
    s->flight_end = &s->flight;
  unlock (s);
  uint64_t start = gomp_now_ns ();
  gomp_status_t status = await (s->dev, slot);
  uint64_t arrived = gomp_now_ns ();
  if (status == GOMP_OK && slot->recorded && !job->to_device)
    move_host (s, &slot->piece, slot->memory, job);
  uint64_t end = gomp_now_ns ();
  lock (s);
  s->waited_ns += arrived - start;
  s->busy_ns += end - arrived;
  if (status != GOMP_OK)
    fail (job, status);
  release (s, slot, job);
}

/* ---- Slots ---- */

static size_t
ring_limit (const struct gomp_staging *s)
{
  size_t least = FIRST_RING * s->least_piece, most = MOST_SLOTS * MOST_PIECE;
  uint64_t part = s->moved / RING_PART;
  if (part > USUAL_RING)
    part = s->moved / LARGE_RING_PART > USUAL_RING ? s->moved / LARGE_RING_PART : USUAL_RING;
  return part < least ? least : part > most ? most : (size_t) part;
}

static void
free_slot (struct gomp_device *dev, struct slot *slot)
{
  if (slot->memory != NULL)
    gomp_pinned_free (dev, slot->memory);
  if (slot->event != NULL)
    dev->ops->event_destroy (slot->event);
  free (slot);
}

static struct slot *
new_slot (struct gomp_device *dev, size_t size)
{
  struct slot *slot = gomp_calloc (1, sizeof (*slot));
  slot->size = size;
  slot->memory = gomp_pinned_alloc (dev, size);
  if (slot->memory != NULL && dev->ops->event_create (dev->handle, &slot->event) == GOMP_OK)
    return slot;
  slot->event = NULL;
  free_slot (dev, slot);
  return NULL;
}

/* May there be another slot, or a larger one in place of the first free one, for a piece of JOB?  */
static bool
may_add_slot (const struct gomp_staging *s, const struct job *job)
{
  size_t size = job->piece, less = s->free != NULL ? s->free->size : 0;
  return (!s->exhausted && less < size && s->ring_size - less + size <= ring_limit (s)
	  && (s->free != NULL || s->num_slots < 2 * s->most_threads));
}

/* No slot is free, or the free one is smaller than what JOB wants: may there be another one, and is there
   one?  The lock is released meanwhile.  */
static bool
add_slot (struct gomp_staging *s, const struct job *job)
{
  struct slot *old = s->free;
  size_t size = job->piece, less = old != NULL ? old->size : 0;

  if (!may_add_slot (s, job))
    return false;
  s->ring_size = s->ring_size - less + size;
  if (old != NULL)
    s->free = old->next;
  else
    s->num_slots++;
  unlock (s);
  struct slot *slot = new_slot (s->dev, size);
  if (slot != NULL && old != NULL)
    free_slot (s->dev, old);
  lock (s);
  if (slot == NULL)
    {
      s->exhausted = true;
      s->ring_size = s->ring_size + less - size;
      if (old == NULL)
	s->num_slots--;
      else
	slot = old;
    }
  if (slot != NULL)
    {
      slot->next = s->free;
      s->free = slot;
    }
  else
    call_sleepers (s);		/* they count on slots that there are not */
  return true;
}

/* ---- Work ---- */

/* The job whose turn it is, or NULL.  */
static struct job *
next_job (const struct gomp_staging *s)
{
  struct job *job = s->jobs;
  if (job != NULL)
    do
      {
	job = job->next;
	if (job->left > 0)
	  return job;
      }
    while (job != s->jobs);
  return NULL;
}

static bool
may_work (const struct gomp_staging *s)
{
  const struct job *job = next_job (s);
  return s->flight != NULL || (job != NULL && (s->free != NULL || may_add_slot (s, job)));
}

/* OWN goes on when somebody has called.  */
static void
sleep_turn (struct gomp_staging *s)
{
  uint32_t turn = gomp_load_relaxed (&s->xturn);	/* relaxed: under the lock */
  s->sleepers++;
  unlock (s);
  if (gomp_global_icvs.available_cpus > 2)
    for (int i = 0; i < 1000 && gomp_load_relaxed (&s->xturn) == turn; i++)	/* a hint */
      gomp_cpu_relax ();
  gomp_futex_wait (&s->xturn, turn);
  lock (s);
  s->sleepers--;
}

/* There is no slot at all: the device gets the program's memory as it is.  */
static void
do_without (struct gomp_staging *s, struct job *job)
{
  job->pending++;
  while (job->left > 0)
    {
      struct piece p = take_piece (job, SIZE_MAX);
      struct gomp_copy3d shape = { .count = { p.width, p.rows, 1 } };
      gomp_status_t status;
      job->pending--;
      if (job->to_device)
	{
	  shape.dst_stride[0] = p.dev_stride;
	  shape.src_stride[0] = p.host_stride;
	  status = gomp_dev_copy3d_h2d (s->dev, job->queue, p.dev, p.host, &shape);
	}
      else
	{
	  shape.src_stride[0] = p.dev_stride;
	  shape.dst_stride[0] = p.host_stride;
	  status = gomp_dev_copy3d_d2h (s->dev, job->queue, p.host, p.dev, &shape);
	}
      if (status != GOMP_OK)
	fail (job, status);
    }
  unlock (s);
  gomp_status_t status = gomp_queue_try_finish (s->dev, job->queue);
  lock (s);
  if (status != GOMP_OK)
    fail (job, status);
  job->done = --job->pending == 0;
}

/* Take part until OWN is done, or, if it is NULL, while there is something to do.  With the lock, which
   is released now and then.  */
static void
work (struct gomp_staging *s, struct job *own)
{
  struct job *job;

  s->workers++;
  while (own == NULL || !own->done)
    {
      if ((job = next_job (s)) != NULL && (s->free == NULL || s->free->size < job->piece)
	  && add_slot (s, job))
	continue;
      if (job != NULL && s->free != NULL)
	{
	  struct slot *slot = s->free;
	  s->free = slot->next;
	  begin_piece (s, job, slot);
	}
      else if (s->flight != NULL)
	finish_piece (s, s->flight);
      else if (own == NULL)
	break;
      else if (own->left > 0 && s->num_slots == 0)
	do_without (s, own);
      else
	sleep_turn (s);
    }
  s->workers--;
  /* Invariant 4.  */
  if (own != NULL && may_work (s))
    call_sleepers (s);
}

/* ---- Helpers ---- */

static unsigned
threads_wanted (const struct gomp_staging *s)
{
  unsigned rings = gomp_load_relaxed (&xrings);		/* see there */
  unsigned share = rings > 1 ? gomp_global_icvs.available_cpus / rings : s->wanted;
  if (share < 1)
    share = 1;
  return share < s->wanted ? share : s->wanted;
}

static void *helper_main (void *arg);

/* With the lock, which is released meanwhile.  */
static bool
add_helper (struct gomp_staging *s)
{
  s->helpers++;
  unlock (s);
  int error = gomp_helper_thread (helper_main, s, "gomp-staging", gomp_global_icvs.stack_size, true);
  lock (s);
  if (error != 0)
    {
      s->helpers--;
      gomp_debug (1, "device %d: no thread for transfers: %s", s->dev->number, strerror (error));
    }
  return error == 0;
}

/* With the lock: N helpers more would have something to do.  */
static void
call_helpers (struct gomp_staging *s, unsigned n)
{
  if (n == 0)
    return;
  gomp_add_relaxed (&s->xcall, 1);	/* relaxed: under the lock, with which helpers look */
  if (s->idle > 0)
    gomp_futex_wake (&s->xcall, n < s->idle ? n : s->idle);
  /* It calls the next one itself.  */
  if (n > s->idle && s->helpers - s->errands_now + 1 < s->most_threads)
    add_helper (s);
}

static void
run_errand (struct gomp_staging *s)
{
  struct errand *e = s->errands;
  s->errands = e->next;
  s->num_errands--;
  s->errands_now++;
  unlock (s);
  if (gomp_ompt_on ())
    gomp_ompt_other_begin (gomp_self ());
  e->fn (e->arg);
  free (e);
  lock (s);
  s->errands_now--;
}

static void *
helper_main (void *arg)
{
  struct gomp_staging *s = arg;
  uint64_t last = gomp_now_ns ();

  gomp_own ()->is_staging_helper = true;
  lock (s);
  for (;;)
    {
      if (s->errands != NULL)
	{
	  run_errand (s);
	  last = gomp_now_ns ();
	  continue;
	}
      unsigned wanted = threads_wanted (s);
      if (s->workers < wanted && may_work (s))
	{
	  if (s->workers + 1 < wanted && s->idle == 0)
	    call_helpers (s, 1);
	  work (s, NULL);
	  last = gomp_now_ns ();
	  continue;
	}
      if (gomp_now_ns () - last > IDLE_NS)
	break;
      uint32_t call = gomp_load_relaxed (&s->xcall);	/* relaxed: under the lock */
      s->idle++;
      unlock (s);
      gomp_futex_wait_ns (&s->xcall, call, NAP_NS);
      lock (s);
      s->idle--;
    }
  s->helpers--;
  unlock (s);
  return NULL;
}

bool
gomp_staging_hand_over (struct gomp_device *dev, void (*fn) (void *), void *arg)
{
  struct gomp_staging *s = dev->staging;
  bool taken = false;

  if (s == NULL || gomp_own_now ()->is_staging_helper)
    return false;
  struct errand *e = gomp_malloc (sizeof (*e));
  *e = (struct errand) { NULL, fn, arg };
  lock (s);
  if (s->idle > s->num_errands
      || (s->errands_now + s->num_errands < MOST_ERRANDS && add_helper (s)))
    {
      struct errand **p = &s->errands;
      while (*p != NULL)
	p = &(*p)->next;
      *p = e;
      s->num_errands++;
      taken = true;
      gomp_add_relaxed (&s->xcall, 1);	/* relaxed: as in call_helpers */
      gomp_futex_wake (&s->xcall, 1);
    }
  unlock (s);
  if (!taken)
    free (e);
  return taken;
}

/* ---- Jobs ---- */

/* With the lock: were there too many threads, or too few?  */
static void
adapt (struct gomp_staging *s)
{
  if (s->waited_ns > 2 * s->busy_ns && s->wanted > 1)
    s->wanted--;
  else if (s->busy_ns > 2 * s->waited_ns && s->wanted < s->most_threads)
    s->wanted++;
  s->busy_ns = s->waited_ns = 0;
}

static void
link_job (struct gomp_staging *s, struct job *job)
{
  if (s->jobs == NULL)
    {
      s->jobs = job->next = job;
      gomp_add_relaxed (&xrings, 1);	/* see there */
      s->exhausted = false;
    }
  else
    {
      job->next = s->jobs->next;
      s->jobs->next = job;
      s->jobs = job;		/* its turn is after all others */
    }
}

static void
unlink_job (struct gomp_staging *s, struct job *job)
{
  struct job *before = job;
  while (before->next != job)
    before = before->next;
  before->next = job->next;
  if (s->jobs == job)
    s->jobs = before;
  if (before == job)
    {
      s->jobs = NULL;
      gomp_sub_acq_rel (&xrings, 1);	/* relaxed would do, see there */
      if (job->total >= MOST_PIECE)
	adapt (s);
    }
}

gomp_status_t
gomp_staging_run (struct gomp_device *dev, struct gomp_plugin_queue *queue, bool to_device,
		  const struct gomp_staging_part *parts, size_t num_parts)
{
  struct gomp_staging *s = dev->staging;
  struct job job = { .queue = queue, .parts = parts, .note = gomp_host_copy_note (),
		     .to_device = to_device };

  const struct gomp_host_copy *copy = gomp_own ()->copying;
  if (copy != NULL && (uintptr_t) parts[0].host - (uintptr_t) copy->host < copy->size)
    job.whole = copy;
  for (size_t i = 0; i < num_parts; i++)
    job.total += parts[i].count[0] * parts[i].count[1] * parts[i].count[2];
  job.left = job.total;
  job.past = to_device ? job.total <= PAST_TO : job.total >= PAST_FROM;
  /* Invariant 1.  */
  gomp_status_t status = gomp_queue_try_finish (dev, queue);
  if (status != GOMP_OK)
    return status;

  gomp_reverse_forbid (true);
  lock (s);
  s->moved += job.total;
  size_t most = ring_limit (s) / (2 * s->most_threads);
  if (most > job.total / 16)
    most = job.total / 16;
  if (most > MOST_PIECE)
    most = MOST_PIECE;
  job.piece = s->least_piece;
  while (2 * job.piece <= most)
    job.piece *= 2;
  link_job (s, &job);
  size_t pieces = job.total / (2 * s->least_piece);
  unsigned wanted = threads_wanted (s);
  if (wanted > s->workers + 1)
    {
      wanted -= s->workers + 1;
      call_helpers (s, wanted < pieces ? wanted : (unsigned) pieces);
    }
  work (s, &job);
  unlink_job (s, &job);
  unlock (s);
  gomp_reverse_forbid (false);
  if (gomp_unlikely (job.status != GOMP_OK))
    gomp_plugin_pass_error (job.error != NULL ? job.error : "no further information");
  free (job.error);
  return job.status;
}

/* ---- Giving back ---- */

void
gomp_staging_trim (struct gomp_device *dev)
{
  struct gomp_staging *s = dev->staging;
  struct slot *slot;

  lock (s);
  struct slot *list = s->free;
  s->free = NULL;
  for (slot = list; slot != NULL; slot = slot->next)
    {
      s->num_slots--;
      s->ring_size -= slot->size;
    }
  /* Jobs under way may have counted on them.  */
  if (s->jobs != NULL)
    call_sleepers (s);
  unlock (s);
  while ((slot = list) != NULL)
    {
      list = slot->next;
      free_slot (dev, slot);
    }
}

bool
gomp_staging_is_small (const struct gomp_device *dev, size_t size)
{
  return dev->staging == NULL || size <= 2 * dev->staging->least_piece;
}
