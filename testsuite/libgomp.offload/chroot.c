/* A program that changes its root directory before it uses the device: its tables were read when
   it started.  Only root may do that.
   TEST-MODES: host cpu test
   TEST-SKIP-SANITIZER: address the symbolizer is not in the new root  */

#include <stdio.h>
#include <unistd.h>

int table[3] = { 1, 2, 3 };
#pragma omp declare target to(table)

int
main (void)
{
  int sum = 0;
  /* An empty directory: no /proc, no libraries, no executable.  */
  char dir[] = "/tmp/gompx-chroot-XXXXXX";
  extern char *mkdtemp (char *);
  if (mkdtemp (dir) == NULL || chdir (dir) != 0 || rmdir (dir) != 0 || chroot (".") != 0)
    return 77;
#pragma omp target map(tofrom: sum)
  for (int i = 0; i < 3; i++)
    sum += table[i];
  if (sum != 6)
    return printf ("sum = %d\n", sum), 1;
  return 0;
}
