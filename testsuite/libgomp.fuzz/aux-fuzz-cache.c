/* aux-fuzz-cache.c -- fuzz target: a file in the cache of linked images.  The first byte says which of the
   file's hashes are made right again, so that what is behind them is reached.  What is found is exactly
   what the file's header promises and its hash covers.  */

#include "aux-fuzz.h"
#include "../../plugin/nvptx-cache.c"

static char directory[] = "/tmp/gompx-fuzz-XXXXXX";

static const char *
fuzz_getenv (const char *name, bool file_name)
{
  (void) file_name;
  return strcmp (name, "GOMP_CACHE_DIR") == 0 ? directory : NULL;
}

static void __attribute__ ((format (printf, 1, 2)))
fuzz_set_error (const char *fmt, ...)
{
  (void) fmt;
}

static void __attribute__ ((format (printf, 2, 3)))
fuzz_debug (int level, const char *fmt, ...)
{
  (void) level;
  (void) fmt;
}

static const struct gomp_plugin_core fuzz_core
  = { .getenv = fuzz_getenv, .set_error = fuzz_set_error, .debug = fuzz_debug };

static char path[PATH_MAX];

static void
clean_up (void)
{
  unlink (path);
  rmdir (directory);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const struct nvptx_object objects[] = { { ".version 6.0\n", 14 }, { "", 1 } };
  static const struct nvptx_cache_key key = { "key\n", objects, 2 };
  struct digest d;
  void *cubin;
  size_t found;

  digest_key (&key, &d);
  if (path[0] == 0)
    {
      if (mkdtemp (directory) == NULL)
	abort ();
      snprintf (path, sizeof (path), "%s/%s", directory, d.name);
      nvptx_cache_init (&fuzz_core);
      atexit (clean_up);
    }
  if (size == 0)
    return 0;
  unsigned mend = *data++;
  size--;
  unsigned char *file = malloc (size + 1);
  memcpy (file, data, size);
  if (size >= sizeof (struct header))
    {
      struct header h;
      memcpy (&h, file, sizeof (h));
      size_t rest = size - sizeof (h);
      if (mend & 1)
	{
	  h.key_size = d.size;
	  h.key_hash = d.hash;
	}
      if ((mend & 2) && rest >= d.size)
	{
	  char *p = (char *) file + sizeof (h);
	  memcpy (p, key.text, strlen (key.text) + 1);
	  p += strlen (key.text) + 1;
	  for (size_t i = 0; i < key.num_objects; p += key.objects[i++].size)
	    memcpy (p, key.objects[i].text, key.objects[i].size);
	}
      if ((mend & 4) && rest >= h.key_size && h.cubin_size <= rest - h.key_size)
	h.cubin_hash = hash (0, file + sizeof (h) + h.key_size, h.cubin_size);
      if (mend & 8)
	h.header_hash = hash (0, &h, offsetof (struct header, header_hash));
      memcpy (file, &h, sizeof (h));
    }
  FILE *f = fopen (path, "w");
  if (f == NULL || fwrite (file, 1, size, f) != size || fclose (f) != 0)
    abort ();
  if (nvptx_cache_find (&key, &cubin, &found))
    {
      if (found == 0 || found != size - sizeof (struct header) - d.size
	  || memcmp (cubin, file + size - found, found) != 0)
	abort ();
      free (cubin);
    }
  /* Somebody has been told that this is there.  */
  if (size >= sizeof (struct header))
    {
      struct header h;
      memcpy (&h, file, sizeof (h));
      const struct nvptx_cache_place place = { d.hash, d.size, h.cubin_hash, h.cubin_size };
      cubin = nvptx_cache_take (&place);
      if (cubin != NULL && (h.cubin_size != size - sizeof (h) - d.size
			    || memcmp (cubin, file + size - h.cubin_size, h.cubin_size) != 0))
	abort ();
      free (cubin);
    }
  free (file);
  return 0;
}
