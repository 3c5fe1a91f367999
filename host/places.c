/* places.c -- the place list: OMP_PLACES, GOMP_CPU_AFFINITY and the queries of the API
   (abi/host section 6.1).

   Lists are built from the text as it is, then every place is cut down to the CPUs that the
   process may use.  */

#include "host/abi.h"
#include "host/affinity.h"
#include "host/env.h"
#include "host/icv.h"
#include "host/places.h"
#include "host/text.h"

#define MAX_REPEAT 65535	/* of a resource or of a place */
#define MAX_PLACES 65536
#define MAX_CPU_AFFINITY 65535	/* greatest CPU number in GOMP_CPU_AFFINITY */

unsigned gomp_places_count;
cpu_set_t **gomp_places;

/* A list that grows.  */
struct list
{
  cpu_set_t **sets;
  unsigned count, room;
  unsigned limit;
};

static void
free_list (struct list *list)
{
  for (unsigned i = 0; i < list->count; i++)
    free (list->sets[i]);
  free (list->sets);
  *list = (struct list) { .sets = NULL };
}

static cpu_set_t *
new_set (void)
{
  return gomp_calloc (1, gomp_cpuset_size);
}

/* Takes SET over, also when it does not fit.  */
static bool
append (struct list *list, cpu_set_t *set)
{
  if (list->count == MAX_PLACES)
    {
      free (set);
      return false;
    }
  if (list->count == list->room)
    {
      list->room = list->room ? 2 * list->room : 16;
      list->sets = gomp_realloc_array (list->sets, list->room, sizeof (*list->sets));
    }
  list->sets[list->count++] = set;
  return true;
}

/* For gomp_topology_places.  */
static bool
append_limited (void *data, cpu_set_t *set)
{
  struct list *list = data;
  if (list->count >= list->limit)
    {
      free (set);
      return false;
    }
  return append (list, set) && list->count < list->limit;
}

/* ---- CPUs ---- */

/* Adds or removes CPU = FIRST + STEP; says what is wrong.  */
static bool
change_cpu (cpu_set_t *set, unsigned long first, long step, bool remove)
{
  /* FIRST < 2^20 or STEP is 0: no overflow.  */
  unsigned long cpu = first + step;

  if (cpu >= 8 * gomp_cpuset_size)
    {
      if (step < 0)
	gomp_error ("Logical CPU number %lu+%ld out of range", first, step);
      else
	gomp_error ("Logical CPU number %lu out of range", cpu);
      return false;
    }
  if (remove)
    {
      if (!CPU_ISSET_S (cpu, gomp_cpuset_size, set))
	{
	  gomp_error ("Logical CPU %lu to be removed is not in the set", cpu);
	  return false;
	}
      CPU_CLR_S (cpu, gomp_cpuset_size, set);
    }
  else
    CPU_SET_S (cpu, gomp_cpuset_size, set);
  return true;
}

/* SET moved up by STEP CPUs, or NULL when it does not fit.  */
static cpu_set_t *
shifted (const cpu_set_t *set, long step)
{
  cpu_set_t *result = new_set ();
  for (size_t cpu = 0; cpu < 8 * gomp_cpuset_size; cpu++)
    if (CPU_ISSET_S (cpu, gomp_cpuset_size, set)
	&& !change_cpu (result, cpu, step, false))
      {
	free (result);
	return NULL;
      }
  return result;
}

/* ---- OMP_PLACES: a list ---- */

/* [:count[:stride]] at *P; both stay when nothing is there.  */
static bool
scan_repeat (const char **p, unsigned long *count, long *stride)
{
  unsigned long n;

  if (!gomp_scan_char (p, ':'))
    return true;
  if (!gomp_scan_number (p, 10, count) || *count < 1 || *count > MAX_REPEAT)
    return false;
  if (!gomp_scan_char (p, ':'))
    return true;
  bool minus = gomp_scan_char (p, '-');
  if (!gomp_scan_number (p, 10, &n) || n > INT_MAX)
    return false;
  *stride = minus ? -(long) n : (long) n;
  return true;
}

/* n[:len[:stride]] or !n; adds to SET, or removes from it if that is what REMOVING says.  */
static bool
scan_resource (const char **p, cpu_set_t *set, bool removing)
{
  unsigned long cpu, len = 1;
  long stride = 1;
  bool remove = gomp_scan_char (p, '!');

  if (!gomp_scan_number (p, 10, &cpu))
    return false;
  if (!remove && !scan_repeat (p, &len, &stride))
    return false;
  if (remove != removing)
    return true;
  for (unsigned long i = 0; i < len; i++)
    if (!change_cpu (set, cpu, (long) i * stride, remove))
      return false;
  return true;
}

/* res[,res]...} */
static bool
scan_resources (const char **p, cpu_set_t *set, bool removing)
{
  do
    if (!scan_resource (p, set, removing))
      return false;
  while (gomp_scan_char (p, ','));
  return gomp_scan_char (p, '}');
}

/* {res[,res]...} or n; NULL when it is wrong.  */
static cpu_set_t *
scan_place (const char **p)
{
  cpu_set_t *set = new_set ();
  unsigned long cpu;

  if (gomp_scan_char (p, '{'))
    {
      /* What is excluded is so wherever in the place it stands.  */
      const char *start = *p;
      if (!scan_resources (&start, set, false) || !scan_resources (p, set, true))
	goto bad;
    }
  else if (!gomp_scan_number (p, 10, &cpu) || !change_cpu (set, cpu, 0, false))
    goto bad;
  return set;

 bad:
  free (set);
  return NULL;
}

/* Takes the first place equal to SET out of the list.  */
static bool
remove_place (struct list *list, const cpu_set_t *set)
{
  for (unsigned i = 0; i < list->count; i++)
    if (CPU_EQUAL_S (gomp_cpuset_size, set, list->sets[i]))
      {
	free (list->sets[i]);
	list->count--;
	memmove (&list->sets[i], &list->sets[i + 1],
		 (list->count - i) * sizeof (list->sets[0]));
	return true;
      }
  gomp_error ("Trying to remove a non-existing place from list of places");
  return false;
}

/* place[:count[:stride]] or !place */
static bool
scan_interval (const char **p, struct list *list)
{
  unsigned long count = 1;
  long stride = 1;
  bool remove = gomp_scan_char (p, '!');
  cpu_set_t *set = scan_place (p);

  if (set == NULL)
    return false;
  if (remove)
    {
      bool found = remove_place (list, set);
      free (set);
      return found;
    }
  if (!scan_repeat (p, &count, &stride))
    {
      free (set);
      return false;
    }
  if (!append (list, set))
    return false;
  for (unsigned long i = 1; i < count; i++)
    {
      cpu_set_t *next = shifted (set, (long) i * stride);
      if (next == NULL || !append (list, next))
	return false;
    }
  return true;
}

static bool
scan_list (const char *p, struct list *list)
{
  do
    if (!scan_interval (&p, list))
      return false;
  while (gomp_scan_char (&p, ','));
  if (!gomp_scan_end (&p))
    return false;
  if (list->count == 0)
    {
      gomp_error ("All places have been removed");
      return false;
    }
  return true;
}

/* ---- OMP_PLACES: a kind of place ---- */

static const char *const kind_names[]
  = { "threads", "cores", "sockets", "ll_caches", "numa_domains" };

/* kind[(n)]; -1 when it is something else.  */
static int
scan_kind (const char *p, unsigned *limit)
{
  unsigned long n = MAX_PLACES;
  for (size_t i = 0; i < GOMP_ARRAY_SIZE (kind_names); i++)
    if (gomp_scan_word (&p, kind_names[i]))
      {
	if (gomp_scan_char (&p, '(')
	    && (!gomp_scan_number (&p, 10, &n) || !gomp_scan_char (&p, ')')))
	  return -1;
	if (!gomp_scan_end (&p))
	  return -1;
	*limit = n < MAX_PLACES ? n : MAX_PLACES;
	return GOMP_PLACE_THREADS + i;
      }
  return -1;
}

/* ---- GOMP_CPU_AFFINITY ---- */

/* n, n-m, n-m:stride, in C's notation.  */
static bool
scan_cpus (const char **p, struct list *list)
{
  unsigned long first, last, stride = 1;

  if (!gomp_scan_number (p, 0, &first))
    return false;
  last = first;
  if (**p == '-')
    {
      ++*p;
      if (!gomp_scan_number (p, 0, &last) || last < first)
	return false;
      if (**p == ':')
	{
	  ++*p;
	  if (!gomp_scan_number (p, 0, &stride) || stride < 1)
	    return false;
	}
    }
  if (last > MAX_CPU_AFFINITY)
    return false;
  if (stride > MAX_CPU_AFFINITY)
    stride = MAX_CPU_AFFINITY + 1;
  for (unsigned long cpu = first; cpu <= last; cpu += stride)
    {
      cpu_set_t *set = new_set ();
      /* One beyond the masks is no usable CPU: an empty place.  */
      if (cpu < 8 * gomp_cpuset_size)
	CPU_SET_S (cpu, gomp_cpuset_size, set);
      if (!append (list, set))
	return false;
    }
  return true;
}

static bool
scan_cpu_affinity (const char *p, struct list *list)
{
  while (scan_cpus (&p, list))
    {
      if (gomp_scan_end (&p))
	return true;
      /* Blanks or one comma between entries.  */
      if (!gomp_scan_char (&p, ',') && *p != ' ' && *p != '\t')
	break;
    }
  return false;
}

/* ---- the list in use ---- */

/* Cuts LIST down to USABLE; false when nothing remains.  */
static bool
intersect (struct list *list, const cpu_set_t *usable)
{
  unsigned before = list->count, kept = 0;

  for (unsigned i = 0; i < before; i++)
    {
      cpu_set_t *set = list->sets[i];
      CPU_AND_S (gomp_cpuset_size, set, set, usable);
      if (CPU_COUNT_S (gomp_cpuset_size, set) > 0)
	list->sets[kept++] = set;
      else
	free (set);
    }
  list->count = kept;
  if (kept == 0)
    gomp_error ("None of the places contain usable logical CPUs");
  else if (kept < before)
    gomp_error ("Number of places reduced from %ld to %ld because some places didn't"
		" contain any usable logical CPUs", (long) before, (long) kept);
  return kept > 0;
}

/* OMP_PLACES is TEXT; says what is wrong with it.  */
static void
read_places (const char *text, struct list *list, const cpu_set_t *usable)
{
  int kind = scan_kind (text, &list->limit);
  if (kind >= 0)
    {
      if (list->limit > 0)
	gomp_topology_places (kind, usable, append_limited, list);
      if (list->count == 0)
	gomp_error ("Error reading core/socket topology");
    }
  else if (!scan_list (text, list) || !intersect (list, usable))
    {
      gomp_env_invalid (GOMP_ENV_PLACES, "OMP_PLACES", text);
      free_list (list);
    }
}

void GOMP_STARTUP
gomp_places_init (bool default_places)
{
  const char *places = gomp_getenv ("OMP_PLACES", false);
  const char *cpus = gomp_getenv ("GOMP_CPU_AFFINITY", false);
  struct list list = { .sets = NULL };

  if (places == NULL && cpus == NULL && !default_places)
    return;
  cpu_set_t *usable = gomp_cpus_mask ();
  if (usable == NULL)
    usable = new_set ();

  if (places != NULL)
    read_places (places, &list, usable);
  if (list.count == 0 && cpus != NULL
      && !(scan_cpu_affinity (cpus, &list) && intersect (&list, usable)))
    {
      /* Programs look for this text as it is.  */
      gomp_error ("Invalid value for enviroment variable GOMP_CPU_AFFINITY: %s\n  it is ignored;"
		  " allowed: %s", cpus, gomp_env_grammar (GOMP_ENV_CPU_AFFINITY));
      free_list (&list);
    }
  if (list.count == 0 && default_places)
    {
      list.limit = MAX_PLACES;
      gomp_topology_places (GOMP_PLACE_THREADS, usable, append_limited, &list);
    }
  free (usable);
  gomp_places = list.sets;
  gomp_places_count = list.count;
}

/* ---- texts ---- */

/* The runs of SET: LENGTHS selects start:length, otherwise it is first-last.  */
static void
add_set (struct gomp_text *t, const cpu_set_t *set, bool lengths)
{
  size_t bits = 8 * gomp_cpuset_size;
  const char *comma = "";

  for (size_t cpu = 0; cpu < bits; cpu++)
    if (CPU_ISSET_S (cpu, gomp_cpuset_size, set))
      {
	size_t last = cpu;
	while (last + 1 < bits && CPU_ISSET_S (last + 1, gomp_cpuset_size, set))
	  last++;
	if (last == cpu)
	  gomp_text_add (t, "%s%zu", comma, cpu);
	else if (lengths)
	  gomp_text_add (t, "%s%zu:%zu", comma, cpu, last - cpu + 1);
	else
	  gomp_text_add (t, "%s%zu-%zu", comma, cpu, last);
	comma = ",";
	cpu = last;
      }
}

void
gomp_cpuset_text (struct gomp_text *t, const cpu_set_t *set)
{
  add_set (t, set, false);
}

void
gomp_places_text (struct gomp_text *t)
{
  for (unsigned i = 0; i < gomp_places_count; i++)
    {
      gomp_text_add (t, i ? ",{" : "{");
      add_set (t, gomp_places[i], true);
      gomp_text_add (t, "}");
    }
}

/* ---- the API ---- */

static inline bool
is_place (int n)
{
  return n >= 0 && (unsigned) n < gomp_places_count;
}

int
omp_get_num_places (void)
{
  return gomp_places_count;
}

int
omp_get_place_num_procs (int n)
{
  return is_place (n) ? CPU_COUNT_S (gomp_cpuset_size, gomp_places[n]) : 0;
}

void
omp_get_place_proc_ids (int n, int *ids)
{
  if (is_place (n))
    for (size_t cpu = 0; cpu < 8 * gomp_cpuset_size; cpu++)
      if (CPU_ISSET_S (cpu, gomp_cpuset_size, gomp_places[n]))
	*ids++ = cpu;
}

int
omp_get_place_num (void)
{
  if (!gomp_global_icvs.bound)
    return -1;
  gomp_bind_initial ();
  return gomp_bound_place () - 1;
}

int
omp_get_partition_num_places (void)
{
  return gomp_self ()->partition.count;
}

void
omp_get_partition_place_nums (int *nums)
{
  const struct gomp_partition *part = &gomp_self ()->partition;
  for (unsigned i = 0; i < part->count; i++)
    *nums++ = part->first + i;
}

int32_t
omp_get_num_places_ (void)
{
  return omp_get_num_places ();
}

int32_t
omp_get_place_num_procs_ (const int32_t *n)
{
  return omp_get_place_num_procs (*n);
}

int32_t
omp_get_place_num_procs_8_ (const int64_t *n)
{
  return omp_get_place_num_procs (gomp_clamp_int (*n));
}

void
omp_get_place_proc_ids_ (const int32_t *n, int32_t *ids)
{
  omp_get_place_proc_ids (*n, ids);
}

void
omp_get_place_proc_ids_8_ (const int64_t *n, int64_t *ids)
{
  int place = gomp_clamp_int (*n);
  if (is_place (place))
    for (size_t cpu = 0; cpu < 8 * gomp_cpuset_size; cpu++)
      if (CPU_ISSET_S (cpu, gomp_cpuset_size, gomp_places[place]))
	*ids++ = cpu;
}

int32_t
omp_get_place_num_ (void)
{
  return omp_get_place_num ();
}

int32_t
omp_get_partition_num_places_ (void)
{
  return omp_get_partition_num_places ();
}

void
omp_get_partition_place_nums_ (int32_t *nums)
{
  omp_get_partition_place_nums (nums);
}

void
omp_get_partition_place_nums_8_ (int64_t *nums)
{
  const struct gomp_partition *part = &gomp_self ()->partition;
  for (unsigned i = 0; i < part->count; i++)
    *nums++ = part->first + i;
}
