/* list.c -- a linked structure on the device: deep mapping.

   A channel along x is cut into cells.  Each cell is a bucket of particles, and knows its
   neighbours:

     first -> cell <-> cell <-> cell ... <-> cell
                |        |        |            |
             items[]  items[]  items[]      items[]

   On the device all these pointers must hold device addresses.  Mapping a cell copies its bytes,
   host pointers included; the runtime then *attaches* a pointer: when a list item p[0:n] is
   mapped and p itself lies in something that is mapped, the device's copy of p is made to point
   to the device's copy of the pointee.  So, with enter data, node after node:
     - map (to: first[0:1])             the first cell; FIRST itself is not mapped, nothing to attach
     - map (to: cell->next[0:1])        the next cell, attached to cell->next
     - map (to: next->prev[0:1])        CELL is present: counted once more, attached to next->prev
     - map (to: cell->items[0:n])       its particles, attached to cell->items
   Each is undone by an exit data of its own: an object leaves the device when it has been
   released as often as it was mapped.

   The particles repel those of their own cell and of the two neighbouring ones; the device walks
   the list.  Checked, for each device: what is present before, between and after; that host
   pointers come back unharmed; that the particles and the sums of the cells are those of a second
   list, which the host moves by itself.  */

#define EXAMPLE "list"
#include "example.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define CELLS 60
#define STEPS 40
#define DT 0.002
#define REACH 1.0		/* of the force: the length of a cell */

struct particle
{
  double x, y;			/* place */
  double vx, vy;		/* speed */
};

struct cell
{
  struct cell *next, *prev;
  struct particle *items;
  int count;
  double energy;		/* kinetic, of all items after the last step */
};

/* Push particle SELF away from the COUNT particles at ITEMS.  */
static void
repel (const struct particle *self, const struct particle *items, int count,
       double *fx, double *fy)
{
  for (int k = 0; k < count; k++)
    {
      double dx = self->x - items[k].x, dy = self->y - items[k].y;
      double rr = dx * dx + dy * dy;
      if (&items[k] != self && rr < REACH * REACH && rr > 0)
	{
	  double r = sqrt (rr), push = (REACH - r) / r;
	  *fx += push * dx;
	  *fy += push * dy;
	}
    }
}

/* New speed of particle I of CELL.  Nothing moves meanwhile.  */
static void
accelerate (struct cell *cell, int i)
{
  struct particle *self = &cell->items[i];
  double fx = 0, fy = 0;
  repel (self, cell->items, cell->count, &fx, &fy);
  if (cell->prev)
    repel (self, cell->prev->items, cell->prev->count, &fx, &fy);
  if (cell->next)
    repel (self, cell->next->items, cell->next->count, &fx, &fy);
  self->vx += DT * fx;
  self->vy += DT * fy;
}

static void
move (struct particle *self)
{
  self->x += DT * self->vx;
  self->y += DT * self->vy;
}

static double
kinetic (const struct cell *cell)
{
  double sum = 0;
  for (int i = 0; i < cell->count; i++)
    sum += (cell->items[i].vx * cell->items[i].vx + cell->items[i].vy * cell->items[i].vy) / 2;
  return sum;
}

/* Device code is made of these as well.  */
#pragma omp declare target (repel, accelerate, move, kinetic)

/* One step on device DEV.  Its threads walk the list together and share the particles of each
   cell.  FIRST is a host pointer out here and the device's one within the regions.  */
static void
device_step (int dev, struct cell *first)
{
#pragma omp target parallel device (dev)
  for (struct cell *c = first; c; c = c->next)
    {
#pragma omp for nowait
      for (int i = 0; i < c->count; i++)
	accelerate (c, i);
    }

#pragma omp target parallel device (dev)
  for (struct cell *c = first; c; c = c->next)
    {
#pragma omp for
      for (int i = 0; i < c->count; i++)
	move (&c->items[i]);
#pragma omp single nowait
      c->energy = kinetic (c);
    }
}

static void
host_step (struct cell *first)
{
  for (struct cell *c = first; c; c = c->next)
    for (int i = 0; i < c->count; i++)
      accelerate (c, i);
  for (struct cell *c = first; c; c = c->next)
    {
      for (int i = 0; i < c->count; i++)
	move (&c->items[i]);
      c->energy = kinetic (c);
    }
}

/* A pseudo-random number in [0, 1).  */
static double
random_number (unsigned *state)
{
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) / 16777216.0;
}

static struct cell *
make_list (void)
{
  struct cell *first = NULL, *last = NULL;
  unsigned state = 1;
  for (int k = 0; k < CELLS; k++)
    {
      struct cell *c = example_alloc (1, sizeof *c);
      c->count = 8 + (int) (48 * random_number (&state));
      c->items = example_alloc (c->count, sizeof *c->items);
      for (int i = 0; i < c->count; i++)
	{
	  c->items[i].x = (k + random_number (&state)) * REACH;
	  c->items[i].y = random_number (&state);
	}
      c->prev = last;
      if (last)
	last->next = c;
      else
	first = c;
      last = c;
    }
  return first;
}

static void
free_list (struct cell *first)
{
  while (first)
    {
      struct cell *next = first->next;
      free (first->items);
      free (first);
      first = next;
    }
}

static void
enter_list (int dev, struct cell *first)
{
#pragma omp target enter data device (dev) map (to: first[0:1])
  for (struct cell *c = first, *next; c; c = next)
    {
      next = c->next;
#pragma omp target enter data device (dev) map (to: c->items[0:c->count])
      if (next)
	{
#pragma omp target enter data device (dev) map (to: c->next[0:1])
#pragma omp target enter data device (dev) map (to: next->prev[0:1])
	}
    }
}

/* Get the results and leave: the particles by the last release of their array, the sums by an
   update of one member, which leaves the pointers beside it alone.  */
static void
exit_list (int dev, struct cell *first)
{
  struct cell *last = first;
  for (struct cell *c = first; c; c = c->next)
    {
#pragma omp target update device (dev) from (c->energy)
#pragma omp target exit data device (dev) map (from: c->items[0:c->count])
      last = c;
    }
  /* From the end, so that whatever holds the pointer to be detached is still there.  */
  for (struct cell *c = last, *before; (before = c->prev) != NULL; c = before)
    {
#pragma omp target exit data device (dev) map (release: c->prev[0:1])
#pragma omp target exit data device (dev) map (release: before->next[0:1])
    }
#pragma omp target exit data device (dev) map (release: first[0:1])
}

/* Every cell and its particles must be present on the device, or none.  */
static void
check_present (int dev, const struct cell *first, bool present, const char *when)
{
  int number = 0;
  if (dev == omp_get_initial_device ())
    return;			/* the host has always everything */
  for (const struct cell *c = first; c; c = c->next, number++)
    {
      if (!omp_target_is_present (c, dev) != !present)
	example_wrong ("%s, cell %d is %spresent on device %d", when, number,
		       present ? "not " : "", dev);
      if (!omp_target_is_present (c->items, dev) != !present)
	example_wrong ("%s, the particles of cell %d are %spresent on device %d", when, number,
		       present ? "not " : "", dev);
    }
}

static bool
near (double a, double b)
{
  return fabs (a - b) <= 1e-9 * (1 + fabs (b));
}

static void
compare (int dev, const struct cell *list, const struct cell *expected)
{
  for (int number = 0; expected; number++)
    {
      if (!near (list->energy, expected->energy))
	example_wrong ("device %d: the energy of cell %d is %.15g, not %.15g", dev, number,
		       list->energy, expected->energy);
      for (int i = 0; i < expected->count; i++)
	{
	  const struct particle *p = &list->items[i], *q = &expected->items[i];
	  if (!near (p->x, q->x) || !near (p->y, q->y)
	      || !near (p->vx, q->vx) || !near (p->vy, q->vy))
	    example_wrong ("device %d: particle %d of cell %d is at (%.15g, %.15g), "
			   "not (%.15g, %.15g)", dev, i, number, p->x, p->y, q->x, q->y);
	}
      list = list->next;
      expected = expected->next;
    }
  if (list)
    example_wrong ("device %d: the list has grown", dev);
}

/* The addresses in a list, to see that the device left them alone.  */
static int
save_pointers (struct cell *first, void **save)
{
  int n = 0;
  for (struct cell *c = first; c; c = c->next)
    {
      save[n++] = c->next;
      save[n++] = c->prev;
      save[n++] = c->items;
    }
  return n;
}

static double
run_on (int dev, const struct cell *expected)
{
  struct cell *first = make_list ();
  void *before[3 * CELLS], *after[3 * CELLS];
  int n = save_pointers (first, before);
  double begin = omp_get_wtime ();

  check_present (dev, first, false, "at first");
  enter_list (dev, first);
  check_present (dev, first, true, "after enter data");
  for (int step = 0; step < STEPS; step++)
    device_step (dev, first);
  exit_list (dev, first);
  check_present (dev, first, false, "after exit data");
  begin = omp_get_wtime () - begin;

  if (save_pointers (first, after) != n || memcmp (before, after, n * sizeof *before) != 0)
    example_wrong ("device %d changed pointers of the host", dev);
  compare (dev, first, expected);
  free_list (first);
  return begin;
}

int
main (void)
{
  int devices = omp_get_num_devices (), particles = 0;
  struct cell *expected = make_list ();
  double seconds = 0, energy = 0;

  for (int step = 0; step < STEPS; step++)
    host_step (expected);
  for (struct cell *c = expected; c; c = c->next)
    {
      particles += c->count;
      energy += c->energy;
    }
  printf ("list: %d particles in %d cells, %d steps\n", particles, CELLS, STEPS);
  if (!(energy > 1))
    example_wrong ("nothing moved: the energy is %g", energy);

  /* With no device, number 0 is the host.  */
  for (int dev = 0; dev == 0 || dev < devices; dev++)
    seconds += run_on (dev, expected);

  example_right (seconds, "%d particles, kinetic energy %.6f", particles, energy);
  free_list (expected);
  return 0;
}
