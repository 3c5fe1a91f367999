/* aux-lanes-corpus.c -- parallel regions for the lanes analysis, compiled by lanes-verdicts.sh and lanes-rewritten.sh.
   EXPECT: function verdict, a regular expression; of the region that the function has.  */

#include <math.h>
#include <omp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An instruction of NVIDIA GPUs; on x86 what is between braces is one dialect or the other, so that a comment is left.  */
#define WARP_SYNC "// {|\n\tbar.warp.sync 0xffffffff;\n\t// }"

#define NOINLINE static __attribute__ ((noinline))
#define LOOP _Pragma ("omp target teams distribute parallel for map (o[:n], p[:n])") for (int i = 0; i < n; i++)

#pragma omp declare target
struct large { int a[9]; double d; };
struct small { int x, y; };
int *volatile leak;
int table[64];
NOINLINE struct large make (int i)
{
  struct large s;
  for (int j = 0; j < 9; j++)
    s.a[(j + i) % 9] = i + j;
  s.d = i;
  return s;
}
NOINLINE double use (struct large s) { return s.a[3] + s.d; }
NOINLINE int norm (struct small s) { return s.x * s.x + s.y; }
NOINLINE int sum (const int *x, int n)
{
  int s = 0;
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}
NOINLINE void swap (int *x, int *y) { int t = *x; *x = *y; *y = t; }
NOINLINE void escape (int *x) { leak = x; }
NOINLINE __int128 square (__int128 x) { return x * x / 3; }
NOINLINE int count (int n)
{
  int r = 0;
  if (n < 2)
    return n;
  for (int i = 1; i < 3; i++)
    r += count (n - i);
  return r;
}
NOINLINE int deep (int n, int *x)
{
  int a[4] = { n, n + 1, n ^ *x, 3 };
  return n > 0 ? deep (n - 1, &a[n & 3]) + deep (n - 2, &a[1]) + a[1] : *x;
}
NOINLINE void sort (int *x, int n)
{
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && x[j - 1] > x[j]; j--)
      swap (&x[j - 1], &x[j]);
}
int one (int x) { return x + 1; }
int two (int x) { return x * 2; }
int (*ways[2]) (int) = { one, two };
#pragma omp end declare target

/* EXPECT: plain lanes */
void plain (float *o, float *p, int n) { LOOP o[i] += 2 * p[i]; }
/* EXPECT: stencil lanes */
void stencil (double *o, double *p, int n) { LOOP if (i > 0 && i < n - 1) o[i] = (p[i - 1] + p[i] + p[i + 1]) / 3; }
/* EXPECT: histogram lanes */
void histogram (int *o, int *p, int n)
{
  LOOP
    {
      #pragma omp atomic
      o[p[i] & 15]++;
    }
}
/* EXPECT: capture lanes */
void capture (int *o, int *p, int n)
{
  LOOP
    {
      int k;
      #pragma omp atomic capture
      k = o[0]++;
      p[i] = k;
    }
}
/* EXPECT: capture64 lanes */
void capture64 (long *o, long *p, int n)
{
  LOOP
    {
      long k;
      #pragma omp atomic capture
      { k = o[0]; o[0] += i; }
      p[i] = k;
    }
}
/* EXPECT: floating lanes */
void floating (double *o, int *p, int n)
{
  LOOP
    {
      #pragma omp atomic
      o[p[i] & 15] += 1.5;
    }
}
/* EXPECT: ordered_atomics lanes */
void ordered_atomics (int *o, int *p, int n)
{
  LOOP
    {
      int v;
      #pragma omp atomic seq_cst
      o[p[i] & 3] += i;
      #pragma omp atomic read acquire
      v = o[4];
      #pragma omp atomic write release
      p[5] = v;
    }
}
/* EXPECT: narrow_atomics lanes */
void narrow_atomics (unsigned char *o, short *p, int n)
{
  LOOP
    {
      #pragma omp atomic
      o[i & 3] += i;
      #pragma omp atomic
      p[i & 3] |= i;
    }
}
/* EXPECT: sparse lanes */
void sparse (double *o, const double *p, const int *row, const int *column, const double *value, int n)
{
  #pragma omp target teams distribute parallel for map (o[:n], p[:n], row[:n + 1], column[:9 * n], value[:9 * n])
  for (int i = 0; i < n; i++)
    {
      double s = 0;
      for (int k = row[i]; k < row[i + 1]; k++)
	s += value[k] * p[column[k]];
      o[i] = s;
    }
}
/* EXPECT: reduction lanes */
double reduction (double *o, double *p, int n)
{
  double s = 0;
  #pragma omp target teams distribute parallel for map (o[:n], p[:n], s) reduction (+: s)
  for (int i = 0; i < n; i++)
    s += o[i] * p[i];
  return s;
}
/* EXPECT: reductions lanes stride */
double reductions (double *o, long *p, int n)
{
  double s = 0;
  long c = 0;
  #pragma omp target teams distribute parallel for map (o[:n], p[:n], s, c) reduction (max: s) reduction (+: c)
  for (int i = 0; i < n; i++)
    {
      s = s < o[i] ? o[i] : s;
      c += p[i];
    }
  return s + c;
}
/* EXPECT: by_team lanes stride */
double by_team (double *o, long *p, int n)
{
  double s = 0;
  long c = 0;
  #pragma omp target teams distribute parallel for map (o[:n], p[:n], s, c) reduction (max: s) reduction (+: c)
  for (int i = 0; i < n; i++)
    {
      s = s < o[i] ? o[i] : s;
      c += p[i] * omp_get_team_num ();
    }
  return s + c;
}
/* EXPECT: statistics lanes stride */
double statistics (double *o, double *p, int n)
{
  double s = 0, q = 0, low = o[0], high = o[0];
  long c = 0;
  #pragma omp target teams distribute parallel for map (o[:n], p[:n], s, q, low, high, c) reduction (+: s, q, c) \
    reduction (min: low) reduction (max: high)
  for (int i = 0; i < n; i++)
    {
      o[i] = p[i] + 1;
      s += p[i];
      q += p[i] * p[i];
      low = p[i] < low ? p[i] : low;
      high = p[i] > high ? p[i] : high;
      c += p[i] > 0;
    }
  return s + q + low + high + c;
}
/* EXPECT: array lanes */
void array (int *o, int *p, int n)
{
  LOOP
    {
      int t[32];
      for (int j = 0; j < 32; j++)
	t[j ^ (p[i] & 31)] = j;
      o[i] = t[p[i] >> 5 & 31];
    }
}
/* EXPECT: aligned lanes */
void aligned (int *o, int *p, int n)
{
  LOOP
    {
      __attribute__ ((aligned (64))) int t[32];
      for (int j = 0; j < 32; j++)
	t[j] = i ^ j;
      o[i] = sum (t, 32) + ((size_t) t & 63) + p[0];
    }
}
/* EXPECT: sorting lanes */
void sorting (int *o, int *p, int n)
{
  LOOP
    {
      int t[8];
      for (int j = 0; j < 8; j++)
	t[j] = p[i] * (j + 3) % 11;
      sort (t, 8);
      o[i] = t[3];
    }
}
/* EXPECT: mathematics lanes */
void mathematics (double *o, double *p, int n) { LOOP o[i] = sin (p[i]) + pow (p[i], 1.5) + sqrt (p[i]); }
/* EXPECT: mathematics_float lanes */
void mathematics_float (float *o, float *p, int n) { LOOP o[i] = expf (p[i]) + cosf (p[i]) + fabsf (p[i]); }
/* EXPECT: by_value lanes */
void by_value (double *o, double *p, int n) { LOOP { struct large s = make (i); o[i] = use (s) + p[i]; } }
/* EXPECT: by_value_small lanes */
void by_value_small (struct small *o, float *p, int n) { LOOP p[i] = norm (o[i]); }
/* EXPECT: int128 lanes */
void int128 (long *o, long *p, int n) { LOOP o[i] = square (p[i]); }
/* EXPECT: recursive lanes */
void recursive (int *o, int *p, int n) { LOOP o[i] = count (p[i] & 7); }
/* EXPECT: by_reference lanes */
void by_reference (int *o, int *p, int n) { LOOP { int a = o[i], b = p[i]; swap (&a, &b); o[i] = a; p[i] = b; } }
/* EXPECT: output lanes */
void output (int *o, int *p, int n) { LOOP if (o[i] == 77) printf ("%d %d\n", i, p[i]); }
/* EXPECT: allocation lanes */
void allocation (int *o, int *p, int n)
{
  LOOP
    {
      int *t = malloc (40);
      memset (t, p[i], 40);
      o[i] = sum (t, 10);
      free (t);
    }
}
/* EXPECT: string lanes */
void string (char *o, char *p, int n) { LOOP { char t[16]; strcpy (t, "lanes"); strcat (t, "x"); o[i] = t[i % 7] + p[i]; } }
/* EXPECT: critical lanes */
void critical (int *o, int *p, int n)
{
  LOOP
    {
      #pragma omp critical
      o[0] += p[i];
      #pragma omp critical (mine)
      o[1] += p[i];
    }
}
/* EXPECT: dynamic lanes */
void dynamic (int *o, int *p, int n)
{
  #pragma omp target parallel map (o[:n], p[:n])
  {
    int s = 0;
    #pragma omp for schedule (dynamic, 4)
    for (int i = 0; i < n; i++)
      s += p[i];
    #pragma omp barrier
    #pragma omp single
    o[1] = s;
    #pragma omp atomic
    o[0] += s;
  }
}
/* EXPECT: sections lanes */
void sections (int *o, int *p, int n)
{
  #pragma omp target map (o[:n], p[:n])
  #pragma omp parallel sections
  {
    #pragma omp section
    o[0] = 1;
    #pragma omp section
    o[1] = p[0];
  }
}

/* EXPECT: simd warp .*simd loop */
void simd (int *o, int *p, int n)
{
  #pragma omp target teams distribute parallel for simd map (o[:n], p[:n])
  for (int i = 0; i < n; i++)
    o[i] = p[i];
}
/* EXPECT: variable warp .*(alloca|simd) */
void variable (int *o, int *p, int n)
{
  int m = p[0];
  LOOP
    {
      int t[m];
      for (int j = 0; j < m; j++)
	t[j] = i ^ j;
      o[i] = sum (t, m);
    }
}
/* EXPECT: pointer warp .*pointer */
void pointer (int *o, int *p, int n) { LOOP o[i] = ways[p[i] & 1] (i); }
/* EXPECT: escapes warp .*stores the address.* */
void escapes (int *o, int *p, int n) { LOOP { int k = p[i]; escape (&k); o[i] = k; } }
/* EXPECT: recursive_frame lanes */
void recursive_frame (int *o, int *p, int n) { LOOP { int k = p[i]; o[i] = deep (k & 7, &k); } }
/* EXPECT: large_frame warp .*too large.* */
void large_frame (int *o, int *p, int n)
{
  LOOP
    {
      int t[2048];
      for (int j = 0; j < 2048; j++)
	t[j ^ (p[i] & 2047)] = j;
      o[i] = t[p[i] >> 5 & 2047];
    }
}
/* EXPECT: atomic_private warp .*(atomic operation|stores the address).* */
void atomic_private (int *o, int *p, int n)
{
  LOOP
    {
      int k = p[i], *volatile q = &k;
      #pragma omp atomic
      *q += 3;
      o[i] = k;
    }
}
/* EXPECT: nested warp .*GOMP_parallel.* */
void nested (int *o, int *p, int n)
{
  LOOP
    {
      #pragma omp parallel num_threads (2)
      #pragma omp atomic
      o[i] += p[i];
    }
}
/* EXPECT: tasks warp .*GOMP_task.* */
void tasks (int *o, int *p, int n)
{
  #pragma omp target parallel map (o[:n], p[:n])
  #pragma omp single
  for (int i = 0; i < n; i++)
    {
      #pragma omp task
      o[i] = p[i];
    }
}
/* EXPECT: copies warp .*GOMP_single_copy.* */
void copies (int *o, int *p, int n)
{
  #pragma omp target parallel map (o[:n], p[:n])
  {
    int x;
    #pragma omp single copyprivate (x)
    x = o[0];
    #pragma omp atomic
    p[1] += x;
  }
}
/* EXPECT: in_order warp .*ordered.* */
void in_order (int *o, int *p, int n)
{
  #pragma omp target parallel for ordered map (o[:n], p[:n])
  for (int i = 0; i < n; i++)
    {
      #pragma omp ordered
      o[0] = o[0] * 3 + p[i];
    }
}
/* EXPECT: waves warp .*doacross.* */
void waves (int *o, int *p, int n)
{
  #pragma omp target parallel for ordered (1) map (o[:n], p[:n])
  for (int i = 1; i < n; i++)
    {
      #pragma omp ordered depend (sink: i - 1)
      o[i] = o[i - 1] * 3 + p[i];
      #pragma omp ordered depend (source)
    }
}
/* EXPECT: assembly warp .*about the warp.* */
void assembly (int *o, int *p, int n) { LOOP { __asm__ volatile (WARP_SYNC :); o[i] = p[i]; } }

int
main (void)
{
  return 0;
}
