/* The shared object of image-several.c.  */
#include <stdio.h>
#include <stdlib.h>

int number = 11;
#pragma omp declare target to (number)

int say (void);

int
say (void)
{
  int n = 0;
#pragma omp target map (from: n)
  {
    char *text = malloc (100);
    sprintf (text, "the object says %d", number);
    puts (text);
    free (text);
    n = number++;
  }
  return n;
}
