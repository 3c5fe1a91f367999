/* trace.c -- GOMP_TRACE: recording.

   The value is the name of a file, in which %p stands for the number of the process.  It is
   written when the program ends, also by a fatal error; until then it holds an empty timeline.  It is
   the process's own: a child of fork records nothing.

   How the end of an operation is found out: an event is recorded behind it on its queue.  When the
   thread next waits for something, events that are done are asked for their time by the
   plugin's clock; if the plugin has none the operation ended when its end was seen.  */

#include "host/env.h"
#include "plugin/thread-own.h"
#include "trace-buffer.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DEFAULT_LIMIT (1 << 20)	/* records, of about 100 bytes */
#define FIRST_CHUNK 32
#define NEXT_CHUNK 1024
#define MAX_LOOKS 64		/* at pending operations, each time */

bool gomp_trace_enabled;
struct gomp_trace_state gomp_trace;

static _Atomic (bool) xcollected;	/* no record gets an event any more */

/* ---- start and end ---- */

/* VALUE as an absolute name, with the process's number in place of %p and % in place of %%.  */
static char *
file_name (const char *value)
{
  char *text = NULL, *here = NULL;
  size_t size;
  FILE *f = open_memstream (&text, &size);

  if (f == NULL)
    return NULL;
  /* The program may go to another directory.  */
  if (*value != '/' && (here = getcwd (NULL, 0)) != NULL)
    fprintf (f, "%s/", here);
  free (here);
  for (; *value != 0; value++)
    if (value[0] == '%' && value[1] == 'p')
      {
	fprintf (f, "%d", (int) getpid ());
	value++;
      }
    else
      {
	value += value[0] == '%' && value[1] == '%';
	fputc (*value, f);
      }
  if (fclose (f) != 0)
    {
      free (text);
      text = NULL;
    }
  return text;
}

static void
cannot_write (int error)
{
  gomp_error ("cannot write the trace to %s, the value of GOMP_TRACE: %s", gomp_trace.path,
	      error == ETIMEDOUT || error == ENXIO ? "nobody reads it" : strerror (error));
}

static void
finish (void)
{
  if (!gomp_trace_enabled || getpid () != gomp_trace.owner)
    return;
  int cancel = gomp_cancel_off ();
  int error = gomp_trace_write (gomp_trace.path);
  gomp_cancel_restore (cancel);
  if (error != 0)
    cannot_write (error);
  unsigned long dropped = gomp_load_relaxed (&gomp_trace.xdropped);	/* relaxed: statistics */
  if (dropped != 0)
    gomp_error ("the trace in %s is not complete: %lu events did not fit into the memory that"
		" GOMP_TRACE_LIMIT allows", gomp_trace.path, dropped);
}

static void
after_fork_in_child (void)
{
  gomp_trace_enabled = false;
}

/* A number of events, with k, m or g; 0: not understood.  */
static int64_t
read_limit (const char *value)
{
  static const char units[] = "kmg";
  char *end;
  errno = 0;
  long long n = strtoll (value, &end, 10);
  const char *unit = *end != 0 ? strchr (units, *end | 0x20) : NULL;
  if (unit != NULL)
    {
      end++;
      for (int i = 0; i <= unit - units && n < INT64_MAX / 1000; i++)
	n *= 1000;
    }
  return *end != 0 || errno != 0 || n <= 0 ? 0 : n;
}

void GOMP_STARTUP
gomp_trace_init (void)
{
  const char *value = gomp_getenv ("GOMP_TRACE", true);
  const char *limit = gomp_getenv ("GOMP_TRACE_LIMIT", false);
  int64_t room = DEFAULT_LIMIT;

  if (limit != NULL && *limit != 0 && (room = read_limit (limit)) == 0)
    {
      gomp_env_invalid (GOMP_ENV_TRACE_LIMIT, "GOMP_TRACE_LIMIT", limit);
      room = DEFAULT_LIMIT;
    }
  if (value == NULL || *value == 0)
    return;
  gomp_trace.path = file_name (value);
  if (gomp_trace.path == NULL)
    return;
  int error = gomp_trace_write_empty (gomp_trace.path);
  if (error != 0)
    {
      cannot_write (error);
      return;
    }
  gomp_trace.owner = getpid ();
  gomp_trace.start = gomp_now_ns ();
  /* Relaxed: there are no other threads yet.  */
  gomp_store_relaxed (&gomp_trace.xroom, room);
  gomp_trace_enabled = true;
  pthread_atfork (NULL, NULL, after_fork_in_child);
  /* The first to register is the last to run: after the handler that closes the devices.  */
  atexit (finish);
}

/* ---- buffers ---- */

/* A chunk for SIZE records or as many as there may still be; NULL: none.  */
static struct gomp_trace_chunk *
new_chunk (unsigned size)
{
  struct gomp_trace_chunk *chunk = NULL;
  /* Relaxed: a count.  */
  int64_t room = gomp_add_relaxed (&gomp_trace.xroom, -(int64_t) size);
  if (room > 0)
    {
      if (room < size)
	size = room;
      chunk = calloc (1, sizeof (*chunk) + size * sizeof (chunk->records[0]));
    }
  if (chunk == NULL)
    {
      gomp_store_relaxed (&gomp_trace.xroom, 0);
      return NULL;
    }
  chunk->size = size;
  return chunk;
}

static void
name_thread (struct gomp_trace_buffer *buffer)
{
  char name[32] = "";

  buffer->tid = syscall (SYS_gettid);
  if (buffer->tid == getpid ())
    snprintf (buffer->name, sizeof (buffer->name), "initial thread");
  else if (prctl (PR_GET_NAME, name) == 0 && name[0] != 0)
    snprintf (buffer->name, sizeof (buffer->name), "%.20s", name);
  else
    snprintf (buffer->name, sizeof (buffer->name), "thread");
}

/* Room for one more record of the calling thread; NULL: there is none.  */
static struct gomp_trace_record *
new_record (void)
{
  struct gomp_trace_buffer *buffer = gomp_own_now ()->trace;
  struct gomp_trace_chunk *chunk = buffer != NULL ? buffer->last : NULL;

  /* Relaxed: this thread wrote it.  */
  if (gomp_unlikely (chunk == NULL || gomp_load_relaxed (&chunk->xused) == chunk->size))
    {
      struct gomp_trace_chunk *next = NULL;
      if (gomp_load_relaxed (&gomp_trace.xroom) > 0)	/* relaxed: a count */
	next = new_chunk (chunk == NULL ? FIRST_CHUNK : NEXT_CHUNK);
      if (next != NULL && buffer == NULL && (buffer = calloc (1, sizeof (*buffer))) != NULL)
	{
	  name_thread (buffer);
	  buffer->first = next;
	  buffer->pending_end = &buffer->pending;
	  buffer->next = gomp_load_relaxed (&gomp_trace.xbuffers);
	  /* Release: the buffer.  */
	  while (!gomp_cas_weak_release (&gomp_trace.xbuffers, &buffer->next, buffer))
	    continue;
	  gomp_own ()->trace = buffer;
	}
      if (next == NULL || buffer == NULL)
	{
	  free (next);
	  gomp_add_relaxed (&gomp_trace.xdropped, 1);	/* relaxed: statistics */
	  return NULL;
	}
      if (chunk != NULL)
	gomp_store_release (&chunk->xnext, next);	/* release: its size */
      buffer->last = chunk = next;
    }
  return &chunk->records[gomp_load_relaxed (&chunk->xused)];	/* relaxed: this thread's */
}

/* The record of new_record is filled in: others may see it.  */
static void
publish (void)
{
  struct gomp_trace_chunk *chunk = gomp_own ()->trace->last;
  /* Release: the record.  Only this thread writes it.  */
  gomp_store_release (&chunk->xused, gomp_load_relaxed (&chunk->xused) + 1);
}

/* ---- spans ---- */

struct gomp_trace_record *
gomp_trace_add (enum gomp_trace_kind kind, struct gomp_device *dev, const char *what)
{
  struct gomp_trace_record *r = new_record ();
  if (r == NULL)
    return NULL;
  r->what = what;
  r->kind = kind;
  r->device = dev != NULL ? dev->number : -1;
  r->start = gomp_now_ns ();
  publish ();
  return r;
}

void
gomp_trace_set_end (struct gomp_trace_record *r)
{
  /* Release: begin and exact, where it is an operation.  */
  gomp_store_release (&r->xend, gomp_now_ns ());
}

struct gomp_trace_record *
gomp_trace_add_note (enum gomp_trace_kind kind, struct gomp_device *dev,
		     const struct gomp_region_note *note)
{
  /* First the names: looking one up for the first time would show as a part of the construct.  */
  const char *fn = note->fn != NULL ? gomp_code_name (note->fn) : NULL;
  const char *site = note->call_site != NULL ? gomp_call_name (note->call_site) : NULL;
  struct gomp_trace_record *r = gomp_trace_add (kind, dev, note->construct);
  if (r != NULL)
    {
      /* Relaxed: names never change, and a number.  */
      gomp_store_relaxed (&r->xfn, fn);
      gomp_store_relaxed (&r->xsite, site);
      gomp_store_relaxed (&r->xcount, note->mapnum);
    }
  return r;
}

/* Relaxed, both: a pointer to what never changes, and a number.  */

void
gomp_trace_set_text (struct gomp_trace_record *r, const char *why)
{
  gomp_store_relaxed (&r->xwhy, why);
}

void
gomp_trace_set_count (struct gomp_trace_record *r, uint64_t n)
{
  gomp_store_relaxed (&r->xcount, n);
}

/* ---- operations ---- */

struct gomp_trace_record *
gomp_trace_add_op (enum gomp_trace_kind kind, struct gomp_device *dev,
		   struct gomp_plugin_queue *queue, const void *fn, uint64_t bytes)
{
  const char *name = fn != NULL ? gomp_code_name (fn) : NULL;
  struct gomp_trace_record *r = new_record ();
  if (r == NULL)
    return NULL;
  gomp_store_relaxed (&r->xfn, name);	/* relaxed: not published yet */
  r->kind = kind;
  r->device = dev->number;
  r->queue = queue->number;
  gomp_store_relaxed (&r->xcount, bytes);	/* relaxed: not published yet */
  r->start = gomp_now_ns ();
  publish ();
  return r;
}

void
gomp_trace_set_enqueued (struct gomp_trace_record *r, struct gomp_device *dev,
			 struct gomp_plugin_queue *queue)
{
  struct gomp_trace_buffer *buffer = gomp_own_now ()->trace;

  /* Acquire pairs with gomp_trace_collect: then devices may be closed already.  */
  if (!gomp_mutex_trylock (&buffer->lock))
    return;
  if (!gomp_load_acquire (&xcollected) && (r->event = gomp_event_try_record (dev, queue)) != NULL)
    {
      r->next_pending = NULL;
      *buffer->pending_end = r;
      buffer->pending_end = &r->next_pending;
    }
  gomp_mutex_unlock (&buffer->lock);
}

/* Look at the pending operations of BUFFER, at most MAX of them; its lock is held.  */
static void
look (struct gomp_trace_buffer *buffer, unsigned max)
{
  uint64_t now = gomp_now_ns ();
  struct gomp_trace_record *r, **p = &buffer->pending;

  while ((r = *p) != NULL && max-- > 0)
    {
      struct gomp_device *dev = gomp_device_at (r->device);
      if (!gomp_event_done (r->event))
	{
	  p = &r->next_pending;
	  continue;
	}
      uint64_t end = now;
      r->exact = dev->ops->event_time (r->event, &r->begin, &end) == GOMP_OK;
      if (!r->exact)
	end = now;
      else if (end < r->start)
	end = r->start;		/* there was nothing to wait for */
      gomp_event_put (dev, r->event);
      r->event = NULL;
      *p = r->next_pending;
      if (*p == NULL)
	buffer->pending_end = p;
      /* Release: begin and exact.  */
      gomp_store_release (&r->xend, end);
    }
}

void
gomp_trace_harvest (void)
{
  struct gomp_trace_buffer *buffer = gomp_own_now ()->trace;
  if (buffer == NULL || !gomp_mutex_trylock (&buffer->lock))
    return;
  look (buffer, MAX_LOOKS);
  gomp_mutex_unlock (&buffer->lock);
}

void
gomp_trace_collect (void)
{
  enum { TRIES = 1000 };

  if (!gomp_trace_enabled || getpid () != gomp_trace.owner)
    return;
  /* Release pairs with gomp_trace_set_enqueued.  */
  gomp_store_release (&xcollected, true);
  /* Acquire: the buffers.  */
  for (struct gomp_trace_buffer *b = gomp_load_acquire (&gomp_trace.xbuffers); b != NULL; b = b->next)
    {
      int tries = 0;
      /* Its thread may be this one, in the middle of something when the program ended.  */
      while (!gomp_mutex_trylock (&b->lock) && ++tries < TRIES)
	usleep (10);
      if (tries == TRIES)
	continue;
      look (b, UINT_MAX);
      /* Those that are left never get an end.  */
      b->pending = NULL;
      b->pending_end = &b->pending;
      gomp_mutex_unlock (&b->lock);
    }
}
