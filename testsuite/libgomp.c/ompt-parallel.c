/* What a tool sees of parallel regions: their threads, implicit tasks and barriers, in order; of
   teams of one, nested regions, and the end of the program.
   TEST-OPTIONS: -rdynamic  */

#include "aux-ompt.h"

static void
last (void)
{
  /* Threads end before the tool does.  */
  ompt_expect (0, "the end", "initial task end 0 1\n" "thread end\n");
  ompt_expect (1, "the end", "thread end\n");
  ompt_expect (2, "the end", "thread end\n");
  if (ompt_initialized != 1 || ompt_finalized != 1)
    ompt_bad ("initialized %d times, finalized %d times", ompt_initialized, ompt_finalized);
  puts ("finalized");
}

#define IMPLICIT(n, i)							\
  "implicit task begin " #n " " #i "\n"					\
  "sync parallel barrier begin\n"					\
  "wait parallel barrier begin\n"					\
  "wait parallel barrier end\n"						\
  "sync parallel barrier end\n"						\
  "implicit task end 0 " #i "\n"

int
main (void)
{
  int in = 0;
  ompt_at_finalize = last;
  if (ompt_initialized)
    ompt_bad ("started before the first construct");

  #pragma omp parallel num_threads (2) reduction (+: in)
  in++;
  ompt_expect (0, "two threads",
	       "thread begin initial\n"
	       "initial task begin 1 1\n"
	       "parallel begin 2 team runtime\n"
	       IMPLICIT (2, 0)
	       "parallel end\n");
  ompt_expect (1, "two threads", "thread begin worker\n" IMPLICIT (2, 1));

  /* The same thread again, with another size; then without its helpers.  */
  ompt_forget ();
  #pragma omp parallel num_threads (3) reduction (+: in)
  in++;
  ompt_expect (0, "three threads", "parallel begin 3 team runtime\n" IMPLICIT (3, 0)
	       "parallel end\n");
  ompt_expect (1, "three threads", IMPLICIT (3, 1));
  ompt_expect (2, "three threads", "thread begin worker\n" IMPLICIT (3, 2));
  ompt_forget ();
  #pragma omp parallel if (0) reduction (+: in)
  in++;
  ompt_expect (0, "team of one", "parallel begin 1 team runtime\n" IMPLICIT (1, 0)
	       "parallel end\n");
  ompt_expect (1, "team of one", "");

  /* Nested: inactive regions.  */
  ompt_forget ();
  #pragma omp parallel num_threads (2)
  {
    #pragma omp parallel num_threads (1)
    {
      #pragma omp atomic
      in++;
    }
  }
#define NESTED(i)							\
  "implicit task begin 2 " #i "\n"					\
  "parallel begin 1 team runtime\n"					\
  IMPLICIT (1, 0)							\
  "parallel end\n"							\
  "sync parallel barrier begin\n"					\
  "wait parallel barrier begin\n"					\
  "wait parallel barrier end\n"						\
  "sync parallel barrier end\n"						\
  "implicit task end 0 " #i "\n"
  ompt_expect (0, "nested", "parallel begin 2 team runtime\n" NESTED (0) "parallel end\n");
  ompt_expect (1, "nested", NESTED (1));

  if (in != 2 + 3 + 1 + 2)
    ompt_bad ("the program is wrong: %d", in);
  ompt_forget ();
  return ompt_failures != 0;
}
/* TEST-OUTPUT: ^finalized$  */
