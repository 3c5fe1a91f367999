/* dispatch.h -- between queues, which take packets, and dispatch.c, which executes kernels.  */

#ifndef GCN_SIM_DISPATCH_H
#define GCN_SIM_DISPATCH_H 1

#include "loader.h"

struct queue;
struct group;

/* A kernel packet that was taken.  Fixed, but for what says otherwise.  */
struct dispatch
{
  struct dispatch *next;	/* of all; protected by the pool's lock */
  struct dispatch *next_of_queue;	/* protected by the queue's lock */
  struct queue *queue;
  uint64_t index;		/* of the packet */
  uint64_t packet_addr;
  uint64_t queue_addr;
  hsa_kernel_dispatch_packet_t packet;
  int gpu;
  struct sim_image *image;
  struct sim_descriptor descriptor;
  struct sim_code *code;
  uint64_t entry;
  char name[120];		/* of the kernel, without ".kd" */
  unsigned waves_per_group;
  uint64_t groups[3];		/* by dimension */
  uint64_t num_groups;
  uint64_t scratch;		/* private segments; 0: none */
  size_t scratch_size;
  unsigned scratch_slots;
  unsigned char *slot_used;	/* of scratch, for a group each */

  /* Protected by the pool's lock.  */
  uint64_t started, finished;
  unsigned running;		/* groups that are resident */
  unsigned long instructions;
  bool abandoned;		/* start no more groups, drop those that are resident */
  bool failed;
  hsa_status_t status;
  uint64_t fault_address;
  uint64_t began;		/* ns */
  bool told;			/* that it takes long */
};

/* Is the packet of D well-formed, for its queue's agent?  Fills in the rest of D.  False: the
   status, and that was told.  */
bool dispatch_check (struct dispatch *d, hsa_status_t *status);
/* Execute it; queue_finished is called at the end, in any thread.  */
void dispatch_submit (struct dispatch *);
/* Drop everything of a queue: no group of it runs afterwards, and queue_finished was called.  */
void dispatch_abandon (struct queue *);
void dispatch_free (struct dispatch *);

/* ---- queue.c ---- */

/* D is over; with D->failed its queue is, too.  */
void queue_finished (struct dispatch *d);

/* ---- report.c ---- */

/* Tell why a wave has stopped.  */
void report_wave (const struct dispatch *d, const struct sim_wave *w, const char *why);
/* One line for each wave of a group: where it is.  */
void report_where (const struct dispatch *d, const struct sim_wave *w, const char *state);

#endif /* GCN_SIM_DISPATCH_H */
