/* aux-fuzz-main.c -- a main for fuzz targets that tries every file named on the command line.  */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
main (int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    {
      FILE *f = fopen (argv[i], "rb");
      long size;
      if (f == NULL || fseek (f, 0, SEEK_END) != 0 || (size = ftell (f)) < 0)
	return printf ("cannot read %s\n", argv[i]), 2;
      rewind (f);
      /* Exactly as long as the input, so that a sanitizer sees what reads on.  */
      uint8_t *data = malloc (size ? size : 1);
      if (fread (data, 1, size, f) != (size_t) size)
	return printf ("cannot read %s\n", argv[i]), 2;
      fclose (f);
      LLVMFuzzerTestOneInput (data, size);
      free (data);
    }
  printf ("%d inputs\n", argc - 1);
  return 0;
}
