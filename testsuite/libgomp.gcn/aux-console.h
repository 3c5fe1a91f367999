/* aux-console.h -- the plugin's gcn-console.c without a device, for tests that play the device.  */

#include "../../plugin/gcn-console.c"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

static int failures __attribute__ ((unused));
#define CHECK(condition)						\
  do									\
    if (!(condition))							\
      {									\
	fprintf (stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);	\
	failures++;							\
      }									\
  while (0)

/* ---- what the rest of the plugin would be ---- */

static struct gcn_launches aux_launches;
static struct gcn_queue aux_queue;
static int aux_reverse;		/* only its address counts */
static struct gomp_plugin_device aux_device = { .launches = &aux_launches };
static _Atomic uint32_t aux_done;	/* the last kernel that has ended */
static int aux_complaints;
static char aux_error[500];
static jmp_buf aux_back;
static bool aux_ended, aux_aborted;
static int aux_status;

static void
aux_set_error (const char *fmt, ...)
{
  va_list args;
  va_start (args, fmt);
  vsnprintf (aux_error, sizeof (aux_error), fmt, args);
  va_end (args);
}

static void
aux_debug (int level, const char *fmt, ...)
{
  (void) fmt;
  aux_complaints += level == 0;
}

static void __attribute__ ((noreturn))
aux_end_process (void *device, int status, bool aborted)
{
  (void) device;
  aux_ended = true;
  aux_status = status;
  aux_aborted = aborted;
  longjmp (aux_back, 1);
}

/* CODE may end the process.  */
#define AUX_ENDS(code)							\
  do									\
    {									\
      aux_ended = false;						\
      if (setjmp (aux_back) == 0)					\
	{								\
	  code;								\
	}								\
    }									\
  while (0)

static const struct gomp_plugin_core aux_core
  = { .set_error = aux_set_error, .debug = aux_debug, .end_process = aux_end_process };
const struct gomp_plugin_core *gcn_core = &aux_core;

gomp_status_t
gcn_no_memory (void)
{
  return GOMP_OUT_OF_HOST_MEMORY;
}

gomp_status_t
gcn_shared_new (struct gomp_plugin_device *dev, size_t size, void **ptr, const char *what)
{
  (void) dev;
  (void) what;
  *ptr = malloc (size);
  memset (*ptr, 0xdb, size);
  return GOMP_OK;
}

void
gcn_shared_delete (struct gomp_plugin_device *dev, void *ptr)
{
  (void) dev;
  free (ptr);
}

bool
gcn_reached (struct gcn_queue *q, uint32_t number)
{
  (void) q;
  return (int32_t) (atomic_load (&aux_done) - number) >= 0;
}

static struct gcn_console *
aux_open (bool serves)
{
  struct gcn_console *c = NULL;
  pthread_mutex_init (&aux_device.lock, NULL);
  if (serves)
    aux_device.reverse = (struct gcn_reverse *) &aux_reverse;
  if (gcn_console_new (&aux_device, &aux_queue, &c) != GOMP_OK)
    abort ();
  return c;
}

static void __attribute__ ((unused))
aux_close (void)
{
  gcn_consoles_close (&aux_device);
  pthread_mutex_destroy (&aux_device.lock);
}

/* ---- the device ---- */

/* As the C library does it: reserve a record and wait until it is free.  */
static struct gcn_record * __attribute__ ((unused))
aux_record (struct gcn_console *c, int type, const char *msg)
{
  uint32_t i = atomic_fetch_add (&c->output->xnext, 1);
  while (i >= GCN_RECORDS && (int32_t) (atomic_load (&c->output->xconsumed) - (i - GCN_RECORDS)) <= 0)
    usleep (100);
  struct gcn_record *r = &c->output->records[i % GCN_RECORDS];
  r->type = type;
  memset (r->msg, 0, sizeof (r->msg));
  memset (&r->u, 0, sizeof (r->u));
  strcpy (r->msg, msg);
  return r;
}

static void __attribute__ ((unused))
aux_write (struct gcn_record *r)
{
  atomic_store (&r->xwritten, 1);
}

/* ---- what is printed ---- */

static FILE *out __attribute__ ((unused));

/* From now on standard output goes to OUT.  */
static void __attribute__ ((unused))
aux_capture (void)
{
  out = tmpfile ();
  if (out == NULL || dup2 (fileno (out), 1) < 0)
    abort ();
}
