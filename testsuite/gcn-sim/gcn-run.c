/* gcn-run.c -- run a kernel of a code object, through the HSA interface alone.

   gcn-run [-a AGENT] [-t TEAMS] [-w WAVES] [-l LDS] [-i HOST:SYMBOL] [-n] IMAGE.hsaco KERNEL [WORD...]

   Makes what a kernel of GCC expects (kernarg block, output ring, heap, stacks), runs _init_array,
   KERNEL and _fini_array, prints what they write, how they ended, and what they left in memory.  The
   WORDs are the argument block of the kernel: numbers, or mN for the address of N zeroed bytes, mN=V with
   the 32-bit integer V at their start, mN=dV with the double V.  Without KERNEL the kernels are
   listed.  -i enters a pair into the map of indirect functions; -n leaves _init_array and
   _fini_array out.

   It uses libhsa-runtime64.so.1, or HSA_RUNTIME_LIB; with the simulator's, and without a plugin, this is
   how an image is tried.  The exit code is the kernel's own, if it has called exit.  */

#include "hsa-api.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DECLARE(result, name, parameters) static result (*name##_p) parameters;
HSA_FUNCTIONS (DECLARE, DECLARE)
HSA_OTHER_FUNCTIONS (DECLARE)

enum { RECORDS = 1024, HEAP_BYTES = 100 << 20, STACK_BYTES = 32768, ARENA_BYTES = 65536,
       QUEUE_SIZE = 64, MAX_WORDS = 64 };

/* The output ring, as newlib has it.  */
struct record
{
  int written;
  char msg[128];
  int type;
  union { char text[128]; int64_t i; double d; uint64_t u[16]; } __attribute__ ((packed)) value;
} __attribute__ ((packed));

struct output
{
  uint32_t return_value;
  uint32_t next;
  struct record record[RECORDS];
  uint32_t consumed;
};

struct kernarg
{
  uint64_t args, unused, out, heap, arena, stack;
  uint32_t arena_size, stack_size;
  struct output output __attribute__ ((aligned (64)));
};

_Static_assert (sizeof (struct record) == 264, "layout of newlib");
_Static_assert (offsetof (struct output, consumed) == 270344, "layout of newlib");

static hsa_agent_t cpu, gpu;
static unsigned wanted_agent, seen_agents;
static hsa_amd_memory_pool_t device_pool, kernarg_pool;
static hsa_executable_t executable;
static hsa_queue_t *queue;
static _Atomic int xqueue_error;

static void __attribute__ ((format (printf, 1, 2), noreturn))
fail (const char *fmt, ...)
{
  va_list ap;
  va_start (ap, fmt);
  fprintf (stderr, "gcn-run: ");
  vfprintf (stderr, fmt, ap);
  fputc ('\n', stderr);
  va_end (ap);
  exit (2);
}

static void
check (hsa_status_t status, const char *what)
{
  const char *text = "?";
  if (status == HSA_STATUS_SUCCESS || status == HSA_STATUS_INFO_BREAK)
    return;
  hsa_status_string_p (status, &text);
  fail ("%s: %#x %s", what, (unsigned) status, text);
}

#define CALL(function, ...) check (function##_p (__VA_ARGS__), #function)

static void
open_runtime (void)
{
  const char *name = getenv ("HSA_RUNTIME_LIB");
  void *lib = dlopen (name != NULL ? name : "libhsa-runtime64.so.1", RTLD_NOW);
  if (lib == NULL)
    fail ("%s", dlerror ());
#define FIND(result, name, parameters)				\
  name##_p = (result (*) parameters) dlsym (lib, #name);
  HSA_FUNCTIONS (FIND, FIND)
  HSA_OTHER_FUNCTIONS (FIND)
  CALL (hsa_init);
}

static hsa_status_t
see_agent (hsa_agent_t agent, void *data)
{
  int type;
  (void) data;
  CALL (hsa_agent_get_info, agent, HSA_AGENT_INFO_DEVICE, &type);
  if (type == HSA_DEVICE_TYPE_CPU)
    cpu = agent;
  else if (type == HSA_DEVICE_TYPE_GPU && seen_agents++ == wanted_agent)
    gpu = agent;
  return HSA_STATUS_SUCCESS;
}

static hsa_status_t
see_pool (hsa_amd_memory_pool_t pool, void *data)
{
  int segment;
  uint32_t flags;
  CALL (hsa_amd_memory_pool_get_info, pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment);
  CALL (hsa_amd_memory_pool_get_info, pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags);
  if (segment == HSA_AMD_SEGMENT_GLOBAL && (flags & *(uint32_t *) data) != 0)
    *((flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT) != 0
      ? &kernarg_pool : &device_pool) = pool;
  return HSA_STATUS_SUCCESS;
}

static void
queue_error (hsa_status_t status, hsa_queue_t *q, void *data)
{
  (void) q, (void) data;
  __atomic_store_n (&xqueue_error, status, __ATOMIC_RELEASE);
}

static void
find_devices (void)
{
  uint32_t want;
  CALL (hsa_iterate_agents, see_agent, NULL);
  if (gpu.handle == 0)
    fail ("there is no GPU agent %u", wanted_agent);
  want = HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT;
  CALL (hsa_amd_agent_iterate_memory_pools, cpu, see_pool, &want);
  want = HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED;
  CALL (hsa_amd_agent_iterate_memory_pools, gpu, see_pool, &want);
  CALL (hsa_queue_create, gpu, QUEUE_SIZE, HSA_QUEUE_TYPE_MULTI, queue_error, NULL, UINT32_MAX,
	UINT32_MAX, &queue);
}

/* ---- memory ---- */

static void *allocated[256];
static unsigned num_allocated;

static uint64_t
device_memory (size_t size)
{
  void *ptr;
  CALL (hsa_amd_memory_pool_allocate, device_pool, size, 0, &ptr);
  allocated[num_allocated++] = ptr;
  return (uintptr_t) ptr;
}

static void *
shared_memory (size_t size)
{
  void *ptr;
  CALL (hsa_amd_memory_pool_allocate, kernarg_pool, size, 0, &ptr);
  CALL (hsa_amd_agents_allow_access, 1, &gpu, NULL, ptr);
  allocated[num_allocated++] = ptr;
  memset (ptr, 0, size);
  return ptr;
}

/* ---- the image ---- */

static void *
read_file (const char *name, size_t *size)
{
  FILE *file = fopen (name, "rb");
  if (file == NULL)
    fail ("cannot read %s", name);
  fseek (file, 0, SEEK_END);
  *size = (size_t) ftell (file);
  rewind (file);
  void *bytes = malloc (*size + 1);
  if (bytes == NULL || fread (bytes, 1, *size, file) != *size)
    fail ("cannot read %s", name);
  fclose (file);
  return bytes;
}

static void
load_image (const char *name)
{
  hsa_code_object_reader_t reader;
  size_t size;
  void *bytes = read_file (name, &size);
  CALL (hsa_code_object_reader_create_from_memory, bytes, size, &reader);
  CALL (hsa_executable_create_alt, HSA_PROFILE_BASE, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL,
	&executable);
  CALL (hsa_executable_load_agent_code_object, executable, gpu, reader, NULL, NULL);
  CALL (hsa_executable_freeze, executable, NULL);
  CALL (hsa_code_object_reader_destroy, reader);
  free (bytes);
}

static hsa_status_t
list_symbol (hsa_executable_t e, hsa_executable_symbol_t symbol, void *data)
{
  int kind;
  char name[1000];
  uint32_t len, private_size;
  (void) e, (void) data;
  CALL (hsa_executable_symbol_get_info, symbol, HSA_EXECUTABLE_SYMBOL_INFO_TYPE, &kind);
  CALL (hsa_executable_symbol_get_info, symbol, HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH, &len);
  if (kind != HSA_SYMBOL_KIND_KERNEL || len >= sizeof (name))
    return HSA_STATUS_SUCCESS;
  CALL (hsa_executable_symbol_get_info, symbol, HSA_EXECUTABLE_SYMBOL_INFO_NAME, name);
  CALL (hsa_executable_symbol_get_info, symbol,
	HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE, &private_size);
  printf ("%.*s private %u\n", (int) len - 3, name, private_size);
  return HSA_STATUS_SUCCESS;
}

/* The device address of a variable; 0: there is none.  */
static uint64_t
variable (const char *name)
{
  hsa_executable_symbol_t symbol;
  uint64_t addr;
  if (hsa_executable_get_symbol_by_name_p (executable, name, &gpu, &symbol) != HSA_STATUS_SUCCESS)
    return 0;
  CALL (hsa_executable_symbol_get_info, symbol, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS, &addr);
  return addr;
}

/* "HOST:SYMBOL" into the map of indirect functions.  */
static void
enter_indirect (const char *pair)
{
  char *end;
  uint64_t table[3] = { strtoull (pair, &end, 0), 0, 0 };
  uint64_t map = variable ("__gomp_indirect_addr_map");
  if (*end != ':' || map == 0)
    fail ("%s: not HOST:SYMBOL, or the image has no map", pair);
  uint64_t addr = variable (end + 1);
  table[1] = addr != 0 ? addr : strtoull (end + 1, NULL, 0);
  if (table[1] == 0)
    fail ("there is no %s", end + 1);
  uint64_t place = device_memory (sizeof (table));
  CALL (hsa_memory_copy, (void *) place, table, sizeof (table));
  CALL (hsa_memory_copy, (void *) map, &place, sizeof (place));
}

/* ---- launches ---- */

static void
drain (struct output *out, bool ended)
{
  for (uint32_t i = out->consumed;
       i != __atomic_load_n (&out->next, __ATOMIC_ACQUIRE); i++)
    {
      struct record *r = &out->record[i % RECORDS];
      if (__atomic_load_n (&r->written, __ATOMIC_ACQUIRE) == 0 && !ended)
	return;
      switch (r->type)
	{
	case 0:
	  printf ("%.128s%ld\n", r->msg, (long) r->value.i);
	  break;
	case 1:
	  printf ("%.128s%f\n", r->msg, r->value.d);
	  break;
	case 2:
	  printf ("%.128s%.128s\n", r->msg, r->value.text);
	  break;
	case 3:
	  printf ("%.128s%.128s", r->msg, r->value.text);
	  break;
	case 4:
	  printf ("[reverse offload %#lx, %lu]\n", (unsigned long) r->value.u[0],
		  (unsigned long) r->value.u[1]);
	  break;
	default:
	  printf ("[record of kind %d]\n", r->type);
	}
      fflush (stdout);
      __atomic_store_n (&r->written, 0, __ATOMIC_RELEASE);
      __atomic_store_n (&out->consumed, i + 1, __ATOMIC_RELEASE);
    }
}

static uint32_t
symbol_word (hsa_executable_symbol_t symbol, int attribute)
{
  uint32_t value;
  CALL (hsa_executable_symbol_get_info, symbol, attribute, &value);
  return value;
}

static uint64_t heap;

/* Run the kernel NAME; what it has returned.  */
static uint32_t
launch (const char *name, unsigned teams, unsigned waves, unsigned lds, uint64_t args)
{
  hsa_executable_symbol_t symbol;
  hsa_signal_t done;
  char full[1000];
  uint64_t object;
  snprintf (full, sizeof (full), "%s.kd", name);
  if (hsa_executable_get_symbol_by_name_p (executable, full, &gpu, &symbol) != HSA_STATUS_SUCCESS)
    fail ("there is no kernel %s", name);
  CALL (hsa_executable_symbol_get_info, symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object);
  uint32_t group = symbol_word (symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE);
  struct kernarg *k = shared_memory (sizeof (*k));
  *k = (struct kernarg) { .args = args, .out = (uintptr_t) &k->output, .heap = heap,
			  .arena = device_memory ((size_t) ARENA_BYTES * teams),
			  .stack = device_memory ((size_t) STACK_BYTES * teams * waves),
			  .arena_size = ARENA_BYTES, .stack_size = STACK_BYTES };
  k->output.return_value = 0xcafe0000;
  CALL (hsa_signal_create, 1, 0, NULL, &done);

  uint64_t index = hsa_queue_add_write_index_screlease_p (queue, 1);
  while (index - hsa_queue_load_read_index_scacquire_p (queue) >= queue->size)
    usleep (100);
  hsa_kernel_dispatch_packet_t *p = queue->base_address;
  p += index & (queue->size - 1);
  p->workgroup_size_x = 1;
  p->workgroup_size_y = 64;
  p->workgroup_size_z = (uint16_t) waves;
  p->reserved0 = 0;
  p->grid_size_x = teams;
  p->grid_size_y = 64;
  p->grid_size_z = waves;
  p->private_segment_size
    = symbol_word (symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE);
  p->group_segment_size = group > lds ? group : lds;
  p->kernel_object = object;
  p->kernarg_address = k;
  p->reserved2 = 0;
  p->completion_signal = done;
  __atomic_store_n ((uint32_t *) p, 0x1402 | 3 << 16, __ATOMIC_RELEASE);
  hsa_signal_store_screlease_p (queue->doorbell_signal, (hsa_signal_value_t) index);

  while (hsa_signal_wait_scacquire_p (done, HSA_SIGNAL_CONDITION_LT, 1, 1000000,
				      HSA_WAIT_STATE_BLOCKED) >= 1)
    {
      drain (&k->output, false);
      int error = __atomic_load_n (&xqueue_error, __ATOMIC_ACQUIRE);
      if (error != 0)
	check (error, name);
    }
  drain (&k->output, true);
  CALL (hsa_signal_destroy, done);
  return k->output.return_value;
}

/* ---- arguments ---- */

static struct object { uint64_t addr; size_t size; } objects[MAX_WORDS];
static unsigned num_objects;

static uint64_t
argument (const char *text)
{
  char *end;
  if (*text != 'm')
    return (uint64_t) strtoll (text, NULL, 0);
  size_t size = strtoul (text + 1, &end, 0);
  char *bytes = calloc (1, size + 8);
  if (size == 0 || bytes == NULL || (*end != 0 && *end != '='))
    fail ("%s: not mN, mN=V or mN=dV", text);
  if (*end == '=' && end[1] == 'd')
    {
      double d = strtod (end + 2, NULL);
      memcpy (bytes, &d, sizeof (d));
    }
  else if (*end == '=')
    {
      int i = (int) strtol (end + 1, NULL, 0);
      memcpy (bytes, &i, sizeof (i));
    }
  struct object *o = &objects[num_objects++];
  o->addr = device_memory (size);
  o->size = size;
  CALL (hsa_memory_copy, (void *) o->addr, bytes, size);
  free (bytes);
  return o->addr;
}

static void
print_objects (void)
{
  for (unsigned i = 0; i < num_objects; i++)
    {
      unsigned char bytes[40] = { 0 };
      size_t n = objects[i].size < 32 ? objects[i].size : 32;
      int as_int;
      double as_double;
      CALL (hsa_memory_copy, bytes, (void *) objects[i].addr, n);
      memcpy (&as_int, bytes, sizeof (as_int));
      memcpy (&as_double, bytes, sizeof (as_double));
      printf ("object %zu ", objects[i].size);
      for (size_t j = 0; j < n; j++)
	printf ("%02x", bytes[j]);
      printf (" i32 %d f64 %.17g\n", as_int, as_double);
    }
}

static unsigned
number (const char *text)
{
  char *end;
  unsigned long n = strtoul (text, &end, 0);
  if (*end != 0)
    fail ("%s: not a number", text);
  return (unsigned) n;
}

int
main (int argc, char **argv)
{
  unsigned teams = 1, waves = 16, lds = 0;
  const char *indirect = NULL;
  bool bare = false;
  int c;
  while ((c = getopt (argc, argv, "+a:t:w:l:i:n")) != -1)
    switch (c)
      {
      case 'a':
	wanted_agent = number (optarg);
	break;
      case 't':
	teams = number (optarg);
	break;
      case 'w':
	waves = number (optarg);
	break;
      case 'l':
	lds = number (optarg);
	break;
      case 'i':
	indirect = optarg;
	break;
      case 'n':
	bare = true;
	break;
      default:
	return 2;
      }
  if (optind == argc || argc - optind - 2 > MAX_WORDS)
    fail ("gcn-run [-a AGENT] [-t TEAMS] [-w WAVES] [-l LDS] [-i HOST:SYMBOL] [-n] IMAGE KERNEL "
	  "[WORD...]");
  open_runtime ();
  find_devices ();
  load_image (argv[optind]);
  if (optind + 1 == argc)
    {
      CALL (hsa_executable_iterate_symbols, executable, list_symbol, NULL);
      return 0;
    }
  int64_t heap_size = HEAP_BYTES;
  heap = device_memory (HEAP_BYTES + 8);
  CALL (hsa_memory_copy, (void *) heap, &heap_size, sizeof (heap_size));
  if (indirect != NULL)
    enter_indirect (indirect);
  uint64_t words[MAX_WORDS + 1] = { 0 };
  int num_words = argc - optind - 2;
  for (int i = 0; i < num_words; i++)
    words[i] = argument (argv[optind + 2 + i]);
  uint64_t args = device_memory (sizeof (words));
  CALL (hsa_memory_copy, (void *) args, words, sizeof (words));

  if (!bare)
    launch ("_init_array", 1, 1, 0, 0);
  uint32_t result = launch (argv[optind + 1], teams, waves, lds, args);
  if (!bare)
    launch ("_fini_array", 1, 1, 0, 0);
  print_objects ();
  printf ("return value %#x\n", result);
  fflush (stdout);
  CALL (hsa_queue_destroy, queue);
  CALL (hsa_executable_destroy, executable);
  for (unsigned i = 0; i < num_allocated; i++)
    CALL (hsa_amd_memory_pool_free, allocated[i]);
  CALL (hsa_shut_down);
  return result >> 16 == 0xffff ? (int) (result & 0xff) : result >> 16 == 0xcafe ? 0 : 3;
}
