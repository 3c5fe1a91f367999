/* aux-cpu-plugin.c -- the cpu device by its plugin interface: what the core does not do yet, or
   not in this order.  Linked with libgomp.a (cpu-plugin.sh), because the table is not exported.  */

#include <omp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugin/plugin.h"

extern const struct gomp_plugin gomp_plugin_cpu;
#define P gomp_plugin_cpu

static __thread char error[512];
static int failures;

static void
set_error (const char *fmt, ...)
{
  va_list list;
  va_start (list, fmt);
  vsnprintf (error, sizeof (error), fmt, list);
  va_end (list);
}

static void
debug (int level, const char *fmt, ...)
{
  (void) level;
  (void) fmt;
}

static const char *
get (const char *name, bool file_name)
{
  (void) file_name;
  return getenv (name);
}

static const struct gomp_plugin_core core
  = { GOMP_PLUGIN_API_VERSION, sizeof (core), set_error, debug, get, NULL };

#define OK(call)							\
  do									\
    {									\
      gomp_status_t s_ = (call);					\
      if (s_ != GOMP_OK)						\
	{								\
	  printf ("%d: %s: status %d, %s\n", __LINE__, #call, s_, error); \
	  exit (1);							\
	}								\
    }									\
  while (0)

#define CHECK(condition)						\
  do									\
    if (!(condition))							\
      {									\
	printf ("%d: not so: %s\n", __LINE__, #condition);		\
	failures++;							\
      }									\
  while (0)

#define N 40000
#define MOST_TERMS 1000
#define GATE 4			/* ints behind the one that is incremented */
int variable[N] = { [5] = 55 };

static void
increment (void *args)
{
  int *p = *(int **) args;
  ++*p;
}

static void
slow_increment (void *args)
{
  usleep (20000);
  increment (args);
}

/* When the gate is open (set_gate).  */
static void
gated_increment (void *args)
{
  while (__atomic_load_n (*(int **) args + GATE, __ATOMIC_ACQUIRE) == 0)
    usleep (100);
  increment (args);
}

struct sum
{
  int *where;
  int num_terms, term[MOST_TERMS];
};

/* The last one.  */
static void
add_term (void *args)
{
  struct sum *s = args;
  *s->where += s->term[s->num_terms - 1];
}

struct device
{
  struct gomp_plugin_device *dev;
  struct gomp_plugin_image *image;
  struct gomp_plugin_queue *q[2], *gate_queue;
  gomp_devptr_t mem;		/* [0, 8) arguments, [64, 84) the number and the gate, the rest free */
};
enum { INCREMENT, SLOW, GATED, ADD_TERM, FUNCTIONS };

static void
open_device (struct device *d, unsigned ordinal)
{
  extern char __executable_start, _end;
  static const uint64_t functions[] = { (uint64_t) increment, (uint64_t) slow_increment,
					(uint64_t) gated_increment, (uint64_t) add_term };
  static const struct gomp_host_var vars[] = { { (uint64_t) variable, sizeof (variable), false } };
  const struct gomp_image_desc desc =
    {
      .kind = GOMP_IMAGE_HOST, .path = "", .start = (uint64_t) &__executable_start,
      .end = (uint64_t) &_end, .host_funcs = functions, .num_funcs = FUNCTIONS,
      .host_vars = vars, .num_vars = 1
    };
  const struct gomp_device_icvs icvs = { .device_num = ordinal };
  OK (P.device_open (ordinal, NULL, &d->dev));
  OK (P.image_load (d->dev, &desc, &icvs, &d->image));
  for (int i = 0; i < 2; i++)
    OK (P.queue_create (d->dev, &d->q[i]));
  OK (P.queue_create (d->dev, &d->gate_queue));
  OK (P.mem_alloc (d->dev, 1 << 20, 4096, &d->mem));
  CHECK (d->mem % 4096 == 0);
  uint64_t target = d->mem + 64;
  OK (P.copy_h2d (d->q[0], d->mem, &target, 8));
  OK (P.queue_wait (d->q[0]));
}

static int
value (struct device *d)
{
  int x = -1;
  OK (P.copy_d2h (d->q[0], &x, d->mem + 64, sizeof (x)));
  OK (P.queue_wait (d->q[0]));
  return x;
}

static void
set (struct device *d, int x)
{
  OK (P.copy_h2d (d->q[0], d->mem + 64, &x, sizeof (x)));
  OK (P.queue_wait (d->q[0]));
}

/* GATED goes on when the gate is open: 1.  */
static void
set_gate (struct device *d, int open)
{
  OK (P.copy_h2d (d->gate_queue, d->mem + 64 + GATE * sizeof (int), &open, sizeof (open)));
  OK (P.queue_wait (d->gate_queue));
}

static bool
done (const struct gomp_plugin_event *e)
{
  return (int32_t) (atomic_load (e->word) - e->target) >= 0;
}

/* More launches than a ring has room for, and copies between them, all in order.  */
static void
test_order (struct device *d)
{
  struct gomp_launch launch = { .args = d->mem, .num_args = 1, .num_teams = -2 };
  static int seen[40];
  set (d, 0);
  for (int i = 0; i < 40; i++)
    {
      for (int j = 0; j < 50; j++)
	OK (P.launch (d->q[0], d->image, j == 0 && i < 3 ? SLOW : INCREMENT, &launch));
      OK (P.copy_d2h (d->q[0], &seen[i], d->mem + 64, sizeof (int)));
    }
  OK (P.queue_flush (d->q[0]));
  OK (P.queue_wait (d->q[0]));
  for (int i = 0; i < 40; i++)
    CHECK (seen[i] == 50 * (i + 1));
}

/* Events: of one queue, waited for by another, on the same device and on the other one.  */
static void
test_events (struct device *d, struct device *other)
{
  struct gomp_launch launch = { .args = d->mem, .num_args = 1, .num_teams = -2 };
  struct gomp_plugin_event *e, *f;
  int first = -1, second = -1;
  OK (P.event_create (d->dev, &e));
  OK (P.event_create (d->dev, &f));
  CHECK (done (e));
  OK (P.event_wait (e));

  set (d, 10);
  set_gate (d, 0);
  OK (P.launch (d->q[0], d->image, GATED, &launch));
  OK (P.event_record (d->q[0], e));
  CHECK (!done (e));
  OK (P.queue_wait_event (d->q[1], e));
  OK (P.copy_d2h (d->q[1], &first, d->mem + 64, sizeof (int)));
  OK (P.event_record (d->q[1], f));
  OK (P.queue_wait_event (other->q[1], f));
  OK (P.fill (other->q[1], other->mem + 128, 7, 100));
  CHECK (first == -1);
  set_gate (d, 1);
  OK (P.queue_wait (other->q[1]));
  CHECK (first == 11 && done (e) && done (f));
  OK (P.copy_d2h (other->q[1], &second, other->mem + 128 + 96, sizeof (int)));
  CHECK (second == 0x07070707);
  OK (P.event_status (e));

  /* Somebody who only polls gets there by progress.  */
  OK (P.launch (d->q[0], d->image, SLOW, &launch));
  OK (P.copy_d2h (d->q[0], &first, d->mem + 64, sizeof (int)));
  OK (P.event_record (d->q[0], e));
  for (int i = 0; i < 5000 && !done (e); i++)
    {
      P.progress (d->dev);
      usleep (1000);
    }
  CHECK (done (e) && first == 12);
  P.event_destroy (e);
  P.event_destroy (f);
}

#define ARGS 4096		/* where the arguments of add_term are, in the device's memory */

/* Enqueue on queue 0 a region that adds S's last term to the number, and its arguments right before.  */
static void
enqueue_sum (struct device *d, struct sum *s, int num_terms, int term)
{
  struct gomp_launch launch = { .args = d->mem + ARGS, .num_args = 1, .num_teams = -2 };
  s->where = (int *) (d->mem + 64);
  s->num_terms = num_terms;
  s->term[num_terms - 1] = term;
  OK (P.copy_h2d (d->q[0], d->mem + ARGS, s, offsetof (struct sum, term[num_terms])));
  OK (P.launch (d->q[0], d->image, ADD_TERM, &launch));
}

/* The number becomes X although nobody looks after queue 0.  */
static bool
becomes (struct device *d, int x)
{
  int now = -1;
  for (int i = 0; i < 10000 && now != x; i++)
    {
      usleep (1000);
      OK (P.copy_d2h (d->gate_queue, &now, d->mem + 64, sizeof (now)));
      OK (P.queue_wait (d->gate_queue));
    }
  return now == x;
}

/* The worker gets from one region to the next without the host, although each has arguments of its own
   at the same place.  */
static void
test_arguments (struct device *d)
{
  enum { REGIONS = 20 };
  struct gomp_launch launch = { .args = d->mem, .num_args = 1, .num_teams = -2 };
  static struct sum s[REGIONS];
  struct gomp_plugin_event *e, *f;
  OK (P.event_create (d->dev, &e));
  OK (P.event_create (d->dev, &f));

  set (d, 0);
  set_gate (d, 0);
  OK (P.launch (d->q[0], d->image, GATED, &launch));
  for (int i = 0; i < REGIONS; i++)
    enqueue_sum (d, &s[i], 1, 1 << i);
  OK (P.event_record (d->q[0], e));
  OK (P.queue_flush (d->q[0]));
  set_gate (d, 1);
  CHECK (becomes (d, 1 << REGIONS) && !done (e));
  OK (P.queue_wait (d->q[0]));
  CHECK (done (e));

  /* What comes with no command: more than fits.  */
  set (d, 5);
  OK (P.launch (d->q[0], d->image, SLOW, &launch));
  enqueue_sum (d, &s[0], MOST_TERMS, 100);
  OK (P.launch (d->q[0], d->image, SLOW, &launch));
  enqueue_sum (d, &s[1], MOST_TERMS / 5, 1000);
  CHECK (value (d) == 1107);

  /* Arguments whose copy somebody waits for are there before their region begins.  */
  set_gate (d, 0);
  OK (P.launch (d->q[0], d->image, SLOW, &launch));
  uint64_t target = d->mem + 64;
  OK (P.copy_h2d (d->q[0], d->mem + ARGS, &target, sizeof (target)));
  OK (P.event_record (d->q[0], e));
  launch.args = d->mem + ARGS;
  OK (P.launch (d->q[0], d->image, GATED, &launch));
  OK (P.event_wait (e));
  set_gate (d, 1);
  CHECK (value (d) == 1109);

  /* A wait for what has happened does not hold up what is behind it.  */
  set_gate (d, 0);
  launch.args = d->mem + 2 * ARGS;
  target = launch.args + 64;	/* another number: these two regions are in no order */
  OK (P.copy_h2d (d->q[1], launch.args, &target, sizeof (target)));
  OK (P.launch (d->q[1], d->image, SLOW, &launch));
  OK (P.event_record (d->q[1], f));
  launch.args = d->mem;
  OK (P.launch (d->q[0], d->image, GATED, &launch));
  OK (P.queue_wait_event (d->q[0], f));
  enqueue_sum (d, &s[0], 1, 50);
  OK (P.event_wait (f));
  P.progress (d->dev);
  set_gate (d, 1);
  CHECK (becomes (d, 1160));
  OK (P.queue_wait (d->q[0]));
  P.event_destroy (e);
  P.event_destroy (f);
}

/* Copies between heap, variables, devices; rectangles.  */
static void
test_copies (struct device *d, struct device *other)
{
  struct gomp_launch launch = { .args = d->mem, .num_args = 1, .num_teams = -2 };
  static int out[N], in[N];
  gomp_devptr_t v;
  uint64_t size;
  OK (P.image_variable (d->image, 0, &v, &size));
  CHECK (size == sizeof (variable));
  OK (P.copy_d2h (d->q[0], in, v, 8 * sizeof (int)));
  OK (P.queue_wait (d->q[0]));
  CHECK (in[5] == 55);
  for (int i = 0; i < N; i++)
    out[i] = i * 3;
  /* Behind a kernel that still runs: nothing is copied at once.  */
  OK (P.launch (d->q[0], d->image, SLOW, &launch));
  OK (P.copy_h2d (d->q[0], v, out, sizeof (out)));
  OK (P.copy_d2d (d->q[0], d->dev, d->mem + 4096, d->dev, v, sizeof (out)));
  OK (P.copy_d2d (d->q[0], other->dev, other->mem + 8192, d->dev, d->mem + 4096, sizeof (out)));
  OK (P.queue_wait (d->q[0]));
  OK (P.copy_d2h (other->q[0], in, other->mem + 8192, sizeof (in)));
  OK (P.queue_wait (other->q[0]));
  CHECK (memcmp (in, out, sizeof (in)) == 0);
  OK (P.fill (d->q[0], v + 4, 1, 4));
  memset (in, 0, sizeof (in));
  OK (P.copy_d2h (d->q[0], in, v, sizeof (in)));
  OK (P.queue_wait (d->q[0]));
  CHECK (in[0] == 0 && in[1] == 0x01010101 && in[2] == 6 && in[N - 1] == 3 * (N - 1));

  /* 2 planes of 3 rows of 5 ints, out of 4 x 10 in the host, to 3 x 5 on the device.  */
  const struct gomp_copy3d to = { { 20, 3, 2 }, { 20, 60 }, { 40, 160 } };
  const struct gomp_copy3d back = { { 20, 3, 2 }, { 40, 160 }, { 20, 60 } };
  for (int kind = 0; kind < 2; kind++)
    {
      gomp_devptr_t where = kind == 0 ? d->mem + 4096 : v;
      OK (P.launch (d->q[0], d->image, SLOW, &launch));
      OK (P.copy3d_h2d (d->q[0], where, out, &to));
      memset (in, -1, sizeof (in));
      OK (P.copy3d_d2h (d->q[0], in, where, &back));
      OK (P.queue_wait (d->q[0]));
      for (int i = 0; i < 2; i++)
	for (int j = 0; j < 3; j++)
	  {
	    CHECK (memcmp (&in[i * 40 + j * 10], &out[i * 40 + j * 10], 20) == 0);
	    CHECK (in[i * 40 + j * 10 + 5] == -1);
	  }
    }
}

/* Blocks do not overlap, are reused, and wrong ones are refused.  */
static void
test_memory (struct device *d)
{
  enum { BLOCKS = 300 };
  gomp_devptr_t block[BLOCKS];
  uint64_t before, after, total;
  OK (P.mem_info (d->dev, &before, &total));
  for (int round = 0; round < 3; round++)
    {
      for (int i = 0; i < BLOCKS; i++)
	{
	  size_t align = (size_t) 1 << (i % 13);
	  OK (P.mem_alloc (d->dev, 1 + i * 37, align, &block[i]));
	  CHECK (block[i] % align == 0);
	  OK (P.fill (d->q[0], block[i], i, 1 + i * 37));
	}
      for (int i = 0; i < BLOCKS; i++)
	{
	  unsigned char first = 0, last = 0;
	  OK (P.copy_d2h (d->q[0], &first, block[i], 1));
	  OK (P.copy_d2h (d->q[0], &last, block[i] + i * 37, 1));
	  OK (P.queue_wait (d->q[0]));
	  CHECK (first == (unsigned char) i && last == (unsigned char) i);
	}
      for (int i = 0; i < BLOCKS; i++)
	OK (P.mem_free (d->dev, block[(i * 7) % BLOCKS]));
    }
  OK (P.mem_info (d->dev, &after, &total));
  CHECK (before == after);
  CHECK (P.mem_free (d->dev, block[0]) == GOMP_NOT_FOUND);
  CHECK (P.mem_alloc (d->dev, total, 64, &block[0]) == GOMP_OUT_OF_DEVICE_MEMORY);
}

int
main (void)
{
  struct device d[2];
  struct gomp_device_attr attr;
  unsigned n = 0;

  /* Links the library's constructor.  */
  CHECK (omp_get_max_threads () > 0);
  OK (P.init (&core, &n));
  CHECK (n == 2);
  OK (P.device_attr (1, &attr));
  CHECK (attr.memory_size > 0 && (attr.caps & GOMP_CAP_HOST_CODE) && attr.uid[0]);
  open_device (&d[0], 0);
  open_device (&d[1], 1);
  CHECK (P.image_function (d[0].image, FUNCTIONS) == GOMP_NOT_FOUND);
  test_order (&d[0]);
  test_events (&d[0], &d[1]);
  test_arguments (&d[0]);
  test_copies (&d[0], &d[1]);
  test_memory (&d[1]);

  /* Closing one leaves the other; it can be opened again, and is new then.  */
  P.device_close (d[0].dev, false);
  set (&d[1], 4);
  CHECK (value (&d[1]) == 4);
  open_device (&d[0], 0);
  set (&d[0], 5);
  CHECK (value (&d[0]) == 5);
  for (int i = 0; i < 2; i++)
    P.device_close (d[i].dev, false);
  return failures != 0;
}
