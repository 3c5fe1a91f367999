/* aux-others.h -- a function of the host waits for what the program does behind another region: who waits for that one must
   not serve the first one's call.  Before this file CALLS is defined, which calls the host's part "waits" in device code,
   and aux-slots.h or aux-reverse.h is included.  */

enum { ROUNDS = 60, PATIENCE_MS = 10000 };
static _Atomic int begun, given, late;

HOST_PART (waits)
{
  (void) waits_arg;
  int round = ++begun;
  for (int i = 0; given < round && !late; i++)
    {
      usleep (1000);
      if (i > PATIENCE_MS)
	late = 1;
    }
}

KERNEL (calls)
{
  (void) calls_arg;
}

KERNEL (other)
{
  (void) other_arg;
}

static void
on_device_calls (const struct fake_cuda_launch *launch)
{
  CALLS (launch);
}

/* Until the first one's function is being run.  */
static void
on_device_other (const struct fake_cuda_launch *launch)
{
  (void) launch;
  for (int round = given + 1; begun < round && !late; )
    sched_yield ();
}

int
main (void)
{
  FAKE_CUDA (fake_cuda_register) ("calls", on_device_calls);
  FAKE_CUDA (fake_cuda_register) ("other", on_device_other);
  /* One team each: those that ask for different numbers are run one behind the other.  */
  void *args[] = { (void *) 0x10100, (void *) 0x200, NULL };
#pragma omp parallel num_threads (2)
  for (int i = 0; i < ROUNDS; i++)
    {
      if (omp_get_thread_num () == 0)
	GOMP_target_ext (-1, calls, 0, NULL, NULL, NULL, 0, NULL, args);
      else
	{
	  GOMP_target_ext (-1, other, 0, NULL, NULL, NULL, 0, NULL, args);
	  given++;
	}
#pragma omp barrier
    }
  if (late || begun != ROUNDS)
    return printf ("%d begun%s\n", begun, late ? ", late" : ""), 1;
  return 0;
}
