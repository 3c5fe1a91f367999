/* A region writes rubbish into the memory that the worker shares with the program, as a wild
   pointer may.  Whatever it hits: the program is right, or ends with a message and status 1; it
   does not crash, hang, or go on with wrong results.

   Each seed is a run of its own, two at a time.  The fields and their places are those of
   plugin/cpu-proto.h.  By hand: a.out SECONDS FIRST-SEED RUNS tries others; a.out seed N is one
   run.
   TEST-MODES: cpu
   TEST-OPTIONS: -I@top_srcdir@
   TEST-TIMEOUT: 120
   TEST-SKIP-SANITIZER: address it watches the shadow of memory, which a wild store may hit
   TEST-SKIP-SANITIZER: thread the stores of the region are races on purpose  */

#define _GNU_SOURCE 1
#include <omp.h>
#include "aux-seeds.h"

enum { N = 20000, ROUNDS = 3, MOST_FIELDS = 128 };

#pragma omp declare target

static int var[1000];

/* What can be hit: words of SIZE bytes, or any place in a larger field.  */
struct field
{
  unsigned char *start;
  size_t size;
};

#define FIELD(structure, name) \
  fields[n++] = (struct field) { (unsigned char *) &(structure)->name, sizeof ((structure)->name) }

/* The header, with the settings and the end record.  */
static unsigned
header_fields (struct gomp_cpu_shared *s, struct field *fields)
{
  unsigned n = 0;
  fields[n++] = (struct field) { (unsigned char *) s, offsetof (struct gomp_cpu_shared, xstate) };
  FIELD (s, worker_base);
  FIELD (s, heap_size);
  FIELD (s, heap_addr);
  FIELD (s, spin_ns);
  FIELD (s, num_cpus);
  FIELD (s, xstate);
  FIELD (s, xlife);
  FIELD (s, xworker_pid);
  FIELD (s, xbusy);
  FIELD (s, xdevice_num);
  FIELD (s, xdefault_device);
  FIELD (s, xnum_devices);
  FIELD (s, marks_offset);
  FIELD (s, pages_offset);
  FIELD (s, xpages_used);
  FIELD (s, xseen_lock);
  FIELD (s, num_seen);
  FIELD (s, seen[0]);
  FIELD (s, end);
  FIELD (s, refusal);
  return n;
}

/* The rings of the first queues.  Not xdone alone: a number that is just right there means that the
   region is complete.  */
static unsigned
slot_fields (struct gomp_cpu_shared *s, unsigned number, struct field *fields)
{
  struct gomp_cpu_slot *slot = gomp_cpu_slot_at (s, number);
  unsigned n = 0;
  FIELD (slot, xhead);
  FIELD (slot, xhost_sleepers);
  FIELD (slot, xhost_cpu);
  FIELD (slot, xdone);
  FIELD (slot, xworker_sleeps);
  FIELD (slot, xworker_cpu);
  FIELD (slot, xrunning);
  FIELD (slot, status);
  FIELD (slot, value);
  FIELD (slot, text);
  FIELD (slot, ring);
  FIELD (slot, times);
  return n;
}

/* The area of calls, and the first slots in it.  */
static unsigned
call_fields (struct gomp_cpu_shared *s, unsigned number, struct field *fields)
{
  struct gomp_reverse_area *area = gomp_cpu_calls (s);
  struct gomp_reverse_slot *slot = &area->slots[number];
  unsigned n = 0;
  FIELD (area, version);
  FIELD (area, slot_size);
  FIELD (area, num_slots);
  FIELD (area, xwaiters);
  FIELD (area, xrung);
  FIELD (area, xhelpers);
  FIELD (area, xhelp);
  FIELD (area, u.xbells[0]);
  FIELD (slot, xstate);
  FIELD (slot, sequence);
  FIELD (slot, type);
  FIELD (slot, flags);
  FIELD (slot, function);
  FIELD (slot, count);
  FIELD (slot, data);
  return n;
}

static void
scribble (uint64_t seed)
{
  uint64_t state = seed * UINT64_C (0x9e3779b97f4a7c15) + 1;
  struct gomp_cpu_shared *s = find_shared ();
  struct field fields[MOST_FIELDS];
  unsigned words = next (&state) % 3 == 0 ? 1 + next (&state) % 60 : 1 + next (&state) % 3;
  if (s == NULL)
    abort ();
  for (unsigned i = 0; i < words; i++)
    {
      unsigned n, number = next (&state) % 4;
      switch ((seed + (i > 2 ? next (&state) : 0)) % 3)
	{
	case 0: n = header_fields (s, fields); break;
	case 1: n = slot_fields (s, number, fields); break;
	default: n = call_fields (s, number, fields); break;
	}
      const struct field *f = &fields[next (&state) % n];
      size_t width = f->size >= 8 && next (&state) % 4 != 0 ? 8 : f->size >= 4 ? 4 : f->size;
      unsigned char *at = f->start + next (&state) % (f->size / width) * width;
      uint64_t v = 0;
      memcpy (&v, at, width);
      v = value (&state, v, s);
      memcpy (at, &v, width);
      __asm__ volatile ("" ::: "memory");
      if (next (&state) % 8 == 0)
	usleep (next (&state) % 3000);
    }
}
#pragma omp end declare target

/* ---- one run ---- */

static int
one (uint64_t seed)
{
  static int a[N];
  int host = getpid (), device = 0;
#pragma omp target map(from: device)
  device = getpid ();
  if (device == host)
    return 77;
#pragma omp target map(to: seed)
  scribble (seed);
  for (int round = 0; round < ROUNDS; round++)
    {
#pragma omp target map(tofrom: a) nowait depend(inout: a)
      for (int i = 0; i < N; i++)
	a[i]++;
#pragma omp target update to(var) nowait depend(inout: a)
#pragma omp target nowait depend(inout: a)
      var[5] += round + 1;
#pragma omp target update from(var) nowait depend(inout: a)
#pragma omp taskwait
#pragma omp target
      {
#pragma omp parallel num_threads(2)
	{ }
      }
      void *q = omp_target_alloc (1000, 0);
      omp_target_memcpy (q, a, 1000, 0, 0, 0, omp_get_initial_device ());
      omp_target_free (q, 0);
    }
  for (int i = 0; i < N; i++)
    if (a[i] != ROUNDS)
      {
	printf ("wrong: a[%d] = %d\n", i, a[i]);
	return 3;
      }
  if (var[5] != ROUNDS * (ROUNDS + 1) / 2)
    {
      printf ("wrong: var[5] = %d\n", var[5]);
      return 3;
    }
  return 0;
}

int
main (int argc, char **argv)
{
  return many_seeds (argc, argv, one);
}
