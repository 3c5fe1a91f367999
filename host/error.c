/* error.c -- messages and the end of the program (abi/host section 7.3).

   A message is composed first and written with one write, so that lines of several threads
   or processes do not mix.  fatal runs exit (1): handlers of atexit run.  An error in a helper of
   a region in such a handler ends the program at once.  */

#include "libgomp.h"
#include "host/team.h"
#include "host/text.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define MESSAGE_MAX 4096	/* longer ones need malloc */

int gomp_debug_level;
bool gomp_errors_silent;

static const int write_signals[] = { SIGPIPE, SIGXFSZ };

void
gomp_write_guard_begin (struct gomp_write_guard *g)
{
  sigset_t both;
  int saved = errno;
  sigemptyset (&both);
  for (size_t i = 0; i < GOMP_ARRAY_SIZE (write_signals); i++)
    sigaddset (&both, write_signals[i]);
  pthread_sigmask (SIG_BLOCK, &both, &g->old);
  sigpending (&g->pending);
  errno = saved;
}

void
gomp_write_guard_end (struct gomp_write_guard *g)
{
  int saved = errno, cancel = gomp_cancel_off ();
  sigset_t now;
  sigpending (&now);
  for (size_t i = 0; i < GOMP_ARRAY_SIZE (write_signals); i++)
    if (sigismember (&now, write_signals[i]) && !sigismember (&g->pending, write_signals[i]))
      {
	const struct timespec at_once = { 0 };
	sigset_t one;
	sigemptyset (&one);
	sigaddset (&one, write_signals[i]);
	while (sigtimedwait (&one, NULL, &at_once) < 0 && errno == EINTR)
	  continue;
      }
  pthread_sigmask (SIG_SETMASK, &g->old, NULL);
  gomp_cancel_restore (cancel);
  errno = saved;
}

void
gomp_write_stderr (const char *text, size_t n)
{
  int saved = errno, cancel = gomp_cancel_off ();
  struct gomp_write_guard guard;
  gomp_write_guard_begin (&guard);
  while (n > 0)
    {
      ssize_t done = write (STDERR_FILENO, text, n);
      if (done < 0 && errno == EINTR)
	continue;
      if (done <= 0)
	break;			/* no stderr: nobody to tell */
      text += done;
      n -= done;
    }
  gomp_write_guard_end (&guard);
  gomp_cancel_restore (cancel);
  errno = saved;
}

/* Puts PREFIX, the message and a newline into TEXT, as much as fits into SIZE.  The length of
   all of it.  */
static size_t __attribute__ ((format (printf, 4, 0)))
compose (char *text, size_t size, const char *prefix, const char *fmt, va_list list)
{
  size_t n = strlen (prefix);
  memcpy (text, prefix, n);
  int m = vsnprintf (text + n, size - n, fmt, list);
  if (m > 0)
    n += m;
  text[n < size ? n : size - 1] = '\n';
  return n + 1;
}

static void __attribute__ ((format (printf, 2, 0)))
write_message (const char *prefix, const char *fmt, va_list list)
{
  char text[MESSAGE_MAX], *all = text;
  int saved = errno;
  va_list again;

  va_copy (again, list);
  size_t n = compose (text, sizeof (text), prefix, fmt, list);
  if (n > sizeof (text))
    {
      all = malloc (n);
      if (all != NULL)
	compose (all, n, prefix, fmt, again);
      else
	{
	  all = text;		/* cut: better than nothing */
	  n = sizeof (text);
	}
    }
  va_end (again);
  gomp_write_stderr (all, n);
  if (all != text)
    free (all);
  errno = saved;
}

void
gomp_verror (const char *fmt, va_list list)
{
  if (gomp_errors_silent)
    return;
  int cancel = gomp_cancel_off ();
  fflush (stderr);		/* keep the order against the program's own text */
  write_message ("\nlibgomp: ", fmt, list);
  gomp_cancel_restore (cancel);
}

void
gomp_error (const char *fmt, ...)
{
  va_list list;
  va_start (list, fmt);
  gomp_verror (fmt, list);
  va_end (list);
}

/* The first thread that ended the program by a message, where it was then, and whether the rest of
   this is written.  */
static struct
{
  _Atomic (struct gomp_thread *) xthread;
  struct gomp_team *team;
  unsigned num;
  _Atomic (bool) xknown;
} ender;

/* Does THR work in a region that an exit handler has started, in the thread that ends the
   program?  Such a region is inside of the team in which that thread was.  */
static bool
works_for_ender (const struct gomp_thread *thr)
{
  /* Acquire: who it is.  */
  if (!gomp_load_acquire (&ender.xknown))
    return false;
  for (const struct gomp_team *team = thr->team; team != NULL; team = team->parent)
    if (team->parent == ender.team && team->master_num == ender.num)
      return true;
  return false;
}

_Atomic (bool) gomp_xending;

static void __attribute__ ((noreturn, cold))
end_program (void)
{
  gomp_cancel_off ();
  gomp_store_relaxed (&gomp_xending, true);	/* libgomp.h */
  struct gomp_thread *thr = &gomp_tls, *first = NULL;
  /* Only its identity counts.  */
  if (gomp_cas_acq_rel (&ender.xthread, &first, thr))
    {
      if (thr->team != NULL)
	{
	  ender.team = thr->team;
	  ender.num = thr->thread_num;
	  /* Release: both.  */
	  gomp_store_release (&ender.xknown, true);
	}
    }
  /* Since glibc 2.41 a second thread in exit waits for the first one, which would wait here for
     this thread at the end of the region.  */
  else if (first != thr && works_for_ender (thr))
    _exit (EXIT_FAILURE);
  exit (EXIT_FAILURE);
}

void
gomp_fatal (const char *fmt, ...)
{
  va_list list;
  va_start (list, fmt);
  gomp_verror (fmt, list);
  va_end (list);
  end_program ();
}

void
gomp_internal_fatal (const char *fmt, ...)
{
  char text[1024];
  va_list list;
  va_start (list, fmt);
  vsnprintf (text, sizeof (text), fmt, list);
  va_end (list);
  gomp_fatal ("%s\n  this is a fault of gompx %s, or memory of it was overwritten: report it to %s",
	      text, PACKAGE_VERSION, GOMP_REPORT_TO);
}

void
gomp_debug_text (int level, const char *fmt, ...)
{
  va_list list;
  (void) level;
  va_start (list, fmt);
  write_message ("libgomp: debug: ", fmt, list);
  va_end (list);
}
