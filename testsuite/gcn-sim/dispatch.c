/* dispatch.c -- kernels: work-groups and their waves on host threads.

   A pool of threads (GCN_SIM_THREADS) serves all agents.  Groups are started as long as the compute units
   of the agent hold them; a group that was started is resident and gets its turns: a thread takes
   it, lets each of its waves execute some instructions, and puts it back.  So all resident groups make
   progress, as on hardware, and those that wait for a place make none.

   group:  --(there is room: start_group)--> resident --(a thread: take_group)--> running
	   --(turn is over)--> resident ... --(all waves have ended)--> done
   wave:   READY --(s_barrier)--> AT_BARRIER --(all live waves are there)--> READY ...
	   --(s_endpgm)--> ENDED

   Orders (GCN_SIM_ORDER)
   inorder      groups and waves in turn, each wave the same number of instructions
   random:SEED  groups and waves by chance, for a random number of instructions
   adversarial  the last groups first, now one at a time, now as many as fit; a wave runs as long
		as it can, and one of them, another one after each barrier, only when no other can go on

   Invariants
   1. The lists and everything of a dispatch that changes are protected by pool_lock; a group that
      runs belongs to its thread.
   2. When nothing can be done but to wait for the host, nobody burns a core: when all resident groups
      are asleep or at barriers, threads nap.  */

#include "dispatch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAX_WAVES = 16, LDS_BYTES = 65536, WAVES_PER_CU = 40, LONGEST_NAP = 100000,
       FAIR_AFTER = 64 };

enum wave_state { READY, AT_BARRIER, ENDED };

struct group
{
  struct group *next;
  struct sim_group sim;		/* what instructions see */
  struct dispatch *d;
  uint64_t id[3];
  unsigned scratch_slot;
  unsigned num_waves, live, at_barrier;
  struct sim_wave *waves;	/* MAX_WAVES */
  enum wave_state state[MAX_WAVES];
  unsigned long executed;	/* before this turn */
  uint64_t random;
  unsigned victim, starved;	/* adversarial: who comes last; turns that it has not had */
  bool asleep;			/* in its last turn, nobody did anything but wait */
  unsigned char lds[LDS_BYTES] __attribute__ ((aligned (64)));
  unsigned char lds_shadow[LDS_BYTES];
};

static enum { IN_ORDER, RANDOM, ADVERSARIAL } order;
static uint64_t seed;
static unsigned long budget;
static unsigned long stuck_after;	/* s */
static unsigned long sleep_us;	/* GCN_SIM_SLEEP */

static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work, gone;
static bool pool_started;
static struct dispatch *dispatches, **dispatches_tail = &dispatches;
static struct group *resident, **resident_tail = &resident;	/* and not running */
static struct group *free_groups;
static unsigned num_resident, num_asleep;	/* with those that run */
static unsigned waves_in[SIM_MAX_AGENTS];	/* resident ones */
static size_t lds_in[SIM_MAX_AGENTS];

/* ---- the check of a packet ---- */

static bool
refuse (const struct dispatch *d, hsa_status_t *status, hsa_status_t why, const char *fmt, ...)
  __attribute__ ((format (printf, 4, 5)));

static bool
refuse (const struct dispatch *d, hsa_status_t *status, hsa_status_t why, const char *fmt, ...)
{
  char text[400];
  va_list ap;
  va_start (ap, fmt);
  vsnprintf (text, sizeof (text), fmt, ap);
  va_end (ap);
  hsa_misuse ("packet %lu, kernel %s: %s", (unsigned long) d->index,
	      d->name[0] != 0 ? d->name : "?", text);
  *status = why;
  return false;
}

static bool
check_kernel (struct dispatch *d, hsa_status_t *status)
{
  struct sim_range range;
  uint64_t object = d->packet.kernel_object;
  d->image = image_at (object);
  if (d->image == NULL || d->image->gpu != d->gpu || object % 64 != 0
      || space_view (object, sizeof (d->descriptor), &range) == NULL)
    return refuse (d, status, HSA_STATUS_ERROR_INVALID_CODE_OBJECT,
		   "%#lx is no kernel of the agent", (unsigned long) object);
  image_kernel_name (d->image, object, d->name, sizeof (d->name));
  memcpy (&d->descriptor, range.view + (object - range.start), sizeof (d->descriptor));
  d->entry = object + (uint64_t) d->descriptor.entry;
  d->code = image_code (d->image, d->entry);
  if (d->code == NULL || d->entry % 256 != 0)
    return refuse (d, status, HSA_STATUS_ERROR_INVALID_CODE_OBJECT, "its entry %#lx is no code",
		   (unsigned long) d->entry);
  if ((d->descriptor.properties & ~0xfu) != 0 || (d->descriptor.rsrc2 & 0x400) != 0)
    return refuse (d, status, HSA_STATUS_ERROR_INVALID_CODE_OBJECT,
		   "properties %#x, %#x are not simulated", d->descriptor.properties,
		   d->descriptor.rsrc2);
  return true;
}

static bool
check_shape (struct dispatch *d, hsa_status_t *status)
{
  const hsa_kernel_dispatch_packet_t *p = &d->packet;
  const uint32_t grid[3] = { p->grid_size_x, p->grid_size_y, p->grid_size_z };
  const uint32_t group[3] = { p->workgroup_size_x, p->workgroup_size_y, p->workgroup_size_z };
  uint64_t items = 1;
  unsigned dims = p->setup & 3;
  if (dims == 0 || (p->setup & ~3u) != 0 || p->reserved0 != 0 || p->reserved2 != 0)
    return refuse (d, status, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, "setup %#x or reserved fields",
		   p->setup);
  d->num_groups = 1;
  for (unsigned i = 0; i < 3; i++)
    {
      if (grid[i] == 0 || group[i] == 0 || (i >= dims && (grid[i] != 1 || group[i] != 1)))
	return refuse (d, status, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
		       "grid (%u,%u,%u), work-group (%u,%u,%u), %u dimensions", grid[0], grid[1],
		       grid[2], group[0], group[1], group[2], dims);
      items *= group[i];
      d->groups[i] = (grid[i] + group[i] - 1) / group[i];
      d->num_groups *= d->groups[i];
    }
  d->waves_per_group = (unsigned) ((items + SIM_LANES - 1) / SIM_LANES);
  if (items > MAX_WAVES * SIM_LANES)
    return refuse (d, status, HSA_STATUS_ERROR_INVALID_ARGUMENT, "%lu work-items in a work-group",
		   (unsigned long) items);
  return true;
}

static bool
check_resources (struct dispatch *d, hsa_status_t *status)
{
  const struct sim_isa *isa = hsa_gpus[d->gpu].isa;
  const hsa_kernel_dispatch_packet_t *p = &d->packet;
  struct sim_range range;
  char text[300];
  if (p->group_segment_size < d->descriptor.group_size || p->group_segment_size > LDS_BYTES)
    return refuse (d, status, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
		   "%u bytes of LDS, the kernel has %u", p->group_segment_size,
		   d->descriptor.group_size);
  if (p->private_segment_size < d->descriptor.private_size)
    return refuse (d, status, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
		   "%u bytes of private memory, the kernel needs %u", p->private_segment_size,
		   d->descriptor.private_size);
  unsigned vgprs = ((d->descriptor.rsrc1 & 0x3f) + 1) * isa->vgpr_granule;
  if (d->waves_per_group > 4 * (isa->vgprs / vgprs))
    return refuse (d, status, HSA_STATUS_ERROR_OUT_OF_RESOURCES,
		   "%u waves with %u registers each do not fit", d->waves_per_group, vgprs);
  if ((d->descriptor.properties & 8) != 0)
    {
      uint64_t kernarg = (uintptr_t) p->kernarg_address;
      size_t bytes = d->descriptor.kernarg_size != 0 ? d->descriptor.kernarg_size : 8;
      if (kernarg % 16 != 0 || !sim_space_find (kernarg, bytes, d->gpu, &range))
	{
	  sim_space_explain (kernarg, bytes, d->gpu, text, sizeof (text));
	  return refuse (d, status, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
			 "kernarg block %#lx: %s", (unsigned long) kernarg, text);
	}
    }
  return true;
}

/* Most groups of D that are resident at the same time.  */
static uint64_t
most_groups (const struct dispatch *d)
{
  uint64_t by_waves = (uint64_t) hsa_gpus[d->gpu].cus * WAVES_PER_CU / d->waves_per_group;
  uint64_t n = by_waves == 0 ? 1 : by_waves;
  return n < d->num_groups ? n : d->num_groups;
}

static bool
set_up_scratch (struct dispatch *d, hsa_status_t *status)
{
  if ((d->descriptor.properties & 1) == 0 && (d->descriptor.rsrc2 & 1) == 0)
    return true;
  d->scratch_size = (size_t) d->packet.private_segment_size * SIM_LANES;
  d->scratch_slots = (unsigned) most_groups (d);
  if (d->scratch_size == 0)
    return true;
  d->scratch = space_allocate (d->gpu, d->scratch_size * d->waves_per_group * d->scratch_slots,
			       SIM_SCRATCH_MEMORY, (uint32_t) 1 << d->gpu);
  d->slot_used = calloc (d->scratch_slots, 1);
  if (d->slot_used == NULL)
    abort ();
  return d->scratch != 0
	 || refuse (d, status, HSA_STATUS_ERROR_OUT_OF_RESOURCES, "no room for %u * %u * %zu bytes of "
		    "private memory", d->scratch_slots, d->waves_per_group, d->scratch_size);
}

bool
dispatch_check (struct dispatch *d, hsa_status_t *status)
{
  return check_kernel (d, status) && check_shape (d, status) && check_resources (d, status)
	 && set_up_scratch (d, status);
}

void
dispatch_free (struct dispatch *d)
{
  if (d->scratch != 0)
    space_free (d->scratch);
  free (d->slot_used);
  free (d);
}

/* ---- chance ---- */

static uint64_t
next_random (uint64_t *state)
{
  /* xorshift64*  */
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * UINT64_C (2685821657736338717);
}

/* The number of the group that is started as the N-th one.  */
static uint64_t
group_number (const struct dispatch *d, uint64_t n)
{
  if (order == ADVERSARIAL)
    return d->num_groups - 1 - n;
  if (order == RANDOM && d->num_groups < (uint64_t) 1 << 31)
    {
      uint64_t s = seed + d->index * 77 + 1, step = next_random (&s) % d->num_groups;
      for (;; step++)
	{
	  uint64_t a = step == 0 ? 1 : step, b = d->num_groups;
	  while (b != 0)
	    {
	      uint64_t t = a % b;
	      a = b;
	      b = t;
	    }
	  if (a == 1)
	    break;
	}
      if (step == 0)
	step = 1;
      return (n * (step % d->num_groups == 0 ? 1 : step) + s % d->num_groups) % d->num_groups;
    }
  return n;
}

/* ---- groups ---- */

static void
set_pair (struct sim_wave *w, unsigned *n, uint64_t value)
{
  sim_set_sgpr (w, (*n)++, (uint32_t) value);
  sim_set_sgpr (w, (*n)++, (uint32_t) (value >> 32));
}

static void
set_registers (struct group *g, unsigned i, const uint32_t size[3])
{
  struct dispatch *d = g->d;
  struct sim_wave *w = &g->waves[i];
  unsigned properties = d->descriptor.properties, rsrc2 = d->descriptor.rsrc2, n = 0;
  uint64_t offset = (uint64_t) (g->scratch_slot * d->waves_per_group + i) * d->scratch_size;
  if ((properties & 1) != 0)
    {
      /* A buffer descriptor: base, swizzled, of unlimited size.  */
      set_pair (w, &n, d->scratch | (uint64_t) 1 << 63);
      set_pair (w, &n, UINT64_C (0x00ea4facffffffff));
    }
  if ((properties & 2) != 0)
    set_pair (w, &n, d->packet_addr);
  if ((properties & 4) != 0)
    set_pair (w, &n, d->queue_addr);
  if ((properties & 8) != 0)
    set_pair (w, &n, (uintptr_t) d->packet.kernarg_address);
  n = rsrc2 >> 1 & 0x1f;
  for (unsigned dim = 0; dim < 3; dim++)
    if ((rsrc2 >> (7 + dim) & 1) != 0)
      sim_set_sgpr (w, n++, (uint32_t) g->id[dim]);
  if ((rsrc2 & 1) != 0)
    sim_set_sgpr (w, n++, (uint32_t) offset);

  uint64_t exec = 0;
  unsigned last_id = rsrc2 >> 11 & 3;
  for (unsigned lane = 0; lane < SIM_LANES; lane++)
    {
      uint32_t item = i * SIM_LANES + lane, id[3];
      id[0] = item % size[0];
      id[1] = item / size[0] % size[1];
      id[2] = item / size[0] / size[1];
      if (id[2] >= size[2])
	continue;
      exec |= (uint64_t) 1 << lane;
      if (g->sim.isa->packed_ids)
	sim_set_vgpr (w, 0, lane, id[0] | (last_id >= 1 ? id[1] << 10 : 0)
				  | (last_id >= 2 ? id[2] << 20 : 0));
      else
	for (unsigned dim = 0; dim <= last_id && dim < 3; dim++)
	  sim_set_vgpr (w, dim, lane, id[dim]);
    }
  sim_set_sgpr (w, SIM_EXEC, (uint32_t) exec);
  sim_set_sgpr (w, SIM_EXEC + 1, (uint32_t) (exec >> 32));
}

static struct group *
new_group (void)
{
  struct group *g = free_groups;
  if (g != NULL)
    {
      free_groups = g->next;
      return g;
    }
  g = aligned_alloc (64, (sizeof (*g) + 63) / 64 * 64);
  if (g == NULL)
    abort ();
  memset (g, 0, sizeof (*g));
  g->waves = aligned_alloc (64, MAX_WAVES * sizeof (*g->waves));
  if (g->waves == NULL)
    abort ();
  return g;
}

/* Fill in a group that start_group has chosen.  Without the lock.  */
static bool
prepare_group (struct group *g)
{
  struct dispatch *d = g->d;
  const hsa_kernel_dispatch_packet_t *p = &d->packet;
  const uint32_t grid[3] = { p->grid_size_x, p->grid_size_y, p->grid_size_z };
  const uint32_t most[3] = { p->workgroup_size_x, p->workgroup_size_y, p->workgroup_size_z };
  uint32_t size[3];
  for (unsigned i = 0; i < 3; i++)
    {
      uint64_t left = grid[i] - g->id[i] * most[i];
      size[i] = left < most[i] ? (uint32_t) left : most[i];
    }
  g->sim = (struct sim_group) { .isa = hsa_gpus[d->gpu].isa, .agent = (unsigned) d->gpu,
				.lds_size = p->group_segment_size, .lds = g->lds,
				.lds_shadow = g->lds_shadow, .owner = g };
  memset (g->lds, 0xa5, sizeof (g->lds));
  memset (g->lds_shadow, 0, sizeof (g->lds_shadow));
  g->num_waves = g->live = (size[0] * size[1] * size[2] + SIM_LANES - 1) / SIM_LANES;
  g->at_barrier = 0;
  g->executed = 0;
  g->starved = 0;
  g->asleep = false;
  if (d->scratch != 0)
    {
      struct sim_range range;
      size_t bytes = d->scratch_size * d->waves_per_group;
      char *view = space_view (d->scratch, 1, &range);
      memset (range.shadow + (view - range.view) + g->scratch_slot * bytes, 0, bytes);
      memset (view + g->scratch_slot * bytes, 0xdb, bytes);
    }
  for (unsigned i = 0; i < g->num_waves; i++)
    {
      struct sim_wave *w = &g->waves[i];
      g->state[i] = READY;
      if (!sim_wave_init (w, &g->sim, d->code, d->entry))
	{
	  report_wave (d, w, w->text);
	  return false;
	}
      w->id_in_group = i;
      w->owner = g;
      for (unsigned k = 0; k < 3; k++)
	w->group_id[k] = g->id[k];
      set_registers (g, i, size);
    }
  hsa_count (COUNT_GROUPS, 1);
  hsa_count (COUNT_WAVES, g->num_waves);
  return true;
}

static bool
has_room (const struct dispatch *d)
{
  const struct hsa_gpu *gpu = &hsa_gpus[d->gpu];
  if (waves_in[d->gpu] == 0)
    return true;
  if (order == ADVERSARIAL && d->index % 2 == 0 && d->running != 0)
    return false;
  return waves_in[d->gpu] + d->waves_per_group <= gpu->cus * WAVES_PER_CU
	 && lds_in[d->gpu] + d->packet.group_segment_size <= (size_t) gpu->cus * LDS_BYTES;
}

/* The next group of a dispatch for which there is room, or NULL.  With the lock.  Groups of a queue
   are started in the order of its packets.  */
static struct group *
start_group (void)
{
  for (struct dispatch *d = dispatches; d != NULL; d = d->next)
    {
      bool first = true;
      if (d->abandoned || d->started == d->num_groups || !has_room (d))
	continue;
      for (struct dispatch *e = dispatches; e != d && first; e = e->next)
	first = e->queue != d->queue || e->started == e->num_groups || e->abandoned;
      if (!first)
	continue;
      struct group *g = new_group ();
      uint64_t n = group_number (d, d->started);
      g->d = d;
      g->random = (seed + d->index * 1000003 + n) * 2 + 1;
      next_random (&g->random);
      g->victim = (unsigned) (next_random (&g->random) % d->waves_per_group);
      g->id[0] = n % d->groups[0];
      g->id[1] = n / d->groups[0] % d->groups[1];
      g->id[2] = n / d->groups[0] / d->groups[1];
      g->scratch_slot = 0;
      if (d->slot_used != NULL)
	{
	  while (d->slot_used[g->scratch_slot])
	    g->scratch_slot++;
	  d->slot_used[g->scratch_slot] = 1;
	}
      d->started++;
      d->running++;
      waves_in[d->gpu] += d->waves_per_group;
      lds_in[d->gpu] += d->packet.group_segment_size;
      num_resident++;
      return g;
    }
  return NULL;
}

/* ---- turns ---- */

static void
release_barrier (struct group *g)
{
  if (g->live == 0 || g->at_barrier != g->live)
    return;
  for (unsigned i = 0; i < g->num_waves; i++)
    if (g->state[i] == AT_BARRIER)
      g->state[i] = READY;
  g->at_barrier = 0;
  hsa_count (COUNT_BARRIERS, 1);
  if (order == ADVERSARIAL)
    {
      g->victim = (g->victim + 1) % g->num_waves;
      g->starved = 0;
    }
}

/* What a queue's callback is told of a fault.  */
static hsa_status_t
fault_status (const struct sim_wave *w)
{
  if (w->at != NULL && w->at->op == NULL)
    return HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION;
  return strstr (w->text, "not memory") != NULL ? HSA_STATUS_ERROR_MEMORY_FAULT
						: HSA_STATUS_ERROR_EXCEPTION;
}

static void
fail_group (struct group *g, const struct sim_wave *w, hsa_status_t status)
{
  struct dispatch *d = g->d;
  pthread_mutex_lock (&pool_lock);
  bool first = !d->failed;
  d->failed = d->abandoned = true;
  if (first)
    {
      const char *at = strstr (w->text, " at 0x");
      d->status = status;
      if (status == HSA_STATUS_ERROR_MEMORY_FAULT && at != NULL)
	d->fault_address = strtoull (at + 4, NULL, 16);
    }
  pthread_mutex_unlock (&pool_lock);
  if (first)
    report_wave (d, w, w->stop == SIM_TRAP ? "s_trap" : w->text);
}

/* Let wave I execute; true: it did more than to wait.  *FAILED: it must not go on.  */
static bool
run_wave (struct group *g, unsigned i, unsigned long instructions, bool *failed)
{
  struct sim_wave *w = &g->waves[i];
  enum sim_stop stop = sim_run (w, instructions);
  switch (stop)
    {
    case SIM_RUNNING:
      return true;
    case SIM_SLEEP:
      return false;
    case SIM_BARRIER:
      g->state[i] = AT_BARRIER;
      g->at_barrier++;
      release_barrier (g);
      return true;
    case SIM_END:
      g->state[i] = ENDED;
      g->live--;
      release_barrier (g);
      return true;
    case SIM_TRAP:
      fail_group (g, w, HSA_STATUS_ERROR_EXCEPTION);
      *failed = true;
      return true;
    default:
      fail_group (g, w, fault_status (w));
      *failed = true;
      return true;
    }
}

/* A turn of a group: *FAILED as above.  True: somebody did more than to wait.  */
static bool
run_turn (struct group *g, bool *failed)
{
  bool busy = false;
  if (order == IN_ORDER)
    {
      for (unsigned i = 0; i < g->num_waves && !*failed; i++)
	if (g->state[i] == READY)
	  busy = run_wave (g, i, budget, failed) || busy;
      return busy;
    }
  if (order == RANDOM)
    {
      for (unsigned k = 0; k < g->num_waves && !*failed; k++)
	{
	  unsigned i = (unsigned) (next_random (&g->random) >> 33) % g->num_waves;
	  while (g->state[i] == ENDED && g->live != 0)
	    i = (i + 1) % g->num_waves;
	  if (g->state[i] == READY)
	    busy = run_wave (g, i, 1 + (next_random (&g->random) >> 33) % budget, failed) || busy;
	}
      /* By chance only those were taken that wait.  */
      if (!busy)
	for (unsigned i = 0; i < g->num_waves && !*failed; i++)
	  if (g->state[i] == READY)
	    busy = run_wave (g, i, budget, failed) || busy;
      return busy;
    }
  unsigned victim = g->victim;
  for (unsigned i = g->num_waves; i-- > 0 && !*failed;)
    if (i != victim && g->state[i] == READY)
      busy = run_wave (g, i, 16 * budget, failed) || busy;
  if (!*failed && g->victim == victim && g->state[victim] == READY
      && (!busy || ++g->starved > FAIR_AFTER))
    {
      g->starved = 0;
      busy = run_wave (g, victim, budget, failed) || busy;
    }
  else if (g->state[g->victim] == ENDED)
    g->victim = (g->victim + 1) % g->num_waves;
  return busy;
}

static unsigned long
instructions_of (const struct group *g)
{
  unsigned long n = 0;
  for (unsigned i = 0; i < g->num_waves; i++)
    n += g->waves[i].executed;
  return n;
}

/* ---- threads ---- */

/* Take D off the list if nothing of it is left; the caller tells its queue.  With the lock.  */
static bool
is_over (struct dispatch *d)
{
  if (d->running != 0 || (!d->abandoned && d->finished != d->num_groups))
    return false;
  struct dispatch **p = &dispatches;
  while (*p != NULL && *p != d)
    p = &(*p)->next;
  if (*p == NULL)
    return false;
  *p = d->next;
  if (d->next == NULL)
    dispatches_tail = p;
  return true;
}

static void
end_group (struct group *g, bool whole)
{
  struct dispatch *d = g->d;
  d->instructions += instructions_of (g);
  if (whole)
    d->finished++;
  d->running--;
  waves_in[d->gpu] -= d->waves_per_group;
  lds_in[d->gpu] -= d->packet.group_segment_size;
  num_resident--;
  if (g->asleep)
    num_asleep--;
  if (d->slot_used != NULL)
    d->slot_used[g->scratch_slot] = 0;
  g->next = free_groups;
  free_groups = g;
}

/* The next resident group to run, or NULL.  With the lock.  */
static struct group *
take_group (uint64_t *random)
{
  struct group **p = &resident;
  unsigned n = 0, k;
  if (resident == NULL)
    return NULL;
  if (order == RANDOM)
    {
      for (struct group *g = resident; g != NULL; g = g->next)
	n++;
      for (k = (unsigned) (next_random (random) >> 33) % n; k > 0; k--)
	p = &(*p)->next;
    }
  struct group *g = *p;
  *p = g->next;
  if (*p == NULL)
    resident_tail = p;
  return g;
}

static void
put_back (struct group *g)
{
  g->next = NULL;
  *resident_tail = g;
  resident_tail = &g->next;
}

static void
nap (unsigned *naps)
{
  /* Longer and longer.  */
  long ns = *naps < 20 ? 0 : *naps < 200 ? 5000 : LONGEST_NAP;
  struct timespec ts = { 0, ns };
  ++*naps;
  if (ns != 0)
    nanosleep (&ts, NULL);
  else
    sched_yield ();
}

/* Tell about a dispatch that takes long.  The group is the thread's.  */
static void
tell_if_stuck (struct group *g)
{
  struct dispatch *d = g->d;
  if (stuck_after == 0 || d->told || hsa_now () - d->began < stuck_after * 1000000000u)
    return;
  pthread_mutex_lock (&pool_lock);
  bool told = d->told;
  d->told = true;
  pthread_mutex_unlock (&pool_lock);
  if (told)
    return;
  fprintf (stderr, "gcn-sim: note: kernel %s runs for %lu s; group (%lu,%lu,%lu):\n", d->name,
	   stuck_after, (unsigned long) g->id[0], (unsigned long) g->id[1],
	   (unsigned long) g->id[2]);
  for (unsigned i = 0; i < g->num_waves; i++)
    report_where (d, &g->waves[i], g->state[i] == ENDED ? "has ended"
		  : g->state[i] == AT_BARRIER ? "at a barrier"
		  : g->waves[i].stop == SIM_SLEEP ? "sleeps" : "runs");
}

static void *
serve (void *arg)
{
  uint64_t random = seed * 2 + 1 + (uintptr_t) arg * 2;
  unsigned naps = 0;
  pthread_mutex_lock (&pool_lock);
  for (;;)
    {
      bool failed = false, busy = true;
      struct group *g = start_group ();
      if (g != NULL)
	{
	  pthread_mutex_unlock (&pool_lock);
	  if (!prepare_group (g))
	    {
	      g->waves[0].stop = SIM_FAULT;
	      fail_group (g, &g->waves[0], HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
	      failed = true;
	    }
	}
      else
	{
	  g = take_group (&random);
	  if (g == NULL)
	    {
	      pthread_cond_wait (&work, &pool_lock);
	      continue;
	    }
	  failed = g->d->abandoned;
	  pthread_mutex_unlock (&pool_lock);
	}
      if (!failed)
	busy = run_turn (g, &failed);
      if (!failed && !busy)
	{
	  tell_if_stuck (g);
	  if (sleep_us != 0)
	    usleep (sleep_us);
	}
      pthread_mutex_lock (&pool_lock);
      struct dispatch *d = g->d;
      if (failed || g->live == 0)
	{
	  naps = 0;
	  end_group (g, !failed);
	  pthread_cond_broadcast (&work);
	  if (is_over (d))
	    {
	      pthread_mutex_unlock (&pool_lock);
	      queue_finished (d);
	      pthread_mutex_lock (&pool_lock);
	      pthread_cond_broadcast (&gone);
	    }
	  continue;
	}
      if (g->asleep == busy)
	{
	  g->asleep = !busy;
	  num_asleep += g->asleep ? 1 : -1u;
	}
      put_back (g);
      if (busy)
	naps = 0;
      else if (num_asleep == num_resident)
	{
	  pthread_mutex_unlock (&pool_lock);
	  nap (&naps);
	  pthread_mutex_lock (&pool_lock);
	}
    }
  return NULL;
}

static void
start_pool (void)
{
  const char *text = getenv ("GCN_SIM_ORDER");
  unsigned long threads = hsa_setting ("GCN_SIM_THREADS", 2);
  budget = hsa_setting ("GCN_SIM_BUDGET", 2000);
  stuck_after = hsa_setting ("GCN_SIM_STUCK", 0);
  sleep_us = hsa_setting ("GCN_SIM_SLEEP", 0);
  if (budget == 0)
    budget = 1;
  if (text == NULL || *text == 0 || strcmp (text, "inorder") == 0)
    order = IN_ORDER;
  else if (strncmp (text, "random", 6) == 0 && (text[6] == 0 || text[6] == ':'))
    {
      order = RANDOM;
      seed = text[6] == ':' ? strtoul (text + 7, NULL, 0) : 1;
    }
  else if (strcmp (text, "adversarial") == 0)
    order = ADVERSARIAL;
  else
    hsa_misuse ("GCN_SIM_ORDER=%s", text);
  pthread_cond_init (&work, NULL);
  pthread_cond_init (&gone, NULL);
  for (uintptr_t i = 0; i < (threads == 0 ? 1 : threads); i++)
    {
      pthread_t thread;
      if (pthread_create (&thread, NULL, serve, (void *) i) != 0)
	abort ();
      pthread_detach (thread);
    }
}

void
dispatch_submit (struct dispatch *d)
{
  pthread_mutex_lock (&pool_lock);
  if (!pool_started)
    start_pool ();
  pool_started = true;
  d->next = NULL;
  *dispatches_tail = d;
  dispatches_tail = &d->next;
  pthread_cond_broadcast (&work);
  pthread_mutex_unlock (&pool_lock);
}

void
dispatch_abandon (struct queue *q)
{
  pthread_mutex_lock (&pool_lock);
  for (;;)
    {
      struct dispatch *mine = NULL;
      for (struct dispatch *d = dispatches; d != NULL; d = d->next)
	if (d->queue == q)
	  {
	    d->abandoned = true;
	    mine = d->running == 0 ? d : mine;
	  }
      if (mine != NULL && is_over (mine))
	{
	  pthread_mutex_unlock (&pool_lock);
	  queue_finished (mine);
	  pthread_mutex_lock (&pool_lock);
	  continue;
	}
      bool any = false;
      for (struct dispatch *d = dispatches; d != NULL; d = d->next)
	any = any || d->queue == q;
      if (!any)
	break;
      pthread_cond_wait (&gone, &pool_lock);
    }
  pthread_mutex_unlock (&pool_lock);
}
