/* plugin-test.c -- a device plugin for tests: devices inside the process that fail on demand.

   Device memory is a mapping of its own; a kernel is the host's function, called by the queue's
   thread with device addresses in its table.  So everything that a real device does
   asynchronously happens asynchronously: copies read host memory late, events are signalled by
   another thread, several queues run at once.  Variables of a module are the host's
   own (the code of a kernel cannot tell that it should use a copy).

   GOMPX_TEST_PLUGIN, words separated by commas, says what goes wrong:
     devices=N       number of devices (1)
     memory=BYTES    size of device memory (64 MiB)
     delay_us=N      every operation takes that much longer
     serial          advance completion words only in progress () and waits
     fail_init       init fails             zero            init finds no device
     fail_open       opening fails          fail_image      images are refused
     fail_alloc=N    the Nth allocation fails; fail_alloc=0: all of them
     fail_copy=N     the Nth copy fails     fail_launch=N   the Nth launch fails, when enqueued
     fail_kernel=N   the Nth launch fails when it is executed
     fail_any=N      the Nth call of all that can fail does, or the Nth operation when it is executed,
                     counted together; says so on stderr
     lose=N          the Nth operation that is executed kills the device
     fault=ADDRESS   with lose: the address that the message is about, hexadecimal
     shared          the device can access all host memory
     no_function     the device has no function of any image
     pinned          there is host memory that copies faster
     pinned_memory=BYTES  how much (1 MiB)
     pinned_only     copies from the device to other memory, and larger ones to the device, fail
     links           the device's pointer to a link variable is the host's variable itself
     managed         there is memory that the device manages, 1 MiB of it, full of 0x6b at first
     cuda, hsa       interop objects: of CUDA's runtime and driver and HIP, or of HIP and HSA; their
		     handles are numbers, their queue is a struct test_queue (see there)
     traits          devices 0, 2 ... are GPUs of nvidia, 1, 3 ... FPGAs of amd
   Numbers count from 1, for all devices together.

   A second build, with TEST_WRONG_VERSION, is a plugin of another version of the interface.  */

#include "plugin.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#ifdef TEST_WRONG_VERSION
# define PLUGIN_NAME "testold"
# define PLUGIN_VERSION 77
#else
# define PLUGIN_NAME "test"
# define PLUGIN_VERSION GOMP_PLUGIN_API_VERSION
#endif

static const struct gomp_plugin_core *core;

/* ---- what goes wrong ---- */

static struct
{
  unsigned long devices, memory, delay_us, fault, pinned_memory;
  long fail_alloc, fail_copy, fail_launch, fail_kernel, fail_any, lose;	/* -1: never */
  bool fail_init, zero, fail_open, fail_image, shared, serial, no_function, links, pinned, pinned_only, managed;
  bool cuda, hsa, traits;
} knobs;

static _Atomic long allocs, copies, launches, kernels, operations;

/* Is this the call that has to fail?  */
static bool
is_turn (_Atomic long *counter, long knob)
{
  long n = atomic_fetch_add (counter, 1) + 1;
  return n == knob || knob == 0;
}

/* Has CALL to fail because of fail_any?  */
static bool
fails (const char *call)
{
  static _Atomic long calls;
  if (!is_turn (&calls, knobs.fail_any))
    return false;
  fprintf (stderr, "test device: call %ld, %s, fails\n", knobs.fail_any, call);
  core->set_error ("%s failed: as ordered by fail_any", call);
  return true;
}

static bool
read_knob (const char *word)
{
  static const struct { const char *name; bool *flag; } flags[] =
    {
      { "fail_init", &knobs.fail_init }, { "zero", &knobs.zero },
      { "fail_open", &knobs.fail_open }, { "fail_image", &knobs.fail_image },
      { "shared", &knobs.shared }, { "serial", &knobs.serial },
      { "no_function", &knobs.no_function },
      { "links", &knobs.links }, { "pinned", &knobs.pinned },
      { "pinned_only", &knobs.pinned_only }, { "managed", &knobs.managed },
      { "cuda", &knobs.cuda }, { "hsa", &knobs.hsa }, { "traits", &knobs.traits }
    };
  static const struct { const char *name; void *number; int base; } numbers[] =
    {
      { "devices", &knobs.devices, 10 }, { "memory", &knobs.memory, 10 },
      { "pinned_memory", &knobs.pinned_memory, 10 }, { "delay_us", &knobs.delay_us, 10 }, { "fail_alloc", &knobs.fail_alloc, 10 },
      { "fail_copy", &knobs.fail_copy, 10 }, { "fail_launch", &knobs.fail_launch, 10 },
      { "fail_kernel", &knobs.fail_kernel, 10 }, { "fail_any", &knobs.fail_any, 10 }, { "lose", &knobs.lose, 10 },
      { "fault", &knobs.fault, 16 }
    };

  for (size_t i = 0; i < sizeof (flags) / sizeof (flags[0]); i++)
    if (strcmp (word, flags[i].name) == 0)
      return *flags[i].flag = true;
  for (size_t i = 0; i < sizeof (numbers) / sizeof (numbers[0]); i++)
    {
      size_t n = strlen (numbers[i].name);
      if (strncmp (word, numbers[i].name, n) == 0 && word[n] == '=')
	{
	  char *end;
	  unsigned long value = strtoul (word + n + 1, &end, numbers[i].base);
	  memcpy (numbers[i].number, &value, sizeof (value));
	  return end != word + n + 1 && *end == 0;
	}
    }
  return false;
}

static gomp_status_t
test_init (const struct gomp_plugin_core *services, unsigned *num_devices)
{
  core = services;
  knobs.devices = 1;
  knobs.memory = 64 << 20;
  knobs.pinned_memory = 1 << 20;
  knobs.fail_alloc = knobs.fail_copy = knobs.fail_launch = knobs.fail_kernel = knobs.lose = -1;
  knobs.fail_any = -1;
  const char *list = core->getenv ("GOMPX_TEST_PLUGIN", false);
  while (list != NULL && *list != 0)
    {
      char word[64];
      size_t n = strcspn (list, ",");
      if (n >= sizeof (word))
	n = sizeof (word) - 1;
      memcpy (word, list, n);
      word[n] = 0;
      list += strcspn (list, ",");
      list += *list == ',';
      if (!read_knob (word))
	{
	  core->set_error ("GOMPX_TEST_PLUGIN has the unknown word `%s'", word);
	  return GOMP_INVALID;
	}
    }
  if (knobs.fail_init)
    {
      core->set_error ("testInit failed: as ordered by fail_init");
      return GOMP_DRIVER_ERROR;
    }
  if (knobs.zero)
    core->set_error ("testGetCount found nothing, as ordered by zero");
  *num_devices = knobs.zero ? 0 : knobs.devices;
  return GOMP_OK;
}

/* ---- devices ---- */

struct block
{
  size_t offset, size;
  struct block *next;
};

struct gomp_plugin_device
{
  pthread_mutex_t lock;
  pthread_cond_t changed;	/* some event was signalled, some queue has work */
  unsigned ordinal;
  char *memory;
  struct block *blocks;		/* used, in order */
  struct gomp_plugin_queue_impl *queues;
  struct event *events;		/* all that exist */
  bool lost;			/* below: why */
  bool closing;
  const char *lost_by;
  struct gomp_plugin_image *lost_image;
  size_t lost_index;
};

struct gomp_plugin_image
{
  struct gomp_plugin_device *dev;
  const struct gomp_image_desc *desc;
};

enum kind { COPY_IN, COPY_OUT, COPY_INSIDE, FILL, LAUNCH, RECORD, WAIT };
struct operation
{
  struct operation *next;
  enum kind kind;
  void *dst;
  const void *src;
  size_t size;
  struct gomp_plugin_image *image;
  struct event *event;
  uint32_t target;
};

struct gomp_plugin_queue_impl
{
  struct gomp_plugin_queue base;
  struct gomp_plugin_queue_impl *next;
  pthread_t thread;
  struct operation *first, **end;
  bool busy, stop;
  gomp_status_t failed;		/* of an executed operation, sticky until an event takes it */
  bool poisoned;		/* and the host has not been told yet */
};

struct event
{
  struct gomp_plugin_event base;
  struct gomp_plugin_device *dev;
  struct event *next;
  _Atomic uint32_t word;
  struct gomp_plugin_queue_impl *queue;	/* that signalled it last */
  uint32_t reached;		/* serial: what progress () stores into word */
  gomp_status_t status;
};

static gomp_status_t
test_attr (unsigned ordinal, struct gomp_device_attr *attr)
{
  memset (attr, 0, sizeof (*attr));
  snprintf (attr->name, sizeof (attr->name), "test device %u", ordinal);
  snprintf (attr->uid, sizeof (attr->uid), "TEST-%u", ordinal);
  attr->caps = GOMP_CAP_HOST_CODE;
  if (knobs.shared)
    attr->caps |= GOMP_CAP_SHARED_MEMORY;
  if (knobs.serial)
    attr->caps |= GOMP_CAP_NEEDS_PROGRESS;
  if (knobs.pinned)
    {
      attr->caps |= GOMP_CAP_PINNED_FASTER;
      attr->chunk_min = 16 << 10;
    }
  attr->memory_size = knobs.memory;
  attr->launch_latency_ns = 5000;
  attr->coalesce_max = 4096;
  attr->mem_align = 64;
  attr->arena_step = 1 << 16;
  if (knobs.traits)
    {
      bool odd = ordinal % 2;
      strcpy (attr->kind, odd ? "fpga" : "gpu");
      strcpy (attr->arch, odd ? "gcn" : "nvptx,nvptx64");
      strcpy (attr->isa, odd ? "gfx90a" : "sm_90,sm_80");
      strcpy (attr->vendor, odd ? "amd" : "nvidia");
    }
  if (knobs.cuda)
    {
      attr->foreign_runtimes = 1u << GOMP_RUNTIME_CUDA | 1u << GOMP_RUNTIME_CUDA_DRIVER
			       | 1u << GOMP_RUNTIME_HIP;
      attr->default_runtime = GOMP_RUNTIME_CUDA;
      attr->vendor_id = 11;
      strcpy (attr->vendor, "nvidia");
    }
  else if (knobs.hsa)
    {
      attr->foreign_runtimes = 1u << GOMP_RUNTIME_HIP | 1u << GOMP_RUNTIME_HSA;
      attr->default_runtime = GOMP_RUNTIME_HIP;
      attr->vendor_id = 1;
      strcpy (attr->vendor, "amd");
    }
  return GOMP_OK;
}

static gomp_status_t
test_open (unsigned ordinal, void *core_device, struct gomp_plugin_device **result)
{
  (void) core_device;
  if (fails ("testOpen"))
    return GOMP_DRIVER_ERROR;
  if (knobs.fail_open)
    {
      core->set_error ("testOpen failed: as ordered by fail_open");
      return GOMP_DRIVER_ERROR;
    }
  struct gomp_plugin_device *dev = calloc (1, sizeof (*dev));
  if (dev == NULL)
    return GOMP_OUT_OF_HOST_MEMORY;
  dev->memory = mmap (NULL, knobs.memory, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (dev->memory == MAP_FAILED)
    {
      free (dev);
      core->set_error ("mmap of %lu bytes failed", knobs.memory);
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  pthread_mutex_init (&dev->lock, NULL);
  pthread_cond_init (&dev->changed, NULL);
  dev->ordinal = ordinal;
  *result = dev;
  return GOMP_OK;
}

static void
test_close (struct gomp_plugin_device *dev, bool exiting)
{
  pthread_mutex_lock (&dev->lock);
  dev->closing = true;
  pthread_cond_broadcast (&dev->changed);
  struct gomp_plugin_queue_impl *q = dev->queues;
  pthread_mutex_unlock (&dev->lock);
  for (; q != NULL; q = q->next)
    if (!pthread_equal (q->thread, pthread_self ()))
      pthread_join (q->thread, NULL);
  /* At exit the rest stays: threads of the program may still hold events.  */
  if (exiting)
    return;
  if (dev->blocks != NULL || dev->queues != NULL || dev->events != NULL)
    {
      fprintf (stderr, "test device %u: closed with%s%s%s\n", dev->ordinal,
	       dev->blocks ? " memory" : "", dev->queues ? " queues" : "",
	       dev->events ? " events" : "");
      abort ();
    }
  munmap (dev->memory, knobs.memory);
  pthread_mutex_destroy (&dev->lock);
  pthread_cond_destroy (&dev->changed);
  free (dev);
}

static gomp_status_t
device_status (struct gomp_plugin_device *dev, const char *call)
{
  pthread_mutex_lock (&dev->lock);
  bool lost = dev->lost;
  pthread_mutex_unlock (&dev->lock);
  if (!lost)
    return GOMP_OK;
  core->set_error ("%s: the test device was lost", call);
  return GOMP_DEVICE_LOST;
}

static gomp_status_t
test_fault (struct gomp_plugin_device *dev, struct gomp_fault *fault)
{
  memset (fault, 0, sizeof (*fault));
  pthread_mutex_lock (&dev->lock);
  snprintf (fault->text, sizeof (fault->text), "test device %u died %s, as ordered by lose=%ld",
	    dev->ordinal, dev->lost_by, knobs.lose);
  fault->has_function = dev->lost_image != NULL;
  fault->image = dev->lost_image;
  fault->function = dev->lost_index;
  if (knobs.fault != 0)
    {
      fault->has_address = true;
      fault->fault_addr = knobs.fault;
      fault->access = GOMP_FAULT_READ;
    }
  pthread_mutex_unlock (&dev->lock);
  return GOMP_OK;
}

/* ---- memory ---- */

/* A kind of host memory that can be told from others: all bytes of a new block are 0x5a.  What is
   known of it is kept before it.  */
struct pinned
{
  struct pinned *next;
  size_t size;
  char bytes[] __attribute__ ((aligned (16)));
};
static pthread_mutex_t pinned_lock = PTHREAD_MUTEX_INITIALIZER;
static size_t pinned_bytes;	/* pinned_lock */
static struct pinned *all_pinned;	/* pinned_lock */

static gomp_status_t
test_host_alloc (struct gomp_plugin_device *dev, size_t size, void **ptr)
{
  struct pinned *p = NULL;
  (void) dev;
  if (fails ("testHostAlloc"))
    return GOMP_OUT_OF_HOST_MEMORY;
  pthread_mutex_lock (&pinned_lock);
  if (pinned_bytes <= knobs.pinned_memory && size <= knobs.pinned_memory - pinned_bytes)
    p = malloc (sizeof (*p) + size);
  if (p != NULL)
    {
      memset (p->bytes, 0x5a, size);
      p->size = size;
      p->next = all_pinned;
      all_pinned = p;
      pinned_bytes += size;
    }
  pthread_mutex_unlock (&pinned_lock);
  if (p == NULL)
    {
      core->set_error ("testHostAlloc has no %zu bytes", size);
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  *ptr = p->bytes;
  return GOMP_OK;
}

static gomp_status_t
test_host_free (struct gomp_plugin_device *dev, void *ptr)
{
  struct pinned **p = &all_pinned, *found;
  (void) dev;
  pthread_mutex_lock (&pinned_lock);
  while (*p != NULL && (*p)->bytes != ptr)
    p = &(*p)->next;
  found = *p;
  if (found != NULL)
    {
      *p = found->next;
      pinned_bytes -= found->size;
    }
  pthread_mutex_unlock (&pinned_lock);
  if (found == NULL)
    {
      core->set_error ("testHostFree: no block at %p", ptr);
      return GOMP_INVALID;
    }
  free (found);
  return GOMP_OK;
}

static bool
test_is_pinned (struct gomp_plugin_device *dev, const void *ptr, size_t size)
{
  uintptr_t at = (uintptr_t) ptr;
  bool found = false;
  (void) dev;
  pthread_mutex_lock (&pinned_lock);
  for (const struct pinned *p = all_pinned; p != NULL && !found; p = p->next)
    {
      uintptr_t start = (uintptr_t) p->bytes;
      found = at >= start && at - start <= p->size && size <= p->size - (at - start);
    }
  pthread_mutex_unlock (&pinned_lock);
  return found;
}

static _Atomic size_t managed_bytes;

static gomp_status_t
test_managed_alloc (struct gomp_plugin_device *dev, size_t size, void **ptr)
{
  (void) dev;
  if (!knobs.managed || atomic_fetch_add (&managed_bytes, size) + size > 1 << 20)
    {
      if (knobs.managed)
	atomic_fetch_sub (&managed_bytes, size);
      core->set_error ("testManagedAlloc has no %zu bytes", size);
      return knobs.managed ? GOMP_OUT_OF_DEVICE_MEMORY : GOMP_UNSUPPORTED;
    }
  char *block = malloc (size + 32);
  if (block == NULL)
    return GOMP_OUT_OF_HOST_MEMORY;
  memset (block, 0x6b, size + 32);
  memcpy (block, &size, sizeof (size));
  *ptr = block + 32;
  return GOMP_OK;
}

static gomp_status_t
test_managed_free (struct gomp_plugin_device *dev, void *ptr)
{
  size_t size;
  (void) dev;
  memcpy (&size, (char *) ptr - 32, sizeof (size));
  atomic_fetch_sub (&managed_bytes, size);
  free ((char *) ptr - 32);
  return GOMP_OK;
}

static gomp_status_t
test_alloc (struct gomp_plugin_device *dev, size_t size, size_t align, gomp_devptr_t *ptr)
{
  gomp_status_t status = device_status (dev, "testAlloc");
  if (status != GOMP_OK)
    return status;
  if (fails ("testAlloc"))
    return GOMP_OUT_OF_DEVICE_MEMORY;
  if (is_turn (&allocs, knobs.fail_alloc))
    {
      core->set_error ("testAlloc of %zu bytes failed: as ordered by fail_alloc", size);
      return GOMP_OUT_OF_DEVICE_MEMORY;
    }
  status = GOMP_OUT_OF_DEVICE_MEMORY;
  pthread_mutex_lock (&dev->lock);
  size_t offset = 0;
  for (struct block **p = &dev->blocks; ; p = &(*p)->next)
    {
      uintptr_t at = (uintptr_t) dev->memory + offset;
      offset += -at & (align - 1);
      size_t end = *p != NULL ? (*p)->offset : knobs.memory;
      if (offset <= end && size <= end - offset)
	{
	  struct block *b = malloc (sizeof (*b));
	  if (b == NULL)
	    break;
	  *b = (struct block) { offset, size, *p };
	  *p = b;
	  *ptr = (uintptr_t) dev->memory + offset;
	  status = GOMP_OK;
	  break;
	}
      if (*p == NULL)
	break;
      offset = (*p)->offset + (*p)->size;
    }
  pthread_mutex_unlock (&dev->lock);
  if (status != GOMP_OK)
    core->set_error ("testAlloc: no %zu of %lu bytes left", size, knobs.memory);
  return status;
}

static gomp_status_t
test_free (struct gomp_plugin_device *dev, gomp_devptr_t ptr)
{
  gomp_status_t status = GOMP_INVALID;
  pthread_mutex_lock (&dev->lock);
  for (struct block **p = &dev->blocks; *p != NULL; p = &(*p)->next)
    if ((uintptr_t) dev->memory + (*p)->offset == ptr)
      {
	struct block *b = *p;
	*p = b->next;
	/* What is still used after this shows.  */
	memset (dev->memory + b->offset, 0xdd, b->size);
	free (b);
	status = GOMP_OK;
	break;
      }
  pthread_mutex_unlock (&dev->lock);
  if (status != GOMP_OK)
    core->set_error ("testFree: no block at %#llx", (unsigned long long) ptr);
  return status;
}

static gomp_status_t
test_mem_info (struct gomp_plugin_device *dev, uint64_t *free_bytes, uint64_t *total_bytes)
{
  *total_bytes = *free_bytes = knobs.memory;
  pthread_mutex_lock (&dev->lock);
  for (struct block *b = dev->blocks; b != NULL; b = b->next)
    *free_bytes -= b->size;
  pthread_mutex_unlock (&dev->lock);
  return GOMP_OK;
}

static bool
test_accessible (struct gomp_plugin_device *dev, const void *ptr, size_t size)
{
  (void) ptr;
  (void) size;
  (void) dev;
  return knobs.shared;
}

/* Rule of the interface: a device address together with its device, inside a block.  */
static bool
in_memory (struct gomp_plugin_device *dev, gomp_devptr_t ptr, size_t size)
{
  bool found = false;
  pthread_mutex_lock (&dev->lock);
  for (struct block *b = dev->blocks; b != NULL; b = b->next)
    {
      uintptr_t start = (uintptr_t) dev->memory + b->offset;
      found |= ptr >= start && ptr - start <= b->size && size <= b->size - (ptr - start);
    }
  pthread_mutex_unlock (&dev->lock);
  return found;
}

/* ---- queues ---- */

static void
lose_device (struct gomp_plugin_device *dev, const struct operation *op)
{
  dev->lost = true;
  dev->lost_by = op->kind == LAUNCH ? "in a kernel" : "while copying";
  if (op->kind == LAUNCH)
    {
      dev->lost_image = op->image;
      dev->lost_index = op->size;
    }
}

static void
signal_event (struct gomp_plugin_queue_impl *q, struct operation *op)
{
  struct event *e = op->event;
  e->queue = q;
  e->status = q->base.dev->lost ? GOMP_DEVICE_LOST : q->failed;
  q->failed = GOMP_OK;
  e->reached = op->target;
  if (!knobs.serial)
    atomic_store_explicit (&e->word, op->target, memory_order_release);
}

/* Device lock held; released while the operation does its work.  */
static void
execute (struct gomp_plugin_queue_impl *q, struct operation *op)
{
  struct gomp_plugin_device *dev = q->base.dev;

  if (op->kind == RECORD)
    {
      signal_event (q, op);
      return;
    }
  if (op->kind == WAIT)
    {
      while (!dev->lost && !dev->closing && (int32_t) (op->event->reached - op->target) < 0)
	pthread_cond_wait (&dev->changed, &dev->lock);
      return;
    }
  if (dev->lost)
    return;
  if (is_turn (&operations, knobs.lose))
    {
      lose_device (dev, op);
      return;
    }
  /* What a copy should have brought may not be there.  */
  if (q->poisoned && op->kind == LAUNCH)
    return;
  if (fails (op->kind == LAUNCH ? "a kernel" : op->kind == FILL ? "a fill" : "a copy")
      || (op->kind == LAUNCH && is_turn (&kernels, knobs.fail_kernel)))
    {
      q->failed = GOMP_DRIVER_ERROR;
      q->poisoned = true;
      return;
    }
  pthread_mutex_unlock (&dev->lock);
  if (knobs.delay_us != 0)
    nanosleep (&(struct timespec) { knobs.delay_us / 1000000,
				    knobs.delay_us % 1000000 * 1000 }, NULL);
  switch (op->kind)
    {
    case COPY_IN:
    case COPY_OUT:
    case COPY_INSIDE:
      memmove (op->dst, op->src, op->size);
      break;
    case FILL:
      memset (op->dst, (int) (uintptr_t) op->src, op->size);
      break;
    case LAUNCH:
      {
	void (*fn) (void *) = (void (*) (void *)) op->image->desc->host_funcs[op->size];
	fn (op->dst);
	break;
      }
    default:
      break;
    }
  pthread_mutex_lock (&dev->lock);
}

static void *
queue_thread (void *arg)
{
  struct gomp_plugin_queue_impl *q = arg;
  struct gomp_plugin_device *dev = q->base.dev;

  pthread_mutex_lock (&dev->lock);
  for (;;)
    {
      while (q->first == NULL && !q->stop && !dev->closing)
	pthread_cond_wait (&dev->changed, &dev->lock);
      if (dev->closing || q->first == NULL)
	break;
      struct operation *op = q->first;
      q->first = op->next;
      if (q->first == NULL)
	q->end = &q->first;
      q->busy = true;
      execute (q, op);
      q->busy = false;
      free (op);
      pthread_cond_broadcast (&dev->changed);
    }
  pthread_mutex_unlock (&dev->lock);
  return NULL;
}

static gomp_status_t
enqueue (struct gomp_plugin_queue *queue, struct operation op, const char *call)
{
  struct gomp_plugin_queue_impl *q = (struct gomp_plugin_queue_impl *) queue;
  gomp_status_t status = op.kind == RECORD ? GOMP_OK : device_status (queue->dev, call);
  if (status == GOMP_OK && fails (call))
    status = GOMP_DRIVER_ERROR;
  if (status != GOMP_OK)
    return status;
  struct operation *copy = malloc (sizeof (*copy));
  if (copy == NULL)
    return GOMP_OUT_OF_HOST_MEMORY;
  *copy = op;
  copy->next = NULL;
  pthread_mutex_lock (&queue->dev->lock);
  *q->end = copy;
  q->end = &copy->next;
  pthread_cond_broadcast (&queue->dev->changed);
  pthread_mutex_unlock (&queue->dev->lock);
  return GOMP_OK;
}

static gomp_status_t
test_queue_create (struct gomp_plugin_device *dev, struct gomp_plugin_queue **queue)
{
  gomp_status_t status = device_status (dev, "testQueueCreate");
  if (status == GOMP_OK && fails ("testQueueCreate"))
    status = GOMP_DRIVER_ERROR;
  if (status != GOMP_OK)
    return status;
  struct gomp_plugin_queue_impl *q = calloc (1, sizeof (*q));
  if (q == NULL)
    return GOMP_OUT_OF_HOST_MEMORY;
  q->base.dev = dev;
  q->end = &q->first;
  if (pthread_create (&q->thread, NULL, queue_thread, q) != 0)
    {
      free (q);
      core->set_error ("pthread_create failed");
      return GOMP_DRIVER_ERROR;
    }
  pthread_mutex_lock (&dev->lock);
  q->next = dev->queues;
  dev->queues = q;
  pthread_mutex_unlock (&dev->lock);
  *queue = &q->base;
  return GOMP_OK;
}

static void
test_queue_destroy (struct gomp_plugin_queue *queue)
{
  struct gomp_plugin_queue_impl *q = (struct gomp_plugin_queue_impl *) queue;
  struct gomp_plugin_device *dev = queue->dev;
  pthread_mutex_lock (&dev->lock);
  q->stop = true;
  for (struct gomp_plugin_queue_impl **p = &dev->queues; *p != NULL; p = &(*p)->next)
    if (*p == q)
      {
	*p = q->next;
	break;
      }
  pthread_cond_broadcast (&dev->changed);
  pthread_mutex_unlock (&dev->lock);
  pthread_join (q->thread, NULL);
  free (q);
}

/* Who waits while another thread closes the device at exit is not told that all is well: what he waits for may still
   be at work, or is never done.  */
static gomp_status_t
cut_short (void)
{
  core->set_error ("the test device is closed");
  return GOMP_DEVICE_LOST;
}

static gomp_status_t
test_queue_wait (struct gomp_plugin_queue *queue)
{
  struct gomp_plugin_queue_impl *q = (struct gomp_plugin_queue_impl *) queue;
  struct gomp_plugin_device *dev = queue->dev;
  pthread_mutex_lock (&dev->lock);
  while ((q->first != NULL || q->busy) && !dev->closing)
    pthread_cond_wait (&dev->changed, &dev->lock);
  if (q->first != NULL || q->busy)
    {
      pthread_mutex_unlock (&dev->lock);
      return cut_short ();
    }
  gomp_status_t status = dev->lost ? GOMP_DEVICE_LOST : q->failed;
  q->failed = GOMP_OK;
  q->poisoned = false;
  pthread_mutex_unlock (&dev->lock);
  if (status != GOMP_OK)
    core->set_error ("testQueueWait: an operation failed");
  return status;
}

static gomp_status_t
test_event_create (struct gomp_plugin_device *dev, struct gomp_plugin_event **event)
{
  if (fails ("testEventCreate"))
    return GOMP_DRIVER_ERROR;
  struct event *e = calloc (1, sizeof (*e));
  if (e == NULL)
    return GOMP_OUT_OF_HOST_MEMORY;
  e->base.word = &e->word;
  e->dev = dev;
  pthread_mutex_lock (&dev->lock);
  e->next = dev->events;
  dev->events = e;
  pthread_mutex_unlock (&dev->lock);
  *event = &e->base;
  return GOMP_OK;
}

static void
test_event_destroy (struct gomp_plugin_event *event)
{
  struct event *e = (struct event *) event;
  pthread_mutex_lock (&e->dev->lock);
  for (struct event **p = &e->dev->events; *p != NULL; p = &(*p)->next)
    if (*p == e)
      {
	*p = e->next;
	break;
      }
  pthread_mutex_unlock (&e->dev->lock);
  free (e);
}

static gomp_status_t
test_event_record (struct gomp_plugin_queue *queue, struct gomp_plugin_event *event)
{
  struct event *e = (struct event *) event;
  event->target++;
  return enqueue (queue, (struct operation) { .kind = RECORD, .event = e,
					      .target = event->target }, "testEventRecord");
}

static gomp_status_t
test_event_wait (struct gomp_plugin_event *event)
{
  struct event *e = (struct event *) event;
  pthread_mutex_lock (&e->dev->lock);
  while ((int32_t) (e->reached - event->target) < 0 && !e->dev->closing)
    pthread_cond_wait (&e->dev->changed, &e->dev->lock);
  bool reached = (int32_t) (e->reached - event->target) >= 0;
  atomic_store_explicit (&e->word, e->reached, memory_order_release);
  pthread_mutex_unlock (&e->dev->lock);
  return reached ? GOMP_OK : cut_short ();
}

static gomp_status_t
test_event_status (struct gomp_plugin_event *event)
{
  struct event *e = (struct event *) event;
  pthread_mutex_lock (&e->dev->lock);
  gomp_status_t status = e->status;
  if (status != GOMP_OK && e->queue != NULL)
    e->queue->poisoned = false;
  pthread_mutex_unlock (&e->dev->lock);
  if (status != GOMP_OK)
    core->set_error ("testEventStatus: an operation failed");
  return status;
}

static gomp_status_t
test_queue_wait_event (struct gomp_plugin_queue *queue, struct gomp_plugin_event *event)
{
  struct event *e = (struct event *) event;
  if (e->dev != queue->dev)
    return test_event_wait (event);
  return enqueue (queue, (struct operation) { .kind = WAIT, .event = e,
					      .target = event->target }, "testQueueWaitEvent");
}

static void
test_progress (struct gomp_plugin_device *dev)
{
  pthread_mutex_lock (&dev->lock);
  for (struct event *e = dev->events; e != NULL; e = e->next)
    atomic_store_explicit (&e->word, e->reached, memory_order_release);
  pthread_mutex_unlock (&dev->lock);
}

/* ---- copies, images, launches ---- */

static gomp_status_t
check_copy (struct gomp_plugin_queue *queue, gomp_devptr_t ptr, size_t size, const char *call)
{
  if (is_turn (&copies, knobs.fail_copy))
    {
      core->set_error ("%s of %zu bytes failed: as ordered by fail_copy", call, size);
      return GOMP_DRIVER_ERROR;
    }
  if (size == 0)
    {
      core->set_error ("%s of no bytes", call);
      return GOMP_INVALID;
    }
  if (ptr != 0 && !in_memory (queue->dev, ptr, size))
    core->debug (2, "%s: %#llx is not device memory", call, (unsigned long long) ptr);
  return GOMP_OK;
}

static gomp_status_t
test_h2d (struct gomp_plugin_queue *queue, gomp_devptr_t dst, const void *src, size_t size)
{
  gomp_status_t status = check_copy (queue, dst, size, "testCopyIn");
  if (knobs.pinned_only && size > 4096 && !test_is_pinned (queue->dev, src, size))
    {
      core->set_error ("testCopyIn of %zu bytes from memory that is not pinned", size);
      return GOMP_INVALID;
    }
  return status != GOMP_OK ? status
	 : enqueue (queue, (struct operation) { .kind = COPY_IN, .dst = (void *) dst,
						.src = src, .size = size }, "testCopyIn");
}

static gomp_status_t
test_d2h (struct gomp_plugin_queue *queue, void *dst, gomp_devptr_t src, size_t size)
{
  gomp_status_t status = check_copy (queue, src, size, "testCopyOut");
  if (knobs.pinned_only && !test_is_pinned (queue->dev, dst, size))
    {
      core->set_error ("testCopyOut of %zu bytes to memory that is not pinned", size);
      return GOMP_INVALID;
    }
  return status != GOMP_OK ? status
	 : enqueue (queue, (struct operation) { .kind = COPY_OUT, .dst = dst,
						.src = (const void *) src, .size = size },
		    "testCopyOut");
}

static gomp_status_t
test_d2d (struct gomp_plugin_queue *queue, struct gomp_plugin_device *dst_dev, gomp_devptr_t dst,
	  struct gomp_plugin_device *src_dev, gomp_devptr_t src, size_t size)
{
  if (dst_dev != src_dev)
    return GOMP_UNSUPPORTED;
  gomp_status_t status = check_copy (queue, src, size, "testCopy");
  return status != GOMP_OK ? status
	 : enqueue (queue, (struct operation) { .kind = COPY_INSIDE, .dst = (void *) dst,
						.src = (const void *) src, .size = size },
		    "testCopy");
}

static gomp_status_t
test_fill (struct gomp_plugin_queue *queue, gomp_devptr_t dst, uint8_t value, size_t size)
{
  return enqueue (queue, (struct operation) { .kind = FILL, .dst = (void *) dst,
					      .src = (const void *) (uintptr_t) value,
					      .size = size }, "testFill");
}

static gomp_status_t
test_image_load (struct gomp_plugin_device *dev, const struct gomp_image_desc *desc,
		 const struct gomp_device_icvs *icvs, struct gomp_plugin_image **image)
{
  (void) icvs;
  if (fails ("testImageLoad"))
    return GOMP_BAD_IMAGE;
  if (knobs.fail_image)
    {
      core->set_error ("testImageLoad failed: as ordered by fail_image");
      return GOMP_BAD_IMAGE;
    }
  struct gomp_plugin_image *i = malloc (sizeof (*i));
  if (i == NULL)
    return GOMP_OUT_OF_HOST_MEMORY;
  i->dev = dev;
  i->desc = desc;
  *image = i;
  return GOMP_OK;
}

static gomp_status_t
test_image_unload (struct gomp_plugin_image *image)
{
  free (image);
  return GOMP_OK;
}

static gomp_status_t
test_image_function (struct gomp_plugin_image *image, size_t index)
{
  return !knobs.no_function && index < image->desc->num_funcs ? GOMP_OK : GOMP_NOT_FOUND;
}

static gomp_status_t
test_image_variable (struct gomp_plugin_image *image, size_t index, gomp_devptr_t *addr,
		     uint64_t *size)
{
  if (index >= image->desc->num_vars || (image->desc->host_vars[index].is_link && !knobs.links))
    return GOMP_NOT_FOUND;
  *addr = image->desc->host_vars[index].host_addr;
  *size = image->desc->host_vars[index].size;
  return GOMP_OK;
}

static gomp_status_t
test_launch (struct gomp_plugin_queue *queue, struct gomp_plugin_image *image, size_t index,
	     const struct gomp_launch *launch)
{
  if (is_turn (&launches, knobs.fail_launch))
    {
      core->set_error ("testLaunch failed: as ordered by fail_launch");
      return GOMP_DRIVER_ERROR;
    }
  return enqueue (queue, (struct operation) { .kind = LAUNCH, .image = image, .size = index,
					      .dst = (void *) launch->args }, "testLaunch");
}

/* ---- interop objects ---- */

/* What targetsync is: the program stores a function, which runs when somebody waits.  */
struct test_queue
{
  void (*work) (void *);
  void *arg;
  unsigned waits;
};

static _Atomic long interop_objects;

static struct gomp_interop_property
a_pointer (const char *type, uintptr_t value)
{
  return (struct gomp_interop_property) { .type = type, .pointer = (void *) value };
}

static gomp_status_t
test_interop_create (struct gomp_plugin_device *dev, struct gomp_interop_object *object)
{
  static const char *const types[][3] = {
    [GOMP_RUNTIME_CUDA] = { "int", NULL, "cudaStream_t" },
    [GOMP_RUNTIME_CUDA_DRIVER] = { "CUdevice", "CUcontext", "CUstream" },
    [GOMP_RUNTIME_HIP] = { "hipDevice_t", "hipCtx_t", "hipStream_t" },
    [GOMP_RUNTIME_HSA] = { "hsa_agent_t *", NULL, "hsa_queue_t *" }
  };
  gomp_status_t status = device_status (dev, "testInteropCreate");
  if (status != GOMP_OK)
    return status;
  if (is_turn (&interop_objects, knobs.fail_alloc))
    {
      core->set_error ("testInteropCreate failed: as ordered by fail_alloc");
      return GOMP_DRIVER_ERROR;
    }
  const char *const *type = types[object->runtime];
  if (object->runtime == GOMP_RUNTIME_HSA)
    object->device = a_pointer (type[0], 0x1000 + dev->ordinal);
  else
    object->device = (struct gomp_interop_property) { .type = type[0], .is_int = true,
						      .number = 100 + dev->ordinal };
  if (type[1] != NULL)
    object->context = a_pointer (type[1], 0x2000 + dev->ordinal);
  if (object->wants_queue)
    {
      object->data = calloc (1, sizeof (struct test_queue));
      if (object->data == NULL)
	return GOMP_OUT_OF_HOST_MEMORY;
      object->queue = a_pointer (type[2], (uintptr_t) object->data);
    }
  return GOMP_OK;
}

static gomp_status_t
test_interop_sync (struct gomp_plugin_device *dev, struct gomp_interop_object *object)
{
  struct test_queue *q = object->data;
  gomp_status_t status = device_status (dev, "testInteropSync");
  if (status != GOMP_OK)
    return status;
  q->waits++;
  if (q->work != NULL)
    {
      void (*work) (void *) = q->work;
      q->work = NULL;
      work (q->arg);
    }
  return GOMP_OK;
}

static gomp_status_t
test_interop_destroy (struct gomp_plugin_device *dev, struct gomp_interop_object *object)
{
  (void) dev;
  free (object->data);
  return GOMP_OK;
}

static const char *
test_info (struct gomp_plugin_device *dev, unsigned key)
{
  return dev == NULL && key == 0 ? "fault injection for tests" : NULL;
}

const struct gomp_plugin GOMPX_plugin =
{
  .api_version = PLUGIN_VERSION,
  .struct_size = sizeof (struct gomp_plugin),
  .name = PLUGIN_NAME,
  .target_type = 0,
  .init = test_init,
  .device_attr = test_attr,
  .device_open = test_open,
  .device_close = test_close,
  .device_fault = test_fault,
  .progress = test_progress,
  .mem_alloc = test_alloc,
  .mem_free = test_free,
  .mem_info = test_mem_info,
  .host_alloc = test_host_alloc,
  .host_free = test_host_free,
  .is_accessible = test_accessible,
  .is_pinned = test_is_pinned,
  .queue_create = test_queue_create,
  .queue_destroy = test_queue_destroy,
  .queue_wait = test_queue_wait,
  .queue_wait_event = test_queue_wait_event,
  .event_create = test_event_create,
  .event_destroy = test_event_destroy,
  .event_record = test_event_record,
  .event_wait = test_event_wait,
  .event_status = test_event_status,
  .copy_h2d = test_h2d,
  .copy_d2h = test_d2h,
  .copy_d2d = test_d2d,
  .fill = test_fill,
  .image_load = test_image_load,
  .image_unload = test_image_unload,
  .image_function = test_image_function,
  .image_variable = test_image_variable,
  .launch = test_launch,
  .managed_alloc = test_managed_alloc,
  .managed_free = test_managed_free,
  .interop_create = test_interop_create,
  .interop_sync = test_interop_sync,
  .interop_destroy = test_interop_destroy,
  .info = test_info
};
