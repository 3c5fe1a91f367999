/* gompx-info.c -- lists plugins and devices, and tells what is wrong with each.

   It is a program that contains the library (libgomp.a), and looks for devices in the way in
   which every program does, with the same environment.  Nothing is opened without --test or --warm.
   info-image.c tells what programs contain, info-loader.c which libgomp they load, info-trace.c what a
   timeline contains; info-warm.c fills the cache for programs.  */

#include "libgomp.h"
#include "host/abi.h"
#include "host/env.h"
#include "plugins.h"
#include "target-abi.h"
#include "target.h"
#include "tools/info-image.h"
#include "tools/info-loader.h"
#include "tools/info-trace.h"
#include "tools/info-warm.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>

static const char usage_text[] =
"usage: gompx-info [--env] [--test] [PROGRAM...]\n"
"       gompx-info --warm [--device N] PROGRAM...\n"
"       gompx-info --trace FILE\n"
"Lists the device plugins and devices of gompx, and why a plugin has none; then what each program\n"
"or shared object holds for devices, and on which of them it can run.\n"
"  -e, --env      list the environment variables, with the values that are set\n"
"      --trace FILE  check a timeline that GOMP_TRACE wrote, and sum it up: nothing else is done\n"
"      --warm     have the NVIDIA GPUs, or device N, link what each program and its shared objects hold\n"
"                 for them, and keep it in the cache: their first starts find it\n"
"  -t, --test     open every device and copy data to it and back\n"
"      --help     this text\n"
"      --version  the version of gompx\n";

/* ---- plugins and devices ---- */

static void
print_plugin (const struct gomp_plugin_entry *e, void *data)
{
  (void) data;
  printf ("plugin %s: ", e->name);
  if (e->path != NULL)
    printf ("%s, ", e->path);
  printf ("%u device%s", e->num_devices, e->num_devices == 1 ? "" : "s");
  if (e->reason != NULL)
    printf (" (%s)", e->reason);
  putchar ('\n');
  if (e->ready)
    for (unsigned key = 0; ; key++)
      {
	const char *line = e->ops.info (NULL, key);
	if (line == NULL)
	  break;
	printf ("  %s\n", line);
      }
}

/* For OMP_AVAILABLE_DEVICES.  */
static void
print_trait (const char *name, const char *values)
{
  if (*values != 0)
    printf ("  %s: %s\n", name, values);
}

static void
print_size (const char *what, uint64_t bytes)
{
  static const char *const unit[] = { "bytes", "KiB", "MiB", "GiB", "TiB" };
  unsigned u = 0;
  double value = bytes;

  if (bytes == 0)
    return;
  for (; value >= 1024 && u + 1 < GOMP_ARRAY_SIZE (unit); u++)
    value /= 1024;
  printf ("  %s: %.*f %s\n", what, u == 0 ? 0 : 1, value, unit[u]);
}

static void
print_caps (uint32_t caps)
{
  static const struct { uint32_t bit; const char *text; } name[] =
  {
    { GOMP_CAP_HOST_CODE, "runs the host's code" },
    { GOMP_CAP_SHARED_MEMORY, "shares the host's memory" },
    { GOMP_CAP_REVERSE_OFFLOAD, "reverse offload" },
    { GOMP_CAP_PEER_COPY, "copies to its peers" },
    { GOMP_CAP_PINNED_FASTER, "faster with pinned memory" }
  };
  const char *separator = "  can: ";
  for (size_t i = 0; i < GOMP_ARRAY_SIZE (name); i++)
    if (caps & name[i].bit)
      {
	printf ("%s%s", separator, name[i].text);
	separator = ", ";
      }
  if (separator[0] == ',')
    putchar ('\n');
}

static void
print_device (struct gomp_device *dev)
{
  printf ("device %d: %s\n", dev->number, dev->attr.name);
  const char *uid = omp_get_uid_from_device (dev->number);
  if (uid != NULL)
    printf ("  uid: %s\n", uid);
  print_trait ("kind", dev->attr.kind);
  print_trait ("vendor", dev->attr.vendor);
  print_trait ("arch", dev->attr.arch);
  print_trait ("isa", dev->attr.isa);
  print_size ("memory", dev->attr.memory_size);
  if (dev->attr.multiprocessors != 0)
    printf ("  compute units: %u\n", dev->attr.multiprocessors);
  print_caps (dev->attr.caps);
}

/* ---- the test ---- */

/* Copies BYTES to the device and back; answers NULL, or what went wrong.  */
static const char *
round_trip (int number, size_t bytes, uint64_t *to_ns, uint64_t *from_ns)
{
  int host = omp_get_initial_device ();
  unsigned char *out = malloc (bytes), *back = calloc (1, bytes);
  void *dev = omp_target_alloc (bytes, number);
  const char *wrong = NULL;

  if (out == NULL || back == NULL)
    wrong = "no memory on the host";
  else if (dev == NULL)
    wrong = "no memory on the device";
  else
    {
      for (size_t i = 0; i < bytes; i++)
	out[i] = i * 31 + (i >> 8);
      uint64_t start = gomp_now_ns ();
      int error = omp_target_memcpy (dev, out, bytes, 0, 0, number, host);
      uint64_t middle = gomp_now_ns ();
      if (error == 0)
	error = omp_target_memcpy (back, dev, bytes, 0, 0, host, number);
      *from_ns = gomp_now_ns () - middle;
      *to_ns = middle - start;
      if (error != 0)
	wrong = "copying failed";
      else if (memcmp (out, back, bytes) != 0)
	wrong = "what came back is not what was sent";
    }
  omp_target_free (dev, number);
  free (out);
  free (back);
  return wrong;
}

static bool
test_device (struct gomp_device *dev)
{
  enum { SMALL = 8, LARGE = 64 << 20 };
  uint64_t to, from, start = gomp_now_ns ();

  if (gomp_resolve_device (dev->number, false, NULL) == NULL)
    {
      printf ("  test: cannot be opened: %s\n", dev->reason != NULL ? dev->reason : "no reason known");
      return false;
    }
  printf ("  test: opened in %.1f ms\n", (gomp_now_ns () - start) / 1e6);
  const char *line;
  for (unsigned key = 0; (line = dev->ops->info (dev->handle, key)) != NULL; key++)
    printf ("  %s\n", line);
  /* The first round warms up.  */
  const char *wrong = round_trip (dev->number, SMALL, &to, &from);
  if (wrong == NULL)
    wrong = round_trip (dev->number, SMALL, &to, &from);
  if (wrong == NULL)
    {
      printf ("  test: %d bytes: %.1f us to the device, %.1f us back\n", SMALL, to / 1e3, from / 1e3);
      wrong = round_trip (dev->number, LARGE, &to, &from);
    }
  if (wrong == NULL)
    wrong = round_trip (dev->number, LARGE, &to, &from);
  if (wrong == NULL)
    printf ("  test: %d MiB: %.1f GB/s to the device, %.1f GB/s back\n", LARGE >> 20,
	    (double) LARGE / to, (double) LARGE / from);
  else
    printf ("  test: %s\n", wrong);
  return wrong == NULL;
}

/* ---- the environment ---- */

static void
print_env (void)
{
  for (int i = 0; i < GOMP_ENV_ROWS; i++)
    {
      const struct gomp_env_text *row = &gomp_env_texts[i];
      const char *value = gomp_getenv (row->name, false);
      if (value != NULL)
	printf ("%s=%s\n", row->name, value);
      else
	printf ("%s is not set: %s\n", row->name, row->default_text);
    }
}

/* TEXT is a number from 0 on.  */
static bool
read_number (const char *text, int *number)
{
  char *end;
  errno = 0;
  long n = strtol (text, &end, 10);
  *number = (int) n;
  return errno == 0 && end != text && *end == 0 && n >= 0 && n <= INT_MAX;
}

int
main (int argc, char **argv)
{
  enum { OPTION_HELP = 256, OPTION_VERSION, OPTION_TRACE, OPTION_WARM, OPTION_DEVICE };
  static const struct option options[] =
  {
    { "env", no_argument, NULL, 'e' },
    { "test", no_argument, NULL, 't' },
    { "warm", no_argument, NULL, OPTION_WARM },
    { "device", required_argument, NULL, OPTION_DEVICE },
    { "trace", required_argument, NULL, OPTION_TRACE },
    { "help", no_argument, NULL, OPTION_HELP },
    { "version", no_argument, NULL, OPTION_VERSION },
    { NULL, 0, NULL, 0 }
  };
  bool env = false, test = false, warm = false, good = true;
  int only = -1;

  for (int c; (c = getopt_long (argc, argv, "et", options, NULL)) != -1; )
    switch (c)
      {
      case 'e':
	env = true;
	break;
      case 't':
	test = true;
	break;
      case OPTION_WARM:
	warm = true;
	break;
      case OPTION_DEVICE:
	if (!read_number (optarg, &only))
	  {
	    fprintf (stderr, "gompx-info: --device: %s is not the number of a device\n", optarg);
	    return 2;
	  }
	break;
      case OPTION_TRACE:
	return info_print_trace (optarg) ? 0 : 1;
      case OPTION_HELP:
	fputs (usage_text, stdout);
	return 0;
      case OPTION_VERSION:
	printf ("gompx-info (gompx) %s\n", PACKAGE_VERSION);
	return 0;
      default:
	fputs (usage_text, stderr);
	return 2;
      }
  if (warm ? env || test || optind == argc : only >= 0)
    {
      fputs (usage_text, stderr);
      return 2;
    }
  if (env)
    print_env ();
  gomp_plugins_beside = info_plugin_directory ();
  int n = gomp_num_devices ();
  if (warm)
    {
      for (int i = optind; i < argc; i++)
	good &= info_warm (argv[i], only);
      return good ? 0 : 1;
    }
  printf ("gompx %s, %d device%s\n", PACKAGE_VERSION, n, n == 1 ? "" : "s");
  if (gomp_global_icvs.target_offload == GOMP_OFFLOAD_DISABLED)
    puts ("OMP_TARGET_OFFLOAD is set to DISABLED");
  gomp_devices_each_plugin (print_plugin, NULL);
  for (int i = 0; i < n; i++)
    {
      print_device (gomp_device_at (i));
      if (test)
	good &= test_device (gomp_device_at (i));
      /* A device may be lost in its test, which ends the program: say what is known.  */
      fflush (stdout);
    }
  for (int i = optind; i < argc; i++)
    good &= info_print_file (argv[i]);
  return good ? 0 : 1;
}
