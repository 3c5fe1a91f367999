/* service.c -- services of the host for code in regions: calls of functions, files, memory.

   Invariants
   1. Functions are called only if the program has registered them; files and memory are looked up in
      tables.  What a device sends is data, never an address that is used.
   2. No lock is held while a function of the program runs or a file is written; a file that
      is closed meanwhile is closed when it was written.
   3. Tables only grow, up to MOST_*.  */

#include "service.h"
#include "host/worker.h"
#include "plugin/reverse-proto.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_FUNCTIONS = 1024, MOST_FILES = 64, FIRST_FILE = 3 };

struct memory
{
  struct memory *next;
  struct gomp_device *dev;	/* NULL: of the process */
  void *start;
};

struct file
{
  FILE *stream;			/* NULL: free */
  unsigned users;		/* threads that write */
  bool closing;
};

/* GOMP_RANK_NONE, a leaf: what follows.  */
static gomp_mutex_t services_lock;
static gompx_host_function *functions[MOST_FUNCTIONS] GOMP_RARE;
/* The first ones are there.  Stored with release: looked at without the lock.  */
static _Atomic (unsigned) xnum_functions;
static struct file files[MOST_FILES] GOMP_RARE;
static struct memory *memories;

/* ---- functions ---- */

int gompx_register_function (gompx_host_function *) __attribute__ ((visibility ("default")));

/* For include/gompx.h: false when there are too many.  */
int
gompx_register_function (gompx_host_function *fn)
{
  gomp_mutex_lock (&services_lock);
  unsigned n = gomp_load_relaxed (&xnum_functions), i = 0;	/* under the lock */
  while (i < n && functions[i] != fn)
    i++;
  if (i == n && n < MOST_FUNCTIONS)
    {
      functions[n] = fn;
      gomp_store_release (&xnum_functions, n + 1);	/* release: the entry */
    }
  gomp_mutex_unlock (&services_lock);
  return i < MOST_FUNCTIONS;
}

static bool
call (uint64_t function, void *data, size_t size, uint64_t *value)
{
  /* Acquire: the entries.  */
  unsigned n = gomp_load_acquire (&xnum_functions);
  for (unsigned i = 0; i < n; i++)
    if ((uint64_t) functions[i] == function)
      {
	*value = (uint64_t) functions[i] (data, size);
	return true;
      }
  return false;
}

/* ---- files ---- */

static bool
open_file (uint64_t append, const char *name, size_t size, uint64_t *value)
{
  if (size == 0 || name[size - 1] != '\0')
    return false;
  FILE *stream = fopen (name, append ? "a" : "w");
  if (stream == NULL)
    return false;
  unsigned i = 0;
  gomp_mutex_lock (&services_lock);
  while (i < MOST_FILES && files[i].stream != NULL)
    i++;
  if (i < MOST_FILES)
    files[i] = (struct file) { .stream = stream };
  gomp_mutex_unlock (&services_lock);
  if (i == MOST_FILES)
    fclose (stream);
  *value = FIRST_FILE + i;
  return i < MOST_FILES;
}

/* A use of FILE ends; the last one closes it.  */
static bool
end_use (struct file *file)
{
  FILE *stream = NULL;
  gomp_mutex_lock (&services_lock);
  if (--file->users == 0 && file->closing)
    {
      stream = file->stream;
      file->stream = NULL;
    }
  gomp_mutex_unlock (&services_lock);
  return stream == NULL || fclose (stream) == 0;
}

/* NULL: there is none.  */
static struct file *
begin_use (uint64_t number, bool closing)
{
  struct file *file = NULL;
  gomp_mutex_lock (&services_lock);
  if (number >= FIRST_FILE && number < FIRST_FILE + MOST_FILES)
    {
      file = &files[number - FIRST_FILE];
      if (file->stream == NULL || file->closing)
	file = NULL;
      else
	{
	  file->users++;
	  file->closing = closing;
	}
    }
  gomp_mutex_unlock (&services_lock);
  return file;
}

static bool
write_file (uint64_t number, const void *data, size_t size, uint64_t *value)
{
  struct file *file = number < FIRST_FILE ? NULL : begin_use (number, false);
  FILE *stream = number == 1 ? stdout : number == 2 ? stderr : file != NULL ? file->stream : NULL;
  if (stream == NULL)
    return false;
  flockfile (stream);
  *value = fwrite (data, 1, size, stream);
  bool ok = fflush (stream) == 0;
  funlockfile (stream);
  if (file != NULL)
    end_use (file);
  return ok;
}

static bool
close_file (uint64_t number, uint64_t *value)
{
  struct file *file = begin_use (number, true);
  *value = 0;
  return file != NULL && end_use (file);
}

/* ---- memory ---- */

static bool
allocate (struct gomp_device *dev, uint64_t size, uint64_t *value)
{
  struct memory *memory = malloc (sizeof (*memory));
  if (memory == NULL || size > (uint64_t) PTRDIFF_MAX)
    {
      free (memory);
      return false;
    }
  memory->dev = dev;
  memory->start = dev != NULL ? gomp_pinned_alloc (dev, size > 0 ? size : 1) : malloc (size > 0 ? size : 1);
  if (memory->start == NULL)
    {
      free (memory);
      return false;
    }
  gomp_mutex_lock (&services_lock);
  memory->next = memories;
  memories = memory;
  gomp_mutex_unlock (&services_lock);
  *value = (uint64_t) memory->start;
  return true;
}

static bool
release (struct gomp_device *dev, uint64_t start, uint64_t *value)
{
  struct memory *memory = NULL;
  gomp_mutex_lock (&services_lock);
  for (struct memory **p = &memories; *p != NULL; p = &(*p)->next)
    if ((*p)->dev == dev && (uint64_t) (*p)->start == start)
      {
	memory = *p;
	*p = memory->next;
	break;
      }
  gomp_mutex_unlock (&services_lock);
  *value = 0;
  if (memory == NULL)
    return false;
  if (dev != NULL)
    gomp_pinned_free (dev, memory->start);
  else
    free (memory->start);
  free (memory);
  return true;
}

/* ---- requests ---- */

/* DEV is NULL for memory of the process.  DATA may change.  False: it cannot be done.  */
static bool
serve (struct gomp_device *dev, unsigned operation, uint64_t function, uint64_t argument, void *data,
       size_t size, uint64_t *value)
{
  switch (operation)
    {
    case GOMPX_CALL:
      return call (function, data, size, value);
    case GOMPX_WRITE:
      return write_file (argument, data, size, value);
    case GOMPX_OPEN:
      return open_file (argument, data, size, value);
    case GOMPX_CLOSE:
      return close_file (argument, value);
    case GOMPX_ALLOC:
      return allocate (dev, argument, value);
    case GOMPX_FREE:
      return release (dev, argument, value);
    default:
      return false;
    }
}

int
gomp_service_serve (struct gomp_device *dev, struct gomp_reverse_slot *slot)
{
  /* Once: the device may write there at any time.  */
  const volatile struct gomp_reverse_slot *request = slot;
  const unsigned type = request->type;
  const uint64_t function = request->function, argument = request->addrs, size = request->count;
  /* What is read and checked is the copy.  A function may do with its argument what it likes for as
     long as it likes.  */
  _Alignas (16) unsigned char copy[GOMP_REVERSE_DATA];
  uint64_t value = 0;
  bool ok;

  if (type < GOMPX_CALL || type > GOMPX_PRINTF || size > GOMP_REVERSE_DATA)
    return GOMP_REVERSE_UNKNOWN_TYPE;
  memcpy (copy, slot->data, size);
  if (type == GOMPX_PRINTF)
    {
      value = (uint64_t) gomp_service_print (copy, size);
      ok = value != (uint64_t) -1;
    }
  else
    ok = serve (dev, type, function, argument, copy, size, &value);
  if (type == GOMPX_CALL)
    memcpy (slot->data, copy, size);
  slot->count = type == GOMPX_CALL ? size : 0;
  slot->function = value;
  return ok ? GOMP_REVERSE_OK : GOMP_REVERSE_FAILED;
}

/* Code that runs on the host asks: everything is done at once.  A call that is only issued keeps what the
   function left in its data until it is waited for.  */
static void
ask_here (struct gompx_request *r)
{
  uint64_t value = 0;
  bool ok;

  switch (r->mode)
    {
    case GOMPX_DO:
      ok = serve (NULL, r->operation, r->function, r->argument, r->data, r->size, &value);
      break;
    case GOMPX_ISSUE:
      r->ticket[0] = (uint64_t) gomp_malloc (r->size + 1);
      if (r->size > 0)
	memcpy ((void *) r->ticket[0], r->data, r->size);
      ok = serve (NULL, r->operation, r->function, r->argument, (void *) r->ticket[0], r->size,
		  &value);
      if (!ok)
	free ((void *) r->ticket[0]);
      break;
    case GOMPX_WAIT:
      if (r->size > 0 && r->room > 0)
	memcpy (r->data, (void *) r->ticket[0], r->size < r->room ? r->size : r->room);
      free ((void *) r->ticket[0]);
      return;
    default:			/* GOMPX_TEST */
      return;
    }
  r->value = value;
  r->state = ok ? GOMPX_DONE : GOMPX_FAILED;
}

bool
gomp_service_ask (size_t mapnum, void **hostaddrs)
{
  struct gompx_request *r = (struct gompx_request *) hostaddrs;
  int saved = errno;

  if (mapnum != GOMPX_REQUEST || r == NULL)
    return false;
  /* A worker has memory of its own; the rest is the host's.  */
  if (gomp_worker.active && r->operation != GOMPX_ALLOC && r->operation != GOMPX_FREE)
    gomp_worker_ask (r);
  else
    ask_here (r);
  errno = saved;
  return true;
}
