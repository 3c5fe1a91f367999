/* A program that takes another label of a security module: the device's process has the label with
   which it was started, so that another one is started, or the device is lost if regions have used it.

   The program's own open finds labels where the library looks for them, in both processes, so that
   there are some without a security module: the program has what is in a file, and its worker what was
   there when it started.
   TEST-MODES: cpu
   TEST-OPTIONS: -rdynamic  */

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LENGTH = 40 };

static int
open_file (const char *name, int flags, int mode)
{
  return syscall (SYS_openat, AT_FDCWD, name, flags, mode);
}

static void
set_label (const char *label)
{
  int fd = open_file (getenv ("LABEL"), O_CREAT | O_WRONLY | O_TRUNC, 0600);
  if (fd < 0 || write (fd, label, strlen (label)) != (ssize_t) strlen (label))
    exit (77);
  close (fd);
}

static void
get_label (char *label)
{
  int fd = open_file (getenv ("LABEL"), O_RDONLY | O_CLOEXEC, 0);
  if (fd < 0 || read (fd, label, LENGTH - 1) <= 0)
    abort ();
  close (fd);
}

static int
open_label (void)
{
  static char inherited[LENGTH];
  char label[LENGTH] = "";
  if (getenv ("LABEL") == NULL)
    return -1;
  if (getpid () == atoi (getenv ("PROGRAM")))
    get_label (label);
  else
    {
      if (inherited[0] == '\0')
	get_label (inherited);
      memcpy (label, inherited, sizeof (label));
    }
  int fd = memfd_create ("label", MFD_CLOEXEC);
  if (fd >= 0 && (write (fd, label, strlen (label)) < 0 || lseek (fd, 0, SEEK_SET) < 0))
    abort ();
  return fd;
}

int
open (const char *name, int flags, ...)
{
  va_list args;
  va_start (args, flags);
  int mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg (args, int) : 0;
  va_end (args);
  const char *end = strstr (name, "/attr/current");
  return end != NULL && end[13] == '\0' ? open_label () : open_file (name, flags, mode);
}

/* ---- the program ---- */

#define CURRENT "/proc/thread-self/attr/current"

static void
in_region (char *label)
{
  memset (label, 0, LENGTH);
#pragma omp target map(from: label[:LENGTH])
  {
    memset (label, 0, LENGTH);
    int fd = open (CURRENT, O_RDONLY);
    if (fd >= 0 && read (fd, label, LENGTH - 1) > 0)
      close (fd);
  }
}

/* Changes its label or not, after the device has been used or before.  */
static int
program (int change, int used)
{
  char label[LENGTH];
  const char *wanted = "system:user\n";
  if (used)
    {
      in_region (label);
      if (strcmp (label, wanted) != 0)
	return printf ("the first region has the label %s\n", label), 2;
    }
  /* The worker looks when it starts, and the library not all the time.  */
  usleep (50000);
  if (change)
    set_label (wanted = "system:confined\n");
  usleep (20000);
  in_region (label);
  if (strcmp (label, wanted) != 0)
    return printf ("the region has the label %s, the program %s\n", label, wanted), 2;
  return 0;
}

static int
run (const char *name, int change, int used, int status, const char *says)
{
  char text[4096], program[12], digits[2][2] = { { '0' + change }, { '0' + used } };
  size_t n = 0;
  ssize_t k;
  int fds[2], got = 0;
  if (pipe (fds) != 0)
    return 1;
  fflush (stdout);
  pid_t pid = fork ();
  if (pid == 0)
    {
      dup2 (fds[1], 1);
      dup2 (fds[1], 2);
      close (fds[0]);
      close (fds[1]);
      setenv ("OMP_TARGET_OFFLOAD", "mandatory", 1);
      set_label ("system:user\n");
      snprintf (program, sizeof (program), "%d", (int) getpid ());
      setenv ("PROGRAM", program, 1);
      execl ("/proc/self/exe", name, digits[0], digits[1], NULL);
      _exit (99);
    }
  close (fds[1]);
  while (n < sizeof (text) - 1 && (k = read (fds[0], text + n, sizeof (text) - 1 - n)) > 0)
    n += k;
  text[n] = 0;
  close (fds[0]);
  waitpid (pid, &got, 0);
  if (WIFEXITED (got) && WEXITSTATUS (got) == status
      && (says == NULL || strstr (text, says) != NULL))
    return 0;
  printf ("%s, device %s: status %#x; it says: %s\n", change ? "another label" : "the same label",
	  used ? "used" : "not used", got, text);
  return 1;
}

int
main (int argc, char **argv)
{
  if (argc == 3)
    return program (atoi (argv[1]), atoi (argv[2]));
  char file[] = "/tmp/gompx-label-XXXXXX";
  int fd = mkstemp (file);
  if (fd < 0)
    return 77;
  close (fd);
  setenv ("LABEL", file, 1);
  int failed = run (argv[0], 0, 0, 0, NULL) + run (argv[0], 0, 1, 0, NULL) + run (argv[0], 1, 0, 0, NULL)
	       + run (argv[0], 1, 1, 1, "has rights that the program has given up: security label");
  unlink (file);
  return failed != 0;
}
