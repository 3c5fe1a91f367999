/* The error directive with at(execution), the form of its lines, and that a fatal error ends
   the program with status 1 after the handlers of atexit.  */

#include <omp.h>

#include "aux-run-self.h"

void GOMP_warning (const char *, size_t);
void GOMP_error (const char *, size_t);

static const char wanted[] = "\nlibgomp: error directive encountered: careful\n"
  "\nlibgomp: error directive encountered\n"
  "\nlibgomp: error directive encountered: cut\n"
  "\nlibgomp: error directive encountered: \n"
  "\nlibgomp: fatal error: error directive encountered: dead end\n"
  "atexit ran\n";

static char long_text[9000];

static void
bye (void)
{
  fputs ("atexit ran\n", stderr);
}

int
main (int argc, char **argv)
{
  memset (long_text, 'x', sizeof (long_text));
  if (argc > 1)
    {
      if (strcmp (argv[1], "long") == 0)
	{
	  for (size_t n = 4054; n < 4059; n++)
	    GOMP_warning (long_text, n);
	  GOMP_error (long_text, sizeof (long_text));
	}
      atexit (bye);
      if (strcmp (argv[1], "plain") == 0)
	GOMP_error (NULL, 0);
#pragma omp error at(execution) severity(warning) message("careful")
#pragma omp error at(execution) severity(warning)
      GOMP_warning ("cut here", 3);	/* Fortran */
      GOMP_warning ("nothing", 0);
#pragma omp error at(execution) message("dead end")
      return 0;
    }
  if (run_self ("", "all") != 1 || strcmp (run_output, wanted) != 0)
    run_complain ("", "wanted status 1 and", wanted);
  if (run_self ("", "plain") != 1
      || strcmp (run_output, "\nlibgomp: fatal error: error directive encountered\natexit ran\n") != 0)
    run_complain ("", "error without a message", "");
  /* Messages are not cut.  */
  size_t want = sizeof (long_text) + strlen ("\nlibgomp: fatal error: error directive encountered: \n");
  for (size_t n = 4054; n < 4059; n++)
    want += n + strlen ("\nlibgomp: error directive encountered: \n");
  if (run_self ("", "long") != 1 || strlen (run_output) != want)
    run_complain ("", "long messages", "");
  return run_failures != 0;
}
