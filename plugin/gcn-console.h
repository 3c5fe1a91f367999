/* gcn-console.h -- what kernels say to the host: text, how they ended, calls in GCC's form.  */

#ifndef GOMPX_GCN_CONSOLE_H
#define GOMPX_GCN_CONSOLE_H 1

#include "gcn-queue.h"

#pragma GCC visibility push (hidden)

enum { GCN_RECORDS = 1024 };	/* in the ring; fixed by compiled code */

/* Types of records.  */
enum
{
  GCN_RECORD_INTEGER, GCN_RECORD_REAL, GCN_RECORD_TEXT, GCN_RECORD_RAW, GCN_RECORD_CALL
};

struct gcn_record
{
  _Atomic int32_t xwritten;	/* 0: the device's, 1: the host's */
  char msg[128];
  int32_t type;
  union
  {
    int64_t integer;
    double real;
    char text[128];
    uint64_t call[16];		/* function, count, addresses, sizes, kinds, device */
  } u;
};

/* In memory that both sides reach; kernels find it in their kernarg block.  */
struct gcn_output
{
  _Atomic uint32_t xreturn_value;
  _Atomic uint32_t xnext;	/* the index that the device reserves next; does not wrap at GCN_RECORDS */
  struct gcn_record records[GCN_RECORDS];
  _Atomic uint32_t xconsumed;	/* the first index that the host has not done with */
};

_Static_assert (offsetof (struct gcn_record, type) == 132 && offsetof (struct gcn_record, u) == 136
		&& sizeof (struct gcn_record) == 264
		&& offsetof (struct gcn_output, records) == 8
		&& offsetof (struct gcn_output, xconsumed) == 270344, "layout of the C library");

#define GCN_RETURN_NONE UINT32_C (0xcafe0000)

/* An output block and what the host knows of it.  */
struct gcn_console
{
  struct gcn_console *_Atomic xnext;	/* the list of all of a device; set once */
  struct gcn_output *output;	/* fixed */
  struct gcn_queue *queue;	/* whose kernels have it; NULL: those that images are set up with.  Fixed */
  /* The last of these kernels; without a queue: not 0 while one runs.  Set by who launches it, before.  */
  _Atomic uint32_t xlast;
  /* The first words of the block while there is nothing new: return value, and looked.  Changed under
     lock, read by who polls.  */
  _Atomic uint64_t xquiet;
  /* Calls that nobody has taken: bits of slots.  Set under lock, cleared by who takes one.  */
  _Atomic uint64_t xcalls[GCN_RECORDS / 64];
  pthread_mutex_t lock;		/* stdio's locks are taken under it */
  uint32_t looked;		/* lock: the first index not looked at; records up to it are done or calls */
  uint32_t consumed;		/* lock: what xconsumed is */
  uint64_t done[GCN_RECORDS / 64];	/* lock: slots between the two */
  bool told;			/* lock: of records that make no sense */
};

/* Make one and add it to the device's.  It lives as long as that.  */
gomp_status_t gcn_console_new (struct gomp_plugin_device *dev, struct gcn_queue *queue,
			       struct gcn_console **console);
/* All of DEV's go.  */
void gcn_consoles_close (struct gomp_plugin_device *dev);

/* The kernel NUMBER is about to be launched; for the queue's thread.  */
void gcn_console_begin (struct gcn_console *c, uint32_t number);

/* Have all kernels ended that were launched?  */
static inline bool
gcn_console_idle (struct gcn_console *c)
{
  /* Acquire: a kernel that is counted here comes behind what was looked at before.  */
  uint32_t last = atomic_load_explicit (&c->xlast, memory_order_acquire);
  return c->queue != NULL ? gcn_reached (c->queue, last) : last == 0;
}

/* Has the device said anything that nobody has looked at?  */
static inline bool
gcn_console_speaks (struct gcn_console *c)
{
  uint64_t now;
  /* Relaxed, both: who looks takes the lock, and loads again.  */
  __atomic_load ((const uint64_t *) (const void *) c->output, &now, __ATOMIC_RELAXED);
  return now != atomic_load_explicit (&c->xquiet, memory_order_relaxed);
}

/* Print what there is; *ANY (may be NULL): there was something.  If kernels called exit or abort the process ends
   here, so the caller holds no lock.  GOMP_DRIVER_ERROR with a text: they have written over the block.  */
gomp_status_t gcn_console_look (struct gomp_plugin_device *dev, struct gcn_console *c, bool *any);

/* Print what there is, of all consoles of DEV.  */
void gcn_console_drain (struct gomp_plugin_device *dev);

/* A call that nobody has taken, of any console of DEV; -1: none.  */
int gcn_console_find_call (struct gomp_plugin_device *dev);
/* Take call I, which gcn_console_find_call found.  False: somebody else has.  */
bool gcn_console_take_call (struct gomp_plugin_device *dev, int i, uint64_t words[6]);
/* Leave call I, which was taken, to somebody else.  */
void gcn_console_leave_call (struct gomp_plugin_device *dev, int i);
/* It was served.  */
void gcn_console_answer (struct gomp_plugin_device *dev, int i);

#pragma GCC visibility pop

#endif /* GOMPX_GCN_CONSOLE_H */
