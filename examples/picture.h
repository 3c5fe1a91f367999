/* picture.h -- colour pictures in files: PPM always, PNG where libpng was found.  */

#ifndef PICTURE_H
#define PICTURE_H 1

#include <stdbool.h>
#include <stddef.h>

#define PICTURE_MAX_SIDE 16384

struct picture
{
  int width, height;
  unsigned char *rgb;		/* height rows of width pixels of red, green and blue */
};

/* Read NAME, whose first bytes tell the format.  False: *PIC is untouched, and ERROR (SIZE bytes)
   says what is wrong.  */
bool picture_read (const char *name, struct picture *pic, char *error, size_t size);

/* Write NAME in the format that its ending asks for, .ppm or .png.  */
bool picture_write (const char *name, const struct picture *pic, char *error, size_t size);

/* True when .png can be written.  */
bool picture_has_png (void);

#endif /* PICTURE_H */
