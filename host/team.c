/* team.c -- initial threads, pools of helper threads, the start and the end of regions.

   team.h has the life of a helper and the invariants.  The path of a region that has the
   size of the one before is: gomp_team_size, gomp_team_prepare (compares, writes nothing the
   helpers have in their caches), gomp_team_launch (one line written: the dock), fn,
   gomp_team_join (one word read).  No lock, no allocation, no system call while nobody
   sleeps.

   How long threads look before they sleep.  gomp_busy_helpers counts the helpers that
   regions use now; those of a thread's outermost regions stay counted between regions, since
   they wait for the next one.  A team that makes more threads than there are processors gets
   the throttled count.  */

#include "host/affinity-fmt.h"
#include "host/allocator.h"
#include "host/cancel.h"
#include "host/ompt.h"
#include "host/affinity.h"
#include "host/places.h"
#include "host/reduction.h"
#include "host/spare-pools.h"
#include "host/task.h"
#include "host/team.h"
#include "host/worker.h"
#include "config/linux/futex.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

/* All the thread-local storage that there is (thread-own.h).  In this order: the compiler turns it
   round and aligns the large one, which then leaves no gap.  libgomp.abi/dynamic.sh looks.  */
__thread struct gomp_own *gomp_own_block __attribute__ ((tls_model ("initial-exec")));
/* Ready for the next regions of one thread that the calling thread starts.  */
__thread struct gomp_solo *gomp_free_solos __attribute__ ((tls_model ("initial-exec")));
__thread struct gomp_thread gomp_tls __attribute__ ((tls_model ("initial-exec")));

/* Written when a team's size changes or a nested region begins or ends, read at every fork.  */
static GOMP_NO_SHARING _Atomic (unsigned) gomp_busy_helpers;

/* Runs release_initial when a thread that is no helper ends.  */
static pthread_key_t initial_key;

/* In a child that was forked inside of a region.  */
static bool forked_in_region;
static void leave_alone (struct gomp_thread *);

_Static_assert (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
		"the kernel looks at the first half of the dock's word");

/* OMP_DISPLAY_AFFINITY: THR is about to start a region with N threads of POOL, which has no
   part in a team of one; MOVED: a thread gets another place than it had.  Of teams of one only
   the first one of a thread that it binds is shown.  */
static void __attribute__ ((cold))
display_affinity (struct gomp_thread *thr, struct gomp_thread_pool *pool, unsigned n, bool moved)
{
  unsigned level = thr->level + 1;
  bool wanted = n > 1 && gomp_display_affinity_wanted (level, n);
  if (!wanted && !moved)
    return;
  for (unsigned i = 0; i < n; i++)
    {
      unsigned place = GOMP_NO_PLACE;
      if (gomp_global_icvs.bound)
	place = i == 0 ? gomp_bound_place () - 1 : pool->slots[i]->seat.place;
      gomp_display_affinity_line (i, n, level, thr->thread_num,
				  i == 0 ? pthread_self () : pool->slots[i]->thread, place);
    }
}

/* ---- Teams of one ---- */

/* What the members of a team at LEVEL inherit.  */
static inline void
derive_icvs (struct gomp_icvs *icvs, const struct gomp_icvs *from, unsigned level,
	     unsigned flags)
{
  const struct gomp_global_icvs *global = &gomp_global_icvs;
  *icvs = *from;
  if ((flags & 7) != 0 && from->bind != GOMP_BIND_FALSE)
    icvs->bind = flags & 7;
  if (gomp_unlikely (level < global->nthreads_list_len))
    icvs->nthreads = global->nthreads_list[level];
  if (gomp_unlikely (level < global->bind_list_len && from->bind != GOMP_BIND_FALSE))
    icvs->bind = global->bind_list[level];
}

static struct gomp_solo * GOMP_STARTUP __attribute__ ((cold, noinline))
new_solo (void)
{
  struct gomp_solo *solo = gomp_aligned_alloc (_Alignof (struct gomp_solo), sizeof (*solo));
  memset (solo, 0, sizeof (*solo));
  solo->team.nthreads = 1;
  solo->team.solo_ws = &solo->ws;
  gomp_task_init_implicit (&solo->task, &solo->team);
  gomp_work_init_solo (&solo->ws);
  return solo;
}

static inline struct gomp_solo *
take_solo (void)
{
  struct gomp_solo *solo = gomp_free_solos;
  if (gomp_unlikely (solo == NULL))
    return new_solo ();
  gomp_free_solos = solo->next;
  return solo;
}

/* Its region is over: as new, but for what the next one writes anyway.  Mostly it is already, so
   there is nothing to write.  */
static inline void __attribute__ ((always_inline))
clean_solo (struct gomp_thread *thr, struct gomp_solo *solo)
{
  struct gomp_task *task = &solo->task;
  if (gomp_unlikely (gomp_task_has_children (task)))
    gomp_task_finish_children (thr);
  gomp_depend_end_implicit (task);
  if (gomp_unlikely (task->children.created != 0))
    gomp_children_init (&task->children);
  if (gomp_unlikely (task->data_regions != NULL))
    task->data_regions = NULL;
  if (gomp_unlikely (task->ompt != NULL))
    task->ompt = NULL;
  if (gomp_unlikely (solo->team.ompt != NULL))
    solo->team.ompt = NULL;
  if (gomp_unlikely (solo->team.tasks.heap != NULL))
    gomp_task_shared_free (&solo->team.tasks);
  if (gomp_unlikely (solo->team.reductions != NULL))
    solo->team.reductions = NULL;
  if (gomp_cancel_on ())
    {
      gomp_store_relaxed (&solo->team.xcancelled, false);	/* not shared any more */
      gomp_store_relaxed (&solo->team.xcancelled_ws, 0);	/* as above */
    }
  if (gomp_unlikely (solo->ws.mem != NULL))
    gomp_work_drop_memory (&solo->ws);
  if (solo->ws.kind != GOMP_WORK_NONE)
    gomp_work_init_solo (&solo->ws);
}

void
gomp_solo_clean (struct gomp_thread *thr, struct gomp_solo *solo)
{
  clean_solo (thr, solo);
}

static inline void __attribute__ ((always_inline))
give_solo (struct gomp_thread *thr, struct gomp_solo *solo)
{
  clean_solo (thr, solo);
  solo->next = gomp_free_solos;
  gomp_free_solos = solo;
}

/* The calling thread ends.  */
static void
free_all_solos (void)
{
  for (struct gomp_solo *solo; (solo = gomp_free_solos) != NULL; free (solo))
    gomp_free_solos = solo->next;
}

/* The calling thread becomes the only member of SOLO, whose team is filled in except for these
   numbers, and so are the ICVs.  */
static inline void __attribute__ ((always_inline))
enter_solo (struct gomp_thread *thr, struct gomp_solo *solo, unsigned level,
	    unsigned active_level, unsigned team_num, unsigned num_teams_minus_1)
{
  solo->team.level = level;
  solo->team.active_level = active_level;
  solo->team.team_num = team_num;
  solo->team.num_teams_minus_1 = num_teams_minus_1;

  thr->thread_num = 0;
  thr->nthreads_minus_1 = thr->lost = 0;
  thr->team = &solo->team;
  thr->task = &solo->task;
  thr->level = level;
  thr->active_level = active_level;
  thr->team_num = team_num;
  thr->num_teams_minus_1 = num_teams_minus_1;
  thr->slot = NULL;
  thr->ws = &solo->ws;
  thr->singles = thr->singles_seen = 0;
  thr->static_trip = 0;
  thr->ticket = GOMP_NO_TICKET;
}

struct gomp_solo *
gomp_solo_begin (struct gomp_thread *thr, unsigned flags)
{
  if (gomp_unlikely (gomp_global_icvs.bound && gomp_bind_initial ()
		     && gomp_global_icvs.display_affinity))
    display_affinity (thr, NULL, 1, true);
  struct gomp_solo *solo = take_solo ();
  struct gomp_team *team = &solo->team;
  unsigned level = thr->level + 1;
  team->master_num = thr->thread_num;
  team->parent = thr->team;
  team->parent_task = solo->task.parent = thr->task;
  team->group = thr->team->group;
  derive_icvs (&solo->task.icvs, &thr->task->icvs, level, flags);
  enter_solo (thr, solo, level, thr->active_level, thr->team_num, thr->num_teams_minus_1);
  return solo;
}

static inline void __attribute__ ((always_inline))
leave_solo (struct gomp_thread *thr, struct gomp_solo *solo, const struct gomp_thread *saved)
{
  /* A pool that came into being inside stays: it is for the next region of this thread.  */
  struct gomp_thread_pool *pool = thr->pool;
  give_solo (thr, solo);
  *thr = *saved;
  /* Only if it changes: the next region copies THR, and a copy has to wait for a part that has just
     been stored.  */
  if (gomp_unlikely (saved->pool != pool))
    thr->pool = pool;
  if (gomp_unlikely (forked_in_region))
    leave_alone (thr);
}

void
gomp_solo_end (struct gomp_thread *thr, struct gomp_solo *solo, const struct gomp_thread *saved)
{
  leave_solo (thr, solo, saved);
}

/* ---- Initial threads ---- */

/* The calling thread becomes an initial one; the team it is in stays its team's parent.  */
static inline struct gomp_solo * __attribute__ ((always_inline))
enter_initial (struct gomp_thread *thr, const struct gomp_icvs *icvs, unsigned team_num,
	       unsigned num_teams)
{
  struct gomp_solo *solo = take_solo ();
  struct gomp_team *team = &solo->team;
  team->master_num = thr->thread_num;
  team->parent = thr->team;
  team->parent_task = solo->task.parent = NULL;
  team->group = &solo->group;
  gomp_store_relaxed (&solo->group.xhelpers, 0);	/* not shared yet */
  solo->task.icvs = *icvs;
  enter_solo (thr, solo, 0, 0, team_num, num_teams - 1);
  return solo;
}

struct gomp_thread * GOMP_STARTUP
gomp_thread_start (void)
{
  int saved = errno;
  struct gomp_solo *initial = enter_initial (&gomp_tls, &gomp_global_icvs.initial, 0, 1);
  gomp_tls.pool = NULL;
  gomp_tls.partition = (struct gomp_partition) { .first = 0, .count = gomp_places_count };
  struct gomp_own *own = gomp_own ();
  own->is_main = own->is_main_now = gettid () == getpid ();
  if (pthread_setspecific (initial_key, initial) == 0 && own->is_main)
    gomp_spare_allow (true);
  errno = saved;
  return &gomp_tls;
}

/* POOL's helpers wait in their dock, but other threads have work.  */
static inline void
stop_counting (struct gomp_thread_pool *pool)
{
  /* Relaxed: a statistic.  */
  gomp_add_relaxed (&gomp_busy_helpers, -pool->counted);
  pool->counted = 0;
}

void
gomp_run_as_team (gomp_fn fn, void *data, const struct gomp_icvs *icvs, unsigned team_num,
		  unsigned num_teams)
{
  struct gomp_thread *thr = gomp_self ();
  if (gomp_ompt_on ())
    gomp_ompt_self ();	/* before the state is saved */
  struct gomp_thread saved = *thr;

  /* thr->pool is the one that no region uses now: its helpers serve this initial task's
     regions as well as new threads would, and are there already.  */
  struct gomp_solo *initial = enter_initial (thr, icvs, team_num, num_teams);
  if (gomp_ompt_on ())
    gomp_ompt_run_initial (thr, fn, data);
  else
    fn (data);
  if (saved.level > 0 && thr->pool != NULL)
    stop_counting (thr->pool);
  leave_solo (thr, initial, &saved);
}

void
gomp_run_as_initial (gomp_fn fn, void *data, const struct gomp_icvs *icvs)
{
  gomp_run_as_team (fn, data, icvs, 0, 1);
}

/* ---- Helpers ---- */

static void release_pool (struct gomp_thread_pool *, bool join);
static void let_go_of_pool (struct gomp_thread_pool *);

/* Wait until the dock's word, without bit 0, is not SEEN; answers what it is.  */
static uint64_t
dock_wait (struct gomp_thread_pool *pool, uint64_t seen, uint64_t spins)
{
  uint64_t word;

  for (uint64_t i = 0; ; i++)
    {
      /* Acquire: the team and the rest of the dock.  */
      word = gomp_load_acquire (&pool->dock.xword) & ~(uint64_t) GOMP_WORD_SLEEPERS;
      if (word != seen)
	return word;
      if (!gomp_spin (i, spins))
	break;
    }

  for (;;)
    {
      /* Acquire: as above; bit 0 is said before sleeping.  */
      word = gomp_or_acq_rel (&pool->dock.xword, (uint64_t) GOMP_WORD_SLEEPERS);
      word &= ~(uint64_t) GOMP_WORD_SLEEPERS;
      if (word != seen)
	return word;	/* at worst a wake-up call for nobody follows */
      gomp_sleep_on ((gomp_word_t *) &pool->dock.xword, (uint32_t) seen | GOMP_WORD_SLEEPERS);
    }
}

/* The helper is not needed at present: wait until the team grows again or ends.  */
static void
reserve_wait (struct gomp_slot *slot)
{
  /* The master posts the dock first, xrecall then: one of the two is seen.  */
  uint32_t recall = gomp_load_acquire (&slot->xrecall) & ~GOMP_WORD_SLEEPERS;
  for (uint64_t i = 0; ; i++)
    {
      /* Acquire: as in dock_wait, which looks at the word again.  */
      uint64_t word
	= gomp_load_acquire (&slot->pool->dock.xword) & ~(uint64_t) GOMP_WORD_FLAGS;
      if (word != slot->seen)
	return;
      if (!gomp_spin (i, gomp_global_icvs.spin_count_throttled))
	break;
    }
  gomp_word_sleep (&slot->xrecall, recall);
}

/* THR, the calling thread, becomes the member of POOL's team whose place is SLOT.  */
static inline void
join_team (struct gomp_thread *thr, struct gomp_thread_pool *pool, struct gomp_slot *slot)
{
  struct gomp_team *team = &pool->team;

  thr->thread_num = slot->num;
  thr->nthreads_minus_1 = team->nthreads - 1;
  thr->lost = 0;
  thr->team = team;
  thr->task = &slot->task;
  thr->level = team->level;
  thr->active_level = team->active_level;
  thr->team_num = team->team_num;
  thr->num_teams_minus_1 = team->num_teams_minus_1;
  thr->slot = slot;
  thr->ws = pool->dock.first_ws;
  slot->ws_number = pool->dock.first_number;
  thr->singles = thr->singles_seen = 0;
  thr->static_trip = 0;
  thr->ticket = GOMP_NO_TICKET;
  slot->ws_passed = pool->dock.passed;
  slot->task.parent = team->parent_task;
  slot->task.icvs = team->icvs;
  slot->task.data_regions = NULL;
  slot->task.ompt = NULL;
  slot->tasks.siblings = pool->slots;
  gomp_take_seat (thr, slot);
}

/* Where there are more threads than that for each processor those who wait sleep soon: until all
   others have run takes longer than being woken, and each would yield to each other one.  */
#define LARGE_CROWD 256
#define LARGE_CROWD_SPINS (GOMP_SPIN_TURNS / 2)

/* How often to look before sleeping, with more threads than processors.  */
static uint64_t
crowded_spins (void)
{
  const struct gomp_global_icvs *g = &gomp_global_icvs;
  /* Relaxed: a statistic.  */
  if (gomp_likely (gomp_load_relaxed (&gomp_busy_helpers) / LARGE_CROWD < g->available_cpus)
      || g->wait_policy == GOMP_WAIT_ACTIVE || g->spin_count_throttled < LARGE_CROWD_SPINS)
    return g->spin_count_throttled;
  return LARGE_CROWD_SPINS;
}

/* One region as a member; answers how long to look for the next one.  */
static uint64_t
helper_run (struct gomp_thread *thr, struct gomp_slot *slot)
{
  struct gomp_thread_pool *pool = slot->pool;
  struct gomp_team *team = &pool->team;

  join_team (thr, pool, slot);

  uint64_t spins = team->spins;
  pool->dock.fn (pool->dock.data);
  if (gomp_unlikely (gomp_task_has_children (&slot->task)))
    gomp_task_finish_children (thr);
  if (gomp_unlikely (pool->dead))
    return spins;
  gomp_depend_end_implicit (&slot->task);
  gomp_team_arrive (thr, pool);
  return spins;
}

static void * GOMP_HOT
helper_main (void *arg)
{
  struct gomp_slot *slot = arg;
  struct gomp_thread_pool *pool = slot->pool;
  struct gomp_thread *thr = &gomp_tls;
  uint64_t spins = crowded_spins ();

  gomp_store_relaxed (&slot->xthread, thr);	/* an address, and none who reads it follows it */
  if (gomp_own_block == NULL)
    gomp_own_block = &slot->own;
  gomp_spin_expect_switch ();
  if (gomp_unlikely (gomp_worker.active))
    gomp_worker_helper_start ();
  if (gomp_ompt_on ())
    gomp_ompt_helper_begin (thr);
  for (;;)
    {
      uint64_t word = dock_wait (pool, slot->seen, spins) & ~(uint64_t) GOMP_WORD_TASKS;
      bool tasks = word == slot->seen;	/* of the region that it comes from */
      uint64_t size = word >> 32;
      slot->seen = word;
      if (size == 0)
	break;
      if (slot->num >= size)
	reserve_wait (slot);
      else if (tasks)
	gomp_task_help_docked (thr, spins);
      else
	{
	  spins = helper_run (thr, slot);
	  /* Forked in the region: with its last thread the process ends, as for any thread.  */
	  if (gomp_unlikely (pool->dead))
	    break;
	}
    }

  /* Helpers that this one has for nested regions.  */
  if (thr->pool != NULL)
    release_pool (thr->pool, true);
  if (gomp_unlikely (gomp_own_now ()->ompt != NULL))
    gomp_ompt_thread_end (thr);
  /* What the thread's own destructors call, they call as an initial thread.  */
  memset (thr, 0, sizeof (*thr));
  gomp_task_thread_end ();
  free_all_solos ();
  gomp_own_block = NULL;	/* its memory is the pool's */
  let_go_of_pool (pool);
  return NULL;
}

/* ---- Pools ---- */

static struct gomp_thread_pool * GOMP_STARTUP
new_pool (void)
{
  struct gomp_thread_pool *pool
    = gomp_aligned_alloc (_Alignof (struct gomp_thread_pool), sizeof (*pool));
  memset (pool, 0, sizeof (*pool));
  gomp_barrier_init (&pool->bar);
  pool->active = 1;
  gomp_store_relaxed (&pool->xrefs, 1);	/* not shared yet */
  gomp_store_relaxed (&pool->dock.xword, UINT64_C (1) << 32);
  return pool;
}

static void
free_pool (struct gomp_thread_pool *pool)
{
  for (unsigned i = 0; i < pool->nslots; i++)
    {
      gomp_work_free_all (pool->slots[i]);
      gomp_task_slot_free (pool->slots[i]);
      free (pool->slots[i]);
    }
  gomp_doacross_free_all (pool);
  gomp_task_shared_free (&pool->team.tasks);
  struct gomp_slot **array = pool->slots;
  for (unsigned capacity = pool->capacity; array != NULL; capacity /= 2)
    {
      struct gomp_slot **older = (void *) array[capacity];
      free (array);
      array = older;
    }
  free (pool);
}

static void
let_go_of_pool (struct gomp_thread_pool *pool)
{
  /* Acquire and release: whoever frees comes after all that the others did.  */
  if (gomp_sub_acq_rel (&pool->xrefs, 1) == 1)
    free_pool (pool);
}

void
gomp_pool_hold (struct gomp_thread_pool *pool)
{
  gomp_add_relaxed (&pool->xrefs, 1);	/* somebody holds one: it cannot drop to zero */
}

void
gomp_pool_let_go (struct gomp_thread_pool *pool)
{
  let_go_of_pool (pool);
}

/* Write the dock's word for a region of SIZE threads, or for the end if SIZE is 0.  */
static inline void
post_dock (struct gomp_thread_pool *pool, unsigned size)
{
  /* Relaxed: only this thread changes the value.  */
  uint64_t word = gomp_load_relaxed (&pool->dock.xword);
  uint32_t generation = ((uint32_t) word & ~GOMP_WORD_FLAGS) + 4;
  /* Release: the team and the rest of the dock.  */
  word = gomp_swap_release (&pool->dock.xword, (uint64_t) size << 32 | generation);
  if (gomp_unlikely (word & GOMP_WORD_SLEEPERS))
    gomp_word_wake ((gomp_word_t *) &pool->dock.xword);
  if (gomp_unlikely (word & GOMP_WORD_TASKS))
    gomp_task_wake_all (pool);
}

static void
recall (struct gomp_slot *slot)
{
  uint32_t now = gomp_load_relaxed (&slot->xrecall) & ~GOMP_WORD_SLEEPERS;
  gomp_word_post (&slot->xrecall, now + 2);
}

/* Pools whose threads are in another process: never freed.  */
static struct gomp_thread_pool *buried;

/* Let all helpers end and forget the pool, and those inside it; JOIN: come back when the
   threads are gone.  */
static void
release_pool (struct gomp_thread_pool *pool, bool join)
{
  if (pool->inner != NULL)
    release_pool (pool->inner, join);
  stop_counting (pool);
  if (pool->dead)
    {
      /* Its threads were stopped anywhere, also between two halves of a change.  */
      pool->next_spare = buried;
      buried = pool;
      return;
    }
  post_dock (pool, 0);
  for (unsigned i = pool->active; i < pool->nslots; i++)
    recall (pool->slots[i]);
  for (unsigned i = 1; i < pool->nslots; i++)
    if (join)
      pthread_join (pool->slots[i]->thread, NULL);
    else
      pthread_detach (pool->slots[i]->thread);
  let_go_of_pool (pool);
}

static void GOMP_STARTUP
new_slot (struct gomp_thread_pool *pool)
{
  if (pool->nslots == pool->capacity)
    {
      /* Docked helpers may be looking at the old array (host/task.h): it stays.  */
      struct gomp_slot **old = pool->slots;
      unsigned capacity = pool->capacity ? 2 * pool->capacity : 16;
      /* Its last word leads to the old one: whoever looks for leaks knows a block by its start.  */
      pool->slots = gomp_calloc (capacity + 1, sizeof (*old));
      if (old != NULL)
	memcpy (pool->slots, old, pool->nslots * sizeof (*old));
      pool->slots[capacity] = (void *) old;
      pool->capacity = capacity;
    }
  struct gomp_slot *slot = gomp_aligned_alloc (_Alignof (struct gomp_slot), sizeof (*slot));
  memset (slot, 0, sizeof (*slot));
  slot->pool = pool;
  slot->num = pool->nslots;
  slot->seen = gomp_load_relaxed (&pool->dock.xword) & ~(uint64_t) GOMP_WORD_FLAGS;
  gomp_task_slot_init (slot);
  slot->seat.place = GOMP_NO_PLACE;
  pool->slots[pool->nslots++] = slot;
}

/* Create a thread that runs MAIN.  Answers like pthread_create.  */
static int GOMP_STARTUP __attribute__ ((cold))
create_thread (pthread_t *thread, void *(*main) (void *), void *arg)
{
  pthread_attr_t with_size, *attr = NULL;

  if (gomp_global_icvs.stack_size != 0)
    {
      attr = &with_size;
      pthread_attr_init (attr);
      pthread_attr_setstacksize (attr, gomp_global_icvs.stack_size);
    }
  int error = pthread_create (thread, attr, main, arg);
  if (attr != NULL)
    pthread_attr_destroy (attr);
  return error;
}

static void __attribute__ ((noreturn, cold, noinline))
no_thread (int error)
{
  if (gomp_global_icvs.stack_size != 0)
    gomp_fatal ("Thread creation failed: %s (with a stack of %luk, as OMP_STACKSIZE says)",
		strerror (error), (unsigned long) gomp_global_icvs.stack_size / 1024);
  gomp_fatal ("Thread creation failed: %s", strerror (error));
}

/* The first helper of a process: it takes longer to come to its first instruction than the main thread takes to
   make what it works on, which touches new pages.  So it is created before, and waits for its slot.  Only the
   main thread's: a process begins with that.  */
static struct
{
  bool created;			/* the main thread's */
  pthread_t thread;
  _Atomic (struct gomp_slot *) xslot;	/* NULL: it waits for that */
  GOMP_NO_SHARING struct gomp_own own;
} first_helper GOMP_RARE;

static void * GOMP_STARTUP
first_helper_main (void *arg)
{
  struct gomp_slot *slot;
  (void) arg;
  gomp_own_block = &first_helper.own;
  /* Acquire: the slot, and its pool.  */
  for (uint64_t i = 0; (slot = gomp_load_acquire (&first_helper.xslot)) == NULL; i++)
    gomp_spin_pause (i);
  return helper_main (slot);
}

/* Since 2.39 the GNU C library's start of a thread writes a text with its number, whether it is wanted or not.  This
   function is as old; asking for the version takes longer.  */
extern const char names_stacks[] __asm__ ("pidfd_spawn") __attribute__ ((weak));

/* The thread would find none of the pages that this takes, and the main thread has nothing to do until it comes.  */
static void GOMP_STARTUP __attribute__ ((noinline))
touch_printf (void)
{
  char text[32];
  snprintf (text, sizeof (text), "%lu", (unsigned long) &first_helper);
  __asm__ volatile ("" : : "r" (text) : "memory");
}

static void GOMP_STARTUP
create_first_helper (void)
{
  int saved = errno;
  int error = create_thread (&first_helper.thread, first_helper_main, NULL);
  if (error != 0)
    no_thread (error);
  first_helper.created = true;
  if (names_stacks != NULL)
    touch_printf ();
  errno = saved;
}

/* Create the helpers that a team of N needs and POOL does not have.  */
static void GOMP_STARTUP __attribute__ ((cold))
add_helpers (struct gomp_thread_pool *pool, unsigned n)
{
  int saved = errno;

  if (pool->nslots == 0)
    {
      new_slot (pool);		/* the master's */
      gomp_store_relaxed (&pool->slots[0]->xthread, &gomp_tls);	/* as in helper_main */
      /* What the main thread has is never spare: most processes need not ask.  */
      pool->uniform = !gomp_own ()->is_main;
      if (pool->uniform)
	gomp_heritage_get (&pool->heritage);
    }
  else if (pool->uniform)
    {
      struct gomp_heritage heritage;
      gomp_heritage_get (&heritage);
      pool->uniform = gomp_heritage_same (&pool->heritage, &heritage);
    }
  if (pool->last_ws == NULL)	/* also when there was no memory for it the first time */
    pool->last_ws = gomp_work_new_root (pool->slots[0]);
  while (pool->nslots < n)
    {
      new_slot (pool);
      struct gomp_slot *slot = pool->slots[pool->nslots - 1];
      gomp_add_relaxed (&pool->xrefs, 1);	/* this thread holds one: it cannot drop to zero */
      /* Relaxed: this thread alone changes it.  */
      if (gomp_own ()->is_main && first_helper.created
	  && gomp_load_relaxed (&first_helper.xslot) == NULL)
	{
	  slot->thread = first_helper.thread;
	  /* Release: the slot, and its pool.  */
	  gomp_store_release (&first_helper.xslot, slot);
	  continue;
	}
      int error = create_thread (&slot->thread, helper_main, slot);
      if (error != 0)
	{
	  /* Handlers of atexit may start regions with those that there are.  */
	  pool->nslots--;
	  free (slot);
	  gomp_sub_acq_rel (&pool->xrefs, 1);	/* as above */
	  no_thread (error);
	}
    }
  gomp_spin_expect_switch ();
  errno = saved;
}

bool GOMP_STARTUP
gomp_team_crowded (void)
{
  /* Relaxed: a statistic.  */
  return gomp_load_relaxed (&gomp_busy_helpers) + 1 > gomp_global_icvs.available_cpus;
}

/* Threads that look so often before they sleep gather by lines (gather.c): who gathers pays a system
   call to sleep, and interrupts the others.  */
#define LINES_SPINS 10000

/* Write only what changes: helpers keep the line in their caches.  */
#define UPDATE(field, value)						\
  do									\
    {									\
      __auto_type update_value = (value);				\
      if ((field) != update_value)					\
	(field) = update_value;						\
    }									\
  while (0)

static inline bool
same_icvs (const struct gomp_icvs *a, const struct gomp_icvs *b)
{
  return a->nthreads == b->nthreads && a->thread_limit == b->thread_limit
	 && a->default_device == b->default_device && a->run_sched == b->run_sched
	 && a->run_sched_chunk == b->run_sched_chunk
	 && a->max_active_levels == b->max_active_levels && a->bind == b->bind
	 && a->dyn == b->dyn && a->default_device_unset == b->default_device_unset
	 && a->allocator == b->allocator;
}

struct gomp_thread_pool * GOMP_HOT
gomp_team_prepare (struct gomp_thread *thr, unsigned n, unsigned flags)
{
  struct gomp_thread_pool *pool = thr->pool;
  struct gomp_icvs icvs;

  if (gomp_unlikely (pool == NULL || pool->dead))
    {
      if (pool != NULL)
	release_pool (pool, false);
      pool = thr->level == 0 ? gomp_spare_take () : NULL;
      if (pool == NULL && gomp_own ()->is_main && !first_helper.created)
	create_first_helper ();
      if (pool == NULL)
	pool = new_pool ();
      thr->pool = pool;
      if (pool->nslots != 0)
	gomp_store_relaxed (&pool->slots[0]->xthread, thr);	/* as in helper_main */
    }
  if (gomp_unlikely (pool->counted != n - 1))
    {
      /* Before there are new ones, which wait at once.  Relaxed: a statistic.  */
      gomp_add_relaxed (&gomp_busy_helpers, n - 1 - pool->counted);
      pool->counted = n - 1;
    }
  if (gomp_unlikely (pool->nslots < n))
    add_helpers (pool, n);

  bool moved = gomp_unlikely (gomp_global_icvs.bound) && gomp_seat_team (thr, pool, n, flags);
  struct gomp_team *team = &pool->team;
  UPDATE (team->nthreads, n);
  UPDATE (team->level, thr->level + 1);
  UPDATE (team->active_level, thr->active_level + 1);
  UPDATE (team->team_num, thr->team_num);
  UPDATE (team->num_teams_minus_1, thr->num_teams_minus_1);
  UPDATE (team->master_num, thr->thread_num);
  UPDATE (team->parent, thr->team);
  UPDATE (team->parent_task, thr->task);
  UPDATE (team->group, thr->team->group);
  bool crowded = gomp_team_crowded () || pool->crowded;
  uint64_t spins = crowded ? crowded_spins () : gomp_global_icvs.spin_count;
  UPDATE (team->spins, spins);
  UPDATE (team->by_lines, !crowded && n > 2 && n <= GOMP_BAR_LINES && spins >= LINES_SPINS
			  && !gomp_machine_busy ());
  derive_icvs (&icvs, &thr->task->icvs, team->level, flags);
  if (gomp_unlikely (!same_icvs (&icvs, &team->icvs)))
    team->icvs = icvs;
  pool->reserved = thr->task->icvs.thread_limit != UINT_MAX ? n - 1 : 0;
  if (gomp_unlikely (gomp_global_icvs.display_affinity))
    display_affinity (thr, pool, n, moved);
  return pool;
}

void GOMP_HOT
gomp_team_launch (struct gomp_thread *thr, struct gomp_thread_pool *pool, gomp_fn fn, void *data,
		  const struct gomp_loop *loop)
{
  struct gomp_team *team = &pool->team;
  struct gomp_slot *slot = pool->slots[0];
  struct gomp_work_share *first_ws = pool->last_ws;
  uint64_t number = slot->ws_number;
  unsigned n = team->nthreads;

  slot->ws_passed = number;
  if (loop != NULL)
    {
      first_ws = gomp_work_new_at (slot);
      number++;
      gomp_loop_init (thr, first_ws, n, loop);
    }

  pool->dock.fn = fn;
  pool->dock.data = data;
  pool->dock.first_ws = first_ws;
  pool->dock.first_number = number;
  pool->dock.passed = slot->ws_passed;
  post_dock (pool, n);
  if (gomp_unlikely (pool->active != n))
    {
      for (unsigned i = pool->active; i < n; i++)
	recall (pool->slots[i]);
      pool->active = n;
    }

  join_team (thr, pool, slot);
  thr->pool = pool->inner;
}

void GOMP_HOT
gomp_team_join (struct gomp_thread *thr, const struct gomp_thread *saved)
{
  struct gomp_thread_pool *pool = gomp_team_pool (thr->team);

  if (gomp_likely (!pool->dead))
    {
      if (gomp_unlikely (gomp_task_has_children (thr->task)
			 || !gomp_team_gather (pool)))
	gomp_task_gather (thr);
      gomp_depend_end_implicit (thr->task);
      pool->last_ws = thr->ws;
      /* Relaxed: the next fork comes before anybody looks.  */
      if (thr->singles > 0)
	gomp_store_relaxed (&pool->xsingles, 0);
      if (gomp_unlikely (gomp_global_icvs.cancellation))
	gomp_cancel_end_region (pool);
      /* Relaxed: all threads have arrived.  */
      struct gomp_reduction_block *blocks = gomp_load_relaxed (&pool->xblocks_left);
      if (gomp_unlikely (blocks != NULL))
	{
	  gomp_reduction_free_left (blocks);
	  gomp_store_relaxed (&pool->xblocks_left, NULL);
	}
    }
  if (gomp_unlikely (pool->reserved != 0))
    /* Relaxed: only the number counts.  */
    gomp_add_relaxed (&pool->team.group->xhelpers, -pool->reserved);
  if (gomp_unlikely (saved->level > 0))
    stop_counting (pool);
  pool->inner = thr->pool;
  *thr = *saved;
  thr->pool = pool;
  if (gomp_unlikely (pool->dead))
    leave_alone (thr);
}

/* ---- How many threads ---- */

/* Take up to WANT more threads out of LIMIT for the contention group.  */
static unsigned
take_from_limit (struct gomp_group *group, unsigned want, unsigned limit)
{
  unsigned taken = gomp_load_relaxed (&group->xhelpers);
  unsigned got;
  /* Relaxed: only the number counts.  */
  do
    {
      unsigned left = taken + 1 < limit ? limit - 1 - taken : 0;
      got = want < left ? want : left;
    }
  while (got > 0 && !gomp_cas_weak_relaxed (&group->xhelpers, &taken, taken + got));
  return got;
}

/* dyn-var is set: not more threads than processors that no other team uses.  */
static unsigned __attribute__ ((cold))
adjusted_size (struct gomp_thread *thr, unsigned n, unsigned max_useful)
{
  unsigned own = thr->pool != NULL ? thr->pool->counted : 0;
  /* Relaxed: a statistic.  */
  unsigned others = gomp_load_relaxed (&gomp_busy_helpers) - own;
  unsigned cpus = gomp_global_icvs.available_cpus;
  unsigned limit = others + 1 < cpus ? cpus - others : 1;

  if (max_useful != 0 && max_useful < limit)
    limit = max_useful;
  return n < limit ? n : limit;
}

unsigned GOMP_HOT
gomp_team_size (struct gomp_thread *thr, unsigned request, unsigned max_useful)
{
  const struct gomp_icvs *icvs = &thr->task->icvs;

  if (request == 1 || thr->active_level >= icvs->max_active_levels)
    return 1;
  unsigned n = request != 0 ? request : icvs->nthreads;
  if (gomp_unlikely (icvs->dyn))
    n = adjusted_size (thr, n, max_useful);
  if (gomp_unlikely (icvs->thread_limit != UINT_MAX) && n > 1)
    n = 1 + take_from_limit (thr->team->group, n - 1, icvs->thread_limit);
  return n;
}

/* ---- The end of threads, fork ---- */

static void
release_spares (bool join)
{
  struct gomp_thread_pool *pool;
  while ((pool = gomp_spare_take_any ()) != NULL)
    release_pool (pool, join);
}

int
gomp_pause_host (void)
{
  struct gomp_thread *thr = gomp_self ();
  if (thr->level > 0)
    return -1;
  if (thr->pool != NULL)
    {
      release_pool (thr->pool, true);
      thr->pool = NULL;
    }
  release_spares (true);
  return 0;
}

/* An initial thread ends.  */
static void
release_initial (void *arg)
{
  struct gomp_thread *thr = &gomp_tls;
  if (thr->level > 0)
    return;			/* inside a region: others still use its team */
  if (gomp_target_active () || gomp_task_may_be_queued (thr))
    gomp_target_thread_end (thr);
  if (gomp_own ()->is_main_now)
    {
      /* The process ends with its last thread: helpers must not wait for ever.  */
      gomp_spare_allow (false);
      release_spares (false);
    }
  if (thr->pool != NULL)
    {
      stop_counting (thr->pool);
      if (!gomp_spare_give (thr->pool))
	release_pool (thr->pool, false);
    }
  if (gomp_own_now ()->ompt != NULL)
    gomp_ompt_thread_end (thr);
  gomp_depend_end_implicit (thr->task);
  memset (thr, 0, sizeof (*thr));
  struct gomp_solo *initial = arg;
  gomp_work_drop_memory (&initial->ws);
  gomp_task_thread_end ();
  free_all_solos ();
  /* Detached tasks may be left: whoever fulfils their events finds their parent.  */
  struct gomp_task *task = &initial->task;
  if (task->counter != &task->children || !gomp_children_finished (&task->children))
    return;
  gomp_task_shared_free (&initial->team.tasks);
  free (initial);
}

/* POOL and those inside it have lost their helpers.  */
static void
bury (struct gomp_thread_pool *pool)
{
  for (; pool != NULL; pool = pool->inner)
    {
      pool->dead = true;
      pool->counted = 0;
    }
}

/* THR, the calling thread, is the only one that is left of its team: from now on it is a team
   of one: it waits for nobody, executes each single construct and all blocks that nobody has taken.
   But the numbers that it sees stay, and so does its share of loops with static schedule: compilers
   know omp_get_thread_num and omp_get_num_threads as constant in a region, and use what they
   were before the fork.  Does nothing when the team is whole.  */
static void __attribute__ ((cold))
leave_alone (struct gomp_thread *thr)
{
  struct gomp_slot *slot = thr->slot;
  if (slot == NULL || !slot->pool->dead || thr->nthreads_minus_1 == 0)
    return;
  thr->lost = thr->nthreads_minus_1;
  thr->nthreads_minus_1 = 0;
  /* Nobody else looks at instances: each may be used again for the next one.  */
  slot->ws_passed = UINT64_MAX;
}

/* The locks of all threads that others may hold for a moment: the child gets them free.  */
static void
before_fork (void)
{
  gomp_spare_lock ();
  gomp_events_lock ();
  gomp_allocators_lock ();
  gomp_alloc_set_lock ();
  gomp_affinity_format_lock ();
}

static void
after_fork_in_parent (void)
{
  gomp_affinity_format_unlock ();
  gomp_alloc_set_unlock ();
  gomp_allocators_unlock ();
  gomp_events_unlock ();
  gomp_spare_unlock ();
}

/* In the child of a fork only the calling thread is left.  Its pools are without helpers:
   regions get new ones.  In a region that was running it goes on alone.  */
static void
after_fork_in_child (void)
{
  struct gomp_thread *thr = &gomp_tls;
  gomp_store_relaxed (&gomp_busy_helpers, 0);	/* nobody else is there */
  bury (thr->pool);
  /* NUM: its place in TEAM.  The teams around that of which it is a helper had other threads.  */
  unsigned num = thr->slot != NULL ? thr->slot->num : 0;
  for (struct gomp_team *team = thr->team; team != NULL; team = team->parent)
    {
      if (team->solo_ws == NULL)
	{
	  struct gomp_thread_pool *pool = gomp_team_pool (team);
	  pool->dead = true;
	  gomp_task_team_forked (pool, num);
	  pool->counted = pool->reserved = 0;
	  forked_in_region = true;
	}
      gomp_store_relaxed (&team->group->xhelpers, 0);	/* nobody else is there */
      if (num != 0)
	break;
      num = team->master_num;
    }
  if (forked_in_region)
    leave_alone (thr);

  gomp_atomic_forked ();
  after_fork_in_parent ();
  gomp_own ()->is_main_now = true;
  /* A helper does not tell when it ends.  */
  gomp_spare_allow (pthread_getspecific (initial_key) != NULL);
  struct gomp_thread_pool *spare;
  while ((spare = gomp_spare_take_any ()) != NULL)
    {
      bury (spare);
      release_pool (spare, false);
    }
}

void GOMP_STARTUP
gomp_team_init (void)
{
  gomp_own_init ();
  if (pthread_key_create (&initial_key, release_initial) != 0)
    gomp_fatal ("could not create thread pool destructor.");
  /* Without memory for the handler a child of fork can still run serial regions.  */
  (void) pthread_atfork (before_fork, after_fork_in_parent, after_fork_in_child);
}
