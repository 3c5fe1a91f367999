/* The cache of linked images stays within GOMP_CACHE_SIZE: what was not used for the longest time goes
   first, reading makes young, files of others stay, and so does what another process is writing.

   TEST-MODES: host
   TEST-OPTIONS: -I@top_srcdir@/plugin  */

#include "aux-cache.h"

enum { ENTRIES = 6 };
static char texts[ENTRIES][20];
static struct nvptx_cache_key test_keys[ENTRIES];

static void
set_age (const char *path, time_t seconds)
{
  struct timespec times[2];
  clock_gettime (CLOCK_REALTIME, &times[0]);
  times[0].tv_sec -= seconds;
  times[1] = times[0];
  CHECK (utimensat (AT_FDCWD, path, times, 0) == 0);
}

static void
make_file (const char *path, time_t age)
{
  FILE *f = fopen (path, "w");
  CHECK (f != NULL && fclose (f) == 0);
  set_age (path, age);
}

int
main (void)
{
  char limit[30];
  struct stat st;

  for (int i = 0; i < ENTRIES; i++)
    {
      snprintf (texts[i], sizeof (texts[i]), "key %d\n", i);
      test_keys[i] = (struct nvptx_cache_key) { texts[i], test_objects, 3 };
    }
  use_directory ("cache");
  nvptx_cache_store (&test_keys[0], content (0), CONTENT);
  CHECK (stat (file_of ("cache", &test_keys[0]), &st) == 0);

  /* Room for four.  */
  snprintf (limit, sizeof (limit), "%lldB", (long long) st.st_size * 4 + 10);
  set_env ("GOMP_CACHE_SIZE", limit);
  CHECK (nvptx_cache_init (&test_core) == GOMP_OK);
  make_file ("cache/README", 1000000);
  make_file ("cache/0123456789abcdef.cubin2", 1000000);
  make_file ("cache/.new-0000000000000001", 1000000);
  make_file ("cache/.new-0000000000000002", 10);
  for (int i = 0; i < 4; i++)
    {
      nvptx_cache_store (&test_keys[i], content (i), CONTENT);
      set_age (file_of ("cache", &test_keys[i]), 100000 - i);
    }
  for (int i = 0; i < 4; i++)
    CHECK (access (file_of ("cache", &test_keys[i]), F_OK) == 0);
  CHECK (holds (&test_keys[0], 0));		/* the oldest one becomes young */
  nvptx_cache_store (&test_keys[4], content (4), CONTENT);
  CHECK (!holds (&test_keys[1], 1));
  CHECK (holds (&test_keys[0], 0));
  nvptx_cache_store (&test_keys[5], content (5), CONTENT);
  CHECK (!holds (&test_keys[2], 2));
  CHECK (holds (&test_keys[3], 3) && holds (&test_keys[4], 4) && holds (&test_keys[5], 5));

  CHECK (access ("cache/README", F_OK) == 0);
  CHECK (access ("cache/0123456789abcdef.cubin2", F_OK) == 0);
  CHECK (access ("cache/.new-0000000000000001", F_OK) != 0);	/* left by a process that was killed */
  CHECK (access ("cache/.new-0000000000000002", F_OK) == 0);

  /* No room for even one: nothing is stored, and nothing is thrown away for it.  */
  set_env ("GOMP_CACHE_SIZE", "1K");
  CHECK (nvptx_cache_init (&test_core) == GOMP_OK);
  nvptx_cache_store (&test_keys[1], content (1), CONTENT);
  CHECK (!holds (&test_keys[1], 1) && holds (&test_keys[5], 5));
  set_env ("GOMP_CACHE_SIZE", "0");
  CHECK (nvptx_cache_init (&test_core) == GOMP_OK && !holds (&test_keys[5], 5));
  return 0;
}
