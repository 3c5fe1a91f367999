/* info-loader.c -- where gompx-info finds plugins, and programs libgomp.

   The plugins of an installation lie where they do relative to gompx-info, also below DESTDIR and after
   all of it was moved, or beside it; those of a build tree are in its .libs.

   Which libgomp a program loads is what the dynamic loader of this machine says when it is asked to list
   its libraries (ld.so --list).  That searches as for the program itself, by LD_PRELOAD, RPATH, LD_LIBRARY_PATH,
   RUNPATH, the cache and the system's directories, and maps what it finds.

   Invariant: nothing of the program or its libraries is executed.  The loader is gompx-info's own, never one
   that the program names; it runs no constructor for a list, and relocates nothing, since the variables
   that tell it to are not passed on.  */

#include "libgomp.h"
#include "plugins.h"
#include "tools/info-loader.h"

#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- plugins ---- */

static bool
has_plugins (const char *dir)
{
  char file[PATH_MAX + 512];
  snprintf (file, sizeof (file), "%s/libgomp-plugin-nvptx.so.1", dir);
  return access (file, R_OK) == 0;
}

/* PATH ends with the components TAIL.  */
static bool
ends_with (const char *path, const char *tail)
{
  size_t n = strlen (path), m = strlen (tail);
  return n > m && path[n - m - 1] == '/' && strcmp (path + n - m, tail) == 0;
}

const char *
info_plugin_directory (void)
{
  static char dir[PATH_MAX + 256];
  static const char bin[] = GOMP_BIN_DIR, plugins[] = GOMP_PLUGIN_DIR;
  char self[PATH_MAX];
  ssize_t n = readlink ("/proc/self/exe", self, sizeof (self) - 1);

  if (n <= 0)
    return NULL;
  self[n] = 0;
  *strrchr (self, '/') = 0;
  snprintf (dir, sizeof (dir), "%s/.libs", self);
  if (has_plugins (dir))
    return dir;
  snprintf (dir, sizeof (dir), "%s", self);
  if (has_plugins (dir))
    return dir;

  /* What the two directories have in common may be another one now.  */
  size_t common = 0;
  for (size_t i = 0; bin[i] != 0 && bin[i] == plugins[i]; i++)
    if (bin[i] == '/')
      common = i + 1;
  if (!ends_with (self, bin + common))
    return NULL;
  snprintf (dir, sizeof (dir), "%.*s%s", (int) (strlen (self) - strlen (bin + common)), self,
	    plugins + common);
  return has_plugins (dir) ? dir : NULL;
}

/* ---- the libgomp of a program ---- */

static int
find_loader (struct dl_phdr_info *info, size_t size, void *data)
{
  (void) size;
  for (unsigned i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_INTERP)
      *(const char **) data = (const char *) (info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  return 1;			/* the first is the program */
}

static bool
is_same_file (const char *a, const char *b)
{
  struct stat x, y;
  return stat (a, &x) == 0 && stat (b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* The environment for the loader; free it.  */
static char **
loader_environment (bool set_id)
{
  /* These have it execute code, or print other things.  */
  static const char *const dropped[] =
    { "LD_AUDIT=", "LD_BIND_NOW=", "LD_DEBUG=", "LD_DEBUG_OUTPUT=", "LD_PROFILE=", "LD_SHOW_AUXV=",
      "LD_TRACE_", "LD_VERBOSE=", "LD_WARN=" };
  /* Programs with rights of another do not follow them.  */
  static const char *const unsafe[] = { "LD_LIBRARY_PATH=", "LD_PRELOAD=" };
  size_t n = 0, count = 0;

  while (environ[count] != NULL)
    count++;
  char **env = gomp_calloc (count + 2, sizeof (*env));
  for (size_t i = 0; i < count; i++)
    {
      bool drop = false;
      for (size_t j = 0; j < GOMP_ARRAY_SIZE (dropped); j++)
	drop |= strncmp (environ[i], dropped[j], strlen (dropped[j])) == 0;
      for (size_t j = 0; set_id && j < GOMP_ARRAY_SIZE (unsafe); j++)
	drop |= strncmp (environ[i], unsafe[j], strlen (unsafe[j])) == 0;
      if (!drop)
	env[n++] = environ[i];
    }
  env[n] = (char *) "LD_DEBUG=libs";	/* tells by what each was found */
  return env;
}

/* The output of LOADER --list FILE; NULL: it cannot be started.  */
static FILE *
start_loader (const char *loader, const char *file, bool set_id, pid_t *pid)
{
  char *argv[] = { (char *) loader, (char *) "--list", (char *) file, NULL };
  posix_spawn_file_actions_t actions;
  int fds[2];

  if (pipe2 (fds, O_CLOEXEC) != 0)
    return NULL;
  char **env = loader_environment (set_id);
  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_adddup2 (&actions, fds[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2 (&actions, fds[1], STDERR_FILENO);
  int error = posix_spawn (pid, loader, &actions, NULL, argv, env);
  posix_spawn_file_actions_destroy (&actions);
  free (env);
  close (fds[1]);
  FILE *f = error == 0 ? fdopen (fds[0], "r") : NULL;
  if (f == NULL)
    close (fds[0]);
  if (f == NULL && error == 0)
    waitpid (*pid, NULL, 0);
  return f;
}

/* Only ours has this symbol.  */
static bool
is_gompx (const char *file)
{
  static const char symbol[] = "gompx_register_function";
  int fd = open (file, O_RDONLY | O_CLOEXEC);
  struct stat st;
  bool found = false;

  if (fd < 0)
    return false;
  if (fstat (fd, &st) == 0 && S_ISREG (st.st_mode) && st.st_size > 0)
    {
      void *text = mmap (NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
      if (text != MAP_FAILED)
	{
	  found = memmem (text, st.st_size, symbol, sizeof (symbol)) != NULL;
	  munmap (text, st.st_size);
	}
    }
  close (fd);
  return found;
}

struct found
{
  bool searched;		/* "find library=libgomp.so.1" is the last that was begun */
  bool missing;
  char path[PATH_MAX];
  char how[PATH_MAX];
};

static const char name[] = "libgomp.so.1";

/* A line that LD_DEBUG has made: what the loader does.  */
static void
read_search (const char *line, struct found *f)
{
  const char *text;

  if ((text = strstr (line, "find library=")) != NULL)
    f->searched = strncmp (text + 13, name, sizeof (name) - 1) == 0 && f->how[0] == 0;
  else if (f->searched && (text = strstr (line, "search cache=")) != NULL)
    snprintf (f->how, sizeof (f->how), "%s", text + 13);
  else if (f->searched && strstr (line, "search path=") != NULL && (text = strrchr (line, '(')) != NULL)
    snprintf (f->how, sizeof (f->how), "%.*s", (int) strcspn (text + 1, ")"), text + 1);
}

/* A line of the list: "NAME => FILE (ADDRESS)", "NAME => not found", or "FILE (ADDRESS)".  */
static void
read_list (char *line, struct found *f)
{
  char *text = line + strspn (line, " \t"), *arrow = strstr (text, " => ");
  char *end = strstr (text, " (0x");

  if (arrow != NULL ? strncmp (text, name, arrow - text) != 0 || arrow - text != sizeof (name) - 1 : end == NULL)
    return;
  if (arrow != NULL)
    text = arrow + 4;
  if (end != NULL)
    *end = 0;
  const char *slash = strrchr (text, '/');
  if (arrow != NULL && slash == NULL)
    f->missing = true;
  else if (slash != NULL && (arrow != NULL || strcmp (slash + 1, name) == 0) && f->path[0] == 0)
    snprintf (f->path, sizeof (f->path), "%s", text);
}

/* The output of the loader's list for FILE, as for info_print_library, of the process *PID, which must be
   waited for.  NULL: there is none; *OTHER: since FILE names another loader.  */
static FILE *
list_libraries (const char *file, const char *program_loader, bool set_id, pid_t *pid, bool *other)
{
  const char *loader = NULL;
  char path[PATH_MAX];

  *other = false;
  dl_iterate_phdr (find_loader, &loader);
  if (loader == NULL || realpath (file, path) == NULL)
    return NULL;
  *other = program_loader[0] != 0 && !is_same_file (loader, program_loader);
  fflush (stdout);
  return *other ? NULL : start_loader (loader, path, set_id, pid);
}

/* Is LINE, without its end, one of the list?  Those of LD_DEBUG begin with the process and a colon.  */
static bool
is_listed (char *line)
{
  line[strcspn (line, "\n")] = 0;
  return line[strspn (line, " 0123456789")] != ':';
}

void
info_print_library (const char *file, const char *program_loader, bool set_id)
{
  char line[2 * PATH_MAX];
  struct found found = { .searched = false };
  bool other;
  pid_t pid;

  FILE *f = list_libraries (file, program_loader, set_id, &pid, &other);
  if (other)
    printf ("  its dynamic loader is %s, which is not asked for its libgomp\n", program_loader);
  if (f == NULL)
    return;
  while (fgets (line, sizeof (line), f) != NULL)
    if (is_listed (line))
      read_list (line, &found);
    else
      read_search (line, &found);
  fclose (f);
  waitpid (pid, NULL, 0);

  const char *rights = set_id ? ", which does without LD_LIBRARY_PATH since it runs with rights of another" : "";
  if (found.path[0] != 0)
    printf ("  loads %s%s%s%s, which is %s%s\n", found.path, found.how[0] != 0 ? " (found by " : "",
	    found.how, found.how[0] != 0 ? ")" : "", is_gompx (found.path) ? "gompx" : "not gompx", rights);
  else if (found.missing)
    printf ("  needs %s, which is not found%s\n", name, rights);
  else
    printf ("  loads no %s\n", name);
}

const char *
info_each_library (const char *file, const char *program_loader, bool set_id,
		   void (*fn) (const char *path, void *data), void *data)
{
  static char why[2 * PATH_MAX];
  static const char failed[] = "error while loading shared libraries: ";
  char line[2 * PATH_MAX];
  bool other;
  pid_t pid;

  snprintf (why, sizeof (why), "the dynamic loader cannot be asked");
  FILE *f = list_libraries (file, program_loader, set_id, &pid, &other);
  if (other)
    snprintf (why, sizeof (why), "its dynamic loader is %s, which is not asked", program_loader);
  if (f == NULL)
    return why;
  why[0] = 0;
  while (fgets (line, sizeof (line), f) != NULL)
    if (is_listed (line))
      {
	/* "NAME => FILE (ADDRESS)", "NAME => not found", or "FILE (ADDRESS)", where FILE may be a name.  */
	char *text = line + strspn (line, " \t"), *arrow = strstr (text, " => ");
	char *end = strstr (text, " (0x"), *error = strstr (text, failed);
	if (error != NULL || (arrow != NULL && end == NULL))
	  snprintf (why, sizeof (why), "%s", error != NULL ? error + sizeof (failed) - 1 : text);
	else if (end != NULL && *(text = arrow != NULL ? arrow + 4 : text) == '/')
	  {
	    *end = 0;
	    fn (text, data);
	  }
      }
  fclose (f);
  waitpid (pid, NULL, 0);
  return why[0] != 0 ? why : NULL;
}
