/* printf of device code goes to the host: formats and arguments of all kinds, in the order of each thread,
   and before the region ends.  What cannot be sent goes to the driver's vprintf.
   TEST-OPTIONS: -I@top_srcdir@/plugin -I@top_srcdir@/config/accel -I@top_srcdir@/testsuite/lib/accel-host
   TEST-OUTPUT: ^a -5 1234567890123 3\.250 x text \[   ab\] \[cde  \] 0xff %    42 3\.1 \(null\)$
   TEST-OUTPUT: ^a line$
   TEST-OUTPUT: ^yz$
   TEST-OUTPUT: ^vprintf got %n$
   TEST-OUTPUT: ^vprintf got a long text$  */

#define _GNU_SOURCE 1
#include "aux-slots.h"

#define REMOTE_PRINTS 1
#define printf device_printf
#define puts device_puts
#define putchar device_putchar
#define vprintf device_vprintf
#include "print.c"
#undef printf
#undef puts
#undef putchar
#undef vprintf

static int failures_here;

int
device_vprintf (const char *format, const unsigned char *args)
{
  (void) args;
  printf ("vprintf got %s\n", strcmp (format, "%n") == 0 ? "%n" : "a long text");
  return 77;
}

KERNEL (region)
{
  (void) region_arg;
}

/* The packed arguments of a call.  */
static unsigned char block[200];
static size_t used;

static void
put (const void *value, size_t size)
{
  used = (used + size - 1) & -size;
  memcpy (block + used, value, size);
  used += size;
}

#define ADD(type, value) put (&(type) { value }, sizeof (type))

static void
on_device (const struct fake_cuda_launch *launch)
{
  char many[2000];
  (void) launch;

  slots_kernel ();
  ADD (int, -5);
  ADD (long, 1234567890123);
  ADD (double, 3.25);
  ADD (int, 'x');
  ADD (const char *, "text");
  ADD (const char *, "ab");
  ADD (const char *, "cdefgh");
  ADD (int, 255);
  ADD (int, 5);
  ADD (int, 42);
  ADD (int, 1);
  ADD (double, 3.14);
  ADD (const char *, NULL);
  int n = device_printf ("a %d %ld %.3f %c %s [%5s] [%-5.3s] %#x %% %*d %.*f %s\n", block);
  if (n != 72)
    failures_here++, fprintf (stderr, "%d characters\n", n);
  device_puts ("a line");
  if (device_putchar ('y') != 'y')
    failures_here++;
  device_printf ("z\n", NULL);
  if (device_printf ("%n", NULL) != 77)
    failures_here++;
  memset (many, 'm', sizeof (many) - 1);
  many[sizeof (many) - 1] = '\0';
  if (device_printf (many, NULL) != 77)
    failures_here++;
}

int
main (void)
{
  FAKE_CUDA (fake_cuda_register) ("region", on_device);
  GOMP_target_ext (-1, region, 0, NULL, NULL, NULL, 0, NULL, NULL);
  return failures_here != 0;
}
