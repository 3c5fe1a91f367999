/* aux-cache.h -- for tests of the cache of linked images: the cache itself, made part of the program,
   with an environment of the test's and a directory that is empty at first.  */

#define _GNU_SOURCE 1
#include "../../plugin/nvptx-cache.c"

#include <assert.h>
#include <sys/wait.h>

#define CHECK(condition)						\
  do									\
    if (!(condition))							\
      {									\
	printf ("%s:%d: %s\n", __FILE__, __LINE__, #condition);		\
	exit (1);							\
      }									\
  while (0)

/* ---- the core's part ---- */

static struct { const char *name, *value; } test_env[8];
static char test_error[300];
static unsigned test_remarks;	/* lines of debugging text */

static inline void
set_env (const char *name, const char *value)
{
  for (size_t i = 0; i < sizeof (test_env) / sizeof (test_env[0]); i++)
    if (test_env[i].name == NULL || strcmp (test_env[i].name, name) == 0)
      {
	test_env[i].name = name;
	test_env[i].value = value;
	return;
      }
  abort ();
}

static const char *
test_getenv (const char *name, bool file_name)
{
  (void) file_name;
  for (size_t i = 0; i < sizeof (test_env) / sizeof (test_env[0]); i++)
    if (test_env[i].name != NULL && strcmp (test_env[i].name, name) == 0)
      return test_env[i].value;
  return NULL;
}

static void __attribute__ ((format (printf, 1, 2)))
test_set_error (const char *fmt, ...)
{
  va_list args;
  va_start (args, fmt);
  vsnprintf (test_error, sizeof (test_error), fmt, args);
  va_end (args);
}

static void __attribute__ ((format (printf, 2, 3)))
test_debug (int level, const char *fmt, ...)
{
  va_list args;
  (void) level;
  test_remarks++;
  va_start (args, fmt);
  vprintf (fmt, args);
  va_end (args);
  putchar ('\n');
}

static const struct gomp_plugin_core test_core
  = { .getenv = test_getenv, .set_error = test_set_error, .debug = test_debug };

/* Use DIR, relative to the current directory.  */
static inline void
use_directory (const char *dir)
{
  static char path[2 * PATH_MAX], here[PATH_MAX];
  CHECK (getcwd (here, sizeof (here)) != NULL);
  snprintf (path, sizeof (path), "%s/%s", here, dir);
  set_env ("GOMP_CACHE_DIR", path);
  CHECK (nvptx_cache_init (&test_core) == GOMP_OK);
}

/* ---- keys and contents ---- */

static const struct nvptx_object test_objects[]
  = { { "// object 0\n.version 6.0\n", 26 }, { "", 1 }, { "// object 2\n", 13 } };
static const struct nvptx_cache_key test_key = { "architecture 9.0\n", test_objects, 3 };

enum { CONTENT = 1000 };

static inline const char *
content (unsigned seed)
{
  static char bytes[CONTENT];
  for (unsigned i = 0; i < CONTENT; i++)
    bytes[i] = (seed + i * 7) * 31 >> 3;
  return bytes;
}

static inline bool
holds (const struct nvptx_cache_key *key, unsigned seed)
{
  void *cubin;
  size_t size;
  if (!nvptx_cache_find (key, &cubin, &size))
    return false;
  bool same = size == CONTENT && memcmp (cubin, content (seed), size) == 0;
  CHECK (same);			/* never something else */
  free (cubin);
  return true;
}

/* The file of a key in DIR.  */
static inline const char *
file_of (const char *dir, const struct nvptx_cache_key *key)
{
  static char path[PATH_MAX];
  struct digest d;
  digest_key (key, &d);
  snprintf (path, sizeof (path), "%s/%s", dir, d.name);
  return path;
}

/* How many names of DIR begin with PREFIX.  */
static inline unsigned
count_files (const char *dir, const char *prefix)
{
  unsigned n = 0;
  DIR *stream = opendir (dir);
  CHECK (stream != NULL);
  for (struct dirent *e; (e = readdir (stream)) != NULL; )
    n += strncmp (e->d_name, prefix, strlen (prefix)) == 0
	 && strcmp (e->d_name, ".") != 0 && strcmp (e->d_name, "..") != 0;
  closedir (stream);
  return n;
}
