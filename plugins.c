/* plugins.c -- finding, opening and checking device plugins, and what the core offers them.

   A plugin named N is built in, or it is the shared object libgomp-plugin-N.so.1.  That file is
   looked for in the directories of GOMP_PLUGIN_PATH, then in the directory that libgomp.so.1
   itself was loaded from, then by its bare name as the dynamic loader does it.  GCC's own
   plugins have the same file names and another interface: they are told apart by the
   symbol GOMPX_plugin, which they do not have.

   A file that is not usable does not end the search, and a plugin that is not usable
   disables only itself: the entry keeps the first reason.  A plugin that was initialised is
   never unloaded, because driver threads may run its code until the process ends.  */

#include "libgomp.h"
#include "image.h"
#include "map-plan.h"
#include "plugins.h"
#include "reverse.h"
#include "target.h"
#include "trace.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define DEFAULT_PLUGINS "nvptx,gcn,cpu"
#define FILE_PREFIX "libgomp-plugin-"
#define FILE_SUFFIX ".so.1"

/* Plugins that are part of the library.  Weak: a build may leave one out.  */
extern const struct gomp_plugin gomp_plugin_cpu
  __attribute__ ((weak, visibility ("hidden")));

static const struct
{
  const char *name;
  const struct gomp_plugin *plugin;
} built_in[] =
{
  { "cpu", &gomp_plugin_cpu }
};

char *
gomp_text (const char *fmt, ...)
{
  va_list list;
  char *text = NULL;

  va_start (list, fmt);
  int n = vasprintf (&text, fmt, list);
  va_end (list);
  if (n < 0)
    gomp_fatal ("Out of memory allocating %lu bytes", (unsigned long) strlen (fmt));
  return text;
}

/* ---- error text ---- */

/* One text per thread, freed when the thread ends.  */
static pthread_key_t error_key;
static pthread_once_t error_once = PTHREAD_ONCE_INIT;
static bool error_key_valid;

static void
make_error_key (void)
{
  error_key_valid = pthread_key_create (&error_key, free) == 0;
}

static void __attribute__ ((format (printf, 1, 2)))
core_set_error (const char *fmt, ...)
{
  va_list list;
  char *text = NULL;
  int saved = errno;

  pthread_once (&error_once, make_error_key);
  va_start (list, fmt);
  if (vasprintf (&text, fmt, list) < 0)
    text = NULL;
  va_end (list);
  if (!error_key_valid)
    free (text);
  else
    {
      free (pthread_getspecific (error_key));
      if (pthread_setspecific (error_key, text) != 0)
	free (text);
    }
  errno = saved;
}

const char *
gomp_plugin_error_text (void)
{
  pthread_once (&error_once, make_error_key);
  const char *text = error_key_valid ? pthread_getspecific (error_key) : NULL;
  return text != NULL ? text : "no further information";
}

void
gomp_plugin_pass_error (const char *text)
{
  core_set_error ("%s", text);
}

/* Forget the text of an earlier call, before a call that may fail without giving one.  */
static void
clear_error (void)
{
  pthread_once (&error_once, make_error_key);
  if (error_key_valid)
    {
      free (pthread_getspecific (error_key));
      pthread_setspecific (error_key, NULL);
    }
}

static bool
has_error (void)
{
  return error_key_valid && pthread_getspecific (error_key) != NULL;
}

const char *
gomp_status_text (gomp_status_t status)
{
  switch (status)
    {
    case GOMP_OK: return "no error";
    case GOMP_NO_DEVICE: return "no device";
    case GOMP_OUT_OF_HOST_MEMORY: return "out of host memory";
    case GOMP_OUT_OF_DEVICE_MEMORY: return "out of device memory";
    case GOMP_INVALID: return "invalid argument";
    case GOMP_UNSUPPORTED: return "not supported by the device";
    case GOMP_NOT_FOUND: return "not found";
    case GOMP_BAD_IMAGE: return "unusable image";
    case GOMP_DRIVER_ERROR: return "driver error";
    case GOMP_DEVICE_LOST: return "device lost";
    }
  return "unknown status";
}

/* ---- the other services ---- */

static void __attribute__ ((format (printf, 2, 3)))
core_debug (int level, const char *fmt, ...)
{
  if (gomp_debug_level < level)
    return;
  va_list list;
  char text[1024];
  va_start (list, fmt);
  vsnprintf (text, sizeof (text), fmt, list);
  va_end (list);
  gomp_debug_text (level, "%s", text);
}

static void __attribute__ ((format (printf, 2, 3)))
core_info (void *core_device, const char *fmt, ...)
{
  if (!gomp_info_enabled)
    return;
  va_list list;
  char text[1024];
  va_start (list, fmt);
  vsnprintf (text, sizeof (text), fmt, list);
  va_end (list);
  gomp_info_line (core_device, "%s", text);
}

static void __attribute__ ((noreturn))
core_end_process (void *core_device, int status, bool aborted)
{
  const struct gomp_device *dev = core_device;
  gomp_debug (1, "device %d: a region has called %s", dev->number, aborted ? "abort" : "exit");
  if (aborted)
    abort ();
  exit (status);
}

static bool
core_args_apart (const struct gomp_launch *launch, uint64_t written, uint64_t used)
{
  return launch->map != NULL && gomp_map_args_apart (launch->map, written, used);
}

static const char *
core_getenv (const char *name, bool file_name)
{
  return gomp_getenv (name, file_name);
}

static struct gomp_plugin_core core_services =
{
  .api_version = GOMP_PLUGIN_API_VERSION,
  .struct_size = sizeof (struct gomp_plugin_core),
  .set_error = core_set_error,
  .debug = core_debug,
  .getenv = core_getenv,
  .info = core_info,
  .end_process = core_end_process,
  .args_apart = core_args_apart,
  .reverse_wanted = gomp_reverse_wanted,
  .reverse_serve = gomp_reverse_serve
};

/* ---- opening ---- */

/* Keep the first reason: later ones are mostly "no such file".  */
static void
refuse (struct gomp_plugin_entry *e, char *reason)
{
  if (e->reason == NULL)
    e->reason = reason;
  else
    free (reason);
}

/* The table found at PLUGIN, of FILE, becomes the entry's.  */
static bool
accept_table (struct gomp_plugin_entry *e, const struct gomp_plugin *plugin, const char *file)
{
  /* Of a table of another version nothing but the first two words may be read.  */
  if (plugin->api_version != GOMP_PLUGIN_API_VERSION)
    {
      refuse (e, gomp_text ("%s has version %u of the plugin interface, this library has %u",
			    file, plugin->api_version, GOMP_PLUGIN_API_VERSION));
      return false;
    }
  if (plugin->struct_size != sizeof (struct gomp_plugin))
    {
      refuse (e, gomp_text ("%s has a plugin table of %u bytes instead of %zu",
			    file, plugin->struct_size, sizeof (struct gomp_plugin)));
      return false;
    }
  if (plugin->name == NULL || strcmp (plugin->name, e->name) != 0)
    {
      refuse (e, gomp_text ("%s is the plugin of another name (`%s')",
			    file, plugin->name != NULL ? plugin->name : ""));
      return false;
    }
  e->ops = *plugin;
  const char *missing = gomp_plugin_fill_defaults (&e->ops);
  if (missing != NULL)
    {
      refuse (e, gomp_text ("%s does not implement `%s'", file, missing));
      return false;
    }
  gomp_plugin_inject (e->name, &e->ops);
  e->path = gomp_strdup (file);
  return true;
}

/* Try one file.  A path that does not exist is no reason.  */
static bool
open_file (struct gomp_plugin_entry *e, const char *file)
{
  if (strchr (file, '/') != NULL && access (file, F_OK) != 0)
    return false;

  gomp_check_loader ();
  void *handle = dlopen (file, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL)
    {
      const char *why = dlerror ();
      if (why == NULL)
	why = "dlopen failed";
      /* GCC's plugins want symbols that only GCC's libgomp has.  */
      if (strstr (why, "GOMP_PLUGIN_") != NULL)
	refuse (e, gomp_text ("%s belongs to GCC's libgomp (%s)", file, why));
      else
	refuse (e, gomp_text ("%s", why));
      return false;
    }

  const struct gomp_plugin *plugin = dlsym (handle, "GOMPX_plugin");
  if (plugin == NULL)
    refuse (e, gomp_text (dlsym (handle, "GOMP_OFFLOAD_version") != NULL
			  ? "%s belongs to GCC's libgomp"
			  : "%s is no plugin of this library: it has no symbol GOMPX_plugin",
			  file));
  else if (accept_table (e, plugin, file))
    {
      gomp_modules_keep (handle);
      return true;
    }
  dlclose (handle);
  return false;
}

const char *gomp_plugins_beside;

/* Directory that holds this library, gomp_malloc'ed; NULL in a static program.  */
static char *
own_directory (void)
{
  if (gomp_plugins_beside != NULL)
    return gomp_strdup (gomp_plugins_beside);
#ifdef PIC
  Dl_info info;
  if (dladdr ((void *) &core_services, &info) != 0 && info.dli_fname != NULL)
    {
      const char *slash = strrchr (info.dli_fname, '/');
      if (slash != NULL)
	{
	  size_t n = slash - info.dli_fname;
	  char *dir = gomp_malloc (n + 1);
	  memcpy (dir, info.dli_fname, n);
	  dir[n] = 0;
	  return dir;
	}
    }
  return NULL;
#else
  return gomp_strdup (GOMP_PLUGIN_DIR);
#endif
}

static bool
find_plugin (struct gomp_plugin_entry *e)
{
  for (size_t i = 0; i < GOMP_ARRAY_SIZE (built_in); i++)
    if (built_in[i].plugin != NULL && strcmp (built_in[i].name, e->name) == 0)
      return accept_table (e, built_in[i].plugin, "built in");

  bool found = false;
  const char *path = gomp_getenv ("GOMP_PLUGIN_PATH", true);
  while (!found && path != NULL && *path != 0)
    {
      size_t n = strcspn (path, ":");
      if (n > 0)
	{
	  char *file = gomp_text ("%.*s/" FILE_PREFIX "%s" FILE_SUFFIX, (int) n, path, e->name);
	  found = open_file (e, file);
	  free (file);
	}
      path += n + (path[n] == ':');
    }

  if (!found)
    {
      char *dir = own_directory ();
      if (dir != NULL)
	{
	  char *file = gomp_text ("%s/" FILE_PREFIX "%s" FILE_SUFFIX, dir, e->name);
	  found = open_file (e, file);
	  free (file);
	  free (dir);
	}
    }

  if (!found)
    {
      char *file = gomp_text (FILE_PREFIX "%s" FILE_SUFFIX, e->name);
      found = open_file (e, file);
      free (file);
    }
  if (found && e->reason != NULL)
    {
      gomp_debug (1, "plugin %s: %s; using %s", e->name, e->reason, e->path);
      free (e->reason);
      e->reason = NULL;
    }
  return found;
}

static void
init_plugin (struct gomp_plugin_entry *e)
{
  unsigned n = 0;

  clear_error ();
  core_services.wants_times = gomp_trace_enabled;
  core_services.wants_info = gomp_info_enabled;
  gomp_status_t status = e->ops.init (&core_services, &n);
  if (status != GOMP_OK)
    {
      e->reason = gomp_text ("%s", has_error () ? gomp_plugin_error_text ()
						: gomp_status_text (status));
      e->user_error = status == GOMP_INVALID;
      e->broken = status != GOMP_INVALID && status != GOMP_NO_DEVICE;
    }
  else
    {
      e->ready = true;
      e->num_devices = n;
      if (n == 0)
	e->reason = gomp_text ("%s", has_error () ? gomp_plugin_error_text () : "no device found");
    }
}

/* A name becomes part of a file name: letters, digits, '-' and '_' only.  */
static bool
valid_name (const char *name, size_t len)
{
  for (size_t i = 0; i < len; i++)
    if (!((name[i] >= 'a' && name[i] <= 'z') || (name[i] >= 'A' && name[i] <= 'Z')
	  || (name[i] >= '0' && name[i] <= '9') || name[i] == '-' || name[i] == '_'))
      return false;
  return len > 0 && len < 64;
}

struct gomp_plugin_entry *
gomp_plugins_open (unsigned *count)
{
  const char *list = gomp_getenv ("GOMP_PLUGINS", false);
  struct gomp_plugin_entry *entries = NULL;
  unsigned n = 0;
  int saved = errno;

  if (list == NULL)
    list = DEFAULT_PLUGINS;
  while (*list != 0)
    {
      size_t len = strcspn (list, ",");
      const char *name = list;
      list += len + (list[len] == ',');
      while (len > 0 && *name == ' ')
	name++, len--;
      while (len > 0 && name[len - 1] == ' ')
	len--;
      if (len == 0)
	continue;

      /* The second of two equal names would own the same devices again.  */
      bool again = false;
      for (unsigned i = 0; i < n; i++)
	again |= strlen (entries[i].name) == len && memcmp (entries[i].name, name, len) == 0;
      if (again)
	continue;

      entries = gomp_realloc_array (entries, n + 1, sizeof (entries[0]));
      struct gomp_plugin_entry *e = &entries[n++];
      memset (e, 0, sizeof (*e));
      e->name = gomp_text ("%.*s", (int) len, name);
      if (!valid_name (name, len))
	e->reason = gomp_text ("not the name of a plugin");
      else if (find_plugin (e))
	init_plugin (e);
      if (e->reason != NULL)
	gomp_debug (1, "plugin %s: %s", e->name, e->reason);
    }
  *count = n;
  errno = saved;
  return entries;
}
