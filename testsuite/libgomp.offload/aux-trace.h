/* aux-trace.h -- for tests of GOMP_TRACE: runs the test program again with a trace, and reads the
   file with a strict parser of JSON.

   main calls traced_run (argc, argv, "file.json"): in the second process it answers false, and the
   test does what is to be traced; in the first one it answers true when that has ended, and the
   events are in EVENTS.  */

#ifndef AUX_TRACE_H
#define AUX_TRACE_H 1

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct trace_event
{
  char ph, name[256], cat[32], why[256], called[256], label[256], clock[16];
  double ts, dur, pid, tid, id, bytes, items, device;
  bool has_ts, has_dur, has_args, unfinished;
};

enum { MAX_EVENTS = 20000 };
static struct trace_event events[MAX_EVENTS];
static int num_events;
static double trace_dropped = -1;
static int traced_status;	/* as of waitpid */

/* ---- JSON ---- */

static const char *json_start, *json;

static void __attribute__ ((noreturn))
json_wrong (const char *what)
{
  printf ("the trace is no JSON: %s at byte %d: %.60s\n", what, (int) (json - json_start), json);
  exit (1);
}

static void
json_space (void)
{
  while (*json == ' ' || *json == '\n' || *json == '\t' || *json == '\r')
    json++;
}

static void
json_expect (char c)
{
  json_space ();
  if (*json != c)
    json_wrong (c == ':' ? "no colon" : c == '"' ? "no text" : "a bracket or comma is missing");
  json++;
}

/* Cut to SIZE - 1 bytes.  */
static void
json_text (char *out, size_t size)
{
  size_t n = 0;
  json_expect ('"');
  while (*json != '"')
    {
      unsigned c = (unsigned char) *json++;
      if (c < 0x20)
	json_wrong ("control character in a text");
      if (c == '\\')
	{
	  c = (unsigned char) *json++;
	  if (c == 'u')
	    {
	      unsigned value = 0;
	      for (int i = 0; i < 4; i++, json++)
		{
		  if (!isxdigit ((unsigned char) *json))
		    json_wrong ("bad \\u");
		  value = value * 16 + (isdigit ((unsigned char) *json) ? *json - '0'
					: tolower ((unsigned char) *json) - 'a' + 10);
		}
	      c = value < 256 ? value : '?';
	    }
	  else if (c == 'n' || c == 't' || c == 'r' || c == 'b' || c == 'f')
	    c = ' ';
	  else if (c != '"' && c != '\\' && c != '/')
	    json_wrong ("bad escape");
	}
      else if (c >= 0x80)
	{
	  /* The rest of a character of UTF-8.  */
	  int more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : c >= 0xc2 ? 1 : 0;
	  if (more == 0)
	    json_wrong ("bad UTF-8");
	  while (more-- > 0)
	    if (((unsigned char) *json++ & 0xc0) != 0x80)
	      json_wrong ("bad UTF-8");
	}
      if (n + 1 < size)
	out[n++] = c;
    }
  json++;
  out[n] = 0;
}

static double
json_number (void)
{
  const char *p = json;
  char *end;
  p += *p == '-';
  if (!isdigit ((unsigned char) *p) || (*p == '0' && isdigit ((unsigned char) p[1])))
    json_wrong ("bad number");
  while (isdigit ((unsigned char) *p))
    p++;
  if (*p == '.')
    {
      if (!isdigit ((unsigned char) *++p))
	json_wrong ("bad number");
      while (isdigit ((unsigned char) *p))
	p++;
    }
  if (*p == 'e' || *p == 'E')
    json_wrong ("exponent");
  double value = strtod (json, &end);
  if (end != p)
    json_wrong ("bad number");
  json = p;
  return value;
}

/* A value named KEY at LEVEL; E: the event that it belongs to, or NULL.  */
static void
json_value (const char *key, int level, struct trace_event *e)
{
  char text[512], inner[64];

  json_space ();
  switch (*json)
    {
    case '{':
      json++;
      json_space ();
      if (level == 2)
	{
	  if (num_events == MAX_EVENTS)
	    json_wrong ("too many events for the test");
	  e = &events[num_events++];
	}
      else if (e != NULL && strcmp (key, "args") == 0)
	e->has_args = true;
      if (*json == '}')
	{
	  json++;
	  return;
	}
      for (;;)
	{
	  json_text (inner, sizeof (inner));
	  json_expect (':');
	  json_value (inner, level + 1, e);
	  json_space ();
	  if (*json != ',')
	    break;
	  json++;
	}
      json_expect ('}');
      return;
    case '[':
      json++;
      json_space ();
      if (*json == ']')
	{
	  json++;
	  return;
	}
      for (;;)
	{
	  json_value (key, level + 1, e);
	  json_space ();
	  if (*json != ',')
	    break;
	  json++;
	}
      json_expect (']');
      return;
    case '"':
      json_text (text, sizeof (text));
      if (e == NULL)
	return;
#define TEXT(field, its_level, name)					\
      if (level == its_level && strcmp (key, name) == 0)		\
	snprintf (e->field, sizeof (e->field), "%s", text);
      TEXT (name, 3, "name")
      TEXT (cat, 3, "cat")
      TEXT (why, 4, "why")
      TEXT (called, 4, "called from")
      TEXT (label, 4, "name")
      TEXT (clock, 4, "clock")
      if (level == 3 && strcmp (key, "ph") == 0)
	e->ph = text[0];
      return;
    case 't':
      if (strncmp (json, "true", 4) != 0)
	json_wrong ("a word");
      json += 4;
      if (e != NULL && strcmp (key, "unfinished") == 0)
	e->unfinished = true;
      return;
    default:
      {
	double value = json_number ();
	if (strcmp (key, "dropped events") == 0)
	  trace_dropped = value;
	if (e == NULL)
	  return;
#define NUMBER(field, its_level, name)				\
	if (level == its_level && strcmp (key, name) == 0)	\
	  e->field = value;
	NUMBER (ts, 3, "ts")
	NUMBER (dur, 3, "dur")
	NUMBER (pid, 3, "pid")
	NUMBER (tid, 3, "tid")
	NUMBER (id, 3, "id")
	NUMBER (bytes, 4, "bytes")
	NUMBER (items, 4, "items")
	NUMBER (device, 4, "device")
	e->has_ts |= level == 3 && strcmp (key, "ts") == 0;
	e->has_dur |= level == 3 && strcmp (key, "dur") == 0;
      }
    }
}

static void
read_trace (const char *path)
{
  FILE *f = fopen (path, "r");
  if (f == NULL)
    {
      perror (path);
      exit (1);
    }
  fseek (f, 0, SEEK_END);
  long size = ftell (f);
  rewind (f);
  char *text = calloc (1, size + 1);
  if (text == NULL || (long) fread (text, 1, size, f) != size)
    {
      printf ("%s cannot be read\n", path);
      exit (1);
    }
  fclose (f);
  json_start = json = text;
  memset (events, 0, (size_t) num_events * sizeof (events[0]));
  num_events = 0;
  json_value ("", 0, NULL);
  json_space ();
  if (*json != 0)
    json_wrong ("something behind the end");
  free (text);
}

/* ---- what every trace has to be like ---- */

static int
by_track (const void *a, const void *b)
{
  const struct trace_event *x = *(struct trace_event *const *) a;
  const struct trace_event *y = *(struct trace_event *const *) b;
  if (x->pid != y->pid)
    return x->pid < y->pid ? -1 : 1;
  if (x->tid != y->tid)
    return x->tid < y->tid ? -1 : 1;
  if (x->ts != y->ts)
    return x->ts < y->ts ? -1 : 1;
  return x->dur > y->dur ? -1 : x->dur < y->dur;
}

/* Slices of a track are disjoint or nested, each has its fields, arrows have two ends.  */
static bool
trace_is_sound (void)
{
  enum { DEEP = 64 };
  static struct trace_event *slices[MAX_EVENTS];
  double ends[DEEP];
  int n = 0, depth = 0, starts = 0, finishes = 0;

  for (int i = 0; i < num_events; i++)
    {
      struct trace_event *e = &events[i];
      if (e->name[0] == 0 || (e->ph != 'M' && (!e->has_ts || e->cat[0] == 0 || e->ts < 0)))
	{
	  printf ("event %d (%c %s) lacks something\n", i, e->ph, e->name);
	  return false;
	}
      starts += e->ph == 's';
      finishes += e->ph == 'f';
      if (e->ph == 'X')
	{
	  if (!e->has_dur || e->dur < 0)
	    {
	      printf ("event %d (%s) has no duration\n", i, e->name);
	      return false;
	    }
	  slices[n++] = e;
	}
    }
  qsort (slices, n, sizeof (slices[0]), by_track);
  for (int i = 0; i < n; i++)
    {
      struct trace_event *e = slices[i];
      if (i == 0 || e->pid != slices[i - 1]->pid || e->tid != slices[i - 1]->tid)
	depth = 0;
      /* Times have three digits behind the point.  */
      while (depth > 0 && ends[depth - 1] <= e->ts + 0.0005)
	depth--;
      if (depth > 0 && e->ts + e->dur > ends[depth - 1] + 0.0015)
	{
	  printf ("%s [%.3f, %.3f] is partly in a slice that ends at %.3f\n", e->name, e->ts,
		  e->ts + e->dur, ends[depth - 1]);
	  return false;
	}
      if (depth < DEEP)
	ends[depth++] = e->ts + e->dur;
    }
  if (starts != finishes)
    {
      printf ("%d arrows start, %d end\n", starts, finishes);
      return false;
    }
  return true;
}

/* The number of slices and task begins with this category and, if not NULL, a name that contains
   NAME; *FIRST (if not NULL) is the first one.  */
static int
count_events (const char *cat, const char *name, struct trace_event **first)
{
  int n = 0;
  for (int i = 0; i < num_events; i++)
    if ((events[i].ph == 'X' || events[i].ph == 'b') && strcmp (events[i].cat, cat) == 0
	&& (name == NULL || strstr (events[i].name, name) != NULL) && n++ == 0 && first != NULL)
      *first = &events[i];
  return n;
}

/* Is there a process or thread with a label that begins so?  */
static bool
has_label (const char *what, const char *label)
{
  for (int i = 0; i < num_events; i++)
    if (events[i].ph == 'M' && strcmp (events[i].name, what) == 0
	&& strncmp (events[i].label, label, strlen (label)) == 0)
      return true;
  return false;
}

static bool
traced_run (int argc, char **argv, const char *value, const char *path)
{
  (void) argc;
  if (getenv ("AUX_TRACED") != NULL)
    return false;
  fflush (stdout);
  pid_t child = fork ();
  if (child == 0)
    {
      setenv ("AUX_TRACED", "1", 1);
      setenv ("GOMP_TRACE", value, 1);
      execv ("/proc/self/exe", argv);
      _exit (126);
    }
  if (child < 0 || waitpid (child, &traced_status, 0) != child)
    {
      perror ("the traced program");
      exit (1);
    }
  char name[4096];
  snprintf (name, sizeof (name), path, (int) child);
  read_trace (name);
  if (!trace_is_sound ())
    exit (1);
  return true;
}

#endif /* AUX_TRACE_H */
