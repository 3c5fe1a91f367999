/* fake.h -- what the files of the stand-in driver share.

   The stand-in driver is a libcuda.so.1 for tests: it has the functions of plugin/cuda-api.h, host
   memory as device memory, threads as streams and functions of the program as kernels.
   fake-cuda.h tells how it is used.

   inject.c    environment, log, calls that fail or hang by order, misuse, leaks, start and end
   device.c    devices, attributes, contexts
   memory.c    device memory, pinned and managed memory, what a pointer is
   stream.c    streams, events, their threads
   copy.c      copies and fills
   module.c    linking, modules, their functions and variables
   launch.c    kernels, occupancy
   execute.c   kernels that are executed as PTX
   names.c     functions of the program by name

   Invariants
   1. Everything here is protected by fake_lock, except what says otherwise.  Operations are
      executed without it.
   2. Handles stay valid memory after they were destroyed, so that using one is noticed.
   3. Operations of a stream are numbered; those up to `executed' are complete.  An event is a
      stream and a number.
   4. Device memory is mapped twice: at its device address, which only kernels may touch, and
      at an address that only the driver knows (fake_host_view).  Kernels that are functions of the
      program use the former, those that are executed as PTX the latter.  */

#ifndef FAKE_H
#define FAKE_H 1

#include "cuda-api.h"
#include "fake-cuda.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All functions are what cuda-api.h says; with FAKE_CUDA_OLD this is a driver that has only those
   which every driver has.  */
#define FAKE_DECLARE(base, suffix, version, parameters)					\
  __attribute__ ((visibility ("default"))) CUresult base##suffix parameters;
#ifdef FAKE_CUDA_OLD
# define FAKE_DECLARE_OPTIONAL(base, suffix, version, parameters)			\
  __attribute__ ((visibility ("hidden"))) CUresult base##suffix parameters;
#else
# define FAKE_DECLARE_OPTIONAL FAKE_DECLARE
#endif
CUDA_FUNCTIONS (FAKE_DECLARE, FAKE_DECLARE_OPTIONAL)

enum { FAKE_MAX_DEVICES = 16, FAKE_MAX_PARAMS = 64, FAKE_VERSION = 12040 };
enum { FAKE_MAX_PITCH = 11 };	/* an attribute of devices */

/* What a handle points to begins with one of these.  */
enum fake_kind
{
  FAKE_CONTEXT = 0x63747831, FAKE_STREAM = 0x7374726d, FAKE_EVENT = 0x65766e74,
  FAKE_MODULE = 0x6d6f6475, FAKE_FUNCTION = 0x66756e63, FAKE_LINK = 0x6c696e6b
};

struct fake_object
{
  enum fake_kind kind;
  bool gone;			/* destroyed */
  struct CUctx_st *ctx;
  struct fake_object *next;	/* all objects of the process */
};

struct fake_device
{
  int ordinal;			/* among the visible ones */
  int number;			/* of all devices, before CUDA_VISIBLE_DEVICES */
  struct CUctx_st *primary;	/* made once; retained while refs > 0 */
  unsigned primary_flags;
};

struct CUctx_st
{
  struct fake_object object;
  struct fake_device *dev;
  bool primary;
  unsigned refs;		/* primary: how often retained */
  unsigned flags;
  CUresult error;		/* sticky: every call that uses the context answers it */
  _Atomic int xstop;		/* kernels shall end: there was an error */
  uint32_t peers;		/* devices whose memory it may use */
  size_t limits[8];
  bool fixed_limits[8];		/* kernels that depend on them have been launched */
  struct CUstream_st *streams;	/* that live */
  struct CUstream_st *null_stream;
  struct print *prints, **last_print;	/* what kernels have printed (execute.c) */
  size_t print_bytes;
};

struct CUstream_st
{
  struct fake_object object;
  struct CUstream_st *next;	/* of the context */
  unsigned flags;
  int priority;
  bool is_null;
  bool started;			/* has its thread */
  struct fake_op *head, **tail;
  uint64_t enqueued, executed;
  uint64_t taken;		/* ns, by what kernels said (fake_cuda_takes) */
  pthread_cond_t work;		/* there is an operation, or the stream is destroyed */
  pthread_cond_t progress;	/* executed has changed */
};

struct CUevent_st
{
  struct fake_object object;
  unsigned flags;
  struct CUstream_st *stream;	/* NULL: never recorded */
  uint64_t number;
  uint64_t time;		/* ns, when executed */
};

/* An operation of a stream.  */
struct fake_op
{
  struct fake_op *next;
  const char *name;
  uint64_t number;
  /* Execute it, without the lock.  A result other than success kills the context.  */
  CUresult (*run) (struct fake_op *);
  void (*drop) (struct fake_op *);	/* frees what it holds; may be NULL */
  struct CUstream_st *stream;
};

/* ---- inject.c ---- */

extern pthread_mutex_t fake_lock;

/* One for each function of the driver.  */
struct fake_call
{
  const char *name;
  _Atomic unsigned long count;
};

/* Every function begins with this.  */
#define ENTER(function)							\
  static struct fake_call this_call = { #function, 0 };			\
  CUresult entered = fake_enter (&this_call);				\
  if (entered != CUDA_SUCCESS)						\
    return entered

CUresult fake_enter (struct fake_call *);
/* The n-th operation NAME is about to be executed: what it shall end with; hangs if ordered.  */
CUresult fake_execute (const char *name);
void fake_sleep (unsigned long us);
void fake_log (const char *fmt, ...) __attribute__ ((format (printf, 1, 2)));
bool fake_logs (void);
void fake_misuse (const char *fmt, ...) __attribute__ ((format (printf, 1, 2)));
/* A number of the environment.  */
unsigned long fake_setting (const char *name, unsigned long otherwise);
/* Is NAME one of the words of the environment variable LIST?  */
bool fake_listed (const char *list, const char *name);
uint64_t fake_now (void);
/* FAKE_CUDA_SYNC has WHAT: wait, without fake_lock, until no kernel runs.  */
void fake_synchronizes (const char *what);
/* The calling thread runs a callback of a stream.  */
extern __thread bool fake_in_callback;

/* ---- device.c ---- */

extern struct fake_device fake_devices[FAKE_MAX_DEVICES];
extern int fake_num_devices;
extern bool fake_initialized;

/* The current context of the thread, with fake_lock held: *STATUS says why there is none.  */
struct CUctx_st *fake_current (CUresult *status);
/* Is CTX a context that lives?  Otherwise *STATUS says what is wrong.  */
bool fake_context_ok (struct CUctx_st *ctx, CUresult *status);
/* What cuDeviceGetAttribute says.  */
int fake_attribute (int device, int attribute);
/* An error after which nothing works any more.  */
bool fake_is_sticky (CUresult);
void fake_kill_context (struct CUctx_st *, CUresult);
/* A new object of SIZE bytes.  */
void *fake_new (size_t size, enum fake_kind kind, struct CUctx_st *ctx);
/* Does HANDLE name an object of that kind which lives?  Complains if not.  */
bool fake_is (const void *handle, enum fake_kind kind, const char *what);
extern struct fake_object *fake_objects;

/* The context of the calling thread in CTX, with the lock held; the function ends if there is
   none.  */
#define NEED_CONTEXT(ctx)			\
  CUresult ctx##_status;			\
  pthread_mutex_lock (&fake_lock);		\
  struct CUctx_st *ctx = fake_current (&ctx##_status);	\
  if (ctx == NULL)				\
    {						\
      pthread_mutex_unlock (&fake_lock);	\
      return ctx##_status;			\
    }

/* ---- memory.c ---- */

enum fake_memory
{
  FAKE_DEVICE_BLOCK,		/* cuMemAlloc */
  FAKE_MODULE_BLOCK,		/* variables of a module */
  FAKE_PINNED_BLOCK,		/* cuMemHostAlloc */
  FAKE_REGISTERED_BLOCK,	/* cuMemHostRegister */
  FAKE_MANAGED_BLOCK
};

struct fake_block
{
  uint64_t start;
  size_t size, room;		/* asked for; pages */
  enum fake_memory kind;
  struct CUctx_st *ctx;
  int device;
  bool mapped;			/* pinned: the device may use it */
};

bool fake_memory_start (void);
/* Device memory of CTX, with fake_lock held.  0: there is none left.  */
uint64_t fake_alloc (struct CUctx_st *ctx, size_t size, enum fake_memory kind);
bool fake_free (uint64_t start);
/* Everything of a context that goes away.  */
void fake_free_all (struct CUctx_st *);
/* The block that holds [ADDR, ADDR + SIZE), or NULL; with fake_lock held.  */
struct fake_block *fake_find (uint64_t addr, size_t size);
/* Where the driver finds the bytes of a device address.  */
void *fake_host_view (uint64_t addr);
bool fake_in_arena (uint64_t addr);
/* The byte that says whether the one at VIEW, where the driver finds it, was ever set, and so on; NULL: nobody
   keeps account of that.  Of a block it may be used without the lock as long as the block may.  */
uint8_t *fake_shadow (const void *view);
/* The SIZE bytes at VIEW are set.  */
void fake_set (const void *view, size_t size);
/* May CTX use [ADDR, ADDR + SIZE) in an operation WHAT?  Complains if not.  */
bool fake_may_use (struct CUctx_st *ctx, uint64_t addr, size_t size, const char *what);
/* The same for copies and fills, which have to keep within a variable of a module, too.  */
bool fake_may_move (struct CUctx_st *ctx, uint64_t addr, size_t size, const char *what);
/* Is only a part of [ADDR, ADDR + SIZE) in one block?  */
bool fake_is_mixed (uint64_t addr, size_t size);
/* Is host memory pinned, so that it is read when the copy is executed?  */
bool fake_is_pinned (const void *ptr, size_t size);
/* Kernels run from now on, or one less.  HOST: it is a function of the program.  */
void fake_kernel_begins (bool host);
void fake_kernel_ends (bool host);
/* Changes whenever memory goes away.  */
extern _Atomic uint64_t fake_memory_generation;
/* What is there instead of [ADDR, ADDR + SIZE), which is not all of one block, in words; with fake_lock held.  */
void fake_explain_address (uint64_t addr, size_t size, char *text, size_t room);
/* Wait until no kernel runs, and keep all other calls waiting meanwhile.  */
void fake_drain (void);
void fake_wait_for_drain (void);
unsigned fake_report_blocks (void);
/* A thread outside of kernels got SIGSEGV at ADDR: say what is there, if it is ours.  */
void fake_explain_fault (uint64_t addr);

/* ---- stream.c ---- */

/* The stream that HANDLE means for the context CTX, or NULL and *STATUS.  */
struct CUstream_st *fake_stream (CUstream handle, struct CUctx_st *ctx, CUresult *status);
/* Append an operation, with fake_lock held; its number.  */
uint64_t fake_enqueue (struct CUstream_st *, struct fake_op *);
/* Is the operation NUMBER of OTHER complete before what comes behind the one UP_TO of S begins, because S waits for
   it, or for who does?  With fake_lock held.  */
bool fake_comes_after (struct CUstream_st *s, uint64_t up_to, struct CUstream_st *other, uint64_t number);
/* Wait until the operation NUMBER is complete, with fake_lock held.  */
CUresult fake_wait_for (struct CUstream_st *, uint64_t number);
CUresult fake_wait_context (struct CUctx_st *);
struct CUstream_st *fake_new_stream (struct CUctx_st *, unsigned flags, int priority, bool is_null);
/* Call FUNCTION with ARG; a signal of the thread becomes an error code.  */
CUresult fake_guarded (CUresult (*function) (void *), void *arg);
void fake_install_handlers (void);

/* ---- names.c ---- */

/* The function of the program that PTX calls NAME, or NULL.  */
void *fake_host_function (const char *name);
const char *fake_base_name (const char *exported, char *buf, size_t size);

/* ---- module.c ---- */

struct fake_variable
{
  char *name;
  size_t offset, size;
};

struct CUfunc_st
{
  struct fake_object object;
  char *name;
  bool entry;
  bool called;			/* its program function was looked up */
  struct CUmod_st *module;
  uint64_t address;		/* what device code sees */
  unsigned num_params;
  size_t param_size[FAKE_MAX_PARAMS], param_offset[FAKE_MAX_PARAMS], params_size;
  void *function;		/* void (*) (void *) */
  int max_dynamic_shared;	/* as set; -1: never */
  bool loaded;			/* it was used */
  const struct psim_kernel *kernel;	/* it is executed as PTX; NULL: it is a function of the program */
  /* Facts about it: bytes of static shared and local memory.  */
  size_t shared, local;
  unsigned registers, max_threads;
};

struct CUmod_st
{
  struct fake_object object;
  struct CUfunc_st **code;
  size_t num_code;
  struct fake_variable *vars;
  size_t num_vars;
  uint64_t data;		/* a block; 0: there are no variables */
  struct psim_program *program;	/* its kernels are executed as PTX; or NULL */
  bool has_heap, prints;	/* its code refers to malloc or free, to vprintf */
};

/* The address of NAME in MODULE, a variable or function; 0: there is none.  */
uint64_t fake_symbol (struct CUmod_st *module, const char *name, size_t *size);
/* What the test registered for NAME.  */
fake_cuda_kernel_fn *fake_registered (const char *name);
/* A new function of MODULE, with the facts that all have.  */
struct CUfunc_st *fake_add_function (struct CUmod_st *module, const char *name);
void fake_add_variable (struct CUmod_st *module, const char *name, size_t offset, size_t size);
/* Does [ADDR, ADDR + SIZE), which is in the block DATA of some module, keep within one of its variables?
   *NAME is the one that holds ADDR, of which *LEFT bytes are left there; or NULL.  With fake_lock held.  */
bool fake_in_variable (uint64_t data, uint64_t addr, size_t size, const char **name, size_t *left);

/* ---- execute.c ---- */

/* Are kernels executed as PTX?  */
bool fake_executes (void);
/* Link the texts [TEXTS, TEXTS + SIZE), each with its NUL.  False: ERROR says why not.  */
bool fake_link_program (const char *texts, size_t size, char *error, size_t error_size);
/* The same for a module; NULL: it cannot be linked.  */
struct psim_program *fake_take_program (const char *texts, size_t size);
/* Put PROGRAM into MODULE, with fake_lock held.  */
CUresult fake_load_program (struct CUmod_st *module, struct psim_program *program);
void fake_drop_program (struct psim_program *);
CUresult fake_run_program (struct CUctx_st *, const struct CUfunc_st *, const struct fake_cuda_launch *,
			   const void *params);
/* Write what kernels of the context have printed, with fake_lock held.  */
void fake_flush_prints (struct CUctx_st *);

#endif /* FAKE_H */
