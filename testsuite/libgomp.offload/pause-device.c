/* omp_pause_resource of a device: a soft pause gives memory back and keeps variables; a hard one
   ends the device, whose next use makes it again, and is refused while it would lose
   something.
   TEST-MODES: cpu2 test
   TEST-OPTIONS: -D_GNU_SOURCE
   TEST-ENV: GOMPX_TEST_PLUGIN=devices=2  */

#include <dirent.h>
#include <errno.h>
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int failures;
#define CHECK(x) do if (!(x)) { printf ("FAIL line %d: %s\n", __LINE__, #x); failures++; } while (0)

int counter = 5;
#pragma omp declare target (counter)

/* KiB of the device's memory that are in memory here: the cpu device's is a memfd.  */
static long
device_memory (void)
{
  FILE *f = fopen ("/proc/self/smaps", "r");
  char line[1000];
  long sum = 0, n;
  int ours = 0;
  while (f != NULL && fgets (line, sizeof (line), f) != NULL)
    if (strchr (line, '-') != NULL && strstr (line, " r") != NULL && strchr (line, ':') > strchr (line, '-'))
      ours = strstr (line, "memfd:") != NULL;
    else if (ours && sscanf (line, "Rss: %ld", &n) == 1)
      sum += n;
  if (f != NULL)
    fclose (f);
  return sum;
}

static int
entries (const char *directory)
{
  int n = 0;
  DIR *dir = opendir (directory);
  for (struct dirent *entry; dir && (entry = readdir (dir)) != NULL; )
    n += entry->d_name[0] != '.';
  if (dir)
    closedir (dir);
  return n;
}

/* Threads and files of what has ended may be there for a moment.  */
static int
at_most (const char *directory, int wanted)
{
  for (int i = 0; i < 2000 && entries (directory) > wanted; i++)
    nanosleep (&(struct timespec) { 0, 5000000 }, NULL);
  return entries (directory) <= wanted;
}

static int
process_of (int device)
{
  int pid = -1;
#pragma omp target device (device) map (from: pid)
  pid = getpid ();
  return pid;
}

static int
next (int device)
{
  int n = -1;
#pragma omp target device (device) map (from: n)
  n = ++counter;
  return n;
}

static int
is_gone (int pid)
{
  for (int i = 0; i < 2000; i++)
    {
      if (kill (pid, 0) != 0 && errno == ESRCH)
	return 1;
      nanosleep (&(struct timespec) { 0, 5000000 }, NULL);
    }
  return 0;
}

static char big[8 << 20];

int
main (void)
{
  const char *mode = getenv ("TEST_MODE");
  int cpu = mode == NULL || strncmp (mode, "cpu", 3) == 0;
  if (omp_get_num_devices () != 2)
    return 77;

  /* Never used: nothing to give back.  */
  CHECK (omp_pause_resource (omp_pause_hard, 1) == 0);

  /* Soft.  The test device has no copy of the variable.  */
  int pid = process_of (0), own = getpid ();
  CHECK ((pid != own) == cpu);
  int first = next (0);
  CHECK (first == 6);
#pragma omp target map (tofrom: big)
  memset (big, 1, sizeof (big));
  long before = device_memory ();
  CHECK (omp_pause_resource (omp_pause_soft, 0) == 0);
  long after = device_memory ();
  if (cpu && before - after < (long) sizeof (big) / 1024)
    printf ("FAIL: %ld KiB before, %ld after\n", before, after), failures++;
  CHECK (process_of (0) == pid && next (0) == 7);

  /* Not while something would be lost.  */
  int x = 3;
#pragma omp target data map (tofrom: x)
  {
    CHECK (omp_pause_resource (omp_pause_soft, 0) == 0);
    CHECK (omp_pause_resource (omp_pause_hard, 0) == -1);
    CHECK (omp_pause_resource_all (omp_pause_hard) == -1);
#pragma omp target map (tofrom: x)
    x += 4;
  }
  CHECK (x == 7);
  void *p = omp_target_alloc (100, 0);
  CHECK (p != NULL && omp_pause_resource (omp_pause_hard, 0) == -1);
  CHECK (omp_target_associate_ptr (big, p, 100, 0, 0) == 0);
  CHECK (omp_pause_resource (omp_pause_hard, 0) == -1 && omp_target_is_present (big, 0));
  CHECK (omp_target_disassociate_ptr (big, 0) == 0);
  omp_target_free (p, 0);
  CHECK (process_of (0) == pid && next (0) == 8);

  /* Hard.  */
  int other = process_of (1);
  CHECK (omp_pause_resource (omp_pause_hard, 0) == 0);
  CHECK (omp_pause_resource (omp_pause_hard, 0) == 0);
  if (cpu)
    {
      CHECK (is_gone (pid) && kill (other, 0) == 0);
      CHECK (next (0) == 6);
      CHECK (process_of (0) != pid && process_of (0) != own && process_of (1) == other);
    }
  else
    CHECK (next (0) == 9);
  CHECK (omp_target_is_present (&counter, 0));

  /* After tasks that the device is through with.  */
  x = 0;
#pragma omp target nowait map (tofrom: x) depend (inout: x)
  x++;
#pragma omp target nowait map (tofrom: x) depend (inout: x)
  x++;
#pragma omp taskwait
  CHECK (x == 2 && omp_pause_resource (omp_pause_hard, 0) == 0);
#pragma omp target nowait map (tofrom: x)
  x++;
#pragma omp taskwait
  CHECK (x == 3);

  /* Everything, and nothing of it piles up.  */
  int fds = 0, tasks = 0;
  for (int i = 0; i < 5; i++)
    {
      pid = process_of (0);
      other = process_of (1);
      next (1);
      CHECK (omp_pause_resource_all (i % 2 ? omp_pause_soft : omp_pause_hard) == 0);
      CHECK (omp_pause_resource_all (omp_pause_hard) == 0);
      if (cpu)
	CHECK (is_gone (pid) && is_gone (other));
      if (i == 1)
	fds = entries ("/proc/self/fd"), tasks = entries ("/proc/self/task");
      if (i > 1)
	CHECK (at_most ("/proc/self/fd", fds) && at_most ("/proc/self/task", tasks));
    }
  x = 1;
#pragma omp target map (tofrom: x)
  x = 2;
  CHECK (x == 2);

  /* Inside a region, and numbers that mean nothing.  */
  int inside = 0;
#pragma omp parallel num_threads (2) reduction (+: inside)
  inside += omp_pause_resource (omp_pause_soft, 0);
  CHECK (inside == -2);
  CHECK (omp_pause_resource (omp_pause_soft, 3) == -1);
  CHECK (omp_pause_resource (omp_pause_soft, -4) == -1);
  CHECK (omp_pause_resource (omp_pause_soft, 2) == 0 && omp_pause_resource (omp_pause_soft, -1) == 0);
  omp_set_default_device (1);
  CHECK (omp_pause_resource (omp_pause_hard, -5) == 0);
  /* omp_pause_stop_tool is for all devices together.  */
  CHECK (omp_pause_resource ((omp_pause_resource_t) 3, 0) == -1);
  CHECK (omp_pause_resource_all ((omp_pause_resource_t) 3) == 0);
  int there = 9;
#pragma omp target device (0) map (tofrom: there)
  there = omp_pause_resource (omp_pause_soft, 0) + omp_pause_resource_all (omp_pause_soft);
  CHECK (there == (cpu ? -2 : there));
  return failures != 0;
}
