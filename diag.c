/* diag.c -- explaining device errors.

   A failed device operation ends the program with one message: what the device said, which region
   was running, what address it was about and what the program has there, the map list
   of the construct, and from where it was called.  Everything comes from struct gomp_fault of
   the plugin and struct gomp_region_note of the entry point.

   When several threads find the same device dead, the first one explains and the others wait
   for the end of the process.  Nothing here may block: the caller may hold locks.  So functions that serve the device get some time
   to end, but no more.  */

#include "diag.h"
#include "elf-file.h"
#include "image.h"
#include "map-check.h"
#include "map-kinds.h"
#include "reverse.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define MAX_ITEMS 16		/* of a map list that are printed */

static _Atomic (pthread_t) xfailing;	/* the thread that found it and ends the program, or 0 */

void
gomp_await_exit (void)
{
  enum { PATIENCE = 10 };	/* seconds */
  gomp_cancel_off ();
  gomp_reverse_give_up ();
  for (unsigned left = PATIENCE; left > 0; )
    left = sleep (left);
  _exit (EXIT_FAILURE);
}

/* Exit handlers of the thread that explains come here, too.  */
void
gomp_await_explanation (void)
{
  if (gomp_load_relaxed (&xfailing) != pthread_self ())	/* stored by itself only */
    gomp_await_exit ();
}

/* Only the first caller returns.  A second message would only hide the first.  */
static void
only_once (void)
{
  pthread_t nobody = 0;
  gomp_cancel_off ();		/* the program ends */
  if (!gomp_cas_acq_rel (&xfailing, &nobody, pthread_self ()))
    gomp_await_explanation ();
}

/* DEV is lost from now on.  Whose device was closed by the exit handler meanwhile has nothing to
   tell.  */
static void
mark_lost (struct gomp_device *dev)
{
  int state = gomp_load_relaxed (&dev->xstate);
  do
    if (state == GOMP_DEVICE_FINALIZED)
      gomp_await_exit ();
  while (state != GOMP_DEVICE_LOST_STATE
	 /* Release: pairs with the acquire of those who must not use it any more.  */
	 && !gomp_cas_acq_rel (&dev->xstate, &state, GOMP_DEVICE_LOST_STATE));
}

/* ---- addresses ---- */

/* What the kernel says about a host address.  */
struct host_memory
{
  bool exists;			/* readable, writable or executable */
  char perms[8];
  char name[256];		/* "[heap]", a file, "" */
};

static void
look_at_host_memory (uint64_t addr, struct host_memory *m)
{
  FILE *maps = fopen ("/proc/self/maps", "re");
  char line[512];

  memset (m, 0, sizeof (*m));
  while (maps != NULL && fgets (line, sizeof (line), maps) != NULL)
    {
      unsigned long from, to;
      char perms[8];
      int name = 0;
      if (sscanf (line, "%lx-%lx %7s %*s %*s %*s %n", &from, &to, perms, &name) == 3
	  && addr >= from && addr < to)
	{
	  /* Reserved ranges cannot be accessed at all: no memory of the program.  */
	  m->exists = strncmp (perms, "---", 3) != 0;
	  strcpy (m->perms, perms);
	  line[strcspn (line, "\n")] = 0;
	  snprintf (m->name, sizeof (m->name), "%s", name > 0 ? line + name : "");
	  break;
	}
    }
  if (maps != NULL)
    fclose (maps);
}

void
gomp_diag_rights (uint64_t addr, char rights[8])
{
  struct host_memory memory;
  look_at_host_memory (addr, &memory);
  memcpy (rights, memory.perms, sizeof (memory.perms));
}

/* What is at ADDR, into BUF; false: nothing is known but that there is MEMORY.  */
static bool
name_memory (uint64_t addr, const struct host_memory *memory, char *buf, size_t size)
{
  char name[256];

  if (addr > 4096 && gomp_symbol_lookup ((const void *) addr, name, sizeof (name)))
    snprintf (buf, size, "`%s'", name);
  else if (strcmp (memory->name, "[stack]") == 0)
    snprintf (buf, size, "on the stack of the initial thread");
  else if (strcmp (memory->name, "[heap]") == 0)
    snprintf (buf, size, "on the heap");
  else if (memory->name[0] != 0)
    snprintf (buf, size, "%s, %s", memory->name, memory->perms);
  else
    return false;
  return true;
}

static void
print_range (FILE *f, const char *what, uint64_t start, uint64_t end)
{
  fprintf (f, "%s [%#llx..%#llx)", what, (unsigned long long) start, (unsigned long long) end);
}

void
gomp_diag_range (FILE *f, const char *intro, uint64_t start, uint64_t end)
{
  struct host_memory memory;
  char name[600];

  if (start == end)
    fprintf (f, "%s %#llx", intro, (unsigned long long) start);
  else
    {
      print_range (f, intro, start, end);
      fprintf (f, ", %llu bytes", (unsigned long long) (end - start));
    }
  look_at_host_memory (start, &memory);
  if (name_memory (start, &memory, name, sizeof (name)))
    fprintf (f, ", %s", name);
  else if (start != 0 && !memory.exists)
    fputs (", where the program has no memory", f);
}

void
gomp_diag_origin (FILE *f, const struct gomp_map_info *m)
{
  char name[256];

  if (m->construct == NULL)
    return;
  fprintf (f, ", mapped by %s", m->construct);
  if (m->call_site != NULL)
    fprintf (f, ", called from %s", gomp_symbol_name ((const char *) m->call_site - 1, name,
						       sizeof (name)));
}

/* A mapping this far away has nothing to do with the address.  */
#define NEAR ((uint64_t) 1 << 24)

static bool
is_near (uint64_t addr, uint64_t start, uint64_t end)
{
  return addr < start ? start - addr < NEAR : addr < end || addr - end < NEAR;
}

/* Where ADDR lies relative to [START, END).  */
static void
print_distance (FILE *f, uint64_t addr, uint64_t start, uint64_t end)
{
  if (addr < start)
    fprintf (f, "%llu bytes before its start", (unsigned long long) (start - addr));
  else if (addr >= end)
    fprintf (f, "%llu bytes behind its end", (unsigned long long) (addr - end));
  else
    fprintf (f, "at byte %llu of it", (unsigned long long) (addr - start));
}

/* The mapping nearest to ADDR, if it is near, unless this thread or another is just changing
   the table.  */
static bool
nearest (struct gomp_device *dev, uint64_t addr, bool is_device_addr, struct gomp_map_info *info)
{
  if (!gomp_map_nearest (dev, addr, is_device_addr, info))
    return false;
  return is_device_addr ? is_near (addr, info->dev_start,
				   info->dev_start + (info->host_end - info->host_start))
			: is_near (addr, info->host_start, info->host_end);
}

static void
print_mapping (FILE *f, const char *intro, const struct gomp_map_info *m, uint64_t addr,
	       bool is_device_addr)
{
  uint64_t size = m->host_end - m->host_start;
  print_range (f, intro, m->host_start, m->host_end);
  print_range (f, " at device", m->dev_start, m->dev_start + size);
  fputs (", ", f);
  if (is_device_addr)
    print_distance (f, addr, m->dev_start, m->dev_start + size);
  else
    print_distance (f, addr, m->host_start, m->host_end);
  gomp_diag_origin (f, m);
  fputs ("\n", f);
}

/* The list item of the region that RUNNING was with whose address it went to ADDR: the item next below it, a pointer
   or a value at which nothing is mapped; 0, or its number from 1.  */
static size_t
find_unmapped_item (struct gomp_device *dev, const struct gomp_region_note *note, const void *running,
		    uint64_t addr)
{
  struct gomp_map_info m;
  size_t best = 0;
  uint64_t best_start = 0;

  if (note == NULL || note->fn != running || note->hostaddrs == NULL || note->kinds == NULL)
    return 0;
  for (size_t i = 0; i < note->mapnum; i++)
    {
      uint64_t start = (uintptr_t) note->hostaddrs[i];
      if (start >= 4096 && start <= addr && start >= best_start && addr - start < NEAR
	  && gomp_map_kind_keeps_address (note->kinds[i])
	  && !(gomp_map_nearest (dev, start, false, &m) && m.host_end > start && m.host_start <= addr))
	{
	  best = i + 1;
	  best_start = start;
	}
    }
  return best;
}

/* The address is memory of the host.  Answers what find_unmapped_item does.  */
static size_t
explain_host_address (FILE *f, struct gomp_device *dev, const struct gomp_region_note *note,
		      const void *running, uint64_t addr, const struct host_memory *memory)
{
  struct gomp_map_info m;
  char name[256];
  bool known = nearest (dev, addr, false, &m);

  fputs ("  this is host memory", f);
  if (name_memory (addr, memory, name, sizeof (name)))
    fprintf (f, " (%s)", name);
  if (known && addr >= m.host_start && addr < m.host_end)
    {
      fputs (", which is mapped, but the region used its host address:"
	     " was a pointer copied that is not attached? Map it and what it points to in one"
	     " construct\n", f);
      print_mapping (f, "  it belongs to the mapping of host", &m, addr, false);
      return 0;
    }
  fputs (", which is not mapped: map what the pointer to it points to, as in map(tofrom: p[:n])\n", f);
  size_t item = find_unmapped_item (dev, note, running, addr);
  if (item > 0)
    {
      uint64_t start = (uintptr_t) note->hostaddrs[item - 1];
      fprintf (f, "  it lies %llu bytes behind %#llx, item %zu of what the construct maps, where nothing is mapped\n",
	       (unsigned long long) (addr - start), (unsigned long long) start, item);
    }
  else if (known)
    print_mapping (f, "  the nearest mapping is host", &m, addr, false);
  return item;
}

/* Where the code at IP is: " at" and its name, the end of the line, and its source line.  */
static void
print_at (FILE *f, uint64_t ip)
{
  char name[256];
  fprintf (f, " at %s\n", gomp_symbol_name ((const void *) ip, name, sizeof (name)));
  gomp_print_source_line (f, (const void *) ip);
}

/* Answers what find_unmapped_item does.  */
static size_t
explain_address (FILE *f, struct gomp_device *dev, const struct gomp_region_note *note,
		 const void *running, const struct gomp_fault *fault)
{
  static const char *const verbs[] = { "used", "read", "wrote to", "jumped to" };
  struct host_memory memory;
  struct gomp_map_info m;
  uint64_t addr = fault->fault_addr;
  size_t item = 0;

  look_at_host_memory (addr, &memory);
  fprintf (f, "  it %s the %saddress %#llx",
	   verbs[fault->access <= GOMP_FAULT_EXEC ? fault->access : 0],
	   memory.exists ? "host " : "", (unsigned long long) addr);
  if (fault->has_ip && fault->ip != 0)
    print_at (f, fault->ip);
  else
    fputs ("\n", f);

  if (addr < 4096)
    fputs ("  this is a null pointer\n", f);
  else if (memory.exists)
    item = explain_host_address (f, dev, note, running, addr, &memory);
  else if (nearest (dev, addr, true, &m))
    print_mapping (f, "  the nearest mapping is host", &m, addr, true);
  if (gomp_unlikely (gomp_check_enabled) && addr >= 4096)
    gomp_check_explain (f, dev, addr, !memory.exists);
  return item;
}

/* ---- the construct ---- */

/* UNMAPPED: the number of the item that found nothing mapped, from 1, or 0.  */
static void
print_items (FILE *f, const struct gomp_region_note *note, size_t unmapped)
{
  char name[256];

  if (note->mapnum == 0 || note->hostaddrs == NULL || note->kinds == NULL)
    return;
  fputs ("  it maps:\n", f);
  for (size_t i = 0; i < note->mapnum; i++)
    {
      uint64_t addr = (uintptr_t) note->hostaddrs[i];
      /* Behind the last ones that are told only that item.  */
      if (i == MAX_ITEMS)
	{
	  fprintf (f, "    and %zu more%s\n", note->mapnum - i, unmapped > i ? ", with" : "");
	  if (unmapped <= i)
	    break;
	}
      if (i >= MAX_ITEMS && i + 1 != unmapped)
	continue;
      fprintf (f, "    %#llx", (unsigned long long) addr);
      if (note->sizes != NULL)
	/* Signed: a length that was computed wrongly is seen as what it is.  */
	fprintf (f, ", %lld", (long long) note->sizes[i]);
      fprintf (f, ", %s", gomp_map_kind_name (note->kinds[i] & 0xff));
      if (addr > 4096 && gomp_symbol_lookup ((const void *) addr, name, sizeof (name)))
	fprintf (f, " (`%s')", name);
      fputs (i + 1 == unmapped ? " <- nothing is mapped there\n" : "\n", f);
    }
}

void
gomp_diag_construct (FILE *f, const struct gomp_region_note *note, const void *running,
		     size_t unmapped)
{
  char name[256];

  if (note == NULL)
    return;
  fprintf (f, "  construct: %s", note->construct != NULL ? note->construct : "unknown");
  if (note->fn != NULL && note->fn != running)
    fprintf (f, " (%s)", gomp_symbol_name (note->fn, name, sizeof (name)));
  if (note->call_site != NULL)
    /* The call is before the address where it returns to.  */
    fprintf (f, ", called from %s", gomp_symbol_name ((const char *) note->call_site - 1, name,
						      sizeof (name)));
  fputs ("\n", f);
  print_items (f, note, unmapped);
}

void
gomp_diag_caller (char *buf, size_t size)
{
  enum { FRAMES = 64 };
  void *frames[FRAMES];
  Dl_info own, other;
  char name[256], entry[256];

  *buf = 0;
  if (dladdr ((const void *) gomp_diag_caller, &own) == 0)
    return;
  int n = backtrace (frames, FRAMES), i = 0;
  /* A sanitizer's come first.  */
  while (i < n && (dladdr (frames[i], &other) == 0 || other.dli_fbase != own.dli_fbase))
    i++;
  while (i < n && dladdr (frames[i], &other) != 0 && other.dli_fbase == own.dli_fbase)
    i++;
  if (i >= n)
    return;
  /* Names of the compiler's entry points tell a user nothing.  */
  gomp_symbol_name ((const char *) frames[i - 1] - 1, entry, sizeof (entry));
  entry[strcspn (entry, "+")] = 0;
  bool is_routine = strncmp (entry, "omp_", 4) == 0;
  snprintf (buf, size, "\n  %s%scalled from %s", is_routine ? entry : "", is_routine ? ", " : "",
	    gomp_symbol_name ((const char *) frames[i] - 1, name, sizeof (name)));
}

/* The device is gone: what it died of.  Answers the region it was running, or NULL; *UNMAPPED as
   find_unmapped_item.  */
static const void *
print_fault (FILE *f, struct gomp_device *dev, const struct gomp_region_note *note,
	     size_t *unmapped)
{
  struct gomp_fault fault;
  const void *running = NULL;
  char name[256], module[256];

  memset (&fault, 0, sizeof (fault));
  bool known = dev->handle != NULL && dev->ops->device_fault (dev->handle, &fault) == GOMP_OK;
  fault.text[sizeof (fault.text) - 1] = 0;
  fprintf (f, "device %d (%s) is lost: %s\n", dev->number, dev->attr.name,
	   known && fault.text[0] ? fault.text : gomp_plugin_error_text ());
  if (known && fault.has_function)
    running = gomp_image_function_address (dev, fault.image, fault.function);
  else if (note != NULL)
    running = note->fn;
  if (running != NULL)
    {
      gomp_symbol_name (running, name, sizeof (name));
      gomp_module_name (running, module, sizeof (module));
      fprintf (f, "  it was running the region %s%s%s\n", name, *module ? " of " : "", module);
    }
  if (known && fault.has_address)
    *unmapped = explain_address (f, dev, note, running, &fault);
  else if (known && fault.has_ip && fault.ip != 0)
    {
      fputc (' ', f);
      print_at (f, fault.ip);
    }
  if (gomp_unlikely (gomp_check_enabled) && known)
    gomp_check_explain_globals (f, dev);
  return running;
}

void
gomp_device_failed (struct gomp_device *dev, gomp_status_t status,
		    const struct gomp_region_note *note, const char *what, ...)
{
  char verb[512], *text = NULL;
  const void *running = NULL;
  size_t size = 0, unmapped = 0;
  va_list list;

  va_start (list, what);
  vsnprintf (verb, sizeof (verb), what, list);
  va_end (list);
  if (status == GOMP_DEVICE_LOST)
    mark_lost (dev);
  only_once ();
  gomp_map_abandon ();
  if (status == GOMP_DEVICE_LOST)
    gomp_reverse_let_end (dev);

  FILE *f = open_memstream (&text, &size);
  if (f != NULL && status == GOMP_DEVICE_LOST)
    {
      running = print_fault (f, dev, note, &unmapped);
      fprintf (f, "  found out while %s\n", verb);
    }
  else if (f != NULL && verb[0] >= 'A' && verb[0] <= 'Z')
    /* A sentence that programs look for comes first.  */
    fprintf (f, "%s\n  device %d (%s): %s (%s)\n", verb, dev->number, dev->attr.name,
	     gomp_plugin_error_text (), gomp_status_text (status));
  else if (f != NULL)
    fprintf (f, "device %d (%s): %s: %s (%s)\n", dev->number, dev->attr.name, verb,
	     gomp_plugin_error_text (), gomp_status_text (status));
  if (f != NULL)
    {
      gomp_diag_construct (f, note, running, unmapped);
      fclose (f);
    }
  if (text == NULL)
    gomp_fatal ("device %d (%s) failed: %s", dev->number, dev->attr.name, verb);
  text[strlen (text) - 1] = 0;	/* the message ends its last line itself */
  gomp_fatal ("%s", text);
}
