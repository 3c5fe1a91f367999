/* A program whose main thread ends by pthread_exit ends with its last thread: no helper stays behind,
   neither the main thread's nor those of threads that end before or after it, nor in a child of
   fork.
   TEST-OUTPUT: ^first
   TEST-OUTPUT: ^main
   TEST-OUTPUT: ^last
   TEST-OUTPUT: ^child of a thread
   TEST-OUTPUT: ^handler
   TEST-SKIP-SANITIZER: thread does not support threads in a child of a process with threads  */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_t main_thread;

static void
region (const char *name)
{
  int n = 0;
#pragma omp parallel num_threads (3) reduction (+: n)
  {
#pragma omp task
    ;
    n++;
  }
  if (n != 3)
    {
      printf ("%d threads in %s\n", n, name);
      _exit (1);
    }
  printf ("%s\n", name);
}

static void
handler (void)
{
  region ("handler");
}

static void *
first (void *name)
{
  region (name);
  return NULL;
}

static void *
last (void *name)
{
  pthread_join (main_thread, NULL);
  region (name);
  fflush (stdout);
  pid_t pid = fork ();
  if (pid == 0)
    {
      alarm (50);
      region ("child of a thread");
      return NULL;
    }
  int status;
  if (waitpid (pid, &status, 0) != pid || status != 0)
    {
      printf ("child: status %x\n", status);
      _exit (1);
    }
  return NULL;
}

int
main (void)
{
  pthread_t t;
  alarm (50);
  main_thread = pthread_self ();
  atexit (handler);
  if (pthread_create (&t, NULL, first, "first") != 0 || pthread_join (t, NULL) != 0)
    return 1;
  region ("main");
  if (pthread_create (&t, NULL, last, "last") != 0)
    return 1;
  pthread_detach (t);
  pthread_exit (NULL);
}
