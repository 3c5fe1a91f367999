/* A process is forked while a thread loads the program's image: the child's end does not wait for that thread, which it
   has not got.
   TEST-ENV: GOMP_CACHE=off
   TEST-TIMEOUT: 60
   TEST-SKIP-SANITIZER: address what only the stack of a thread leads to is a leak in a child  */

#define _GNU_SOURCE 1
#include "aux-image.h"
#include "aux-linking.h"

#include <sys/wait.h>

int variable = 3;
#pragma omp declare target to (variable)

int
main (void)
{
  int status;

  linking_begin (stay);
  pid_t child = fork ();
  if (child == 0)
    {
      alarm (40);
      exit (7);
    }
  waitpid (child, &status, 0);
  linking_end ();
  if (!WIFEXITED (status) || WEXITSTATUS (status) != 7)
    return printf ("the child has ended with the status %#x\n", status), 1;
  if (!omp_target_is_present (&variable, 0))
    return puts ("the parent has no image"), 1;
  return 0;
}
