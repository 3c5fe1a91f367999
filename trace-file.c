/* trace-file.c -- GOMP_TRACE: writing the file.

   The format is the JSON of chrome://tracing, which ui.perfetto.dev reads, too: an object with
   "traceEvents", times in microseconds since the start of the program.  The host is one process with a
   track for each thread, each device another one with a track for each queue.  Arrows lead from the
   launch of a region to its execution.

   Operations of a queue are laid out so that slices of a track are disjoint or nested, as the
   viewers demand.  Where the device told its times that is so.  Where only the host's observation is
   known, a slice lasts from the enqueuing, or from the end of the one before if that was seen
   earlier, until the host saw the end: those of one wait are nested.  */

#include "host/text.h"
#include "trace-buffer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const categories[GOMP_TRACE_KINDS] = {
  [GOMP_TRACE_CONSTRUCT] = "construct", [GOMP_TRACE_FALLBACK] = "fallback",
  [GOMP_TRACE_MAP] = "map", [GOMP_TRACE_WAIT] = "wait", [GOMP_TRACE_REVERSE] = "reverse",
  [GOMP_TRACE_SETUP] = "setup", [GOMP_TRACE_TASK] = "task", [GOMP_TRACE_KERNEL] = "kernel",
  [GOMP_TRACE_COPY_TO] = "copy", [GOMP_TRACE_COPY_FROM] = "copy", [GOMP_TRACE_COPY_DEVICE] = "copy",
  [GOMP_TRACE_FILL] = "copy", [GOMP_TRACE_QUEUE_WAIT] = "wait"
};

/* Names of operations; of spans that were not given one.  */
static const char *const names[GOMP_TRACE_KINDS] = {
  [GOMP_TRACE_CONSTRUCT] = "construct", [GOMP_TRACE_FALLBACK] = "on the host",
  [GOMP_TRACE_MAP] = "map", [GOMP_TRACE_WAIT] = "wait", [GOMP_TRACE_REVERSE] = "reverse call",
  [GOMP_TRACE_SETUP] = "setup", [GOMP_TRACE_TASK] = "target task",
  [GOMP_TRACE_KERNEL] = "kernel", [GOMP_TRACE_COPY_TO] = "to the device",
  [GOMP_TRACE_COPY_FROM] = "to the host", [GOMP_TRACE_COPY_DEVICE] = "from a device",
  [GOMP_TRACE_FILL] = "fill", [GOMP_TRACE_QUEUE_WAIT] = "wait for another queue"
};

struct writer
{
  FILE *f;
  int pid;
  uint64_t now;
  unsigned long flows;
  bool any;			/* an event was written: a comma is due */
};

/* ---- JSON ---- */

/* Length of the well-formed UTF-8 character at S, 0: none.  */
static unsigned
utf8_length (const unsigned char *s)
{
  unsigned n = *s < 0x80 ? 1 : *s >= 0xc2 && *s < 0xe0 ? 2 : (*s & 0xf0) == 0xe0 ? 3
	       : *s >= 0xf0 && *s < 0xf5 ? 4 : 0;
  for (unsigned i = 1; i < n; i++)
    if ((s[i] & 0xc0) != 0x80)
      return 0;
  /* Not the shortest form, a surrogate, beyond the last character.  */
  if ((*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] >= 0xa0) || (*s == 0xf0 && s[1] < 0x90)
      || (*s == 0xf4 && s[1] >= 0x90))
    return 0;
  return n;
}

static void
write_text (FILE *f, const char *text)
{
  fputc ('"', f);
  for (const unsigned char *s = (const unsigned char *) text; *s != 0; )
    {
      unsigned n = utf8_length (s);
      if (*s == '"' || *s == '\\')
	fprintf (f, "\\%c", *s);
      else if (n == 0 || *s < 0x20)
	fprintf (f, "\\u%04x", *s);
      else
	fwrite (s, 1, n, f);
      s += n == 0 ? 1 : n;
    }
  fputc ('"', f);
}

static void
write_time (FILE *f, uint64_t ns)
{
  uint64_t since = ns > gomp_trace.start ? ns - gomp_trace.start : 0;
  fprintf (f, "%llu.%03u", (unsigned long long) since / 1000, (unsigned) (since % 1000));
}

/* Of an event: up to its own fields.  */
static void
begin_event (struct writer *w, const char *phase, const char *name, const char *more, int pid,
	     unsigned tid)
{
  fputs (w->any ? ",\n{\"ph\":\"" : "{\"ph\":\"", w->f);
  w->any = true;
  fprintf (w->f, "%s\",\"pid\":%d,\"tid\":%u,\"name\":", phase, pid, tid);
  if (more == NULL)
    write_text (w->f, name);
  else
    {
      char both[600];
      snprintf (both, sizeof (both), "%s %s", name, more);
      write_text (w->f, both);
    }
}

/* A name or a place in the order for a process or thread.  */
static void
write_label (struct writer *w, const char *what, int pid, unsigned tid, const char *name)
{
  begin_event (w, "M", what, NULL, pid, tid);
  fputs (",\"args\":{\"name\":", w->f);
  write_text (w->f, name);
  fputs ("}}", w->f);
}

static void
write_order (struct writer *w, const char *what, int pid, unsigned tid, int order)
{
  begin_event (w, "M", what, NULL, pid, tid);
  fprintf (w->f, ",\"args\":{\"sort_index\":%d}}", order);
}

/* ---- records ---- */

static inline bool
is_op (const struct gomp_trace_record *r)
{
  return r->kind >= GOMP_TRACE_KERNEL;
}

/* Devices are shown as processes of their own.  */
static int
device_pid (const struct writer *w, int device)
{
  return w->pid + 1 + device;
}

static void
write_args (struct writer *w, const struct gomp_trace_record *r, bool over, uint64_t begin,
	    uint64_t end)
{
  /* Relaxed: names live for ever.  */
  const char *why = gomp_load_relaxed (&r->xwhy), *site = gomp_load_relaxed (&r->xsite);
  unsigned long long count = gomp_load_relaxed (&r->xcount);
  const char *comma = "";
  FILE *f = w->f;

  fputs (",\"args\":{", f);
  if (r->device >= 0 && !is_op (r))
    {
      fprintf (f, "\"device\":%d", r->device);
      comma = ",";
    }
  if (is_op (r) && r->kind != GOMP_TRACE_KERNEL && r->kind != GOMP_TRACE_QUEUE_WAIT)
    {
      fprintf (f, "\"bytes\":%llu", count);
      if (over && end > begin)
	fprintf (f, ",\"GB/s\":%.3f", (double) count / (end - begin));
      comma = ",";
    }
  else if (count != 0)
    {
      fprintf (f, "%s\"%s\":%llu", comma, r->kind == GOMP_TRACE_SETUP ? "bytes" : "items", count);
      comma = ",";
    }
  if (why != NULL)
    {
      fprintf (f, "%s\"why\":", comma);
      write_text (f, why);
      comma = ",";
    }
  if (site != NULL)
    {
      fprintf (f, "%s\"called from\":", comma);
      write_text (f, site);
      comma = ",";
    }
  if (is_op (r))
    fprintf (f, "%s\"us in the queue\":%.3f,\"clock\":\"%s\"", comma,
	     begin > r->start ? (begin - r->start) / 1e3 : 0.0, r->exact ? "device" : "host");
  if (!over)
    fprintf (f, "%s\"unfinished\":true", is_op (r) ? "," : comma);
  fputc ('}', f);
}

static void
write_slice (struct writer *w, const struct gomp_trace_record *r, int pid, unsigned tid,
	     uint64_t begin, uint64_t end, bool over)
{
  const char *fn = gomp_load_relaxed (&r->xfn);	/* relaxed: names live for ever */
  const char *name = r->what != NULL ? r->what : names[r->kind];

  if (is_op (r) && fn != NULL)
    begin_event (w, "X", fn, NULL, pid, tid);
  else
    begin_event (w, "X", name, fn, pid, tid);
  fprintf (w->f, ",\"cat\":\"%s\",\"ts\":", categories[r->kind]);
  write_time (w->f, begin);
  fprintf (w->f, ",\"dur\":%.3f", (end - begin) / 1e3);
  write_args (w, r, over, begin, end);
  fputc ('}', w->f);
}

/* One end of an arrow, bound to the slice that is there at TIME.  */
static void
write_arrow (struct writer *w, const char *phase, int pid, unsigned tid, uint64_t time)
{
  begin_event (w, phase, "launch", NULL, pid, tid);
  fprintf (w->f, ",\"cat\":\"launch\",\"id\":%lu,\"ts\":", w->flows);
  write_time (w->f, time);
  fputs (*phase == 'f' ? ",\"bp\":\"e\"}" : "}", w->f);
}

/* A deferred task is on no thread's track.  */
static void
write_task (struct writer *w, const struct gomp_trace_record *r, uint64_t end, bool over)
{
  const char *fn = gomp_load_relaxed (&r->xfn);	/* relaxed: names live for ever */
  const char *name = r->what != NULL ? r->what : names[r->kind];

  w->flows++;
  for (int last = 0; last < 2; last++)
    {
      begin_event (w, last ? "e" : "b", name, fn, w->pid, 0);
      fprintf (w->f, ",\"cat\":\"task\",\"id\":%lu,\"ts\":", w->flows);
      write_time (w->f, last ? end : r->start);
      if (!last)
	write_args (w, r, over, r->start, end);
      fputc ('}', w->f);
    }
}

static void
write_span (struct writer *w, const struct gomp_trace_record *r, int tid)
{
  uint64_t end = gomp_load_acquire (&r->xend);	/* acquire: a whole record */
  bool over = end != 0;
  if (!over || end < r->start)
    end = w->now > r->start ? w->now : r->start;
  if (r->kind == GOMP_TRACE_TASK)
    write_task (w, r, end, over);
  else
    write_slice (w, r, w->pid, tid, r->start, end, over);
}

/* ---- operations ---- */

struct op
{
  const struct gomp_trace_record *r;
  int tid;			/* of the thread that enqueued it */
  bool over;
  uint64_t end;
};

static int
by_queue (const void *a, const void *b)
{
  const struct gomp_trace_record *x = ((const struct op *) a)->r, *y = ((const struct op *) b)->r;
  if (x->device != y->device)
    return x->device < y->device ? -1 : 1;
  if (x->queue != y->queue)
    return x->queue < y->queue ? -1 : 1;
  return x->start < y->start ? -1 : x->start > y->start;
}

static inline bool
same_queue (const struct op *a, const struct op *b)
{
  return a->r->device == b->r->device && a->r->queue == b->r->queue;
}

/* When the operations ended.  A queue is in order: one whose end was seen late, or never, was over
   when the next one was.  */
static void
find_ends (struct writer *w, struct op *ops, size_t n)
{
  for (size_t i = n; i-- > 0; )
    {
      struct op *op = &ops[i], *next = i + 1 < n && same_queue (op, op + 1) ? op + 1 : NULL;
      op->end = gomp_load_acquire (&op->r->xend);	/* acquire: begin, exact */
      op->over = op->end != 0;
      if (next != NULL && next->over && (!op->over || op->end > next->end))
	{
	  op->over = true;
	  op->end = next->end;
	}
      if (!op->over || op->end < op->r->start)
	op->end = op->over || w->now < op->r->start ? op->r->start : w->now;
    }
}

static void
write_ops (struct writer *w, struct op *ops, size_t n)
{
  uint64_t last_begin = 0, last_end = 0;

  if (n > 1)
    qsort (ops, n, sizeof (ops[0]), by_queue);
  find_ends (w, ops, n);
  for (size_t i = 0; i < n; i++)
    {
      const struct gomp_trace_record *r = ops[i].r;
      int pid = device_pid (w, r->device);
      if (i == 0 || !same_queue (&ops[i], &ops[i - 1]))
	{
	  char name[32];
	  snprintf (name, sizeof (name), "queue %u", r->queue);
	  write_label (w, "thread_name", pid, r->queue, name);
	  write_order (w, "thread_sort_index", pid, r->queue, r->queue);
	  last_begin = last_end = 0;
	}
      uint64_t begin = r->start, end = ops[i].end;
      if (r->exact && r->begin > begin && r->kind != GOMP_TRACE_QUEUE_WAIT)
	begin = r->begin;
      if (begin < last_end && (r->exact || last_end < end))
	begin = last_end;
      else if (begin < last_begin)
	begin = last_begin;	/* nested in the one before, which was put off */
      if (end < begin)
	end = begin;
      last_begin = begin;
      last_end = end;
      write_slice (w, r, pid, r->queue, begin, end, ops[i].over);
      if (r->kind == GOMP_TRACE_KERNEL)
	{
	  w->flows++;
	  write_arrow (w, "s", w->pid, ops[i].tid, r->start);
	  write_arrow (w, "f", pid, r->queue, begin);
	}
    }
}

/* ---- the file ---- */

static void
write_devices (struct writer *w)
{
  int n = gomp_num_devices ();
  for (int i = 0; i < n; i++)
    {
      const struct gomp_device *dev = gomp_device_at (i);
      char name[160];
      snprintf (name, sizeof (name), "device %d: %s (%s)", i, dev->attr.name, dev->ops->name);
      write_label (w, "process_name", device_pid (w, i), 0, name);
      write_order (w, "process_sort_index", device_pid (w, i), 0, i + 1);
    }
}

/* Everything but the operations, which are collected in OPS, of which *N (in: how many there is
   room for; out: how many there are).  */
static void
write_threads (struct writer *w, struct op *ops, size_t *n)
{
  size_t room = *n;

  *n = 0;
  /* Acquire, here and below: what is pointed to.  */
  for (struct gomp_trace_buffer *b = gomp_load_acquire (&gomp_trace.xbuffers); b != NULL; b = b->next)
    {
      char name[64];
      snprintf (name, sizeof (name), "%s (%d)", b->name, b->tid);
      write_label (w, "thread_name", w->pid, b->tid, name);
      for (struct gomp_trace_chunk *c = b->first; c != NULL; c = gomp_load_acquire (&c->xnext))
	{
	  unsigned used = gomp_load_acquire (&c->xused);
	  for (unsigned i = 0; i < used; i++)
	    if (!is_op (&c->records[i]))
	      write_span (w, &c->records[i], b->tid);
	    else if (*n < room)
	      {
		ops[*n].r = &c->records[i];
		ops[(*n)++].tid = b->tid;
	      }
	}
    }
}

static size_t
count_records (void)
{
  size_t n = 0;
  /* Acquire: what is pointed to.  */
  for (struct gomp_trace_buffer *b = gomp_load_acquire (&gomp_trace.xbuffers); b != NULL; b = b->next)
    for (struct gomp_trace_chunk *c = b->first; c != NULL; c = gomp_load_acquire (&c->xnext))
      n += gomp_load_acquire (&c->xused);
  return n;
}

static void
write_timeline (FILE *f)
{
  struct writer w = { .f = f, .pid = gomp_trace.owner, .now = gomp_now_ns () };
  size_t n = count_records ();
  struct op *ops = malloc ((n + 1) * sizeof (ops[0]));
  char name[128];

  if (ops == NULL)
    n = 0;
  fputs ("{\"traceEvents\":[\n", f);
  snprintf (name, sizeof (name), "%s: the host", program_invocation_short_name);
  write_label (&w, "process_name", w.pid, 0, name);
  write_order (&w, "process_sort_index", w.pid, 0, 0);
  if (n > 0)
    write_devices (&w);
  write_threads (&w, ops, &n);
  write_ops (&w, ops, n);
  /* Relaxed: statistics.  */
  fprintf (f, "\n],\n\"displayTimeUnit\":\"ns\",\n\"otherData\":{\"version\":\"gompx %s\","
	   "\"program\":", PACKAGE_VERSION);
  write_text (f, program_invocation_name);
  fprintf (f, ",\"dropped events\":%llu}}\n",
	   (unsigned long long) gomp_load_relaxed (&gomp_trace.xdropped));
  free (ops);
}

/* Where the timeline goes to.  Of a pipe the reader may be slow, but if it takes nothing for so long, or
   nobody opens the other end, the program does not wait for it: it is about to end.  */
#define PATIENCE_MS 3000
struct sink
{
  int fd;
  int error;			/* the first one; nothing is tried after it */
};

static ssize_t
sink_write (void *cookie, const char *text, size_t size)
{
  struct sink *sink = cookie;
  size_t done = 0;

  while (done < size && sink->error == 0)
    {
      struct pollfd p = { .fd = sink->fd, .events = POLLOUT };
      ssize_t n = write (sink->fd, text + done, size - done);
      if (n > 0)
	done += n;
      else if (n == 0)
	sink->error = EIO;
      else if (errno == EAGAIN)
	{
	  if (poll (&p, 1, PATIENCE_MS) == 0)
	    sink->error = ETIMEDOUT;
	}
      else if (errno != EINTR)
	sink->error = errno;
    }
  return done;
}

static int
open_sink (const char *path)
{
  enum { NAP_MS = 10 };
  for (int waited = 0; ; waited += NAP_MS)
    {
      int fd = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
      /* Nobody has opened the other end of a named pipe.  */
      if (fd >= 0 || errno != ENXIO || waited >= PATIENCE_MS)
	return fd;
      poll (NULL, 0, NAP_MS);
    }
}

static int
write_to (const char *path, void (*content) (FILE *))
{
  static const cookie_io_functions_t functions = { .write = sink_write };
  struct gomp_write_guard guard;
  struct sink sink = { .fd = open_sink (path) };
  if (sink.fd < 0)
    return errno;
  FILE *f = fopencookie (&sink, "w", functions);
  if (f == NULL)
    {
      close (sink.fd);
      return ENOMEM;
    }
  gomp_write_guard_begin (&guard);
  content (f);
  bool wrong = ferror (f) != 0;
  wrong |= fclose (f) != 0;
  if (close (sink.fd) != 0 && errno != EINTR && sink.error == 0)
    sink.error = errno;
  gomp_write_guard_end (&guard);
  return sink.error != 0 ? sink.error : wrong ? EIO : 0;
}

static void
write_nothing (FILE *f)
{
  fputs ("{\"traceEvents\":[]}\n", f);
}

int
gomp_trace_write (const char *path)
{
  int saved = errno, error = write_to (path, write_timeline);
  if (error != 0)
    /* A part of it is no JSON.  */
    gomp_trace_write_empty (path);
  errno = saved;
  return error;
}

int
gomp_trace_write_empty (const char *path)
{
  struct stat st;
  int saved = errno, error = 0;
  /* Pipes and terminals get the timeline only.  */
  if (stat (path, &st) != 0 || S_ISREG (st.st_mode))
    error = write_to (path, write_nothing);
  errno = saved;
  return error;
}
