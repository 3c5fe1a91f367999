/* nbody.c -- gravity between many bodies, on all devices at once:   nbody [BODIES [STEPS]]

   Every device holds the places of all bodies, and moves a part of them.  What to look at:
     - one host thread for each device; all of them run the same functions on their own part;
     - enter data and exit data: what a device holds outlives the function that put it there;
     - a device keeps the speeds of its own part alone: parts of one array are on different
       devices;
     - after each step the devices exchange the new places: each fetches the parts of the others
       by omp_target_memcpy, from device to device.  Addresses there come from use_device_ptr.
   With no device, the host does all the work as the only "device".

   The bodies are a Plummer sphere, a star cluster in equilibrium.  Steps are kick-drift-kick
   (leapfrog), and forces are softened at short distance.  Checked: energy and momentum are
   conserved, and the bodies are where a run without any target region puts them.  */

#define EXAMPLE "nbody"
#include "example.h"

#include <math.h>
#include <string.h>

#define DT 0.01
#define SOFTENING 0.05

struct place
{
  double x, y, z, mass;
};

struct speed
{
  double x, y, z;
};

/* Change speed V of the body at SELF by the attraction of all N bodies during DT.  */
static void
kick (const struct place *all, int n, const struct place *self, struct speed *v, double dt)
{
  double ax = 0, ay = 0, az = 0;
  for (int j = 0; j < n; j++)
    {
      double dx = all[j].x - self->x, dy = all[j].y - self->y, dz = all[j].z - self->z;
      double rr = dx * dx + dy * dy + dz * dz + SOFTENING * SOFTENING;
      double pull = all[j].mass / (rr * sqrt (rr));
      ax += pull * dx;
      ay += pull * dy;
      az += pull * dz;
    }
  v->x += dt * ax;
  v->y += dt * ay;
  v->z += dt * az;
}

static void
drift (struct place *self, const struct speed *v, double dt)
{
  self->x += dt * v->x;
  self->y += dt * v->y;
  self->z += dt * v->z;
}

/* Device code is made of these as well.  */
#pragma omp declare target (kick, drift)

/* All bodies, on the host.  */
struct cluster
{
  int n;
  struct place *places;
  struct speed *speeds;
};

/* What one device does: it moves the bodies FIRST .. FIRST + COUNT - 1.  */
struct part
{
  int device;
  int first, count;
  struct place *places;		/* the device's copy of all places, as a device address */
};

/* ---- on a device, called by its thread ---- */

static void
enter (struct part *part, int n, struct place *places, struct speed *speeds)
{
  int first = part->first, count = part->count;

#pragma omp target enter data device (part->device) map (to: places[0:n], speeds[first:count])
#pragma omp target data device (part->device) use_device_ptr (places)
  part->places = places;
}

/* Take the results of the own part back and give up everything.  */
static void
leave (const struct part *part, int n, struct place *places, struct speed *speeds)
{
  int first = part->first, count = part->count;

#pragma omp target update device (part->device) from (places[first:count])
#pragma omp target exit data device (part->device) \
			     map (release: places[0:n]) map (from: speeds[first:count])
}

/* The regions name their part of the speeds: of an array that is not named they would look for
   the first element, which most devices do not have.  All places are there and need no word.  */

static void
kick_part (const struct part *part, const struct cluster *c, double dt)
{
  int n = c->n, first = part->first, count = part->count;
  const struct place *places = c->places;
  struct speed *speeds = c->speeds;

#pragma omp target teams distribute parallel for device (part->device) \
		map (speeds[first:count])
  for (int i = first; i < first + count; i++)
    kick (places, n, &places[i], &speeds[i], dt);
}

static void
drift_part (const struct part *part, const struct cluster *c, double dt)
{
  int first = part->first, count = part->count;
  struct place *places = c->places;
  const struct speed *speeds = c->speeds;

#pragma omp target teams distribute parallel for device (part->device) \
		map (speeds[first:count])
  for (int i = first; i < first + count; i++)
    drift (&places[i], &speeds[i], dt);
}

/* Fetch the places of the bodies that the other devices move.  */
static void
fetch (const struct part *self, const struct part *parts, int number)
{
  for (int k = 0; k < number; k++)
    {
      const struct part *other = &parts[k];
      size_t at = other->first * sizeof (struct place);
      if (other != self
	  && omp_target_memcpy (self->places, other->places, other->count * sizeof (struct place),
				at, at, self->device, other->device) != 0)
	example_wrong ("cannot copy from device %d to device %d", other->device, self->device);
    }
}

/* STEPS steps of all bodies, by NUMBER devices.  */
static void
run_on_devices (const struct cluster *c, int number, int steps)
{
  struct part *parts = example_alloc (number, sizeof *parts);

#pragma omp parallel num_threads (number)
  {
    int self = omp_get_thread_num ();
    struct part *part = &parts[self];
    if (omp_get_num_threads () != number)
      example_wrong ("only %d threads for %d devices", omp_get_num_threads (), number);

    part->device = self;
    part->first = (long) c->n * self / number;
    part->count = (long) c->n * (self + 1) / number - part->first;
    enter (part, c->n, c->places, c->speeds);

    kick_part (part, c, DT / 2);
    for (int step = 0; step < steps; step++)
      {
	drift_part (part, c, DT);
	/* All new places are there before anyone fetches them, and have been fetched before
	   their owner moves on.  */
#pragma omp barrier
	fetch (part, parts, number);
#pragma omp barrier
	kick_part (part, c, step < steps - 1 ? DT : DT / 2);
      }
    leave (part, c->n, c->places, c->speeds);
  }
  free (parts);
}

/* ---- on the host alone ---- */

static void
kick_all (const struct cluster *c, double dt)
{
#pragma omp parallel for
  for (int i = 0; i < c->n; i++)
    kick (c->places, c->n, &c->places[i], &c->speeds[i], dt);
}

static void
run_on_host (const struct cluster *c, int steps)
{
  kick_all (c, DT / 2);
  for (int step = 0; step < steps; step++)
    {
#pragma omp parallel for
      for (int i = 0; i < c->n; i++)
	drift (&c->places[i], &c->speeds[i], DT);
      kick_all (c, step < steps - 1 ? DT : DT / 2);
    }
}

static double
energy (const struct cluster *c)
{
  double sum = 0;
#pragma omp parallel for reduction (+: sum) schedule (static, 16)
  for (int i = 0; i < c->n; i++)
    {
      const struct place *p = &c->places[i];
      const struct speed *v = &c->speeds[i];
      sum += p->mass * (v->x * v->x + v->y * v->y + v->z * v->z) / 2;
      for (int j = i + 1; j < c->n; j++)
	{
	  const struct place *q = &c->places[j];
	  double dx = p->x - q->x, dy = p->y - q->y, dz = p->z - q->z;
	  sum -= p->mass * q->mass / sqrt (dx * dx + dy * dy + dz * dz + SOFTENING * SOFTENING);
	}
    }
  return sum;
}

/* Length of the sum of all momenta.  */
static double
momentum (const struct cluster *c)
{
  double x = 0, y = 0, z = 0;
  for (int i = 0; i < c->n; i++)
    {
      x += c->places[i].mass * c->speeds[i].x;
      y += c->places[i].mass * c->speeds[i].y;
      z += c->places[i].mass * c->speeds[i].z;
    }
  return sqrt (x * x + y * y + z * z);
}

/* Largest distance between the same body in A and B.  */
static double
distance (const struct cluster *a, const struct cluster *b)
{
  double worst = 0;
  for (int i = 0; i < a->n; i++)
    {
      const struct place *p = &a->places[i], *q = &b->places[i];
      double d = fabs (p->x - q->x) + fabs (p->y - q->y) + fabs (p->z - q->z);
      if (isnan (d))
	return d;
      worst = fmax (worst, d);
    }
  return worst;
}

/* ---- the cluster ---- */

/* A pseudo-random number in (0, 1).  */
static double
random_number (void)
{
  static unsigned long long state = 88172645463325252ull;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return ((state >> 11) + 0.5) / 9007199254740992.0;
}

/* A point of a sphere of radius R, all being equally likely.  */
static void
on_sphere (double r, double *x, double *y, double *z)
{
  double up = 2 * random_number () - 1, turn = 2 * 3.14159265358979 * random_number ();
  *x = r * sqrt (1 - up * up) * cos (turn);
  *y = r * sqrt (1 - up * up) * sin (turn);
  *z = r * up;
}

/* N bodies of the same mass, together 1, after H. C. Plummer's law of density.  */
static struct cluster
make_cluster (int n)
{
  struct cluster c = { n, example_alloc (n, sizeof *c.places),
		       example_alloc (n, sizeof *c.speeds) };
  double x = 0, y = 0, z = 0;

  for (int i = 0; i < n; i++)
    {
      struct place *p = &c.places[i];
      struct speed *v = &c.speeds[i];
      double r, share;
      do
	r = 1 / sqrt (pow (random_number (), -2.0 / 3) - 1);
      while (r > 8);
      on_sphere (r, &p->x, &p->y, &p->z);
      p->mass = 1.0 / n;
      /* The share of the speed of escape follows  s^2 (1 - s^2)^(7/2) < 0.1.  */
      do
	share = random_number ();
      while (0.1 * random_number () > share * share * pow (1 - share * share, 3.5));
      on_sphere (share * sqrt (2) * pow (1 + r * r, -0.25), &v->x, &v->y, &v->z);
      x += v->x / n;
      y += v->y / n;
      z += v->z / n;
    }
  /* The cluster as a whole is at rest.  */
  for (int i = 0; i < n; i++)
    {
      c.speeds[i].x -= x;
      c.speeds[i].y -= y;
      c.speeds[i].z -= z;
    }
  return c;
}

static struct cluster
copy_cluster (const struct cluster *c)
{
  struct cluster copy = { c->n, example_alloc (c->n, sizeof *copy.places),
			  example_alloc (c->n, sizeof *copy.speeds) };
  memcpy (copy.places, c->places, c->n * sizeof *copy.places);
  memcpy (copy.speeds, c->speeds, c->n * sizeof *copy.speeds);
  return copy;
}

static void
free_cluster (struct cluster *c)
{
  free (c->places);
  free (c->speeds);
}

static int
number_argument (const char *text, int least, int most)
{
  char *end;
  long value = strtol (text, &end, 10);
  if (end == text || *end != '\0' || value < least || value > most)
    example_wrong ("\"%s\" is not a number from %d to %d", text, least, most);
  return value;
}

int
main (int argc, char **argv)
{
  int devices = omp_get_num_devices (), parts = devices > 0 ? devices : 1;
  int n = argc > 1 ? number_argument (argv[1], 2, 1000000) : 1200;
  int steps = argc > 2 ? number_argument (argv[2], 1, 1000000) : 50;

  if (argc > 3)
    example_wrong ("usage: nbody [BODIES [STEPS]]");
  if (parts > n)
    parts = n;

  struct cluster cluster = make_cluster (n), reference = copy_cluster (&cluster);
  double energy_before = energy (&cluster), begin, seconds, change, off;
  printf ("nbody: %d bodies, %d steps, in %d part%s\n", n, steps, parts, parts == 1 ? "" : "s");

  begin = omp_get_wtime ();
  run_on_devices (&cluster, parts, steps);
  seconds = omp_get_wtime () - begin;
  change = fabs (energy (&cluster) / energy_before - 1);

  begin = omp_get_wtime ();
  run_on_host (&reference, steps);
  printf ("nbody: without target regions %.3f s\n", omp_get_wtime () - begin);
  off = distance (&cluster, &reference);

  if (!(change < 1e-3))
    example_wrong ("the energy has changed by %g of itself", change);
  if (!(momentum (&cluster) < 1e-10))
    example_wrong ("the cluster has got a momentum of %g", momentum (&cluster));
  if (!(off < 1e-8))
    example_wrong ("a body is %g from where the host alone puts it", off);
  example_right (seconds, "energy to %.1e, momentum %.1e, places to %.1e", change,
		 momentum (&cluster), off);
  free_cluster (&cluster);
  free_cluster (&reference);
  return 0;
}
