/* picture.c -- reads and writes colour pictures.

   PPM (binary, "P6") by ourselves: comments, any white space, every maximum value from 1 to
   65535.  PNG by libpng's simple interface, when the Makefile found it (HAVE_LIBPNG).  A damaged
   file is an error with a reason; sizes are checked before memory is asked for.  */

#include "picture.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBPNG
# include <png.h>
#endif

struct problem
{
  const char *name;
  char *error;
  size_t size;
};

static bool __attribute__ ((format (printf, 2, 3)))
reject (const struct problem *to, const char *fmt, ...)
{
  va_list ap;
  int used = snprintf (to->error, to->size, "%s: ", to->name);
  if (used > 0 && (size_t) used < to->size)
    {
      va_start (ap, fmt);
      vsnprintf (to->error + used, to->size - used, fmt, ap);
      va_end (ap);
    }
  return false;
}

/* ---- PPM ---- */

/* A number of the header, after white space and comments.  -1: there is none.  */
static long
ppm_number (FILE *f)
{
  long value = 0;
  int c = getc (f), digits = 0;
  while (isspace (c) || c == '#')
    {
      if (c == '#')
	while (c != '\n' && c != EOF)
	  c = getc (f);
      else
	c = getc (f);
    }
  for (; isdigit (c); c = getc (f), digits++)
    if (value < 1000000)
      value = 10 * value + (c - '0');
  ungetc (c, f);
  return digits > 0 ? value : -1;
}

static bool
ppm_read (FILE *f, struct picture *pic, const struct problem *to)
{
  long width, height, top;
  size_t count, i;
  unsigned char *rgb, *raw;
  int wide;

  width = ppm_number (f);
  height = ppm_number (f);
  top = ppm_number (f);
  if (width < 0 || height < 0 || top < 0 || !isspace (getc (f)))
    return reject (to, "the header needs width, height and maximum as numbers");
  if (width < 1 || height < 1 || width > PICTURE_MAX_SIDE || height > PICTURE_MAX_SIDE)
    return reject (to, "%ld x %ld pixels: each side must be from 1 to %d", width, height,
		   PICTURE_MAX_SIDE);
  if (top < 1 || top > 65535)
    return reject (to, "the maximum is %ld, it must be from 1 to 65535", top);

  /* Samples above 255 are two bytes, the higher one first.  */
  wide = top > 255 ? 2 : 1;
  count = (size_t) width * height * 3;
  rgb = malloc (count);
  raw = malloc ((size_t) width * 3 * wide);
  if (!rgb || !raw)
    {
      reject (to, "no memory for %ld x %ld pixels", width, height);
      goto failed;
    }
  for (i = 0; i < count; i++)
    {
      size_t in_row = i % (width * 3);
      long sample;
      if (in_row == 0 && fread (raw, wide, width * 3, f) != (size_t) width * 3)
	{
	  reject (to, "%s in row %zu of %ld", ferror (f) ? strerror (errno) : "the file ends",
		  i / (width * 3) + 1, height);
	  goto failed;
	}
      sample = wide == 1 ? raw[in_row] : raw[2 * in_row] << 8 | raw[2 * in_row + 1];
      if (sample > top)
	{
	  reject (to, "row %zu has a sample of %ld, above the maximum of %ld",
		  i / (width * 3) + 1, sample, top);
	  goto failed;
	}
      rgb[i] = (sample * 255 + top / 2) / top;
    }
  free (raw);
  *pic = (struct picture) { width, height, rgb };
  return true;

failed:
  free (raw);
  free (rgb);
  return false;
}

static bool
ppm_write (const struct picture *pic, const struct problem *to)
{
  size_t count = (size_t) pic->width * pic->height * 3;
  FILE *f = fopen (to->name, "wb");
  bool ok;
  if (!f)
    return reject (to, "%s", strerror (errno));
  fprintf (f, "P6\n%d %d\n255\n", pic->width, pic->height);
  ok = fwrite (pic->rgb, 1, count, f) == count;
  ok = fclose (f) == 0 && ok;
  return ok || reject (to, "cannot be written: %s", strerror (errno));
}

/* ---- PNG ---- */

#ifdef HAVE_LIBPNG

bool
picture_has_png (void)
{
  return true;
}

static bool
png_read (FILE *f, struct picture *pic, const struct problem *to)
{
  png_image image = { .version = PNG_IMAGE_VERSION };
  unsigned char *rgb = NULL;

  if (!png_image_begin_read_from_stdio (&image, f))
    return reject (to, "%s", image.message);
  if (image.width > PICTURE_MAX_SIDE || image.height > PICTURE_MAX_SIDE)
    reject (to, "%u x %u pixels: each side must be from 1 to %d", image.width, image.height,
	    PICTURE_MAX_SIDE);
  else
    {
      image.format = PNG_FORMAT_RGB;
      rgb = malloc (PNG_IMAGE_SIZE (image));
      if (!rgb)
	reject (to, "no memory for %u x %u pixels", image.width, image.height);
      /* Black shows through where the picture is transparent.  */
      else if (png_image_finish_read (&image, &(png_color) { 0, 0, 0 }, rgb, 0, NULL))
	{
	  *pic = (struct picture) { image.width, image.height, rgb };
	  return true;
	}
      else
	reject (to, "%s", image.message);
    }
  free (rgb);
  png_image_free (&image);
  return false;
}

static bool
png_write (const struct picture *pic, const struct problem *to)
{
  png_image image = { .version = PNG_IMAGE_VERSION, .width = pic->width, .height = pic->height,
		      .format = PNG_FORMAT_RGB };
  return (png_image_write_to_file (&image, to->name, 0, pic->rgb, 0, NULL) != 0
	  || reject (to, "%s", image.message));
}

#else

bool
picture_has_png (void)
{
  return false;
}

static bool
png_read (FILE *f, struct picture *pic, const struct problem *to)
{
  (void) f;
  (void) pic;
  return reject (to, "a PNG picture, but this program was built without libpng");
}

static bool
png_write (const struct picture *pic, const struct problem *to)
{
  (void) pic;
  return reject (to, "this program was built without libpng: use .ppm");
}

#endif

/* ---- either ---- */

bool
picture_read (const char *name, struct picture *pic, char *error, size_t size)
{
  struct problem to = { name, error, size };
  unsigned char magic[2];
  FILE *f = fopen (name, "rb");
  bool ok;

  if (!f)
    return reject (&to, "%s", strerror (errno));
  if (fread (magic, 1, 2, f) != 2)
    ok = reject (&to, "%s", ferror (f) ? strerror (errno) : "the file is empty");
  else if (magic[0] == 'P' && magic[1] == '6')
    ok = ppm_read (f, pic, &to);
  else if (magic[0] == 0x89 && magic[1] == 'P')
    {
      rewind (f);
      ok = png_read (f, pic, &to);
    }
  else
    ok = reject (&to, "neither PPM (P6) nor PNG");
  fclose (f);
  return ok;
}

bool
picture_write (const char *name, const struct picture *pic, char *error, size_t size)
{
  struct problem to = { name, error, size };
  size_t length = strlen (name);
  const char *ending = length >= 4 ? name + length - 4 : "";
  if (strcmp (ending, ".ppm") == 0)
    return ppm_write (pic, &to);
  if (strcmp (ending, ".png") == 0)
    return png_write (pic, &to);
  return reject (&to, "the name of a picture must end in .ppm or .png");
}
