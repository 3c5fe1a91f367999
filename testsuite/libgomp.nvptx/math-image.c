/* Mathematical functions of a program's regions are ours, also for arguments that are hard, and a
   function that the program defines itself is the program's.
   TEST-MODES: ptxours ptxlanes gpu
   TEST-GPU: ours varies
   TEST-IMAGE: nvptx
   TEST-OPTIONS: -O2 -fno-builtin-cbrtf -foffload-options=nvptx-none=-lm -lm
   TEST-ENV: GOMP_INFO=2
   TEST-OUTPUT: our mathematical functions: .*expf
   TEST-NO-OUTPUT: our mathematical functions: .*cbrtf  */

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 96 };

#pragma omp declare target
/* Not what it is called.  */
float __attribute__ ((noinline)) cbrtf (float x) { return x + 1; }
#pragma omp end declare target

#define FUNCTIONS(F) F (exp) F (exp2) F (expm1) F (log) F (log2) F (log10) F (log1p) F (sin) F (cos) F (tan) F (asin) F (acos) F (atan)	\
  F (sinh) F (cosh) F (tanh) F (asinh) F (acosh) F (atanh) F (erf) F (erfc) F (sqrt) F (rint) F (round)
#define ONE(name) CASE_##name,
enum { FUNCTIONS (ONE) NUM_CASES };
#undef ONE

static const char *const names[] = {
#define ONE(name) #name "f",
  FUNCTIONS (ONE)
#undef ONE
};

static float in[N], out[NUM_CASES][N], powers[N][N], angles[N][N], rests[N][N], lengths[N][N],
    own[N], sines[N], cosines[N];
static int failures;

/* GOT is within MOST units in the last place of WANT.  */
static void
check (const char *what, float x, float y, float got, double want, double most)
{
  int exponent;
  if (isnan (want) ? isnan (got) : (float) want == got
      && (got != 0 || !signbit (got) == !signbit ((float) want)))
    return;
  frexp (want, &exponent);
  double unit = ldexp (1, exponent < -125 ? -149 : exponent - 24);
  if (!isnan (want) && isfinite (got) && fabs (got - want) <= most * unit)
    return;
  if (failures++ < 30)
    printf ("%s (%a, %a) is %a, not %a\n", what, x, y, got, want);
}

int
main (void)
{
  static const float hard[] = { 0, 1, 2, 3, 0.5f, 1.5f, 0.1f, 0.25f, 0.75f, 0.7071068f, 0.9999999f,
				1.0000001f, 0x1p-149f, 0x1.8p-140f,
    0x1p-126f, 0x1p-60f, 0x1p-25f, 0x1p-13f, 0.3465f, 0.3466f, 0.55f, 0.5625f, 0.96875f, 3.1415927f,
	1.5707964f, 0.78539819f, 10,
    22, 22724, 65536, 65537, 0x1.1b7f6ap+18f, 16367173, 0x1.a9bfdep+70f, 0x1p100f, 0x1.fffffep127f,
	88.722839f, 88.72284f,
    103.97f, 103.98f, 150, 127.99999f, 17.3f, 9.1f, 10.05f, 4.0f, 8388607.5f };
  int num = sizeof (hard) / sizeof (hard[0]);
  for (int i = 0; i < num; i++)
    {
      in[2 * i] = hard[i];
      in[2 * i + 1] = -hard[i];
    }
  in[2 * num] = INFINITY;
  in[2 * num + 1] = NAN;
  #pragma omp target teams distribute parallel for map (to: in) \
    map (from: out, powers, angles, rests, lengths, own, sines, cosines)
  for (int i = 0; i < N; i++)
    {
      float x = in[i];
#define ONE(name) out[CASE_##name][i] = name##f (x);
      FUNCTIONS (ONE)
#undef ONE
      own[i] = cbrtf (x);
      float s = sinf (x), c = cosf (x);
      sines[i] = s;
      cosines[i] = c;
      for (int k = 0; k < N; k++)
	{
	  powers[i][k] = powf (x, in[k]);
	  angles[i][k] = atan2f (x, in[k]);
	  rests[i][k] = fmodf (x, in[k]);
	  lengths[i][k] = hypotf (x, in[k]);
	}
    }
  for (int i = 0; i < N; i++)
    {
      float x = in[i];
#define ONE(name)						\
      check (names[CASE_##name], x, 0, out[CASE_##name][i], name (x), CASE_##name == CASE_erfc ? 3 : 2);
      FUNCTIONS (ONE)
#undef ONE
      check ("the program's cbrtf", x, 0, own[i], x + 1, 0);
      check ("sine at once", x, 0, sines[i], sin (x), 2);
      check ("cosine at once", x, 0, cosines[i], cos (x), 2);
      for (int k = 0; k < N; k++)
	{
	  float y = in[k];
	  check ("powf", x, y, powers[i][k], pow (x, y), 2);
	  check ("atan2f", x, y, angles[i][k], atan2 (x, y), 2);
	  check ("fmodf", x, y, rests[i][k], fmod (x, y), 0);
	  check ("hypotf", x, y, lengths[i][k], hypot (x, y), 2);
	}
    }
  printf ("%d failures\n", failures);
  return failures != 0;
}
