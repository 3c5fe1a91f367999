/* program.h -- programs: what program.c and decode*.c share.

   Invariants
   1. `lock' protects the reader's memory (ptx) and the decoding of functions; launches take it only
      to decode a function that is called for the first time.
   2. Symbols that several texts know are in `global', by name; those of one text in its module's
      `local', sorted by name.  */

#ifndef PTX_SIM_PROGRAM_H
#define PTX_SIM_PROGRAM_H 1

#include "nvptx-read.h"
#include "sim.h"

#include <pthread.h>

struct variable
{
  struct psim_variable public;
  struct psim_program *program;
  struct ptx_module *module;
  const struct ptx_var *var;
  struct module *owner;
  uint32_t offset;		/* of shared ones */
};

struct symbol
{
  ptx_name name;
  bool defined, weak;
  struct function *function;	/* one of these two */
  struct variable *variable;
};

struct module
{
  struct psim_program *program;
  struct ptx_module *tree;
  const char *name;
  bool library;
  struct symbol *local;
  unsigned n_local;
};

/* Variables of a function's body that lie in shared or global memory.  */
struct inner
{
  const struct ptx_function *node;
  uint32_t var;
  struct variable *variable;
};

struct constant
{
  uint64_t value[LANES];
};

struct psim_program
{
  pthread_mutex_t lock;
  struct ptx *ptx;
  char **texts;
  unsigned n_modules;
  struct module *modules;
  struct symbol **global;	/* by ptx_name, of those that are below n_global */
  uint32_t n_global;
  struct function **functions;
  unsigned n_functions, function_room;
  struct variable **variables;	/* in global and constant memory */
  unsigned n_variables, variable_room;
  struct variable **shared;
  unsigned n_shared, shared_room;
  struct inner *inner;
  unsigned n_inner, inner_room;
  uint32_t shared_size;
  struct constant **constants;	/* open hash by value */
  uint32_t n_constants, constant_mask;
  struct heap *heap;
};

/* The symbol that NAME is in M; NULL: none.  */
struct symbol *program_symbol (const struct module *m, ptx_name name);
/* Variable VAR of NODE's body, if it is in shared or global memory.  */
struct variable *program_inner (const struct psim_program *, const struct ptx_function *node, uint32_t var);
/* VALUE, once for each lane; NULL: no memory.  The lock is held.  */
const uint64_t *program_constant (struct psim_program *, uint64_t value);
/* A name as text, in memory of the reader.  */
const char *program_name (struct psim_program *, ptx_name);

/* decode.c */
bool decode_function (struct psim_program *, struct function *, char *why, size_t room);

/* frame.c: how much of a GPU's stack each call of NODE takes, whose body is read and has
   LOCAL_BYTES of variables.  False: no memory.  */
bool frame_size (const struct ptx_function *node, uint32_t local_bytes, uint32_t *bytes);

struct decoder
{
  struct psim_program *program;
  struct function *function;
  struct ptx_function *node;
  struct op *ops;
  unsigned n, room;
  uint32_t *slot;		/* of each var; local ones: offset in the frame's local memory */
  uint32_t slots, temps, most_temps;
  const struct ptx_stmt *stmt;
  uint32_t guard;
  bool guard_negated;
  char *why;
  size_t why_room;
  bool failed;
};

/* A new operation without guard; its sources are zeros.  Never NULL: after a failure one that is
   thrown away.  Valid until the next one.  */
struct op *decode_emit (struct decoder *, handler *, enum psim_class);
/* The same with the statement's guard.  */
struct op *decode_emit_guarded (struct decoder *, handler *, enum psim_class);
/* Decoding has failed: say why, once.  */
void decode_fail (struct decoder *, const char *format, ...) __attribute__ ((format (printf, 2, 3)));
/* Operand O as a source of TYPE; may emit operations before.  */
struct operand decode_source (struct decoder *, const struct ptx_operand *, enum type);
/* Slot of the destination O, NO_SLOT for _.  *WIDTH, if wanted: bytes of the register.  */
uint32_t decode_destination (struct decoder *, const struct ptx_operand *, unsigned *width);
uint32_t decode_temp (struct decoder *);
enum type decode_type (ptx_name);
/* The address O: source, offset, space (which is what the operand is in if SPACE is generic).  */
struct operand decode_address (struct decoder *, const struct ptx_operand *, uint8_t *space,
			       int64_t *offset);

/* The handler of an integer instruction; NULL: none.  */
handler *int_handler (const char *name, enum type);
/* decode-op.c: everything that is no memory access and no control.  False: it is not of these.  */
bool decode_arithmetic (struct decoder *, const struct ptx_stmt *);
/* decode-warp.c: votes, shuffles, barriers, fences.  */
bool decode_warp (struct decoder *, const struct ptx_stmt *);

#endif /* PTX_SIM_PROGRAM_H */
