/* aux-ompt-target.h -- a tool that is part of a test: writes a line for each event of target
   constructs and devices, and checks that ids, nesting and addresses are right.

   The test includes this file, is linked with -rdynamic, and compares tool_text with what it
   expects.  The program has one thread; of target tasks with nowait another one may report the end.  */

#include "../../include/omp-tools.h"

#include <omp.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char tool_text[20000];
static size_t tool_length;
static int tool_failures;
static ompt_get_target_info_t tool_get_target_info;
/* Only the old forms of callbacks.  */
#ifndef TOOL_OLD
# define TOOL_OLD 0
#endif

static void __attribute__ ((format (printf, 1, 2)))
tool_bad (const char *fmt, ...)
{
  va_list list;
  va_start (list, fmt);
  vfprintf (stderr, fmt, list);
  va_end (list);
  fputc ('\n', stderr);
  tool_failures++;
}

static pthread_mutex_t tool_lock = PTHREAD_MUTEX_INITIALIZER;

static void __attribute__ ((format (printf, 1, 2)))
tool_note (const char *fmt, ...)
{
  va_list list;
  pthread_mutex_lock (&tool_lock);
  va_start (list, fmt);
  tool_length += vsnprintf (tool_text + tool_length, sizeof (tool_text) - tool_length, fmt, list);
  va_end (list);
  if (tool_length >= sizeof (tool_text))
    abort ();
  pthread_mutex_unlock (&tool_lock);
}

static void __attribute__ ((unused))
tool_forget (void)
{
  tool_length = 0;
  tool_text[0] = '\0';
}

static void __attribute__ ((unused))
tool_expect (const char *what, const char *want)
{
  if (strcmp (tool_text, want) != 0)
    tool_bad ("%s: got\n%swant\n%s", what, tool_text, want);
  tool_forget ();
}

/* What is open in the thread.  Constructs with nowait interleave: theirs are not checked.  */
static __thread uint64_t tool_target, tool_op;
static __thread int tool_device;
static uint64_t tool_ids;
static int tool_deferred;	/* atomic */

static const char *const tool_kinds[] = {
  [ompt_target] = "target",
  [ompt_target_enter_data] = "enter data",
  [ompt_target_exit_data] = "exit data",
  [ompt_target_update] = "update",
  [ompt_target_nowait] = "target nowait",
  [ompt_target_enter_data_nowait] = "enter data nowait",
  [ompt_target_exit_data_nowait] = "exit data nowait",
  [ompt_target_update_nowait] = "update nowait",
};

static const char *const tool_ops[] = {
  [ompt_target_data_alloc] = "alloc",
  [ompt_target_data_transfer_to_device] = "to",
  [ompt_target_data_transfer_from_device] = "from",
  [ompt_target_data_delete] = "delete",
  [ompt_target_data_associate] = "associate",
  [ompt_target_data_disassociate] = "disassociate",
};

/* Where the host's data has its counterpart: what alloc told.  */
static struct { void *host, *dev; size_t size; } tool_blocks[64];

static void
tool_on_device (int number, const char *type, ompt_device_t *device,
		ompt_function_lookup_t lookup, const char *documentation)
{
  if (type == NULL || device == NULL || lookup != NULL || documentation != NULL)
    tool_bad ("device_initialize with wrong arguments");
  tool_note ("device %d begin\n", number);
}

static void
tool_on_device_end (int number)
{
  tool_note ("device %d end\n", number);
}

static void
tool_on_target_any (ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device,
		    const void *codeptr)
{
  if (codeptr == NULL)
    tool_bad ("target without address");
  tool_device = device;
  tool_note ("%s %s %d\n", tool_kinds[kind], endpoint == ompt_scope_begin ? "begin" : "end",
	     device == omp_get_initial_device () ? -1 : device);
}

/* Has there been a construct with nowait, including this one?  */
static int
tool_is_deferred (int kind)
{
  if (kind >= ompt_target_nowait)
    __atomic_store_n (&tool_deferred, 1, __ATOMIC_RELAXED);
  return __atomic_load_n (&tool_deferred, __ATOMIC_RELAXED);
}

static void
tool_on_target (ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device,
		ompt_data_t *task, ompt_id_t id, const void *codeptr)
{
  if (tool_is_deferred (kind))
    ;
  else if (task == NULL || id == 0 || (endpoint == ompt_scope_end) != (id == tool_target))
    tool_bad ("target: wrong ids");
  tool_target = endpoint == ompt_scope_begin && !tool_is_deferred (kind) ? id : 0;
  tool_on_target_any (kind, endpoint, device, codeptr);
}

static void
tool_on_target_emi (ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device,
		    ompt_data_t *task, ompt_data_t *target_task, ompt_data_t *data,
		    const void *codeptr)
{
  if (tool_is_deferred (kind))
    {
      if (data == NULL || (endpoint == ompt_scope_begin) != (data->value == 0)
	  || (kind >= ompt_target_nowait) != (target_task != NULL))
	tool_bad ("deferred target: wrong data");
      else if (endpoint == ompt_scope_begin)
	data->value = __atomic_add_fetch (&tool_ids, 1, __ATOMIC_RELAXED);
    }
  else if ((kind < ompt_target_nowait && task == NULL) || target_task != NULL || data == NULL)
    tool_bad ("target: wrong data");
  else if (endpoint == ompt_scope_begin ? data->value != 0 : data->value != tool_target)
    tool_bad ("target: data %lu", (long) data->value);
  else if (endpoint == ompt_scope_begin)
    tool_target = data->value = ++tool_ids;
  else
    tool_target = 0;
  tool_on_target_any (kind, endpoint, device, codeptr);
}

static void
tool_on_op_any (ompt_target_data_op_t type, void *src, int src_device, void *dst,
		int dst_device, size_t bytes, const void *codeptr)
{
  int host = omp_get_initial_device ();
  if (codeptr == NULL)
    tool_bad ("operation without address");
  if (tool_target != 0)
    {
      uint64_t device, id, op;
      if (tool_get_target_info (&device, &id, &op) != 1 || (int) device != tool_device || id == 0
	  || op == 0)
	tool_bad ("ompt_get_target_info");
    }
  pthread_mutex_lock (&tool_lock);
  switch (type)
    {
    case ompt_target_data_alloc:
    case ompt_target_data_associate:
      if (src_device != host || dst_device == host || dst == NULL)
	tool_bad ("alloc: wrong devices");
      for (int i = 0; i < 64; i++)
	if (tool_blocks[i].dev == NULL)
	  {
	    tool_blocks[i].host = src;
	    tool_blocks[i].dev = dst;
	    tool_blocks[i].size = bytes;
	    break;
	  }
      break;
    case ompt_target_data_delete:
      if (src_device == host || src == NULL)
	tool_bad ("delete: wrong devices");
      for (int i = 0; i < 64; i++)
	if (tool_blocks[i].dev == src)
	  {
	    bytes = tool_blocks[i].size;
	    tool_blocks[i].dev = NULL;
	    break;
	  }
	else if (i == 63)
	  tool_bad ("delete of what was not there: %p", src);
      break;
    case ompt_target_data_transfer_to_device:
    case ompt_target_data_transfer_from_device:
      if (tool_target != 0)
	{
	  char *h = type == ompt_target_data_transfer_to_device ? src : dst;
	  char *d = type == ompt_target_data_transfer_to_device ? dst : src;
	  int found = 0;
	  for (int i = 0; i < 64; i++)
	    found |= (tool_blocks[i].dev != NULL && (char *) tool_blocks[i].host <= h
		      && (char *) tool_blocks[i].host + tool_blocks[i].size >= h + bytes
		      && h - (char *) tool_blocks[i].host == d - (char *) tool_blocks[i].dev);
	  if (!found)
	    tool_bad ("transfer between %p and %p", (void *) h, (void *) d);
	}
      break;
    default:
      break;
    }
  pthread_mutex_unlock (&tool_lock);
  tool_note ("  %s %zu\n", tool_ops[type], bytes);
}

static void
tool_on_op (ompt_id_t target, ompt_id_t op, ompt_target_data_op_t type, void *src,
	    int src_device, void *dst, int dst_device, size_t bytes, const void *codeptr)
{
  if (target != tool_target || op == 0)
    tool_bad ("operation: wrong ids");
  tool_on_op_any (type, src, src_device, dst, dst_device, bytes, codeptr);
}

static void
tool_on_op_emi (ompt_scope_endpoint_t endpoint, ompt_data_t *task, ompt_data_t *data,
		ompt_id_t *op, ompt_target_data_op_t type, void *src, int src_device, void *dst,
		int dst_device, size_t bytes, const void *codeptr)
{
  if ((task != NULL && !tool_is_deferred (0))
      || (tool_is_deferred (0) ? data == NULL || data->value == 0
	  : data == NULL ? tool_target != 0 : data->value != tool_target))
    tool_bad ("operation: wrong data");
  if (endpoint == ompt_scope_begin)
    {
      if (tool_op != 0)
	tool_bad ("operation in an operation");
      tool_op = *op;
    }
  else
    {
      if (*op == 0 || *op != tool_op)
	tool_bad ("operation ends that has not begun");
      tool_op = 0;
      tool_on_op_any (type, src, src_device, dst, dst_device, bytes, codeptr);
    }
}

static void
tool_on_submit (ompt_id_t target, ompt_id_t op, unsigned teams)
{
  if (target != tool_target || op == 0)
    tool_bad ("submit: wrong ids");
  tool_note ("  submit %u\n", teams);
}

static void
tool_on_submit_emi (ompt_scope_endpoint_t endpoint, ompt_data_t *data, ompt_id_t *op,
		    unsigned teams)
{
  if (data == NULL || *op == 0
      || (tool_is_deferred (0) ? data->value == 0 : data->value != tool_target))
    tool_bad ("submit: wrong data");
  if (endpoint == ompt_scope_begin)
    tool_note ("  submit %u\n", teams);
}

static int
tool_initialize (ompt_function_lookup_t lookup, int initial_device, ompt_data_t *data)
{
  ompt_set_callback_t set = (ompt_set_callback_t) lookup ("ompt_set_callback");
  (void) initial_device;
  (void) data;
  tool_get_target_info = (ompt_get_target_info_t) lookup ("ompt_get_target_info");
#define SET(event, fn) \
  if (set (ompt_callback_##event, (ompt_callback_t) fn) != ompt_set_always) \
    tool_bad (#event " is not always reported")
  SET (device_initialize, tool_on_device);
  SET (device_finalize, tool_on_device_end);
  SET (target, tool_on_target);
  SET (target_data_op, tool_on_op);
  SET (target_submit, tool_on_submit);
  if (!TOOL_OLD)
    {
      SET (target_emi, tool_on_target_emi);
      SET (target_data_op_emi, tool_on_op_emi);
      SET (target_submit_emi, tool_on_submit_emi);
    }
  return 1;
}

static void (*tool_at_end) (void);

static void
tool_finalize (ompt_data_t *data)
{
  (void) data;
  if (tool_at_end != NULL)
    tool_at_end ();
  if (tool_failures != 0)
    _Exit (1);
}

ompt_start_tool_result_t *
ompt_start_tool (unsigned version, const char *runtime)
{
  static ompt_start_tool_result_t result = { tool_initialize, tool_finalize, { 0 } };
  (void) version;
  (void) runtime;
  return &result;
}
