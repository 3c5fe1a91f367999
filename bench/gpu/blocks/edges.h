/* edges.h -- the edges in a coloured picture: sizes, what is computed of pixels, input and the
   serial reference.  */

#ifndef EDGES_H
#define EDGES_H 1

#include "blocks.h"

/* A team has WIDTH x HEIGHT pixels.  */
enum { WIDTH = 32, HEIGHT = 8, THREADS = WIDTH * HEIGHT };
/* Smoothing needs RADIUS more on each side, what follows one more.  */
enum { RADIUS = 2, SMOOTH_WIDTH = WIDTH + 2 * RADIUS, SMOOTH_HEIGHT = HEIGHT + 2 * RADIUS };
enum { WIDER = WIDTH + 2, HIGHER = HEIGHT + 2 };
/* Strengths are counted in BINS of BIN_SIZE; one pixel in SHARE is a strong one.  */
enum { BINS = 64, BIN_SIZE = 32, SHARE = 20 };
/* The last teams of a row and of a column are not full.  */
enum { MISSING = 5 };

struct pixel
{
  unsigned char red, green, blue;
};

BOTH_SIDES int
gray_of (struct pixel p)
{
  return (77 * p.red + 150 * p.green + 29 * p.blue) >> 8;
}

/* Five pixels in a line, as binomials.  */
BOTH_SIDES int
smoothed (int a, int b, int c, int d, int e)
{
  return a + 4 * b + 6 * c + 4 * d + e;
}

/* Pixels beyond the border are those on it.  */
BOTH_SIDES int
inside (int at, int size)
{
  return at < 0 ? 0 : at < size ? at : size - 1;
}

/* The strength of the gradient times 4, and to which of four sides it leads: right, down, down to
   the right, or down to the left.  */
BOTH_SIDES int
gradient (int right, int down)
{
  int across = right < 0 ? -right : right, along = down < 0 ? -down : down;
  int side = 5 * along < 2 * across ? 0 : 5 * across < 2 * along ? 1 : (right < 0) == (down < 0)
	     ? 2 : 3;
  return (across + along) * 4 + side;
}

BOTH_SIDES int
strength_of (int gradient)
{
  return gradient / 4;
}

BOTH_SIDES int
side_x (int gradient)
{
  return gradient % 4 == 1 ? 0 : gradient % 4 == 3 ? -1 : 1;
}

BOTH_SIDES int
side_y (int gradient)
{
  return gradient % 4 != 0;
}

static inline void
make_picture (struct pixel *in, int size)
{
  unsigned long long state = 37;

  for (int y = 0; y < size; y++)
    for (int x = 0; x < size; x++)
      {
	struct pixel *p = in + (long) y * size + x;
	int shape = (x / 37 + y / 23) % 3 * 70 + ((x - y) % 61 < 20 ? 40 : 0);
	p->red = (unsigned char) (shape + draw_below (&state, 12));
	p->green = (unsigned char) (shape / 2 + draw_below (&state, 12));
	p->blue = (unsigned char) (200 - shape / 2 + draw_below (&state, 12));
      }
}

static inline void
find_exactly (const struct pixel *in, int *expected, int size)
{
  long n = (long) size * size;
  int *gray = ARRAY (int, n), *rows = ARRAY (int, n), *smooth = ARRAY (int, n);
  int *gradients = ARRAY (int, n), *thin = ARRAY (int, n), bins[BINS] = { 0 }, high = BINS;
#define AT(array, x, y) array[(long) inside (y, size) * size + inside (x, size)]

  for (long i = 0; i < n; i++)
    gray[i] = gray_of (in[i]);
  for (int y = 0; y < size; y++)
    for (int x = 0; x < size; x++)
      AT (rows, x, y) = smoothed (AT (gray, x - 2, y), AT (gray, x - 1, y), AT (gray, x, y),
				  AT (gray, x + 1, y), AT (gray, x + 2, y));
  for (int y = 0; y < size; y++)
    for (int x = 0; x < size; x++)
      AT (smooth, x, y) = smoothed (AT (rows, x, y - 2), AT (rows, x, y - 1), AT (rows, x, y),
				    AT (rows, x, y + 1), AT (rows, x, y + 2)) >> 8;
  for (int y = 0; y < size; y++)
    for (int x = 0; x < size; x++)
      {
	int right = 0, down = 0;
	for (int k = -1; k <= 1; k++)
	  {
	    int twice = k == 0 ? 2 : 1;
	    right += twice * (AT (smooth, x + 1, y + k) - AT (smooth, x - 1, y + k));
	    down += twice * (AT (smooth, x + k, y + 1) - AT (smooth, x + k, y - 1));
	  }
	AT (gradients, x, y) = gradient (right, down);
      }
  for (int y = 0; y < size; y++)
    for (int x = 0; x < size; x++)
      {
	int g = AT (gradients, x, y), strength = strength_of (g);
	int ahead = strength_of (AT (gradients, x + side_x (g), y + side_y (g)));
	int behind = strength_of (AT (gradients, x - side_x (g), y - side_y (g)));
	AT (thin, x, y) = strength >= ahead && strength >= behind ? strength : 0;
	bins[AT (thin, x, y) / BIN_SIZE]++;
      }
  for (long above = 0; high > 1 && above * SHARE <= n; above += bins[high])
    high--;
  for (int y = 0; y < size; y++)
    for (int x = 0; x < size; x++)
      {
	int strong = 0;
	for (int j = -1; j <= 1; j++)
	  for (int i = -1; i <= 1; i++)
	    strong |= AT (thin, x + i, y + j) >= high * BIN_SIZE;
	AT (expected, x, y) = strong && AT (thin, x, y) >= high * BIN_SIZE / 2 ? 255 : 0;
      }
#undef AT
  free (gray);
  free (rows);
  free (smooth);
  free (gradients);
  free (thin);
}

#endif
