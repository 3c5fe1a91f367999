/* The affinity format on a device: all fields, filling, what fits, a format that threads change while others
   use it.  */

#include <omp.h>
#include <stdio.h>
#include <string.h>

static int failures;

static void
gives (const char *format, const char *wanted)
{
  char text[400];
  size_t n = omp_capture_affinity (text, sizeof (text), format);
  if (strcmp (text, wanted) != 0 || n != strlen (wanted))
    {
      printf ("%s gives %zu \"%s\", not \"%s\"\n", format, n, text, wanted);
      failures++;
    }
}

int
main (void)
{
  char text[400];
  gives ("%t%T %L %n%N %a|%P %H", "01 0 01 -1|0 device0");
  gives ("%{team_num}%{num_teams}%{nesting_level}%{thread_num}%{num_threads}%{ancestor_tnum}"
	 "%{process_id}%{host}", "01001-10device0");
  gives ("%i %A %{native_thread_id} %{thread_affinity}", "0x0 0 0x0 0");
  gives ("100%% %%n", "100% %n");
  gives ("%5n|%.5n|%0.5n|%0.5a|%.5a", "0    |    0|00000|-0001|   -1");
  gives ("%10H|%.10H|%0.10H|%0.6i", "device0   |   device0|   device0|0x0000");
  gives (NULL, "level 0 thread 0x0 affinity 0");
  gives ("", "level 0 thread 0x0 affinity 0");
  gives ("%.300n", (memset (text, ' ', 299), strcpy (text + 299, "0"), text));

  /* What does not fit.  */
  memset (text, '?', sizeof (text));
  failures += omp_capture_affinity (text, 4, "abcdef") != 6 || memcmp (text, "abc\0?", 5) != 0;
  memset (text, '?', sizeof (text));
  failures += omp_capture_affinity (text, 0, "abcdef") != 6 || text[0] != '?';
  omp_set_affinity_format ("abc %n");
  failures += omp_get_affinity_format (text, 3) != 6 || strcmp (text, "ab") != 0;
  failures += omp_get_affinity_format (NULL, 0) != 6;
  failures += omp_get_affinity_format (text, 7) != 6 || strcmp (text, "abc %n") != 0;
  gives (NULL, "abc 0");

  int wrong = 0;
#pragma omp parallel num_threads (8) reduction (+: wrong)
  for (int i = 0; i < 200; i++)
    {
      char line[100], number[20];
      int me = omp_get_thread_num ();
      sprintf (number, "%d", me);
      omp_set_affinity_format (me & 1 ? "%n one %n" : "%n, more of it, and %n");
      omp_capture_affinity (line, sizeof (line), NULL);
      /* Whoever's format it is, the numbers are ours.  */
      wrong += strncmp (line, number, 1) != 0 || line[strlen (line) - 1] != number[0];
    }
  if (wrong != 0)
    printf ("%d wrong lines\n", wrong);
  return failures != 0 || wrong != 0;
}
