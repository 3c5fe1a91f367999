/* GOMP_INFO names the library, its file, and the process, in programs without target constructs, too.
   TEST-ENV: GOMP_INFO=1
   TEST-OUTPUT: ^libgomp: info: gompx [0-9][^ ,]*, (/.*libgomp[^ ]*|in a static program), process [0-9]+ \(info-start\.exe\)$  */

#include <omp.h>

int
main (void)
{
  return omp_get_level ();
}
