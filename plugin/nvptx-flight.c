/* nvptx-flight.c -- which kernels of an image may run at the same time.

   GCC's device library keeps the number of teams and the control variables of a region in globals
   of the image: kernels that ask for different ones disturb each other when they overlap.  Those
   that ask for the same do not.  So the kernels of such an image form generations.  All of a
   generation ask for the same and run at the same time, on whatever queues; each is ordered, on the
   device, behind all of the generation before.  Another device library keeps such things with
   the team, and nothing is ordered.

   Invariants
   1. What is in BEFORE has been enqueued before anything of the present generation.
   2. A queue that is in NOW is ordered behind everything in BEFORE.
   3. Who is in NOW or BEFORE and has been reached does not count.

   Everything is protected by the lock of nvptx-launch.h, but for xstarting.  Called by
   nvptx-launch.c.  */

#include "nvptx-launch.h"

#include <stdlib.h>
#include <time.h>

#define STARTING_TURNS 5000	/* before a thread sleeps, some microseconds */

/* The last kernel of a generation on a queue.  */
struct member
{
  struct nvptx_queue *queue;
  uint32_t number;		/* of the event behind it */
};

struct members
{
  struct member *v;
  unsigned n, room;
};

/* What a region asks for.  */
struct wish
{
  int num_teams, thread_limit;	/* as in struct gomp_launch */
  unsigned teams;		/* of the grid */
};

struct nvptx_flight
{
  struct nvptx_flight *next;
  const struct gomp_plugin_image *image;	/* only compared: it may be gone */
  struct wish wish;		/* of the present generation */
  struct members now, before;
  bool told;
  /* Kernels of this generation that are being enqueued.  */
  _Atomic unsigned xstarting;
};

void
nvptx_flights_close (struct nvptx_flight *flights)
{
  for (struct nvptx_flight *f = flights, *next; f != NULL; f = next)
    {
      next = f->next;
      free (f->now.v);
      free (f->before.v);
      free (f);
    }
}

static gomp_status_t
no_memory (void)
{
  nvptx_core->set_error ("out of host memory");
  return GOMP_OUT_OF_HOST_MEMORY;
}

static struct nvptx_flight *
flight_of (struct nvptx_launches *launches, const struct gomp_plugin_image *image)
{
  struct nvptx_flight *f;
  for (f = launches->flights; f != NULL; f = f->next)
    if (f->image == image)
      return f;
  f = calloc (1, sizeof (*f));
  if (f == NULL)
    return NULL;
  f->image = image;
  f->next = launches->flights;
  launches->flights = f;
  return f;
}

static struct member *
find (struct members *members, const struct nvptx_queue *q)
{
  for (unsigned i = 0; i < members->n; i++)
    if (members->v[i].queue == q)
      return &members->v[i];
  return NULL;
}

/* Forget those that are complete.  */
static void
drop_reached (struct members *members)
{
  unsigned n = 0;
  for (unsigned i = 0; i < members->n; i++)
    if (!nvptx_reached (members->v[i].queue, members->v[i].number))
      members->v[n++] = members->v[i];
  members->n = n;
}

static bool
add (struct members *members, struct nvptx_queue *q)
{
  if (members->n == members->room)
    {
      unsigned room = members->room ? 2 * members->room : 16;
      struct member *v = realloc (members->v, room * sizeof (*v));
      if (v == NULL)
	return false;
      members->v = v;
      members->room = room;
    }
  members->v[members->n++] = (struct member) { .queue = q, .number = nvptx_queue_next (q) };
  return true;
}

static inline bool
same (const struct wish *a, const struct wish *b)
{
  /* What is known only inside the region may be anything.  */
  return (a->num_teams == b->num_teams && a->num_teams != -1 && a->teams == b->teams
	  && a->thread_limit == b->thread_limit && a->thread_limit != -1);
}

/* The present generation is over: what is left of it is what the next one has to wait for.  */
static void
next_generation (struct nvptx_flight *f)
{
  /* Acquire: they are enqueued.  They have no lock to wait for, but may need this processor: a yield
     would give it to all others, too, for whole time slices where the machine is busy.  */
  for (unsigned turns = 0; atomic_load_explicit (&f->xstarting, memory_order_acquire) != 0; turns++)
    if (turns >= STARTING_TURNS)
      {
	const struct timespec nap = { .tv_nsec = 20000 };
	nanosleep (&nap, NULL);
      }
  drop_reached (&f->now);
  /* Those still running were ordered behind the ones before them.  If none is, those are complete,
     too.  */
  struct members now = f->now;
  f->now = f->before;
  f->before = now;
  f->now.n = 0;
}

gomp_status_t
nvptx_flight_begin (struct nvptx_launches *launches, struct nvptx_queue *q,
		    const struct gomp_plugin_image *image, const struct gomp_launch *launch,
		    unsigned teams, struct nvptx_flight **flight)
{
  const struct wish wish = { .num_teams = launch->num_teams, .teams = teams,
			     .thread_limit = launch->thread_limit };
  *flight = NULL;
  if (!image->gcc_library)
    return GOMP_OK;
  struct nvptx_flight *f = flight_of (launches, image);
  if (f == NULL)
    return no_memory ();

  struct member *own;
  if (__builtin_expect (same (&f->wish, &wish), 1) && (own = find (&f->now, q)) != NULL)
    own->number = nvptx_queue_next (q);
  else
    {
      if (!same (&f->wish, &wish))
	{
	  next_generation (f);
	  f->wish = wish;
	}
      drop_reached (&f->before);
      for (unsigned i = 0; i < f->before.n; i++)
	if (f->before.v[i].queue != q)
	  {
	    gomp_status_t status = nvptx_stream_follow (q, f->before.v[i].queue);
	    if (status != GOMP_OK)
	      return status;
	    if (!f->told)
	      {
		f->told = true;
		nvptx_core->info (q->base.dev->core_device, "regions that ask for different numbers of"
				  " teams or threads do not run at the same time: the device library"
				  " in the program does not allow it");
	      }
	  }
      if (!add (&f->now, q))
	return no_memory ();
    }
  /* Relaxed: under the lock, with which next_generation looks.  */
  atomic_fetch_add_explicit (&f->xstarting, 1, memory_order_relaxed);
  *flight = f;
  return GOMP_OK;
}

void
nvptx_flight_end (struct nvptx_flight *flight)
{
  if (flight != NULL)
    /* Release: the kernel is on its queue.  */
    atomic_fetch_sub_explicit (&flight->xstarting, 1, memory_order_release);
}
