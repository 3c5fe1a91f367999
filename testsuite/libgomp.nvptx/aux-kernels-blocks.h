/* aux-kernels-blocks.h -- what the files about block kernels share: aux-kernels-blocks.c has
   kernels, parallel regions and control, aux-kernels-phases.c phases and their use of arrays,
   aux-kernels-patterns.c what takes several barriers.  */

#ifndef AUX_KERNELS_BLOCKS_H
#define AUX_KERNELS_BLOCKS_H 1

#include "aux-kernels.h"

enum { RESULT = 16384, MOST_TEAMS = 8, MOST_ARRAYS = 16, MOST_NAMES = 24, MOST_READ = 4 };
/* Who sets an element: nobody; thread I % NT; others are numbers from `fresh'.  */
enum { NOT, CYCLIC };

enum access { READ, OWN, COMBINE };

struct array
{
  const char *name, *member;	/* MEMBER: of its elements, which are structures */
  unsigned type, size, row;	/* SIZE 0: a scalar; ROW > 0: two dimensions */
  bool reserved;		/* not for phases at the moment */
  bool set;			/* it has values */
  struct state { bool read; int set_by, combined; } state;
};

/* Of the kernel at hand.  The first array is the team's part of what the region returns.  */
extern struct array arrays[MOST_ARRAYS];
extern unsigned num_arrays;
extern unsigned limit, stride;	/* threads of a team at most; results of a team */
extern unsigned teams;
extern bool exact;		/* letter x */
/* Numbers that are the same in all threads of a team.  */
extern const char *uniforms[MOST_NAMES];
extern unsigned num_uniforms;
extern unsigned repeats, work, most_work;	/* by loops around; items so far; and at most */
extern int fresh;

/* Two of the team, to arrays of SIZE elements; SIZE 0: there are none.  */
struct team_pointers { unsigned name, type, size; const struct array *one, *other; };
extern struct team_pointers pointers;

/* Of the parallel region at hand.  */
extern unsigned threads;	/* how many it has, if EXACT */
/* A thread's own, and what it adds up.  */
extern const char *privates[4], *sums[3];
extern unsigned private_types[4], num_privates, num_sums;
struct reduced { struct array *array; unsigned op; };
extern struct reduced reduced[3];
extern unsigned num_reduced;

/* The two copies of the text: lines go to one of them here.  */
extern FILE *device, *model;
#define DEVICE(...) (lines_to (device, NULL), line (__VA_ARGS__), lines_to (device, model))
#define MODEL(...) (lines_to (NULL, model), line (__VA_ARGS__), lines_to (device, model))
/* Functions that the kernel calls.  */
extern FILE *device_functions, *model_functions;

static inline unsigned
least (unsigned a, unsigned b)
{
  return a < b ? a : b;
}

/* ---- aux-kernels-phases.c ---- */

/* Element E of an array; number N.  */
const char *element (const struct array *a, const char *e);
const char *element_at (const struct array *a, unsigned n);
/* An operand of expressions (more_leaves).  */
const char *leaf (void);

/* Nothing has happened since the last barrier; or hasn't it?  */
void forget (void);
bool is_clean (void);
void barrier (void);
void save_states (struct state *to);
void restore_states (const struct state *from);
/* Control comes from here or from where FROM was saved.  */
void merge_states (const struct state *from);

/* A phase's uses of arrays: begun anew; one more; what stands in front of the phase then.  HOW: who
   sets items for OWN, the operation for COMBINE.  */
void begin_roles (void);
void add_role (struct array *a, enum access what, int how);
void meet_if_needed (void);

/* How a loop over items is shared out: BY, the thread that has item I.  MINE: item I is thread
   I's.  WAITS: there is a barrier behind it.  */
struct head
{
  enum { IF, STEP, STEP_CALLS, BASE, PIECE, DOWN, FOR, FOR_NOWAIT } kind;
  int by;
  bool mine, waits;
};

/* For MOST items.  */
struct head plan_items (unsigned most);
const char *for_schedule (void);
/* The head of a loop over items I below BOUND, MOST of them, and its block's begin.  */
void begin_items (struct head h, const char *bound, unsigned most);
void end_items (struct head h);
/* A loop over items that do STATEMENT, and a barrier.  */
void step (const char *bound, unsigned most, const char *statement);
unsigned number_of_items (void);

/* Operations by which threads combine what they have: their order doesn't matter.  */
enum { NUM_OPS = 9, NUM_REDUCTIONS = 7, MAX_OP = 5, MIN_OP = 6 };
extern const char *const ops[NUM_OPS];

/* Not reserved; NULL: there is none.  The latter has one dimension, LEAST elements or more, TYPE
   (-1: any), and is not OTHER.  */
struct array *some_scalar (void);
struct array *some_array (unsigned least_size, int type, const struct array *other);

/* What a loop over N items, shared out as H says, does with the arrays: chosen, and done.  */
void items_roles (struct head h, unsigned n);
void items_code (struct head h, unsigned n);
/* What one thread does, which sets up to MOST arrays and reads others.  */
void serial_roles (unsigned most);
void serial_code (void);

void items_phase (void);
void serial_phase (void);
void sections_phase (void);
void reduction_phase (void);

/* ---- aux-kernels-patterns.c ---- */

void pattern (void);

#endif /* AUX_KERNELS_BLOCKS_H */
