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

#include "plugin-test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifdef TEST_WRONG_VERSION
# define PLUGIN_NAME "testold"
# define PLUGIN_VERSION 77
#else
# define PLUGIN_NAME "test"
# define PLUGIN_VERSION GOMP_PLUGIN_API_VERSION
#endif

const struct gomp_plugin_core *test_core;

/* ---- what goes wrong ---- */

struct test_knobs test_knobs;

bool
test_is_turn (_Atomic long *counter, long knob)
{
  long n = atomic_fetch_add (counter, 1) + 1;
  return n == knob || knob == 0;
}

bool
test_fails (const char *call)
{
  static _Atomic long calls;
  if (!test_is_turn (&calls, test_knobs.fail_any))
    return false;
  fprintf (stderr, "test device: call %ld, %s, fails\n", test_knobs.fail_any, call);
  test_core->set_error ("%s failed: as ordered by fail_any", call);
  return true;
}

static bool
read_knob (const char *word)
{
  static const struct { const char *name; bool *flag; } flags[] =
    {
      { "fail_init", &test_knobs.fail_init }, { "zero", &test_knobs.zero },
      { "fail_open", &test_knobs.fail_open }, { "fail_image", &test_knobs.fail_image },
      { "shared", &test_knobs.shared }, { "serial", &test_knobs.serial },
      { "no_function", &test_knobs.no_function },
      { "links", &test_knobs.links }, { "pinned", &test_knobs.pinned },
      { "pinned_only", &test_knobs.pinned_only }, { "managed", &test_knobs.managed },
      { "cuda", &test_knobs.cuda }, { "hsa", &test_knobs.hsa }, { "traits", &test_knobs.traits }
    };
  static const struct { const char *name; void *number; int base; } numbers[] =
    {
      { "devices", &test_knobs.devices, 10 }, { "memory", &test_knobs.memory, 10 },
      { "pinned_memory", &test_knobs.pinned_memory, 10 }, { "delay_us", &test_knobs.delay_us, 10 }, { "fail_alloc", &test_knobs.fail_alloc, 10 },
      { "fail_copy", &test_knobs.fail_copy, 10 }, { "fail_launch", &test_knobs.fail_launch, 10 },
      { "fail_kernel", &test_knobs.fail_kernel, 10 }, { "fail_any", &test_knobs.fail_any, 10 }, { "lose", &test_knobs.lose, 10 },
      { "fault", &test_knobs.fault, 16 }
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
  test_core = services;
  test_knobs.devices = 1;
  test_knobs.memory = 64 << 20;
  test_knobs.pinned_memory = 1 << 20;
  test_knobs.fail_alloc = test_knobs.fail_copy = test_knobs.fail_launch = test_knobs.fail_kernel = test_knobs.lose = -1;
  test_knobs.fail_any = -1;
  const char *list = test_core->getenv ("GOMPX_TEST_PLUGIN", false);
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
	  test_core->set_error ("GOMPX_TEST_PLUGIN has the unknown word `%s'", word);
	  return GOMP_INVALID;
	}
    }
  if (test_knobs.fail_init)
    {
      test_core->set_error ("testInit failed: as ordered by fail_init");
      return GOMP_DRIVER_ERROR;
    }
  if (test_knobs.zero)
    test_core->set_error ("testGetCount found nothing, as ordered by zero");
  *num_devices = test_knobs.zero ? 0 : test_knobs.devices;
  return GOMP_OK;
}

/* ---- devices ---- */

static gomp_status_t
test_attr (unsigned ordinal, struct gomp_device_attr *attr)
{
  memset (attr, 0, sizeof (*attr));
  snprintf (attr->name, sizeof (attr->name), "test device %u", ordinal);
  snprintf (attr->uid, sizeof (attr->uid), "TEST-%u", ordinal);
  attr->caps = GOMP_CAP_HOST_CODE;
  if (test_knobs.shared)
    attr->caps |= GOMP_CAP_SHARED_MEMORY;
  if (test_knobs.serial)
    attr->caps |= GOMP_CAP_NEEDS_PROGRESS;
  if (test_knobs.pinned)
    {
      attr->caps |= GOMP_CAP_PINNED_FASTER;
      attr->chunk_min = 16 << 10;
    }
  attr->memory_size = test_knobs.memory;
  attr->launch_latency_ns = 5000;
  attr->coalesce_max = 4096;
  attr->mem_align = 64;
  attr->arena_step = 1 << 16;
  if (test_knobs.traits)
    {
      bool odd = ordinal % 2;
      strcpy (attr->kind, odd ? "fpga" : "gpu");
      strcpy (attr->arch, odd ? "gcn" : "nvptx,nvptx64");
      strcpy (attr->isa, odd ? "gfx90a" : "sm_90,sm_80");
      strcpy (attr->vendor, odd ? "amd" : "nvidia");
    }
  if (test_knobs.cuda)
    {
      attr->foreign_runtimes = 1u << GOMP_RUNTIME_CUDA | 1u << GOMP_RUNTIME_CUDA_DRIVER
			       | 1u << GOMP_RUNTIME_HIP;
      attr->default_runtime = GOMP_RUNTIME_CUDA;
      attr->vendor_id = 11;
      strcpy (attr->vendor, "nvidia");
    }
  else if (test_knobs.hsa)
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
  if (test_fails ("testOpen"))
    return GOMP_DRIVER_ERROR;
  if (test_knobs.fail_open)
    {
      test_core->set_error ("testOpen failed: as ordered by fail_open");
      return GOMP_DRIVER_ERROR;
    }
  struct gomp_plugin_device *dev = calloc (1, sizeof (*dev));
  if (dev == NULL)
    return GOMP_OUT_OF_HOST_MEMORY;
  dev->memory = mmap (NULL, test_knobs.memory, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (dev->memory == MAP_FAILED)
    {
      free (dev);
      test_core->set_error ("mmap of %lu bytes failed", test_knobs.memory);
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
  while (dev->queues != NULL)
    {
      struct gomp_plugin_queue_impl *q = dev->queues;
      dev->queues = q->next;
      q->next = dev->closed;
      dev->closed = q;
      pthread_mutex_unlock (&dev->lock);
      if (!pthread_equal (q->thread, pthread_self ()))
	pthread_join (q->thread, NULL);
      pthread_mutex_lock (&dev->lock);
    }
  pthread_mutex_unlock (&dev->lock);
  /* At exit the rest stays: threads of the program may still hold queues and events.  */
  if (exiting)
    return;
  if (dev->blocks != NULL || dev->closed != NULL || dev->events != NULL)
    {
      fprintf (stderr, "test device %u: closed with%s%s%s\n", dev->ordinal,
	       dev->blocks ? " memory" : "", dev->closed ? " queues" : "",
	       dev->events ? " events" : "");
      abort ();
    }
  munmap (dev->memory, test_knobs.memory);
  pthread_mutex_destroy (&dev->lock);
  pthread_cond_destroy (&dev->changed);
  free (dev);
}

gomp_status_t
test_device_status (struct gomp_plugin_device *dev, const char *call)
{
  pthread_mutex_lock (&dev->lock);
  bool lost = dev->lost;
  pthread_mutex_unlock (&dev->lock);
  if (!lost)
    return GOMP_OK;
  test_core->set_error ("%s: the test device was lost", call);
  return GOMP_DEVICE_LOST;
}

static gomp_status_t
test_fault (struct gomp_plugin_device *dev, struct gomp_fault *fault)
{
  memset (fault, 0, sizeof (*fault));
  pthread_mutex_lock (&dev->lock);
  snprintf (fault->text, sizeof (fault->text), "test device %u died %s, as ordered by lose=%ld",
	    dev->ordinal, dev->lost_by, test_knobs.lose);
  fault->has_function = dev->lost_image != NULL;
  fault->image = dev->lost_image;
  fault->function = dev->lost_index;
  if (test_knobs.fault != 0)
    {
      fault->has_address = true;
      fault->fault_addr = test_knobs.fault;
      fault->access = GOMP_FAULT_READ;
    }
  pthread_mutex_unlock (&dev->lock);
  return GOMP_OK;
}

/* ---- the plugin ---- */

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
