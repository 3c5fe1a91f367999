/* The mapping checker finds accesses just beside what is mapped, to the byte, without ending the
   program.
   TEST-MODES: cpu
   TEST-OPTIONS: -O1
   TEST-ENV: GOMP_CHECK=map
   TEST-OUTPUT: ^libgomp: check: access beside a mapping: the device wrote 4 bytes 0 bytes behind the end of `few' \(20 bytes\), item [0-9] of target at main
   TEST-OUTPUT: ^libgomp: check: access beside a mapping: the device read 4 bytes 4 bytes before `few' from byte 8 \(20 bytes\), item [0-9] of target at main
   TEST-OUTPUT: ^  remedy: map as much as the region uses
   TEST-OUTPUT: ^libgomp: check: 2 findings \(2 accesses beside mappings\)  */

int few[10];

int
main (void)
{
  volatile int last = 5, first = 1;
  int n = last, k = first, seen;
#pragma omp target map (tofrom: few[0:5])
  few[n] = 1;
#pragma omp target map (to: few[2:5]) map (from: seen)
  seen = few[k];
  return 0;
}
