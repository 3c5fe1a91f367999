/* What a tool sees of loops, sections and single: in order in a team of one; every iteration
   once and the right pairs in a team of several.
   TEST-OPTIONS: -rdynamic  */

#include "aux-ompt.h"

#define BARRIER								\
  "sync workshare barrier begin\n" "wait workshare barrier begin\n"	\
  "wait workshare barrier end\n" "sync workshare barrier end\n"
#define EXPLICIT							\
  "sync explicit barrier begin\n" "wait explicit barrier begin\n"	\
  "wait explicit barrier end\n" "sync explicit barrier end\n"

static void
alone (void)
{
  int n = 0, v = 0;

  #pragma omp for schedule (dynamic, 3)
  for (int i = 0; i < 7; i++)
    n++;
  ompt_expect (0, "dynamic loop",
	       "work dynamic loop begin 7\n"
	       "chunk 0 3\n" "chunk 3 3\n" "chunk 6 1\n"
	       "work dynamic loop end 7\n" BARRIER);
  ompt_forget ();
  #pragma omp for schedule (guided, 2) nowait
  for (unsigned long i = 10; i < 12; i++)
    n++;
  ompt_expect (0, "guided loop",
	       "work guided loop begin 2\n" "chunk 0 2\n" "work guided loop end 2\n");
  ompt_forget ();
  omp_set_schedule (omp_sched_static, 4);
  #pragma omp for schedule (runtime) nowait
  for (int i = 20; i > 10; i -= 2)
    n++;
  ompt_expect (0, "static loop by the environment",
	       "work static loop begin 5\n" "chunk 0 4\n" "chunk 4 1\n"
	       "work static loop end 5\n");

  ompt_forget ();
  #pragma omp sections
  {
    #pragma omp section
    n++;
    #pragma omp section
    n++;
  }
  ompt_expect (0, "sections",
	       "work sections begin 2\n" "section\n" "section\n" "work sections end 2\n" BARRIER);

  ompt_forget ();
  #pragma omp single
  n++;
  #pragma omp barrier
  ompt_expect (0, "single and a barrier",
	       "work single executor begin 1\n" "work single executor end 1\n" BARRIER
	       EXPLICIT);
  ompt_forget ();
  #pragma omp single nowait
  n++;
  #pragma omp single copyprivate (v)
  v = ++n;
  ompt_expect (0, "single nowait, single copyprivate",
	       "work single executor begin 1\n" "work single executor end 1\n"
	       "work single executor begin 1\n" "work single executor end 1\n" BARRIER);
  if (n != 7 + 2 + 5 + 2 + 3 || v != n)
    ompt_bad ("the program is wrong: %d", n);
  ompt_forget ();
}

/* How often the texts of all threads have LINE.  */
static int
count (const char *line)
{
  int found = 0;
  for (int t = 0; t < ompt_threads; t++)
    for (const char *p = ompt_text (t); (p = strstr (p, line)) != NULL; p += strlen (line))
      found++;
  return found;
}

static void
check (const char *what, const char *line, int want)
{
  if (count (line) != want)
    ompt_bad ("%s: %d times \"%.*s\"", what, count (line), (int) strcspn (line, "\n"), line);
}

#define N 1000

static void
chunks (const char *what)
{
  int taken[N] = { 0 };
  for (int t = 0; t < ompt_threads; t++)
    for (const char *p = ompt_text (t); (p = strstr (p, "chunk ")) != NULL; p++)
      {
	long start, length;
	if (sscanf (p, "chunk %ld %ld", &start, &length) != 2 || start < 0 || length < 1
	    || start + length > N)
	  ompt_bad ("%s: bad chunk", what);
	else
	  for (long i = start; i < start + length; i++)
	    taken[i]++;
      }
  for (int i = 0; i < N; i++)
    if (taken[i] != 1)
      {
	ompt_bad ("%s: iteration %d %d times", what, i, taken[i]);
	break;
      }
  ompt_forget ();
}

static void
together (void)
{
  int v = 0;
  #pragma omp parallel for schedule (dynamic, 7) num_threads (4)
  for (int i = 0; i < N; i++)
    ;
  check ("combined loop", "work dynamic loop begin 1000\n", 4);
  check ("combined loop", "work dynamic loop end 1000\n", 4);
  chunks ("combined dynamic loop");

  #pragma omp parallel num_threads (4)
  {
    #pragma omp for schedule (guided) nowait
    for (int i = 0; i < N; i++)
      ;
  }
  chunks ("guided loop");
  #pragma omp parallel for schedule (monotonic: dynamic) ordered num_threads (4)
  for (int i = 0; i < N; i++)
    ;
  chunks ("ordered loop");
  #pragma omp parallel for schedule (dynamic, 3) ordered (1) num_threads (4)
  for (int i = 0; i < N; i++)
    {
      #pragma omp ordered depend (sink: i - 1)
      #pragma omp ordered depend (source)
    }
  check ("doacross loop", "work other loop end 1000\n", 4);
  chunks ("doacross loop");

  #pragma omp parallel sections num_threads (4)
  {
    #pragma omp section
    ;
    #pragma omp section
    ;
    #pragma omp section
    ;
  }
  check ("sections", "work sections begin 3\n", 4);
  check ("sections", "work sections end 3\n", 4);
  check ("sections", "section\n", 3);
  ompt_forget ();

  #pragma omp parallel num_threads (4) private (v)
  {
    #pragma omp single
    ;
    #pragma omp single nowait
    ;
    #pragma omp single copyprivate (v)
    v = 1;
  }
  check ("single", "work single executor begin 1\n", 3);
  check ("single", "work single executor end 1\n", 3);
  check ("single", "work single other begin 1\n", 9);
  check ("single", "work single other end 1\n", 9);
  check ("single", "sync workshare barrier end\n", 8);
  check ("single", "sync explicit barrier end\n", 0);
  ompt_forget ();
}

int
main (void)
{
  ompt_events &= ~(UINT64_C (1) << ompt_callback_thread_begin
		   | UINT64_C (1) << ompt_callback_implicit_task);
  alone ();
  together ();
  return ompt_failures != 0;
}
