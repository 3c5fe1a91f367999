/* The worker was started when the library was loaded: the device can be used when the program has
   no /proc and may not execute or clone any more.  The region may do neither.
   TEST-MODES: cpu
   TEST-SKIP-SANITIZER: address the leak checker needs a thread of its own at the end  */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#pragma omp declare target
int on_device = 0;
#pragma omp end declare target

int
main (void)
{
  int x = 1, there = 0, user = 0, child = 0, file = 0;
  char dir[] = "/tmp/gompx-XXXXXX";

  /* The directory is gone before it becomes the root: nothing is left behind.  */
  if (mkdtemp (dir) == NULL || chdir (dir) != 0 || rmdir (dir) != 0)
    return 77;
  if (chroot (".") != 0)
    {
      printf ("chroot is not allowed\n");
      return 77;
    }
  struct rlimit none = { 0, 0 };
  setrlimit (RLIMIT_NPROC, &none);
  if (setuid (65534) != 0)
    return 77;
  clearenv ();
#pragma omp target map (tofrom: x) map (from: there, user, child, file)
  {
    x += 41;
    there = ++on_device;
    user = getuid ();
    file = open ("/", O_RDONLY | O_DIRECTORY);
    if (file >= 0)
      file = openat (file, "etc/passwd", O_RDONLY);
    child = fork ();
    if (child == 0)
      _exit (0);
  }
  if (x != 42 || there != 1 || on_device != 0)
    {
      printf ("x %d, on the device %d, here %d\n", x, there, on_device);
      return 1;
    }
  if (user != 65534 || child >= 0 || file >= 0)
    {
      printf ("a region is user %d, makes the child %d, opens the file %d\n", user, child, file);
      return 1;
    }
  return 0;
}
