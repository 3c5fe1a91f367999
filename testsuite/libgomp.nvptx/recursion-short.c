/* Recursion that is too deep for the stack that the user wants ends the program with a message that
   names the stack, its size and the variable.
   TEST-MODES: ptxsim ptxours ptxlanes
   TEST-ENV: GOMP_NVPTX_NATIVE_GPU_THREAD_STACK_SIZE=1k
   TEST-EXIT: 1
   TEST-OUTPUT: ptx-sim: stack overflow: recursion: deep, .* bytes of the stack, which has 1024
   TEST-OUTPUT: device 0 .*is lost: .*CUDA_ERROR_ILLEGAL_ADDRESS.*is all mapped that it uses
   TEST-OUTPUT: Or is its recursion too deep for a stack of 1024 bytes\?
   TEST-OUTPUT: GOMP_NVPTX_NATIVE_GPU_THREAD_STACK_SIZE enlarges it
   TEST-OUTPUT: main._omp_fn
   TEST-NO-OUTPUT: not reached  */

#include <stdio.h>

#pragma omp declare target
__attribute__ ((noipa)) static long
deep (int depth, long a, long b)
{
  return depth == 0 ? a : (deep (depth - 1, b, a + 1) ^ a) * 3 + b;
}
#pragma omp end declare target

int
main (void)
{
  long sum = 0;
#pragma omp target map (tofrom: sum)
  sum = deep (400, 1, 2);
  printf ("not reached: %ld\n", sum);
  return 0;
}
