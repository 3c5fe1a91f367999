/* OMP_TARGET_OFFLOAD=MANDATORY and device numbers that mean nothing: which routine ends the program
   with which text, and which looks at a null pointer first.  Each case is a process of its own.
   TEST-OPTIONS: -D_GNU_SOURCE -I@srcdir@/libgomp.offload
   TEST-MODES: host test
   TEST-ENV: GOMPX_TEST_PLUGIN=devices=2
   TEST-TIMEOUT: 120  */

#include "aux-device-api.h"

#include <sys/wait.h>
#include <unistd.h>

static int x, y;
static const size_t one = 1, zero = 0;

enum routine
{
  ALLOC, FREE, PRESENT, MEMCPY_TO, MEMCPY_FROM, MEMCPY_ASYNC, RECT_TO, RECT_FROM, RECT_ASYNC, MEMSET,
  MEMSET_ASYNC, ASSOCIATE, DISASSOCIATE, MAPPED, ACCESSIBLE,
  /* From here on the number is not looked at, or any number has an answer.  */
  UID, FREE_NULL, PRESENT_NULL, RECT_NULL, MAPPED_NULL, ACCESSIBLE_NULL, ACCESSIBLE_0, PAUSE, ROUTINES
};

static void
call (enum routine r, int n)
{
  int h = omp_get_initial_device ();
  switch (r)
    {
    case ALLOC: omp_target_alloc (8, n); break;
    case FREE: omp_target_free (&x, n); break;
    case PRESENT: omp_target_is_present (&x, n); break;
    case MEMCPY_TO: omp_target_memcpy (&x, &y, 4, 0, 0, n, h); break;
    case MEMCPY_FROM: omp_target_memcpy (&x, &y, 4, 0, 0, h, n); break;
    case MEMCPY_ASYNC: memcpy_async (&x, &y, 4, 0, 0, h, n, 0, NULL); break;
    case RECT_TO: omp_target_memcpy_rect (&x, &y, 4, 1, &one, &zero, &zero, &one, &one, n, h); break;
    case RECT_FROM: omp_target_memcpy_rect (&x, &y, 4, 1, &one, &zero, &zero, &one, &one, h, n); break;
    case RECT_ASYNC: rect_async (&x, &y, 4, 1, &one, &zero, &zero, &one, &one, n, h, 0, NULL); break;
    case MEMSET: set_memory (&x, 1, 4, n); break;
    case MEMSET_ASYNC: set_memory_async (&x, 1, 4, n, 0, NULL); break;
    case ASSOCIATE: omp_target_associate_ptr (&x, &y, 4, 0, n); break;
    case DISASSOCIATE: omp_target_disassociate_ptr (&x, n); break;
    case MAPPED: mapped_ptr (&x, n); break;
    case ACCESSIBLE: is_accessible (&x, 4, n); break;
    case UID: uid_of (n); break;
    case FREE_NULL: omp_target_free (NULL, n); break;
    case PRESENT_NULL: omp_target_is_present (NULL, n); break;
    case RECT_NULL: omp_target_memcpy_rect (NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, n, n); break;
    case MAPPED_NULL: mapped_ptr (NULL, n); break;
    case ACCESSIBLE_NULL: is_accessible (NULL, 4, n); break;
    case ACCESSIBLE_0: is_accessible (&x, 0, n); break;
    case PAUSE: omp_pause_resource (omp_pause_soft, n); break;
    case ROUTINES: break;
    }
}

static int
check (enum routine r, int n, const char *policy, const char *wanted)
{
  char output[4000];
  size_t got = 0;
  ssize_t k;
  int fds[2], status;
  char routine[20], number[20];

  if (pipe (fds) != 0)
    exit (99);
  setenv ("OMP_TARGET_OFFLOAD", policy, 1);
  snprintf (routine, sizeof (routine), "%d", r);
  snprintf (number, sizeof (number), "%d", n);
  pid_t pid = fork ();
  if (pid == 0)
    {
      dup2 (fds[1], 2);
      close (fds[0]);
      execl ("/proc/self/exe", "self", routine, number, (char *) NULL);
      _exit (98);
    }
  close (fds[1]);
  while (got < sizeof (output) - 1 && (k = read (fds[0], output + got, sizeof (output) - 1 - got)) > 0)
    got += k;
  output[got] = 0;
  close (fds[0]);
  waitpid (pid, &status, 0);
  int ok = wanted != NULL ? WEXITSTATUS (status) == 1 && strstr (output, wanted) != NULL
	   : status == 0 && got == 0;
  if (!ok)
    printf ("FAIL: %s, routine %d, device %d: status %d, wanted %s, output %s\n", policy, r, n, status,
	    wanted != NULL ? wanted : "nothing", output);
  return !ok;
}

int
main (int argc, char **argv)
{
  get_routines ();
  if (argc > 2)
    {
      call (atoi (argv[1]), atoi (argv[2]));
      return 0;
    }
  int failures = 0, n = omp_get_num_devices ();
  const char *invalid = "omp_invalid_device encountered";
  const char *host_only = "MANDATORY, but only the host device is available";
  for (enum routine r = 0; r < ROUTINES; r++)
    {
      int looks = r < UID;
      failures += check (r, n + 3, "mandatory", looks ? "MANDATORY, but device not found" : NULL);
      failures += check (r, -2, "mandatory",
			 !looks ? NULL : n == 0 ? host_only : "MANDATORY, but device not found");
      failures += check (r, -4, "mandatory", !looks ? NULL : n == 0 ? host_only : invalid);
      failures += check (r, -4, "default", looks ? invalid : NULL);
      failures += check (r, n + 3, "default", NULL);
    }
  return failures != 0;
}
