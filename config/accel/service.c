/* service.c -- what code on the device asks of the host through include/gompx.h.

   The header calls GOMP_target_ext without a function (reverse.c).  A request that is only issued keeps its
   slot until it is waited for: ticket is the slot and the number of the request in it.  */

#include "call.h"

#ifndef GOMPX_INTERFACE_ONLY
# define GOMPX_INTERFACE_ONLY 1
#endif
#include "../../include/gompx.h"

#pragma omp declare target

/* What the host made of it, and its answer's bytes.  */
REMOTE_INLINE void
finish (struct accel_call *c, struct gompx_request *r, uint64_t room)
{
  unsigned status = GOMPX_HEAD_TYPE (accel_call_word (c, GOMPX_ANSWER_HEAD));
  unsigned words = GOMPX_HEAD_WORDS (accel_call_word (c, GOMPX_ANSWER_HEAD));
  uint64_t bytes = words > GOMPX_ANSWER_DATA ? (words - GOMPX_ANSWER_DATA) * 4 : 0;

  r->value = accel_call_value (c);
  r->state = status == ACCEL_CALL_OK ? GOMPX_DONE
	     : status == ACCEL_CALL_UNKNOWN ? GOMPX_NOBODY : GOMPX_FAILED;
  accel_call_bring (c, GOMPX_ANSWER_DATA, r->data, bytes < room ? bytes : room);
  accel_call_end (c);
}

/* The slot of a request that was issued.  */
REMOTE_INLINE void
resume (struct accel_call *c, const struct gompx_request *r)
{
  accel_call_resume (c);
  c->index = (unsigned) r->ticket[0];
  c->number = (uint32_t) r->ticket[1];
  c->slot = &c->area->slots[c->index];
  c->delay = 0;
}

void
accel_service (void *request)
{
  struct gompx_request *r = request;
  struct accel_call c;

  if (r->mode == GOMPX_TEST || r->mode == GOMPX_WAIT)
    {
      resume (&c, r);
      if (r->mode == GOMPX_TEST)
	{
	  if (accel_call_is_done (&c))
	    r->state = GOMPX_DONE;
	  return;
	}
      accel_call_await (&c);
      finish (&c, r, r->room);
      return;
    }
  /* A slot has no room for more; the header cuts its data to pieces.  */
  if (r->size > GOMPX_CALL_BYTES || !accel_call_begin (&c))
    return;
  c.type = r->operation;
  c.function = r->function;
  c.argument = r->argument;
  accel_call_set_data (&c, r->data, r->size);
  accel_call_send (&c);
  if (r->mode == GOMPX_ISSUE)
    {
      r->ticket[0] = c.index;
      r->ticket[1] = c.number;
      r->state = GOMPX_ISSUED;
      return;
    }
  accel_call_await (&c);
  finish (&c, r, r->operation == GOMPX_CALL ? r->size : 0);
}

#pragma omp end declare target
