/* Part of ompt-libraries.c and others: a tool in a library.  TOOL_NULL: it does not want to start,
   TOOL_ZERO: it changes its mind in initialize, TOOL_NO_FUNCTION: it has no initialize.  */

#include "../../include/omp-tools.h"

#include <stdio.h>

static int regions;

static void
on_parallel_begin (ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region,
		   unsigned requested, int flags, const void *codeptr)
{
  (void) task, (void) frame, (void) requested, (void) flags, (void) codeptr;
  region->value = 1;
  regions++;
}

static int
initialize (ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
  (void) device;
  ompt_set_callback_t set_callback = (ompt_set_callback_t) lookup ("ompt_set_callback");
  set_callback (ompt_callback_parallel_begin, (ompt_callback_t) on_parallel_begin);
  data->ptr = &regions;
#ifdef TOOL_ZERO
  return 0;
#else
  return 7;
#endif
}

static void
finalize (ompt_data_t *data)
{
  printf ("tool: %d regions\n", *(int *) data->ptr);
}

ompt_start_tool_result_t *
ompt_start_tool (unsigned version, const char *runtime)
{
#ifdef TOOL_NO_FUNCTION
  static ompt_start_tool_result_t result = { NULL, finalize, { 0 } };
#else
  static ompt_start_tool_result_t result = { initialize, finalize, { 0 } };
#endif
  printf ("tool: asked, %u %s\n", version, runtime);
#ifdef TOOL_NULL
  return NULL;
#endif
  return &result;
}
