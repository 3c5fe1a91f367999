/* ompt-start.c -- looking for a tool (OpenMP 5.2, section 19.2.2).

   First in the program and the libraries that are loaded: the linker finds their
   ompt_start_tool for us, as for any weak reference.  Then in the libraries that
   OMP_TOOL_LIBRARIES names, one after the other.  The first whose ompt_start_tool answers
   something is it.  OMP_TOOL_VERBOSE_INIT tells on the way what is tried.

   A program that is linked with another libgomp keeps its ompt_start_tool to itself unless it
   is linked with -rdynamic; doc/ompt.md.  */

#include "host/env.h"
#include "host/ompt.h"
#include "host/text.h"

#include <dlfcn.h>
#include <stdio.h>
#include <strings.h>

/* Of the API that the interface follows: 5.2.  */
#define OPENMP_VERSION 202111

typedef ompt_start_tool_result_t *start_function (unsigned int, const char *);

/* Not hidden: it is to be found outside of the library.  */
start_function ompt_start_tool __attribute__ ((weak, visibility ("default")));

/* Where the report goes; NULL: nobody wants one.  */
static FILE *report;

static void GOMP_STARTUP __attribute__ ((format (printf, 1, 2)))
tell (const char *fmt, ...)
{
  va_list list;
  if (report == NULL)
    return;
  fputs ("libgomp: tool: ", report);
  va_start (list, fmt);
  vfprintf (report, fmt, list);
  va_end (list);
  fputc ('\n', report);
}

static void GOMP_STARTUP
open_report (void)
{
  const char *where = gomp_getenv ("OMP_TOOL_VERBOSE_INIT", false);
  if (where == NULL || *where == '\0' || strcasecmp (where, "disabled") == 0)
    return;
  if (strcasecmp (where, "stdout") == 0)
    report = stdout;
  else if (strcasecmp (where, "stderr") == 0)
    report = stderr;
  else
    {
      report = fopen (where, "we");
      if (report == NULL)
	gomp_error ("cannot write to %s, the value of OMP_TOOL_VERBOSE_INIT", where);
    }
}

static void
close_report (void)
{
  struct gomp_write_guard guard;
  if (report == NULL)
    return;
  gomp_write_guard_begin (&guard);
  if (report == stdout || report == stderr)
    fflush (report);
  else
    fclose (report);
  gomp_write_guard_end (&guard);
  report = NULL;
}

static const char *
tool_libraries (void)
{
  const char *list = gomp_getenv ("OMP_TOOL_LIBRARIES", true);
  return list != NULL && *list != '\0' ? list : NULL;
}

bool GOMP_STARTUP
gomp_ompt_wanted (void)
{
  bool disabled = gomp_env_host.values.tool_disabled;
  if (!disabled && (ompt_start_tool != NULL || tool_libraries () != NULL))
    return true;
  open_report ();
  if (disabled)
    tell ("OMP_TOOL=disabled: no tool is looked for");
  else
    tell ("no ompt_start_tool in the program and its libraries, no OMP_TOOL_LIBRARIES:"
	  " there is no tool");
  close_report ();
  return false;
}

static ompt_start_tool_result_t *
ask (start_function *start, const char *where)
{
  static const char version[] = PACKAGE_NAME " " PACKAGE_VERSION " (libgomp.so.1)";
  ompt_start_tool_result_t *result = start (OPENMP_VERSION, version);
  tell (result != NULL ? "%s: ompt_start_tool wants to start"
		       : "%s: ompt_start_tool answered NULL: no", where);
  return result;
}

/* Ask the tool in the library FILE.  */
static ompt_start_tool_result_t *
ask_library (const char *file)
{
  void *handle = dlopen (file, RTLD_LAZY | RTLD_LOCAL);
  if (handle == NULL)
    {
      const char *why = dlerror ();
      tell ("%s: cannot be loaded: %s", file, why != NULL ? why : "dlopen failed");
      return NULL;
    }
  ompt_start_tool_result_t *result = NULL;
  /* POSIX: the result of dlsym may be used as a function.  */
  start_function *start;
  *(void **) &start = dlsym (handle, "ompt_start_tool");
  if (start == NULL)
    tell ("%s: has no ompt_start_tool", file);
  else
    result = ask (start, file);
  if (result == NULL)
    dlclose (handle);
  return result;
}

ompt_start_tool_result_t *
gomp_ompt_find_tool (void)
{
  ompt_start_tool_result_t *result = NULL;
  const char *list = tool_libraries ();

  open_report ();
  if (ompt_start_tool != NULL)
    result = ask (ompt_start_tool, "the program and its libraries");
  else
    tell ("no ompt_start_tool in the program and its libraries");

  while (result == NULL && list != NULL)
    {
      size_t n = strcspn (list, ":");
      char *file = strndup (list, n);
      if (file != NULL && n > 0)
	result = ask_library (file);
      free (file);
      list = list[n] == ':' ? list + n + 1 : NULL;
    }
  if (result != NULL && result->initialize == NULL)
    {
      tell ("it has no initialize function: there is no tool");
      result = NULL;
    }
  else if (result == NULL)
    tell ("there is no tool");
  if (result == NULL)
    close_report ();
  return result;
}

void
gomp_ompt_tell_initialized (int result)
{
  if (result != 0)
    tell ("initialize answered %d: the tool is active", result);
  else
    tell ("initialize answered 0: the tool does not want to run");
  close_report ();
}
