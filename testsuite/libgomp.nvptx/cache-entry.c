/* The cache of linked images gives back what was stored for exactly the same key, and nothing for any
   other.  A file that is damaged in any byte, too short or too long is not used, and is
   replaced by the next store.  The same holds for who has been told where it is.

   TEST-MODES: host
   TEST-OPTIONS: -I@top_srcdir@/plugin  */

#include "aux-cache.h"

static char whole[4096];
static size_t whole_size;

static void
write_file (const char *path, const char *data, size_t size)
{
  FILE *f = fopen (path, "w");
  CHECK (f != NULL && fwrite (data, 1, size, f) == size && fclose (f) == 0);
}

static void
keys (void)
{
  struct nvptx_object other[3], more[4];
  struct nvptx_cache_key key = test_key;

  key.text = "architecture 8.9\n";
  CHECK (!holds (&key, 1));
  key = test_key;
  key.num_objects = 2;
  CHECK (!holds (&key, 1));
  memcpy (other, test_objects, sizeof (other));
  other[2].text = "// object 3\n";
  key = (struct nvptx_cache_key) { test_key.text, other, 3 };
  CHECK (!holds (&key, 1));
  memcpy (more, test_objects, sizeof (other));
  more[3] = (struct nvptx_object) { "", 1 };
  key = (struct nvptx_cache_key) { test_key.text, more, 4 };
  CHECK (!holds (&key, 1));
  /* Each has its own file.  */
  nvptx_cache_store (&key, content (5), CONTENT);
  CHECK (holds (&key, 5) && holds (&test_key, 1));

  /* A file under another one's name.  */
  char from[PATH_MAX];
  snprintf (from, sizeof (from), "%s", file_of ("cache", &key));
  CHECK (rename (from, file_of ("cache", &test_key)) == 0);
  CHECK (!holds (&key, 5) && !holds (&test_key, 1));
  nvptx_cache_store (&test_key, content (1), CONTENT);
  CHECK (holds (&test_key, 1));
}

/* What is found in PLACE is the contents that are there, or nothing.  */
static bool
takes (const struct nvptx_cache_place *place, unsigned seed)
{
  void *cubin = nvptx_cache_take (place);
  bool found = cubin != NULL;
  CHECK (!found || (place->cubin_size == CONTENT && memcmp (cubin, content (seed), CONTENT) == 0));
  free (cubin);
  return found;
}

/* Who knows where an entry is finds it there, and no other one.  */
static void
places (void)
{
  const struct nvptx_cache_place place = nvptx_cache_place (&test_key, content (1), CONTENT);
  struct nvptx_cache_place other = place;

  CHECK (takes (&place, 1));
  other.cubin_size = 0;
  CHECK (!takes (&other, 1));
  for (size_t i = 0; i < sizeof (place); i++)
    {
      other = place;
      ((unsigned char *) &other)[i] ^= 1;
      CHECK (!takes (&other, 1));
    }
  /* Another result for the same key, and the first one again.  */
  nvptx_cache_store (&test_key, content (7), CONTENT);
  CHECK (!takes (&place, 1));
  nvptx_cache_store (&test_key, content (1), CONTENT);
  CHECK (takes (&place, 1));
}

static void
damage (void)
{
  const char *path = file_of ("cache", &test_key);
  const struct nvptx_cache_place place = nvptx_cache_place (&test_key, content (1), CONTENT);
  FILE *f = fopen (path, "r");
  CHECK (f != NULL);
  whole_size = fread (whole, 1, sizeof (whole), f);
  fclose (f);
  CHECK (whole_size > CONTENT && whole_size < sizeof (whole));

  for (size_t i = 0; i < whole_size; i++)
    {
      whole[i] ^= 1 << i % 8;
      write_file (path, whole, whole_size);
      whole[i] ^= 1 << i % 8;
      if (holds (&test_key, 1))
	{
	  printf ("damage at %zu of %zu is not seen\n", i, whole_size);
	  exit (1);
	}
      /* Its key was compared when the place was learned.  */
      CHECK (takes (&place, 1) == (i >= sizeof (struct header) && i < whole_size - CONTENT));
    }
  for (size_t n = 0; n < whole_size; n += 1 + n / 8)
    {
      write_file (path, whole, n);
      CHECK (!holds (&test_key, 1) && !takes (&place, 1));
    }
  write_file (path, whole, whole_size + 1);
  CHECK (!holds (&test_key, 1) && !takes (&place, 1));

  nvptx_cache_store (&test_key, content (2), CONTENT);
  CHECK (holds (&test_key, 2));
}

int
main (void)
{
  use_directory ("cache");
  CHECK (!holds (&test_key, 1));
  CHECK (access ("cache", F_OK) != 0);	/* looking makes nothing */
  nvptx_cache_store (&test_key, content (1), CONTENT);
  CHECK (holds (&test_key, 1));
  CHECK (count_files ("cache", NEW_PREFIX) == 0);
  keys ();
  places ();
  damage ();
  return 0;
}
