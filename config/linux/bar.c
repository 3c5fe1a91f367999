/* bar.c -- the slow halves of bar.h: sleeping, and spinning that takes long.

   Spinning for a thread that has no processor holds it up for a whole time slice, milliseconds.
   So who spins yields: after a few turns when the runtime has more threads than processors, or
   when the last yield of this thread took so long that another thread must have run, and after
   some microseconds in any case: alone on a processor a yield costs 0.3 us.

   Where other processes compute, too, a yield gives them a whole time slice, and spinning uses up
   one's own, so that the processor is not there when there is work.  A thread that loses its
   processor by a yield, for longer than threads of a team need it for each other, has met such a
   process, unless one of its own team is there: the kernel notes in the memory of each thread which
   processor it is on (rseq).  A few times in a short time are no chance.  From then on no thread of
   this process yields, and all sleep after some microseconds: who has slept is let in before who
   has computed.  That lasts for so many times what was lost that finding out anew, which costs as
   much again, does not count.  Where many yields before cost nothing it was not the yield: the
   process has used up its share, and gets another one whatever it does (autogroups, control
   groups).

   With more threads than processors a yield may take long because of threads of this process, and
   is the quickest way to wait for them.  That others have computed is proven when this process
   has used less processor time than one processor had: meanwhile something else was on the
   caller's.

   With OMP_WAIT_POLICY=passive nobody ever yields: a short spin, then sleep.  That others compute
   shows in wake-ups that are late.  Then threads of large teams sleep at once: spins are in vain
   unless all threads have processors at the same time, and who has spun is let in later.

   Who does not yield, but shares its processor with the awaited thread, or where that one has
   none, spins in vain.  After a few times it does so only now and then, and otherwise sleeps
   almost at once.  But who sleeps makes others wait for longer, so that they spin in vain, too:
   those spins are long enough for a thread that has to be woken.

   Threads of one team on the same processor hand it to each other by yielding, which the
   scheduler takes for two busy threads that it had better leave where their caches are: it does
   not part them, and every barrier costs two switches.  (Measured on two idle processors: 4 to 9
   us for whole rows of a benchmark, instead of 0.1.)  So a helper that keeps being switched away
   when it yields goes to another processor by itself, now and then, by taking its own out of its
   affinity mask for a moment, unless there are more threads than processors anyway.  */

#include "config/linux/bar.h"
#include "config/linux/futex.h"
#include "host/affinity.h"
#include "host/places.h"
#include "host/task.h"
#include "host/team.h"

#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

/* Yield at least every so many turns.  */
#define YIELD_TURNS 128
/* A yield that takes longer has let another thread run.  */
#define SWITCH_NS 1500
/* So many of them in a row, and so long after the last move.  */
#define SWITCHES 4
#define MOVE_PAUSE_NS 10000000
/* A thread that has no processor for so long has lost it to work, not to threads that wait.  */
#define LOST_NS 300000
/* But not by the yield, when so many before were short.  */
#define HARMLESS 32
/* So many in this time are no chance.  */
#define LOSSES 3
#define LOSSES_NS 100000000
/* With more threads than processors: this process has used less than so many eighths of a
   processor, or a quarter of all, since the last look, not longer ago than this, so many times in
   a row.  */
#define OWN_EIGHTHS 7
#define WINDOW_NS 50000000
#define LOOKS 2
/* Looking takes one in so many parts of the time at most.  */
#define LOOK_COST 50
/* Then none yields for so many times as long, within these bounds, ...  */
#define BUSY_FACTOR 50
#define BUSY_LEAST_NS 20000000
#define BUSY_MOST_NS 10000000000
/* ... and none spins for more turns; nor ever with a passive policy.  */
#define BUSY_TURNS 1000
#define PASSIVE_TURNS 488
/* Passive: a wake-up that is late is no cost, but a sign.  So many as above in this time are good for
   as long as that.  */
#define LOSSES_PASSIVE_NS 1000000000
#define BUSY_PASSIVE_NS 2000000000
#define WAKE_NS UINT64_C (10000)	/* waking one of many takes that at most, mostly a quarter */
/* A team of so many threads has its processors at once often enough, and spins.  */
#define SMALL_TEAM 4
/* A larger one does after so many wake-ups in a row that were not late.  */
#define PROMPT 200
/* After so many spins in vain only some are longer than the first look, at least one in so many,
   and they take so long.  */
#define VAIN 4
#define VAIN_INTERVAL 64
#define VAIN_TURNS GOMP_SPIN_PASSIVE
/* Crowded: one yield in so many is timed.  */
#define CLOCK_INTERVAL 4
/* Of struct rseq, linux/rseq.h: its cpu_id.  */
#define RSEQ_CPU 4
/* So many threads of a team are looked at.  */
#define MOST_SIBLINGS 64
/* Who cannot be woken sleeps so long.  */
#define NAP_NS 50000

/* Until when other processes are taken to compute.  Read by all who spin, written rarely.  */
static GOMP_NO_SHARING _Atomic (uint64_t) busy_until;

static void
leave_processor (void)
{
  int saved = errno, here = sched_getcpu ();
  unsigned bound = gomp_bound_place ();
  if (bound != 0 && CPU_COUNT_S (gomp_cpuset_size, gomp_places[bound - 1]) == 1)
    return;			/* there is nowhere to go */
  /* Of a bound thread: the CPUs of its place.  On the stack: a helper that allocates gets an
     arena of its own from malloc, which takes longer than all this.  */
  cpu_set_t small, *usable = &small;
  if (sched_getaffinity (0, sizeof (small), &small) != 0)
    usable = gomp_cpus_mask ();	/* there can be more CPUs */

  if (usable != NULL && here >= 0 && CPU_COUNT_S (gomp_cpuset_size, usable) > 1)
    {
      CPU_CLR_S (here, gomp_cpuset_size, usable);
      if (sched_setaffinity (0, gomp_cpuset_size, usable) == 0)
	{
	  CPU_SET_S (here, gomp_cpuset_size, usable);
	  sched_setaffinity (0, gomp_cpuset_size, usable);
	}
    }
  if (usable != &small)
    free (usable);
  errno = saved;
}

/* Others computed while the calling thread had no processor, from FROM to NOW, in nanoseconds.  It
   matters for LEAST at least.  */
static void __attribute__ ((noinline))
take_for_busy (uint64_t from, uint64_t now, uint64_t least)
{
  uint64_t pause = now - from < BUSY_MOST_NS / BUSY_FACTOR ? BUSY_FACTOR * (now - from)
		   : BUSY_MOST_NS;
  if (pause < least)
    pause = least;
  /* Relaxed: a hint, here and below.  */
  if (gomp_load_relaxed (&busy_until) < now + pause)
    gomp_store_relaxed (&busy_until, now + pause);
}

/* The calling thread had no processor until NOW.  Have threads of this process met that in the TIME
   before?  */
static bool __attribute__ ((noinline))
lost_again (uint64_t now, uint64_t time)
{
  static GOMP_NO_SHARING _Atomic (uint64_t) since;
  static _Atomic (unsigned) losses;
  unsigned n = 1;
  /* Relaxed: a hint.  */
  if (now - gomp_load_relaxed (&since) < time)
    n = gomp_load_relaxed (&losses) + 1;
  else
    gomp_store_relaxed (&since, now);
  gomp_store_relaxed (&losses, n);
  return n >= LOSSES;
}

/* The calling thread, one of more than there are processors, has had none from FROM to NOW.  Is
   it proven that others than threads of this process computed meanwhile?  */
static bool __attribute__ ((noinline))
lost_to_others (uint64_t from, uint64_t now)
{
  /* Processor time and clock at the last look, when the next one may be, and how often in a row it
     was others.  */
  static GOMP_NO_SHARING uint64_t last_used, last_now, next_look;
  static unsigned others;
  static _Atomic (bool) looking;
  struct timespec t;

  /* One looks at a time.  Acquire, and release below: those variables.  */
  if (gomp_swap_acquire (&looking, true))
    return false;
  uint64_t before = last_now;
  if (now < next_look || clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t) != 0)
    {
      gomp_store_release (&looking, false);
      return false;
    }
  uint64_t used = (uint64_t) t.tv_sec * 1000000000 + t.tv_nsec, used_since = used - last_used;
  last_used = used;
  last_now = now;
  /* The kernel adds up all threads: with thousands of them that takes a while.  */
  next_look = now + LOST_NS + LOOK_COST * (gomp_now_ns () - now);
  unsigned n = 0, eighths = 2 * gomp_global_icvs.available_cpus;
  if (eighths < OWN_EIGHTHS)
    eighths = OWN_EIGHTHS;
  if (from < before)
    from = before;
  if (now - before < WINDOW_NS && used_since < (now - from) / 8 * eighths)
    n = others + 1;
  others = n;
  gomp_store_release (&looking, false);
  return n >= LOOKS;
}

/* Others compute: yielding is out of the question.  */
static bool
busy (uint64_t now)
{
  uint64_t until = gomp_load_relaxed (&busy_until);
  if (gomp_likely (until == 0))
    return false;
  if (now < until)
    return true;
  /* At worst the news of another thread gets lost.  */
  gomp_store_relaxed (&busy_until, 0);
  return false;
}

bool
gomp_machine_busy (void)
{
  return gomp_load_relaxed (&busy_until) != 0;
}

/* Turn I without yields, of at most MOST, or none if HOPELESS.  False: sleep.  */
static bool
spin_alone (uint64_t i, uint64_t most, bool hopeless)
{
  struct gomp_spinner *spinner = &gomp_own ()->spinner;
  if (i < GOMP_SPIN_TURNS)
    {
      if (!spinner->slept)
	spinner->vain = 0;
      spinner->slept = false;
      unsigned vain = spinner->vain;
      if (vain < VAIN)
	spinner->most = most;
      else if ((vain & (vain - 1)) == 0 || vain % VAIN_INTERVAL == 0)
	spinner->most = VAIN_TURNS;
      else
	spinner->most = 0;
    }
  if (hopeless || i >= spinner->most)
    {
      spinner->slept = true;
      spinner->vain++;
      return false;
    }
  gomp_cpu_relax ();
  return true;
}

/* The calling thread shares its processor with one of its team, seen SPINNER->SWITCHES times in a
   row until NOW: go away?  Thread 0 does after so many, 0: never.  */
static void
perhaps_leave (uint64_t now, unsigned zero_after)
{
  struct gomp_spinner *spinner = &gomp_own ()->spinner;
  const struct gomp_slot *slot = gomp_tls.slot;
  if (slot == NULL || now < spinner->next_move)
    return;
  unsigned after = slot->num != 0 ? SWITCHES : zero_after != 0 ? zero_after : UINT_MAX;
  if (spinner->switches < after)
    return;
  leave_processor ();
  spinner->next_move = now + MOVE_PAUSE_NS;
}

/* The thread of this process that has waited, or woken others, on a processor last; of those that
   never yield.  */
static struct { GOMP_NO_SHARING _Atomic (void *) thread; } last_here[64];

/* The calling thread is here.  Has another one been since it was?  Then they share the
   processor.  */
static bool
shares_processor (void)
{
  int cpu = sched_getcpu ();
  if (cpu < 0)
    return false;
  _Atomic (void *) *at = &last_here[cpu % 64].thread;
  /* Relaxed: a hint.  */
  void *other = gomp_load_relaxed (at);
  if (other == &gomp_tls)
    return false;
  gomp_store_relaxed (at, (void *) &gomp_tls);
  return other != NULL;
}

/* Does the caller's team need so many processors that it seldom has them all at once where others
   compute?  */
static bool
large_team (void)
{
  unsigned n = gomp_tls.nthreads_minus_1 + 1;
  return n > SMALL_TEAM && n > gomp_global_icvs.available_cpus / 2;
}

/* How many wake-ups in a row were not late, at most PROMPT; of the process, with a passive policy.  */
static GOMP_NO_SHARING _Atomic (unsigned) xprompt;

/* Turn I with a passive policy.  */
static bool
spin_passively (uint64_t i, bool crowded)
{
  struct gomp_spinner *spinner = &gomp_own ()->spinner;
  bool first = i < GOMP_SPIN_TURNS, hopeless = crowded;
  if (!crowded)
    {
      uint64_t now = gomp_now_ns ();
      /* Relaxed: a hint.  */
      if (large_team () && (busy (now) || gomp_load_relaxed (&xprompt) < PROMPT))
	/* Nor does anybody leave: every other processor has work, too, or may have, and threads that sleep
	   hand one to each other sooner than they get it from others.  */
	hopeless = true;
      else if (first && !shares_processor ())
	spinner->switches = 0;
      else if (first && ++spinner->switches > 1)
	{
	  /* Of two only one has to go, and thread 0 is the program's own.  But it can be the only one that
	     waits.  */
	  perhaps_leave (now, 4 * SWITCHES);
	  hopeless = true;
	}
    }
  if (gomp_global_icvs.spin_count == GOMP_SPIN_PASSIVE)
    return spin_alone (i, PASSIVE_TURNS, hopeless);
  if (hopeless || i >= gomp_global_icvs.spin_count)
    return false;
  gomp_cpu_relax ();
  return true;
}

/* Where the kernel notes the processor that a thread is on, from its gomp_tls; 0: it does not, or
   the C library (glibc before 2.35) has not asked for it.  */
static ptrdiff_t
rseq_distance (void)
{
  /* Not linked, since older C libraries lack them.  */
  const ptrdiff_t *offset = dlsym (RTLD_DEFAULT, "__rseq_offset");
  const unsigned *size = dlsym (RTLD_DEFAULT, "__rseq_size");
  if (offset == NULL || size == NULL || *size == 0)
    return 0;
#if defined __x86_64__
  char *self;
  __asm__ ("mov %%fs:0, %0" : "=r" (self));
#elif defined __aarch64__ || defined __riscv
  char *self = __builtin_thread_pointer ();
#else
  return 0;
#endif
  return self + *offset + RSEQ_CPU - (char *) &gomp_tls;
}

enum answer { UNKNOWN, NO, YES };

/* Is a thread of the caller's team on processor HERE?  */
static enum answer __attribute__ ((noinline))
sibling_on (int here)
{
  static _Atomic (ptrdiff_t) known = PTRDIFF_MIN;
  const struct gomp_slot *own = gomp_tls.slot;
  unsigned looks = 0, nthreads = gomp_tls.nthreads_minus_1 + 1;
  /* Relaxed: all who look find the same.  */
  ptrdiff_t distance = gomp_load_relaxed (&known);

  if (distance == PTRDIFF_MIN)
    gomp_store_relaxed (&known, distance = rseq_distance ());
  if (own == NULL || here < 0 || distance == 0)
    return UNKNOWN;
  for (unsigned i = 0; i < nthreads && looks < MOST_SIBLINGS; i++)
    {
      struct gomp_slot *slot = own->tasks.siblings[i];
      /* Relaxed: an address.  */
      const char *thread = slot == own ? NULL : (const char *) gomp_load_relaxed (&slot->xthread);
      if (thread == NULL)
	continue;
      looks++;
      /* By a system call, since threads may end, and their memory with them.  */
      int answer = gomp_futex_equal (thread + distance, (uint32_t) here);
      if (answer != 0)
	return answer > 0 ? YES : UNKNOWN;
    }
  return NO;
}

/* The calling thread's yield let others run on processor HERE until NOW, and that not for the first
   time.  Were they of other processes?  Not if one of its team is there still.  Where that can't be
   told, they were if the caller has gone elsewhere shortly before: it had shared the processor.  */
static bool __attribute__ ((noinline))
lost_here (int here, uint64_t now)
{
  struct gomp_spinner *spinner = &gomp_own ()->spinner;
  int saved = errno;
  enum answer sibling = sibling_on (here);
  errno = saved;
  return ((sibling == NO && sched_getcpu () == here)
	  || (sibling == UNKNOWN && spinner->next_move != 0
	      && now - spinner->next_move + MOVE_PAUSE_NS < LOSSES_NS))
	 && lost_again (now, LOSSES_NS);
}

/* The calling thread's yield took from START to END; HERE is where it was, if there are not more
   threads than processors.  */
static void
judge_yield (uint64_t start, uint64_t end, bool crowded, int here)
{
  struct gomp_spinner *spinner = &gomp_own ()->spinner;
  if (gomp_likely (end - start <= LOST_NS))
    {
      spinner->harmless += spinner->harmless < HARMLESS;
      return;
    }
  if (spinner->harmless < HARMLESS
      && (crowded ? lost_to_others (start, end) : lost_here (here, end)))
    take_for_busy (start, end, BUSY_LEAST_NS);
  spinner->harmless = 0;
}

/* Turn I with more threads than processors.  */
static bool
spin_crowded (uint64_t i)
{
  struct gomp_spinner *spinner = &gomp_own ()->spinner;
  /* The clock is read for some yields, as that takes a tenth as long as a yield.  */
  if (gomp_load_relaxed (&busy_until) == 0 && ++spinner->yields % CLOCK_INTERVAL != 0)
    {
      sched_yield ();
      return true;
    }
  uint64_t start = gomp_now_ns ();
  if (busy (start))
    return spin_alone (i, 0, true);
  sched_yield ();
  judge_yield (start, gomp_now_ns (), true, -1);
  return true;
}

static bool __attribute__ ((noinline))
spin_turn_slow (uint64_t i, bool crowded)
{
  struct gomp_spinner *spinner = &gomp_own ()->spinner;
  if (gomp_global_icvs.wait_policy == GOMP_WAIT_PASSIVE)
    return spin_passively (i, crowded);
  if (crowded)
    return spin_crowded (i);

  uint64_t start = gomp_now_ns ();
  if (busy (start))
    return spin_alone (i, BUSY_TURNS, false);

  int here = sched_getcpu ();
  sched_yield ();
  uint64_t end = gomp_now_ns ();
  judge_yield (start, end, false, here);
  if (end - start < SWITCH_NS)
    {
      spinner->switches = 0;
      return true;
    }
  spinner->switches++;
  perhaps_leave (end, 0);	/* of two only one has to go, and thread 0 is the program's own */
  return true;
}

bool
gomp_spin_turn (uint64_t i)
{
  struct gomp_spinner *spinner = &gomp_own ()->spinner;
  bool crowded = gomp_team_crowded ();
  if (crowded || spinner->switches != 0 || i % YIELD_TURNS == YIELD_TURNS - 1
      || gomp_global_icvs.wait_policy == GOMP_WAIT_PASSIVE)
    return spin_turn_slow (i, crowded);
  gomp_cpu_relax ();
  return true;
}

void
gomp_spin_nap (void)
{
  static _Atomic (uint32_t) never;
  gomp_futex_wait_ns (&never, 0, NAP_NS);
}

void
gomp_let_others_run (void)
{
  if (gomp_global_icvs.wait_policy == GOMP_WAIT_PASSIVE || busy (gomp_now_ns ()))
    gomp_spin_nap ();
  else
    sched_yield ();
}

void GOMP_STARTUP
gomp_spin_expect_switch (void)
{
  gomp_own ()->spinner.switches = 1;
}

/* When this process has woken somebody last; kept with a passive policy.  */
static GOMP_NO_SHARING _Atomic (uint64_t) woken_at;

/* With a passive policy, and not more threads than processors: the calling thread, asleep since
   START, has been woken.  Did it have to wait for a processor?  */
static void __attribute__ ((noinline))
judge_wake (uint64_t start)
{
  /* Relaxed: a hint.  If others have been woken since, this one was not late.  */
  uint64_t now = gomp_now_ns (), at = gomp_load_relaxed (&woken_at);
  /* One after the other is woken.  */
  uint64_t late = LOST_NS + WAKE_NS * gomp_tls.nthreads_minus_1;
  if (at <= start || now <= at || gomp_team_crowded ())
    return;
  /* Relaxed: a hint; that some get lost does not matter.  */
  unsigned prompt = gomp_load_relaxed (&xprompt);
  if (now - at <= late)
    {
      if (prompt < PROMPT)
	gomp_store_relaxed (&xprompt, prompt + 1);
      return;
    }
  gomp_store_relaxed (&xprompt, 0);
  if (lost_again (now, LOSSES_PASSIVE_NS))
    take_for_busy (at, now, BUSY_PASSIVE_NS);
}

void
gomp_sleep_on (gomp_word_t *word, uint32_t value)
{
  bool passive = gomp_global_icvs.wait_policy == GOMP_WAIT_PASSIVE;
  uint64_t start = passive ? gomp_now_ns () : 0;
  gomp_futex_wait (word, value);
  if (passive)
    judge_wake (start);
}

void
gomp_wake_on (gomp_word_t *word, int count)
{
  if (gomp_global_icvs.wait_policy == GOMP_WAIT_PASSIVE)
    {
      shares_processor ();
      gomp_store_relaxed (&woken_at, gomp_now_ns ());
    }
  gomp_futex_wake (word, count);
}

void
gomp_word_sleep (gomp_word_t *word, uint32_t old)
{
  uint32_t seen;
  /* Acquire: what was done before the change.  */
  while (((seen = gomp_load_acquire (word)) & ~GOMP_WORD_SLEEPERS) == old)
    {
      /* Say that somebody sleeps before sleeping, each time: the bit may be that of a barrier
         before, which is taken away late (gomp_barrier_pair_clear).  Relaxed: the change that
         others wait for and this one are ordered by the word itself.  */
      if (!(seen & GOMP_WORD_SLEEPERS)
	  && !gomp_cas_weak_relaxed (word, &seen, old | GOMP_WORD_SLEEPERS))
	continue;
      gomp_sleep_on (word, old | GOMP_WORD_SLEEPERS);
    }
}

/* The second of two threads has arrived, and OLD was in xphase: take away what flags say about
   the phase that is over.  True: the other thread works on tasks, and may sleep elsewhere.  */
bool
gomp_barrier_pair_clear (gomp_barrier_t *bar, uint32_t old)
{
  /* Nothing that was not there: the other thread may sleep in the next phase already.  If it
     relies on the bit of the phase before it is woken, too, and says it anew.  */
  uint32_t tasks = gomp_barrier_tasks (old), sleepers = old & GOMP_WORD_SLEEPERS;
  gomp_and_acq_rel (&bar->xphase, ~(tasks | sleepers));
  if (sleepers)
    gomp_word_wake (&bar->xphase);
  return tasks != 0;
}

/* Move the phase on without waiting for anybody, and wake those who sleep here; where there are
   tasks, there are in the new phase.  True: there are, and threads may sleep elsewhere.  Release:
   what the caller did, to whoever sees the new phase.  */
bool
gomp_barrier_skip (gomp_barrier_t *bar)
{
  uint32_t seen = gomp_load_relaxed (&bar->xphase), next;
  do
    {
      next = gomp_barrier_phase (seen) + GOMP_BAR_PHASE;
      if (gomp_barrier_tasks (seen))
	next |= gomp_barrier_tasks_bit (next);
    }
  while (!gomp_cas_weak_release (&bar->xphase, &seen, next));
  if (seen & GOMP_WORD_SLEEPERS)
    gomp_word_wake (&bar->xphase);
  return gomp_barrier_tasks (seen) != 0;
}

/* The slow part of gomp_barrier_wait: flags have appeared, or were there.  */
bool
gomp_barrier_wait_called (gomp_barrier_t *bar, uint32_t phase, uint64_t spins)
{
  uint32_t word;
  while (gomp_barrier_phase (word = gomp_load_acquire (&bar->xphase)) == phase)
    {
      if (gomp_barrier_tasks (word))
	return false;
      gomp_word_wait (&bar->xphase, word & ~GOMP_WORD_SLEEPERS, spins);
    }
  return true;
}
