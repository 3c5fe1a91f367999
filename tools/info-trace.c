/* info-trace.c -- gompx-info --trace: reads a timeline that GOMP_TRACE wrote, checks it, and sums it up.

   Two steps.  The file is read as JSON, to the letter of RFC 8259 and with UTF-8 checked, into an array of
   events that keep only what is used here; anything else in it is skipped, so that files of later versions
   can be read.  Then the events are sorted by track.  The slices of a track must be disjoint or nested;
   so a track is busy while its outermost slices last.

   Nothing is believed of a file: it may be cut off, edited, or not a timeline at all.  The first
   thing that is wrong is told with its place, and nothing is summed up then.  Memory is taken in
   proportion to the file's size.

   Invariants
   1. A reader that has met something wrong has p == end and wrong != NULL; every step stops there.
   2. Texts of events point into the reader's arena, which is freed last.  The arena is no longer than
      the file, and does not move.  */

#include "tools/info-trace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_NESTED = 64 };

/* One event.  Numbers that are not there are NAN_FIELD.  */
struct event
{
  char phase;			/* X slice, M label, s and f ends of an arrow, b and e of a task */
  bool unfinished;
  const char *name, *cat, *why, *label;	/* NULL: not there */
  double ts, dur, pid, tid, id, bytes;
};

#define NO_NUMBER (-1.0)	/* no field that is used here may be negative */

struct reader
{
  const char *file;
  const unsigned char *start, *p, *end;
  const char *wrong;		/* what is; NULL: nothing */
  size_t wrong_at;
  char *arena, *arena_next;	/* decoded texts */
  struct event *events;
  size_t num_events, room;
  bool has_events;		/* there is a list of them */
  const char *version, *program;
  double dropped;
};

static void
set_wrong (struct reader *r, const char *what)
{
  if (r->wrong != NULL)
    return;
  r->wrong = what;
  r->wrong_at = r->p - r->start;
  r->p = r->end;
}

/* ---- JSON ---- */

static inline int
peek (struct reader *r)
{
  while (r->p < r->end && (*r->p == ' ' || *r->p == '\n' || *r->p == '\t' || *r->p == '\r'))
    r->p++;
  return r->p < r->end ? *r->p : -1;
}

/* Is the next thing C?  Then it is read.  */
static bool
take (struct reader *r, char c)
{
  if (peek (r) != c)
    return false;
  r->p++;
  return true;
}

static void
demand (struct reader *r, char c, const char *otherwise)
{
  if (!take (r, c))
    set_wrong (r, otherwise);
}

/* Four hexadecimal digits; -1: there are none.  */
static int
take_hex (struct reader *r)
{
  int value = 0;
  for (int i = 0; i < 4; i++, r->p++)
    {
      int c = r->p < r->end ? *r->p : 0;
      int digit = (c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10
		   : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1);
      if (digit < 0)
	return -1;
      value = value * 16 + digit;
    }
  return value;
}

/* Add the character CODE to the arena.  No character takes more bytes than the file has for it.  */
static void
put_character (struct reader *r, unsigned code)
{
  unsigned char *to = (unsigned char *) r->arena_next;
  if (code < 0x80)
    *to++ = code;
  else if (code < 0x800)
    {
      *to++ = 0xc0 | code >> 6;
      *to++ = 0x80 | (code & 0x3f);
    }
  else if (code < 0x10000)
    {
      *to++ = 0xe0 | code >> 12;
      *to++ = 0x80 | (code >> 6 & 0x3f);
      *to++ = 0x80 | (code & 0x3f);
    }
  else
    {
      *to++ = 0xf0 | code >> 18;
      *to++ = 0x80 | (code >> 12 & 0x3f);
      *to++ = 0x80 | (code >> 6 & 0x3f);
      *to++ = 0x80 | (code & 0x3f);
    }
  r->arena_next = (char *) to;
}

/* What follows a backslash.  */
static void
read_escape (struct reader *r)
{
  static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
  int c = r->p < r->end ? *r->p++ : 0;
  const char *found = c != 0 ? strchr (names, c) : NULL;

  if (found != NULL)
    {
      put_character (r, (unsigned char) values[found - names]);
      return;
    }
  int code = c == 'u' ? take_hex (r) : -1;
  if (code >= 0xd800 && code < 0xdc00)
    {
      /* A character in two parts.  */
      int low = -1;
      if (r->end - r->p >= 2 && r->p[0] == '\\' && r->p[1] == 'u')
	{
	  r->p += 2;
	  low = take_hex (r);
	}
      code = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : -1;
    }
  else if (code >= 0xdc00 && code < 0xe000)
    code = -1;
  if (code < 0)
    set_wrong (r, "what follows a backslash means nothing");
  else
    put_character (r, code == 0 ? 0xfffd : code);	/* texts here end at a zero */
}

/* A character of UTF-8 of more than one byte.  */
static void
read_utf8 (struct reader *r)
{
  unsigned c = *r->p, more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : 1;
  static const unsigned least[] = { 0, 0x80, 0x800, 0x10000 };
  unsigned code = c & (0x3f >> more);

  if (c < 0xc2 || c > 0xf4 || (size_t) (r->end - r->p) <= more)
    {
      set_wrong (r, "a text that is not UTF-8");
      return;
    }
  for (unsigned i = 1; i <= more; i++)
    {
      if ((r->p[i] & 0xc0) != 0x80)
	{
	  set_wrong (r, "a text that is not UTF-8");
	  return;
	}
      code = code << 6 | (r->p[i] & 0x3f);
    }
  if (code < least[more] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
    {
      set_wrong (r, "a text that is not UTF-8");
      return;
    }
  r->p += more + 1;
  put_character (r, code);
}

/* A text, decoded; it ends with a zero.  */
static const char *
read_text (struct reader *r)
{
  const char *text = r->arena_next;

  demand (r, '"', "a text is missing");
  for (;;)
    {
      if (r->p >= r->end)
	{
	  set_wrong (r, "a text does not end");
	  return "";
	}
      if (*r->p == '"')
	break;
      if (*r->p < 0x20)
	set_wrong (r, "a control character in a text");
      else if (*r->p == '\\')
	{
	  r->p++;
	  read_escape (r);
	}
      else if (*r->p < 0x80)
	*r->arena_next++ = *r->p++;
      else
	read_utf8 (r);
    }
  r->p++;
  *r->arena_next++ = 0;		/* there were two quotes */
  return text;
}

static bool
is_digit (const struct reader *r)
{
  return r->p < r->end && *r->p >= '0' && *r->p <= '9';
}

static void
skip_digits (struct reader *r)
{
  if (!is_digit (r))
    set_wrong (r, "a number lacks a digit");
  while (is_digit (r))
    r->p++;
}

static double
read_number (struct reader *r)
{
  char digits[64];
  const unsigned char *from = r->p;

  if (*r->p == '-')
    r->p++;
  if (r->p < r->end && *r->p == '0')
    r->p++;
  else
    skip_digits (r);
  if (is_digit (r))
    set_wrong (r, "a number begins with 0");
  if (r->p < r->end && *r->p == '.')
    {
      r->p++;
      skip_digits (r);
    }
  if (r->p < r->end && (*r->p == 'e' || *r->p == 'E'))
    {
      r->p++;
      if (r->p < r->end && (*r->p == '+' || *r->p == '-'))
	r->p++;
      skip_digits (r);
    }
  if (r->wrong != NULL)
    return 0;
  if ((size_t) (r->p - from) >= sizeof (digits))
    {
      r->p = from;
      set_wrong (r, "a number of too many digits");
      return 0;
    }
  memcpy (digits, from, r->p - from);
  digits[r->p - from] = 0;
  double value = strtod (digits, NULL);
  if (value > 1e300 || value < -1e300)
    set_wrong (r, "a number that is too large");
  return value;
}

static void
read_word (struct reader *r, const char *word)
{
  size_t n = strlen (word);
  if ((size_t) (r->end - r->p) < n || memcmp (r->p, word, n) != 0)
    set_wrong (r, "a value is missing");
  else
    r->p += n;
}

/* A value whose contents do not matter.  */
static void
skip_value (struct reader *r, int depth)
{
  int c = peek (r);

  if (depth > MOST_NESTED)
    set_wrong (r, "nested too deeply");
  else if (c == '"')
    r->arena_next = (char *) read_text (r);
  else if (c == '-' || (c >= '0' && c <= '9'))
    read_number (r);
  else if (c == 't' || c == 'f' || c == 'n')
    read_word (r, c == 't' ? "true" : c == 'f' ? "false" : "null");
  else if (c == '[' || c == '{')
    {
      char last = c == '[' ? ']' : '}';
      r->p++;
      if (take (r, last))
	return;
      do
	{
	  if (c == '{')
	    {
	      r->arena_next = (char *) read_text (r);
	      demand (r, ':', "a colon is missing");
	    }
	  skip_value (r, depth + 1);
	}
      while (r->wrong == NULL && take (r, ','));
      demand (r, last, "a comma or bracket is missing");
    }
  else
    set_wrong (r, "a value is missing");
}

/* ---- events ---- */

/* The values of one object: KEY has been read.  False: unknown, skip it.  */
typedef bool (*field_fn) (struct reader *, const char *key, struct event *);

static void
read_object (struct reader *r, field_fn field, struct event *event, int depth)
{
  demand (r, '{', "an object is missing");
  if (r->wrong != NULL || take (r, '}'))
    return;
  do
    {
      char *before = r->arena_next;
      const char *key = read_text (r);
      demand (r, ':', "a colon is missing");
      if (r->wrong != NULL)
	return;
      /* The key stays in the arena if a text of its object does.  */
      if (!field (r, key, event))
	{
	  r->arena_next = before;
	  skip_value (r, depth + 1);
	}
    }
  while (r->wrong == NULL && take (r, ','));
  demand (r, '}', "a comma or bracket is missing");
}

static bool
text_field (struct reader *r, const char *key, const char *name, const char **field)
{
  if (strcmp (key, name) != 0)
    return false;
  *field = read_text (r);
  return true;
}

static bool
number_field (struct reader *r, const char *key, const char *name, double *field)
{
  if (strcmp (key, name) != 0)
    return false;
  int c = peek (r);
  if (c != '-' && (c < '0' || c > '9'))
    {
      set_wrong (r, "a number is missing");
      return true;
    }
  const unsigned char *from = r->p;
  double value = read_number (r);
  if (value < 0)
    {
      r->p = from;
      set_wrong (r, "a number is negative");
    }
  *field = value;
  return true;
}

static bool
argument (struct reader *r, const char *key, struct event *e)
{
  if (strcmp (key, "unfinished") == 0)
    {
      e->unfinished = true;
      return false;
    }
  /* Only labels of processes and threads have a name here.  */
  return (text_field (r, key, "why", &e->why) || text_field (r, key, "name", &e->label)
	  || number_field (r, key, "bytes", &e->bytes));
}

static bool
event_field (struct reader *r, const char *key, struct event *e)
{
  const char *phase;
  if (strcmp (key, "args") == 0)
    {
      read_object (r, argument, e, 3);
      return true;
    }
  if (text_field (r, key, "ph", &phase))
    {
      if (phase[0] == 0 || phase[1] != 0 || strchr ("XMsfbe", phase[0]) == NULL)
	set_wrong (r, "an event of unknown kind");
      e->phase = phase[0];
      return true;
    }
  return (text_field (r, key, "name", &e->name) || text_field (r, key, "cat", &e->cat)
	  || number_field (r, key, "ts", &e->ts) || number_field (r, key, "dur", &e->dur)
	  || number_field (r, key, "pid", &e->pid) || number_field (r, key, "tid", &e->tid)
	  || number_field (r, key, "id", &e->id));
}

static void
read_event (struct reader *r)
{
  if (r->num_events == r->room)
    {
      size_t room = r->room == 0 ? 256 : 2 * r->room;
      struct event *more = realloc (r->events, room * sizeof (*more));
      if (more == NULL)
	{
	  set_wrong (r, "there is not enough memory for what follows");
	  return;
	}
      r->events = more;
      r->room = room;
    }
  struct event *e = &r->events[r->num_events++];
  *e = (struct event) { .ts = NO_NUMBER, .dur = NO_NUMBER, .pid = NO_NUMBER, .tid = NO_NUMBER,
			.id = NO_NUMBER, .bytes = NO_NUMBER };
  peek (r);
  const unsigned char *from = r->p;
  read_object (r, event_field, e, 2);
  if (r->wrong != NULL)
    return;
  const char *lacks = (e->phase == 0 ? "an event has no kind" : e->name == NULL ? "an event has no name"
		       : e->pid < 0 || e->tid < 0 ? "an event belongs to no track"
		       : e->phase == 'M' ? NULL
		       : e->ts < 0 || e->cat == NULL ? "an event has no time or category"
		       : e->phase == 'X' ? (e->dur < 0 ? "an event has no duration" : NULL)
		       : e->id < 0 ? "an end of an arrow or task has no number" : NULL);
  if (lacks != NULL)
    {
      r->p = from;
      set_wrong (r, lacks);
    }
}

static bool
other_data (struct reader *r, const char *key, struct event *e)
{
  (void) e;
  return (text_field (r, key, "version", &r->version) || text_field (r, key, "program", &r->program)
	  || number_field (r, key, "dropped events", &r->dropped));
}

static bool
file_field (struct reader *r, const char *key, struct event *e)
{
  if (strcmp (key, "otherData") == 0)
    {
      read_object (r, other_data, e, 1);
      return true;
    }
  if (strcmp (key, "traceEvents") != 0)
    return false;
  r->has_events = true;
  demand (r, '[', "a list of events is missing");
  if (r->wrong != NULL || take (r, ']'))
    return true;
  do
    read_event (r);
  while (r->wrong == NULL && take (r, ','));
  demand (r, ']', "a comma or bracket is missing");
  return true;
}

static void
read_file (struct reader *r)
{
  read_object (r, file_field, NULL, 0);
  if (r->wrong == NULL && peek (r) >= 0)
    set_wrong (r, "there is something behind the end");
  if (r->wrong == NULL && !r->has_events)
    set_wrong (r, "it has no list of events");
}

/* ---- order ---- */

static int
compare (double a, double b)
{
  return a < b ? -1 : a > b;
}

/* Slices by track and time, the outer one first; then everything else.  */
static int
by_track (const void *a, const void *b)
{
  const struct event *x = a, *y = b;
  int c = (x->phase != 'X') - (y->phase != 'X');
  if (c == 0)
    c = compare (x->pid, y->pid);
  if (c == 0)
    c = compare (x->tid, y->tid);
  if (c == 0)
    c = compare (x->ts, y->ts);
  return c != 0 ? c : compare (y->dur, x->dur);
}

/* Arrows and tasks: both ends side by side, the first one first.  */
static int
by_pair (const void *a, const void *b)
{
  const struct event *x = *(const struct event *const *) a, *y = *(const struct event *const *) b;
  int c = strcmp (x->cat, y->cat);
  if (c == 0)
    c = compare (x->id, y->id);
  return c != 0 ? c : compare (x->phase == 'f' || x->phase == 'e', y->phase == 'f' || y->phase == 'e');
}

static bool
complain (const struct reader *r, const struct event *e, const char *what)
{
  fprintf (stderr, "gompx-info: %s: \"%s\" at %.3f us: %s\n", r->file, e->name, e->ts, what);
  return false;
}

/* Do arrows and tasks have two ends each?  */
static bool
check_pairs (const struct reader *r, const struct event *from, size_t n)
{
  const struct event **ends = malloc ((n + 1) * sizeof (*ends));
  bool good = ends != NULL;
  size_t m = 0;

  if (ends == NULL)
    {
      fprintf (stderr, "gompx-info: %s: there is not enough memory\n", r->file);
      return false;
    }
  for (size_t i = 0; i < n; i++)
    if (from[i].phase != 'M')
      ends[m++] = &from[i];
  qsort (ends, m, sizeof (*ends), by_pair);
  for (size_t i = 0; i < m && good; i += 2)
    {
      const struct event *first = ends[i], *second = i + 1 < m ? ends[i + 1] : NULL;
      if (second == NULL || strcmp (first->cat, second->cat) != 0 || first->id != second->id
	  || !((first->phase == 's' && second->phase == 'f')
	       || (first->phase == 'b' && second->phase == 'e')))
	good = complain (r, first, "an arrow or task without both ends");
      else if (second->ts < first->ts && first->phase == 'b')
	good = complain (r, first, "a task ends before it begins");
    }
  free (ends);
  return good;
}

/* Times have three digits behind the point.  */
#define SLACK 0.0021

/* Are the N slices of one track disjoint or nested?  *BUSY (out): how long there is one.  */
static bool
check_track (const struct reader *r, const struct event *slices, size_t n, double *busy)
{
  double ends[MOST_NESTED];
  int depth = 0;

  *busy = 0;
  for (size_t i = 0; i < n; i++)
    {
      double end = slices[i].ts + slices[i].dur;
      while (depth > 0 && ends[depth - 1] <= slices[i].ts + SLACK / 4)
	depth--;
      if (depth == 0)
	*busy += slices[i].dur;
      else if (end > ends[depth - 1] + SLACK)
	return complain (r, &slices[i], "begins in another slice of its track and ends behind it");
      /* Those of one wait are nested as often as there are operations.  */
      if (depth < MOST_NESTED)
	ends[depth++] = end;
    }
  return true;
}

/* ---- the summary ---- */

/* What slices of one kind add up to.  */
struct sum
{
  const char *name;
  unsigned long count;
  double us, longest, bytes;
  bool is_copy;
};

/* Sums by name: few names, many slices.  Not by hash: at most MOST_SUMS of them are told apart.  */
enum { MOST_SUMS = 64 };
struct sums
{
  struct sum v[MOST_SUMS];
  unsigned n;
  struct sum rest;
};

static void
add_up (struct sums *s, const char *name, const struct event *e)
{
  unsigned i = 0;
  while (i < s->n && strcmp (s->v[i].name, name) != 0)
    i++;
  struct sum *sum = i < MOST_SUMS ? &s->v[i] : &s->rest;
  if (i == s->n && i < MOST_SUMS)
    {
      s->n++;
      *sum = (struct sum) { .name = name };
    }
  sum->count++;
  sum->us += e->dur;
  if (e->dur > sum->longest)
    sum->longest = e->dur;
  if (e->bytes > 0)
    sum->bytes += e->bytes;
  sum->is_copy = strcmp (e->cat, "copy") == 0;
}

static int
by_time (const void *a, const void *b)
{
  return compare (((const struct sum *) b)->us, ((const struct sum *) a)->us);
}

/* Of the file: control characters would reach the terminal.  */
static void
print_name (const char *name, int width)
{
  int n = 0;
  for (; *name != 0; name++, n++)
    putchar ((unsigned char) *name < 0x20 || *name == 0x7f ? '?' : *name);
  for (; n < width; n++)
    putchar (' ');
}

static void
print_us (double us)
{
  if (us < 999.5)
    printf ("%.1f us", us);
  else if (us < 999500)
    printf ("%.2f ms", us / 1e3);
  else
    printf ("%.3f s", us / 1e6);
}

static void
print_sums (struct sums *s)
{
  qsort (s->v, s->n, sizeof (s->v[0]), by_time);
  s->rest.name = "(other names)";
  for (unsigned i = 0; i < s->n + (s->rest.count > 0); i++)
    {
      const struct sum *sum = i < s->n ? &s->v[i] : &s->rest;
      printf ("    ");
      print_name (sum->name, 28);
      printf (" %7lu %s ", sum->count, sum->count == 1 ? "time, " : "times,");
      print_us (sum->us);
      if (sum->count > 1)
	{
	  fputs (", the longest ", stdout);
	  print_us (sum->longest);
	}
      if (sum->bytes > 0)
	{
	  printf (", %.0f bytes", sum->bytes);
	  if (sum->us > 0 && sum->is_copy)
	    printf (", %.2f GB/s", sum->bytes / sum->us / 1e3);
	}
      putchar ('\n');
    }
}

/* The label of a process, or of a thread; NULL: none.  */
static const char *
label_of (const struct reader *r, size_t num_slices, const char *what, double pid, double tid)
{
  for (size_t i = num_slices; i < r->num_events; i++)
    {
      const struct event *e = &r->events[i];
      if (e->phase == 'M' && e->pid == pid && e->tid == tid && e->label != NULL
	  && strcmp (e->name, what) == 0)
	return e->label;
    }
  return NULL;
}

static void
print_label (const struct reader *r, size_t num_slices, const char *what, double pid, double tid)
{
  const char *label = label_of (r, num_slices, what, pid, tid);
  if (label != NULL)
    print_name (label, 0);
  else
    printf ("%s %.0f", strcmp (what, "process_name") == 0 ? "process" : "track",
	    strcmp (what, "process_name") == 0 ? pid : tid);
}

/* Reasons why regions ran on the host, each once.  */
static void
print_reasons (const struct event *slices, size_t n)
{
  struct sums reasons = { .n = 0 };
  for (size_t i = 0; i < n; i++)
    if (slices[i].why != NULL && strcmp (slices[i].cat, "fallback") == 0)
      add_up (&reasons, slices[i].why, &slices[i]);
  if (reasons.n == 0)
    return;
  puts ("regions that the host executed, and why");
  print_sums (&reasons);
}

/* The events are sorted, NUM_SLICES come first.  TOTAL is the time from the first to the last.  */
static bool
print_tracks (const struct reader *r, size_t num_slices, double total)
{
  double pid = NO_NUMBER;
  for (size_t i = 0, next; i < num_slices; i = next)
    {
      const struct event *first = &r->events[i];
      struct sums *sums = calloc (1, sizeof (*sums));
      double busy;

      for (next = i; next < num_slices && r->events[next].pid == first->pid
	   && r->events[next].tid == first->tid; next++)
	;
      if (sums == NULL)
	{
	  fprintf (stderr, "gompx-info: %s: there is not enough memory\n", r->file);
	  return false;
	}
      check_track (r, first, next - i, &busy);
      for (size_t k = i; k < next; k++)
	add_up (sums, r->events[k].name, &r->events[k]);
      if (first->pid != pid)
	{
	  print_label (r, num_slices, "process_name", first->pid, 0);
	  putchar ('\n');
	  pid = first->pid;
	}
      fputs ("  ", stdout);
      print_label (r, num_slices, "thread_name", first->pid, first->tid);
      fputs (": busy ", stdout);
      print_us (busy);
      printf (" of ");
      print_us (total);
      printf (" (%.0f %%)\n", total > 0 ? 100 * busy / total : 0.0);
      print_sums (sums);
      free (sums);
    }
  return true;
}

static bool
print_summary (const struct reader *r)
{
  size_t num_slices = 0, unfinished = 0, tasks = 0;
  double first = 0, last = 0, busy;
  bool any = false;

  if (r->num_events > 0)
    qsort (r->events, r->num_events, sizeof (r->events[0]), by_track);
  for (size_t i = 0; i < r->num_events; i++)
    {
      const struct event *e = &r->events[i];
      num_slices += e->phase == 'X';
      unfinished += e->unfinished;
      tasks += e->phase == 'b';
      if (e->phase == 'M')
	continue;
      double end = e->ts + (e->dur > 0 ? e->dur : 0);
      if (!any || e->ts < first)
	first = e->ts;
      if (!any || end > last)
	last = end;
      any = true;
    }
  for (size_t i = 0, next; i < num_slices; i = next)
    {
      const struct event *e = &r->events[i];
      for (next = i; next < num_slices && r->events[next].pid == e->pid
	   && r->events[next].tid == e->tid; next++)
	;
      if (!check_track (r, e, next - i, &busy))
	return false;
    }
  if (!check_pairs (r, r->events + num_slices, r->num_events - num_slices))
    return false;

  fputs ("timeline ", stdout);
  print_name (r->file, 0);
  if (r->program != NULL)
    {
      fputs (" of ", stdout);
      print_name (r->program, 0);
    }
  if (r->version != NULL)
    {
      fputs (", by ", stdout);
      print_name (r->version, 0);
    }
  printf (": %zu events, ", r->num_events);
  print_us (last - first);
  putchar ('\n');
  if (r->num_events == 0)
    puts ("nothing is in it: the program had nothing to do for a device, was killed, or still runs");
  if (r->dropped > 0)
    printf ("%.0f more events were dropped: set GOMP_TRACE_LIMIT to more\n", r->dropped);
  if (unfinished > 0)
    printf ("%zu of them had not ended when the program did\n", unfinished);
  if (tasks > 0)
    printf ("%zu construct%s with nowait belong%s to no thread\n", tasks, tasks == 1 ? "" : "s",
	    tasks == 1 ? "s" : "");
  if (!print_tracks (r, num_slices, last - first))
    return false;
  print_reasons (r->events, num_slices);
  return true;
}

bool
info_print_trace_text (const char *file, const char *text, size_t size)
{
  struct reader r = { .file = file, .start = (const unsigned char *) text };
  bool good = false;

  r.p = r.start;
  r.end = r.start + size;
  r.arena = r.arena_next = malloc (size + 1);
  if (r.arena == NULL)
    fprintf (stderr, "gompx-info: %s: there is not enough memory\n", file);
  else
    {
      read_file (&r);
      if (r.wrong != NULL)
	fprintf (stderr, "gompx-info: %s is no timeline: at byte %zu of %zu: %s\n", file, r.wrong_at,
		 size, r.wrong);
      else
	good = print_summary (&r);
    }
  free (r.events);
  free (r.arena);
  return good;
}

bool
info_print_trace (const char *file)
{
  int fd = open (file, O_RDONLY | O_CLOEXEC);
  struct stat st;
  char *text = NULL;
  size_t have = 0;
  bool good = fd >= 0 && fstat (fd, &st) == 0;

  if (good && !S_ISREG (st.st_mode))
    {
      good = false;
      errno = S_ISDIR (st.st_mode) ? EISDIR : EINVAL;
    }
  if (good)
    {
      text = malloc ((size_t) st.st_size + 1);
      good = text != NULL;
    }
  while (good && have < (size_t) st.st_size)
    {
      ssize_t n = read (fd, text + have, (size_t) st.st_size - have);
      if (n == 0)
	break;
      if (n > 0)
	have += n;
      else if (errno != EINTR)
	good = false;
    }
  if (!good)
    fprintf (stderr, "gompx-info: %s: %s\n", file, strerror (errno));
  else
    good = info_print_trace_text (file, text, have);
  free (text);
  if (fd >= 0)
    close (fd);
  return good;
}
