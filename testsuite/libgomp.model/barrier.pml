/* barrier.pml -- the barrier of two threads in config/linux/bar.h, and of host/task-queue.c what has to do
   with it, as a model for spin.

   Two threads pass BARRIERS barriers.  Before each a thread may create a task, for which it marks the word;
   either of them runs it.  Who waits may sleep in the kernel at any time, on the barrier's word or, where
   there are tasks, on its own.

   Checked: nobody leaves a barrier to which the other one has not come; a task that is not finished has the
   mark of its phase; and nobody sleeps for ever, which would be an invalid end state (no lost wake-up).

     spin -a barrier.pml && cc -O2 -DSAFETY -o pan pan.c && ./pan    no errors
     ... -DBROKEN_ONE_BIT   the same bit for tasks in even and odd phases: must fail
     ... -DBROKEN_CLEAR     sleepers are woken before their bit is taken away: must fail
     ... -DBROKEN_MORE      a bit for sleepers that was not there before is taken away: must fail
     ... -DBROKEN_SILENT    the one who sleeps where there are tasks is not woken: must fail  */

#define BARRIERS 4

#define SLEEPERS 1
#define EVEN 2
#ifdef BROKEN_ONE_BIT
# define ODD 2
#else
# define ODD 4
#endif
#define ARRIVED 8
#define PHASE 16
#define LIMIT (PHASE * 4)	/* phases count modulo 4 */

#define bit(w) (((w) / PHASE) % 2 -> ODD : EVEN)
#define tasks(w) ((w) & bit (w))
#define phase(w) ((w) / PHASE)

byte word;			/* xphase */
bool asleep[2];			/* in the kernel, on the word */
bool called[2];			/* who sleeps on its own word is called */
byte unfinished[2];		/* tasks that the thread has created */
byte come[2];

/* All sleepers of the word.  */
inline wake ()
{
  d_step { asleep[0] = false; asleep[1] = false }
}

inline call_all ()
{
  d_step { called[0] = true; called[1] = true }
}

/* gomp_task_push, announce and mark.  */
inline create ()
{
  unfinished[_pid]++;
  seen = word;
  if
  :: tasks (seen) -> skip
  :: else ->
     atomic { seen = word; word = (seen | bit (seen)) & ~SLEEPERS }
     if
     :: seen & SLEEPERS -> wake ()
     :: else
     fi
  fi;
  assert (tasks (word));
  call_all ()
}

/* gomp_task_finish_children: by this thread, or the other one has done it.  */
inline finish ()
{
  do
  :: atomic { unfinished[_pid] > 0 -> assert (tasks (word)); unfinished[_pid]-- }
  :: unfinished[_pid] == 0 -> break
  od
}

/* gomp_task_help_barrier: work on the other's tasks, and sleep between.  */
inline help ()
{
  do
  :: phase (word) != mine -> break
  :: atomic { unfinished[1 - _pid] > 0 -> unfinished[1 - _pid]-- }
  :: else ->
     called[_pid] = false;
     if
     :: phase (word) != mine || unfinished[1 - _pid] > 0 -> skip
     :: else -> (called[_pid])
     fi
  od
}

active [2] proctype thread ()
{
  byte seen, mine, expected, barriers;
  do
  :: barriers == BARRIERS -> break
  :: else ->
     if
     :: create ()
     :: skip
     fi;
     finish ();
     come[_pid]++;
     atomic { seen = word; word = (seen + ARRIVED) % LIMIT }
     mine = phase (seen);
     if
     :: seen & ARRIVED ->
	/* gomp_barrier_pair_clear */
	if
	:: seen & (SLEEPERS | EVEN | ODD) ->
#ifdef BROKEN_CLEAR
	   if
	   :: seen & SLEEPERS -> wake ()
	   :: else
	   fi;
#endif
#ifdef BROKEN_MORE
	   atomic { word = word & ~(bit (seen) | SLEEPERS) }
#else
	   atomic { word = word & ~(tasks (seen) | (seen & SLEEPERS)) }
#endif
#ifndef BROKEN_CLEAR
	   if
	   :: seen & SLEEPERS -> wake ()
	   :: else
	   fi;
#endif
#ifndef BROKEN_SILENT
	   if
	   :: tasks (seen) -> call_all ()
	   :: else
	   fi
#endif
	:: else
	fi
     :: else ->
	/* gomp_barrier_wait */
	do
	:: phase (word) != mine -> break
	:: else ->
	   expected = word & ~SLEEPERS;
	   if
	   :: phase (expected) != mine -> break
	   :: tasks (expected) -> help (); break
	   :: else ->
	      /* gomp_word_sleep, or another look */
	      if
	      :: atomic { (word & ~SLEEPERS) == expected -> word = word | SLEEPERS }
		 /* futex_wait */
		 atomic {
		   if
		   :: word == (expected | SLEEPERS) -> asleep[_pid] = true
		   :: else
		   fi
		 }
		 (!asleep[_pid])
	      :: (word & ~SLEEPERS) != expected
	      fi
	   fi
	od
     fi;
     barriers++;
     assert (come[1 - _pid] >= barriers)
  od
}
