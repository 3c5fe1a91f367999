/* A Fibonacci number by as many explicit tasks as it has calls: fib (8) is 21 and makes 66.  */

static int
fib (int n)
{
  int a, b;
  if (n < 2)
    return n;
#pragma omp task shared (a)
  a = fib (n - 1);
#pragma omp task shared (b)
  b = fib (n - 2);
#pragma omp taskwait
  return a + b;
}
