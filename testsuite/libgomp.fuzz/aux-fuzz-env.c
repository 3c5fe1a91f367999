/* aux-fuzz-env.c -- fuzz target: the environment.  The input is lines NAME=value; a line without a name
   of the table is the value of one that its first byte chooses.  */

#include "aux-fuzz.h"
#include "host/env.c"

#include <stdio.h>
#include <unistd.h>

enum { MAX_LINES = 40 };

static void
forget (struct gomp_env_scope *s)
{
  free (s->values.num_threads);
  free (s->values.proc_bind);
  memset (&s->values, 0, sizeof (s->values));
}

/* As gomp_env_init, but for what is done once in a process.  */
static void
read_environment (void)
{
  struct gomp_global_icvs *g = &gomp_global_icvs;
  struct gomp_env_device dev;

  read_all ();
  set_binding (g);
  set_threads (g);
  set_waiting (g);
  set_others (g);
  gomp_debug_level = 0;
  gomp_affinity_format_init (gomp_getenv ("OMP_AFFINITY_FORMAT", false));
  gomp_display_env (true);
  for (int i = 0; i < 3; i++)
    gomp_env_for_device (i, &dev);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const char *const suffixes[] = { "", "", "_ALL", "_DEV", "_DEV_1", "_DEV_01", "X" };
  static struct gomp_global_icvs at_start;
  static int null = -1;
  char *lines[MAX_LINES + 1], **saved = gomp_environ;
  const uint8_t *end = data + size;
  unsigned n = 0;

  if (null < 0)
    {
      at_start = gomp_global_icvs;
      null = dup (2);
    }
  while (data < end && n < MAX_LINES)
    {
      const uint8_t *stop = memchr (data, '\n', end - data);
      if (stop == NULL)
	stop = end;
      size_t len = strnlen ((const char *) data, stop - data);
      if (memchr (data, '=', len) != NULL || len == 0)
	lines[n++] = strndup ((const char *) data, len);
      else if (asprintf (&lines[n], "%s%s=%.*s", gomp_env_table[data[0] % GOMP_ENV_ROWS].name,
			 suffixes[data[0] / GOMP_ENV_ROWS % 7], (int) len - 1, data + 1) >= 0)
	n++;
      data = stop + (stop < end);
    }
  lines[n] = NULL;
  gomp_environ = lines;
  FUZZ_UNTIL_EXIT (read_environment ());
  gomp_environ = saved;

  forget (&gomp_env_host);
  forget (&gomp_env_all);
  forget (&gomp_env_dev);
  while (gomp_env_devices != NULL)
    {
      struct gomp_env_scope *s = gomp_env_devices;
      gomp_env_devices = s->next;
      forget (s);
      free (s);
    }
  gomp_global_icvs = at_start;
  for (unsigned i = 0; i < n; i++)
    free (lines[i]);
  return 0;
}
