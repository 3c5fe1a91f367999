/* nvptx-order.h -- threads and teams add their parts of reductions in order; for the nvptx plugin.  */

#ifndef GOMPX_NVPTX_ORDER_H
#define GOMPX_NVPTX_ORDER_H 1

#include "nvptx-ptx.h"

#pragma GCC visibility push (hidden)

/* A function that adds floating-point numbers to memory that others add to.  */
struct nvptx_order_note
{
  const char *name;		/* a piece of the object's text: LENGTH bytes */
  size_t length;
  bool teams;			/* teams do it; else threads of a region, or nobody knows */
  unsigned ordered, others;	/* additions that have an order; those that have none */
  const char *why;		/* they have none */
};

struct nvptx_order
{
  struct nvptx_object object;	/* the program's own one with calls of config/accel/order.c; text NULL: nothing has an order */
  struct nvptx_order_note *notes;
  size_t num_notes;
};

/* Look at OBJECT, a program's own, whose text must live as long as ORDER.  False: out of memory; ORDER can be freed.  */
bool nvptx_order_parts (const struct nvptx_object *object, struct nvptx_order *order);
void nvptx_order_free (struct nvptx_order *order);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_ORDER_H */
