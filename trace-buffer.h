/* trace-buffer.h -- what GOMP_TRACE has recorded: between trace.c, which records, and
   trace-file.c, which writes the file.

   Invariants
   1. Only its thread adds records to a buffer and writes to them; the other readers are the collector
      and the writer at the end of the process, while threads may still be running.  What is
      written after a record was published is therefore atomic, or published by xend.
   2. Buffers, chunks and records are never freed.
   3. The event of a pending operation is the record's: its thread gives it back when it finds it
      done, under the buffer's lock; after gomp_trace_collect no record has one.  */

#ifndef GOMP_TRACE_BUFFER_H
#define GOMP_TRACE_BUFFER_H 1

#include "trace.h"

struct gomp_trace_record
{
  _Atomic (uint64_t) xend;	/* 0: not over, as far as known.  Stored with release */
  uint64_t start;		/* ns; of an operation: when it was enqueued; fixed */
  uint64_t begin;		/* of an operation, when the device tells; published by xend */
  const char *what;		/* a literal or NULL; fixed */
  _Atomic (const char *) xwhy, xfn, xsite;	/* literals or names that live for ever */
  _Atomic (uint64_t) xcount;	/* bytes, or list items */
  uint32_t queue;		/* its number; fixed */
  int16_t device;		/* -1: the host; fixed */
  uint8_t kind;			/* enum gomp_trace_kind; fixed */
  bool exact;			/* begin and end are the device's; published by xend */
  /* A pending operation; protected by the buffer's lock.  */
  struct gomp_plugin_event *event;
  struct gomp_trace_record *next_pending;
};

struct gomp_trace_chunk
{
  _Atomic (struct gomp_trace_chunk *) xnext;	/* stored with release */
  unsigned size;		/* fixed */
  _Atomic (unsigned) xused;	/* stored with release when a record is ready to be read */
  struct gomp_trace_record records[];
};

struct gomp_trace_buffer
{
  struct gomp_trace_buffer *next;	/* fixed */
  int tid;			/* fixed */
  char name[32];		/* of the thread; fixed */
  struct gomp_trace_chunk *first;	/* fixed */
  struct gomp_trace_chunk *last;	/* the thread's own */
  gomp_mutex_t lock;		/* a leaf; contended only at the end of the process */
  struct gomp_trace_record *pending, **pending_end;	/* protected by lock */
};

struct gomp_trace_state
{
  char *path;			/* absolute; fixed */
  pid_t owner;			/* the process that is traced; fixed */
  uint64_t start;		/* times are relative to this; fixed */
  _Atomic (struct gomp_trace_buffer *) xbuffers;	/* newest first; pushed with release */
  _Atomic (int64_t) xroom;	/* records that there may still be */
  _Atomic (uint64_t) xdropped;	/* that there was no room for */
};
extern GOMP_HIDDEN struct gomp_trace_state gomp_trace;

/* trace-file.c: write what was recorded; answers what went wrong, an errno, or 0.  */
int gomp_trace_write (const char *path);
/* An empty timeline, so that the file is valid whatever happens to the program.  */
int gomp_trace_write_empty (const char *path);

#endif /* GOMP_TRACE_BUFFER_H */
