/* gcn-flight.c -- which kernels of an image may run at the same time.

   GCC's device library keeps the number of teams in a variable of the image (doc/abi-notes.md): teams regions that
   ask for different ones disturb each other when they overlap.  Those that ask for the same do not, and
   regions without teams neither.  So the teams regions of such an image form generations.  All of a
   generation ask for the same and run at the same time, on whatever queues; each is ordered, on the device,
   behind all of the generation before.  Our library keeps such things with the team, and nothing is
   ordered.

   Invariants
   1. What is a member's BEFORE has been enqueued before anything of the present generation.
   2. A member whose generation is the present one is ordered behind everything in BEFORE.
   3. From the choice of the generation until the kernel is enqueued and has its event, the lock is held: nobody else
      begins a generation meanwhile.

   Locks: flight_lock, before those of gcn-queue.c.  Called by gcn-launch.c and gcn-image.c.  */

#include "gcn-launch.h"

#include <stdlib.h>

/* A queue that has launched regions of the image.  */
struct member
{
  struct member *next;
  struct gcn_queue *queue;
  unsigned generation;		/* invariant 2 */
  /* Behind its last kernels of the present generation, and of those before; and whether there were any.  */
  struct gomp_plugin_event *now, *before;
  bool in_now, in_before;
};

struct gcn_flight
{
  struct gcn_flight *next;
  const struct gomp_plugin_image *image;
  unsigned generation;
  /* What its regions ask for.  */
  int num_teams, thread_limit;
  unsigned groups;
  struct member *members;
  struct member *current;	/* of who holds the lock */
  bool told;
};

static bool
is_over (const struct gomp_plugin_event *e)
{
  /* Acquire: as everybody looks at events.  */
  return (int32_t) (atomic_load_explicit (e->word, memory_order_acquire) - e->target) >= 0;
}

static void
free_member (struct member *m)
{
  if (m->now != NULL)
    gcn_event_destroy (m->now);
  if (m->before != NULL)
    gcn_event_destroy (m->before);
  free (m);
}

/* The member that Q is, a new one if need be.  */
static struct member *
member_of (struct gcn_flight *f, struct gcn_queue *q, gomp_status_t *status)
{
  struct gomp_plugin_device *dev = q->base.dev;
  for (struct member *m = f->members; m != NULL; m = m->next)
    if (m->queue == q)
      return m;
  struct member *m = calloc (1, sizeof (*m));
  if (m == NULL)
    {
      *status = gcn_no_memory ();
      return NULL;
    }
  m->queue = q;
  *status = gcn_event_create (dev, &m->now);
  if (*status == GOMP_OK)
    *status = gcn_event_create (dev, &m->before);
  if (*status != GOMP_OK)
    {
      free_member (m);
      return NULL;
    }
  m->next = f->members;
  f->members = m;
  return m;
}

static struct gcn_flight *
flight_of (struct gcn_launches *l, const struct gomp_plugin_image *image)
{
  struct gcn_flight *f = l->flights;
  while (f != NULL && f->image != image)
    f = f->next;
  if (f == NULL && (f = calloc (1, sizeof (*f))) != NULL)
    {
      f->image = image;
      f->generation = 1;
      f->next = l->flights;
      l->flights = f;
    }
  return f;
}

/* Kernels that ask for something else come from now on.  */
static void
next_generation (struct gcn_flight *f)
{
  f->generation++;
  for (struct member *m = f->members; m != NULL; m = m->next)
    if (m->in_now)
      {
	struct gomp_plugin_event *e = m->before;
	m->before = m->now;
	m->now = e;
	m->in_now = false;
	m->in_before = true;
      }
}

/* Let M wait for what was before its generation.  */
static gomp_status_t
follow (struct gcn_flight *f, struct member *m)
{
  struct gomp_plugin_device *dev = m->queue->base.dev;
  gomp_status_t status = GOMP_OK;
  for (struct member *o = f->members; o != NULL && status == GOMP_OK; o = o->next)
    {
      if (o->in_before && is_over (o->before))
	o->in_before = false;
      if (!o->in_before || o == m)
	continue;
      status = gcn_queue_wait_event (&m->queue->base, o->before);
      if (!f->told)
	{
	  f->told = true;
	  gcn_core->info (dev->core_device, "regions that ask for different numbers of teams wait for each other:"
			  " the compiler's device library keeps that number for the whole program");
	}
    }
  return status;
}

gomp_status_t
gcn_flight_begin (struct gcn_queue *q, const struct gomp_plugin_image *image,
		  const struct gomp_launch *launch, unsigned groups, struct gcn_flight **flight)
{
  struct gcn_launches *l = q->base.dev->launches;
  gomp_status_t status = GOMP_OUT_OF_HOST_MEMORY;

  pthread_mutex_lock (&l->flight_lock);
  struct gcn_flight *f = flight_of (l, image);
  struct member *m = f != NULL ? member_of (f, q, &status) : NULL;
  if (f == NULL)
    status = gcn_no_memory ();
  if (m != NULL)
    {
      if (f->num_teams != launch->num_teams || f->thread_limit != launch->thread_limit
	  || f->groups != groups)
	{
	  next_generation (f);
	  f->num_teams = launch->num_teams;
	  f->thread_limit = launch->thread_limit;
	  f->groups = groups;
	}
      status = m->generation != f->generation ? follow (f, m) : GOMP_OK;
    }
  if (status != GOMP_OK)
    {
      pthread_mutex_unlock (&l->flight_lock);
      return status;
    }
  m->generation = f->generation;
  f->current = m;
  *flight = f;
  return GOMP_OK;
}

gomp_status_t
gcn_flight_end (struct gcn_queue *q, struct gcn_flight *f, bool launched)
{
  gomp_status_t status = GOMP_OK;
  struct member *m = f->current;
  if (launched)
    {
      status = gcn_event_record (&q->base, m->now);
      m->in_now = true;
    }
  pthread_mutex_unlock (&q->base.dev->launches->flight_lock);
  return status;
}

void
gcn_flight_forget (struct gomp_plugin_device *dev, const struct gomp_plugin_image *image)
{
  struct gcn_launches *l = dev->launches;
  if (l == NULL)
    return;
  pthread_mutex_lock (&l->flight_lock);
  for (struct gcn_flight **p = &l->flights; *p != NULL; )
    if (image == NULL || (*p)->image == image)
      {
	struct gcn_flight *f = *p;
	*p = f->next;
	while (f->members != NULL)
	  {
	    struct member *m = f->members;
	    f->members = m->next;
	    free_member (m);
	  }
	free (f);
      }
    else
      p = &(*p)->next;
  pthread_mutex_unlock (&l->flight_lock);
}
