/* ptx-sim.h -- the interface of the PTX simulator: link texts, place variables, launch kernels.

   Owned by the simulator (testsuite/ptx-sim); used by the stand-in driver (testsuite/lib/fake-cuda),
   which owns device memory, streams and contexts, and by ptx-run and the unit tests.

   How it is used
     1. psim_link: texts -> program.  Strong and weak definitions, declarations, .extern variables and
        aliases are resolved as the driver's linker does it; what is missing is named.
     2. For each of the program's variables (psim_variable) in global or constant memory, the user
        allocates device memory, tells the address (psim_place), and when all have one, psim_load writes
        the initial values through the user's `find'.
     3. psim_launch executes a kernel and returns when all of its blocks have ended, or one has failed.
     4. psim_free, when no launch runs.

   Invariants
   1. After psim_load a program does not change: any number of threads may launch its kernels at the
      same time.  The device heap (malloc) belongs to the program and has a lock of its own.
   2. Global and constant addresses are the user's device addresses; they equal generic ones.  Shared and
      local memory have windows in the generic addresses, PSIM_SHARED_WINDOW and PSIM_LOCAL_WINDOW,
      in which the user must have no memory.
   3. Memory of the user is touched through the views only, with host atomics of the natural size.
   4. What was learned from `find' holds while *generation is the same.  */

#ifndef PTX_SIM_H
#define PTX_SIM_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PSIM_SHARED_WINDOW UINT64_C (0x2000000000)
#define PSIM_LOCAL_WINDOW UINT64_C (0x2100000000)
#define PSIM_CODE_WINDOW UINT64_C (0x2200000000)	/* addresses of functions */
#define PSIM_WINDOW_SIZE UINT64_C (0x100000000)

/* ---- Programs ---- */

struct psim_program;
struct psim_kernel;

/* A text to be linked; NAME is used in messages.  It need not end with a null character.  */
struct psim_text
{
  const char *name;
  const char *text;
  size_t size;
  bool library;			/* what others define, or an earlier one, counts before its definitions */
};

/* NULL: it is damaged, something is defined twice or not at all, or not implemented; the reason in
   WHY, one line.  The texts are copied.  */
struct psim_program *psim_link (const struct psim_text *texts, unsigned n, char *why, size_t room);
void psim_free (struct psim_program *);

enum psim_space { PSIM_GLOBAL, PSIM_CONST, PSIM_SHARED, PSIM_LOCAL, PSIM_PARAM };

struct psim_variable
{
  const char *name;
  enum psim_space space;		/* PSIM_GLOBAL or PSIM_CONST */
  size_t size, align;
  bool visible;			/* cuModuleGetGlobal finds it; others are static variables of a text */
  uint64_t address;		/* by psim_place; 0: not yet */
};

/* Number I of the variables in memory that the user provides; NULL after the last.  */
const struct psim_variable *psim_variable (const struct psim_program *, unsigned i);
void psim_place (struct psim_program *, unsigned i, uint64_t address);

struct psim_memory;
/* Initial values; false: some variable has no address, or MEMORY does not know it.  */
bool psim_load (struct psim_program *, const struct psim_memory *, char *why, size_t room);

/* Decode all functions; TELL is called for each that cannot be, with the reason.  Returns how many can.  For
   tests: launches decode what they need.  After psim_load.  */
unsigned psim_decode_all (struct psim_program *, void (*tell) (void *user, const char *name, const char *why),
			  void *user);

struct psim_kernel_info
{
  const char *name;
  unsigned params;
  size_t param_bytes;		/* of the parameter buffer */
  size_t shared;		/* static shared memory */
  size_t local;			/* .local bytes of the kernel function itself */
  unsigned registers;		/* a plausible number (the largest of what it calls is not known) */
  unsigned max_threads;		/* by .maxntid; otherwise 1024 */
};

/* NULL: no such kernel.  */
const struct psim_kernel *psim_kernel (const struct psim_program *, const char *name);
/* Number I of the kernels; NULL after the last.  */
const struct psim_kernel *psim_kernel_at (const struct psim_program *, unsigned i);
void psim_kernel_info (const struct psim_kernel *, struct psim_kernel_info *);
/* Offset and size of parameter I in the parameter buffer.  False: there is none.  */
bool psim_kernel_param (const struct psim_kernel *, unsigned i, size_t *offset, size_t *size);

/* ---- Memory of the user ---- */

struct psim_range
{
  uint64_t start, size;		/* device addresses */
  char *view;			/* where the byte `start' is for the simulator */
  uint8_t *shadow;		/* a byte for each, not 0: defined; NULL: all of them are */
  bool readonly;
};

struct psim_memory
{
  void *user;
  /* The range that ADDR lies in.  False: nobody's.  Called by several threads.  */
  bool (*find) (void *user, uint64_t addr, struct psim_range *out);
  /* Why ADDR is nobody's, in words; may be NULL.  */
  void (*explain) (void *user, uint64_t addr, size_t size, char *text, size_t room);
  /* Changes whenever a range goes away or changes; NULL: none ever does during a launch.  */
  const _Atomic uint64_t *generation;
};

/* ---- Launches ---- */

enum psim_result
{
  PSIM_DONE,
  PSIM_BAD_ADDRESS,		/* CUDA_ERROR_ILLEGAL_ADDRESS */
  PSIM_MISALIGNED,		/* CUDA_ERROR_MISALIGNED_ADDRESS */
  PSIM_BAD_SPACE,		/* CUDA_ERROR_INVALID_ADDRESS_SPACE */
  PSIM_BAD_PC,			/* CUDA_ERROR_INVALID_PC: an indirect call to what is no function */
  PSIM_TRAP,			/* CUDA_ERROR_LAUNCH_FAILED: trap */
  PSIM_STACK,			/* CUDA_ERROR_ILLEGAL_ADDRESS: recursion beyond a limit */
  PSIM_NOT_SHOWN,		/* hardware would go on, or hang: undefined values, wrong barriers, races;
				   CUDA_ERROR_LAUNCH_FAILED */
  PSIM_STOPPED,			/* `stop' was set */
  PSIM_BAD_LAUNCH		/* CUDA_ERROR_INVALID_VALUE: shape, shared memory, parameters */
};

enum psim_order
{
  PSIM_IN_ORDER,			/* lanes of a warp in lock step where they can be, warps in turns */
  PSIM_RANDOM,			/* warps, and lanes that are independent, by chance */
  PSIM_ADVERSARIAL		/* one warp and one lane run as long as they can */
};

/* Instructions executed, by class.  */
enum psim_class
{
  PSIM_C_INT, PSIM_C_FLOAT, PSIM_C_MOVE, PSIM_C_CONTROL, PSIM_C_CALL, PSIM_C_GLOBAL, PSIM_C_SHARED,
  PSIM_C_LOCAL, PSIM_C_PARAM, PSIM_C_ATOMIC, PSIM_C_SYNC, PSIM_CLASSES
};
extern const char *const psim_class_names[PSIM_CLASSES];

struct psim_counts
{
  uint64_t warp, lane;		/* instructions: by warps, and by the lanes in them */
  uint64_t by_class[PSIM_CLASSES];	/* of lanes */
  uint64_t blocks, barriers, atomics, allocations;
  uint64_t peak_local;		/* bytes of local memory of a lane */
};

struct psim_launch
{
  const struct psim_kernel *kernel;
  unsigned grid[3], block[3];
  size_t dynamic_shared;
  const void *params;		/* the parameter buffer, psim_kernel_info's param_bytes */
  const struct psim_memory *memory;

  size_t local_limit;		/* bytes of local memory a lane may use; 0: 512 KiB */
  size_t heap_limit;		/* of the device heap; 0: 8 MiB; what counts is the first launch's */
  unsigned call_limit;		/* depth of calls; 0: 4096 */
  size_t stack_limit;		/* bytes of a GPU's stack for a lane that enters a function again
				   before it has returned; 0: any number */
  unsigned threads;		/* host threads; 0: PTX_SIM_THREADS or 2 */
  unsigned nsmid;		/* %nsmid; 0: 4 */
  enum psim_order order;
  uint64_t seed;		/* PSIM_RANDOM */
  bool environment;		/* order, seed, threads, races are as PTX_SIM_* say, if they say */
  bool races;			/* look for races within blocks (shared memory) */
  uint64_t budget;		/* lane instructions until a warp is taken to be stuck; 0: no limit */

  /* Called with text that vprintf has formatted; NULL: standard output.  */
  void (*print) (void *user, const char *text, size_t size);
  void *user;
  /* Polled; nonzero: end soon with PSIM_STOPPED.  NULL: nobody stops it.  */
  const _Atomic int *stop;

  /* Results.  */
  struct psim_counts counts;
  char *report;			/* why it failed, several lines; the caller frees it; NULL: it has not */
};

enum psim_result psim_launch (struct psim_launch *);

/* One line for RESULT.  */
const char *psim_result_name (enum psim_result);

#endif /* PTX_SIM_H */
