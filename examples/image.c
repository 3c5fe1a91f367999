/* image.c -- a filter that makes a drawing of a photograph:   image [IN [OUT]]

   Reads a picture (data/scene.ppm), smooths it without blurring its edges, draws the edges as ink
   lines, and writes the result (drawing.png, or drawing.ppm without libpng) for you to look at.

     picture --smooth--> colours ---------------------------+--> drawing
        |                                                   |
        +--luma--> light --blur rows--> --blur columns--> --+  (edges, by Sobel's operator)

   What to look at:
     - a picture is a two-dimensional array, in the program and in the map clauses;
     - the picture is cut into bands of rows, one for each device, each with its host thread.  A
       band maps, of the input, its own rows and a margin of those around it;
     - what lies between input and drawing is map(alloc:): it is made and used on the device.
   All arithmetic is done in integers, so every device gets exactly the same picture.

   Checked: every sample of the drawing against a computation by the host alone, which takes the
   blur as one sum of 5 x 5 pixels and knows neither bands nor steps.  */

#define EXAMPLE "image"
#include "example.h"
#include "picture.h"

#include <math.h>
#include <string.h>

#define REACH 4			/* of the smoothing: 9 x 9 pixels */
#define LEVELS 256
#define MARGIN REACH		/* rows around a band that its result depends on; the ink needs 3 */
#define INK_FROM 40		/* edge strength where ink starts */
#define INK_SLOPE 2

/* Weights of smoothing: by distance, and by difference in brightness.  The second keeps edges:
   pixels that look different count little.  */
struct weights
{
  int place[2 * REACH + 1][2 * REACH + 1];
  int level[LEVELS];
};

typedef unsigned char pixel[3];

static int
clamp (int value, int low, int high)
{
  return value < low ? low : value > high ? high : value;
}

/* Brightness of a pixel, 0 .. 255.  */
static int
luma (const unsigned char *p)
{
  return (77 * p[0] + 150 * p[1] + 29 * p[2]) >> 8;
}

/* Weights 1 4 6 4 1 of the blur.  */
static int
blur_weight (int distance)
{
  return distance == 0 ? 6 : distance == 1 || distance == -1 ? 4 : 1;
}

/* The smoothed colour of pixel (Y, X) of the picture IN.  */
static void
smooth_pixel (int height, int width, const pixel (*in)[width], const struct weights *w,
	      int y, int x, unsigned char *result)
{
  int own = luma (in[y][x]), total = 0, sum[3] = { 0, 0, 0 };
  for (int dy = -REACH; dy <= REACH; dy++)
    for (int dx = -REACH; dx <= REACH; dx++)
      {
	const unsigned char *p = in[clamp (y + dy, 0, height - 1)][clamp (x + dx, 0, width - 1)];
	int difference = luma (p) - own;
	int weight = w->place[dy + REACH][dx + REACH]
		     * w->level[difference < 0 ? -difference : difference];
	total += weight;
	for (int c = 0; c < 3; c++)
	  sum[c] += weight * p[c];
      }
  for (int c = 0; c < 3; c++)
    result[c] = (sum[c] + total / 2) / total;
}

/* Edge strength from the blurred brightness of three rows around a pixel; LEFT and RIGHT are the
   columns beside X.  The blur is 256 times too large, Sobel's sum 4 times.  */
static int
edge (const int *above, const int *here, const int *below, int left, int x, int right)
{
  int across = above[right] + 2 * here[right] + below[right]
	       - above[left] - 2 * here[left] - below[left];
  int down = below[left] + 2 * below[x] + below[right]
	     - above[left] - 2 * above[x] - above[right];
  return ((across < 0 ? -across : across) + (down < 0 ? -down : down)) >> 8;
}

static void
ink (unsigned char *p, int strength)
{
  int light = 256 - clamp ((strength - INK_FROM) * INK_SLOPE, 0, 256);
  for (int c = 0; c < 3; c++)
    p[c] = p[c] * light >> 8;
}

/* Device code is made of these as well.  */
#pragma omp declare target (clamp, luma, blur_weight, smooth_pixel, edge, ink)

/* Draw the rows FIRST .. LAST - 1 on device DEV.  Arrays are indexed by the rows of the picture,
   though only a band of each is mapped.  That is why the regions name these bands again: of an
   array that a region does not name it would look for the first element, and not find it.  */
static void
draw_band (int dev, int height, int width, pixel (*in)[width], pixel (*out)[width],
	   const struct weights *w, int first, int last)
{
  int top = clamp (first - MARGIN, 0, height), rows = clamp (last + MARGIN, 0, height) - top;
  int (*light)[width] = example_alloc (height, sizeof *light);
  int (*blurred)[width] = example_alloc (height, sizeof *blurred);
  /* Rows whose blur the edges need.  */
  int from = clamp (first - 1, 0, height), to = clamp (last + 1, 0, height);

#pragma omp target data device (dev) map (to: in[top:rows], w[0:1]) \
			map (from: out[first:last - first]) \
			map (alloc: light[top:rows], blurred[top:rows])
  {
#pragma omp target teams distribute parallel for collapse (2) device (dev) \
		map (in[top:rows], w[0:1], out[first:last - first])
    for (int y = first; y < last; y++)
      for (int x = 0; x < width; x++)
	smooth_pixel (height, width, (const pixel (*)[width]) in, w, y, x, out[y][x]);

#pragma omp target teams distribute parallel for collapse (2) device (dev) \
		map (in[top:rows], light[top:rows])
    for (int y = top; y < top + rows; y++)
      for (int x = 0; x < width; x++)
	{
	  int sum = 0;
	  for (int dx = -2; dx <= 2; dx++)
	    sum += blur_weight (dx) * luma (in[y][clamp (x + dx, 0, width - 1)]);
	  light[y][x] = sum;
	}

#pragma omp target teams distribute parallel for collapse (2) device (dev) \
		map (light[top:rows], blurred[top:rows])
    for (int y = from; y < to; y++)
      for (int x = 0; x < width; x++)
	{
	  int sum = 0;
	  for (int dy = -2; dy <= 2; dy++)
	    sum += blur_weight (dy) * light[clamp (y + dy, 0, height - 1)][x];
	  blurred[y][x] = sum;
	}

#pragma omp target teams distribute parallel for collapse (2) device (dev) \
		map (out[first:last - first], blurred[top:rows])
    for (int y = first; y < last; y++)
      for (int x = 0; x < width; x++)
	ink (out[y][x], edge (blurred[clamp (y - 1, 0, height - 1)], blurred[y],
			      blurred[clamp (y + 1, 0, height - 1)],
			      clamp (x - 1, 0, width - 1), x, clamp (x + 1, 0, width - 1)));
  }
  free (light);
  free (blurred);
}

/* Brightness of pixel (Y, X), blurred by 5 x 5 pixels.  */
static int
blurred_luma (int height, int width, pixel (*in)[width], int y, int x)
{
  int sum = 0;
  for (int dy = -2; dy <= 2; dy++)
    for (int dx = -2; dx <= 2; dx++)
      sum += blur_weight (dy) * blur_weight (dx)
	     * luma (in[clamp (y + dy, 0, height - 1)][clamp (x + dx, 0, width - 1)]);
  return sum;
}

/* The same drawing by the host alone.  */
static void
draw_on_host (int height, int width, pixel (*in)[width], pixel (*out)[width],
	      const struct weights *w)
{
#pragma omp parallel for
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      {
	int around[3][3];
	smooth_pixel (height, width, (const pixel (*)[width]) in, w, y, x, out[y][x]);
	for (int dy = 0; dy < 3; dy++)
	  for (int dx = 0; dx < 3; dx++)
	    around[dy][dx] = blurred_luma (height, width, in, clamp (y + dy - 1, 0, height - 1),
					   clamp (x + dx - 1, 0, width - 1));
	ink (out[y][x], edge (around[0], around[1], around[2], 0, 1, 2));
      }
}

static void
set_weights (struct weights *w)
{
  for (int dy = -REACH; dy <= REACH; dy++)
    for (int dx = -REACH; dx <= REACH; dx++)
      w->place[dy + REACH][dx + REACH] = lrint (64 * exp (-(dx * dx + dy * dy) / (2 * 2.5 * 2.5)));
  for (int k = 0; k < LEVELS; k++)
    w->level[k] = lrint (256 * exp (-k * k / (2 * 28.0 * 28.0)));
}

int
main (int argc, char **argv)
{
  const char *source = argc > 1 ? argv[1] : "data/scene.ppm";
  const char *result = argc > 2 ? argv[2] : picture_has_png () ? "drawing.png" : "drawing.ppm";
  int devices = omp_get_num_devices (), bands = devices > 0 ? devices : 1;
  struct picture photo;
  struct weights weights;
  char error[300];
  double begin, seconds;

  if (argc > 3)
    example_wrong ("usage: image [IN [OUT]]");
  if (!picture_read (source, &photo, error, sizeof error))
    example_wrong ("%s", error);

  int height = photo.height, width = photo.width;
  pixel (*in)[width] = (pixel (*)[width]) photo.rgb;
  pixel (*out)[width] = example_alloc (height, sizeof *out);
  pixel (*expected)[width] = example_alloc (height, sizeof *expected);
  if (bands > height)
    bands = height;
  printf ("image: %s: %d x %d pixels, in %d band%s\n", source, width, height, bands,
	  bands == 1 ? "" : "s");
  set_weights (&weights);

  begin = omp_get_wtime ();
#pragma omp parallel for num_threads (bands) schedule (static, 1)
  for (int k = 0; k < bands; k++)
    draw_band (k, height, width, in, out, &weights, (long) height * k / bands,
	       (long) height * (k + 1) / bands);
  seconds = omp_get_wtime () - begin;

  begin = omp_get_wtime ();
  draw_on_host (height, width, in, expected, &weights);
  printf ("image: without target regions %.3f s\n", omp_get_wtime () - begin);

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      if (memcmp (out[y][x], expected[y][x], sizeof (pixel)) != 0)
	example_wrong ("pixel (%d, %d) is (%d, %d, %d), not (%d, %d, %d)", x, y,
		       out[y][x][0], out[y][x][1], out[y][x][2],
		       expected[y][x][0], expected[y][x][1], expected[y][x][2]);

  if (!picture_write (result, &(struct picture) { width, height, &out[0][0][0] }, error,
		      sizeof error))
    example_wrong ("%s", error);
  example_right (seconds, "%d x %d pixels, all as expected, written to %s", width, height, result);
  free (photo.rgb);
  free (out);
  free (expected);
  return 0;
}
