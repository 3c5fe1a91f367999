/* space.c -- which addresses are memory, and whose: arenas, ranges, what was freed.

   An arena is a file in memory, mapped twice: where device code and the program name its bytes, and
   where only the simulator looks (the view); beside it lies its shadow, a byte for each.  Pages of
   device memory at their own addresses cannot be touched by the host; those of the system's
   arena can as long as they are allocated.  Between two ranges lies a page that belongs to
   nobody.  Addresses are used again as late as possible.

   Everything is protected by space_mutex, which is below all other locks.  */

#include "hsa-sim.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { POISON = 0xdb, SPACES = 16, REMEMBERED = 512 };
static const size_t poisoned_at_most = 2 << 20;

/* Addresses of locked memory are an arena without memory.  */
enum { LOCK_ARENA = SIM_SYSTEM_ARENA + 1, NUM_ARENAS };

static struct arena
{
  char *base;			/* [base, base + span) */
  char *view;
  uint8_t *shadow;
  int fd;
  size_t span, used, limit;
  size_t cursor;		/* where the next range is looked for */
} arenas[NUM_ARENAS];

struct entry
{
  struct sim_range range;
  size_t room;			/* pages */
  void *user_data;
  unsigned locks;		/* locked memory: how often */
};

static pthread_mutex_t space_mutex = PTHREAD_MUTEX_INITIALIZER;
/* By address.  */
static struct entry *entries;
static size_t num_entries, max_entries;
/* What was freed last: for messages.  */
static struct sim_range freed[REMEMBERED];
static size_t num_freed;

_Atomic uint64_t sim_space_generation = 1;

static size_t
pages (size_t size)
{
  return (size + SIM_PAGE - 1) / SIM_PAGE * SIM_PAGE;
}

static bool
map_arena (struct arena *a, size_t limit, bool device)
{
  size_t span = limit * SPACES;
  a->limit = limit;
  a->span = span;
  a->base = mmap (NULL, span, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (a->base == MAP_FAILED)
    return false;
  a->fd = memfd_create ("gcn-sim", MFD_CLOEXEC);
  if (a->fd < 0 || ftruncate (a->fd, (off_t) span) != 0)
    return false;
  a->view = mmap (NULL, span, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, a->fd, 0);
  if (a->view == MAP_FAILED)
    return false;
  madvise (a->view, span, MADV_DONTFORK);
  madvise (a->view, span, MADV_DONTDUMP);
  if (device)
    {
      a->shadow = mmap (NULL, span, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (a->shadow == MAP_FAILED)
	return false;
      madvise (a->shadow, span, MADV_DONTFORK);
      madvise (a->shadow, span, MADV_DONTDUMP);
    }
  else
    {
      /* The host's too: the pages of the file themselves.  */
      if (mmap (a->base, span, PROT_NONE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, a->fd, 0)
	  == MAP_FAILED)
	return false;
      madvise (a->base, span, MADV_DONTFORK);
    }
  return true;
}

bool
space_start (int num_agents, size_t device_bytes, size_t system_bytes)
{
  for (int i = 0; i < num_agents; i++)
    if (!map_arena (&arenas[i], device_bytes, true))
      return false;
  struct arena *lock = &arenas[LOCK_ARENA];
  lock->span = lock->limit = (size_t) 64 << 30;
  lock->base = mmap (NULL, lock->span, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		     -1, 0);
  if (lock->base == MAP_FAILED)
    return false;
  return map_arena (&arenas[SIM_SYSTEM_ARENA], system_bytes, false);
}

/* ---- the list of ranges ---- */

/* Index of the first entry that ends behind ADDR.  */
static size_t
entry_index (uint64_t addr)
{
  size_t low = 0, high = num_entries;
  while (low < high)
    {
      size_t middle = (low + high) / 2;
      if (entries[middle].range.start + entries[middle].room <= addr)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

static void
add_entry (const struct entry *e)
{
  if (num_entries == max_entries)
    {
      max_entries = max_entries == 0 ? 64 : max_entries * 2;
      entries = realloc (entries, max_entries * sizeof (*entries));
      if (entries == NULL)
	abort ();
    }
  size_t i = entry_index (e->range.start);
  memmove (&entries[i + 1], &entries[i], (num_entries - i) * sizeof (*entries));
  entries[i] = *e;
  num_entries++;
}

static void
remove_entry (struct entry *e)
{
  size_t i = (size_t) (e - entries);
  freed[num_freed++ % REMEMBERED] = e->range;
  memmove (&entries[i], &entries[i + 1], (num_entries - i - 1) * sizeof (*entries));
  num_entries--;
  /* release: who sees the new number does not find the range any more.  */
  atomic_fetch_add_explicit (&sim_space_generation, 1, memory_order_release);
}

static struct entry *
find_entry (uint64_t addr, size_t size)
{
  size_t i = entry_index (addr);
  if (i == num_entries || addr < entries[i].range.start
      || addr - entries[i].range.start >= entries[i].range.size
      || size > entries[i].range.size - (addr - entries[i].range.start))
    return NULL;
  return &entries[i];
}

static struct entry *
entry_at (uint64_t start)
{
  size_t i = entry_index (start);
  return i < num_entries && entries[i].range.start == start ? &entries[i] : NULL;
}

static const struct sim_range *
freed_range (uint64_t addr)
{
  for (size_t i = 0; i < REMEMBERED && i < num_freed; i++)
    {
      const struct sim_range *r = &freed[(num_freed - 1 - i) % REMEMBERED];
      if (addr - r->start < r->size)
	return r;
    }
  return NULL;
}

static int
arena_of (uint64_t addr)
{
  for (int i = 0; i < NUM_ARENAS; i++)
    if (arenas[i].span != 0 && addr - (uintptr_t) arenas[i].base < arenas[i].span)
      return i;
  return -1;
}

bool
space_is_arena (uint64_t addr)
{
  return arena_of (addr) >= 0;
}

/* ---- allocation ---- */

/* A hole of ROOM bytes and a page at either side, from the cursor on; 0: there is none.  */
static uint64_t
find_hole (struct arena *a, size_t room)
{
  uint64_t low = (uintptr_t) a->base, end = low + a->span;
  for (int round = 0; round < 2; round++)
    {
      uint64_t at = round == 0 ? low + a->cursor : low;
      if (at < low + SIM_PAGE)
	at = low + SIM_PAGE;
      for (size_t i = entry_index (at);; i++)
	{
	  uint64_t next = i < num_entries && entries[i].range.start < end
			  ? entries[i].range.start : end;
	  if (next > at && next - at >= room + SIM_PAGE)
	    return at;
	  if (next == end)
	    break;
	  at = entries[i].range.start + entries[i].room + SIM_PAGE;
	}
    }
  return 0;
}

uint64_t
space_allocate (int arena, size_t size, enum sim_memory kind, uint32_t agents)
{
  struct arena *a = &arenas[arena];
  size_t room = pages (size);
  uint64_t start = 0;

  pthread_mutex_lock (&space_mutex);
  if (size != 0 && room >= size && room <= a->limit - a->used)
    start = find_hole (a, room);
  if (start != 0)
    {
      size_t offset = start - (uintptr_t) a->base;
      struct entry e = { .range = { .start = start, .size = size, .view = a->view + offset,
				    .shadow = a->shadow != NULL ? a->shadow + offset : NULL,
				    .agents = agents, .kind = kind,
				    .owner = arena < SIM_MAX_AGENTS ? arena : -1 },
			 .room = room };
      a->used += room;
      a->cursor = offset + room + SIM_PAGE;
      add_entry (&e);
      /* Whoever reads it before it was written sees that.  Of much memory only the ends are
	 filled: the rest takes no pages until it is used.  */
      size_t part = size <= poisoned_at_most ? size : poisoned_at_most / 2;
      memset (e.range.view, POISON, part);
      if (part < size)
	memset (e.range.view + size - part, POISON, part);
      if (arena == SIM_SYSTEM_ARENA
	  && mprotect (a->base + offset, room, PROT_READ | PROT_WRITE) != 0)
	abort ();
    }
  pthread_mutex_unlock (&space_mutex);
  return start;
}

bool
space_free (uint64_t addr)
{
  pthread_mutex_lock (&space_mutex);
  struct entry *e = entry_at (addr);
  int arena = arena_of (addr);
  bool ok = e != NULL && arena >= 0 && arena != LOCK_ARENA;
  if (ok)
    {
      struct entry old = *e;
      struct arena *a = &arenas[arena];
      size_t offset = addr - (uintptr_t) a->base;
      a->used -= old.room;
      remove_entry (e);
      if (arena == SIM_SYSTEM_ARENA && mprotect (a->base + offset, old.room, PROT_NONE) != 0)
	abort ();
      madvise (old.range.view, old.room, MADV_REMOVE);
      if (old.range.shadow != NULL)
	madvise (old.range.shadow, old.room, MADV_DONTNEED);
    }
  pthread_mutex_unlock (&space_mutex);
  return ok;
}

uint64_t
space_lock (void *host, size_t size, uint32_t agents)
{
  struct arena *a = &arenas[LOCK_ARENA];
  size_t within = (uintptr_t) host % SIM_PAGE;
  uint64_t result = 0;

  pthread_mutex_lock (&space_mutex);
  for (size_t i = 0; i < num_entries; i++)
    if (entries[i].range.kind == SIM_LOCKED_MEMORY && entries[i].range.view == (char *) host
	&& entries[i].range.size == size)
      {
	entries[i].locks++;
	entries[i].range.agents |= agents;
	result = entries[i].range.start;
	break;
      }
  uint64_t at = result == 0 ? find_hole (a, pages (size + within)) : 0;
  if (at != 0)
    {
      struct entry e = { .range = { .start = at + within, .size = size, .view = host,
				    .agents = agents, .kind = SIM_LOCKED_MEMORY, .owner = -1 },
			 .room = pages (size + within) - within, .locks = 1 };
      a->cursor = at - (uintptr_t) a->base + pages (size + within) + SIM_PAGE;
      add_entry (&e);
      result = e.range.start;
    }
  pthread_mutex_unlock (&space_mutex);
  return result;
}

bool
space_unlock (void *host)
{
  bool ok = false;
  pthread_mutex_lock (&space_mutex);
  for (size_t i = 0; i < num_entries && !ok; i++)
    if (entries[i].range.kind == SIM_LOCKED_MEMORY && entries[i].range.view == (char *) host)
      {
	ok = true;
	if (--entries[i].locks == 0)
	  remove_entry (&entries[i]);
      }
  pthread_mutex_unlock (&space_mutex);
  return ok;
}

bool
space_allow (uint64_t addr, uint32_t agents)
{
  pthread_mutex_lock (&space_mutex);
  struct entry *e = entry_at (addr);
  if (e != NULL)
    {
      e->range.agents = agents;
      /* release: as in remove_entry.  */
      atomic_fetch_add_explicit (&sim_space_generation, 1, memory_order_release);
    }
  pthread_mutex_unlock (&space_mutex);
  return e != NULL;
}

void
space_set_user_data (uint64_t addr, void *data)
{
  pthread_mutex_lock (&space_mutex);
  struct entry *e = find_entry (addr, 1);
  if (e != NULL)
    e->user_data = data;
  pthread_mutex_unlock (&space_mutex);
}

void *
space_user_data (uint64_t addr)
{
  pthread_mutex_lock (&space_mutex);
  struct entry *e = find_entry (addr, 1);
  void *data = e != NULL ? e->user_data : NULL;
  pthread_mutex_unlock (&space_mutex);
  return data;
}

size_t
space_limit (int arena)
{
  return arenas[arena].limit;
}

size_t
space_free_bytes (int arena)
{
  pthread_mutex_lock (&space_mutex);
  size_t bytes = arenas[arena].limit - arenas[arena].used;
  pthread_mutex_unlock (&space_mutex);
  return bytes;
}

/* ---- questions ---- */

/* Pages of the program that GPU agents may use because it has said so.  Protected by
   space_mutex.  */
static struct svm { uint64_t start, end; uint32_t agents; } *svms;
static size_t num_svms;

/* The mapping of the program that holds [ADDR, ADDR + SIZE), as the system tells it.  */
static bool
find_host_mapping (uint64_t addr, size_t size, struct sim_range *out)
{
  unsigned long start, end, found_start = 0, found_end = 0;
  char mode[8], line[600];
  bool writable = true;
  FILE *maps = fopen ("/proc/self/maps", "re");
  if (maps == NULL)
    return false;
  while (fgets (line, sizeof (line), maps) != NULL)
    if (sscanf (line, "%lx-%lx %7s", &start, &end, mode) == 3 && mode[0] == 'r'
	&& (addr - start < end - start || (found_end == start && start < addr + size)))
      {
	if (found_end == 0)
	  found_start = start;
	found_end = end;
	writable = writable && mode[1] == 'w';
      }
  fclose (maps);
  if (found_end == 0 || size > found_end - addr)
    return false;
  *out = (struct sim_range) { .start = found_start, .size = found_end - found_start,
			      .view = (char *) found_start, .agents = ~(uint32_t) 0,
			      .kind = SIM_HOST_MEMORY, .owner = -1, .readonly = !writable };
  return true;
}

bool
space_host_readable (uint64_t addr, size_t size, bool writable)
{
  struct sim_range range;
  return find_host_mapping (addr, size, &range) && !(writable && range.readonly);
}

void
space_set_svm (uint64_t start, size_t size, int agent, bool allowed)
{
  uint64_t end = start + size;
  pthread_mutex_lock (&space_mutex);
  /* Records are cut at START and END; those between are changed, and what is missing is added.  */
  struct svm *old = svms;
  size_t n = num_svms;
  svms = malloc ((3 * n + 1) * sizeof (*svms));
  if (svms == NULL)
    abort ();
  num_svms = 0;
  for (size_t i = 0; i < n; i++)
    {
      struct svm s = old[i];
      if (s.start < start && s.end > start)
	{
	  svms[num_svms++] = (struct svm) { s.start, start, s.agents };
	  s.start = start;
	}
      if (s.start < end && s.end > end)
	{
	  svms[num_svms++] = (struct svm) { end, s.end, s.agents };
	  s.end = end;
	}
      if (!allowed && s.start >= start && s.end <= end)
	s.agents &= ~((uint32_t) 1 << agent);
      if (s.agents != 0)
	svms[num_svms++] = s;
    }
  if (allowed)
    svms[num_svms++] = (struct svm) { start, end, (uint32_t) 1 << agent };
  free (old);
  /* release: as in remove_entry.  */
  atomic_fetch_add_explicit (&sim_space_generation, 1, memory_order_release);
  pthread_mutex_unlock (&space_mutex);
}

/* The pages around ADDR that AGENT may use; with space_mutex held.  */
static const struct svm *
find_svm (uint64_t addr, size_t size, int agent)
{
  for (size_t i = 0; i < num_svms; i++)
    if (addr >= svms[i].start && addr < svms[i].end && size <= svms[i].end - addr
	&& (agent < 0 || (svms[i].agents >> agent & 1) != 0))
      return &svms[i];
  return NULL;
}

bool
space_is_svm (uint64_t addr, size_t size, int agent)
{
  pthread_mutex_lock (&space_mutex);
  bool found = find_svm (addr, size, agent) != NULL;
  pthread_mutex_unlock (&space_mutex);
  return found;
}

bool
sim_space_find (uint64_t addr, size_t size, int agent, struct sim_range *out)
{
  pthread_mutex_lock (&space_mutex);
  struct entry *e = find_entry (addr, size);
  bool ok = e != NULL && (agent < 0 || (e->range.agents >> agent & 1) != 0);
  if (ok)
    *out = e->range;
  const struct svm *s = e == NULL && agent >= 0 ? find_svm (addr, size, agent) : NULL;
  struct svm found = s != NULL ? *s : (struct svm) { 0, 0, 0 };
  pthread_mutex_unlock (&space_mutex);
  if (!ok && e == NULL && agent >= 0 && (hsa_svm || s != NULL) && arena_of (addr) < 0)
    {
      ok = find_host_mapping (addr, size, out);
      if (ok && !hsa_svm)
	{
	  /* Not more than was allowed.  */
	  uint64_t low = out->start > found.start ? out->start : found.start;
	  uint64_t high = out->start + out->size < found.end ? out->start + out->size : found.end;
	  out->start = low;
	  out->size = high - low;
	  out->view = (char *) low;
	}
    }
  return ok;
}

char *
space_view (uint64_t addr, size_t size, struct sim_range *range)
{
  struct sim_range mine;
  if (range == NULL)
    range = &mine;
  if (arena_of (addr) < 0)
    {
      *range = (struct sim_range) { .start = addr, .size = size, .view = (char *) addr,
				    .kind = SIM_HOST_MEMORY, .owner = -1 };
      return (char *) addr;
    }
  pthread_mutex_lock (&space_mutex);
  struct entry *e = find_entry (addr, size);
  if (e != NULL)
    *range = e->range;
  pthread_mutex_unlock (&space_mutex);
  return e != NULL ? range->view + (addr - range->start) : NULL;
}

bool
space_locked_host (const void *host, struct sim_range *range)
{
  bool found = false;
  pthread_mutex_lock (&space_mutex);
  for (size_t i = 0; i < num_entries && !found; i++)
    if (entries[i].range.kind == SIM_LOCKED_MEMORY
	&& (size_t) ((const char *) host - entries[i].range.view) < entries[i].range.size)
      {
	*range = entries[i].range;
	found = true;
      }
  pthread_mutex_unlock (&space_mutex);
  return found;
}

void
space_define (const struct sim_range *range, const char *view, size_t size, const uint8_t *shadow)
{
  if (range->shadow == NULL)
    return;
  uint8_t *to = range->shadow + (view - range->view);
  if (shadow != NULL)
    memmove (to, shadow, size);
  else
    memset (to, 0xff, size);
}

void *
gcn_sim_view (uint64_t address)
{
  struct sim_range range;
  return space_is_arena (address) ? space_view (address, 1, &range) : NULL;
}

static const char *
kind_name (enum sim_memory kind)
{
  static const char *const names[]
    = { "device memory", "system memory", "a code object", "scratch memory", "a queue",
	"a signal", "locked memory", "memory of the program" };
  return names[kind];
}

/* "[0x1000, +64) device memory of agent 0".  */
static int
describe (const struct sim_range *r, uint64_t addr, char *text, size_t room)
{
  char owner[40] = "", where[60];
  if (r->owner >= 0)
    snprintf (owner, sizeof (owner), " of agent %d", r->owner);
  if (addr < r->start)
    snprintf (where, sizeof (where), "%lu bytes before", (unsigned long) (r->start - addr));
  else if (addr - r->start < r->size)
    snprintf (where, sizeof (where), "%lu bytes into", (unsigned long) (addr - r->start));
  else
    snprintf (where, sizeof (where), "%lu bytes behind the end of",
	      (unsigned long) (addr - r->start - r->size));
  return snprintf (text, room, "%s [%#lx, +%lu), %s%s", where, (unsigned long) r->start,
		   (unsigned long) r->size, kind_name (r->kind), owner);
}

void
sim_space_explain (uint64_t addr, size_t size, int agent, char *text, size_t room)
{
  char near[200];
  pthread_mutex_lock (&space_mutex);
  struct entry *e = find_entry (addr, 1);
  const struct sim_range *old = e == NULL ? freed_range (addr) : NULL;
  if (e != NULL)
    {
      describe (&e->range, addr, near, sizeof (near));
      if (agent >= 0 && (e->range.agents >> agent & 1) == 0)
	snprintf (text, room, "it is %s, which agent %d may not use", near, agent);
      else
	snprintf (text, room, "it is %s, and %zu bytes do not fit", near, size);
    }
  else if (old != NULL)
    {
      describe (old, addr, near, sizeof (near));
      snprintf (text, room, "it is %s that was freed", near);
    }
  else
    {
      size_t i = entry_index (addr);
      const struct sim_range *r = i < num_entries ? &entries[i].range : NULL;
      if (r != NULL && r->start > addr && i > 0
	  && addr - (entries[i - 1].range.start + entries[i - 1].range.size) < r->start - addr)
	r = &entries[i - 1].range;
      else if (r == NULL && num_entries > 0)
	r = &entries[num_entries - 1].range;
      if (addr < SIM_PAGE)
	snprintf (text, room, "it is near the null pointer");
      else if (r == NULL || arena_of (addr) < 0)
	snprintf (text, room, "it is in no memory of any agent");
      else
	{
	  describe (r, addr, near, sizeof (near));
	  snprintf (text, room, "nothing is there; it is %s", near);
	}
    }
  pthread_mutex_unlock (&space_mutex);
}

unsigned
space_report_leaks (void)
{
  unsigned n = 0;
  char text[120];
  pthread_mutex_lock (&space_mutex);
  for (size_t i = 0; i < num_entries; i++)
    {
      const struct sim_range *r = &entries[i].range;
      if (r->kind != SIM_DEVICE_MEMORY && r->kind != SIM_SYSTEM_MEMORY
	  && r->kind != SIM_LOCKED_MEMORY)
	continue;
      snprintf (text, sizeof (text), "%lu bytes of %s at %#lx", (unsigned long) r->size,
		kind_name (r->kind), (unsigned long) r->start);
      hsa_tell ("leak", text);
      n++;
    }
  pthread_mutex_unlock (&space_mutex);
  return n;
}
