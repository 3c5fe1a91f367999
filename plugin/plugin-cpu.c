/* plugin-cpu.c -- the cpu device: a device with its own memory that every machine has.

   For development, tests and machines without a GPU.  A device is a worker process, made from
   the same executable, so that the worker runs the host version of a region on globals and a
   heap of its own.  Because its memory is really separate it finds what a shared-memory
   fallback hides: missing maps, missing updates.

   Who owns what, on the host's side:
     plugin-cpu.c   the ops table, the life of a device, explaining its death
     cpu-start.c    starting the worker process
     cpu-queue.c    queues, events, copies, launches
     cpu-mem.c      device memory
     cpu-image.c    addresses of functions and variables
     cpu-reverse.c  what regions ask of the host
   in the worker:
     cpu-worker.c   taking over the process, serving
     cpu-fault.c    recording why it dies
     cpu-call.c     asking the host
   and between them:
     cpu-proto.h    the shared memory

   doc/cpu-device.md is for users and tells the limits.  */

#define _GNU_SOURCE 1
#include <errno.h>
#include <stdio.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#if defined __x86_64__
# include <cpuid.h>
#endif

#include "plugin/cpu.h"
#include "plugin/cpu-device.h"

const struct gomp_plugin_core *gomp_cpu_core;

/* ---- the plugin ---- */

static void child_of_fork (void);

static gomp_status_t
cpu_init (const struct gomp_plugin_core *core, unsigned *num_devices)
{
  const struct gomp_cpu_startup *s = &gomp_cpu_startup;
  static bool registered;

  gomp_cpu_core = core;
  *num_devices = 0;
  if (s->complaint[0] != '\0')
    {
      core->set_error ("%s", s->complaint);
      return GOMP_INVALID;
    }
  if (s->devices == 0)
    {
      core->set_error ("GOMP_CPU_DEVICES is not set");
      return GOMP_OK;
    }
  if (!registered)
    {
      pthread_atfork (NULL, NULL, child_of_fork);
      registered = true;
    }
  *num_devices = s->devices;
  return GOMP_OK;
}

static void
boot_id (char *text, size_t size)
{
  int fd = open ("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  ssize_t n = fd >= 0 ? read (fd, text, size - 1) : -1;
  if (fd >= 0)
    close (fd);
  text[n > 0 ? n : 0] = '\0';
  text[strcspn (text, "\n")] = '\0';
}

#if defined __x86_64__
/* The registers that the system saves: bits of XCR0.  */
static uint32_t
saved_registers (void)
{
  uint32_t low, high;
  __asm__ ("xgetbv" : "=a" (low), "=d" (high) : "c" (0));
  return low;
}
#endif

/* The names that GCC has for arch and isa.  Not with __builtin_cpu_supports: that would bring a
   constructor, and each process would ask the processor nine times before main, which takes
   microseconds each in a virtual machine.  */
static void
cpu_traits (struct gomp_device_attr *attr)
{
#if defined __x86_64__
  const uint32_t ymm = 0x6, zmm = 0xe6;
  uint32_t eax, ebx, ecx = 0, edx, more = 0, saved = 0;
  if (__get_cpuid (1, &eax, &ebx, &ecx, &edx) && (ecx & bit_OSXSAVE))
    saved = saved_registers ();
  const bool has_ymm = (saved & ymm) == ymm, has_zmm = (saved & zmm) == zmm;
  const uint32_t first = ecx;
  if (__get_cpuid_count (7, 0, &eax, &ebx, &ecx, &edx))
    more = ebx;
  const struct { const char *name; bool has; } isas[] = {
    { "sse2", true }, { "sse4.2", first & bit_SSE4_2 },
    { "avx", has_ymm && (first & bit_AVX) }, { "avx2", has_ymm && (more & bit_AVX2) },
    { "fma", has_ymm && (first & bit_FMA) }, { "avx512f", has_zmm && (more & bit_AVX512F) }
  };
  snprintf (attr->arch, sizeof (attr->arch), "x86_64,x86");
  for (size_t i = 0; i < sizeof (isas) / sizeof (isas[0]); i++)
    if (isas[i].has)
      {
	size_t n = strlen (attr->isa);
	snprintf (attr->isa + n, sizeof (attr->isa) - n, "%s%s", n ? "," : "", isas[i].name);
      }
#else
  struct utsname name;
  if (uname (&name) == 0)
    snprintf (attr->arch, sizeof (attr->arch), "%.60s", name.machine);
#endif
}

static gomp_status_t
cpu_device_attr (unsigned ordinal, struct gomp_device_attr *attr)
{
  char boot[40];
  memset (attr, 0, sizeof (*attr));
  snprintf (attr->name, sizeof (attr->name), "cpu worker");
  boot_id (boot, sizeof (boot));
  snprintf (attr->uid, sizeof (attr->uid), "CPU-%s-%d-%u", boot[0] ? boot : "unknown",
	    (int) getpid (), ordinal);
  attr->caps = GOMP_CAP_HOST_CODE | GOMP_CAP_PEER_COPY | GOMP_CAP_NEEDS_PROGRESS
	       | GOMP_CAP_LINK_IN_PLACE | GOMP_CAP_FORK | GOMP_CAP_REVERSE_OFFLOAD
	       | (gomp_cpu_startup.check ? GOMP_CAP_CHECK : 0);
  char text[8];
  if (!gomp_cpu_heap_size (&attr->memory_size, text, sizeof (text)))
    attr->memory_size = 0;
  /* An empty region with both sides polling; a call and a short memcpy; a core's memcpy.  */
  attr->launch_latency_ns = 600;
  attr->copy_latency_ns = 50;
  attr->copy_bandwidth = UINT64_C (10000000000);
  /* The mapping checker wants each block to be an allocation of its own.  */
  attr->coalesce_max = gomp_cpu_startup.check ? 0 : 512;
  attr->chunk_min = 1u << 20;
  attr->mem_align = 64;
  attr->arena_step = 4u << 20;
  attr->multiprocessors = gomp_cpu_startup.num_cpus;
  attr->max_threads_per_team = gomp_cpu_startup.num_cpus;
  snprintf (attr->kind, sizeof (attr->kind), "cpu");
  cpu_traits (attr);
  return GOMP_OK;
}

/* ---- devices ---- */

/* Devices that are open in this process; protected by open_lock.  */
static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static struct gomp_plugin_device *open_devices[GOMP_CPU_MAX_DEVICES];

static bool
have_futex_waitv (void)
{
  /* No waiters at all is an error, of another kind when the call does not exist.  */
  return syscall (SYS_futex_waitv, NULL, 0, 0, NULL, 0) < 0 && errno == EINVAL;
}

/* Get a worker for DEV, and look at what it says of itself.  */
static gomp_status_t
start_serving (struct gomp_plugin_device *dev)
{
  /* While the worker starts.  */
  gomp_cpu_rights_take (&dev->own, NULL, false);
  gomp_status_t status = gomp_cpu_process_get (dev->ordinal, &dev->process);
  if (status != GOMP_OK)
    {
      gomp_cpu_core->set_error ("%s", dev->process.error);
      return status;
    }
  dev->shared = dev->process.shared;
  dev->heap = (char *) dev->shared + GOMP_CPU_CONTROL_SIZE;
  dev->heap_addr = (uint64_t) dev->process.reserved;
  dev->heap_size = dev->process.heap_size;
  /* What the worker has said before the first region could write into it.  */
  dev->worker_base = dev->shared->worker_base;
  dev->worker_start = gomp_cpu_process_start (dev->process.worker, NULL);
  dev->life = atomic_load_explicit (&dev->shared->xlife, memory_order_relaxed) & ~FUTEX_OWNER_DIED;
  dev->rights = dev->shared->rights;
  dev->rights_comparable = dev->process.comparable;
  dev->control_head = 0;
  if (gomp_cpu_startup.check && dev->shared->marks_offset != 0)
    {
      dev->marks = (uint8_t *) dev->heap + dev->heap_size;
      dev->pages = dev->marks + dev->heap_size;
    }
  /* Relaxed: before the first command.  */
  atomic_store_explicit (&dev->shared->xwants_times, gomp_cpu_core->wants_times,
			 memory_order_relaxed);
  dev->bells = gomp_cpu_bells_new (dev->shared);
  if (dev->bells == NULL)
    {
      gomp_cpu_process_quit (&dev->process);
      gomp_cpu_process_unmap (&dev->process);
      snprintf (dev->process.error, sizeof (dev->process.error), "out of host memory");
      gomp_cpu_core->set_error ("%s", dev->process.error);
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  return GOMP_OK;
}

/* ---- rights that the program has given up ---- */

#define RIGHTS_FULL_NS UINT64_C (5000000)

/* Let the worker do VERB, and read what rights it has then.  */
static gomp_status_t
ask_rights (struct gomp_plugin_device *dev, enum gomp_cpu_verb verb)
{
  pthread_mutex_lock (&dev->control_lock);
  if (verb == GOMP_CPU_ADOPT)
    memcpy (gomp_cpu_stage (dev, 0), &dev->own, sizeof (dev->own));
  struct gomp_cpu_command command = { .verb = verb };
  gomp_status_t status = gomp_cpu_control (dev, &command);
  if (status == GOMP_OK)
    {
      memcpy (&dev->rights, &dev->shared->rights, sizeof (dev->rights));
      __asm__ ("" : "+m" (dev->rights));	/* a copy, not the words themselves */
      dev->rights.label[sizeof (dev->rights.label) - 1] = '\0';
    }
  pthread_mutex_unlock (&dev->control_lock);
  return status;
}

/* Does the worker have rights that cannot be asked for?  What can be is the same in both.  */
static bool
has_other_domain (struct gomp_plugin_device *dev)
{
  const struct gomp_cpu_rights *own = &dev->own;
  if (!dev->rights_comparable || own->uid[0] != own->uid[1] || own->uid[0] != own->uid[2]
      || own->gid[0] != own->gid[1] || own->gid[0] != own->gid[2]
      || !gomp_cpu_out_of_reach (&dev->process))
    return false;
  /* A region may have forbidden to look into the process.  */
  if (ask_rights (dev, GOMP_CPU_TELL) == GOMP_OK && dev->rights.dumpable)
    return true;
  dev->rights_comparable = false;
  return false;
}

/* What the worker may do and the calling thread may not, when the worker has given up what it can;
   dev->own has the thread's rights, rights_lock is held.  */
static unsigned
settle (struct gomp_plugin_device *dev)
{
  unsigned excess = gomp_cpu_rights_excess (&dev->rights, &dev->own, false);
  if ((excess & (EXCESS_USER | EXCESS_GROUP | EXCESS_CAPS)) == 0 && has_other_domain (dev))
    excess |= EXCESS_DOMAIN;
  if (excess != 0 && (excess & EXCESS_FIXED) == 0 && ask_rights (dev, GOMP_CPU_ADOPT) == GOMP_OK)
    {
      excess = gomp_cpu_rights_excess (&dev->rights, &dev->own, false);
      if (excess == 0 && has_other_domain (dev))
	excess = EXCESS_DOMAIN;
      if (!dev->own.dumpable)
	{
	  /* Whoever has changed the user must not be looked into by others of that user: no more than
	     the program is the worker.  */
	  dev->rights_comparable = false;
	  ask_rights (dev, GOMP_CPU_TELL);
	}
    }
  dev->rights_full = gomp_cpu_now ();
  /* Relaxed: a hint.  */
  atomic_store_explicit (&dev->xlook, gomp_cpu_ticks (), memory_order_relaxed);
  return excess;
}

/* The worker has not been used so far.  Where it cannot give up rights another one is started: that has
   none but the calling thread's.  */
static gomp_status_t
settle_first (struct gomp_plugin_device *dev)
{
  char text[160];
  unsigned excess = settle (dev);
  if (excess == 0)
    return GOMP_OK;
  gomp_cpu_rights_text (excess, text, sizeof (text));
  for (unsigned tries = 0; excess != 0; tries++)
    {
      gomp_cpu_early_quit ();
      gomp_cpu_process_quit (&dev->process);
      gomp_cpu_process_unmap (&dev->process);
      free (dev->bells);
      if (tries > 0)
	{
	  gomp_cpu_rights_text (excess, text, sizeof (text));
	  gomp_cpu_core->set_error ("a worker process would have rights that the program has given "
				    "up: %s", text);
	  return GOMP_UNSUPPORTED;
	}
      gomp_status_t status = start_serving (dev);
      if (status != GOMP_OK)
	{
	  gomp_cpu_core->set_error ("the worker process has rights that the program has given up "
				    "(%s), and another one cannot be had: %s", text,
				    dev->process.error);
	  return status;
	}
      excess = settle (dev);
    }
  return GOMP_OK;
}

gomp_status_t
gomp_cpu_look (struct gomp_plugin_device *dev)
{
  unsigned excess = 0;
  if (gomp_cpu_lost (dev))
    return gomp_cpu_say_lost (dev);
  pthread_mutex_lock (&dev->rights_lock);
  bool quick = gomp_cpu_now () - dev->rights_full < RIGHTS_FULL_NS;
  gomp_cpu_rights_take (&dev->own, &dev->rights, quick);
  if (!quick)
    excess = settle (dev);
  else if (gomp_cpu_rights_excess (&dev->rights, &dev->own, true) != 0)
    {
      gomp_cpu_rights_take (&dev->own, &dev->rights, false);
      excess = settle (dev);
    }
  atomic_store_explicit (&dev->xlook, gomp_cpu_ticks (), memory_order_relaxed);
  pthread_mutex_unlock (&dev->rights_lock);
  if (excess != 0 && !gomp_cpu_lost (dev))
    {
      char names[160], text[240];
      snprintf (text, sizeof (text), "has rights that the program has given up: %s",
		gomp_cpu_rights_text (excess, names, sizeof (names)));
      gomp_cpu_lose (dev, text);
      /* This process may not be allowed to kill it.  */
      gomp_cpu_process_quit (&dev->process);
    }
  return gomp_cpu_lost (dev) ? gomp_cpu_say_lost (dev) : GOMP_OK;
}

static gomp_status_t
cpu_device_open (unsigned ordinal, void *core_device, struct gomp_plugin_device **result)
{
  struct gomp_plugin_device *dev = calloc (1, sizeof (*dev));
  if (dev == NULL)
    {
      gomp_cpu_core->set_error ("out of host memory");
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  dev->ordinal = ordinal;
  dev->core_device = core_device;
  pthread_mutex_init (&dev->lock, NULL);
  pthread_mutex_init (&dev->rights_lock, NULL);
  pthread_mutex_init (&dev->control_lock, NULL);
  dev->have_waitv = have_futex_waitv ();
  gomp_status_t status = start_serving (dev);
  if (status == GOMP_OK)
    status = settle_first (dev);
  if (status != GOMP_OK)
    {
      pthread_mutex_destroy (&dev->lock);
      pthread_mutex_destroy (&dev->rights_lock);
      pthread_mutex_destroy (&dev->control_lock);
      free (dev);
      return status;
    }
  gomp_cpu_core->debug (1, "cpu device %u: worker process %d, %llu bytes at %#llx", ordinal,
			(int) dev->process.worker, (unsigned long long) dev->heap_size,
			(unsigned long long) dev->heap_addr);
  pthread_mutex_lock (&open_lock);
  open_devices[ordinal] = dev;
  pthread_mutex_unlock (&open_lock);
  *result = dev;
  return GOMP_OK;
}
static void
cpu_device_close (struct gomp_plugin_device *dev, bool exiting)
{
  pthread_mutex_lock (&open_lock);
  if (open_devices[dev->ordinal] == dev)
    open_devices[dev->ordinal] = NULL;
  pthread_mutex_unlock (&open_lock);

  if (dev->forked)
    return;			/* the parent's: nothing of it is here */
  if (exiting)
    {
      /* Other threads may still be in calls: leave everything where it is.  */
      gomp_cpu_process_quit (&dev->process);
      return;
    }
  gomp_cpu_process_quit (&dev->process);
  gomp_cpu_process_unmap (&dev->process);
  gomp_cpu_queues_free (dev);
  gomp_cpu_images_free (dev);
  free (dev->blocks);
  free (dev->bells);
  pthread_mutex_destroy (&dev->lock);
  pthread_mutex_destroy (&dev->rights_lock);
  pthread_mutex_destroy (&dev->control_lock);
  free (dev);
}

/* In a child of fork, before fork returns.  The devices belong to the parent: their memory is
   not mapped here.  */
static void
child_of_fork (void)
{
  pthread_mutex_init (&open_lock, NULL);
  for (unsigned i = 0; i < GOMP_CPU_MAX_DEVICES; i++)
    {
      struct gomp_plugin_device *dev = open_devices[i];
      if (dev == NULL)
	continue;
      /* Locks may have been held by threads that do not exist here.  */
      pthread_mutex_init (&dev->lock, NULL);
      pthread_mutex_init (&dev->rights_lock, NULL);
      pthread_mutex_init (&dev->control_lock, NULL);
      dev->forked = true;
      dev->explained = true;
      memset (&dev->fault, 0, sizeof (dev->fault));
      snprintf (dev->fault.text, sizeof (dev->fault.text),
		"it belongs to process %d, from which this process was forked",
		(int) dev->process.owner);
      atomic_store_explicit (&dev->xlost, true, memory_order_relaxed);
      gomp_cpu_queues_abandon (dev);
      open_devices[i] = NULL;
    }
}

/* ---- explaining a death ---- */

static const char *
signal_text (int number)
{
  const char *text = sigdescr_np (number);
  return text ? text : "unknown signal";
}

/* The function that runs, when there is only one.  */
static uint64_t
only_running (struct gomp_plugin_device *dev)
{
  uint64_t found = 0;
  unsigned n = atomic_load_explicit (&dev->xnum_queues, memory_order_relaxed);
  for (unsigned i = 1; i <= n; i++)
    {
      struct gomp_cpu_slot *slot = gomp_cpu_slot_at (dev->shared, i);
      uint64_t fn = atomic_load_explicit (&slot->xrunning, memory_order_relaxed);
      if (fn != 0 && found != 0 && fn != found)
	return 0;
      if (fn != 0)
	found = fn;
    }
  return found;
}

static const char damaged[]
  = "was given up: a region has written into memory that the worker shares with the program";

static void
explain (struct gomp_plugin_device *dev, const char *why)
{
  struct gomp_fault *f = &dev->fault;
  struct gomp_cpu_end_record end;
  memcpy (&end, &dev->shared->end, sizeof (end));
  __asm__ ("" : "+m" (end));	/* a copy, not the record itself */
  int worker = dev->process.worker;
  memset (f, 0, sizeof (*f));
  end.module[sizeof (end.module) - 1] = '\0';
  if (why == NULL && end.kind == GOMP_CPU_END_DAMAGED)
    why = damaged;

  if (why != NULL)
    snprintf (f->text, sizeof (f->text), "worker process %d %s", worker, why);
  else
    switch (end.kind)
      {
      case GOMP_CPU_END_SIGNAL:
	f->has_address = end.has_address != 0;
	f->fault_addr = end.address;
	f->access = end.access <= GOMP_FAULT_EXEC ? end.access : GOMP_FAULT_UNKNOWN;
	f->has_ip = end.has_ip != 0;
	f->ip = f->has_ip ? gomp_cpu_host_code (dev, end.ip) : 0;
	{
	  int n = snprintf (f->text, sizeof (f->text), "worker process %d: signal %d (%s)", worker,
			    (int) end.signal, signal_text (end.signal));
	  char *p = f->text + n;
	  size_t room = sizeof (f->text) - n;
	  if (end.sender != 0)
	    snprintf (p, room, ", sent by process %d", (int) end.sender);
	  else if (end.stack_overflow)
	    snprintf (p, room, ", stack overflow");
	  else if (f->ip == 0 && end.module[0] != '\0')
	    snprintf (p, room, " at %.60s+%#llx", end.module,
		      (unsigned long long) end.module_offset);
	}
	break;
      case GOMP_CPU_END_EXIT:
	snprintf (f->text, sizeof (f->text), "worker process %d: exit (%d) was called on the device",
		  worker, (int) end.code);
	break;
      case GOMP_CPU_END_THREAD:
	snprintf (f->text, sizeof (f->text),
		  "worker process %d: pthread_exit was called on the device", worker);
	break;
      default:
	snprintf (f->text, sizeof (f->text), "worker process %d was killed "
		  "(signal 9, out of memory, or _exit on the device)", worker);
      }
  uint64_t fn = end.function ? end.function : only_running (dev);
  if (fn != 0)
    f->has_function = gomp_cpu_find_function (dev, fn, &f->image, &f->function);
}

/* What neither the worker nor the kernel would put there.  */
static bool
life_is_damaged (struct gomp_plugin_device *dev)
{
  uint32_t life = atomic_load_explicit (&dev->shared->xlife, memory_order_relaxed);
  return life != dev->life && life != (dev->life | FUTEX_OWNER_DIED)
	 && (life & ~FUTEX_WAITERS) != FUTEX_OWNER_DIED;
}

gomp_status_t
gomp_cpu_lose (struct gomp_plugin_device *dev, const char *why)
{
  pthread_mutex_lock (&dev->lock);
  if (why == NULL && !dev->explained && life_is_damaged (dev))
    why = damaged;
  if (!dev->explained)
    {
      explain (dev, why);
      dev->explained = true;
      atomic_store_explicit (&dev->xlost, true, memory_order_relaxed);
      if (why != NULL)
	kill (dev->process.worker, SIGKILL);
    }
  pthread_mutex_unlock (&dev->lock);
  /* The kernel has woken only one of those who wait.  */
  gomp_cpu_futex_wake (&dev->shared->xlife);
  return GOMP_DEVICE_LOST;
}

gomp_status_t
gomp_cpu_lose_damaged (struct gomp_plugin_device *dev)
{
  return gomp_cpu_lose (dev, damaged);
}

gomp_status_t
gomp_cpu_say_lost (struct gomp_plugin_device *dev)
{
  pthread_mutex_lock (&dev->lock);
  gomp_cpu_core->set_error ("%s", dev->fault.text);
  pthread_mutex_unlock (&dev->lock);
  return GOMP_DEVICE_LOST;
}

bool
gomp_cpu_looks_sound (struct gomp_plugin_device *dev, unsigned number)
{
  uint32_t life = atomic_load_explicit (&dev->shared->xlife, memory_order_acquire);
  char state = 0;

  uint64_t start = gomp_cpu_process_start (dev->process.worker, &state);
  if (life != dev->life && (life & FUTEX_OWNER_DIED) == 0)
    gomp_cpu_lose_damaged (dev);
  else if ((kill (dev->process.worker, 0) != 0 && errno == ESRCH) || state == 'Z' || state == 'X'
	   || (start != 0 && dev->worker_start != 0 && start != dev->worker_start))
    gomp_cpu_lose (dev, NULL);
  else if (!gomp_cpu_slot_agrees (dev, number))
    gomp_cpu_lose_damaged (dev);
  return !gomp_cpu_lost (dev);
}

bool
gomp_cpu_long_stopped (struct gomp_plugin_device *dev, struct gomp_cpu_stop *stop)
{
  const uint64_t late = GOMP_CPU_LOOK_NS / 4;
  char state = 0;

  /* A debugger's stop has another letter.  */
  gomp_cpu_process_start (dev->process.worker, &state);
  if (state != 'T')
    {
      stop->looked = stop->stopped = 0;
      return false;
    }
  /* Only time counts in which the program itself was not stopped: it looks again in time then.  */
  uint64_t now = gomp_cpu_now ();
  if (stop->looked != 0 && now - stop->looked < GOMP_CPU_LOOK_NS + late)
    stop->stopped += now - stop->looked;
  stop->looked = now;
  if (stop->stopped <= GOMP_CPU_STOPPED_NS - late)
    return false;
  gomp_cpu_lose (dev, "was stopped by a signal (SIGSTOP) and does not go on");
  return true;
}

static gomp_status_t
cpu_device_fault (struct gomp_plugin_device *dev, struct gomp_fault *fault)
{
  gomp_status_t status = GOMP_NOT_FOUND;
  pthread_mutex_lock (&dev->lock);
  if (dev->explained)
    {
      *fault = dev->fault;
      status = GOMP_OK;
    }
  pthread_mutex_unlock (&dev->lock);
  return status;
}

static const char *
cpu_info (struct gomp_plugin_device *dev, unsigned key)
{
  if (key != 0)
    return NULL;
  return dev == NULL ? "runs the program's own code in worker processes (GOMP_CPU_DEVICES)"
	 : dev->process.shared == NULL ? "closed"
	 : dev->shared->lease ? "worker ends with the program"
	 : "worker ends with the program; /proc is missing: not when it executes another one";
}

const struct gomp_plugin gomp_plugin_cpu =
{
  .api_version = GOMP_PLUGIN_API_VERSION,
  .struct_size = sizeof (struct gomp_plugin),
  .name = "cpu",
  .target_type = 0,
  .init = cpu_init,
  .device_attr = cpu_device_attr,
  .device_open = cpu_device_open,
  .device_close = cpu_device_close,
  .device_fault = cpu_device_fault,
  .progress = gomp_cpu_progress,
  .device_nap = gomp_cpu_device_nap,
  .mem_alloc = gomp_cpu_mem_alloc,
  .mem_free = gomp_cpu_mem_free,
  .mem_info = gomp_cpu_mem_info,
  .queue_create = gomp_cpu_queue_create,
  .queue_destroy = gomp_cpu_queue_destroy,
  .queue_flush = gomp_cpu_queue_flush,
  .queue_wait = gomp_cpu_queue_wait,
  .queue_wait_event = gomp_cpu_queue_wait_event,
  .event_create = gomp_cpu_event_create,
  .event_destroy = gomp_cpu_event_destroy,
  .event_record = gomp_cpu_event_record,
  .event_wait = gomp_cpu_event_wait,
  .event_status = gomp_cpu_event_status,
  .event_time = gomp_cpu_event_time,
  .copy_h2d = gomp_cpu_copy_h2d,
  .copy_d2h = gomp_cpu_copy_d2h,
  .copy_d2d = gomp_cpu_copy_d2d,
  .copy3d_h2d = gomp_cpu_copy3d_h2d,
  .copy3d_d2h = gomp_cpu_copy3d_d2h,
  .fill = gomp_cpu_fill,
  .image_load = gomp_cpu_image_load,
  .image_unload = gomp_cpu_image_unload,
  .image_function = gomp_cpu_image_function,
  .image_variable = gomp_cpu_image_variable,
  .launch = gomp_cpu_launch,
  .reverse_enable = gomp_cpu_reverse_enable,
  .reverse_poll = gomp_cpu_reverse_poll,
  .reverse_wait = gomp_cpu_reverse_wait,
  .reverse_wake = gomp_cpu_reverse_wake,
  .device_icvs = gomp_cpu_device_icvs,
  .check_view = gomp_cpu_check_view,
  .check_mark = gomp_cpu_check_mark,
  .check_take = gomp_cpu_check_take,
  .info = cpu_info
};
