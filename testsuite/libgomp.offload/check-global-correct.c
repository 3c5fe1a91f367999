/* What regions may use of the program's modules is no finding of the mapping checker: declare target variables,
   also by system calls, static variables of functions, variables of libraries, and tables of addresses, which
   differ between host and device.
   TEST-MODES: cpu cpu2
   TEST-ENV: GOMP_CHECK=map,notes
   TEST-NO-OUTPUT: ^libgomp: check.*: (not|stale|uninit|access)
   TEST-OUTPUT: ^libgomp: check: 0 findings  */

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int number = 42;
#pragma omp declare target
static char text[64];
static int numbers[5000], *where = &numbers[3];
static double (*functions[2]) (double) = { sqrt, fabs };
static int mark;

static int
next (void)
{
  static int last = 10;
  return ++last;
}
#pragma omp end declare target

static int linked[100];
#pragma omp declare target link (linked)
#pragma omp declare target
static int __attribute__ ((noinline))
add_linked (int i)
{
  return ++linked[i];
}
#pragma omp end declare target

static int __attribute__ ((noinline))
count (void)
{
  static int calls;
  return ++calls;
}

/* The host has changed its own flag, which is not the device's.  */
static int __attribute__ ((noinline))
is_warned (double x)
{
  static int warned;
  if (x < 0)
    warned = 1;
  return warned;
}

static void __attribute__ ((noinline))
say (void)
{
  fprintf (stdout, "%s\n", text);
}

int
main (void)
{
  int failed = 0;
  for (int dev = 0; dev < omp_get_num_devices (); dev++)
    for (int round = 1; round < 4; round++)
      {
	int got = 0, sum = 0, fd[2], calls, value;
	double root;
#pragma omp target map (tofrom: got, sum) map (from: calls, root, value) map (to: number) device (dev)
	{
	  if (pipe (fd) == 0 && write (fd[1], "hello", 6) == 6)
	    got = read (fd[0], text, sizeof (text));
	  close (fd[0]);
	  close (fd[1]);
	  say ();
	  for (int i = 0; i < 5000; i++)
	    numbers[i] = i;
	  for (int i = 0; i < 5000; i++)
	    sum += numbers[i];
	  calls = next () + count () + *where;
	  root = functions[0] (16);
	  value = number;
	  mark++;
	}
	int warned = -1, from_linked = 0;
	is_warned (-1);
	linked[5] = round;
#pragma omp target map (from: warned, from_linked) map (tofrom: linked) device (dev)
	{
	  warned = is_warned (1);
	  from_linked = add_linked (5);
	}
	failed |= warned != 0 || from_linked != round + 1 || linked[5] != round + 1;
	failed |= got != 6 || sum != 4999 * 2500 || calls != 10 + 2 * round + 3 || root != 4 || value != 42;
      }
  return failed;
}
