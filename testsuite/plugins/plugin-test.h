/* plugin-test.h -- what the files of the test plugin share: plugin-test.c has knobs and devices, test-memory.c memory,
   test-queue.c queues and events, test-work.c what is enqueued there and images, test-interop.c interop objects.  */

#ifndef PLUGIN_TEST_H
#define PLUGIN_TEST_H 1

#include "plugin.h"

#include <pthread.h>

#pragma GCC visibility push (hidden)

/* ---- what goes wrong (plugin-test.c) ---- */

extern const struct gomp_plugin_core *test_core;

extern struct test_knobs
{
  unsigned long devices, memory, delay_us, fault, pinned_memory;
  long fail_alloc, fail_copy, fail_launch, fail_kernel, fail_any, lose;	/* -1: never */
  bool fail_init, zero, fail_open, fail_image, shared, serial, no_function, links, pinned, pinned_only, managed;
  bool cuda, hsa, traits;
} test_knobs;

/* Is this the call that has to fail?  */
bool test_is_turn (_Atomic long *counter, long knob);
/* Has CALL to fail because of fail_any?  */
bool test_fails (const char *call);

/* ---- devices (plugin-test.c) ---- */

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
  struct gomp_plugin_queue_impl *closed;	/* whose threads who closes the device has joined */
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

/* GOMP_DEVICE_LOST, and a text about CALL, if DEV was lost.  */
gomp_status_t test_device_status (struct gomp_plugin_device *dev, const char *call);

/* ---- memory (test-memory.c) ---- */

gomp_status_t test_host_alloc (struct gomp_plugin_device *dev, size_t size, void **ptr);
gomp_status_t test_host_free (struct gomp_plugin_device *dev, void *ptr);
bool test_is_pinned (struct gomp_plugin_device *dev, const void *ptr, size_t size);
gomp_status_t test_managed_alloc (struct gomp_plugin_device *dev, size_t size, void **ptr);
gomp_status_t test_managed_free (struct gomp_plugin_device *dev, void *ptr);
gomp_status_t test_alloc (struct gomp_plugin_device *dev, size_t size, size_t align, gomp_devptr_t *ptr);
gomp_status_t test_free (struct gomp_plugin_device *dev, gomp_devptr_t ptr);
gomp_status_t test_mem_info (struct gomp_plugin_device *dev, uint64_t *free_bytes, uint64_t *total_bytes);
bool test_accessible (struct gomp_plugin_device *dev, const void *ptr, size_t size);
/* Rule of the interface: a device address together with its device, inside a block.  */
bool test_in_memory (struct gomp_plugin_device *dev, gomp_devptr_t ptr, size_t size);

/* ---- queues (test-queue.c) ---- */

gomp_status_t test_enqueue (struct gomp_plugin_queue *queue, struct operation op, const char *call);
gomp_status_t test_queue_create (struct gomp_plugin_device *dev, struct gomp_plugin_queue **queue);
void test_queue_destroy (struct gomp_plugin_queue *queue);
gomp_status_t test_queue_wait (struct gomp_plugin_queue *queue);
gomp_status_t test_event_create (struct gomp_plugin_device *dev, struct gomp_plugin_event **event);
void test_event_destroy (struct gomp_plugin_event *event);
gomp_status_t test_event_record (struct gomp_plugin_queue *queue, struct gomp_plugin_event *event);
gomp_status_t test_event_wait (struct gomp_plugin_event *event);
gomp_status_t test_event_status (struct gomp_plugin_event *event);
gomp_status_t test_queue_wait_event (struct gomp_plugin_queue *queue, struct gomp_plugin_event *event);
void test_progress (struct gomp_plugin_device *dev);

/* ---- copies, images, launches (test-work.c) ---- */

gomp_status_t test_h2d (struct gomp_plugin_queue *queue, gomp_devptr_t dst, const void *src, size_t size);
gomp_status_t test_d2h (struct gomp_plugin_queue *queue, void *dst, gomp_devptr_t src, size_t size);
gomp_status_t test_d2d (struct gomp_plugin_queue *queue, struct gomp_plugin_device *dst_dev, gomp_devptr_t dst,
			struct gomp_plugin_device *src_dev, gomp_devptr_t src, size_t size);
gomp_status_t test_fill (struct gomp_plugin_queue *queue, gomp_devptr_t dst, uint8_t value, size_t size);
gomp_status_t test_image_load (struct gomp_plugin_device *dev, const struct gomp_image_desc *desc,
			       const struct gomp_device_icvs *icvs, struct gomp_plugin_image **image);
gomp_status_t test_image_unload (struct gomp_plugin_image *image);
gomp_status_t test_image_function (struct gomp_plugin_image *image, size_t index);
gomp_status_t test_image_variable (struct gomp_plugin_image *image, size_t index, gomp_devptr_t *addr,
				   uint64_t *size);
gomp_status_t test_launch (struct gomp_plugin_queue *queue, struct gomp_plugin_image *image, size_t index,
			   const struct gomp_launch *launch);

/* ---- interop objects (test-interop.c) ---- */

gomp_status_t test_interop_create (struct gomp_plugin_device *dev, struct gomp_interop_object *object);
gomp_status_t test_interop_sync (struct gomp_plugin_device *dev, struct gomp_interop_object *object);
gomp_status_t test_interop_destroy (struct gomp_plugin_device *dev, struct gomp_interop_object *object);

#pragma GCC visibility pop

#endif /* PLUGIN_TEST_H */
