/* The end of target data waits for the tasks that were generated in it, and for theirs: regions with
   nowait find what is mapped there, and what they wrote is on the host behind it.  On the host, with
   cancel taskgroup inside, after a jump out of the construct, and within a user's taskgroup, too.
   TEST-MODES: host cpu cpu2
   TEST-ENV: OMP_CANCELLATION=true
   TEST-SKIP-SANITIZER: address jumps out of constructs leave their memory behind  */

#include <omp.h>
#include <setjmp.h>
#include <stdio.h>
#include <unistd.h>

enum { N = 1000 };
static int bad;

static void
check (const char *what, const int *a, int expect)
{
  for (int i = 0; i < N; i++)
    if (a[i] != expect)
      {
	printf ("%s: element %d is %d, not %d\n", what, i, a[i], expect);
	bad = 1;
	return;
      }
}

static void
add_later (int *a, int device)
{
#pragma omp target map(tofrom: a[:N]) nowait device(device)
  for (int i = 0; i < N; i++)
    {
      if (i == 0)
	usleep (20000);
      a[i]++;
    }
}

static jmp_buf env;

static void
all (int device)
{
  int a[N] = { 0 }, *p = a, done = 0;
  volatile int left = 0;

#pragma omp target data map(tofrom: a) device(device)
  add_later (a, device);
  check ("nowait", a, 1);

#pragma omp target data map(tofrom: a) use_device_addr(a) device(device)
  add_later (p, device);
  check ("use_device_addr", a, 2);

  /* A task of a task.  */
#pragma omp target data map(tofrom: a) device(device)
#pragma omp task shared(a)
#pragma omp task shared(a)
  add_later (a, device);
  check ("tasks", a, 3);

#pragma omp target data map(tofrom: a) device(device)
#pragma omp target data map(tofrom: done) device(device)
  add_later (a, device);
  check ("nested", a, 4);

  /* Cancelled is the user's group, not that of the construct.  */
#pragma omp taskgroup
  {
#pragma omp task shared(a, done)
    {
#pragma omp target data map(tofrom: a) device(device)
      {
#pragma omp target map(tofrom: a) device(device)
	for (int i = 0; i < N; i++)
	  a[i]++;
#pragma omp taskgroup
	{
#pragma omp task shared(done)
	  {
#pragma omp cancel taskgroup
	    done = 1;
	  }
	}
#pragma omp task shared(done)
	done += 2;
      }
    }
  }
  if (done != (omp_get_cancellation () ? 2 : 3))
    {
      printf ("cancel: done is %d\n", done);
      bad = 1;
    }
  check ("cancel", a, 5);

  /* Out of a taskgroup inside, and out of the construct: what is open around it still ends.  */
  int *b = omp_target_alloc (sizeof (a), omp_get_initial_device ());
  for (int i = 0; i < N; i++)
    b[i] = 0;
#pragma omp target data map(tofrom: a) device(device)
  {
    add_later (a, device);
    if (setjmp (env) == 0)
      {
#pragma omp taskgroup
	longjmp (env, 1);
      }
  }
  check ("jump out of a taskgroup", a, 6);
#pragma omp taskgroup
  {
    if (setjmp (env) == 0)
      {
#pragma omp target data map(tofrom: b[:N]) device(device)
	{
	  left = 1;
	  longjmp (env, 1);
	}
      }
    add_later (a, device);
  }
  check ("jump out of target data", a, 7);
  if (!left)
    bad = 1;
#pragma omp target exit data map(delete: b[:N]) device(device)
  omp_target_free (b, omp_get_initial_device ());
}

int
main (void)
{
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int device = 0; device <= omp_get_num_devices (); device++)
    all (device);
  for (int device = 0; device <= omp_get_num_devices (); device++)
    all (device);
  return bad;
}
