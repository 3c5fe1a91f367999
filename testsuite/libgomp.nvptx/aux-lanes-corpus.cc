/* aux-lanes-corpus.cc -- as aux-lanes-corpus.c, what C++ makes of classes, references, lambdas and templates.  */

#include <omp.h>

#define NOINLINE __attribute__ ((noinline))
#define LOOP _Pragma ("omp target teams distribute parallel for map (o[:n], p[:n])") for (int i = 0; i < n; i++)

#pragma omp declare target
struct point
{
  double x, y;
  point (double a, double b) : x (a), y (b) {}
  NOINLINE double norm () const { return x * x + y * y; }
  NOINLINE void move (const point &by) { x += by.x; y += by.y; }
};
struct shape { virtual int area (int i) const { return i; } };
struct square : shape { int area (int i) const override { return i * i; } };
template <typename T> NOINLINE T largest (const T &a, const T &b) { return a < b ? b : a; }
template <typename F> NOINLINE int twice (F f, int x) { return f (f (x)); }
#pragma omp end declare target

/* EXPECT: classes lanes */
extern "C" void classes (double *o, double *p, int n)
{
  LOOP { point a (o[i], p[i]), b (p[i], 1); a.move (b); o[i] = a.norm (); }
}
/* EXPECT: templates lanes */
extern "C" void templates (double *o, double *p, int n) { LOOP o[i] = largest (o[i], p[i]); }
/* EXPECT: lambdas lanes */
extern "C" void lambdas (int *o, int *p, int n)
{
  LOOP { int k = p[i]; o[i] = twice ([=] (int x) { return x * 3 + k; }, i); }
}
/* What the lambda changes by a pointer that is in a frame may be an address, too.  */
/* EXPECT: references warp .*stores the address.* */
extern "C" void references (int *o, int *p, int n)
{
  LOOP { int k = p[i]; auto add = [&k] (int x) { k += x; return k; }; o[i] = twice (add, i) + k; }
}
/* EXPECT: two_sums lanes stride */
extern "C" void two_sums (double &s, double &t, double *p, int n)
{
  #pragma omp target teams distribute parallel for map (tofrom: s, t) map (p[:n]) reduction (+: s, t)
  for (int i = 0; i < n; i++)
    {
      p[i] *= 3;
      s += p[i];
      t += p[i] * p[i];
    }
}
/* EXPECT: clocks lanes */
extern "C" void clocks (double *o, double *p, int n) { LOOP { double t = omp_get_wtime (); o[i] = p[i] + (omp_get_wtime () < t); } }
/* EXPECT: virtuals warp .*pointer */
extern "C" void virtuals (int *o, int *p, int n)
{
  #pragma omp target teams distribute parallel for map (o[:n], p[:n])
  for (int i = 0; i < n; i++)
    {
      square s;
      const shape *volatile v = &s;
      o[i] = v->area (p[i]);
    }
}

int
main ()
{
  return 0;
}
