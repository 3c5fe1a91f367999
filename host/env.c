/* env.c -- reading the environment once, and what follows from it for the ICVs.

   gomp_env_init runs in the library's constructor: it copies the environment, gives each
   variable of env-table.c to its grammar, and sets gomp_global_icvs.  A bad value is reported
   and the default stays; nothing here ends the program.

   Suffixes: the host takes NAME, else NAME_ALL; device n takes NAME_DEV_n, else NAME_DEV, else
   NAME_ALL.  */

#include "host/env.h"
#include "host/affinity-fmt.h"
#include "host/places.h"
#include "target.h"

#include <errno.h>
#include <sys/auxv.h>
#include <unistd.h>

/* Times that a waiting thread looks before it sleeps.  The numbers that OMP_DISPLAY_ENV
   shows are GCC's (display-env.c).  Looking once takes some 20 to 50 ns, so the default is
   about a millisecond, longer than waking a sleeping thread takes and shorter than anybody
   notices; with more threads than processors the one that we wait for may need our
   processor.  */
#define SPIN_ACTIVE 30000000000
#define SPIN_DEFAULT 30000
#define SPIN_ACTIVE_THROTTLED 30000
#define SPIN_DEFAULT_THROTTLED 1000

struct gomp_global_icvs gomp_global_icvs;

/* Who uses the library uses the variable above, and so a static program gets init.c, too.  */
static void (*const constructor) (int, char **, char **) __attribute__ ((used))
  = gomp_initialize_library;

struct gomp_env_scope gomp_env_host, gomp_env_all, gomp_env_dev;
struct gomp_env_scope *gomp_env_devices;
char **gomp_environ;
static bool setuid_program;

/* ---- the copy ---- */

/* The program may change or overwrite its environment at any time: keep a copy, in one
   block.  */
static void
copy_environment (void)
{
  static char *none[] = { NULL };
  size_t count = 0, bytes = 0;

  gomp_environ = none;
  if (environ == NULL)
    return;
  for (char **e = environ; *e != NULL; e++)
    {
      count++;
      bytes += strlen (*e) + 1;
    }
  char **copy = gomp_malloc ((count + 1) * sizeof (*copy) + bytes);
  char *text = (char *) (copy + count + 1);
  for (size_t i = 0; i < count; i++)
    {
      size_t n = strlen (environ[i]) + 1;
      copy[i] = memcpy (text, environ[i], n);
      text += n;
    }
  copy[count] = NULL;
  gomp_environ = copy;
}

static const char * GOMP_STARTUP
find_value (const char *name)
{
  size_t n = strlen (name);
  if (gomp_environ != NULL)
    for (char **e = gomp_environ; *e != NULL; e++)
      /* Most differ in the first letter.  */
      if (**e == *name && strncmp (*e, name, n) == 0 && (*e)[n] == '=')
	return *e + n + 1;
  return NULL;
}

const char * GOMP_STARTUP
gomp_getenv (const char *name, bool file_name)
{
  if (setuid_program)
    {
      if (file_name)
	return NULL;
      for (int i = 0; i < GOMP_ENV_ROWS; i++)
	if (strcmp (gomp_env_table[i].name, name) == 0
	    && (gomp_env_table[i].flags & GOMP_ENV_NOT_SETUID))
	  return NULL;
    }
  return find_value (name);
}

/* ---- names and suffixes ---- */

/* The scope of device N, made when it is first named.  */
static struct gomp_env_scope *
device_scope (int n)
{
  struct gomp_env_scope **link = &gomp_env_devices;
  while (*link != NULL && (*link)->device != n)
    link = &(*link)->next;
  if (*link == NULL)
    {
      *link = gomp_calloc (1, sizeof (**link));
      (*link)->device = n;
    }
  return *link;
}

/* The n of NAME_DEV_n: digits only, no leading zeros; -1 when it is wrong.  */
static int
device_number (const char *text, const char *end)
{
  long n = 0;
  if (text == end || (*text == '0' && text + 1 != end))
    return -1;
  for (; text != end; text++)
    {
      if (*text < '0' || *text > '9')
	return -1;
      n = n * 10 + (*text - '0');
      if (n > INT_MAX)
	return -1;
    }
  return n;
}

/* SUFFIX follows the name of ROW in ENTRY and ends at EQUALS.  The scope
   that it means; NULL when it is wrong, which was said then.  */
static struct gomp_env_scope *
scope_of_suffix (const struct gomp_env_row *row, const char *entry,
		 const char *suffix, const char *equals)
{
  size_t n = equals - suffix;

  if (n == 0)
    return &gomp_env_host;
  if (row->flags & GOMP_ENV_DEVICES)
    {
      if (n == 4 && memcmp (suffix, "_ALL", 4) == 0)
	return &gomp_env_all;
      if (n == 4 && memcmp (suffix, "_DEV", 4) == 0)
	return &gomp_env_dev;
      if (n >= 5 && memcmp (suffix, "_DEV_", 5) == 0)
	{
	  int device = device_number (suffix + 5, equals);
	  if (device >= 0)
	    return device_scope (device);
	  gomp_error ("Invalid device number in %s\n  it is ignored; allowed: %s_DEV_n, n (0 or"
		      " more)", entry, row->name);
	  return NULL;
	}
    }
  if (row->flags & GOMP_ENV_STRICT)
    gomp_error ("Invalid environment variable in %s\n  it is ignored; allowed: %s%s", entry,
		row->name, row->flags & GOMP_ENV_DEVICES ? "[_ALL | _DEV | _DEV_n]" : "");
  return NULL;
}

static enum gomp_env_result
parse (enum gomp_env_parser_id parser, const struct gomp_env_input *in)
{
  switch (parser)
    {
#define CASE(name)							\
    case GOMP_ENV_PARSE_##name:						\
      return gomp_env_parse_##name (in);
    GOMP_ENV_PARSERS (CASE)
#undef CASE
    case GOMP_ENV_PARSE_ELSEWHERE:
      break;
    }
  return GOMP_ENV_TOLD;
}

void
gomp_env_invalid (enum gomp_env_id id, const char *name, const char *value)
{
  gomp_error ("Invalid value for environment variable %s: %s\n  it is ignored; allowed: %s", name,
	      value, gomp_env_grammar (id));
}

/* ENTRY is an assignment whose name starts with the name of row ID.  */
static void
read_entry (enum gomp_env_id id, const char *entry)
{
  const struct gomp_env_row *row = &gomp_env_table[id];
  const char *equals = strchr (entry, '=');
  struct gomp_env_scope *scope
    = scope_of_suffix (row, entry, entry + strlen (row->name), equals);

  /* As with getenv, the first of several assignments counts.  */
  if (scope == NULL || gomp_env_given (scope, id)
      || row->parser == GOMP_ENV_PARSE_ELSEWHERE
      || (setuid_program && (row->flags & GOMP_ENV_NOT_SETUID)))
    return;

  char *name = strndup (entry, equals - entry);
  struct gomp_env_input in = {
    .name = name != NULL ? name : row->name,
    .value = equals + 1,
    .min = row->min,
    .to = &scope->values,
    .field = (char *) &scope->values + row->offset
  };
  switch (parse (row->parser, &in))
    {
    case GOMP_ENV_OK:
      scope->values.given |= (uint64_t) 1 << id;
      break;
    case GOMP_ENV_BAD:
      gomp_env_invalid (id, in.name, in.value);
      break;
    case GOMP_ENV_TOLD:
      break;
    }
  free (name);
}

/* ---- names that are almost right ---- */

/* Letters to be changed, added, left out or swapped with their neighbour to make B of the first N letters
   of A; more than MOST: any number above it.  */
static unsigned
edit_distance (const char *a, size_t n, const char *b, unsigned most)
{
  enum { LONGEST = 40 };	/* as names of the table */
  unsigned char rows[3][LONGEST + 1];
  size_t m = strlen (b);

  if (n > m + most || m > n + most || m > LONGEST)
    return most + 1;
  for (size_t j = 0; j <= m; j++)
    rows[0][j] = j;
  for (size_t i = 1; i <= n; i++)
    {
      const unsigned char *before = rows[(i - 1) % 3], *earlier = rows[(i + 1) % 3];
      unsigned char *now = rows[i % 3];
      now[0] = i;
      for (size_t j = 1; j <= m; j++)
	{
	  unsigned d = before[j - 1] + (a[i - 1] != b[j - 1]);
	  if (before[j] + 1u < d)
	    d = before[j] + 1;
	  if (now[j - 1] + 1u < d)
	    d = now[j - 1] + 1;
	  if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && earlier[j - 2] + 1u < d)
	    d = earlier[j - 2] + 1;
	  now[j] = d;
	}
    }
  return rows[n % 3][m];
}

/* Variables of others, which are like some of ours: OMPD's, and GCC's library's on RTEMS.  */
static bool
is_of_others (const char *name, size_t n)
{
  static const char others[][24] = { "OMP_DEBUG", "GOMP_RTEMS_THREAD_POOLS" };
  for (size_t i = 0; i < sizeof (others) / sizeof (others[0]); i++)
    if (strlen (others[i]) == n && memcmp (name, others[i], n) == 0)
      return true;
  return n >= 8 && memcmp (name, "OMP_TOOL", 8) == 0;
}

/* ENTRY begins with OMP_ or GOMP_, and its name is none of the table's: was one of these meant?  */
static void __attribute__ ((cold))
suggest (const char *entry)
{
  const char *equals = strchr (entry, '=');
  size_t n = equals != NULL ? (size_t) (equals - entry) : 0;
  unsigned best = n < 12 ? 2 : 3;	/* one letter less than this, of so few */
  int like = -1;

  if (n == 0 || is_of_others (entry, n))
    return;
  for (int i = 0; i < GOMP_ENV_ROWS; i++)
    {
      unsigned d = edit_distance (entry, n, gomp_env_table[i].name, best);
      if (d < best)
	{
	  best = d;
	  like = i;
	}
    }
  if (like >= 0 && best > 0)
    gomp_error ("Environment variable %.*s is ignored: there is none of that name; did you mean %s?",
		(int) n, entry, gomp_env_table[like].name);
}

/* The length of NAME if ENTRY starts with it, else 0.  */
static size_t
starts_with (const char *entry, const char *name)
{
  size_t n = 0;
  while (name[n] != '\0' && entry[n] == name[n])
    n++;
  return name[n] == '\0' ? n : 0;
}

/* Before each program's main: without calls for what is not ours, which is nearly everything.  */
static void
read_all (void)
{
  for (char **e = gomp_environ; *e != NULL; e++)
    {
      /* All names of the table begin like this (libgomp.abi/environment.sh).  */
      if (**e != 'O' && **e != 'G' && **e != 'H')
	continue;
      /* The row with the longest name that the entry starts with, so that GOMP_PLUGINS is
	 no continuation of GOMP_PLUGIN.  */
      int found = -1;
      size_t longest = 0;
      for (int i = 0; i < GOMP_ENV_ROWS; i++)
	{
	  size_t n = starts_with (*e, gomp_env_table[i].name);
	  if (n > longest)
	    {
	      found = i;
	      longest = n;
	    }
	}
      if (found >= 0 && strchr (*e + longest, '=') != NULL)
	read_entry (found, *e);
      /* Where any continuation of a name may be, read_entry has said nothing.  */
      if ((found < 0 || ((*e)[longest] != '=' && !(gomp_env_table[found].flags & GOMP_ENV_STRICT)))
	  && (starts_with (*e, "OMP_") || starts_with (*e, "GOMP_")))
	suggest (*e);
    }
}

/* ---- what follows for the ICVs ---- */

/* The host's own value of ID, else the one for everything; NULL: none.  */
static const struct gomp_env_values *
host_values (enum gomp_env_id id)
{
  if (gomp_env_given (&gomp_env_host, id))
    return &gomp_env_host.values;
  if (gomp_env_given (&gomp_env_all, id))
    return &gomp_env_all.values;
  return NULL;
}

static void
set_threads (struct gomp_global_icvs *g)
{
  const struct gomp_env_values *v;

  g->initial.nthreads = g->available_cpus;
  v = host_values (GOMP_ENV_NUM_THREADS);
  if (v != NULL)
    {
      g->initial.nthreads = v->num_threads[0];
      g->nthreads_list = v->num_threads;
      g->nthreads_list_len = v->num_threads_len;
    }

  v = host_values (GOMP_ENV_THREAD_LIMIT);
  g->initial.thread_limit = v != NULL ? v->thread_limit : UINT_MAX;

  v = host_values (GOMP_ENV_DYNAMIC);
  g->initial.dyn = v != NULL && v->dynamic;

  v = host_values (GOMP_ENV_MAX_ACTIVE_LEVELS);
  if (v != NULL)
    g->initial.max_active_levels = v->max_active_levels;
  else if (gomp_env_given (&gomp_env_host, GOMP_ENV_NESTED))
    g->initial.max_active_levels
      = gomp_env_host.values.nested ? GOMP_SUPPORTED_LEVELS : 1;
  else if (g->nthreads_list_len > 1 || g->bind_list_len > 1)
    g->initial.max_active_levels = GOMP_SUPPORTED_LEVELS;
  else
    g->initial.max_active_levels = 1;

  v = host_values (GOMP_ENV_STACKSIZE);
  if (v != NULL)
    g->stack_size = v->stack_size;
  else if (gomp_env_given (&gomp_env_host, GOMP_ENV_GOMP_STACKSIZE))
    g->stack_size = gomp_env_host.values.gomp_stack_size;
}

static void
set_waiting (struct gomp_global_icvs *g)
{
  const struct gomp_env_values *v = host_values (GOMP_ENV_WAIT_POLICY);
  g->wait_policy = v != NULL ? v->wait_policy : GOMP_WAIT_UNSET;

  uint64_t throttled = SPIN_DEFAULT_THROTTLED;
  switch (g->wait_policy)
    {
    case GOMP_WAIT_ACTIVE:
      g->spin_count = SPIN_ACTIVE;
      throttled = SPIN_ACTIVE_THROTTLED;
      break;
    case GOMP_WAIT_PASSIVE:
      g->spin_count = GOMP_SPIN_PASSIVE;
      break;
    case GOMP_WAIT_UNSET:
      g->spin_count = SPIN_DEFAULT;
      break;
    }
  if (gomp_env_given (&gomp_env_host, GOMP_ENV_SPINCOUNT))
    g->spin_count = gomp_env_host.values.spin_count;
  g->spin_count_throttled = g->spin_count < throttled ? g->spin_count : throttled;
}

static void
set_others (struct gomp_global_icvs *g)
{
  const struct gomp_env_values *host = &gomp_env_host.values;
  const struct gomp_env_values *v;

  v = host_values (GOMP_ENV_SCHEDULE);
  g->initial.run_sched = v != NULL ? v->schedule : GOMP_SCHED_DYNAMIC;
  g->initial.run_sched_chunk = v != NULL ? v->schedule_chunk : 1;

  v = host_values (GOMP_ENV_DEFAULT_DEVICE);
  g->initial.default_device = v != NULL ? (int) v->default_device : 0;
  g->initial.default_device_unset = v == NULL;
  if (v != NULL && v->default_device_list != NULL)
    {
      g->default_device_list = v->default_device_list;
      g->initial.default_device = GOMP_DEFAULT_DEVICE_LISTED;
      g->initial.default_device_unset = true;
    }

  v = host_values (GOMP_ENV_NUM_TEAMS);
  /* Relaxed: no other thread exists yet.  */
  gomp_store_relaxed (&g->xnum_teams, v != NULL ? (int) v->num_teams : 0);
  v = host_values (GOMP_ENV_TEAMS_THREAD_LIMIT);
  gomp_store_relaxed (&g->xteams_thread_limit, v != NULL ? (int) v->teams_thread_limit : 0);

  /* The rest has no suffixes; fields that were not given are zero, their default.  */
  g->cancellation = host->cancellation;
  g->max_task_priority = host->max_task_priority;
  g->display_affinity = host->display_affinity;
  g->target_offload = host->target_offload;
  g->initial.allocator = gomp_env_given (&gomp_env_host, GOMP_ENV_ALLOCATOR)
			 ? host->allocator : GOMP_DEFAULT_MEM_ALLOC;
  gomp_debug_level = host->debug_level;
}

/* Places, and whether threads are to be bound to them.  */
static void
set_binding (struct gomp_global_icvs *g)
{
  const struct gomp_env_values *v = host_values (GOMP_ENV_PROC_BIND);
  if (v != NULL)
    {
      g->initial.bind = v->proc_bind[0];
      g->bind_list = v->proc_bind;
      g->bind_list_len = v->proc_bind_len;
      if (g->initial.bind == GOMP_BIND_FALSE)
	return;
    }
  gomp_places_init (v != NULL);
  if (v == NULL && gomp_places_count > 0)
    g->initial.bind = GOMP_BIND_TRUE;
  g->bound = gomp_places_count > 0;
}

void GOMP_STARTUP
gomp_env_init (void)
{
  struct gomp_global_icvs *g = &gomp_global_icvs;
  int saved = errno;

  setuid_program = getauxval (AT_SECURE) != 0;
  copy_environment ();
  read_all ();
  g->available_cpus = gomp_cpus_init ();
  set_binding (g);
  set_threads (g);
  set_waiting (g);
  set_others (g);
  gomp_affinity_format_init (gomp_getenv ("OMP_AFFINITY_FORMAT", false));
  errno = saved;
}

void
gomp_env_for_device (int number, struct gomp_env_device *result)
{
  const struct gomp_env_scope *scopes[3] = { NULL, &gomp_env_dev, &gomp_env_all };
  static const struct gomp_env_device nothing;

  for (const struct gomp_env_scope *s = gomp_env_devices; s != NULL; s = s->next)
    if (s->device == number)
      scopes[0] = s;

  *result = nothing;
  /* From the weakest to the strongest.  */
  for (int i = 2; i >= 0; i--)
    {
      const struct gomp_env_scope *s = scopes[i];
      if (s == NULL)
	continue;
      if (gomp_env_given (s, GOMP_ENV_NUM_TEAMS))
	result->nteams = s->values.num_teams;
      if (gomp_env_given (s, GOMP_ENV_TEAMS_THREAD_LIMIT))
	result->teams_thread_limit = s->values.teams_thread_limit;
      if (gomp_env_given (s, GOMP_ENV_DEFAULT_DEVICE))
	{
	  bool found = true;
	  int n = s->values.default_device_list == NULL ? (int) s->values.default_device
		  : gomp_select_default (s->values.default_device_list, &found);
	  if (found)
	    result->default_device = n;
	}
    }
}
