/* gen-picture.c -- made data/scene.ppm:   ./gen-picture data/scene.ppm

   Balls on a chequered floor under an evening sky, traced ray by ray, with the noise of a cheap
   camera on top: something for an image filter to clean.  */

#include "picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WIDTH 384
#define HEIGHT 288
#define NOISE 22		/* largest deviation of a sample */

typedef struct { double x, y, z; } vec;

static const struct { vec at; double radius; vec colour; double mirror; } balls[] = {
  { { -1.5, 0.9, 5.2 }, 0.9, { 0.85, 0.20, 0.15 }, 0.15 },
  { { 0.3, 1.25, 6.6 }, 1.25, { 0.90, 0.90, 0.95 }, 0.65 },
  { { 1.7, 0.6, 4.4 }, 0.6, { 0.15, 0.55, 0.25 }, 0.10 },
  { { 0.2, 0.35, 3.7 }, 0.35, { 0.95, 0.75, 0.15 }, 0.10 },
  { { -0.7, 0.25, 3.3 }, 0.25, { 0.20, 0.30, 0.80 }, 0.20 },
};
#define BALLS ((int) (sizeof balls / sizeof balls[0]))

static vec plus (vec a, vec b) { return (vec) { a.x + b.x, a.y + b.y, a.z + b.z }; }
static vec times (vec a, double s) { return (vec) { a.x * s, a.y * s, a.z * s }; }
static vec minus (vec a, vec b) { return plus (a, times (b, -1)); }
static double dot (vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static vec unit (vec a) { return times (a, 1 / sqrt (dot (a, a))); }

/* The first thing that a ray hits: -1 nothing, BALLS the floor, otherwise a ball.  */
static int
hit (vec from, vec along, double *distance)
{
  int what = -1;
  *distance = 1e9;
  if (along.y < -1e-6)
    {
      *distance = -from.y / along.y;
      what = BALLS;
    }
  for (int k = 0; k < BALLS; k++)
    {
      vec to = minus (balls[k].at, from);
      double b = dot (to, along);
      double in = b * b - dot (to, to) + balls[k].radius * balls[k].radius;
      double t = in > 0 ? b - sqrt (in) : -1;
      if (t > 1e-6 && t < *distance)
	{
	  *distance = t;
	  what = k;
	}
    }
  return what;
}

static vec
colour_of (vec from, vec along, int depth)
{
  const vec sun = unit ((vec) { -0.6, 0.75, -0.45 });
  double t, light, shine, mirror, ignored;
  vec at, up, own, back, seen;
  int what = hit (from, along, &t);

  if (what < 0)
    {
      double h = fmax (0, along.y);
      return (vec) { 0.95 - 0.75 * sqrt (h), 0.70 - 0.40 * h, 0.55 + 0.35 * sqrt (h) };
    }
  at = plus (from, times (along, t));
  if (what == BALLS)
    {
      int odd = ((int) floor (at.x * 0.9) + (int) floor (at.z * 0.9)) & 1;
      double haze = exp (-0.03 * t);
      up = (vec) { 0, 1, 0 };
      own = odd ? (vec) { 0.75, 0.72, 0.65 } : (vec) { 0.25, 0.22, 0.28 };
      own = plus (times (own, haze), times ((vec) { 0.95, 0.70, 0.55 }, 1 - haze));
      mirror = 0.08;
    }
  else
    {
      up = unit (minus (at, balls[what].at));
      own = balls[what].colour;
      mirror = balls[what].mirror;
    }
  at = plus (at, times (up, 1e-4));
  light = fmax (0, dot (up, sun));
  if (light > 0 && hit (at, sun, &ignored) >= 0)
    light = 0;
  back = minus (along, times (up, 2 * dot (up, along)));
  shine = light > 0 && what < BALLS ? pow (fmax (0, dot (back, sun)), 60) : 0;
  seen = times (own, 0.25 + 0.75 * light);
  if (depth < 3)
    seen = plus (times (seen, 1 - mirror), times (colour_of (at, back, depth + 1), mirror));
  return plus (seen, (vec) { shine, shine, shine });
}

static unsigned char
sample (double value)
{
  static unsigned state = 12345;
  int level = (int) (255 * sqrt (fmin (1, fmax (0, value))) + 0.5);
  state = state * 1664525u + 1013904223u;
  level += (int) ((state >> 8) % (2 * NOISE + 1)) - NOISE;
  return level < 0 ? 0 : level > 255 ? 255 : level;
}

int
main (int argc, char **argv)
{
  static unsigned char rgb[HEIGHT][WIDTH][3];
  struct picture pic = { WIDTH, HEIGHT, &rgb[0][0][0] };
  char error[300];

  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      {
	/* Four rays a pixel smooth the edges.  */
	vec sum = { 0, 0, 0 };
	for (int k = 0; k < 4; k++)
	  {
	    double u = (x + 0.25 + 0.5 * (k % 2) - WIDTH / 2.0) / HEIGHT;
	    double v = (HEIGHT * 0.44 - y - 0.25 - 0.5 * (k / 2)) / HEIGHT;
	    sum = plus (sum, colour_of ((vec) { 0, 1.3, -1 }, unit ((vec) { u, v, 1.25 }), 0));
	  }
	rgb[y][x][0] = sample (sum.x / 4);
	rgb[y][x][1] = sample (sum.y / 4);
	rgb[y][x][2] = sample (sum.z / 4);
      }
  if (argc == 2 && picture_write (argv[1], &pic, error, sizeof error))
    return 0;
  fprintf (stderr, "gen-picture: %s\n", argc == 2 ? error : "usage: gen-picture FILE.ppm");
  return 1;
}
