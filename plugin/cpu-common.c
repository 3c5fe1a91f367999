/* cpu-common.c -- the few things that both sides of a cpu device need: what identifies a
   process, a module and a build, and how long to poll for the other side.  */

#define _GNU_SOURCE 1
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/cpu-proto.h"
#include "plugin/cpu-common.h"
#include "plugin/thread-own.h"

uint64_t
gomp_cpu_process_start (int pid, char *state)
{
  char name[40], text[1024];
  ssize_t n = -1;
  int cancel;
  snprintf (name, sizeof (name), "/proc/%d/stat", pid);
  /* Whoever waits for the worker may be in the middle of something.  */
  pthread_setcancelstate (PTHREAD_CANCEL_DISABLE, &cancel);
  int fd = open (name, O_RDONLY | O_CLOEXEC);
  if (fd >= 0)
    {
      n = read (fd, text, sizeof (text) - 1);
      close (fd);
    }
  pthread_setcancelstate (cancel, NULL);
  if (n <= 0)
    return 0;
  text[n] = '\0';

  /* The name of the program, in parentheses, may contain anything.  */
  char *p = strrchr (text, ')');
  if (p == NULL || p[1] != ' ')
    return 0;
  p += 2;
  if (state != NULL)
    *state = *p;
  for (int field = 3; field < 22; field++)
    {
      p = strchr (p, ' ');
      if (p == NULL)
	return 0;
      p++;
    }
  return strtoull (p, NULL, 10);
}

const char * GOMP_CPU_STARTUP
gomp_cpu_variable (char **env, const char *name)
{
  size_t n = strlen (name);
  for (; env != NULL && *env != NULL; env++)
    /* Most differ in the first letter.  */
    if (**env == *name && strncmp (*env, name, n) == 0 && (*env)[n] == '=')
      return *env + n + 1;
  return NULL;
}

struct id_search
{
  uintptr_t inside;
  uint8_t *id;
};

/* Copy the build-id out of INFO's notes.  */
void
gomp_cpu_module_id (const struct dl_phdr_info *info, uint8_t id[static 32])
{
  memset (id, 0, 32);
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *ph = &info->dlpi_phdr[i];
      if (ph->p_type != PT_NOTE)
	continue;
      const char *p = (const char *) (info->dlpi_addr + ph->p_vaddr), *end = p + ph->p_memsz;
      while ((size_t) (end - p) >= sizeof (ElfW (Nhdr)))
	{
	  const ElfW (Nhdr) *note = (const ElfW (Nhdr) *) p;
	  size_t name = (note->n_namesz + 3u) & ~(size_t) 3;
	  size_t content = (note->n_descsz + 3u) & ~(size_t) 3;
	  if ((size_t) (end - p) < sizeof (*note) + name + content)
	    break;
	  if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4
	      && memcmp (note + 1, "GNU", 4) == 0)
	    {
	      memcpy (id, p + sizeof (*note) + name, note->n_descsz < 32 ? note->n_descsz : 32);
	      return;
	    }
	  p += sizeof (*note) + name + content;
	}
    }
}

void
gomp_cpu_module_extent (const struct dl_phdr_info *info, uint64_t *start, uint64_t *end)
{
  *start = UINT64_MAX;
  *end = 0;
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *p = &info->dlpi_phdr[i];
      if (p->p_type != PT_LOAD)
	continue;
      if (info->dlpi_addr + p->p_vaddr < *start)
	*start = info->dlpi_addr + p->p_vaddr;
      if (info->dlpi_addr + p->p_vaddr + p->p_memsz > *end)
	*end = info->dlpi_addr + p->p_vaddr + p->p_memsz;
    }
}

void
gomp_cpu_mapped_file (uint64_t addr, uint64_t *device, uint64_t *inode)
{
  char line[512];
  int cancel;
  bool start_of_line = true;

  *device = *inode = 0;
  pthread_setcancelstate (PTHREAD_CANCEL_DISABLE, &cancel);
  FILE *maps = fopen ("/proc/self/maps", "re");
  while (maps != NULL && fgets (line, sizeof (line), maps) != NULL)
    {
      unsigned long from, to, number;
      unsigned major, minor;
      if (start_of_line
	  && sscanf (line, "%lx-%lx %*s %*s %x:%x %lu", &from, &to, &major, &minor, &number) == 5
	  && addr >= from && addr < to)
	{
	  *device = (uint64_t) major << 32 | minor;
	  *inode = number;
	  break;
	}
      start_of_line = strchr (line, '\n') != NULL;
    }
  if (maps != NULL)
    fclose (maps);
  pthread_setcancelstate (cancel, NULL);
}

static int
look_for_id (struct dl_phdr_info *info, size_t size, void *data)
{
  struct id_search *search = data;
  uint64_t start, end;
  (void) size;
  gomp_cpu_module_extent (info, &start, &end);
  if (search->inside < start || search->inside >= end)
    return 0;
  gomp_cpu_module_id (info, search->id);
  return 1;
}

void
gomp_cpu_build_id (uint8_t id[static 32])
{
  struct id_search search = { (uintptr_t) gomp_cpu_build_id, id };
  memset (id, 0, 32);
  dl_iterate_phdr (look_for_id, &search);
}

/* ---- polling ---- */

#define TAKEN_AWAY 1000000	/* ticks in one poll that say that somebody else was running */
#define MOST_SKIPPED 4096

/* How long polling pays depends on the region and on the machine: each success gives time back,
   each failure takes some.  A thread that had to share its processor while it polled has better
   things to do: it does not poll for a while, which is twice as long each time (thread-own.h:
   patience).  */
static void
stop_polling (struct gomp_own *own)
{
  uint32_t skipped = own->patience.skipped;
  own->patience.skipped
    = skipped == 0 ? 32 : skipped < MOST_SKIPPED ? 2 * skipped : MOST_SKIPPED;
  own->patience.skip = own->patience.skipped;
  own->patience.lost = 0;
}

bool
gomp_cpu_poll (struct gomp_cpu_shared *shared, _Atomic (uint32_t) *word, uint32_t seen,
	       _Atomic (uint32_t) *mine, _Atomic (uint32_t) *other,
	       struct gomp_cpu_bells *bells, bool *same_cpu)
{
  bool changed = false;
  *same_cpu = false;
  /* Once, and bounded: the other side can write it.  */
  uint32_t spin = *(volatile uint32_t *) &shared->spin_ns;
  if (spin > GOMP_CPU_SPIN_NS)
    spin = GOMP_CPU_SPIN_NS;
  if (spin == 0)
    return false;
  struct gomp_own *own = gomp_own ();
  if (own->patience.skip != 0)
    {
      own->patience.skip--;
      return false;
    }
  /* Relaxed: a hint only.  */
  if (atomic_fetch_add_explicit (&shared->xbusy, 1, memory_order_relaxed)
      < (int32_t) shared->num_cpus)
    {
      const uint64_t start = gomp_cpu_ticks ();
      for (uint64_t end = 0;;)
	{
	  uint32_t here = gomp_cpu_here ();
	  /* Relaxed: both are hints.  */
	  atomic_store_explicit (mine, here, memory_order_relaxed);
	  *same_cpu = here != 0
		      && atomic_load_explicit (other, memory_order_relaxed) == here;
	  for (int i = 0; i < 32 && !changed; i++)
	    {
	      /* Acquire: what the other side wrote before it changed the word.  */
	      changed = atomic_load_explicit (word, memory_order_acquire) != seen
			|| (bells != NULL && gomp_cpu_bells_ring (bells));
	      if (*same_cpu)
		break;
	      if (!changed)
		gomp_cpu_pause ();
	    }
	  if (changed || *same_cpu)
	    {
	      own->patience.lost /= 2;
	      break;
	    }
	  uint64_t now = gomp_cpu_now ();
	  if (end == 0)
	    end = now + (spin > own->patience.lost ? spin - own->patience.lost : 0);
	  else if (now >= end)
	    {
	      own->patience.lost += spin / 4;
	      if (own->patience.lost >= spin)
		stop_polling (own);
	      break;
	    }
	}
      if (gomp_cpu_ticks () - start > TAKEN_AWAY)
	stop_polling (own);
      else if (changed && own->patience.lost == 0 && own->patience.skipped != 0)
	own->patience.skipped--;
    }
  atomic_fetch_sub_explicit (&shared->xbusy, 1, memory_order_relaxed);
  return changed;
}
