/* topology.c -- which CPUs share a core, socket, last-level cache or NUMA node.  Linux: sysfs.

   Files there are read with plain system calls.  A CPU of which they do not tell, for instance
   since it went offline, is in no place.  Lists of CPUs can be long: on a machine with thousands
   of them whose parts alternate, each is named.  */

#include "libgomp.h"
#include "host/places.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define CPU_DIR "/sys/devices/system/cpu/cpu%u/"
#define NODE_DIR "/sys/devices/system/node/"

/* Room for a list of all CPUs that there can be, by number: 2^16 times "65536,".  */
#define LIST_SIZE (7u << 16)

/* The text of a small file, terminated; false when there is none.  */
static bool
read_file (const char *path, char *text, size_t size)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  size_t n = 0;
  ssize_t got;
  while (n < size - 1
	 && ((got = read (fd, text + n, size - 1 - n)) > 0 || (got < 0 && errno == EINTR)))
    if (got > 0)
      n += got;
  close (fd);
  text[n] = '\0';
  return n > 0 && n < size - 1;	/* a full buffer may be a cut list */
}

static bool __attribute__ ((format (printf, 3, 4)))
read_file_of (char *text, size_t size, const char *path, ...)
{
  char name[128];
  va_list list;
  va_start (list, path);
  vsnprintf (name, sizeof (name), path, list);
  va_end (list);
  return read_file (name, text, size);
}

/* "0-3,7" as numbers: calls FN for each until it says false.  */
static bool
each_number (const char *text, bool (*fn) (void *, unsigned long), void *data)
{
  while (*text >= '0' && *text <= '9')
    {
      char *end;
      unsigned long first = strtoul (text, &end, 10), last = first;
      if (*end == '-')
	last = strtoul (end + 1, &end, 10);
      for (unsigned long n = first; n <= last; n++)
	if (!fn (data, n))
	  return true;
      if (*end != ',')
	return *end == '\n' || *end == '\0';
      text = end + 1;
    }
  return *text == '\n' || *text == '\0';
}

static bool
add_to_set (void *set, unsigned long cpu)
{
  if (cpu >= 8 * gomp_cpuset_size)
    return false;		/* in ascending order: nothing more of interest */
  CPU_SET_S (cpu, gomp_cpuset_size, (cpu_set_t *) set);
  return true;
}

/* The list of CPUs that share the highest cache with CPU.  */
static bool
last_cache (unsigned cpu, char *text, size_t size)
{
  char word[32];
  int best = -1;
  unsigned long best_level = 0;

  for (int i = 0; i < 16; i++)
    {
      if (!read_file_of (word, sizeof (word), CPU_DIR "cache/index%d/type", cpu, i))
	break;
      if (strncmp (word, "Instruction", 11) == 0
	  || !read_file_of (word, sizeof (word), CPU_DIR "cache/index%d/level", cpu, i))
	continue;
      unsigned long level = strtoul (word, NULL, 10);
      if (level > best_level)
	{
	  best_level = level;
	  best = i;
	}
    }
  return best >= 0
	 && read_file_of (text, size, CPU_DIR "cache/index%d/shared_cpu_list", cpu, best);
}

/* The list of CPUs that share a part of KIND with CPU.  Kernels before 5.x have the second of
   the names.  */
static bool
sharing_list (enum gomp_place_kind kind, unsigned cpu, char *text, size_t size)
{
  switch (kind)
    {
    case GOMP_PLACE_CORES:
      return read_file_of (text, size, CPU_DIR "topology/core_cpus_list", cpu)
	     || read_file_of (text, size, CPU_DIR "topology/thread_siblings_list", cpu);
    case GOMP_PLACE_SOCKETS:
      return read_file_of (text, size, CPU_DIR "topology/package_cpus_list", cpu)
	     || read_file_of (text, size, CPU_DIR "topology/core_siblings_list", cpu);
    case GOMP_PLACE_LL_CACHES:
      return last_cache (cpu, text, size);
    default:
      snprintf (text, size, "%u", cpu);
      return true;
    }
}

struct walk
{
  const cpu_set_t *usable;
  cpu_set_t *done;		/* CPUs that are in a place already */
  bool (*fn) (void *data, cpu_set_t *place);
  void *data;
  bool go_on;
  char *list;			/* LIST_SIZE bytes: what was read last */
};

/* The CPUs in the list that are usable and in no place yet are a place.  */
static void
one_place (struct walk *w)
{
  cpu_set_t *place = gomp_calloc (1, gomp_cpuset_size);
  cpu_set_t *old = gomp_calloc (1, gomp_cpuset_size);
  bool ok = each_number (w->list, add_to_set, place);

  CPU_AND_S (gomp_cpuset_size, place, place, w->usable);
  CPU_AND_S (gomp_cpuset_size, old, place, w->done);
  CPU_XOR_S (gomp_cpuset_size, place, place, old);
  free (old);
  if (!ok || CPU_COUNT_S (gomp_cpuset_size, place) == 0)
    {
      free (place);
      return;
    }
  CPU_OR_S (gomp_cpuset_size, w->done, w->done, place);
  w->go_on = w->fn (w->data, place);
}

static bool
one_node (void *walk, unsigned long node)
{
  struct walk *w = walk;
  /* A node without CPUs has an empty list.  */
  if (read_file_of (w->list, LIST_SIZE, NODE_DIR "node%lu/cpulist", node))
    one_place (w);
  return w->go_on;
}

void
gomp_topology_places (enum gomp_place_kind kind, const cpu_set_t *usable,
		      bool (*fn) (void *data, cpu_set_t *place), void *data)
{
  int saved = errno;
  char nodes[4096];
  struct walk w = {
    .usable = usable,
    .done = gomp_calloc (1, gomp_cpuset_size),
    .fn = fn,
    .data = data,
    .go_on = true,
    .list = gomp_malloc (LIST_SIZE)
  };

  if (kind == GOMP_PLACE_NUMA_DOMAINS)
    {
      if (read_file (NODE_DIR "online", nodes, sizeof (nodes)))
	each_number (nodes, one_node, &w);
    }
  else
    for (size_t cpu = 0; cpu < 8 * gomp_cpuset_size && w.go_on; cpu++)
      if (CPU_ISSET_S (cpu, gomp_cpuset_size, usable)
	  && !CPU_ISSET_S (cpu, gomp_cpuset_size, w.done)
	  && sharing_list (kind, cpu, w.list, LIST_SIZE))
	one_place (&w);
  free (w.list);
  free (w.done);
  errno = saved;
}
