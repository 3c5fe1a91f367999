/* gompx.h -- what code in target regions can ask of the host while the region runs.

   An extension of gompx.  A header only: programs need no other library and no other options.  They run
   everywhere: on the host the functions do their work at once, and where nobody serves (a device library
   or a host library that is not gompx) each says so by what it returns.  doc/reverse-offload.md, "Services", tells more; examples/progress.c, log.c and more-work.c show it.

     #pragma omp requires reverse_offload	(GCC 13 and newer: so that somebody serves)
     #include <gompx.h>

   On a GPU all lanes of a thread call these functions together: not in simd code.  */

#ifndef GOMPX_H
#define GOMPX_H 1

#include <stddef.h>

#ifndef GOMPX_INTERFACE_ONLY
# include <dlfcn.h>
# include <string.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that travel with a call at most.  */
#define GOMPX_CALL_BYTES 960

/* A function of the host that device code may call, with SIZE bytes that it may change.  */
typedef long gompx_host_function (void *data, size_t size);
/* The name of one: a value that regions get like any other (firstprivate).  0: there is none.  */
typedef unsigned long long gompx_function;

/* ---- the request, between this header and the library ---- */

enum gompx_operation
{
  GOMPX_CALL = 2, GOMPX_WRITE, GOMPX_OPEN, GOMPX_CLOSE, GOMPX_ALLOC, GOMPX_FREE,
  GOMPX_PRINTF			/* the device library's own */
};

/* DO: ask, and wait for the answer.  ISSUE: only ask.  TEST: is the answer there?  WAIT for it.  */
enum gompx_mode { GOMPX_DO, GOMPX_ISSUE, GOMPX_TEST, GOMPX_WAIT };
enum gompx_state { GOMPX_NOBODY, GOMPX_ISSUED, GOMPX_DONE, GOMPX_FAILED };

typedef struct gompx_request
{
  unsigned operation, mode;
  unsigned state;		/* out; stays GOMPX_NOBODY where nobody serves */
  unsigned size;		/* of the data; out: of the answer's */
  unsigned long long function, argument;
  void *data;			/* the answer goes there, too; at most ROOM bytes */
  unsigned long long room;
  unsigned long long value;	/* out */
  unsigned long long ticket[2];	/* the library's, from ISSUE to WAIT */
} gompx_request;

/* A call of GOMP_target_ext on the device with no function is a request, and is ignored by libraries
   that do not know it.  */
#define GOMPX_REQUEST 0x67706d78

#ifndef GOMPX_INTERFACE_ONLY	/* the library has functions of its own */

/* Compilers disagree about the name of this.  */
# if defined __GNUC__ && !defined __clang__ && __GNUC__ < 13
#  define GOMPX_TARGET_BEGIN _Pragma ("omp declare target")
# else
#  define GOMPX_TARGET_BEGIN _Pragma ("omp begin declare target")
# endif
# define GOMPX_TARGET_END _Pragma ("omp end declare target")

extern void GOMP_target_ext (int, void (*) (void *), size_t, void **, size_t *, unsigned short *,
			     unsigned, void **, void **);
/* omp_is_initial_device, by a name that compilers do not know: GCC 16 takes it to be true in all code for
   the host, which the regions of a device in a process of its own are, too.  */
extern int gompx_is_initial_device (void) __asm__ ("omp_is_initial_device");

GOMPX_TARGET_BEGIN

/* On the host: is its library gompx?  */
static int gompx_serves __attribute__ ((unused));

static inline void
gompx_ask (gompx_request *r, unsigned mode)
{
  r->mode = mode;
  if (gompx_serves || !gompx_is_initial_device ())
    GOMP_target_ext (-2, NULL, GOMPX_REQUEST, (void **) r, NULL, NULL, 0, NULL, NULL);
}

GOMPX_TARGET_END

static void __attribute__ ((constructor, unused))
gompx_look (void)
{
  gompx_serves = dlsym (NULL, "gompx_register_function") != NULL;
}

/* ---- calls ---- */

/* On the host: let device code call FN.  */
static inline gompx_function
gompx_register (gompx_host_function *fn)
{
  union { void *object; int (*enter) (gompx_host_function *); } library;
  library.object = dlsym (NULL, "gompx_register_function");
  return library.object == NULL || !library.enter (fn) ? 0 : (gompx_function) (size_t) fn;
}

GOMPX_TARGET_BEGIN

/* Begin to call F with SIZE bytes at DATA, at most GOMPX_CALL_BYTES; they may change at once.  The thread
   goes on.  R is the caller's and keeps until gompx_call_wait.  0, or -1: nobody serves.  A thread should
   have only a few calls under way.  */
static inline int
gompx_call_issue (gompx_request *r, gompx_function f, const void *data, size_t size)
{
  memset (r, 0, sizeof (*r));
  if (f == 0 || size > GOMPX_CALL_BYTES)
    return -1;
  r->operation = GOMPX_CALL;
  r->function = f;
  r->data = (void *) data;
  r->size = (unsigned) size;
  gompx_ask (r, GOMPX_ISSUE);
  return r->state == GOMPX_NOBODY ? -1 : 0;
}

/* Has the function returned?  */
static inline int
gompx_call_test (gompx_request *r)
{
  if (r->state == GOMPX_ISSUED)
    gompx_ask (r, GOMPX_TEST);
  return r->state != GOMPX_ISSUED;
}

/* Wait until it has; what it returned, or -1.  DATA, unless it is null, gets the bytes as the function left
   them: as many as were sent.  */
static inline long
gompx_call_wait (gompx_request *r, void *data)
{
  if (r->state != GOMPX_ISSUED && r->state != GOMPX_DONE)
    return -1;
  r->data = data;
  r->room = data != NULL ? r->size : 0;
  gompx_ask (r, GOMPX_WAIT);
  return r->state == GOMPX_DONE ? (long) r->value : -1;
}

/* Call F and wait.  */
static inline long
gompx_call (gompx_function f, void *data, size_t size)
{
  gompx_request r;
  return gompx_call_issue (&r, f, data, size) == 0 ? gompx_call_wait (&r, data) : -1;
}

/* ---- output ---- */

/* A file of the host: 1 is its standard output, 2 its standard error.  */
typedef long gompx_file;

static inline long
gompx_request_do (unsigned operation, unsigned long long argument, const void *data, size_t size)
{
  gompx_request r;
  memset (&r, 0, sizeof (r));
  r.operation = operation;
  r.argument = argument;
  r.data = (void *) data;
  r.size = (unsigned) size;
  gompx_ask (&r, GOMPX_DO);
  return r.state == GOMPX_DONE ? (long) r.value : -1;
}

/* Append SIZE bytes, which are not mixed with those of others up to GOMPX_CALL_BYTES.  How many were
   written, or -1.  They are in the file when this returns.  */
static inline long
gompx_write (gompx_file file, const void *data, size_t size)
{
  long done = 0;
  while ((size_t) done < size)
    {
      size_t part = size - done < GOMPX_CALL_BYTES ? size - done : GOMPX_CALL_BYTES;
      long n = gompx_request_do (GOMPX_WRITE, file, (const char *) data + done, part);
      if (n < 0)
	return -1;
      done += n;
      if ((size_t) n < part)
	break;
    }
  return done;
}

static inline long
gompx_puts (gompx_file file, const char *text)
{
  return gompx_write (file, text, strlen (text));
}

/* Open a file of the host for writing; MODE is "w" or "a".  -1: it cannot be opened, or nobody serves.  */
static inline gompx_file
gompx_open (const char *name, const char *mode)
{
  size_t size = strlen (name) + 1;
  return size > GOMPX_CALL_BYTES ? -1 : gompx_request_do (GOMPX_OPEN, mode[0] == 'a', name, size);
}

static inline long
gompx_close (gompx_file file)
{
  return gompx_request_do (GOMPX_CLOSE, file, NULL, 0);
}

/* ---- memory ---- */

/* Memory that the host supplies, when that of the device's own heap, which is small, is not enough.  On
   a GPU it is the host's memory, across the bus.  Lives until gompx_free or the end of the program.  Null:
   there is none.  */
static inline void *
gompx_alloc (size_t size)
{
  long p = gompx_request_do (GOMPX_ALLOC, size, NULL, 0);
  return p != -1 ? (void *) p : NULL;
}

static inline void
gompx_free (void *p)
{
  if (p != NULL)
    gompx_request_do (GOMPX_FREE, (size_t) p, NULL, 0);
}

GOMPX_TARGET_END

#endif /* !GOMPX_INTERFACE_ONLY */

#ifdef __cplusplus
}
#endif

#endif /* GOMPX_H */
