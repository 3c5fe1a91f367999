/* Part of tests that replace a shared object by another version of it.  */
#include <stdio.h>

/* The file NAME gets what is in LIB-lib.so, or LIB-VERSION-lib.so from version 2 on: a file that is there
   is written over in place.  False: it cannot be.  */
static int
copy_version (const char *lib, int version, const char *name)
{
  char source[60], buf[4096];
  if (version > 1)
    snprintf (source, sizeof (source), "%s-%d-lib.so", lib, version);
  else
    snprintf (source, sizeof (source), "%s-lib.so", lib);
  FILE *from = fopen (source, "r"), *to = fopen (name, "w");
  size_t n;
  if (from == NULL || to == NULL)
    return 0;
  while ((n = fread (buf, 1, sizeof (buf), from)) > 0)
    fwrite (buf, 1, n, to);
  fclose (from);
  return fclose (to) == 0;
}
