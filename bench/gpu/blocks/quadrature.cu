/* quadrature.cu -- the kernel of quadrature.c in CUDA.  */

#include "quadrature.h"

static __device__ float
integrate (const function &f, float left, float right, float a, float b, float c, float whole,
	   int depth)
{
  float middle = 0.5f * (left + right), sixth = (right - left) / 12;
  float d = value_of (f, 0.5f * (left + middle)), e = value_of (f, 0.5f * (middle + right));
  float first = sixth * (a + 4 * d + b), second = sixth * (b + 4 * e + c);

  if (depth == 0
      || fabsf (first + second - whole) <= 1e-6f * (right - left + fabsf (whole)))
    return first + second;
  return integrate (f, left, middle, a, d, b, first, depth - 1)
	 + integrate (f, middle, right, b, e, c, second, depth - 1);
}

static __global__ void
integrate_all (const function *functions, float *integrals)
{
  __shared__ float sums[THREADS];
  int t = threadIdx.x;
  function f = functions[blockIdx.x];
  float own = 0;

  for (int piece = t; piece < PIECES; piece += THREADS)
    {
      float left = (float) piece / PIECES, right = (float) (piece + 1) / PIECES;
      float a = value_of (f, left), b = value_of (f, 0.5f * (left + right));
      float c = value_of (f, right);
      own += integrate (f, left, right, a, b, c, (right - left) / 6 * (a + 4 * b + c), DEEPEST);
    }
  sums[t] = own;
  for (int half = THREADS / 2; half > 0; half /= 2)
    {
      __syncthreads ();
      if (t < half)
	sums[t] += sums[t + half];
    }
  if (t == 0)
    integrals[blockIdx.x] = sums[0];
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 4096, 6, 1 << 20);
  int n = a.size;
  function *functions = ARRAY (function, n);
  float *integrals = ARRAY (float, n), *expected = ARRAY (float, n);

  prepare (functions, expected, n);
  function *d_functions = on_device (functions, n);
  float *d_integrals = on_device (integrals, n);
  MEASURE ("quadrature", a.repeats, integrate_all<<<n, THREADS>>> (d_functions, d_integrals));
  from_device (integrals, d_integrals, n);
  return verdict (floats_differ (integrals, expected, n, TOLERANCE, SCALE));
}
