/* nvptx-cache.c -- linked images on disk, so that the next start of a program needs no JIT.

   One file for each linked image, a small one for what nvptx-tune.c has learned about it, and one for what nvptx-start.c wants to
   know before it is found, in one directory of the user: GOMP_CACHE_DIR, or gompx in
   $XDG_CACHE_HOME or in ~/.cache.  A file holds a header, the whole key and the cubin, or whatever is kept:

	header | text of the key | objects (PTX) | cubin

   The key is stored and compared byte by byte, so that there is no hash to be trusted: the hash of
   the key only makes the file's name.  That costs the size of the PTX on disk and less time than a
   cryptographic hash of it would (0.9 MB: 0.2 ms to hash, read and compare).  A second
   hash, of the cubin, finds damage.  (A linked image whose place is known from another file of the cache is found by the
   hashes and sizes in its header: that file's own key was compared.)  The hash multiplies and folds, 16 bytes in a step, and needs to
   withstand accidents only: whoever can write into the directory is the user.

   Invariants
   1. A file is complete and never changes, apart from its time: it is written under another name and
      renamed.  Writers do not know of each other; the last one wins, with equal contents.
   2. Nothing is believed of a file: type, owner, size, key and hashes are checked at each use, in
      memory that nobody else can change.  What does not fit counts as absent and is replaced.
   3. A directory that is not the user's, that others may write to, or that is a symbolic link is
      not used.  Inside it no symbolic link is followed, and nothing is removed that has not the
      name of an entry.
   4. The files together take at most GOMP_CACHE_SIZE, apart from what is being written: behind each
      new one the longest unused ones go.  Reading one makes it young.
   5. No failure here is an error: the image is linked as if there were no cache.
   6. Set-user-ID programs use none (core->getenv hides directories from them).
   7. A claim is a record lock of fcntl on a file beside the entry: it goes with the process, however that ends, a child of fork
      has no part in it, and it is seen by other machines where a network file system has locks.  Who
      has it removes the file before giving it back; a lock on a file that is not there any more by its name is none.  Claims
      save work only: without one, or with two, the entry is right as well.

   8. Turns (nvptx_cache_turn) are such locks, too, on files that stay: what they keep from happening at the same time must be over
      before the next one has it, so the lock goes when the process ends.  Their names have a number of the machine, as its
      processors are what is shared out.

   No mutex: settings are fixed by nvptx_cache_init, everything else is in the calls' own memory.  */

#include "nvptx-cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* At the begin of a file.  Numbers are the machine's own: another one's do not fit.  */
struct header
{
  char magic[8];
  uint32_t version;
  uint32_t header_size;
  uint64_t key_size;
  uint64_t cubin_size;
  uint64_t key_hash;
  uint64_t cubin_hash;
  uint64_t header_hash;		/* of everything before */
};

static const char magic[8] = { "GOMPXCU\n" };

enum
{
  VERSION = 1,
  NAME_LENGTH = 16,		/* hexadecimal digits, then the suffix */
  TOUCH_AFTER = 3600,		/* seconds: younger files need no new time */
  STALE_AFTER = 3600,		/* seconds: what a killed writer left behind */
  CLAIM_TRIES = 100,
  CHUNK = 1 << 16
};

/* All of one length.  */
enum { SUFFIX_SIZE = sizeof (".cubin") };
static const char suffixes[NVPTX_CACHE_KINDS][SUFFIX_SIZE]
  = { [NVPTX_CACHE_LINKED] = ".cubin", [NVPTX_CACHE_TEAMS] = ".teams", [NVPTX_CACHE_START] = ".start" };
#define NEW_PREFIX ".new-"
#define CLAIM_SUFFIX ".link"	/* behind NEW_PREFIX and an entry's digits */
#define TURN_SUFFIX ".turn"	/* behind NEW_PREFIX and the machine's digits, before the place */
#define DEFAULT_LIMIT (UINT64_C (512) << 20)
#define MAX_CUBIN (UINT64_C (1) << 30)

static const struct gomp_plugin_core *cache_core;
static uint64_t cache_limit;	/* 0: no cache */
static char parent_path[PATH_MAX];	/* of the directory, if that may have to be made; or "" */
static char cache_path[PATH_MAX];

/* ---- settings ---- */

/* n[B | K | M | G | T].  */
static bool
read_size (const char *text, uint64_t *size)
{
  char *end;
  while (*text == ' ')
    text++;
  if (*text < '0' || *text > '9')
    return false;
  errno = 0;
  uint64_t n = strtoull (text, &end, 10);
  static const char units[] = "bkmgt";
  const char *unit = *end == 0 ? NULL : strchr (units, *end | 0x20);
  unsigned shift = unit == NULL ? 0 : (unit - units) * 10;
  if (unit != NULL)
    end++;
  while (*end == ' ')
    end++;
  if (errno != 0 || *end != 0 || n > UINT64_MAX >> shift)
    return false;
  *size = n << shift;
  return true;
}

static bool __attribute__ ((format (printf, 2, 3)))
set_path (char path[PATH_MAX], const char *fmt, ...)
{
  va_list args;
  va_start (args, fmt);
  int n = vsnprintf (path, PATH_MAX, fmt, args);
  va_end (args);
  return n > 0 && n < PATH_MAX && path[0] == '/';
}

static bool
choose_directory (const struct gomp_plugin_core *core)
{
  const char *dir = core->getenv ("GOMP_CACHE_DIR", true);
  if (dir != NULL && *dir != 0)
    return set_path (cache_path, "%s", dir);
  dir = core->getenv ("XDG_CACHE_HOME", true);
  if (dir != NULL && *dir == '/')
    return set_path (parent_path, "%s", dir) && set_path (cache_path, "%s/gompx", dir);
  dir = core->getenv ("HOME", true);
  return dir != NULL && *dir != 0
	 && set_path (parent_path, "%s/.cache", dir) && set_path (cache_path, "%s/.cache/gompx", dir);
}

gomp_status_t
nvptx_cache_init (const struct gomp_plugin_core *core)
{
  const char *use = core->getenv ("GOMP_CACHE", false);
  const char *size = core->getenv ("GOMP_CACHE_SIZE", false);
  uint64_t limit = DEFAULT_LIMIT;

  cache_core = core;
  cache_limit = 0;
  parent_path[0] = cache_path[0] = 0;
  if (use != NULL && strcasecmp (use, "on") != 0 && strcasecmp (use, "off") != 0)
    {
      core->set_error ("GOMP_CACHE is neither on nor off: %s", use);
      return GOMP_INVALID;
    }
  if (size != NULL && !read_size (size, &limit))
    {
      core->set_error ("GOMP_CACHE_SIZE is not a size: %s", size);
      return GOMP_INVALID;
    }
  if (use != NULL && strcasecmp (use, "off") == 0)
    return GOMP_OK;
  if (choose_directory (core))
    cache_limit = limit;
  else
    core->debug (1, "no cache of linked images: there is no directory with an absolute name for it");
  return GOMP_OK;
}

/* ---- the hash ---- */

static inline uint64_t
fold (uint64_t a, uint64_t b)
{
  unsigned __int128 p = (unsigned __int128) a * b;
  return (uint64_t) p ^ (uint64_t) (p >> 64);
}

/* Constants: digits of pi.  Two lanes, so that one's multiplication does not wait for the other's.  */
static uint64_t
hash (uint64_t seed, const void *data, size_t size)
{
  const unsigned char *p = data;
  uint64_t w[4], a = seed ^ UINT64_C (0x243f6a8885a308d3), b = size;
  size_t left;

  for (left = size; left >= sizeof (w); left -= sizeof (w), p += sizeof (w))
    {
      memcpy (w, p, sizeof (w));
      a = fold (w[0] ^ UINT64_C (0x13198a2e03707345), w[1] ^ a);
      b = fold (w[2] ^ UINT64_C (0xa4093822299f31d1), w[3] ^ b);
    }
  if (left > 0)
    {
      memset (w, 0, sizeof (w));
      memcpy (w, p, left);
      a = fold (w[0] ^ UINT64_C (0x13198a2e03707345), w[1] ^ a);
      b = fold (w[2] ^ UINT64_C (0xa4093822299f31d1), w[3] ^ b);
    }
  return fold (a ^ UINT64_C (0x082efa98ec4e6c89), b ^ UINT64_C (0x452821e638d01377));
}

/* What is known of a key before the file is looked at.  */
struct digest
{
  uint64_t size, hash;
  char name[NAME_LENGTH + SUFFIX_SIZE];
};

static void
name_entry (struct digest *d, enum nvptx_cache_kind kind)
{
  snprintf (d->name, sizeof (d->name), "%016" PRIx64 "%s", d->hash, suffixes[kind]);
}

static void
digest_key (const struct nvptx_cache_key *key, struct digest *d)
{
  d->size = strlen (key->text) + 1;
  d->hash = hash (VERSION, key->text, d->size);
  for (size_t i = 0; i < key->num_objects; i++)
    {
      d->size += key->objects[i].size;
      d->hash = hash (d->hash, key->objects[i].text, key->objects[i].size);
    }
  name_entry (d, key->kind);
}

uint64_t
nvptx_cache_hash (const struct nvptx_object *objects, size_t num)
{
  uint64_t h = VERSION;
  for (size_t i = 0; i < num; i++)
    h = hash (h, objects[i].text, objects[i].size);
  return h;
}

static void
fill_header (struct header *h, const struct digest *d, const void *cubin, size_t size)
{
  memset (h, 0, sizeof (*h));
  memcpy (h->magic, magic, sizeof (magic));
  h->version = VERSION;
  h->header_size = sizeof (*h);
  h->key_size = d->size;
  h->cubin_size = size;
  h->key_hash = d->hash;
  h->cubin_hash = hash (0, cubin, size);
  h->header_hash = hash (0, h, offsetof (struct header, header_hash));
}

/* ---- files ---- */

/* The directory, or -1.  MAKE: make it if it is not there.  */
static int
open_directory (bool make)
{
  struct stat st;

  if (cache_limit == 0)
    return -1;
  if (make)
    {
      if (parent_path[0] != 0)
	mkdir (parent_path, 0700);	/* mostly there already; the next line shows */
      if (mkdir (cache_path, 0700) != 0 && errno != EEXIST)
	{
	  cache_core->debug (1, "no cache of linked images: %s: %s", cache_path, strerror (errno));
	  return -1;
	}
    }
  int dir = open (cache_path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (dir < 0)
    {
      if (make || errno != ENOENT)
	cache_core->debug (1, "no cache of linked images: %s: %s", cache_path, strerror (errno));
      return -1;
    }
  if (fstat (dir, &st) != 0 || st.st_uid != geteuid () || (st.st_mode & 022) != 0)
    {
      cache_core->debug (1, "no cache of linked images: %s belongs to somebody else, or others may "
			 "write to it", cache_path);
      close (dir);
      return -1;
    }
  return dir;
}

static bool
read_all (int fd, void *data, size_t size)
{
  char *p = data;
  while (size > 0)
    {
      ssize_t n = read (fd, p, size);
      if (n < 0 && errno == EINTR)
	continue;
      if (n <= 0)
	return false;
      p += n;
      size -= n;
    }
  return true;
}

static bool
write_all (int fd, const void *data, size_t size)
{
  const char *p = data;
  while (size > 0)
    {
      ssize_t n = write (fd, p, size);
      if (n < 0 && errno == EINTR)
	continue;
      if (n <= 0)
	return false;
      p += n;
      size -= n;
    }
  return true;
}

/* Are the next SIZE bytes of the file those at DATA?  */
static bool
same_bytes (int fd, const char *data, size_t size, char chunk[CHUNK])
{
  while (size > 0)
    {
      size_t n = size < CHUNK ? size : CHUNK;
      if (!read_all (fd, chunk, n) || memcmp (chunk, data, n) != 0)
	return false;
      data += n;
      size -= n;
    }
  return true;
}

static bool
same_key (int fd, const struct nvptx_cache_key *key)
{
  char *chunk = malloc (CHUNK);
  bool same = chunk != NULL && same_bytes (fd, key->text, strlen (key->text) + 1, chunk);
  for (size_t i = 0; same && i < key->num_objects; i++)
    same = same_bytes (fd, key->objects[i].text, key->objects[i].size, chunk);
  free (chunk);
  return same;
}

/* The header of the open file FD.  False, with the reason in *WHY: it is none of ours, or damaged.  */
static bool
read_header (int fd, struct header *h, struct stat *st, const char **why)
{
  *why = "it is not a file of this user";
  if (fstat (fd, st) != 0 || !S_ISREG (st->st_mode) || st->st_uid != geteuid ())
    return false;
  *why = "its header is damaged";
  if (!read_all (fd, h, sizeof (*h)) || memcmp (h->magic, magic, sizeof (magic)) != 0
      || h->version != VERSION || h->header_size != sizeof (*h)
      || h->header_hash != hash (0, h, offsetof (struct header, header_hash)))
    return false;
  *why = "its size is wrong";
  return h->cubin_size != 0 && h->cubin_size <= MAX_CUBIN && h->key_size <= (uint64_t) st->st_size
	 && (uint64_t) st->st_size == sizeof (*h) + h->key_size + h->cubin_size;
}

/* What follows the key in the open file FD, or NULL with the reason in *WHY.  */
static void *
read_cubin (int fd, const struct header *h, const struct stat *st, const char **why)
{
  *why = "its cubin is damaged";
  void *cubin = malloc (h->cubin_size);
  if (cubin == NULL || !read_all (fd, cubin, h->cubin_size)
      || hash (0, cubin, h->cubin_size) != h->cubin_hash)
    {
      free (cubin);
      return NULL;
    }
  if (time (NULL) - st->st_mtime > TOUCH_AFTER)
    futimens (fd, NULL);	/* a read-only file system: it ages, no more */
  return cubin;
}

/* The cubin in the open file FD, or NULL with the reason in *WHY.  */
static void *
read_entry (int fd, const struct nvptx_cache_key *key, const struct digest *d, size_t *size,
	    const char **why)
{
  struct stat st;
  struct header h;

  if (!read_header (fd, &h, &st, why))
    return NULL;
  *why = "it belongs to something else";
  if (h.key_size != d->size || h.key_hash != d->hash)
    return NULL;
  *why = "its key is another one";
  if (!same_key (fd, key))
    return NULL;
  *size = h.cubin_size;
  return read_cubin (fd, &h, &st, why);
}

/* The cubin that the open file FD has if it is the one in PLACE, or NULL with the reason in *WHY.  */
static void *
read_place (int fd, const struct nvptx_cache_place *place, const char **why)
{
  struct stat st;
  struct header h;

  if (!read_header (fd, &h, &st, why))
    return NULL;
  *why = "it belongs to something else";
  if (h.key_size != place->key_size || h.key_hash != place->key_hash || h.cubin_size != place->cubin_size
      || h.cubin_hash != place->cubin_hash || lseek (fd, h.key_size, SEEK_CUR) < 0)
    return NULL;
  return read_cubin (fd, &h, &st, why);
}

const char *
nvptx_cache_directory (void)
{
  return cache_limit != 0 ? cache_path : NULL;
}

bool
nvptx_cache_keeps (void)
{
  int dir = open_directory (true);
  bool keeps = dir >= 0 && faccessat (dir, ".", W_OK, AT_EACCESS) == 0;
  if (dir >= 0)
    close (dir);
  return keeps;
}

/* Open the entry called NAME, or -1.  */
static int
open_entry (const char *name)
{
  int dir = open_directory (false);

  if (dir < 0)
    return -1;
  /* Not blocking: it could be a pipe.  */
  int fd = openat (dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0 && errno != ENOENT)
    cache_core->debug (1, "%s/%s: %s", cache_path, name, strerror (errno));
  close (dir);
  return fd;
}

/* The open entry D was read.  WHY: it is not used, because of that; or NULL.  */
static void
close_entry (int fd, const struct digest *d, const char *why)
{
  close (fd);
  if (why != NULL)
    cache_core->debug (1, "%s/%s is not used: %s", cache_path, d->name, why);
}

bool
nvptx_cache_find (const struct nvptx_cache_key *key, void **cubin, size_t *size)
{
  struct digest d;
  const char *why;

  if (cache_limit == 0)
    return false;
  digest_key (key, &d);
  int fd = open_entry (d.name);
  if (fd < 0)
    return false;
  *cubin = read_entry (fd, key, &d, size, &why);
  close_entry (fd, &d, *cubin == NULL ? why : NULL);
  return *cubin != NULL;
}

struct nvptx_cache_place
nvptx_cache_place (const struct nvptx_cache_key *key, const void *cubin, size_t size)
{
  struct digest d;
  digest_key (key, &d);
  return (struct nvptx_cache_place) { d.hash, d.size, hash (0, cubin, size), size };
}

void *
nvptx_cache_take (const struct nvptx_cache_place *place)
{
  struct digest d = { .hash = place->key_hash };
  const char *why;

  if (place->cubin_size == 0)
    return NULL;
  name_entry (&d, NVPTX_CACHE_LINKED);
  int fd = open_entry (d.name);
  if (fd < 0)
    return NULL;
  void *cubin = read_place (fd, place, &why);
  close_entry (fd, &d, cubin == NULL ? why : NULL);
  return cubin;
}

/* ---- the bound ---- */

struct entry
{
  struct timespec used;
  uint64_t size;
  char name[NAME_LENGTH + SUFFIX_SIZE];
};

static bool
is_entry_name (const char *name)
{
  if (strspn (name, "0123456789abcdef") != NAME_LENGTH)
    return false;
  for (size_t i = 0; i < NVPTX_CACHE_KINDS; i++)
    if (strcmp (name + NAME_LENGTH, suffixes[i]) == 0)
      return true;
  return false;
}

static int
oldest_first (const void *a, const void *b)
{
  const struct timespec *x = &((const struct entry *) a)->used;
  const struct timespec *y = &((const struct entry *) b)->used;
  return x->tv_sec != y->tv_sec ? (x->tv_sec < y->tv_sec ? -1 : 1)
	 : x->tv_nsec < y->tv_nsec ? -1 : x->tv_nsec > y->tv_nsec;
}

/* All entries of the directory, in memory of malloc; removes what killed writers left.  */
static struct entry *
list_entries (int dir, DIR *stream, size_t *num)
{
  struct entry *all = NULL;
  size_t n = 0, room = 0;

  for (struct dirent *e; (e = readdir (stream)) != NULL; )
    {
      struct stat st;
      bool entry = is_entry_name (e->d_name);
      if ((!entry && strncmp (e->d_name, NEW_PREFIX, sizeof (NEW_PREFIX) - 1) != 0)
	  || fstatat (dir, e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 || S_ISDIR (st.st_mode))
	continue;
      if (!entry)
	{
	  if (time (NULL) - st.st_mtime > STALE_AFTER)
	    unlinkat (dir, e->d_name, 0);
	  continue;
	}
      if (n == room)
	{
	  struct entry *more = realloc (all, (room + 64) * sizeof (*all));
	  if (more == NULL)
	    break;
	  all = more;
	  room += 64;
	}
      all[n].used = st.st_mtim;
      all[n].size = st.st_size;
      memcpy (all[n].name, e->d_name, sizeof (all[n].name));
      n++;
    }
  *num = n;
  return all;
}

/* Remove the longest unused entries until the rest fits.  */
static void
trim (int dir)
{
  int fd = openat (dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *stream = fd >= 0 ? fdopendir (fd) : NULL;
  size_t n = 0;
  uint64_t total = 0;

  if (stream == NULL)
    {
      if (fd >= 0)
	close (fd);
      return;
    }
  struct entry *all = list_entries (dir, stream, &n);
  closedir (stream);
  for (size_t i = 0; i < n; i++)
    total += all[i].size;
  if (total > cache_limit)
    qsort (all, n, sizeof (*all), oldest_first);
  for (size_t i = 0; i < n && total > cache_limit; i++)
    {
      unlinkat (dir, all[i].name, 0);	/* another process may have been faster */
      total -= all[i].size;
    }
  free (all);
}

static bool
write_entry (int fd, const struct nvptx_cache_key *key, const struct digest *d, const void *cubin,
	     size_t size)
{
  struct header h;
  fill_header (&h, d, cubin, size);
  bool done = write_all (fd, &h, sizeof (h)) && write_all (fd, key->text, strlen (key->text) + 1);
  for (size_t i = 0; done && i < key->num_objects; i++)
    done = write_all (fd, key->objects[i].text, key->objects[i].size);
  return done && write_all (fd, cubin, size);
}

/* Is there room for a file of SIZE bytes, by our own bound and by the process's, which ends programs
   that go beyond it?  */
static bool
may_write (uint64_t size)
{
  struct rlimit limit;
  return size <= cache_limit
	 && (getrlimit (RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY
	     || size <= limit.rlim_cur);
}

bool
nvptx_cache_store (const struct nvptx_cache_key *key, const void *cubin, size_t size)
{
  struct digest d;
  uint64_t random;
  char name[sizeof (NEW_PREFIX) + 16];

  digest_key (key, &d);
  if (size == 0 || size > MAX_CUBIN || !may_write (sizeof (struct header) + d.size + size))
    return false;
  int dir = open_directory (true);
  if (dir < 0)
    return false;
  /* Processes of several machines may share the directory, so a process number is no good name.  */
  if (getrandom (&random, sizeof (random), GRND_NONBLOCK) != sizeof (random))
    {
      struct timespec now;
      clock_gettime (CLOCK_REALTIME, &now);
      random = hash (getpid (), &now, sizeof (now));
    }
  snprintf (name, sizeof (name), NEW_PREFIX "%016" PRIx64, random);
  int fd = openat (dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  bool made = fd >= 0, done = made && write_entry (fd, key, &d, cubin, size);
  if (made && close (fd) != 0)
    done = false;
  if (done)
    done = renameat (dir, name, dir, d.name) == 0;
  if (done)
    trim (dir);
  else
    {
      cache_core->debug (1, "%s/%s cannot be written: %s", cache_path, d.name, strerror (errno));
      if (made)
	unlinkat (dir, name, 0);
    }
  close (dir);
  return done;
}

/* ---- claims ---- */

/* Open and lock CLAIM's file.  -1, with errno 0: that has been removed meanwhile.  */
static int
lock_file (const struct nvptx_claim *claim)
{
  struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
  struct stat st, named;
  int fd = openat (claim->dir, claim->name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0600);

  if (fd < 0)
    return -1;
  int error = 0;
  if (fstat (fd, &st) != 0)
    error = errno;
  else if (!S_ISREG (st.st_mode) || st.st_uid != geteuid ())
    error = EPERM;
  else if (fcntl (fd, F_SETLK, &whole) != 0)
    error = errno == EACCES ? EAGAIN : errno;	/* POSIX has either, for a lock of somebody else's */
  else if (fstatat (claim->dir, claim->name, &named, AT_SYMLINK_NOFOLLOW) == 0 && named.st_dev == st.st_dev
	   && named.st_ino == st.st_ino)
    {
      futimens (fd, NULL);	/* what a killed process left may be so old that trim removes it */
      return fd;
    }
  close (fd);
  errno = error;
  return -1;
}

/* Lock the file that CLAIM names, which stays open.  */
static enum nvptx_claim_result
claim_file (struct nvptx_claim *claim)
{
  claim->dir = open_directory (true);
  if (claim->dir < 0)
    return NVPTX_CLAIM_NONE;
  for (unsigned i = 0; i < CLAIM_TRIES; i++)
    {
      claim->file = lock_file (claim);
      if (claim->file >= 0)
	return NVPTX_CLAIMED;
      if (errno != 0)
	break;
    }
  enum nvptx_claim_result result = errno == EAGAIN ? NVPTX_CLAIM_TAKEN : NVPTX_CLAIM_NONE;
  if (result == NVPTX_CLAIM_NONE)
    cache_core->debug (1, "%s/%s cannot be locked: %s", cache_path, claim->name, strerror (errno));
  close (claim->dir);
  return result;
}

enum nvptx_claim_result
nvptx_cache_claim (const struct nvptx_cache_key *key, struct nvptx_claim *claim)
{
  struct digest d;

  digest_key (key, &d);
  snprintf (claim->name, sizeof (claim->name), NEW_PREFIX "%.*s" CLAIM_SUFFIX, NAME_LENGTH, d.name);
  return claim_file (claim);
}

void
nvptx_cache_unclaim (struct nvptx_claim *claim)
{
  unlinkat (claim->dir, claim->name, 0);
  close (claim->file);
  close (claim->dir);
}

/* ---- turns ---- */

/* A number for this machine since its start.  Containers of one machine have the same.  */
static uint64_t
hash_machine (void)
{
  char id[64];
  struct utsname name;
  int fd = open ("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  ssize_t n = fd >= 0 ? read (fd, id, sizeof (id)) : -1;

  if (fd >= 0)
    close (fd);
  if (n > 0)
    return hash (0, id, n);
  return uname (&name) == 0 ? hash (0, name.nodename, strlen (name.nodename)) : 0;
}

enum nvptx_claim_result
nvptx_cache_turn (unsigned place)
{
  struct nvptx_claim turn;

  snprintf (turn.name, sizeof (turn.name), NEW_PREFIX "%016" PRIx64 TURN_SUFFIX "%u", hash_machine (), place);
  return claim_file (&turn);
}
