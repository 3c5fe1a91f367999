/* stream.c -- streams and events of the stand-in driver.

   A stream is a list of operations and a thread that executes them one after the other.  The
   thread starts with the first operation.  After the death of its context a stream drops its
   operations; whoever waits for them is woken and sees the context's error.

   Everything is protected by fake_lock, but for the execution of an operation, which belongs to
   the thread of its stream.  */

#define _GNU_SOURCE 1
#include "fake.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- faults ---- */

/* The calling thread executes an operation: where to go when it faults.  */
static __thread sigjmp_buf *guard;
static struct sigaction before[NSIG];

static void
handler (int signal, siginfo_t *info, void *context)
{
  if (guard != NULL)
    {
      if (signal == SIGSEGV || signal == SIGBUS)
	fake_log ("fault at %#lx", (unsigned long) (uintptr_t) info->si_addr);
      siglongjmp (*guard, signal);
    }
  if (signal == SIGSEGV || signal == SIGBUS)
    fake_explain_fault ((uintptr_t) info->si_addr);
  const struct sigaction *old = &before[signal];
  if ((old->sa_flags & SA_SIGINFO) != 0)
    old->sa_sigaction (signal, info, context);
  else if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN)
    old->sa_handler (signal);
  else
    {
      /* It happens again and ends the program; abort sees to that itself.  */
      struct sigaction none = { .sa_handler = SIG_DFL };
      sigaction (signal, &none, NULL);
    }
}

void
fake_install_handlers (void)
{
  static bool done;
  static const int signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT };
  if (done)
    return;
  done = true;
  for (size_t i = 0; i < sizeof (signals) / sizeof (signals[0]); i++)
    {
      struct sigaction sa = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_NODEFER };
      sigaction (signals[i], &sa, &before[signals[i]]);
    }
}

CUresult
fake_guarded (CUresult (*function) (void *), void *arg)
{
  sigjmp_buf here, *outer = guard;
  int signal = sigsetjmp (here, 1);
  if (signal == 0)
    {
      guard = &here;
      CUresult result = function (arg);
      guard = outer;
      return result;
    }
  guard = outer;
  return signal == SIGABRT ? CUDA_ERROR_LAUNCH_FAILED
	 : signal == SIGILL || signal == SIGTRAP ? CUDA_ERROR_ILLEGAL_INSTRUCTION
	 : CUDA_ERROR_ILLEGAL_ADDRESS;
}

/* ---- streams ---- */

/* No operation begins while held; fake_lock.  */
static bool held;
static pthread_cond_t released = PTHREAD_COND_INITIALIZER;

void
fake_cuda_hold (bool hold)
{
  pthread_mutex_lock (&fake_lock);
  held = hold;
  pthread_cond_broadcast (&released);
  pthread_mutex_unlock (&fake_lock);
}

/* The stream's thread.  */
static void *
execute (void *arg)
{
  struct CUstream_st *s = arg;
  pthread_mutex_lock (&fake_lock);
  for (;;)
    {
      while (s->head == NULL && !s->object.gone)
	pthread_cond_wait (&s->work, &fake_lock);
      struct fake_op *op = s->head;
      if (op == NULL)
	break;
      while (held)
	pthread_cond_wait (&released, &fake_lock);
      if (s->object.ctx->error == CUDA_SUCCESS)
	{
	  pthread_mutex_unlock (&fake_lock);
	  CUresult result = fake_execute (op->name);
	  if (result == CUDA_SUCCESS)
	    result = op->run (op);
	  fake_log ("done %s stream %p", op->name, (void *) s);
	  pthread_mutex_lock (&fake_lock);
	  if (result != CUDA_SUCCESS)
	    fake_kill_context (s->object.ctx, result);
	}
      s->head = op->next;
      if (s->head == NULL)
	s->tail = &s->head;
      s->executed = op->number;
      pthread_cond_broadcast (&s->progress);
      if (op->drop != NULL)
	op->drop (op);
      free (op);
    }
  pthread_mutex_unlock (&fake_lock);
  return NULL;
}

struct CUstream_st *
fake_new_stream (struct CUctx_st *ctx, unsigned flags, int priority, bool is_null)
{
  struct CUstream_st *s = fake_new (sizeof (*s), FAKE_STREAM, ctx);
  s->flags = flags;
  s->priority = priority;
  s->is_null = is_null;
  s->tail = &s->head;
  pthread_cond_init (&s->work, NULL);
  pthread_cond_init (&s->progress, NULL);
  s->next = ctx->streams;
  ctx->streams = s;
  return s;
}

struct CUstream_st *
fake_stream (CUstream handle, struct CUctx_st *ctx, CUresult *status)
{
  *status = CUDA_SUCCESS;
  /* 1 and 2: the legacy and the per-thread default stream.  */
  if (handle == NULL || (uintptr_t) handle <= 2)
    return ctx->null_stream;
  if (!fake_is (handle, FAKE_STREAM, "stream"))
    {
      *status = CUDA_ERROR_INVALID_HANDLE;
      return NULL;
    }
  if (handle->object.ctx != ctx)
    {
      fake_misuse ("a stream is used while another context is current");
      *status = CUDA_ERROR_INVALID_HANDLE;
      return NULL;
    }
  return handle;
}

static void
append (struct CUstream_st *s, struct fake_op *op)
{
  op->stream = s;
  op->number = ++s->enqueued;
  op->next = NULL;
  *s->tail = op;
  s->tail = &op->next;
  if (!s->started)
    {
      pthread_t thread;
      sigset_t all, old;
      fake_install_handlers ();
      /* Signals are the program's.  */
      sigfillset (&all);
      sigdelset (&all, SIGSEGV), sigdelset (&all, SIGBUS), sigdelset (&all, SIGILL);
      sigdelset (&all, SIGTRAP), sigdelset (&all, SIGABRT);
      pthread_sigmask (SIG_SETMASK, &all, &old);
      if (pthread_create (&thread, NULL, execute, s) != 0)
	abort ();
      pthread_setname_np (thread, "cuda-stand-in");	/* the driver's threads: cuda00001400006, cuda-EvtHandlr */
      pthread_detach (thread);
      pthread_sigmask (SIG_SETMASK, &old, NULL);
      s->started = true;
    }
  pthread_cond_signal (&s->work);
}

/* ---- waiting of one stream for another ---- */

struct wait_op
{
  struct fake_op op;
  struct CUstream_st *for_stream;
  uint64_t number;
};

static CUresult
run_wait (struct fake_op *op)
{
  struct wait_op *w = (struct wait_op *) op;
  pthread_mutex_lock (&fake_lock);
  while (w->for_stream->executed < w->number)
    pthread_cond_wait (&w->for_stream->progress, &fake_lock);
  pthread_mutex_unlock (&fake_lock);
  return CUDA_SUCCESS;
}

static void
append_wait (struct CUstream_st *s, struct CUstream_st *for_stream, uint64_t number)
{
  if (for_stream->executed >= number)
    return;
  struct wait_op *w = calloc (1, sizeof (*w));
  w->op.name = "wait";
  w->op.run = run_wait;
  w->for_stream = for_stream;
  w->number = number;
  append (s, &w->op);
}

bool
fake_comes_after (struct CUstream_st *s, uint64_t up_to, struct CUstream_st *other, uint64_t number)
{
  if (s == other)
    return up_to >= number;
  for (struct fake_op *op = s->head; op != NULL && op->number <= up_to; op = op->next)
    if (op->run == run_wait)
      {
	struct wait_op *w = (struct wait_op *) op;
	if (fake_comes_after (w->for_stream, w->number, other, number))
	  return true;
      }
  return other->executed >= number;
}

uint64_t
fake_enqueue (struct CUstream_st *s, struct fake_op *op)
{
  struct CUctx_st *ctx = s->object.ctx;
  /* The legacy default stream and all blocking streams wait for each other.  */
  if (s->is_null)
    {
      for (struct CUstream_st *other = ctx->streams; other != NULL; other = other->next)
	if (other != s && (other->flags & CU_STREAM_NON_BLOCKING) == 0)
	  append_wait (s, other, other->enqueued);
    }
  else if ((s->flags & CU_STREAM_NON_BLOCKING) == 0)
    append_wait (s, ctx->null_stream, ctx->null_stream->enqueued);
  append (s, op);
  return op->number;
}

CUresult
fake_wait_for (struct CUstream_st *s, uint64_t number)
{
  struct CUctx_st *ctx = s->object.ctx;
  while (s->executed < number && ctx->error == CUDA_SUCCESS)
    pthread_cond_wait (&s->progress, &fake_lock);
  return ctx->error;
}

CUresult
fake_wait_context (struct CUctx_st *ctx)
{
  /* Streams do not leave the list while somebody waits for them: those that are destroyed stay
     until they are empty.  */
  for (struct CUstream_st *s = ctx->streams; s != NULL && ctx->error == CUDA_SUCCESS; s = s->next)
    fake_wait_for (s, s->enqueued);
  fake_flush_prints (ctx);
  return ctx->error;
}

CUresult
cuStreamCreateWithPriority (CUstream *stream, unsigned flags, int priority)
{
  ENTER (cuStreamCreateWithPriority);
  if (stream == NULL || flags > CU_STREAM_NON_BLOCKING)
    return CUDA_ERROR_INVALID_VALUE;
  NEED_CONTEXT (ctx);
  *stream = fake_new_stream (ctx, flags, priority, false);
  pthread_mutex_unlock (&fake_lock);
  return CUDA_SUCCESS;
}

CUresult
cuStreamCreate (CUstream *stream, unsigned flags)
{
  ENTER (cuStreamCreate);
  if (stream == NULL || flags > CU_STREAM_NON_BLOCKING)
    return CUDA_ERROR_INVALID_VALUE;
  NEED_CONTEXT (ctx);
  *stream = fake_new_stream (ctx, flags, 0, false);
  pthread_mutex_unlock (&fake_lock);
  return CUDA_SUCCESS;
}

/* The stream that HANDLE names in a call that needs no current context; with the lock held.  */
static struct CUstream_st *
named_stream (CUstream handle, CUresult *status)
{
  if ((uintptr_t) handle <= 2)
    {
      struct CUctx_st *ctx = fake_current (status);
      return ctx != NULL ? ctx->null_stream : NULL;
    }
  if (!fake_is (handle, FAKE_STREAM, "stream"))
    {
      *status = CUDA_ERROR_INVALID_HANDLE;
      return NULL;
    }
  return fake_context_ok (handle->object.ctx, status) ? handle : NULL;
}

CUresult
cuStreamDestroy_v2 (CUstream stream)
{
  ENTER (cuStreamDestroy_v2);
  CUresult result = CUDA_ERROR_INVALID_HANDLE;
  pthread_mutex_lock (&fake_lock);
  if (stream != NULL && fake_is (stream, FAKE_STREAM, "stream"))
    {
      result = stream->object.ctx->error;
      stream->object.gone = true;
      pthread_cond_signal (&stream->work);
    }
  pthread_mutex_unlock (&fake_lock);
  return result;
}

CUresult
cuStreamSynchronize (CUstream stream)
{
  ENTER (cuStreamSynchronize);
  CUresult result;
  pthread_mutex_lock (&fake_lock);
  struct CUstream_st *s = named_stream (stream, &result);
  if (s != NULL)
    {
      if (s->is_null)
	for (struct CUstream_st *other = s->object.ctx->streams; other != NULL; other = other->next)
	  if ((other->flags & CU_STREAM_NON_BLOCKING) == 0)
	    fake_wait_for (other, other->enqueued);
      result = fake_wait_for (s, s->enqueued);
      fake_flush_prints (s->object.ctx);
    }
  pthread_mutex_unlock (&fake_lock);
  return result;
}

CUresult
cuStreamQuery (CUstream stream)
{
  ENTER (cuStreamQuery);
  CUresult result;
  pthread_mutex_lock (&fake_lock);
  struct CUstream_st *s = named_stream (stream, &result);
  if (s != NULL && s->executed < s->enqueued)
    result = CUDA_ERROR_NOT_READY;
  pthread_mutex_unlock (&fake_lock);
  return result;
}

CUresult
cuStreamGetCtx (CUstream stream, CUcontext *context)
{
  ENTER (cuStreamGetCtx);
  CUresult result;
  pthread_mutex_lock (&fake_lock);
  struct CUstream_st *s = named_stream (stream, &result);
  if (s != NULL)
    *context = s->object.ctx;
  pthread_mutex_unlock (&fake_lock);
  return result;
}

/* ---- events ---- */

CUresult
cuEventCreate (CUevent *event, unsigned flags)
{
  ENTER (cuEventCreate);
  /* 4: for other processes, without times.  */
  if (event == NULL || flags > 7 || ((flags & 4) != 0 && (flags & CU_EVENT_DISABLE_TIMING) == 0))
    return CUDA_ERROR_INVALID_VALUE;
  NEED_CONTEXT (ctx);
  struct CUevent_st *e = fake_new (sizeof (*e), FAKE_EVENT, ctx);
  e->flags = flags;
  *event = e;
  pthread_mutex_unlock (&fake_lock);
  return CUDA_SUCCESS;
}

CUresult
cuEventDestroy_v2 (CUevent event)
{
  ENTER (cuEventDestroy_v2);
  CUresult result = CUDA_ERROR_INVALID_HANDLE;
  pthread_mutex_lock (&fake_lock);
  if (fake_is (event, FAKE_EVENT, "event"))
    {
      result = event->object.ctx->error;
      event->object.gone = true;
    }
  pthread_mutex_unlock (&fake_lock);
  return result;
}

struct event_op
{
  struct fake_op op;
  struct CUevent_st *event;
};

static CUresult
run_event (struct fake_op *op)
{
  struct CUevent_st *event = ((struct event_op *) op)->event;
  pthread_mutex_lock (&fake_lock);
  /* Unless it was recorded again.  */
  if (event->stream == op->stream && event->number == op->number)
    {
      const char *clock = getenv ("FAKE_CUDA_CLOCK");
      event->time = clock != NULL && strcmp (clock, "kernels") == 0 ? op->stream->taken : fake_now ();
    }
  pthread_mutex_unlock (&fake_lock);
  return CUDA_SUCCESS;
}

CUresult
cuEventRecord (CUevent event, CUstream stream)
{
  ENTER (cuEventRecord);
  CUresult result;
  pthread_mutex_lock (&fake_lock);
  struct CUstream_st *s = named_stream (stream, &result);
  if (s != NULL && !fake_is (event, FAKE_EVENT, "event"))
    result = CUDA_ERROR_INVALID_HANDLE;
  else if (s != NULL && event->object.ctx != s->object.ctx)
    {
      fake_misuse ("an event is recorded in a stream of another context");
      result = CUDA_ERROR_INVALID_HANDLE;
    }
  else if (s != NULL)
    {
      struct event_op *op = calloc (1, sizeof (*op));
      op->op.name = "event";
      op->op.run = run_event;
      op->event = event;
      event->stream = s;
      event->time = 0;
      event->number = fake_enqueue (s, &op->op);
    }
  pthread_mutex_unlock (&fake_lock);
  return result;
}

/* EVENT in a call that needs no current context, with the lock held.  */
static bool
named_event (CUevent event, CUresult *status)
{
  if (!fake_is (event, FAKE_EVENT, "event"))
    {
      *status = CUDA_ERROR_INVALID_HANDLE;
      return false;
    }
  return fake_context_ok (event->object.ctx, status);
}

CUresult
cuEventQuery (CUevent event)
{
  ENTER (cuEventQuery);
  CUresult result;
  pthread_mutex_lock (&fake_lock);
  if (named_event (event, &result) && event->stream != NULL
      && event->stream->executed < event->number)
    result = CUDA_ERROR_NOT_READY;
  pthread_mutex_unlock (&fake_lock);
  return result;
}

CUresult
cuEventSynchronize (CUevent event)
{
  ENTER (cuEventSynchronize);
  CUresult result;
  pthread_mutex_lock (&fake_lock);
  if (named_event (event, &result) && event->stream != NULL)
    {
      result = fake_wait_for (event->stream, event->number);
      fake_flush_prints (event->stream->object.ctx);
    }
  pthread_mutex_unlock (&fake_lock);
  return result;
}

CUresult
cuEventElapsedTime (float *ms, CUevent from, CUevent to)
{
  ENTER (cuEventElapsedTime);
  CUresult result;
  pthread_mutex_lock (&fake_lock);
  if (named_event (from, &result) && named_event (to, &result))
    {
      if (from->stream == NULL || to->stream == NULL
	  || ((from->flags | to->flags) & CU_EVENT_DISABLE_TIMING) != 0)
	result = CUDA_ERROR_INVALID_HANDLE;
      else if (from->stream->executed < from->number || to->stream->executed < to->number)
	result = CUDA_ERROR_NOT_READY;
      else
	*ms = (float) ((double) (int64_t) (to->time - from->time) / 1e6);
    }
  pthread_mutex_unlock (&fake_lock);
  return result;
}

CUresult
cuStreamWaitEvent (CUstream stream, CUevent event, unsigned flags)
{
  ENTER (cuStreamWaitEvent);
  CUresult result;
  if (flags > 1)
    return CUDA_ERROR_INVALID_VALUE;
  pthread_mutex_lock (&fake_lock);
  struct CUstream_st *s = named_stream (stream, &result);
  if (s != NULL && named_event (event, &result) && event->stream != NULL && event->stream != s)
    append_wait (s, event->stream, event->number);
  pthread_mutex_unlock (&fake_lock);
  return result;
}

/* ---- values and callbacks ---- */

struct value_op
{
  struct fake_op op;
  _Atomic uint32_t *word;
  uint32_t value;
  bool wait, equal;
};

static CUresult
run_value (struct fake_op *op)
{
  struct value_op *v = (struct value_op *) op;
  if (!v->wait)
    {
      /* Release: what the stream has done before is visible to who reads it.  */
      fake_set ((const void *) v->word, 4);
      atomic_store_explicit (v->word, v->value, memory_order_release);
      return CUDA_SUCCESS;
    }
  for (;;)
    {
      uint32_t now = atomic_load_explicit (v->word, memory_order_acquire);
      if (v->equal ? now == v->value : (int32_t) (now - v->value) >= 0)
	return CUDA_SUCCESS;
      /* Relaxed: as a kernel, it ends a little later.  */
      if (atomic_load_explicit (&v->op.stream->object.ctx->xstop, memory_order_relaxed) != 0)
	return CUDA_SUCCESS;
      const struct timespec moment = { .tv_nsec = 20000 };
      nanosleep (&moment, NULL);
    }
}

static CUresult
enqueue_value (CUstream stream, CUdeviceptr address, uint32_t value, unsigned flags, bool wait)
{
  CUresult result;
  pthread_mutex_lock (&fake_lock);
  struct CUstream_st *s = named_stream (stream, &result);
  const struct fake_block *block = fake_find (address, 1);
  /* These don't take managed memory.  */
  if (s != NULL && (address % 4 != 0 || flags > 1 || (block != NULL && block->kind == FAKE_MANAGED_BLOCK)
		    || !fake_may_move (s->object.ctx, address, 4, "a value of a stream")))
    result = CUDA_ERROR_INVALID_VALUE;
  else if (s != NULL)
    {
      struct value_op *op = calloc (1, sizeof (*op));
      op->op.name = wait ? "wait-value" : "value";
      op->op.run = run_value;
      op->word = fake_host_view (address);
      op->value = value;
      op->wait = wait;
      op->equal = flags == CU_STREAM_WAIT_VALUE_EQ;
      fake_enqueue (s, &op->op);
    }
  pthread_mutex_unlock (&fake_lock);
  return result;
}

CUresult
cuStreamWriteValue32_v2 (CUstream stream, CUdeviceptr address, uint32_t value, unsigned flags)
{
  ENTER (cuStreamWriteValue32_v2);
  return enqueue_value (stream, address, value, flags, false);
}

CUresult
cuStreamWaitValue32_v2 (CUstream stream, CUdeviceptr address, uint32_t value, unsigned flags)
{
  ENTER (cuStreamWaitValue32_v2);
  return enqueue_value (stream, address, value, flags, true);
}

CUresult
cuStreamBatchMemOp_v2 (CUstream stream, unsigned count, CUstreamBatchMemOpParams *operations,
		       unsigned flags)
{
  ENTER (cuStreamBatchMemOp_v2);
  CUresult result = flags != 0 || count == 0 || count >= 256 || operations == NULL ? CUDA_ERROR_INVALID_VALUE
		    : CUDA_SUCCESS;
  for (unsigned i = 0; i < count && result == CUDA_SUCCESS; i++)
    switch (operations[i].operation)
      {
      case CU_STREAM_MEM_OP_WRITE_VALUE_32:
      case CU_STREAM_MEM_OP_WAIT_VALUE_32:
	result = enqueue_value (stream, operations[i].value.address, operations[i].value.value,
				operations[i].value.flags,
				operations[i].operation == CU_STREAM_MEM_OP_WAIT_VALUE_32);
	break;
      default:
	result = CUDA_ERROR_NOT_SUPPORTED;
      }
  return result;
}

struct host_op
{
  struct fake_op op;
  CUhostFn function;
  void *data;
};

static CUresult
run_host (struct fake_op *op)
{
  struct host_op *h = (struct host_op *) op;
  fake_in_callback = true;
  h->function (h->data);
  fake_in_callback = false;
  return CUDA_SUCCESS;
}

CUresult
cuLaunchHostFunc (CUstream stream, CUhostFn function, void *data)
{
  ENTER (cuLaunchHostFunc);
  CUresult result;
  if (function == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  pthread_mutex_lock (&fake_lock);
  struct CUstream_st *s = named_stream (stream, &result);
  if (s != NULL)
    {
      struct host_op *op = calloc (1, sizeof (*op));
      op->op.name = "host-function";
      op->op.run = run_host;
      op->function = function;
      op->data = data;
      fake_enqueue (s, &op->op);
    }
  pthread_mutex_unlock (&fake_lock);
  return result;
}
