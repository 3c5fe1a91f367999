/* The mapping checker reads declare target variables of the host in few system calls, however many there are,
   and still tells which of them is stale: small ones, one longer than what is read at once, and those behind
   it.
   TEST-MODES: cpu
   TEST-OPTIONS: -O1 -rdynamic
   TEST-SKIP-SANITIZER: thread variables of modules are not watched then
   TEST-ENV: GOMP_CHECK=map
   TEST-OUTPUT: ^libgomp: check: stale read: the device used an old value of `d_7' \(4 bytes\)
   TEST-OUTPUT: ^libgomp: check: stale read: the device used an old value of `large' \(300000 bytes\)
   TEST-OUTPUT: the host has changed large\[70000:1\]
   TEST-OUTPUT: ^libgomp: check: stale read: the device used an old value of `last' \(8 bytes\)
   TEST-OUTPUT: ^libgomp: check: 3 findings \(3 stale reads\)  */

#define _GNU_SOURCE 1
#include <stdatomic.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define TEN(name) \
  int name##0 = 1, name##1 = 1, name##2 = 1, name##3 = 1, name##4 = 1, name##5 = 1, name##6 = 1, \
      name##7 = 1, name##8 = 1, name##9 = 1;
#define HUNDRED(name) \
  TEN (name##0) TEN (name##1) TEN (name##2) TEN (name##3) TEN (name##4) TEN (name##5) TEN (name##6) \
  TEN (name##7) TEN (name##8) TEN (name##9)

#pragma omp declare target
HUNDRED (a) HUNDRED (b) HUNDRED (c) TEN (d_)
char large[300000] = { 1 };
double last = 2;
#pragma omp end declare target

static atomic_int calls;

ssize_t
process_vm_readv (pid_t pid, const struct iovec *to, unsigned long num_to, const struct iovec *from,
		  unsigned long num_from, unsigned long flags)
{
  calls++;
  return syscall (SYS_process_vm_readv, pid, to, num_to, from, num_from, flags);
}

int
main (void)
{
  /* System call user dispatch is Linux 5.11's.  */
  if (prctl (59, 0, 0, 0, 0) != 0)
    return 77;
  int sum = 0, before, failed = 0;
#pragma omp target map (tofrom: sum)
  sum += a00 + b55 + c99 + d_7 + large[0] + (int) last;
  before = calls;
  for (int i = 0; i < 10; i++)
    {
#pragma omp target map (tofrom: sum)
      sum += a00 + b55 + c99 + d_7 + large[0] + (int) last;
    }
  if (calls - before > 10 * 50)
    {
      printf ("%d calls for 10 regions\n", calls - before);
      failed = 1;
    }
  d_7 = 5;
  large[70000] = 5;
  last = 5;
#pragma omp target map (tofrom: sum)
  sum += d_7 + large[70000] + (int) last;
  if (sum != 11 * 7 + 1 + 0 + 2)
    {
      printf ("sum %d\n", sum);
      failed = 1;
    }
  return failed;
}
