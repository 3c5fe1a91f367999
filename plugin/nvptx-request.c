/* nvptx-request.c -- what a process that links is asked for, what it answers, and how it is told to stop.

   A request is a file in memory, which nobody can change any more when it is handed on:

	head | sizes of the objects | uid, settings and name, each with a NUL | texts of the objects

   Answers go through a socket, on which anything that comes the other way means: stop.  Nothing is believed of what is
   read: sizes, counts, NULs, seals and a hash are checked.

   No state.  Part of the plugin and of gompx-nvptx-link.  */

#include "nvptx-request.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MFD_NOEXEC_SEAL
# define MFD_NOEXEC_SEAL 8U
#endif

struct head
{
  char magic[8];
  uint32_t version, num, num_ours, quiet;
  uint64_t size, hash;		/* of all, but for the hash */
};

static const char magic[8] = { "GOMPXLR\n" };

enum { VERSION = 2, MOST_OBJECTS = 1 << 20, ANSWER_MAGIC = 0x584c4e41, NUM_STRINGS = 3 };
enum { SEALS = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW };
#define MOST_BYTES (UINT64_C (1) << 32)

_Static_assert (sizeof (struct nvptx_answer) <= PIPE_BUF, "an answer is written in one piece");

static uint64_t
hash_of (const char *memory, size_t size)
{
  struct head head = *(const struct head *) memory;
  const struct nvptx_object parts[]
    = { { (const char *) &head, sizeof (head) }, { memory + sizeof (head), size - sizeof (head) } };

  head.hash = 0;
  return nvptx_cache_hash (parts, 2);
}

/* ---- requests ---- */

static void
fill (char *memory, const struct nvptx_request *r, size_t size)
{
  const char *const strings[NUM_STRINGS] = { r->uid, r->settings, r->what };
  struct head *h = (struct head *) memory;
  uint64_t *sizes = (uint64_t *) (h + 1);
  char *p = (char *) (sizes + r->num);

  for (size_t i = 0; i < NUM_STRINGS; i++)
    p = stpcpy (p, strings[i]) + 1;
  for (size_t i = 0; i < r->num; i++)
    {
      sizes[i] = r->objects[i].size;
      p = mempcpy (p, r->objects[i].text, r->objects[i].size);
    }
  *h = (struct head) {
    .version = VERSION, .num = r->num, .num_ours = r->num_ours, .quiet = r->quiet, .size = size
  };
  memcpy (h->magic, magic, sizeof (magic));
  h->hash = hash_of (memory, size);
}

/* 0, or an error number.  */
static int
write_all (int fd, const char *p, size_t size)
{
  while (size > 0)
    {
      ssize_t n = write (fd, p, size);
      if (n == 0 || (n < 0 && errno != EINTR))
	return n == 0 ? EIO : errno;
      p += n > 0 ? n : 0;
      size -= n > 0 ? n : 0;
    }
  return 0;
}

/* May the process have a file of SIZE bytes?  Going beyond the limit would be a signal.  */
static bool
may_have (uint64_t size)
{
  struct rlimit limit;
  return size <= MOST_BYTES
	 && (getrlimit (RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || size <= limit.rlim_cur);
}

int
nvptx_request_write (const struct nvptx_request *r)
{
  uint64_t size = sizeof (struct head) + r->num * sizeof (uint64_t) + strlen (r->uid) + strlen (r->settings)
		  + strlen (r->what) + NUM_STRINGS;

  for (size_t i = 0; i < r->num; i++)
    size += r->objects[i].size;
  if (r->num > MOST_OBJECTS || !may_have (size))
    {
      errno = EFBIG;
      return -1;
    }
  int fd = memfd_create (NVPTX_CHILD_PROGRAM, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
  if (fd < 0 && errno == EINVAL)	/* an older kernel */
    fd = memfd_create (NVPTX_CHILD_PROGRAM, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0)
    return -1;
  /* It is written, not mapped: a child that the program forks meanwhile would have it mapped, too, and then it cannot be sealed.  */
  char *memory = malloc (size);
  int error = memory != NULL ? 0 : ENOMEM;
  if (error == 0)
    {
      fill (memory, r, size);
      error = write_all (fd, memory, size);
    }
  free (memory);
  if (error == 0 && fcntl (fd, F_ADD_SEALS, SEALS) != 0)
    error = errno;
  if (error == 0)
    return fd;
  close (fd);
  errno = error;
  return -1;
}

/* Find the parts in R->memory, whose head is right.  NULL, or what is wrong.  */
static const char *
find_parts (struct nvptx_request *r)
{
  const struct head *h = r->memory;
  const uint64_t *sizes = (const uint64_t *) (h + 1);
  const char **const strings[NUM_STRINGS] = { &r->uid, &r->settings, &r->what };
  const char *end = (const char *) r->memory + r->size, *p = (const char *) (sizes + h->num);

  for (size_t i = 0; i < NUM_STRINGS; i++)
    {
      const char *nul = memchr (p, 0, end - p);
      if (nul == NULL)
	return "a text has no end";
      *strings[i] = p;
      p = nul + 1;
    }
  for (size_t i = 0; i < h->num; i++)
    {
      if (sizes[i] == 0 || sizes[i] > (size_t) (end - p) || memchr (p, 0, sizes[i]) != p + sizes[i] - 1)
	return "the size of an object is wrong";
      r->objects[i] = (struct nvptx_object) { p, sizes[i] };
      p += sizes[i];
    }
  return p == end ? NULL : "it is too long";
}

static const char *
check (struct nvptx_request *r)
{
  const struct head *h = r->memory;

  if (memcmp (h->magic, magic, sizeof (magic)) != 0 || h->version != VERSION)
    return "it is none, or of another version";
  if (h->size != r->size || h->num == 0 || h->num > MOST_OBJECTS || h->num_ours > h->num
      || h->quiet > NVPTX_MOST_QUIET
      || r->size - sizeof (*h) < h->num * sizeof (uint64_t))
    return "its sizes are wrong";
  if (h->hash != hash_of (r->memory, r->size))
    return "it is damaged";
  r->num = h->num;
  r->num_ours = h->num_ours;
  r->quiet = h->quiet;
  r->objects = malloc (r->num * sizeof (*r->objects));
  return r->objects == NULL ? "there is no memory" : find_parts (r);
}

bool
nvptx_request_read (int fd, struct nvptx_request *r, const char **why)
{
  struct stat st;
  int seals = fcntl (fd, F_GET_SEALS);

  memset (r, 0, sizeof (*r));
  *why = "there is none";
  if (seals < 0 || fstat (fd, &st) != 0)
    return false;
  *why = "it can be changed";
  if ((seals & SEALS) != SEALS)
    return false;
  *why = "its size is wrong";
  if (st.st_size < (off_t) sizeof (struct head) || (uint64_t) st.st_size > MOST_BYTES)
    return false;
  *why = "there is no memory";
  r->memory = mmap (NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (r->memory == MAP_FAILED)
    {
      r->memory = NULL;
      return false;
    }
  r->size = st.st_size;
  *why = check (r);
  if (*why == NULL)
    return true;
  nvptx_request_free (r);
  return false;
}

void
nvptx_request_free (struct nvptx_request *r)
{
  free (r->objects);
  if (r->memory != NULL)
    munmap (r->memory, r->size);
  memset (r, 0, sizeof (*r));
}

/* ---- answers ---- */

bool
nvptx_answer_send (int fd, struct nvptx_answer *a)
{
  ssize_t n;

  a->magic = ANSWER_MAGIC;
  a->why[sizeof (a->why) - 1] = 0;
  do
    n = send (fd, a, sizeof (*a), MSG_NOSIGNAL);
  while (n < 0 && errno == EINTR);
  return n == sizeof (*a);
}

int
nvptx_answer_receive (int fd, int ms, struct nvptx_answer *a)
{
  struct pollfd p = { .fd = fd, .events = POLLIN };
  int ready = poll (&p, 1, ms);

  if (ready == 0 || (ready < 0 && errno == EINTR))
    return 0;
  if (ready < 0 || read (fd, a, sizeof (*a)) != sizeof (*a) || a->magic != ANSWER_MAGIC)
    return -1;
  a->why[sizeof (a->why) - 1] = 0;
  return 1;
}

/* ---- the end before the end ---- */

void
nvptx_stop_send (int fd)
{
  char word = 0;
  ssize_t n;

  do
    n = send (fd, &word, sizeof (word), MSG_NOSIGNAL | MSG_DONTWAIT);
  while (n < 0 && errno == EINTR);
}

bool
nvptx_stop_await (int fd)
{
  char word;
  ssize_t n;

  do
    n = recv (fd, &word, sizeof (word), 0);
  while (n < 0 && errno == EINTR);
  return n > 0;
}
