/* slots.pml -- the protocol of plugin/slots-proto.h as a model for spin.

   One slot, DEVICES device threads that want it, HOSTS host threads that serve.  A record is two tagged words,
   which go one by one, in any order, and so does the bell: nothing orders the stores of one side as the other
   sees them.  Numbers of requests (halves of those in the words) count modulo NUMBERS, the bell modulo BELLS, both as small as they
   may be; tags of words that are never stale for NUMBERS requests are what GOMPX_SLOTS_REFRESH sees to.

   Checked: every request is served exactly once, the host reads what its caller has written, each caller
   reads the answer to its own request, and nobody waits for something that will not come: that would be an
   invalid end state (no lost wake-up).

     spin -a slots.pml && cc -O2 -DSAFETY -o pan pan.c && ./pan    no errors
     ... -DBROKEN_EARLY   the host takes a request whose first word is there: must fail
     ... -DBROKEN_REUSE   the slot is given back before the answer: must fail  */

#ifndef DEVICES
# define DEVICES 2
#endif
#ifndef HOSTS
# define HOSTS 1
#endif
#define CALLS 2			/* of each device thread */
#define NUMBERS 8
#define BELLS 4

/* Memory: what is stored and is not visible yet is in a pending word; the bus delivers in any order.  */
byte request_tag[2], request[2];	/* as the host sees them */
byte answer_tag[2], answer[2];	/* as the device sees them */
byte bell;

/* Stores on their way to the other side: at most one for each word, as whoever owns the slot has seen the
   answer to the last ones.  */
bool request_going[2], answer_going[2], bell_going;
byte request_tag_new[2], request_new[2], answer_tag_new[2], answer_new[2], bell_new;

byte owner;			/* in the device's memory: 2 * number, or 1 */
byte taken;			/* the host's: number of the last request that was taken */
byte served[NUMBERS];		/* how often, by number; for the check */
byte value_of[NUMBERS];		/* what was asked */
byte finished;

/* The bus.  */
active proctype bus ()
{
end:
  do
  :: request_going[0] -> atomic { request[0] = request_new[0]; request_tag[0] = request_tag_new[0]; request_going[0] = false }
  :: request_going[1] -> atomic { request[1] = request_new[1]; request_tag[1] = request_tag_new[1]; request_going[1] = false }
  :: answer_going[0] -> atomic { answer[0] = answer_new[0]; answer_tag[0] = answer_tag_new[0]; answer_going[0] = false }
  :: answer_going[1] -> atomic { answer[1] = answer_new[1]; answer_tag[1] = answer_tag_new[1]; answer_going[1] = false }
  :: bell_going -> atomic { bell = bell_new; bell_going = false }
  od
}

active [DEVICES] proctype device ()
{
  byte old, number, calls, value;
  do
  :: calls == CALLS -> break
  :: else ->
     /* acquire */
     do
     :: atomic { old = owner; owner = 1 } ;
	if
	:: old % 2 == 0 -> break
	:: else -> (owner != 1)		/* a turn of the loop without progress is not interesting */
	fi
     od;
     number = (old / 2 + 1) % NUMBERS;
     value = 1 + _pid * CALLS + calls;
     d_step { served[number] = 0; value_of[number] = value }
     /* send: a later store to a word waits for the earlier one to the same word */
     atomic { !request_going[0] -> request_going[0] = true; request_new[0] = value; request_tag_new[0] = number }
     atomic { !request_going[1] -> request_going[1] = true; request_new[1] = value + 100; request_tag_new[1] = number }
     atomic { !bell_going -> bell_going = true; bell_new = number % BELLS }
#ifdef BROKEN_REUSE
     owner = number * 2;
#endif
     /* await: each word by itself, in any order; its lane keeps what it has found */
     (answer_tag[0] == number);
     assert (answer[0] == value);
     (answer_tag[1] == number);
     assert (answer[1] == value + 100);
     assert (served[number] == 1);
#ifndef BROKEN_REUSE
     owner = number * 2;
#endif
     calls++
  od;
  finished++
}

active [HOSTS] proctype host ()
{
  byte number, last, first, second;
end:
  do
  :: finished < DEVICES && bell != taken % BELLS ->
     last = taken;
     number = (last + 1) % NUMBERS;
     if
     :: request_tag[0] == number ->
	first = request[0];
	if
#ifdef BROKEN_EARLY
	:: true ->
#else
	:: request_tag[1] == number ->
#endif
	   second = request[1];
	   if
	   :: atomic { taken == last -> taken = number };
	      /* This thread has it.  */
	      assert (first == value_of[number] && second == first + 100);
	      served[number]++;
	      atomic { !answer_going[1] -> answer_going[1] = true; answer_new[1] = second; answer_tag_new[1] = number }
	      atomic { !answer_going[0] -> answer_going[0] = true; answer_new[0] = first; answer_tag_new[0] = number }
	   :: else		/* another one was faster */
	   fi
#ifndef BROKEN_EARLY
	:: else			/* not all of it is there: look again */
#endif
	fi
     :: else
     fi
  od
}
