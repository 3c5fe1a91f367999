/* Which requires masks leave the cpu device in the list, and the reason that is told for those that
   do not.  Each is a process of its own.
   TEST-MODES: cpu */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void GOMP_offload_register_ver (unsigned, const void *, int, const void *);
static uintptr_t table[6], data[4][4];
static int failures;

/* Images with the masks of ARGV, in order; "12:" before one: of GCC 12, which has no mask.  */
static int
child (int n, char **masks)
{
  int x = 0;
  for (int i = 0; i < n; i++)
    {
      int old = strncmp (masks[i], "12:", 3) == 0;
      data[i][0] = strtoul (masks[i] + 3 * old, NULL, 0);
      GOMP_offload_register_ver (old ? 0x10001 : 0x30001, table, 5, data[i]);
    }
  #pragma omp target map(tofrom: x)
  x = 1;
  printf ("%d devices, %d\n", omp_get_num_devices (), x);
  return 0;
}

static void
expect (const char *program, const char *masks, int devices, const char *reason)
{
  char command[4096], line[512], text[4096] = "", wanted[64];
  snprintf (command, sizeof (command), "GOMP_INFO=1 '%s' %s 2>&1", program, masks);
  FILE *f = popen (command, "r");
  while (fgets (line, sizeof (line), f) != NULL)
    strncat (text, line, sizeof (text) - strlen (text) - 1);
  int status = pclose (f);
  snprintf (wanted, sizeof (wanted), "%d devices, 1", devices);
  if (status != 0 || strstr (text, wanted) == NULL
      || (reason == NULL ? strstr (text, "cannot be fulfilled") != NULL
	  : strstr (text, reason) == NULL))
    {
      printf ("%s: wanted %d devices, got status %d and:\n%s\n", masks, devices, status, text);
      failures++;
    }
}

int
main (int argc, char **argv)
{
  char program[1024];

  if (argc > 1)
    return child (argc - 1, argv + 1);
  ssize_t len = readlink ("/proc/self/exe", program, sizeof (program) - 1);
  if (len < 0 || omp_get_num_devices () != 1)
    return 77;
  program[len] = 0;

#define REASON(clauses) \
  "cpu: devices present but 'omp requires " clauses "' cannot be fulfilled"
  expect (program, "0", 1, NULL);
  expect (program, "0x200", 1, NULL);
  expect (program, "0x210", 1, NULL);
  expect (program, "0x280", 1, NULL);
  expect (program, "0x290", 1, NULL);
  expect (program, "0x220", 0, REASON ("unified_shared_memory"));
  expect (program, "0x600", 0, REASON ("self_maps"));
  expect (program, "0x630", 0, REASON ("unified_address, unified_shared_memory, self_maps"));
  /* No mask agrees with everything and weakens nothing; GCC 12's images have none.  */
  expect (program, "0x220 0", 0, REASON ("unified_shared_memory"));
  expect (program, "0 0x220 12:0x600", 0, REASON ("unified_shared_memory"));
  expect (program, "12:0x220", 1, NULL);
  expect (program, "12:0x220 0x210", 1, NULL);
  return failures != 0;
}
