/* info.c -- GOMP_INFO: what the offload part of the program did.

   GOMP_INFO=1 prints which library this is when the program starts, and a summary when it ends: per
   device what was mapped, copied and launched, and a table with a row for each construct (a region,
   or a place in the program from which data is mapped or copied) with its times and bytes, and the
   regions that ran on the host and why.  GOMP_INFO=2 prints a line per event as well.  When it is off nothing is counted: callers
   test gomp_info_enabled first.

   Counters are statistics: relaxed, and never used to decide anything.  The table of
   rows has a lock; constructs are long compared with it.  */

#include "libgomp.h"
#include "host/env.h"
#include "image.h"
#include "plugins.h"
#include "trace.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* A construct at one place of the program on one device, or on the host for one reason.  */
struct row
{
  struct row *next;
  const void *key;		/* the region's function, else where the call came from */
  int device;			/* -1: the host */
  const char *construct;	/* a literal */
  const char *why;		/* host: a text that lives for ever */
  const char *name;		/* of the key; lives for ever */
  bool is_region;
  uint64_t count, ns, longest, to, from;	/* to, from: bytes */
};

enum { BUCKETS = 64 };

static int level;
bool gomp_info_enabled;
static uint64_t start_ns;
static _Atomic (uint64_t) xcounters[GOMP_INFO_COUNTERS];	/* of the host */
static _Atomic (uint64_t) (*xdevice_counters)[GOMP_INFO_COUNTERS];	/* by device number */
static gomp_mutex_t rows_lock;	/* a leaf: nothing is called with it */
static struct row *rows[BUCKETS];	/* protected by rows_lock */

/* Enumeration is over.  */
void
gomp_info_devices (int count)
{
  if (gomp_info_enabled && count > 0)
    xdevice_counters = gomp_calloc (count, sizeof (xdevice_counters[0]));
}

void
gomp_info_count (struct gomp_device *dev, enum gomp_info_counter counter, uint64_t n)
{
  if (dev == NULL)
    gomp_add_relaxed (&xcounters[counter], n);	/* relaxed: statistics */
  else if (xdevice_counters != NULL)
    gomp_add_relaxed (&xdevice_counters[dev->number][counter], n);
}

/* "libgomp: info: " without the empty line that errors have before them.  */
static void __attribute__ ((format (printf, 1, 0)))
print_info (const char *fmt, va_list list)
{
  char text[2048];
  int n = snprintf (text, sizeof (text), "libgomp: info: ");
  int m = vsnprintf (text + n, sizeof (text) - n - 1, fmt, list);
  if (m < 0)
    return;
  n += m;
  if (n > (int) sizeof (text) - 2)
    n = sizeof (text) - 2;
  text[n++] = '\n';
  /* One write, so that lines of several threads stay whole.  */
  int cancel = gomp_cancel_off ();
  ssize_t done = write (STDERR_FILENO, text, n);
  (void) done;
  gomp_cancel_restore (cancel);
}

static void __attribute__ ((format (printf, 1, 2)))
info (const char *fmt, ...)
{
  va_list list;
  va_start (list, fmt);
  print_info (fmt, list);
  va_end (list);
}

const char *
gomp_library_text (char *buf, size_t size)
{
  const char *file = "in a static program";
  char *real = NULL;
#ifdef PIC
  Dl_info info;
  if (dladdr ((void *) &gomp_info_enabled, &info) != 0 && info.dli_fname != NULL)
    file = (real = realpath (info.dli_fname, NULL)) != NULL ? real : info.dli_fname;
#endif
  snprintf (buf, size, PACKAGE_NAME " " PACKAGE_VERSION ", %s", file);
  free (real);
  return buf;
}

/* Who this is, before anything else: many programs of a job may write to one file.  */
static void
print_start (void)
{
  char library[1024];
  info ("%s, process %ld (%s)", gomp_library_text (library, sizeof (library)), (long) getpid (),
	program_invocation_short_name);
}

void GOMP_STARTUP
gomp_info_init (void)
{
  const char *value = gomp_getenv ("GOMP_INFO", false);
  char *end;
  if (value == NULL || *value == 0)
    return;
  long n = strtol (value, &end, 10);
  while (*end == ' ' || *end == '\t')
    end++;
  if (*end != 0 || n < 0)
    {
      gomp_env_invalid (GOMP_ENV_INFO, "GOMP_INFO", value);
      return;
    }
  level = n > 9 ? 9 : n;
  gomp_info_enabled = level > 0;
  start_ns = gomp_now_ns ();
  if (gomp_info_enabled)
    print_start ();
}

void
gomp_info_line (struct gomp_device *dev, const char *fmt, ...)
{
  char text[1536];
  va_list list;

  if (level < 2)
    return;
  va_start (list, fmt);
  vsnprintf (text, sizeof (text), fmt, list);
  va_end (list);
  if (dev != NULL)
    info ("device %d: %s", dev->number, text);
  else
    info ("host: %s", text);
}

/* ---- constructs ---- */

/* The row of a construct; rows_lock is held.  NAME was found out before, because the dynamic loader's
   lock must not be taken under this one.  */
static struct row *
row_of (const void *key, int device, const char *construct, const char *why, const char *name)
{
  struct row **bucket = &rows[((uintptr_t) key >> 4) % BUCKETS], *r;
  for (r = *bucket; r != NULL; r = r->next)
    if (r->key == key && r->device == device && r->why == why && r->name == name
	&& strcmp (r->construct, construct) == 0)
      return r;
  r = gomp_calloc (1, sizeof (*r));
  r->key = key;
  r->device = device;
  r->construct = construct;
  r->why = why;
  r->name = name;
  r->next = *bucket;
  *bucket = r;
  return r;
}

/* Add to the row of the construct that NOTE describes.  Answers its name.  */
static const char *
add (const struct gomp_region_note *note, int device, const char *why, uint64_t count, uint64_t ns,
     uint64_t to, uint64_t from)
{
  const void *key = note->fn != NULL ? note->fn : note->call_site;
  const char *name = note->fn != NULL ? gomp_code_name (note->fn)
		     : note->call_site != NULL ? gomp_call_name (note->call_site) : "";

  gomp_mutex_lock (&rows_lock);
  struct row *r = row_of (key, device, note->construct, why, name);
  r->is_region = note->fn != NULL;
  r->count += count;
  r->ns += ns;
  if (ns > r->longest)
    r->longest = ns;
  r->to += to;
  r->from += from;
  gomp_mutex_unlock (&rows_lock);
  return name;
}

void
gomp_info_construct (struct gomp_device *dev, const struct gomp_region_note *note, uint64_t ns)
{
  const char *name = add (note, dev->number, NULL, 1, ns, 0, 0);
  if (note->fn == NULL)
    return;
  gomp_info_count (dev, GOMP_INFO_REGIONS, 1);
  gomp_info_line (dev, "region %s took %.1f us", name, ns / 1e3);
}

void
gomp_info_reverse (struct gomp_device *dev, const struct gomp_region_note *note, uint64_t ns)
{
  const char *name = add (note, dev->number, NULL, 1, ns, 0, 0);
  gomp_info_count (dev, GOMP_INFO_REVERSE_CALLS, 1);
  gomp_info_line (dev, "reverse call of %s took %.1f us", name, ns / 1e3);
}

void
gomp_info_copy (struct gomp_device *dev, const struct gomp_region_note *note, bool to_device,
		uint64_t size)
{
  gomp_info_count (dev, to_device ? GOMP_INFO_TRANSFERS_TO : GOMP_INFO_TRANSFERS_FROM, 1);
  gomp_info_count (dev, to_device ? GOMP_INFO_BYTES_TO : GOMP_INFO_BYTES_FROM, size);
  add (note, dev->number, NULL, 0, 0, to_device ? size : 0, to_device ? 0 : size);
}

void
gomp_info_fallback (struct gomp_device *dev, const void *fn, const char *why)
{
  const struct gomp_region_note note = { .construct = "target", .fn = fn };
  const char *name = add (&note, -1, why, 1, 0, 0, 0);
  gomp_info_count (dev, GOMP_INFO_FALLBACKS, 1);
  gomp_info_line (dev, "region %s runs on the host: %s", name, why);
}

/* ---- the summary ---- */

static void
time_text (char *buf, size_t size, uint64_t ns)
{
  if (ns < 10000)
    snprintf (buf, size, "%llu ns", (unsigned long long) ns);
  else if (ns < 10000000)
    snprintf (buf, size, "%.1f us", ns / 1e3);
  else if (ns < 10000000000u)
    snprintf (buf, size, "%.1f ms", ns / 1e6);
  else
    snprintf (buf, size, "%.2f s", ns / 1e9);
}

static void
bytes_text (char *buf, size_t size, uint64_t bytes)
{
  static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
  double value = bytes;
  unsigned u = 0;
  while (value >= 10240 && u < 4)
    value /= 1024, u++;
  snprintf (buf, size, u == 0 ? "%.0f %s" : "%.1f %s", value, units[u]);
}

static int
longer_first (const void *a, const void *b)
{
  const struct row *x = *(struct row *const *) a, *y = *(struct row *const *) b;
  if (x->device != y->device)
    return x->device < y->device ? -1 : 1;
  return x->ns != y->ns ? (x->ns > y->ns ? -1 : 1) : (x->count < y->count) - (x->count > y->count);
}

/* All rows in order, into a new array.  */
static struct row **
sorted_rows (size_t *count)
{
  size_t n = 0;
  struct row **all = NULL;

  for (int i = 0; i < BUCKETS; i++)
    for (struct row *r = rows[i]; r != NULL; r = r->next)
      {
	all = gomp_realloc_array (all, n + 1, sizeof (all[0]));
	all[n++] = r;
      }
  if (n > 1)
    qsort (all, n, sizeof (all[0]), longer_first);
  *count = n;
  return all;
}

/* Bytes a second, of what only copies: everything else has other work in its time.  */
static void
rate_text (char *buf, size_t size, const struct row *r)
{
  uint64_t bytes = r->to + r->from;
  if (r->is_region || bytes < 65536 || r->ns == 0)
    snprintf (buf, size, "-");
  else
    snprintf (buf, size, "%.2f GB/s", (double) bytes / r->ns);
}

static void
print_rows (struct row **all, size_t n, int device)
{
  char total[32], each[32], longest[32], to[32], from[32], rate[32];
  bool headed = false;

  for (size_t i = 0; i < n; i++)
    if (all[i]->device == device)
      {
	const struct row *r = all[i];
	if (!headed)
	  info ("  %8s %10s %10s %10s %11s %11s %11s  %s", "times", "total", "each", "longest",
		"to device", "from device", "rate", "construct");
	headed = true;
	time_text (total, sizeof (total), r->ns);
	time_text (each, sizeof (each), r->count != 0 ? r->ns / r->count : 0);
	time_text (longest, sizeof (longest), r->longest);
	bytes_text (to, sizeof (to), r->to);
	bytes_text (from, sizeof (from), r->from);
	rate_text (rate, sizeof (rate), r);
	info ("  %8llu %10s %10s %10s %11s %11s %11s  %s%s%s", (unsigned long long) r->count, total,
	      each, longest, to, from, rate, r->construct, r->is_region ? " " : " at ", r->name);
      }
}

static void
print_fallbacks (struct row **all, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (all[i]->device < 0)
      info ("  region %s: %llu times on the host: %s", all[i]->name,
	    (unsigned long long) all[i]->count, all[i]->why);
}

/* Once: devices that run the host's code have the same modules.  */
static void
print_folding (void)
{
  static bool told;
  const char *name;
  unsigned gcc = told ? 0 : gomp_modules_folding (&name);
  if (gcc == 0)
    return;
  told = true;
  info ("  note:     %s was compiled by GCC %u: where that optimises, omp_is_initial_device () is 1 also in "
	"regions on this device; -fno-builtin-omp_is_initial_device helps", name, gcc);
}

static void
print_device (struct gomp_device *dev)
{
  /* Relaxed: the program is over.  */
#define COUNT(name) \
  ((unsigned long long) gomp_load_relaxed (&xdevice_counters[dev->number][GOMP_INFO_##name]))
  static const char *const states[] = { "not used", "used", "unusable", "lost", "used" };
  char to[32], from[32];

  int state = gomp_load_relaxed (&dev->xstate);
  info ("device %d: %s (%s), %s", dev->number, dev->attr.name, dev->ops->name, states[state]);
  if (dev->reason != NULL)
    info ("  %s", dev->reason);
  if (state == GOMP_DEVICE_CLOSED || state == GOMP_DEVICE_FAILED)
    return;
  bytes_text (to, sizeof (to), COUNT (BYTES_TO));
  bytes_text (from, sizeof (from), COUNT (BYTES_FROM));
  info ("  mapped:   %llu new, %llu found present, %llu unmapped", COUNT (MAPS_NEW),
	COUNT (MAPS_FOUND), COUNT (UNMAPS));
  info ("  copied:   to the device %s in %llu, from the device %s in %llu", to,
	COUNT (TRANSFERS_TO), from, COUNT (TRANSFERS_FROM));
  if (COUNT (TRANSFERS_DEVICE) != 0)
    {
      bytes_text (from, sizeof (from), COUNT (BYTES_DEVICE));
      info ("  copied:   from devices to this one %s in %llu", from, COUNT (TRANSFERS_DEVICE));
    }
  info ("  launched: %llu regions; %llu ran on the host instead", COUNT (REGIONS),
	COUNT (FALLBACKS));
  if (COUNT (REVERSE_CALLS) != 0)
    info ("  called:   the host was called %llu times", COUNT (REVERSE_CALLS));
#undef COUNT
  const char *line;
  for (unsigned key = 0; state == GOMP_DEVICE_OPEN && (line = dev->ops->info (dev->handle, key)); key++)
    info ("  note:     %s", line);
  if (dev->attr.caps & GOMP_CAP_HOST_CODE)
    print_folding ();
}

static void
print_plugin (const struct gomp_plugin_entry *e, void *data)
{
  (void) data;
  if (e->reason != NULL)
    info ("plugin %s: %s", e->name, e->reason);
}

void
gomp_info_finish (void)
{
  static bool done;
  if (!gomp_info_enabled || done)
    return;
  done = true;

  char elapsed[32];
  size_t n;
  time_text (elapsed, sizeof (elapsed), gomp_now_ns () - start_ns);
  info ("summary after %s", elapsed);
  gomp_devices_each_plugin (print_plugin, NULL);
  gomp_mutex_lock (&rows_lock);
  struct row **all = sorted_rows (&n);
  for (int i = 0; i < gomp_num_devices (); i++)
    {
      print_device (gomp_device_at (i));
      print_rows (all, n, i);
    }
  /* Those of devices are counted there.  Relaxed: the program is over.  */
  unsigned long long on_host = gomp_load_relaxed (&xcounters[GOMP_INFO_FALLBACKS]);
  if (on_host != 0)
    info ("host: %llu regions ran here without a device", on_host);
  print_fallbacks (all, n);
  free (all);
  gomp_mutex_unlock (&rows_lock);
}
