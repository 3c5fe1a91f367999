/* What a tool sees of locks, critical, atomic and ordered regions.
   TEST-OPTIONS: -rdynamic  */

#include "aux-ompt.h"

extern void GOMP_atomic_start (void);
extern void GOMP_atomic_end (void);

static int state_inside = -1;

/* While a lock cannot be had, its thread waits for just that lock.  */
static void
check_waiting (void)
{
  omp_lock_t lock;
  int seen = 0;
  ompt_wait_id_t id = 0;
  omp_init_lock (&lock);
  omp_set_lock (&lock);
  #pragma omp parallel num_threads (2)
  {
    if (omp_get_thread_num () == 0)
      {
	/* Until the other one has begun to wait; it can only be seen from outside by its
	   text, which grows before it waits.  */
	while (__atomic_load_n (&seen, __ATOMIC_ACQUIRE) == 0)
	  ;
	omp_unset_lock (&lock);
      }
    else
      {
	__atomic_store_n (&seen, 1, __ATOMIC_RELEASE);
	omp_set_lock (&lock);
	state_inside = ompt_get_state (&id);
	omp_unset_lock (&lock);
      }
  }
  omp_destroy_lock (&lock);
  if (state_inside != ompt_state_work_parallel || id != 0)
    ompt_bad ("state after a lock: %d, waits for %lx", state_inside, (long) id);
}

int
main (void)
{
  omp_lock_t lock;
  omp_nest_lock_t nest;
  int n = 0;

  ompt_events &= ~(UINT64_C (1) << ompt_callback_thread_begin
		   | UINT64_C (1) << ompt_callback_implicit_task);
  omp_init_lock (&lock);
  omp_set_lock (&lock);
  if (omp_test_lock (&lock))
    ompt_bad ("the lock does not work");
  omp_unset_lock (&lock);
  if (!omp_test_lock (&lock))
    ompt_bad ("the lock does not work");
  omp_unset_lock (&lock);
  omp_destroy_lock (&lock);
  ompt_expect (0, "lock",
	       "init lock\n"
	       "acquire lock\n" "acquired lock\n"
	       "acquire test lock\n"
	       "released lock\n"
	       "acquire test lock\n" "acquired test lock\n"
	       "released lock\n"
	       "destroy lock\n");

  ompt_forget ();
  omp_init_nest_lock (&nest);
  omp_set_nest_lock (&nest);
  omp_set_nest_lock (&nest);
  if (omp_test_nest_lock (&nest) != 3)
    ompt_bad ("the nestable lock does not work");
  omp_unset_nest_lock (&nest);
  omp_unset_nest_lock (&nest);
  omp_unset_nest_lock (&nest);
  if (omp_test_nest_lock (&nest) != 1)
    ompt_bad ("the nestable lock does not work");
  omp_unset_nest_lock (&nest);
  omp_destroy_nest_lock (&nest);
  ompt_expect (0, "nest lock",
	       "init nest lock\n"
	       "acquire nest lock\n" "acquired nest lock\n"
	       "acquire nest lock\n" "nested begin\n"
	       "acquire test nest lock\n" "nested begin\n"
	       "nested end\n" "nested end\n" "released nest lock\n"
	       "acquire test nest lock\n" "acquired test nest lock\n"
	       "released nest lock\n"
	       "destroy nest lock\n");

  ompt_forget ();
  #pragma omp critical
  n++;
  #pragma omp critical (named)
  n++;
  GOMP_atomic_start ();
  n++;
  GOMP_atomic_end ();
  ompt_expect (0, "critical and atomic",
	       "acquire critical\n" "acquired critical\n" "released critical\n"
	       "acquire critical\n" "acquired critical\n" "released critical\n"
	       "acquire atomic\n" "acquired atomic\n" "released atomic\n");

  ompt_forget ();
  ompt_events = UINT64_C (1) << ompt_callback_mutex_acquire
		| UINT64_C (1) << ompt_callback_mutex_acquired
		| UINT64_C (1) << ompt_callback_mutex_released;
  #pragma omp parallel for ordered schedule (static, 1) num_threads (2)
  for (int i = 0; i < 4; i++)
    {
      #pragma omp ordered
      n++;
    }
  for (int t = 0; t < 2; t++)
    ompt_expect (t, "ordered",
		 "acquire ordered\n" "acquired ordered\n" "released ordered\n"
		 "acquire ordered\n" "acquired ordered\n" "released ordered\n");
  check_waiting ();
  if (n != 7)
    ompt_bad ("the program is wrong: %d", n);
  return ompt_failures != 0;
}
