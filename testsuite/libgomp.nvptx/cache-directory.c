/* Where the cache of linked images is, and that it keeps away from what is not the user's: directories
   that others may write to, symbolic links, pipes.  A directory that cannot be made or written to does no
   harm.

   TEST-MODES: host
   TEST-OPTIONS: -I@top_srcdir@/plugin  */

#include "aux-cache.h"

static void
choice (void)
{
  char here[PATH_MAX], xdg[PATH_MAX + 8], home[PATH_MAX + 8];
  struct stat st;
  CHECK (getcwd (here, sizeof (here)) != NULL);
  snprintf (xdg, sizeof (xdg), "%s/xdg", here);
  snprintf (home, sizeof (home), "%s/home", here);
  mkdir ("home", 0700);

  set_env ("HOME", home);
  CHECK (nvptx_cache_init (&test_core) == GOMP_OK);
  nvptx_cache_store (&test_key, content (1), CONTENT);
  CHECK (access (file_of ("home/.cache/gompx", &test_key), F_OK) == 0);
  CHECK (stat ("home/.cache/gompx", &st) == 0 && (st.st_mode & 0777) == 0700);
  CHECK (stat (file_of ("home/.cache/gompx", &test_key), &st) == 0 && (st.st_mode & 0777) == 0600);

  set_env ("XDG_CACHE_HOME", xdg);
  CHECK (nvptx_cache_init (&test_core) == GOMP_OK && !holds (&test_key, 1));
  nvptx_cache_store (&test_key, content (1), CONTENT);
  CHECK (access (file_of ("xdg/gompx", &test_key), F_OK) == 0);

  /* Not absolute: XDG's is ignored, as its specification says; ours is an error that turns it off.  */
  set_env ("XDG_CACHE_HOME", "xdg2");
  CHECK (nvptx_cache_init (&test_core) == GOMP_OK && holds (&test_key, 1));
  set_env ("GOMP_CACHE_DIR", "own");
  CHECK (nvptx_cache_init (&test_core) == GOMP_OK && !holds (&test_key, 1));
  nvptx_cache_store (&test_key, content (1), CONTENT);
  CHECK (access ("own", F_OK) != 0);

  /* Set-user-ID: the core tells no directory at all.  */
  set_env ("GOMP_CACHE_DIR", NULL);
  set_env ("XDG_CACHE_HOME", NULL);
  set_env ("HOME", NULL);
  CHECK (nvptx_cache_init (&test_core) == GOMP_OK);
  nvptx_cache_store (&test_key, content (1), CONTENT);
  CHECK (!holds (&test_key, 1));
}

/* With the directory DIR as it is nothing is kept.  */
static void
unused (const char *dir)
{
  use_directory (dir);
  unsigned before = test_remarks;
  nvptx_cache_store (&test_key, content (1), CONTENT);
  CHECK (!holds (&test_key, 1));
  CHECK (test_remarks > before);	/* says why */
}

static void
foreign (void)
{
  CHECK (mkdir ("shared", 0700) == 0 && chmod ("shared", 0770) == 0);
  unused ("shared");
  CHECK (chmod ("shared", 0702) == 0);
  unused ("shared");
  CHECK (count_files ("shared", "") == 0);
  CHECK (chmod ("shared", 0755) == 0);	/* others may look */
  use_directory ("shared");
  nvptx_cache_store (&test_key, content (1), CONTENT);
  CHECK (holds (&test_key, 1));
  if (geteuid () == 0)
    {
      CHECK (chown (file_of ("shared", &test_key), 12345, 12345) == 0);
      CHECK (!holds (&test_key, 1));
      nvptx_cache_store (&test_key, content (1), CONTENT);
      CHECK (holds (&test_key, 1));
      CHECK (chown ("shared", 12345, 12345) == 0);
      unused ("shared");
    }

  CHECK (mkdir ("target", 0700) == 0 && symlink ("target", "link") == 0);
  unused ("link");
  CHECK (count_files ("target", "") == 0);
  unused ("missing/cache");
  FILE *f = fopen ("file", "w");
  CHECK (f != NULL && fclose (f) == 0);
  unused ("file");
  CHECK (mkdir ("readonly", 0500) == 0);
  if (geteuid () != 0)
    {
      unused ("readonly");
      CHECK (chmod ("readonly", 0700) == 0);
    }
}

/* What is in the place of a file.  */
static void
entries (void)
{
  char path[PATH_MAX];
  struct stat st;

  use_directory ("links");
  nvptx_cache_store (&test_key, content (1), CONTENT);
  snprintf (path, sizeof (path), "%s", file_of ("links", &test_key));
  CHECK (rename (path, "outside") == 0 && symlink ("../outside", path) == 0);
  CHECK (!holds (&test_key, 1));	/* though it leads to the right file */
  nvptx_cache_store (&test_key, content (2), CONTENT);
  CHECK (holds (&test_key, 2) && lstat (path, &st) == 0 && S_ISREG (st.st_mode));
  CHECK (stat ("outside", &st) == 0 && st.st_size > CONTENT);

  CHECK (unlink (path) == 0 && mkfifo (path, 0600) == 0);
  CHECK (!holds (&test_key, 1));	/* does not wait for a writer */
  nvptx_cache_store (&test_key, content (3), CONTENT);
  CHECK (holds (&test_key, 3));

  CHECK (unlink (path) == 0 && mkdir (path, 0700) == 0);
  CHECK (!holds (&test_key, 1));
  nvptx_cache_store (&test_key, content (4), CONTENT);
  CHECK (!holds (&test_key, 1) && count_files ("links", NEW_PREFIX) == 0);
}

/* The process may not write files of that size; one that does is ended by a signal.  */
static void
small_files (void)
{
  struct rlimit limit = { 500, 500 };
  use_directory ("small");
  CHECK (setrlimit (RLIMIT_FSIZE, &limit) == 0);
  nvptx_cache_store (&test_key, content (1), CONTENT);
  CHECK (access (file_of ("small", &test_key), F_OK) != 0);
}

int
main (void)
{
  choice ();
  foreign ();
  entries ();
  fflush (stdout);
  pid_t child = fork ();
  if (child == 0)
    {
      CHECK (freopen ("/dev/null", "w", stdout) != NULL);
      small_files ();
      _exit (0);
    }
  int status;
  CHECK (waitpid (child, &status, 0) == child && status == 0);
  return 0;
}
