/* execute.c -- kernels of the stand-in driver that are executed as what they are, PTX (FAKE_CUDA_PTX=1), by the
   simulator testsuite/ptx-sim.

   Then the linker is the simulator's, with all the errors that it finds; the texts stay the cubin, so that one
   from a file is linked again when it is loaded.  What cuLinkComplete has linked and nobody has loaded yet is
   remembered for that.  Variables lie in a block of device memory as ever; functions have addresses of the
   simulator.

   Memory.  The simulator asks for each range of addresses that a kernel uses (find_memory), and uses the
   driver's view of device memory: pages at device addresses stay closed to the host also while
   such a kernel runs.  It is told, too, which bytes of device memory were ever set, by copies, fills and
   kernels: what depends on others is a fault.  fake_memory_generation says when something it knows is gone.  The heap is
   the simulator's: copies cannot reach it, as the real one.

   What kernels print is kept in the order in which it comes, up to the limit for it, and written to
   standard output when the host next waits for the context or one of its streams; the oldest goes first where
   there is too much.

   Why a kernel failed is told on stderr, "ptx-sim: ...", which fails a test that does not ask for it; the report
   of a trap, by which programs end on purpose, "ptx-trap: ...", does not.

   Called by module.c and launch.c.  Protected by fake_lock, apart from the execution itself.  */

#include "fake.h"
#include "ptx-sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_LOCAL = 512 << 10 };	/* bytes */

/* A program that is linked and belongs to no module yet.  */
static struct
{
  struct psim_program *program;
  char *texts;			/* a copy, by which it is known */
  size_t size;
} waiting;

bool
fake_executes (void)
{
  return fake_setting ("FAKE_CUDA_PTX", 0) != 0;
}

/* ---- memory ---- */

/* With the lock held.  */
static bool
find_module (void *user, uint64_t address, struct psim_range *range)
{
  const struct fake_block *block = fake_find (address, 1);
  bool good = block != NULL && fake_may_use (user, address, 1, "a kernel");
  if (good)
    *range = (struct psim_range) { .start = block->start, .size = block->size,
				  .view = fake_host_view (block->start),
				  .shadow = fake_shadow (fake_host_view (block->start)) };
  return good;
}

static bool
find_memory (void *user, uint64_t address, struct psim_range *range)
{
  pthread_mutex_lock (&fake_lock);
  bool good = find_module (user, address, range);
  pthread_mutex_unlock (&fake_lock);
  return good;
}

static void
explain (void *user, uint64_t address, size_t size, char *text, size_t room)
{
  (void) user;
  pthread_mutex_lock (&fake_lock);
  fake_explain_address (address, size, text, room);
  pthread_mutex_unlock (&fake_lock);
}

/* ---- linking and loading ---- */

/* Link the texts [TEXTS, TEXTS + SIZE), each with its NUL.  */
static struct psim_program *
link_texts (const char *texts, size_t size, char *error, size_t error_size)
{
  unsigned count = 0;
  for (size_t at = 0; at < size; at += strlen (texts + at) + 1)
    count++;
  struct psim_text *all = calloc (count + 1, sizeof (*all));
  char (*names)[24] = calloc (count + 1, sizeof (*names));
  if (all == NULL || names == NULL)
    abort ();
  count = 0;
  for (size_t at = 0; at < size; at += strlen (texts + at) + 1)
    {
      snprintf (names[count], sizeof (names[count]), "text %u", count);
      all[count] = (struct psim_text) { .name = names[count], .text = texts + at, .size = strlen (texts + at) };
      count++;
    }
  struct psim_program *program = psim_link (all, count, error, error_size);
  free (all);
  free (names);
  return program;
}

bool
fake_link_program (const char *texts, size_t size, char *error, size_t error_size)
{
  struct psim_program *program = link_texts (texts, size, error, error_size);
  if (program == NULL)
    return false;
  char *copy = malloc (size);
  if (copy == NULL)
    abort ();
  memcpy (copy, texts, size);
  pthread_mutex_lock (&fake_lock);
  struct psim_program *old = waiting.program;
  char *old_texts = waiting.texts;
  waiting.program = program;
  waiting.texts = copy;
  waiting.size = size;
  pthread_mutex_unlock (&fake_lock);
  if (old != NULL)
    psim_free (old);
  free (old_texts);
  return true;
}

struct psim_program *
fake_take_program (const char *texts, size_t size)
{
  char error[400] = "";
  struct psim_program *program = NULL;
  pthread_mutex_lock (&fake_lock);
  if (waiting.program != NULL && waiting.size == size && memcmp (waiting.texts, texts, size) == 0)
    {
      program = waiting.program;
      waiting.program = NULL;
      free (waiting.texts);
      waiting.texts = NULL;
    }
  pthread_mutex_unlock (&fake_lock);
  if (program == NULL)
    program = link_texts (texts, size, error, sizeof (error));
  if (program == NULL)
    fake_log ("link error: %s", error);
  return program;
}

/* Where variable I of PROGRAM begins when the one before ends at *AT; *AT is its end.  */
static size_t
next_offset (const struct psim_variable *v, size_t *at)
{
  bool close = fake_setting ("FAKE_CUDA_CLOSE", 0) != 0;
  size_t align = v->align > 16 || (close && v->align > 0) ? v->align : 16;
  size_t offset = (*at + align - 1) / align * align;
  /* Different variables have different addresses, and what goes a little too far meets nothing.  */
  *at = offset + (!close ? v->size + 16 : v->size > 0 ? v->size : 1);
  return offset;
}

CUresult
fake_load_program (struct CUmod_st *module, struct psim_program *program)
{
  struct CUctx_st *ctx = module->object.ctx;
  const struct psim_memory memory = { .user = ctx, .find = find_module };
  const struct psim_kernel *kernel;
  const struct psim_variable *v;
  char why[300];
  size_t room = 0, at = 0;

  for (unsigned i = 0; (kernel = psim_kernel_at (program, i)) != NULL; i++)
    {
      struct psim_kernel_info info;
      psim_kernel_info (kernel, &info);
      struct CUfunc_st *code = fake_add_function (module, info.name);
      while (code->num_params < FAKE_MAX_PARAMS
	     && psim_kernel_param (kernel, code->num_params, &code->param_offset[code->num_params],
				  &code->param_size[code->num_params]))
	code->num_params++;
      code->params_size = info.param_bytes;
      code->kernel = kernel;
      code->shared = info.shared;
      code->registers = info.registers;
      code->max_threads = info.max_threads;
      code->local = info.local;
    }
  for (unsigned i = 0; (v = psim_variable (program, i)) != NULL; i++)
    next_offset (v, &room);
  module->data = fake_alloc (ctx, room + 16, FAKE_MODULE_BLOCK);
  if (module->data == 0)
    return CUDA_ERROR_OUT_OF_MEMORY;
  memset (fake_host_view (module->data), 0, room);
  fake_set (fake_host_view (module->data), room);
  for (unsigned i = 0; (v = psim_variable (program, i)) != NULL; i++)
    {
      size_t offset = next_offset (v, &at);
      psim_place (program, i, module->data + offset);
    }
  /* Those of a single text can be found by name, too, behind the others.  */
  for (unsigned turn = 0; turn < 2; turn++)
    for (unsigned i = 0; (v = psim_variable (program, i)) != NULL; i++)
      if (v->visible == (turn == 0))
	fake_add_variable (module, v->name, v->address - module->data, v->size);
  if (!psim_load (program, &memory, why, sizeof (why)))
    {
      fprintf (stderr, "ptx-sim: %s\n", why);
      return CUDA_ERROR_INVALID_IMAGE;
    }
  fake_log ("module: %zu kernels, %zu variables", module->num_code, module->num_vars);
  return CUDA_SUCCESS;
}

void
fake_drop_program (struct psim_program *program)
{
  if (program != NULL)
    psim_free (program);
}

/* ---- what kernels print ---- */

struct print
{
  struct print *next;
  size_t size;
  char text[];
};

static void
print (void *user, const char *text, size_t size)
{
  struct CUctx_st *ctx = user;
  struct print *p = malloc (sizeof (*p) + size);
  if (p == NULL)
    abort ();
  p->next = NULL;
  p->size = size;
  memcpy (p->text, text, size);
  pthread_mutex_lock (&fake_lock);
  if (ctx->prints == NULL)
    ctx->last_print = &ctx->prints;
  *ctx->last_print = p;
  ctx->last_print = &p->next;
  ctx->print_bytes += size;
  while (ctx->print_bytes > ctx->limits[CU_LIMIT_PRINTF_FIFO_SIZE] && ctx->prints->next != NULL)
    {
      struct print *oldest = ctx->prints;
      ctx->prints = oldest->next;
      ctx->print_bytes -= oldest->size;
      free (oldest);
    }
  pthread_mutex_unlock (&fake_lock);
}

void
fake_flush_prints (struct CUctx_st *ctx)
{
  if (ctx->prints == NULL)
    return;
  while (ctx->prints != NULL)
    {
      struct print *p = ctx->prints;
      ctx->prints = p->next;
      fwrite (p->text, 1, p->size, stdout);
      free (p);
    }
  ctx->print_bytes = 0;
  fflush (stdout);
}

/* ---- launches ---- */

static CUresult
error_of (enum psim_result result)
{
  switch (result)
    {
    case PSIM_DONE:
    case PSIM_STOPPED:
      return CUDA_SUCCESS;
    case PSIM_BAD_ADDRESS:
    /* What is behind the stack belongs to nobody: so an H200 has it.  */
    case PSIM_STACK:
      return CUDA_ERROR_ILLEGAL_ADDRESS;
    case PSIM_MISALIGNED:
      return CUDA_ERROR_MISALIGNED_ADDRESS;
    case PSIM_BAD_SPACE:
      return CUDA_ERROR_INVALID_ADDRESS_SPACE;
    case PSIM_BAD_PC:
      return CUDA_ERROR_INVALID_PC;
    case PSIM_TRAP:
    case PSIM_NOT_SHOWN:
    case PSIM_BAD_LAUNCH:
      break;
    }
  return CUDA_ERROR_LAUNCH_FAILED;
}

/* Tell REPORT in one piece.  That of a trap does not begin like a complaint.  */
static void
tell (const char *report, bool trap)
{
  static const char complains[] = "ptx-sim: ";
  if (trap && strncmp (report, complains, sizeof (complains) - 1) == 0)
    fprintf (stderr, "ptx-trap: %s", report + sizeof (complains) - 1);
  else
    fprintf (stderr, "%s", report);
}

CUresult
fake_run_program (struct CUctx_st *ctx, const struct CUfunc_st *code, const struct fake_cuda_launch *l,
		  const void *params)
{
  const struct psim_memory memory = { .user = ctx, .find = find_memory, .explain = explain,
				     .generation = &fake_memory_generation };
  int multiprocessors = 1;
  cuDeviceGetAttribute (&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, ctx->dev->ordinal);
  pthread_mutex_lock (&fake_lock);
  size_t stack = ctx->limits[CU_LIMIT_STACK_SIZE], heap = ctx->limits[CU_LIMIT_MALLOC_HEAP_SIZE];
  pthread_mutex_unlock (&fake_lock);
  struct psim_launch launch =
    {
      .kernel = code->kernel,
      .grid = { l->grid[0], l->grid[1], l->grid[2] },
      .block = { l->block[0], l->block[1], l->block[2] },
      .dynamic_shared = l->shared,
      .params = params,
      .memory = &memory,
      /* A limit for recursion: what calls of known depth need counts for nothing on a GPU.  */
      .stack_limit = stack,
      .local_limit = stack > LEAST_LOCAL ? stack : LEAST_LOCAL,
      .heap_limit = heap,
      .nsmid = (unsigned) multiprocessors,
      .environment = true,
      .print = print,
      .user = ctx,
      .stop = &ctx->xstop
    };
  enum psim_result result = psim_launch (&launch);
  fake_log ("ran %s: %s, %lu instructions of warps, %lu of lanes, %lu barriers", code->name, psim_result_name (result),
	    (unsigned long) launch.counts.warp, (unsigned long) launch.counts.lane, (unsigned long) launch.counts.barriers);
  if (launch.report != NULL)
    tell (launch.report, result == PSIM_TRAP);
  free (launch.report);
  return error_of (result);
}
