/* sim.h -- what the files of the PTX simulator share.

   program.c     texts -> program: symbols, addresses of shared variables and functions, initial values
   decode.c      the statements of a function -> struct op; done when it is first called
   decode-op.c   the opcodes: which handler, which operands
   int.c float.c convert.c   arithmetic, one handler for each opcode and type
   memory.c      which address is what; loads, stores
   atomic.c      atom, red
   control.c     branches, calls, exit, vprintf, malloc
   frame.c       what calls take of a GPU's stack
   sync.c        operations of a warp (.sync), barriers of a block
   warp.c        lanes, their order, undefined values, faults
   block.c       blocks, host threads, counters
   print.c       vprintf's text
   heap.c        the device heap
   races.c       accesses of lanes within a barrier interval
   report.c      what is told about a fault

   Invariants
   1. A block is executed by one host thread at a time: warps, lanes, shared and local memory need no
      protection.  Global memory is accessed with host atomics of the natural size.
   2. A register is a slot of 64 bits for each of the 32 lanes.  It holds a value of its type, extended
      by zeros (predicates: 0 or 1).  Lane L's registers are in column L of the warp's register
      stack, from the slot `base' of its frame; lanes of one frame have one base.
   3. A lane's register is defined or not as a whole.  Moves and arithmetic carry that on; it is a fault
      when an undefined value decides about something: an address, a branch, a guard, a mask, a barrier.
   4. The lanes of `active' stand at the same operation with the same base.  lane_pc and base of the
      others say where they stand; those of active lanes are stale for lane_pc until warp_leave.
   5. struct op does not change once its function is decoded; threads share it.  */

#ifndef PTX_SIM_SIM_H
#define PTX_SIM_SIM_H 1

#include "ptx-sim.h"

#include <stdatomic.h>

enum { LANES = 32, MAX_WARPS = 32, BARRIERS = 16, SHARED_START = 1024 };
#define ALL_LANES UINT32_C (0xffffffff)
#define NO_SLOT UINT32_MAX

struct op;
struct warp;
struct block;
struct function;

/* -- Decoded operations -- */

typedef void handler (struct warp *, const struct op *);

struct operand
{
  const uint64_t *fixed;	/* a constant, once for each lane; NULL: a register */
  uint32_t slot;		/* of the frame */
};

enum { SRCS = 5 };

/* Of op.flags.  */
enum
{
  OP_NEGATED_GUARD = 1,
  OP_VOLATILE = 2,		/* strong access: no race */
  OP_ALIGNED = 4,		/* barrier: all lanes of the warp */
  OP_SIGNED = 8			/* loads: extend by the sign */
};

struct op
{
  handler *run;
  uint32_t guard;		/* slot of a predicate, or NO_SLOT */
  uint32_t dst, dst2;		/* slots, or NO_SLOT */
  uint8_t cls;			/* enum psim_class */
  uint8_t flags;
  uint8_t size;			/* bytes of an access, or of the type */
  uint8_t vec;			/* elements of a vector access */
  uint8_t space;		/* enum access_space */
  uint8_t kind;			/* what the handler likes: comparison, atomic operation, mode */
  uint8_t round;		/* enum rounding */
  uint8_t width;		/* bytes of the destination register */
  struct operand src[SRCS];
  int64_t offset;		/* of an address */
  const struct op *target;	/* branches */
  const void *aux;		/* struct call_info, struct vector ... */
  const void *stmt;		/* for reports: a statement of the reader */
};

enum access_space { AS_GENERIC, AS_GLOBAL, AS_CONST, AS_SHARED, AS_LOCAL, AS_PARAM };
enum rounding { ROUND_NEAREST, ROUND_ZERO, ROUND_DOWN, ROUND_UP };

/* Slots of the elements of vector accesses.  */
struct vector
{
  struct operand element[8];
};

enum { BUILTIN_NONE, BUILTIN_VPRINTF, BUILTIN_MALLOC, BUILTIN_FREE, BUILTIN_ASSERT };

/* A call: which slots of the caller go to which of the callee.  */
struct call_info
{
  struct function *callee;	/* NULL: indirect, by src[0] */
  unsigned args, results;
  struct param_slots { uint32_t slot, slots; } *arg, *result;
  uint32_t caller_slots;
};

/* -- Functions and programs -- */

struct function
{
  const char *name;
  struct module *module;
  const void *node;		/* of the reader */
  bool entry, defined, weak, visible;
  int builtin;
  uint64_t address;		/* in PSIM_CODE_WINDOW */

  /* Of its parameters, set at link time.  */
  unsigned args, results;
  struct param { size_t size, align, offset; } *arg, *result;
  size_t param_bytes;
  unsigned max_threads;

  /* The program's lock; `ready' is set with release order after the others.  */
  _Atomic int ready;		/* 1: decoded; -1: cannot be (failed) */
  char *failed;
  struct op *ops;		/* ended by one that faults */
  unsigned n_ops;
  uint32_t slots;		/* of a frame */
  uint32_t local_bytes;		/* of a frame */
  uint32_t stack_bytes;		/* of a frame, on a GPU (frame.c) */
  struct param_slots *arg_slots, *result_slots;
};

/* Decode F if nobody has yet; false: it cannot be, F->failed says why.  */
bool function_ready (struct function *f);
/* The function that has ADDRESS, or NULL.  */
struct function *program_function_at (const struct psim_program *, uint64_t address);
/* The function that OP belongs to, or NULL.  */
const struct function *program_function_of (const struct psim_program *, const struct op *);
/* Offset in shared memory of the variable NAME; UINT32_MAX: there is none.  */
uint32_t program_shared (const struct psim_program *, const char *name);
/* Static shared memory, SHARED_START included.  */
uint32_t program_shared_size (const struct psim_program *);
struct heap *program_heap (const struct psim_program *);
struct function *kernel_function (const struct psim_kernel *);
struct psim_program *kernel_program (const struct psim_kernel *);

/* -- Heap -- */

struct heap;
struct heap *heap_new (void);
void heap_free (struct heap *);
void heap_limit (struct heap *, size_t bytes);
uint64_t heap_alloc (struct heap *, uint64_t size);
/* False: ADDRESS is not an allocation.  */
bool heap_release (struct heap *, uint64_t address);
bool heap_find (struct heap *, uint64_t address, struct psim_range *);
/* Changes when an allocation goes away.  */
const _Atomic uint64_t *heap_generation (const struct heap *);

/* -- Warps -- */

enum lane_state { LANE_RUNS, LANE_WARP_WAIT, LANE_BARRIER_WAIT, LANE_ENDED };

struct link
{
  const struct op *call;	/* returns behind it */
  const struct function *callee;
  uint32_t base, local, stack;
};

enum { CACHED_RANGES = 8, MAX_DEPTH = 4096, REG_SLOTS = 1 << 16 };

struct cached_range
{
  struct psim_range range;
};

struct warp
{
  /* Of the group that runs.  */
  uint32_t active, exec;
  const struct op *pc;		/* next operation */
  const struct op *at;		/* the one that runs, or ran last */
  const struct op *meet;	/* other lanes wait there: look who goes on */
  uint64_t *frame;		/* registers of the group's frame: slot * LANES + lane */
  uint32_t *fdef;		/* which lanes' are defined, for each slot */
  bool leave;			/* the group has to be chosen anew */

  uint64_t *reg;
  uint32_t *def;
  struct link *links;		/* depth * LANES + lane */

  uint32_t born;		/* lanes that exist */
  uint32_t runs;		/* lanes in LANE_RUNS */
  uint32_t ended;
  const struct op *lane_pc[LANES];
  uint32_t base[LANES], depth[LANES], local[LANES];
  uint32_t stack[LANES];	/* bytes of a GPU's stack */
  uint8_t state[LANES];
  uint32_t wait_mask[LANES];	/* LANE_WARP_WAIT */
  uint8_t wait_barrier[LANES];	/* LANE_BARRIER_WAIT */
  uint8_t wait_aligned[LANES];	/* until the whole warp is there */
  uint16_t wait_count[LANES];
  uint8_t carry[LANES];		/* CC.CF */

  unsigned char *local_memory;	/* lane * local_limit + address */
  uint8_t *local_shadow;
  size_t local_used[LANES];	/* the most that lanes have had */

  uint64_t tid[3][LANES];
  uint64_t lane_id[LANES];
  unsigned number;		/* in the block */
  unsigned diverged;		/* operations since lanes parted */
  uint64_t executed;		/* lane instructions since something happened, for the budget */
  uint64_t random;
  bool yield;			/* nanosleep: let others run, other lanes of this warp, too */

  uint64_t generation, heap_generation;
  uint32_t turn;		/* lane whose group ran last */
  unsigned range_turn;
  struct psim_range range[CACHED_RANGES];

  struct block *block;
};

/* State of a barrier of a block.  */
struct barrier
{
  unsigned expected;		/* lanes, 32 for each warp; 0: nobody is here */
  bool counted;			/* `expected' was given */
  unsigned arrived;
  uint32_t lanes[MAX_WARPS];	/* that wait here */
  unsigned red_count, red_lanes;	/* of bar.red: with true predicates, all */
};

struct launch
{
  struct psim_launch *user;
  struct psim_program *program;
  struct function *entry;
  size_t local_limit;
  unsigned call_limit;
  uint32_t shared_size;
  /* Which lanes are threads of their own: none, all, where the word at lanes_flag is not 0, or where the soft
     stack at lanes_flag is 0, as the device runtime does it for lane regions (config/nvptx/lanes-abi.h).  */
  enum { LANES_LOCK_STEP, LANES_FREE, LANES_BY_FLAG, LANES_BY_STACK } lanes_mode;
  uint32_t lanes_flag;		/* offset in shared memory */
  enum psim_order order;
  uint64_t seed, budget;
  bool races;
  _Atomic uint64_t next_block;
  uint64_t blocks;
  _Atomic int failed;		/* enum psim_result of the first fault */
  _Atomic int *reported;
  void *lock;			/* pthread_mutex_t: counts, report */
};

struct block
{
  struct launch *launch;
  unsigned char *shared;
  uint8_t *shared_shadow;
  struct warp *warps;
  unsigned n_warps, ended;
  unsigned threads;
  unsigned id[3];
  uint64_t number;
  struct barrier barrier[BARRIERS];
  struct psim_counts counts;
  struct races *races;
  uint64_t random;
  uint64_t worker;
};

/* Slots of the frame.  */
static inline const uint64_t *
source (const struct warp *w, const struct op *in, unsigned i)
{
  return in->src[i].fixed ? in->src[i].fixed : w->frame + (size_t) in->src[i].slot * LANES;
}

static inline uint32_t
source_def (const struct warp *w, const struct op *in, unsigned i)
{
  return in->src[i].fixed ? ALL_LANES : w->fdef[in->src[i].slot];
}

static inline uint64_t *
slot_values (const struct warp *w, uint32_t slot)
{
  return w->frame + (size_t) slot * LANES;
}

/* The executing lanes of SLOT have been written; they are defined if DEF says so.  */
static inline void
define (struct warp *w, uint32_t slot, uint32_t def)
{
  w->fdef[slot] = (w->fdef[slot] & ~w->exec) | (def & w->exec);
}

/* Each executing lane L in turn; all 32 in a loop that the compiler can make vectors of.  */
#define EACH_LANE(w, l, ...)								\
  do											\
    {											\
      if ((w)->exec == ALL_LANES)							\
	for (unsigned l = 0; l < LANES; l++)						\
	  { __VA_ARGS__; }								\
      else										\
	for (uint32_t mask_ = (w)->exec; mask_ != 0; mask_ &= mask_ - 1)		\
	  {										\
	    unsigned l = (unsigned) __builtin_ctz (mask_);				\
	    __VA_ARGS__;								\
	  }										\
    }											\
  while (0)

/* warp.c */
/* Stop the launch: RESULT, LANE (or -1) and a reason.  Only the first fault of a launch counts.  The
   handler returns after it.  */
void fault (struct warp *, enum psim_result, int lane, const char *format, ...)
  __attribute__ ((format (printf, 4, 5), cold));
/* Executing lanes whose source I is undefined: a fault; false then.  WHAT it decides about.  */
bool need_defined (struct warp *, const struct op *, unsigned i, const char *what);
/* Lanes of MASK (of the active ones) go on at PC, apart from the others.  */
void warp_part (struct warp *, uint32_t mask, const struct op *pc);
/* Lanes of MASK no longer run: their state is set, they go on at PC.  */
void warp_stop (struct warp *, uint32_t mask, enum lane_state, const struct op *pc);
/* Lanes of MASK run again.  */
void warp_wake (struct warp *, uint32_t mask);
/* Run W until its turn is over; false: it cannot run now.  */
bool warp_run (struct warp *);
/* Are the lanes of W threads of their own now, not ones that all do the same?  */
bool warp_lanes_free (const struct warp *w);
void warp_start (struct warp *, struct block *, unsigned number);
bool warp_new (struct warp *, size_t local_limit);
void warp_free (struct warp *, size_t local_limit);
uint64_t random_next (uint64_t *state);

/* memory.c */
/* Where the SIZE bytes at ADDR of SPACE are for lane L; *SHADOW: their shadow, or NULL.  NULL after a
   fault.  */
char *memory_at (struct warp *, const struct op *, unsigned l, uint64_t addr, unsigned size,
		 bool write, uint8_t **shadow);
/* Copy a string of device memory to the host: at most ROOM - 1 bytes; false after a fault.  */
bool memory_string (struct warp *, unsigned l, uint64_t addr, char *to, size_t room);
handler run_load, run_store, run_load_param, run_load_param_at, run_store_param, run_local_address, run_cvta, run_cvta_to,
  run_isspacep, run_fence, run_nothing;

/* -- Arithmetic -- */

/* Types of operations; .b types are the unsigned ones.  */
enum type { T_U16, T_U32, T_U64, T_S16, T_S32, T_S64, T_F32, T_F64, T_PRED, TYPES, T_U8, T_S8, T_NONE };

/* Rows of tables of handlers: by a name of the opcode with what distinguishes it ("mul.hi"), and type.  */
struct row
{
  const char *name;
  handler *by_type[TYPES];
};
extern const struct row int_rows[], compare_rows[], float_rows[];	/* ended by one without a name */
/* "compare": setp and set.  kind: enum comparison; the type is that of the sources.  */
enum comparison
{
  CMP_EQ, CMP_NE, CMP_LT, CMP_LE, CMP_GT, CMP_GE,	/* lo, ls, hi, hs are these for unsigned types */
  CMP_EQU, CMP_NEU, CMP_LTU, CMP_LEU, CMP_GTU, CMP_GEU, CMP_NUM, CMP_NAN, COMPARISONS
};
/* How setp combines with a predicate: round.  */
enum { BOOL_NONE, BOOL_AND, BOOL_OR, BOOL_XOR };
/* width: what set gives (compare.c).  */
/* The conversion; NULL: none such.  Of struct op it uses round, kind (CVT_...), width.  */
/* vec and size: the types.  */
enum { CVT_SAT = 1, CVT_FTZ = 2, CVT_INTEGER = 4 /* rounds to an integer in floating point */ };
handler *convert_handler (enum type to, enum type from);
enum { FLOAT_FTZ = 1, FLOAT_SAT = 2 };	/* kind of floating-point operations */
handler run_mov, run_pack, run_unpack;

/* atomic.c */
enum atomic_kind
{
  ATOM_ADD, ATOM_EXCH, ATOM_CAS, ATOM_AND, ATOM_OR, ATOM_XOR, ATOM_MIN, ATOM_MAX, ATOM_INC, ATOM_DEC
};
enum atomic_type { AT_U32, AT_S32, AT_U64, AT_S64, AT_F32, AT_F64, AT_B16, AT_B128 };
handler run_atom;		/* kind, width: atomic_type */

/* control.c */
handler run_bra, run_brx, run_call, run_call_indirect, run_ret, run_exit, run_trap, run_brkpt;

/* sync.c */
enum { SHFL_UP, SHFL_DOWN, SHFL_BFLY, SHFL_IDX };
enum { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };	/* match: the first two */
enum { BAR_SYNC, BAR_ARRIVE, BAR_RED_POPC, BAR_RED_AND, BAR_RED_OR };
enum { REDUX_ADD, REDUX_MIN, REDUX_MAX, REDUX_AND, REDUX_OR, REDUX_XOR };
handler run_shfl, run_vote, run_match, run_activemask, run_warp_barrier, run_barrier, run_redux,
  run_elect, run_nanosleep;
/* Lanes of W have ended: who waited for them goes on.  */
void sync_ended (struct warp *);

/* Special registers.  */
enum special
{
  SP_TID_X, SP_TID_Y, SP_TID_Z, SP_NTID_X, SP_NTID_Y, SP_NTID_Z, SP_CTAID_X, SP_CTAID_Y, SP_CTAID_Z,
  SP_NCTAID_X, SP_NCTAID_Y, SP_NCTAID_Z, SP_LANEID, SP_WARPID, SP_NWARPID, SP_SMID, SP_NSMID, SP_GRIDID,
  SP_LANEMASK_EQ, SP_LANEMASK_LE, SP_LANEMASK_LT, SP_LANEMASK_GE, SP_LANEMASK_GT, SP_CLOCK, SP_CLOCK_HI,
  SP_CLOCK64, SP_GLOBALTIMER, SP_GLOBALTIMER_LO, SP_GLOBALTIMER_HI, SP_DYNAMIC_SMEM, SP_TOTAL_SMEM,
  SPECIALS
};
extern const char *const special_names[SPECIALS];	/* "%tid.x" ...; block.c */
handler run_special;		/* kind: enum special; block.c */

/* print.c: FORMAT is in device memory, ARGS the block of arguments.  Returns what vprintf does.  */
int print_format (struct warp *, unsigned l, uint64_t format, uint64_t args);

/* report.c */
char *report_fault (const struct warp *, int lane, enum psim_result, const char *why);
char *report_stuck (const struct block *, const char *why);

/* races.c */
struct races *races_new (size_t shared_size);
void races_free (struct races *);
void races_access (struct warp *, const struct op *, unsigned l, uint64_t offset, unsigned size,
		   bool write);
/* A barrier of the block (id), or of lanes of a warp (MASK).  */
void races_barrier (struct block *);
void races_warp (struct warp *, uint32_t mask);

#endif /* PTX_SIM_SIM_H */
