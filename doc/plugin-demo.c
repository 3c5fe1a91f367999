/* plugin-demo.c -- a complete device plugin in one file, to learn from (plugin-abi.md).

   The device is a part of this process: it has a heap of its own, and every queue has a thread
   that executes what was enqueued, in order.  Regions are the host's code, and run in the
   queue's thread.  So it shows the whole interface, asynchronous operation included, but
   finds no missing maps: the code can reach all memory of the process.  declare target
   variables, link variables included, are those of the host.

     gcc -std=gnu11 -shared -fPIC -fvisibility=hidden -pthread -I../plugin plugin-demo.c \
	 -o libgomp-plugin-demo.so.1
     GOMP_PLUGINS=demo GOMP_PLUGIN_PATH=$PWD ./program

   Invariants
   1. completed of a queue is the number of its operations that are done; it only grows and
      never passes enqueued.  Only the queue's thread changes it.
   2. An operation belongs to the queue from enqueue () until its thread has run it.  */

#include "plugin.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const struct gomp_plugin_core *core;

struct gomp_plugin_device
{
  void *core_device;
};

struct gomp_plugin_image
{
  const struct gomp_image_desc *desc;	/* stays valid until image_unload */
};

/* What a queue can be asked for.  A thread runs RUN (OP) and frees it.  */
struct operation
{
  struct operation *next;
  void (*run) (const struct operation *);
  void *dst;
  const void *src;
  size_t size;
  uint64_t fn;
};

struct demo_queue
{
  struct gomp_plugin_queue base;	/* first: the core's pointer is ours */
  pthread_t thread;
  pthread_mutex_t lock;		/* protects what follows, but not completed */
  pthread_cond_t work, done;
  struct operation *first, **end;
  uint32_t enqueued;
  bool stop;
  _Atomic uint32_t completed;	/* the completion word of all events of the queue */
};

struct demo_event
{
  struct gomp_plugin_event base;
  struct demo_queue *queue;	/* where it was recorded last */
};

/* ---- queues ---- */

static void *
queue_thread (void *arg)
{
  struct demo_queue *q = arg;

  pthread_mutex_lock (&q->lock);
  for (;;)
    {
      while (q->first == NULL && !q->stop)
	pthread_cond_wait (&q->work, &q->lock);
      struct operation *op = q->first;
      if (op == NULL)
	break;
      q->first = op->next;
      if (q->first == NULL)
	q->end = &q->first;
      pthread_mutex_unlock (&q->lock);

      op->run (op);
      free (op);

      pthread_mutex_lock (&q->lock);
      /* Release: whoever polls the word sees what the operation has done.  */
      atomic_fetch_add_explicit (&q->completed, 1, memory_order_release);
      pthread_cond_broadcast (&q->done);
    }
  pthread_mutex_unlock (&q->lock);
  return NULL;
}

static gomp_status_t
queue_create (struct gomp_plugin_device *dev, struct gomp_plugin_queue **queue)
{
  struct demo_queue *q = calloc (1, sizeof (*q));
  if (q == NULL)
    {
      core->set_error ("no memory for a queue");
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  q->base.dev = dev;
  q->end = &q->first;
  pthread_mutex_init (&q->lock, NULL);
  pthread_cond_init (&q->work, NULL);
  pthread_cond_init (&q->done, NULL);
  int error = pthread_create (&q->thread, NULL, queue_thread, q);
  if (error != 0)
    {
      core->set_error ("pthread_create: %s", strerror (error));
      free (q);
      return GOMP_DRIVER_ERROR;
    }
  *queue = &q->base;
  return GOMP_OK;
}

static void
queue_destroy (struct gomp_plugin_queue *queue)
{
  struct demo_queue *q = (struct demo_queue *) queue;

  pthread_mutex_lock (&q->lock);
  q->stop = true;
  pthread_cond_signal (&q->work);
  pthread_mutex_unlock (&q->lock);
  pthread_join (q->thread, NULL);
  free (q);
}

static gomp_status_t
enqueue (struct gomp_plugin_queue *queue, struct operation what)
{
  struct demo_queue *q = (struct demo_queue *) queue;
  struct operation *op = malloc (sizeof (*op));

  if (op == NULL)
    {
      core->set_error ("no memory for an operation");
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  *op = what;
  op->next = NULL;
  pthread_mutex_lock (&q->lock);
  *q->end = op;
  q->end = &op->next;
  q->enqueued++;
  pthread_cond_signal (&q->work);
  pthread_mutex_unlock (&q->lock);
  return GOMP_OK;
}

/* ---- events ---- */

static bool
reached (struct demo_queue *q, uint32_t target)
{
  /* Acquire: the results of the operations.  */
  uint32_t now = atomic_load_explicit (&q->completed, memory_order_acquire);
  return (int32_t) (now - target) >= 0;
}

static void
wait_until (struct demo_queue *q, uint32_t target)
{
  pthread_mutex_lock (&q->lock);
  while (!reached (q, target))
    pthread_cond_wait (&q->done, &q->lock);
  pthread_mutex_unlock (&q->lock);
}

static gomp_status_t
queue_wait (struct gomp_plugin_queue *queue)
{
  struct demo_queue *q = (struct demo_queue *) queue;
  wait_until (q, q->enqueued);
  return GOMP_OK;
}

static gomp_status_t
event_create (struct gomp_plugin_device *dev, struct gomp_plugin_event **event)
{
  struct demo_event *e = calloc (1, sizeof (*e));
  (void) dev;
  if (e == NULL)
    {
      core->set_error ("no memory for an event");
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  *event = &e->base;
  return GOMP_OK;
}

static void
event_destroy (struct gomp_plugin_event *event)
{
  free (event);
}

/* A point in the queue is the number of operations before it.  */
static gomp_status_t
event_record (struct gomp_plugin_queue *queue, struct gomp_plugin_event *event)
{
  struct demo_queue *q = (struct demo_queue *) queue;
  struct demo_event *e = (struct demo_event *) event;

  e->queue = q;
  e->base.word = &q->completed;
  e->base.target = q->enqueued;	/* the queue has one user at a time: no lock */
  return GOMP_OK;
}

static gomp_status_t
event_wait (struct gomp_plugin_event *event)
{
  struct demo_event *e = (struct demo_event *) event;
  wait_until (e->queue, e->base.target);
  return GOMP_OK;
}

/* ---- memory and copies ---- */

static gomp_status_t
mem_alloc (struct gomp_plugin_device *dev, size_t size, size_t align, gomp_devptr_t *ptr)
{
  void *p;
  (void) dev;
  if (posix_memalign (&p, align < sizeof (void *) ? sizeof (void *) : align, size) != 0)
    {
      core->set_error ("posix_memalign: no %zu bytes", size);
      return GOMP_OUT_OF_DEVICE_MEMORY;
    }
  *ptr = (uintptr_t) p;
  return GOMP_OK;
}

static gomp_status_t
mem_free (struct gomp_plugin_device *dev, gomp_devptr_t ptr)
{
  (void) dev;
  free ((void *) (uintptr_t) ptr);
  return GOMP_OK;
}

/* A declare target variable is its own device copy here, so the two may be the same.  */
static void
run_copy (const struct operation *op)
{
  memmove (op->dst, op->src, op->size);
}

static gomp_status_t
copy_h2d (struct gomp_plugin_queue *queue, gomp_devptr_t dst, const void *src, size_t size)
{
  return enqueue (queue, (struct operation) { .run = run_copy, .dst = (void *) (uintptr_t) dst,
					      .src = src, .size = size });
}

static gomp_status_t
copy_d2h (struct gomp_plugin_queue *queue, void *dst, gomp_devptr_t src, size_t size)
{
  return enqueue (queue, (struct operation) { .run = run_copy, .dst = dst,
					      .src = (const void *) (uintptr_t) src,
					      .size = size });
}

/* ---- images and launches ---- */

static gomp_status_t
image_load (struct gomp_plugin_device *dev, const struct gomp_image_desc *desc,
	    const struct gomp_device_icvs *icvs, struct gomp_plugin_image **image)
{
  struct gomp_plugin_image *i = calloc (1, sizeof (*i));
  (void) dev;
  (void) icvs;
  if (i == NULL)
    {
      core->set_error ("no memory for an image");
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  i->desc = desc;
  *image = i;
  core->debug (1, "demo: %zu regions of %s", desc->num_funcs, desc->path);
  return GOMP_OK;
}

static gomp_status_t
image_unload (struct gomp_plugin_image *image)
{
  free (image);
  return GOMP_OK;
}

static gomp_status_t
image_function (struct gomp_plugin_image *image, size_t index)
{
  return index < image->desc->num_funcs && image->desc->host_funcs[index] != 0
	 ? GOMP_OK : GOMP_NOT_FOUND;
}

/* GOMP_CAP_LINK_IN_PLACE: also of a link variable this is the storage.  */
static gomp_status_t
image_variable (struct gomp_plugin_image *image, size_t index, gomp_devptr_t *addr,
		uint64_t *size)
{
  if (index >= image->desc->num_vars)
    return GOMP_NOT_FOUND;
  const struct gomp_host_var *v = &image->desc->host_vars[index];
  *addr = v->host_addr;
  *size = v->size;
  return GOMP_OK;
}

static void
run_region (const struct operation *op)
{
  ((void (*) (void *)) (uintptr_t) op->fn) (op->dst);
}

/* LAUNCH belongs to the caller: what is needed of it is copied here.  */
static gomp_status_t
launch (struct gomp_plugin_queue *queue, struct gomp_plugin_image *image, size_t index,
	const struct gomp_launch *how)
{
  return enqueue (queue, (struct operation) { .run = run_region,
					      .fn = image->desc->host_funcs[index],
					      .dst = (void *) (uintptr_t) how->args });
}

/* ---- the plugin and its device ---- */

static gomp_status_t
init (const struct gomp_plugin_core *services, unsigned *num_devices)
{
  core = services;
  *num_devices = 1;
  return GOMP_OK;
}

static gomp_status_t
device_attr (unsigned ordinal, struct gomp_device_attr *attr)
{
  (void) ordinal;
  memset (attr, 0, sizeof (*attr));
  strcpy (attr->name, "demo device");
  attr->caps = GOMP_CAP_HOST_CODE | GOMP_CAP_LINK_IN_PLACE;
  attr->launch_latency_ns = 20000;	/* a thread is woken */
  attr->copy_latency_ns = 20000;
  attr->coalesce_max = 65536;
  attr->arena_step = (size_t) 1 << 20;
  return GOMP_OK;
}

static gomp_status_t
device_open (unsigned ordinal, void *core_device, struct gomp_plugin_device **dev)
{
  (void) ordinal;
  struct gomp_plugin_device *d = malloc (sizeof (*d));
  if (d == NULL)
    {
      core->set_error ("no memory for the device");
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  d->core_device = core_device;
  *dev = d;
  return GOMP_OK;
}

/* When the process ends, the threads of the queues end with it; other threads may still be
   using the device.  */
static void
device_close (struct gomp_plugin_device *dev, bool exiting)
{
  if (!exiting)
    free (dev);
}

const struct gomp_plugin GOMPX_plugin =
{
  .api_version = GOMP_PLUGIN_API_VERSION,
  .struct_size = sizeof (struct gomp_plugin),
  .name = "demo",
  .init = init,
  .device_attr = device_attr,
  .device_open = device_open,
  .device_close = device_close,
  .mem_alloc = mem_alloc,
  .mem_free = mem_free,
  .queue_create = queue_create,
  .queue_destroy = queue_destroy,
  .queue_wait = queue_wait,
  .event_create = event_create,
  .event_destroy = event_destroy,
  .event_record = event_record,
  .event_wait = event_wait,
  .copy_h2d = copy_h2d,
  .copy_d2h = copy_d2h,
  .image_load = image_load,
  .image_unload = image_unload,
  .image_function = image_function,
  .image_variable = image_variable,
  .launch = launch
};
