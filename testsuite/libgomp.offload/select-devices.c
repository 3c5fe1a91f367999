/* OMP_AVAILABLE_DEVICES and OMP_DEFAULT_DEVICE with traits: which devices there are, in which order,
   and which is the default.  Devices 0 and 2 of the plugin are GPUs of nvidia, 1 and 3 FPGAs of amd.
   TEST-OPTIONS: -D_GNU_SOURCE
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=devices=4,traits
   TEST-TIMEOUT: 60  */

#include <omp.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int failures;

/* The last characters of the devices' UIDs in order, then the default device.  */
static int
child (void)
{
  const char *(*uid) (int) = (const char *(*) (int)) dlsym (RTLD_DEFAULT,
							     "omp_get_uid_from_device");
  int (*device) (const char *) = (int (*) (const char *)) dlsym (RTLD_DEFAULT,
								  "omp_get_device_from_uid");
  char text[100], *p = text;
  int n = omp_get_num_devices ();
  for (int i = 0; i < n && i < 10; i++)
    {
      const char *name = uid (i);
      *p++ = name[strlen (name) - 1];
      if (device (name) != i)
	*p++ = '?';
      /* The number is that of the device for everything else, too.  */
      void *memory = omp_target_alloc (8, i);
      int x = 77, y = 0;
      if (memory == NULL || omp_target_memcpy (memory, &x, 4, 0, 0, i, n) != 0
	  || omp_target_memcpy (&y, memory, 4, 0, 0, -1, i) != 0 || y != 77)
	*p++ = '!';
      omp_target_free (memory, i);
    }
  sprintf (p, " %d", omp_get_default_device ());
  puts (text);
  return 0;
}

/* What a child prints with AVAILABLE and DEFAULT_DEVICE (NULL: not set).  */
static void
expect (const char *available, const char *default_device, const char *wanted)
{
  char output[2000];
  size_t got = 0;
  ssize_t k;
  int fds[2], status;

  if (available != NULL)
    setenv ("OMP_AVAILABLE_DEVICES", available, 1);
  else
    unsetenv ("OMP_AVAILABLE_DEVICES");
  if (default_device != NULL)
    setenv ("OMP_DEFAULT_DEVICE", default_device, 1);
  else
    unsetenv ("OMP_DEFAULT_DEVICE");
  if (pipe (fds) != 0)
    exit (99);
  fflush (stdout);
  pid_t pid = fork ();
  if (pid == 0)
    {
      dup2 (fds[1], 1);
      dup2 (fds[1], 2);
      close (fds[0]);
      close (fds[1]);
      execl ("/proc/self/exe", "self", "child", (char *) NULL);
      _exit (98);
    }
  close (fds[1]);
  while (got < sizeof (output) - 1 && (k = read (fds[0], output + got, sizeof (output) - 1 - got)) > 0)
    got += k;
  output[got] = 0;
  close (fds[0]);
  waitpid (pid, &status, 0);
  /* Without any device there may be a line that says why.  */
  const char *text = output;
  if (*wanted == ' ' && strncmp (output, "\nlibgomp: no device can be used: ", 33) == 0)
    text = strchr (output + 1, '\n') + 1;
  if (status != 0 || strcmp (text, wanted) != 0)
    {
      printf ("FAIL: AVAILABLE %s DEFAULT %s:\n%s(status %d), not\n%s",
	      available ? available : "-", default_device ? default_device : "-", output, status,
	      wanted);
      failures++;
    }
}

static void
expect_bad (const char *available, const char *default_device)
{
  char text[500];
  snprintf (text, sizeof (text), "\nlibgomp: Invalid value for environment variable %s: %s\n"
	    "  it is ignored; allowed: %s\n0123 0\n",
	    available ? "OMP_AVAILABLE_DEVICES" : "OMP_DEFAULT_DEVICE",
	    available ? available : default_device,
	    available ? "traits|*[,traits|*]..." : "n (0 or more) | traits|n|initial|invalid|default[,...]");
  expect (available, default_device, text);
}

int
main (int argc, char **argv)
{
  if (argc > 1 && strcmp (argv[1], "child") == 0)
    return child ();

  static const struct { const char *available, *wanted; } available[] = {
    { NULL, "0123 0\n" }, { "*", "0123 0\n" }, { " * ", "0123 0\n" },
    { "kind(gpu)", "02 0\n" }, { "KIND( Gpu )", "02 0\n" }, { "kind(fpga),*", "1302 0\n" },
    { "vendor(amd)", "13 0\n" }, { "arch(nvptx64)", "02 0\n" }, { "arch(nvpt)", " 0\n" },
    { "isa(sm_80)", "02 0\n" }, { "isa(gfx90a) , isa(sm_90)", "1302 0\n" },
    { "uid(TEST-3),uid(TEST-1),uid(TEST-0)", "310 0\n" }, { "uid(test-3)", " 0\n" },
    { "kind(nohost)[2:]", "23 0\n" }, { "kind(any)[:1]", "0 0\n" }, { "*[1]", "1 0\n" },
    { "*[1:2]", "12 0\n" }, { "*[:]", "0123 0\n" }, { "*[7]", " 0\n" },
    { "*[1:18446744073709551615]", "123 0\n" }, { "*[18446744073709551615]", " 0\n" },
    { "kind(gpu)[1],*", "2013 0\n" },
    /* The subscript counts before repetitions go away.  */
    { "uid(TEST-0),kind(gpu)[0]", "0 0\n" }, { "uid(TEST-0),kind(gpu)[1]", "02 0\n" },
    /* But * is what is left.  */
    { "uid(TEST-0),*[0]", "01 0\n" }, { "*,*", "0123 0\n" },
    { "!kind(gpu)", "13 0\n" }, { "!!kind(gpu)", "02 0\n" }, { "!(kind(gpu)||uid(TEST-1))", "3 0\n" },
    { "kind(gpu)&&uid(TEST-2)", "2 0\n" }, { "kind(gpu) || uid(TEST-3)", "023 0\n" },
    { "(kind(gpu)||kind(fpga))&&!uid(TEST-0)", "123 0\n" },
    { "uid(TEST-0)||uid(TEST-1)||uid(TEST-2)", "012 0\n" },
    { "((((kind(gpu)))))[1:1]", "2 0\n" }, { "!kind(gpu)&&vendor(amd)", "13 0\n" },
    { "(kind(gpu)&&vendor(nvidia))[0],(kind(fpga)&&vendor(amd))[0:2],*", "0132 0\n" }
  };
  for (size_t i = 0; i < sizeof (available) / sizeof (available[0]); i++)
    expect (available[i].available, NULL, available[i].wanted);

  static const char *const bad[] = {
    "", ",", "*,", ",*", "gpu", "kind", "kind(", "kind()", "kind( )", "kind(gpu", "kind(host)",
    "kind(gpu)&vendor(amd)", "kind(gpu)&&", "kind(gpu)|| ", "kind(gpu)&&vendor(amd)||uid(x)",
    "(kind(gpu)", "kind(gpu))", "!", "!*", "*&&kind(gpu)", "*[", "*[]", "*[1", "*[-1]", "*[1:2:3]",
    "*[x]", "*[1][2]", "kind(gpu) kind(fpga)", "device_num(0)", "0", "initial", "kindx(gpu)",
    "*[99999999999999999999]", "color(red)"
  };
  for (size_t i = 0; i < sizeof (bad) / sizeof (bad[0]); i++)
    expect_bad (bad[i], NULL);
  /* Nesting has an end.  */
  char deep[200];
  memset (deep, '(', sizeof (deep));
  strcpy (deep + 190, "uid(x)");
  expect_bad (deep, NULL);

  static const struct { const char *value, *wanted; } defaults[] = {
    { "2", "0123 2\n" }, { "17", "0123 17\n" }, { "kind(fpga)", "0123 1\n" },
    { "kind(fpga)[1]", "0123 3\n" }, { "kind(fpga)[1:1]", "0123 3\n" }, { "uid(TEST-2)", "0123 2\n" },
    { "device_num(2)", "0123 2\n" }, { "!device_num(0)", "0123 1\n" },
    { "kind(host)", "0123 4\n" }, { "uid(OMP_INITIAL_DEVICE)", "0123 4\n" },
    { "!kind(nohost)", "0123 4\n" }, { "initial", "0123 -1\n" }, { "Invalid", "0123 -4\n" },
    { "default", "0123 0\n" }, { "uid(nobody)", "0123 0\n" }, { "uid(nobody),3", "0123 3\n" },
    { "17,2", "0123 2\n" }, { "4,2", "0123 4\n" }, { "uid(nobody),initial", "0123 -1\n" },
    { "kind(gpu)&&vendor(amd),invalid", "0123 -4\n" }, { "17,default,3", "0123 0\n" },
    { "kind(gpu)[5],uid(TEST-1)", "0123 1\n" }
  };
  for (size_t i = 0; i < sizeof (defaults) / sizeof (defaults[0]); i++)
    expect (NULL, defaults[i].value, defaults[i].wanted);
  static const char *const bad_defaults[] = {
    "", "-1", "1x", "*", "1,", "kind(gpu),", "initialx", "2147483648", "kind()", "device_num(x)",
    "device_num(1 2)", "initial[0]", "1 2"
  };
  for (size_t i = 0; i < sizeof (bad_defaults) / sizeof (bad_defaults[0]); i++)
    expect_bad (NULL, bad_defaults[i]);

  /* Both: numbers are those of what was selected.  */
  expect ("kind(fpga),*", "kind(gpu)", "1302 2\n");
  expect ("kind(fpga)", "kind(gpu)", "13 0\n");
  expect ("kind(fpga)", "device_num(1)", "13 1\n");

  /* No device is left: the host is number 0, or omp_invalid_device.  */
  expect ("uid(nobody)", NULL, " 0\n");
  setenv ("OMP_TARGET_OFFLOAD", "mandatory", 1);
  expect ("uid(nobody)", NULL, " -4\n");
  expect ("uid(nobody)", "initial", " -1\n");
  expect ("uid(nobody)", "kind(gpu)", " -4\n");
  setenv ("OMP_TARGET_OFFLOAD", "disabled", 1);
  expect ("*", "kind(gpu)", " 0\n");
  return failures != 0;
}
