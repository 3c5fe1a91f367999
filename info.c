/* info.c -- GOMP_INFO: what the offload part of the program did.

   GOMP_INFO=1 prints a summary when the program ends: per device what was mapped, copied and
   launched, with time per region, and which regions ran on the host and why.  GOMP_INFO=2 prints
   a line per event as well.  When it is off nothing is counted: callers test
   gomp_info_enabled first.

   Counters are statistics: relaxed, and never used to decide anything.  The list of regions
   has a lock; regions are long compared with it.  */

#include "libgomp.h"
#include "elf-file.h"
#include "plugins.h"
#include "target.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* A region function on one device, or on the host for one reason.  */
struct region
{
  struct region *next;
  const void *fn;
  int device;			/* -1: the host */
  const char *why;		/* host: a literal */
  char *name;
  uint64_t count, ns, longest;
};

enum { REGION_BUCKETS = 64 };

static int level;
bool gomp_info_enabled;
static uint64_t start_ns;
static _Atomic (uint64_t) xcounters[GOMP_INFO_COUNTERS];	/* of the host */
static _Atomic (uint64_t) (*xdevice_counters)[GOMP_INFO_COUNTERS];	/* by device number */
static gomp_mutex_t regions_lock;	/* a leaf: nothing is called with it */
static struct region *regions[REGION_BUCKETS];

void
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
      gomp_error ("Invalid value for environment variable GOMP_INFO: %s", value);
      return;
    }
  level = n > 9 ? 9 : n;
  gomp_info_enabled = level > 0;
  start_ns = gomp_now_ns ();
}

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
  ssize_t done = write (STDERR_FILENO, text, n);
  (void) done;
}

static void __attribute__ ((format (printf, 1, 2)))
info (const char *fmt, ...)
{
  va_list list;
  va_start (list, fmt);
  print_info (fmt, list);
  va_end (list);
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

/* ---- regions ---- */

static struct region *
find_region (const void *fn, int device, const char *why)
{
  for (struct region *r = regions[((uintptr_t) fn >> 4) % REGION_BUCKETS]; r != NULL; r = r->next)
    if (r->fn == fn && r->device == device && r->why == why)
      return r;
  return NULL;
}

/* Answers the region's name.  It is looked up when the region is first seen, because its
   module may be gone at the end.  */
static const char *
add_region (const void *fn, int device, const char *why, uint64_t ns)
{
  gomp_mutex_lock (&regions_lock);
  struct region *r = find_region (fn, device, why);
  if (r == NULL)
    {
      char name[256];
      gomp_mutex_unlock (&regions_lock);
      gomp_symbol_name (fn, name, sizeof (name));
      gomp_mutex_lock (&regions_lock);
      r = find_region (fn, device, why);
      if (r == NULL)
	{
	  struct region **bucket = &regions[((uintptr_t) fn >> 4) % REGION_BUCKETS];
	  r = gomp_calloc (1, sizeof (*r));
	  r->fn = fn;
	  r->device = device;
	  r->why = why;
	  r->name = gomp_strdup (name);
	  r->next = *bucket;
	  *bucket = r;
	}
    }
  r->count++;
  r->ns += ns;
  if (ns > r->longest)
    r->longest = ns;
  gomp_mutex_unlock (&regions_lock);
  return r->name;
}

void
gomp_info_region (struct gomp_device *dev, const void *fn, uint64_t ns)
{
  const char *name = add_region (fn, dev->number, NULL, ns);
  gomp_info_count (dev, GOMP_INFO_REGIONS, 1);
  gomp_info_line (dev, "region %s took %.1f us", name, ns / 1e3);
}

void
gomp_info_fallback (struct gomp_device *dev, const void *fn, const char *why)
{
  const char *name = add_region (fn, -1, why, 0);
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
  static const char *const units[] = { "bytes", "KiB", "MiB", "GiB", "TiB" };
  double value = bytes;
  unsigned u = 0;
  while (value >= 10240 && u < 4)
    value /= 1024, u++;
  snprintf (buf, size, u == 0 ? "%.0f %s" : "%.1f %s", value, units[u]);
}

static int
longer_first (const void *a, const void *b)
{
  const struct region *x = *(struct region *const *) a, *y = *(struct region *const *) b;
  if (x->device != y->device)
    return x->device < y->device ? -1 : 1;
  return x->ns != y->ns ? (x->ns > y->ns ? -1 : 1) : (x->count < y->count) - (x->count > y->count);
}

/* All regions in order, into a new array.  */
static struct region **
sorted_regions (size_t *count)
{
  size_t n = 0;
  struct region **all = NULL;

  for (int i = 0; i < REGION_BUCKETS; i++)
    for (struct region *r = regions[i]; r != NULL; r = r->next)
      {
	all = gomp_realloc_array (all, n + 1, sizeof (all[0]));
	all[n++] = r;
      }
  if (n > 1)
    qsort (all, n, sizeof (all[0]), longer_first);
  *count = n;
  return all;
}

static void
print_regions (struct region **all, size_t n, int device)
{
  char total[32], each[32], longest[32];

  for (size_t i = 0; i < n; i++)
    if (all[i]->device == device)
      {
	const struct region *r = all[i];
	if (device < 0)
	  info ("  region %-40s %8llu times on the host: %s", r->name,
		(unsigned long long) r->count, r->why);
	else
	  {
	    time_text (total, sizeof (total), r->ns);
	    time_text (each, sizeof (each), r->ns / r->count);
	    time_text (longest, sizeof (longest), r->longest);
	    info ("  region %-40s %8llu times, %s, %s each, longest %s", r->name,
		  (unsigned long long) r->count, total, each, longest);
	  }
      }
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
#undef COUNT
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
  gomp_mutex_lock (&regions_lock);
  struct region **all = sorted_regions (&n);
  for (int i = 0; i < gomp_num_devices (); i++)
    {
      print_device (gomp_device_at (i));
      print_regions (all, n, i);
    }
  /* Those of devices are counted there.  Relaxed: the program is over.  */
  unsigned long long on_host = gomp_load_relaxed (&xcounters[GOMP_INFO_FALLBACKS]);
  if (on_host != 0)
    info ("host: %llu regions ran here without a device", on_host);
  print_regions (all, n, -1);
  free (all);
  gomp_mutex_unlock (&regions_lock);
}
