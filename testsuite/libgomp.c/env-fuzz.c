/* Whatever the environment holds, the library starts: random bytes, and random mixtures of the
   words of the grammars, in every variable.  A format that is wrong ends the program with
   status 1 when it is used, and not otherwise.  The seed is fixed.
   TEST-TIMEOUT: 120
   TEST-SKIP-SANITIZER: thread one thread, started hundreds of times  */

#include <omp.h>
#include <stdint.h>

#include "aux-run-self.h"

static uint64_t state = 20250801;

static unsigned
pick (unsigned n)
{
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (state >> 33) % n;
}

static const char *const names[] = {
  "OMP_NUM_THREADS", "OMP_DYNAMIC", "OMP_NESTED", "OMP_MAX_ACTIVE_LEVELS", "OMP_THREAD_LIMIT",
  "OMP_SCHEDULE", "OMP_NUM_TEAMS", "OMP_TEAMS_THREAD_LIMIT", "OMP_PROC_BIND", "OMP_PLACES",
  "OMP_PLACES", "OMP_PLACES", "GOMP_CPU_AFFINITY", "OMP_STACKSIZE", "GOMP_STACKSIZE",
  "OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "OMP_CANCELLATION", "OMP_MAX_TASK_PRIORITY",
  "OMP_ALLOCATOR", "OMP_ALLOCATOR", "OMP_DEFAULT_DEVICE", "OMP_AVAILABLE_DEVICES",
  "OMP_TARGET_OFFLOAD",
  "OMP_DISPLAY_AFFINITY", "OMP_AFFINITY_FORMAT", "GOMP_DEBUG", "GOMP_INFO",
  "OMP_DISPLAY_ENV", "OMP_TOOL", "OMP_TOOL_LIBRARIES", "GOMP_CPU_DEVICES", "GOMP_CPU_MEMORY",
  "GOMP_PLUGINS", "GOMP_PLUGIN_PATH",
};
static const char *const suffixes[] = {
  "", "", "", "", "_ALL", "_DEV", "_DEV_0", "_DEV_1", "_DEV_99999999999", "_DEV_", "_DEVX", "_", "\xff",
};
static const char *const words[] = {
  "true", "false", "static", "dynamic", "guided", "auto", "monotonic", "nonmonotonic", "close",
  "spread", "primary", "master", "threads", "cores", "sockets", "ll_caches", "numa_domains",
  "active", "passive", "infinite", "mandatory", "disabled", "omp_default_mem_space",
  "omp_default_mem_alloc", "alignment", "pool_size", "pinned", "fallback", "null_fb",
  "allocator_fb", "partition", "blocked", "sync_hint", "private", "access", "pteam",
  "omp_high_bw_mem_space:alignment=64", "omp_const_mem_space:pool_size=4096,",
  "kind(gpu)", "kind(cpu)", "vendor(", "uid(x)", "device_num(0)", "&&", "||", "*", "[1]", "[", "]",
  "initial", "invalid", "default", "=", ":", ":", ",", ",", "{", "}",
  "{", "}", "(", ")", "!", "-", "+", " ", "\t", "0", "1", "2", "3", "63", "64", "1024", "65535",
  "65536", "2147483648", "4294967296", "9223372036854775807", "9223372036854775808",
  "18446744073709551615", "99999999999999999999999", "0x1f", "\xc3\xa9", "1k", "4m", "k", "b", "g", "%n", "%",
};

static const char *const format_words[] = {
  "%", "%", "%", "%", "0", ".", "0.", "1", "9", "12", "007", "{", "}", "{thread_num}", "{host}",
  "{nesting_level}", "{thread_affinity}", "{native_thread_id}", "{nonsense}", "t", "T", "L", "n",
  "N", "a", "H", "P", "i", "A", "q", " ", "text", "\xff", "%n", "%0.5a", "%.8A", "%20{process_id}",
  "99999999999999999999",
};

static void
add_format (char *to, size_t room)
{
  size_t n = 0;
  for (unsigned i = pick (10); i > 0; i--)
    {
      const char *word = format_words[pick (sizeof format_words / sizeof *format_words)];
      size_t len = strlen (word);
      if (n + len < room)
	{
	  memcpy (to + n, word, len);
	  n += len;
	}
    }
  to[n] = 0;
}

static void
add_value (char *to, size_t room)
{
  size_t n = 0;
  unsigned parts = pick (12);
  int raw = pick (4) == 0;
  for (unsigned i = 0; i < parts * (raw ? 4 : 1); i++)
    if (raw)
      {
	char c = 1 + pick (255);
	if (n + 1 < room)
	  to[n++] = c == '|' ? '+' : c;
      }
    else
      {
	const char *word = words[pick (sizeof words / sizeof *words)];
	size_t len = strlen (word);
	if (n + len < room)
	  {
	    memcpy (to + n, word, len);
	    n += len;
	  }
      }
  to[n] = 0;
}

int
main (int argc, char **argv)
{
  static char settings[16384], value[512];

  if (argc > 1 && strcmp (argv[1], "format") == 0)
    {
      char text[64];
      size_t n = omp_capture_affinity (text, sizeof text, NULL);
      size_t stored = strnlen (text, sizeof text);
      return stored == (n < sizeof text ? n : sizeof text - 1) ? 0 : 3;
    }
  if (argc > 1)
    {
      /* Everything that came out of it makes sense.  */
      omp_sched_t kind;
      int chunk;
      omp_get_schedule (&kind, &chunk);
      kind &= 0x7fffffff;
      int ok = omp_get_max_threads () >= 1 && kind >= 1 && kind <= 4 && chunk >= 0
	       && omp_get_thread_limit () >= 1 && omp_get_max_active_levels () >= 0
	       && omp_get_max_active_levels () <= 255 && omp_get_max_teams () >= 0
	       && omp_get_teams_thread_limit () >= 0 && omp_get_max_task_priority () >= 0
	       && omp_get_default_device () >= -4 && omp_get_default_allocator () != 0
	       && omp_get_num_places () >= 0 && omp_get_num_places () <= 65536;
      int *ids = malloc ((omp_get_num_procs () + 65536) * sizeof (int));
      for (int i = 0; i < omp_get_num_places (); i++)
	{
	  int n = omp_get_place_num_procs (i);
	  if (n < 1)
	    ok = 0;
	  omp_get_place_proc_ids (i, ids);
	}
      free (ids);
      omp_display_env (1);
      if (!ok)
	printf ("\nsome ICV makes no sense\n");
      return !ok;
    }

  for (int run = 0; run < 400; run++)
    {
      size_t len = 0;
      unsigned settings_count = 1 + pick (16);
      for (unsigned i = 0; i < settings_count; i++)
	{
	  add_value (value, sizeof value);
	  len += snprintf (settings + len, sizeof settings - len, "%s%s%s=%s", i ? "|" : "",
			   names[pick (sizeof names / sizeof *names)],
			   suffixes[pick (sizeof suffixes / sizeof *suffixes)], value);
	}
      if (run_self (settings, "child") != 0)
	run_complain (settings, "failed", "");
    }

  int used = 0;
  for (int run = 0; run < 300; run++)
    {
      add_format (value, sizeof value);
      snprintf (settings, sizeof settings, "OMP_AFFINITY_FORMAT=%s", value);
      int status = run_self (settings, "format");
      if (status > 1 || (status == 1) != (strstr (run_output, "affinity") != NULL))
	run_complain (settings, "failed", "");
      used += status == 0;
    }
  if (used < 30)
    run_complain ("", "hardly any format was right", "");
  return run_failures != 0;
}
