/* A section that no device has room for: the message has its length as the program wrote it.
   TEST-MODES: test cpu
   TEST-EXIT: 1
   TEST-OUTPUT: device memory allocation fail: 9223372036854775807 bytes on device 0
   TEST-OUTPUT: the largest new list item is .*, 9223372036854775807 bytes
   TEST-OUTPUT: ^    0x[0-9a-f]+, 9223372036854775807, tofrom
   TEST-NO-OUTPUT: -[0-9]{9} */
#include <limits.h>
#include <omp.h>
#include <stdio.h>

int
main (void)
{
  char text[] = "what the program keeps here", *p = text;
  volatile long n = LONG_MAX;

  if (omp_get_num_devices () == 0)
    return 77;
#pragma omp target map(tofrom: p[:n])
  p[0] = 'W';
  puts (text);
  return 0;
}
