/* What a tool hears of list items, and of images that come to a device and leave it.
   TEST-MODES: cpu
   TEST-OPTIONS: -rdynamic  */

#include "../../include/omp-tools.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
#define CHECK(cond) \
  ((cond) ? (void) 0 : (failures++, (void) fprintf (stderr, "line %d: %s\n", __LINE__, #cond)))

/* The last event about list items.  */
static struct
{
  int events;
  unsigned n, flags[8];
  void *host[8], *dev[8];
  size_t bytes[8];
} last;
static void *copied_to;
static int loads, unloads, began;
static uint64_t images[8];

static void
on_map (ompt_data_t *data, unsigned n, void **host, void **dev, size_t *bytes, unsigned *flags,
	const void *codeptr)
{
  CHECK (data->value != 0 && codeptr != NULL && n > 0 && n <= 8);
  last.events++;
  last.n = n;
  for (unsigned i = 0; i < n && i < 8; i++)
    {
      last.host[i] = host[i];
      last.dev[i] = dev[i];
      last.bytes[i] = bytes[i];
      last.flags[i] = flags[i];
    }
}

static void
on_target (ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task,
	   ompt_data_t *target_task, ompt_data_t *data, const void *codeptr)
{
  (void) kind;
  (void) device;
  (void) task;
  (void) target_task;
  (void) codeptr;
  if (endpoint == ompt_scope_begin)
    data->value = 1;
}

static void
on_op (ompt_scope_endpoint_t endpoint, ompt_data_t *target_task, ompt_data_t *data, ompt_id_t *id,
       ompt_target_data_op_t type, void *src, int src_device, void *dst, int dst_device,
       size_t bytes, const void *codeptr)
{
  (void) endpoint;
  (void) target_task;
  (void) data;
  (void) id;
  (void) src;
  (void) src_device;
  (void) dst_device;
  (void) bytes;
  (void) codeptr;
  if (type == ompt_target_data_transfer_to_device)
    copied_to = dst;
}

static void
on_begin (int device, const char *type, ompt_device_t *handle, ompt_function_lookup_t lookup,
	  const char *documentation)
{
  (void) type;
  (void) handle;
  (void) lookup;
  (void) documentation;
  CHECK (device == 0 && loads == unloads);
  began++;
}

static void
on_load (int device, const char *file, int64_t offset, void *vma, size_t bytes, void *host,
	 void *dev, uint64_t id)
{
  CHECK (began > 0 && device == 0 && file != NULL && id != 0);
  CHECK (offset == -1 && vma == ompt_addr_none && dev == NULL);
  CHECK ((char *) host <= (char *) on_load && (char *) on_load < (char *) host + bytes);
  if (loads < 8)
    images[loads] = id;
  loads++;
}

static void
on_unload (int device, uint64_t id)
{
  CHECK (device == 0 && unloads < loads && id == images[unloads]);
  unloads++;
}

static int
initialize (ompt_function_lookup_t lookup, int initial_device, ompt_data_t *data)
{
  ompt_set_callback_t set = (ompt_set_callback_t) lookup ("ompt_set_callback");
  (void) initial_device;
  (void) data;
#define SET(event, fn) \
  CHECK (set (ompt_callback_##event, (ompt_callback_t) fn) == ompt_set_always)
  SET (target_map_emi, on_map);
  SET (target_emi, on_target);
  SET (target_data_op_emi, on_op);
  SET (device_initialize, on_begin);
  SET (device_load, on_load);
  SET (device_unload, on_unload);
  return 1;
}

static void
finalize (ompt_data_t *data)
{
  (void) data;
}

ompt_start_tool_result_t *
ompt_start_tool (unsigned version, const char *runtime)
{
  static ompt_start_tool_result_t result = { initialize, finalize, { 0 } };
  (void) version;
  (void) runtime;
  return &result;
}

/* There was one event, with an item for [HOST, + SIZE); its flags.  */
static unsigned
flags_of (void *host, size_t size)
{
  unsigned found = 0;
  CHECK (last.events == 1);
  for (unsigned i = 0; i < last.n && i < 8; i++)
    if (last.host[i] == host && last.bytes[i] == size)
      {
	found = last.flags[i];
	CHECK (last.dev[i] != NULL && last.dev[i] != host);
      }
  return found;
}

int
main (void)
{
  enum { TO = ompt_target_map_flag_to, FROM = ompt_target_map_flag_from,
	 ALLOC = ompt_target_map_flag_alloc, RELEASE = ompt_target_map_flag_release,
	 DELETE = ompt_target_map_flag_delete };
  static int a[1000], b[10], c[20];

#define FORGET() memset (&last, 0, sizeof (last))
#pragma omp target enter data map (to: a) map (alloc: b)
  CHECK (loads == 1 && unloads == 0);
  CHECK (last.n == 2);
  CHECK (flags_of (a, sizeof (a)) == TO);
  CHECK (flags_of (b, sizeof (b)) == ALLOC);
  CHECK (copied_to == last.dev[0] || copied_to == last.dev[1]);
  FORGET ();

#pragma omp target map (tofrom: a) map (from: c)
  c[0] = a[0];
  CHECK ((flags_of (a, sizeof (a)) & (TO | FROM)) == (TO | FROM));
  CHECK ((flags_of (c, sizeof (c)) & (TO | FROM)) == FROM);
  FORGET ();

#pragma omp target update to (a)
  CHECK (last.events == 0);

#pragma omp target data map (to: c)
  {
    CHECK (flags_of (c, sizeof (c)) == TO);
    FORGET ();
  }
  CHECK (last.events == 0);

#pragma omp target exit data map (from: a) map (release: b) nowait
#pragma omp taskwait
  CHECK (last.n == 2);
  CHECK (flags_of (a, sizeof (a)) == FROM);
  CHECK (flags_of (b, sizeof (b)) == RELEASE);
  FORGET ();

  /* Nothing is mapped any more, so that there is nothing to tell.  */
#pragma omp target exit data map (delete: b)
  CHECK (last.events == 0);
#pragma omp target enter data map (to: b)
  FORGET ();
#pragma omp target exit data map (delete: b)
  CHECK (flags_of (b, sizeof (b)) == DELETE);

  CHECK (omp_pause_resource (omp_pause_hard, 0) == 0);
  CHECK (loads == 1 && unloads == 1);
#pragma omp target
  ;
  CHECK (loads == 2 && unloads == 1 && began == 2);
  CHECK (images[0] != images[1]);
  return failures != 0;
}
