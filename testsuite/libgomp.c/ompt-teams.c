/* What a tool sees of teams on the host.
   TEST-OPTIONS: -rdynamic  */

#include "aux-ompt.h"

#define TEAM(i)								\
  "initial task begin 2 " #i "\n"					\
  "parallel begin 1 team runtime\n"					\
  "implicit task begin 1 0\n"						\
  "sync parallel barrier begin\n" "wait parallel barrier begin\n"	\
  "wait parallel barrier end\n" "sync parallel barrier end\n"		\
  "implicit task end 0 0\n"						\
  "parallel end\n"							\
  "initial task end 0 " #i "\n"

int
main (void)
{
  int n = 0;
  #pragma omp teams num_teams (2) reduction (+: n)
  {
    #pragma omp parallel num_threads (1) reduction (+: n)
    n++;
  }
  ompt_expect (0, "teams",
	       "thread begin initial\n" "initial task begin 1 1\n"
	       "parallel begin 2 league runtime\n"
	       TEAM (0) TEAM (1)
	       "parallel end\n");
  if (n != 2)
    ompt_bad ("the program is wrong: %d", n);
  return ompt_failures != 0;
}
