/* GOMP_TRACE: the number of the process in the name of the file, which is the same wherever
   the program goes; names that JSON does not take as they are.
   TEST-MODES: host  */

#include "aux-trace.h"

static int
traced (void)
{
  int x = 0;
  if (chdir ("/") != 0)
    return 1;
#pragma omp target map (tofrom: x)
  x++;
  return x != 1;
}

int
main (int argc, char **argv)
{
  /* A quote, a backslash, a tab, a character of UTF-8 and half of one.  */
  char *odd[] = { "odd\"\\\t\303\244\303", NULL };

  if (!traced_run (argc, odd, "a%%b-%p.json", "a%%b-%d.json"))
    return traced ();
  (void) argv;
  if (traced_status != 0 || count_events ("fallback", "target", NULL) != 1
      || !has_label ("process_name", "odd\"\\"))
    {
      printf ("status %#x\n", traced_status);
      return 1;
    }
  return 0;
}
