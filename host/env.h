/* env.h -- the table of environment variables and what was read from it.

   env-table.c	one row per variable; also the source of the manual's table (env-doc.c)
   env-parse.c	the grammars
   env.c	reading the environment once, and what follows from it for the ICVs
   env-allocator.c  the grammar of OMP_ALLOCATOR
   places.c	OMP_PLACES and GOMP_CPU_AFFINITY, which need the topology
   display-env.c  OMP_DISPLAY_ENV

   Written only by the library's constructor; constant afterwards.  */

#ifndef GOMP_ENV_H
#define GOMP_ENV_H 1

#include "libgomp.h"
#include "host/icv.h"

/* Row numbers, in the order of the manual.  */
enum gomp_env_id
{
  GOMP_ENV_NUM_THREADS,
  GOMP_ENV_DYNAMIC,
  GOMP_ENV_NESTED,
  GOMP_ENV_MAX_ACTIVE_LEVELS,
  GOMP_ENV_THREAD_LIMIT,
  GOMP_ENV_SCHEDULE,
  GOMP_ENV_NUM_TEAMS,
  GOMP_ENV_TEAMS_THREAD_LIMIT,
  GOMP_ENV_PROC_BIND,
  GOMP_ENV_PLACES,
  GOMP_ENV_CPU_AFFINITY,
  GOMP_ENV_STACKSIZE,
  GOMP_ENV_GOMP_STACKSIZE,
  GOMP_ENV_WAIT_POLICY,
  GOMP_ENV_SPINCOUNT,
  GOMP_ENV_CANCELLATION,
  GOMP_ENV_MAX_TASK_PRIORITY,
  GOMP_ENV_ALLOCATOR,
  GOMP_ENV_AVAILABLE_DEVICES,
  GOMP_ENV_DEFAULT_DEVICE,
  GOMP_ENV_TARGET_OFFLOAD,
  GOMP_ENV_DISPLAY_ENV,
  GOMP_ENV_DISPLAY_AFFINITY,
  GOMP_ENV_AFFINITY_FORMAT,
  GOMP_ENV_TOOL,
  GOMP_ENV_TOOL_LIBRARIES,
  GOMP_ENV_TOOL_VERBOSE_INIT,
  GOMP_ENV_CPU_DEVICES,
  GOMP_ENV_CPU_MEMORY,
  GOMP_ENV_PLUGINS,
  GOMP_ENV_PLUGIN_PATH,
  GOMP_ENV_NVPTX_JIT,
  GOMP_ENV_NVPTX_DEVICE_LIBRARY,
  GOMP_ENV_NVPTX_MATH,
  GOMP_ENV_NVPTX_TEAMS,
  GOMP_ENV_NVPTX_LANES,
  GOMP_ENV_NVPTX_LANES_STRIDE,
  GOMP_ENV_NVPTX_LANES_BLOCKS,
  GOMP_ENV_NVPTX_LANES_NEST,
  GOMP_ENV_NVPTX_STACK_SIZE,
  GOMP_ENV_NVPTX_LOWLAT_POOL,
  GOMP_ENV_NVPTX_MARK,
  GOMP_ENV_CACHE,
  GOMP_ENV_CACHE_DIR,
  GOMP_ENV_CACHE_SIZE,
  GOMP_ENV_NVPTX_STACK,
  GOMP_ENV_NVPTX_HEAP,
  GOMP_ENV_HSA_LIBRARY,
  GOMP_ENV_GCN_TEAMS,
  GOMP_ENV_GCN_GANGS,
  GOMP_ENV_GCN_THREADS,
  GOMP_ENV_GCN_WORKERS,
  GOMP_ENV_GCN_STACK,
  GOMP_ENV_GCN_HEAP,
  GOMP_ENV_GCN_ARENA,
  GOMP_ENV_GCN_LOWLAT_POOL,
  GOMP_ENV_STAGING_THREADS,
  GOMP_ENV_INFO,
  GOMP_ENV_TRACE,
  GOMP_ENV_TRACE_LIMIT,
  GOMP_ENV_CHECK,
  GOMP_ENV_DEBUG,
  GOMP_ENV_ROWS
};

enum gomp_display_env { GOMP_DISPLAY_ENV_NO, GOMP_DISPLAY_ENV_YES, GOMP_DISPLAY_ENV_VERBOSE };

/* The values of one scope: NAME (host), NAME_ALL, NAME_DEV or NAME_DEV_n.  A field means
   something only when its bit in GIVEN is set.  The fields of variables without suffixes
   are used in the host's scope only.  */
struct gomp_env_values
{
  uint64_t given;		/* bit 1 << enum gomp_env_id: a valid value was given */
  unsigned *num_threads;
  unsigned num_threads_len;
  unsigned proc_bind_len;
  uint8_t *proc_bind;
  unsigned schedule;
  int schedule_chunk;
  unsigned max_active_levels;
  unsigned thread_limit;
  unsigned num_teams;
  unsigned teams_thread_limit;
  size_t stack_size;
  enum gomp_wait_policy wait_policy;
  unsigned default_device;	/* when default_device_list is NULL */
  const char *default_device_list;	/* what device-select.c understands */
  const char *available_devices;	/* the same */
  bool dynamic;

  bool nested;
  bool cancellation;
  bool display_affinity;
  bool tool_disabled;
  enum gomp_display_env display_env;
  enum gomp_target_offload target_offload;
  unsigned max_task_priority;
  uint64_t spin_count;
  size_t gomp_stack_size;
  uintptr_t allocator;		/* handle */
  unsigned debug_level;
};

struct gomp_env_scope
{
  struct gomp_env_values values;
  int device;			/* n of NAME_DEV_n */
  struct gomp_env_scope *next;	/* the devices, in order of appearance */
};
extern struct gomp_env_scope gomp_env_host, gomp_env_all, gomp_env_dev;
extern struct gomp_env_scope *gomp_env_devices;

static inline bool
gomp_env_given (const struct gomp_env_scope *scope, enum gomp_env_id id)
{
  return scope->values.given >> id & 1;
}

/* What a grammar function says.  */
enum gomp_env_result
{
  GOMP_ENV_OK,
  GOMP_ENV_BAD,			/* the caller says so */
  GOMP_ENV_TOLD			/* bad, and the message is already written */
};

/* One assignment of the environment.  */
struct gomp_env_input
{
  const char *name;		/* with its suffix */
  const char *value;
  unsigned min;			/* of the row */
  struct gomp_env_values *to;
  void *field;			/* where the row's offset leads to in TO */
};
typedef enum gomp_env_result gomp_env_parser (const struct gomp_env_input *);

enum gomp_env_flags
{
  GOMP_ENV_DEVICES = 1,		/* accepts _ALL, _DEV, _DEV_n */
  GOMP_ENV_STRICT = 2,		/* any other continuation of the name is an error */
  GOMP_ENV_NOT_SETUID = 4	/* ignored in set-user-ID programs */
};

/* The grammars: gomp_env_parse_NAME is the parser that the row of a variable calls GOMP_ENV_PARSE_NAME.
   Numbers, not pointers: see env-table.c.  */
#define GOMP_ENV_PARSERS(P)						\
  P (bool) P (number) P (num_threads) P (levels) P (limit) P (schedule) P (proc_bind)	\
  P (stack_size) P (wait_policy) P (spin_count) P (display_env) P (target_offload)	\
  P (tool) P (available_devices) P (default_device) P (allocator)

enum gomp_env_parser_id
{
  GOMP_ENV_PARSE_ELSEWHERE,	/* text that another part reads with gomp_getenv */
#define GOMP_ENV_PARSER_ID(name) GOMP_ENV_PARSE_##name,
  GOMP_ENV_PARSERS (GOMP_ENV_PARSER_ID)
#undef GOMP_ENV_PARSER_ID
};

/* What the library has of a row.  */
struct gomp_env_row
{
  char name[40];
  uint8_t flags;
  uint8_t parser;		/* enum gomp_env_parser_id */
  uint16_t offset;		/* of the value in struct gomp_env_values */
  unsigned min;			/* least value of a number */
};
extern const struct gomp_env_row gomp_env_table[GOMP_ENV_ROWS];

/* What may be written for ID, for messages.  */
const char *gomp_env_grammar (enum gomp_env_id id);
/* VALUE of variable ID, which has the name NAME with its suffix, makes no sense.  */
void gomp_env_invalid (enum gomp_env_id id, const char *name, const char *value)
  __attribute__ ((cold));

/* What there is to say about it (GOMP_ENV_TEXT_ONLY).  */
struct gomp_env_text
{
  const char *name;
  unsigned flags;
  const char *grammar, *default_text, *help;
};
extern const struct gomp_env_text gomp_env_texts[GOMP_ENV_ROWS];

/* env-parse.c: grammars, and what they are made of.  Blanks before a token are skipped and
   letters match in either case, whatever the locale.  P moves only past what matched.  */
#define GOMP_ENV_PARSER(name) gomp_env_parser gomp_env_parse_##name;
GOMP_ENV_PARSERS (GOMP_ENV_PARSER)	/* that of allocator is in env-allocator.c */
#undef GOMP_ENV_PARSER

bool gomp_scan_end (const char **p);
bool gomp_scan_char (const char **p, char c);
/* A whole word: the character after it is no letter, digit or underscore.  */
bool gomp_scan_word (const char **p, const char *word);
/* Digits with an optional plus sign; BASE as in strtoul.  False also on overflow.  */
bool gomp_scan_number (const char **p, int base, unsigned long *value);

/* display-env.c */
void gomp_display_env (bool verbose);
void gomp_display_env_init (void);

/* env-allocator.c: the name of a predefined allocator, or NULL.  */
const char *gomp_allocator_name (uintptr_t handle);

/* The environment as it was when the library was loaded, NULL at its end.  */
extern GOMP_HIDDEN char **gomp_environ;

#endif /* GOMP_ENV_H */
