/* fork while other threads use the affinity format and make allocators: the child has the format,
   whole, and can do the same.
   TEST-SKIP-SANITIZER: address does not free the locks of its malloc in a child
   TEST-SKIP-SANITIZER: thread does not support threads in a child of a process with threads  */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define FORKS 300

static const char *const formats[] = { "%n of %N", "%{nesting_level} %L %t %T and some more" };
static int stop;

/* Is the format one of the two?  */
static int
good_format (void)
{
  char text[100];
  size_t len = omp_get_affinity_format (text, sizeof text);
  for (int i = 0; i < 2; i++)
    if (len == strlen (formats[i]) && strcmp (text, formats[i]) == 0)
      return 1;
  return 0;
}

static int
change (int i)
{
  char text[100];
  omp_set_affinity_format (formats[i % 2]);
  omp_capture_affinity (text, sizeof text, NULL);
  omp_allocator_handle_t a = omp_init_allocator (omp_default_mem_space, 0, NULL);
  omp_destroy_allocator (a);
  return good_format ();
}

static void *
changer (void *arg)
{
  (void) arg;
  for (int i = 0; !__atomic_load_n (&stop, __ATOMIC_RELAXED); i++)
    if (!change (i))
      abort ();
  return NULL;
}

int
main (void)
{
  pthread_t thread;
  int bad = 0;

  omp_set_affinity_format (formats[0]);
  if (pthread_create (&thread, NULL, changer, NULL) != 0)
    return 77;
  for (int i = 0; i < FORKS && !bad; i++)
    {
      pid_t pid = fork ();
      if (pid == 0)
	{
	  alarm (50);		/* a lock that nobody gives back */
	  _exit (good_format () && change (i) && change (i + 1) ? 0 : 1);
	}
      int status = 1;
      if (pid < 0 || waitpid (pid, &status, 0) != pid || status != 0)
	{
	  printf ("child %d: status %#x\n", i, status);
	  bad = 1;
	}
    }
  __atomic_store_n (&stop, 1, __ATOMIC_RELAXED);
  pthread_join (thread, NULL);
  return bad;
}
