/* Mathematical functions of double are ours in a program's regions, also for hard arguments.
   TEST-MODES: ptxours ptxlanes gpu
   TEST-GPU: ours varies
   TEST-IMAGE: nvptx
   TEST-OPTIONS: -O2 -foffload-options=nvptx-none=-lm -lm
   TEST-ENV: GOMP_INFO=2
   TEST-OUTPUT: our mathematical functions: .*exp  */

#define _GNU_SOURCE 1
#include <math.h>
#include <stdio.h>

enum { N = 112 };

/* How far the host's may be from ours: both errors, in units of the last place.  lgamma has zeros
   between its poles.  */
#define FUNCTIONS(F) \
  F (exp, 2) F (exp2, 2) F (exp10, 3) F (expm1, 2) F (log, 2) F (log2, 2) F (log10, 2) \
  F (log1p, 2) F (sin, 2) F (cos, 2) F (tan, 2) F (asin, 3) F (acos, 3) F (atan, 3) F (sinh, 4) \
  F (cosh, 3) F (tanh, 4) F (asinh, 4) F (acosh, 4) F (atanh, 4) F (erf, 3) F (erfc, 5) \
  F (cbrt, 5) F (lgamma, 99) F (tgamma, 16) F (sqrt, 0) F (rint, 0) F (round, 0) F (floor, 0) \
  F (ceil, 0) F (trunc, 0)
#define ONE(name, most) CASE_##name,
enum { FUNCTIONS (ONE) NUM_CASES };
#undef ONE

static double in[N], out[NUM_CASES][N], powers[N][N], angles[N][N], rests[N][N], halves[N][N],
  lengths[N][N], sines[N], cosines[N], fractions[N], scaled[N];
static int exponents[N];
static long rounded[N];
static int failures;

/* GOT is within MOST units in the last place of WANT.  */
static void
check (const char *what, double x, double y, double got, double want, double most)
{
  int exponent;
  if (isnan (want) ? isnan (got) : want == got && !signbit (got) == !signbit (want))
    return;
  frexp (want, &exponent);
  double unit = ldexp (1, exponent < -1021 ? -1074 : exponent - 53);
  if (isfinite (want) && isfinite (got) && fabs (got - want) <= most * unit)
    return;
  if (failures++ < 30)
    printf ("%s (%a, %a) is %a, not %a\n", what, x, y, got, want);
}

int
main (void)
{
  static const double hard[] = { 0, 1, 2, 3, 0.5, 1.5, 0.1, 0.25, 0.75, 0x1.6a09e667f3bcdp-1,
    0x1.fffffffffffffp-1, 0x1.0000000000001p0, 0x1p-1074, 0x1.8p-1050, 0x1p-1022, 0x1p-600,
    0x1p-60, 0x1p-27, 0.34657359027997264, 0.3465735902799727, 0.4142135623730951, 0.55, 1.1,
    0x1.921fb54442d18p1, 0x1.921fb54442d18p0, 0x1.921fb54442d18p-1, 10, 22, 22725, 65537,
    0x1.1b7f6ap+18, 0x1.fffffffffffffp29, 0x1.0000000000001p30, 1e15, 0x1p1000,
    1e22, 0x1p100, 0x1.fffffffffffffp1023, 709.78, 709.79, 708, 745.1, 745.2, 1000, 1023.9999,
    1074.5, 308.25, 323.3, 27.22, 26.54, 5.92, 4503599627370495.5, 17.3, 171.62, 170.5 };
  int num = sizeof (hard) / sizeof (hard[0]);
  for (int i = 0; i < num; i++)
    {
      in[2 * i] = hard[i];
      in[2 * i + 1] = -hard[i];
    }
  in[2 * num] = INFINITY;
  in[2 * num + 1] = NAN;
  #pragma omp target teams distribute parallel for map (to: in) \
    map (from: out, powers, angles, rests, halves, lengths, sines, cosines, fractions, scaled) \
    map (from: exponents, rounded)
  for (int i = 0; i < N; i++)
    {
      double x = in[i];
#define ONE(name, most) out[CASE_##name][i] = name (x);
      FUNCTIONS (ONE)
#undef ONE
      double s = sin (x), c = cos (x);
      sines[i] = s;
      cosines[i] = c;
      fractions[i] = frexp (x, &exponents[i]);
      scaled[i] = ldexp (x, -1030);
      rounded[i] = lround (fabs (x) < 1e18 ? x : 0);
      for (int k = 0; k < N; k++)
	{
	  powers[i][k] = pow (x, in[k]);
	  angles[i][k] = atan2 (x, in[k]);
	  rests[i][k] = fmod (x, in[k]);
	  halves[i][k] = remainder (x, in[k]);
	  lengths[i][k] = hypot (x, in[k]);
	}
    }
  for (int i = 0; i < N; i++)
    {
      double x = in[i];
#define ONE(name, most) check (#name, x, 0, out[CASE_##name][i], name (x), most);
      FUNCTIONS (ONE)
#undef ONE
      check ("sine at once", x, 0, sines[i], sin (x), 2);
      check ("cosine at once", x, 0, cosines[i], cos (x), 2);
      int exponent;
      check ("fraction", x, 0, fractions[i], frexp (x, &exponent), 0);
      check ("exponent", x, 0, exponents[i], isfinite (x) ? exponent : 0, 0);
      check ("ldexp", x, -1030, scaled[i], ldexp (x, -1030), 0);
      check ("lround", x, 0, (double) rounded[i], (double) lround (fabs (x) < 1e18 ? x : 0), 0);
      for (int k = 0; k < N; k++)
	{
	  double y = in[k];
	  check ("pow", x, y, powers[i][k], pow (x, y), 2);
	  check ("atan2", x, y, angles[i][k], atan2 (x, y), 3);
	  check ("fmod", x, y, rests[i][k], fmod (x, y), 0);
	  check ("remainder", x, y, halves[i][k], remainder (x, y), 0);
	  check ("hypot", x, y, lengths[i][k], hypot (x, y), 2);
	}
    }
  /* The double that is nearest to a multiple of pi / 2: some hosts' libraries are wrong there.  */
  double near = 6381956970095103 * 0x1p797, result;
  #pragma omp target map (from: result) map (to: near)
  result = cos (near);
  check ("cos", near, 0, result, -4.687165924254627611e-19, 2);
  printf ("%d failures\n", failures);
  return failures != 0;
}
