/* What every kind of device number means in both number spaces, for every value of
   OMP_TARGET_OFFLOAD, without devices and with two: abi/target section 3.6.  Each combination is
   a process of its own.
   TEST-MODES: host test
   TEST-ENV: GOMPX_TEST_PLUGIN=devices=2
   TEST-TIMEOUT: 120  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void GOMP_target_ext (int, void (*) (void *), size_t, void **, size_t *, unsigned short *,
		      unsigned, void **, void **);

static int ran;

static void
region (void *args)
{
  (void) args;
  ran = 1;
}

/* What is observable of one number; the answer goes to stdout.  */
static int
child (const char *space, int number)
{
  void *args[] = { (void *) 0x10100, (void *) 0x200, NULL };
  if (strcmp (space, "call") == 0)
    {
      /* This function is no region that a device knows: with a device it is either the
	 host's turn or, under MANDATORY, the end.  */
      GOMP_target_ext (number, region, 0, NULL, NULL, NULL, 0, NULL, args);
      printf ("%s\n", ran ? "host" : "nothing");
    }
  else if (strcmp (space, "default") == 0)
    {
      omp_set_default_device (number);
      GOMP_target_ext (-1, region, 0, NULL, NULL, NULL, 0, NULL, args);
      printf ("%s\n", ran ? "host" : "nothing");
    }
  else
    {
      void *p = omp_target_alloc (16, number);
      printf ("%s\n", p == NULL ? "null" : "memory");
      omp_target_free (p, number);
    }
  return 0;
}

#define ONLY_HOST "only the host device is available"
#define NOT_FOUND "device not found"
#define NO_KERNEL "device cannot be used for offloading"
#define INVALID "omp_invalid_device encountered"

static int failures;

static void
expect (const char *program, const char *policy, const char *space, int number, int devices,
	const char *wanted)
{
  char command[4096], line[512], text[4096] = "";
  snprintf (command, sizeof (command), "OMP_TARGET_OFFLOAD=%s '%s' %s %d 2>&1", policy, program,
	    space, number);
  FILE *f = popen (command, "r");
  while (fgets (line, sizeof (line), f) != NULL)
    strncat (text, line, sizeof (text) - strlen (text) - 1);
  int status = pclose (f);
  int fatal = strstr (wanted, " ") != NULL;
  if (WEXITSTATUS (status) != fatal || strstr (text, wanted) == NULL)
    {
      printf ("%s, %d devices, %s %d: wanted `%s', exit status %d and:\n%s\n", policy, devices,
	      space, number, wanted, WEXITSTATUS (status), text);
      failures++;
    }
}

int
main (int argc, char **argv)
{
  char program[1024];

  if (argc == 3)
    return child (argv[1], atoi (argv[2]));
  ssize_t len = readlink ("/proc/self/exe", program, sizeof (program) - 1);
  if (len < 0)
    return 77;
  program[len] = 0;

  int n = omp_get_num_devices ();
  static const char *const policies[] = { "DEFAULT", "DISABLED", "MANDATORY" };
  for (int i = 0; i < 3; i++)
    {
      const char *p = policies[i];
      int mandatory = i == 2;
      int devices = i == 1 ? 0 : n;	/* DISABLED has none */
      const char *negative = !mandatory ? NULL : devices == 0 ? ONLY_HOST : NOT_FOUND;

      /* Calls of compiled code.  */
      expect (program, p, "call", -2, devices, "host");
      expect (program, p, "call", -3, devices, negative ? negative : "host");
      expect (program, p, "call", -17, devices, negative ? negative : "host");
      expect (program, p, "call", -4, devices,
	      mandatory && devices == 0 ? ONLY_HOST : INVALID);
      expect (program, p, "call", devices, devices, "host");
      expect (program, p, "call", devices + 1, devices, mandatory ? NOT_FOUND : "host");
      expect (program, p, "call", 1000, devices, mandatory ? NOT_FOUND : "host");
      if (devices > 0)
	expect (program, p, "call", devices - 1, devices, mandatory ? NO_KERNEL : "host");
      /* The default device: without any device MANDATORY makes it invalid.  */
      const char *standard = !mandatory ? "host" : devices == 0 ? ONLY_HOST : NO_KERNEL;
      expect (program, p, "call", -1, devices, standard);
      expect (program, p, "call", -5, devices, standard);
      /* One that the program chose is a raw number.  */
      expect (program, p, "default", -1, devices, "host");
      expect (program, p, "default", -2, devices, negative ? negative : "host");
      expect (program, p, "default", devices, devices, "host");
      expect (program, p, "default", devices + 1, devices, mandatory ? NOT_FOUND : "host");
      expect (program, p, "default", -4, devices,
	      mandatory && devices == 0 ? ONLY_HOST : INVALID);

      /* Routines.  */
      expect (program, p, "api", -1, devices, "memory");
      expect (program, p, "api", devices, devices, "memory");
      expect (program, p, "api", -2, devices, negative ? negative : "null");
      expect (program, p, "api", -4, devices, mandatory && devices == 0 ? ONLY_HOST : INVALID);
      expect (program, p, "api", devices + 1, devices, mandatory ? NOT_FOUND : "null");
      if (devices > 0)
	expect (program, p, "api", -5, devices, "memory");
      else
	expect (program, p, "api", -5, devices, mandatory ? ONLY_HOST : "memory");
    }
  return failures != 0;
}
