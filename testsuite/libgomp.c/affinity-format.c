/* The fields of the affinity format, and formats that end the program.  */

#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <sched.h>

#include "aux-run-self.h"

static int failures;

static void
expect_text (const char *format, const char *wanted)
{
  char text[512];
  size_t n = omp_capture_affinity (text, sizeof text, format);
  if (strcmp (text, wanted) != 0 || n != strlen (wanted))
    {
      printf ("FAIL: %s gives %zu \"%s\", not \"%s\"\n", format, n, text, wanted);
#pragma omp atomic
      failures++;
    }
}

static void
expect_number (const char *what, size_t got, size_t wanted)
{
  if (got != wanted)
    {
      printf ("FAIL: %s: %zu, not %zu\n", what, got, wanted);
      failures++;
    }
}

/* "0-3,7" for the affinity mask.  */
static void
mask_text (char *to)
{
  cpu_set_t mask;
  sched_getaffinity (0, sizeof mask, &mask);
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET (cpu, &mask))
      {
	int last = cpu;
	while (last + 1 < CPU_SETSIZE && CPU_ISSET (last + 1, &mask))
	  last++;
	to += sprintf (to, last > cpu ? "%d-%d," : "%d,", cpu, last);
	cpu = last;
      }
  to[-1] = 0;
}

static const struct { const char *format, *message; } bad[] = {
  { "%q", "unsupported type q in affinity format" },
  { "abc%5%", "unsupported type % in affinity format" },
  { "%5.3n", "unsupported type . in affinity format" },
  { "abc%", "unsupported type '' in affinity format" },
  { "%12", "unsupported type '' in affinity format" },
  { "%0n", "leading zero not followed by dot in affinity format" },
  { "%05n", "leading zero not followed by dot in affinity format" },
  { "%.n", "leading zero or right justification in affinity format requires size" },
  { "%0.n", "leading zero or right justification in affinity format requires size" },
  { "%.0n", "leading zero or right justification in affinity format requires size" },
  { "%{foo}", "unsupported long type name 'foo' in affinity format" },
  { "%{}", "unsupported long type name '' in affinity format" },
  { "%{thread_num ", "unterminated long type name 'thread_num ' in affinity format" },
  { "%{", "unterminated long type name '' in affinity format" },
  { "%99999999999n", "overflow in omp_capture_affinity" },
};

int
main (int argc, char **argv)
{
  char text[512], wanted[512], host[128], settings[64];

  if (argc > 1 && argv[1][0] == '=')
    {
      omp_capture_affinity (text, sizeof text, argv[1] + 1);
      return 0;
    }
  if (argc > 1 && strcmp (argv[1], "display") == 0)
    {
      omp_display_affinity ("T%n of %N");
      omp_display_affinity (NULL);
      omp_display_affinity ("");
      omp_set_affinity_format ("S%L");
      omp_display_affinity (NULL);
      return 0;
    }

  expect_text ("%n|%N|%L|%a|%t|%T|%%", "0|1|0|-1|0|1|%");
  expect_text ("%{thread_num}|%{num_threads}|%{nesting_level}|%{ancestor_tnum}|%{team_num}|%{num_teams}",
	       "0|1|0|-1|0|1");
  expect_text ("[%5n][%.5n][%0.5n][%1n]", "[0    ][    0][00000][0]");
  expect_text ("[%5a][%.5a][%0.5a][%0.1a]", "[-1   ][   -1][-0001][-1]");
  expect_text ("%12{thread_num}|%0.3{num_threads}", "0           |001");
  expect_text ("plain", "plain");
  expect_text ("%%%%n", "%%n");

  gethostname (host, sizeof host);
  expect_text ("%H", host);
  expect_text ("%{host}", host);
  snprintf (wanted, sizeof wanted, "[%-100s][%100s]", host, host);
  expect_text ("[%100H][%0.100H]", wanted);
  snprintf (wanted, sizeof wanted, "%d %d", (int) getpid (), (int) getpid ());
  expect_text ("%P %{process_id}", wanted);
  snprintf (wanted, sizeof wanted, "%#lx", (unsigned long) pthread_self ());
  expect_text ("%i", wanted);
  snprintf (wanted, sizeof wanted, "0x%020lx", (unsigned long) pthread_self ());
  expect_text ("%0.22{native_thread_id}", wanted);
  mask_text (wanted);
  expect_text ("%A", wanted);
  expect_text ("%{thread_affinity}", wanted);

  /* Lengths and cut texts.  */
  memset (text, 'x', sizeof text);
  expect_number ("length", omp_capture_affinity (text, 4, "abcdefg"), 7);
  expect_number ("cut", memcmp (text, "abc\0x", 5), 0);
  expect_number ("length without buffer", omp_capture_affinity (NULL, 0, "abc"), 3);
  omp_set_affinity_format ("def%n");
  expect_text (NULL, "def0");
  expect_text ("", "def0");
  expect_number ("format", omp_get_affinity_format (NULL, 0), 5);
  expect_number ("format", omp_get_affinity_format (text, 3), 5);
  expect_number ("cut format", strcmp (text, "de"), 0);

  /* In a nested region.  */
  omp_set_max_active_levels (2);
#pragma omp parallel num_threads(2)
  {
    int outer = omp_get_thread_num ();
#pragma omp parallel num_threads(2)
    {
      char own[64];
      snprintf (own, sizeof own, "%d/2 level 2 parent %d", omp_get_thread_num (), outer);
      expect_text ("%n/%N level %L parent %a", own);
      snprintf (own, sizeof own, "%#lx", (unsigned long) pthread_self ());
      expect_text ("%i", own);
    }
  }

  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
    {
      snprintf (text, sizeof text, "=%s", bad[i].format);
      snprintf (wanted, sizeof wanted, "\nlibgomp: %s\n", bad[i].message);
      if (run_self ("", text) != 1 || strcmp (run_output, wanted) != 0)
	run_complain (bad[i].format, "wrong message or status; wanted ", wanted);
      /* The same from the environment, when it is used.  */
      if (!strchr (bad[i].format, '|'))
	{
	  snprintf (settings, sizeof settings, "OMP_AFFINITY_FORMAT=%s", bad[i].format);
	  if (run_self (settings, "display") != 1 || !strstr (run_output, wanted))
	    run_complain (settings, "wrong message or status; wanted ", wanted);
	}
    }
  if (run_self ("OMP_AFFINITY_FORMAT=env%N", "display") != 0
      || strcmp (run_output, "T0 of 1\nenv1\nenv1\nS0\n") != 0)
    run_complain ("OMP_AFFINITY_FORMAT=env%N", "wrong lines", "");
  return failures != 0 || run_failures != 0;
}
