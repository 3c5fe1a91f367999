/* PTX with random damage is read as something or refused, and what is read is printed so that the same is
   read again.  The texts are the fuzz target's; the damage is a byte, a copy of a piece or a piece
   less.

   TEST-MODES: host
   TEST-OPTIONS: -D_GNU_SOURCE -I@top_srcdir@/plugin  */

#include "aux-read.h"

#include <dirent.h>

static uint64_t state = 1;

static uint32_t
random_below (uint32_t n)
{
  state = state * UINT64_C (6364136223846793005) + UINT64_C (1442695040888963407);
  return (uint32_t) (state >> 33) % n;
}

/* One more damage to TEXT, which has room for twice its SIZE and more.  */
static size_t
damage (char *text, size_t size)
{
  static const char bytes[] = "{}()[]<>;:,.%$@!|+-=\"/* \n_0123456789abcdefrux";
  size_t at = random_below ((uint32_t) size), rest = size - at;
  size_t n = 1 + random_below (rest < 40 ? (uint32_t) rest : 40);
  char piece[40];
  switch (random_below (4))
    {
    case 0:
      text[at] = bytes[random_below (sizeof (bytes))];
      return size;
    case 1:
      text[at] ^= (char) (1 << random_below (8));
      return size;
    case 2:
      memmove (text + at, text + at + n, rest - n);
      return size - n > 0 ? size - n : size;
    default:
      n = n < size / 2 ? n : 1;
      memcpy (piece, text + random_below ((uint32_t) (size - n)), n);
      memmove (text + at + n, text + at, rest);
      memcpy (text + at, piece, n);
      return size + n;
    }
}

static unsigned num_read, num_refused;

static void
try_text (const char *text, size_t size)
{
  for (int i = 0; i < 200; i++)
    {
      char *work = malloc (size + 40 * 8);
      size_t n = size;
      memcpy (work, text, size);
      for (uint32_t k = 1 + random_below (8) / 6; k > 0; k--)
	n = damage (work, n);
      char *exact = malloc (n);
      memcpy (exact, work, n);
      free (work);
      if (read_anything (exact, n))
	num_read++;
      else
	num_refused++;
      free (exact);
    }
}

int
main (void)
{
  const char *tests = getenv ("TEST_SRCDIR");
  char name[4096];
  snprintf (name, sizeof (name), "%s/libgomp.fuzz/corpus/ptx", tests != NULL ? tests : "..");
  DIR *dir = opendir (name);
  CHECK (dir != NULL);
  for (const struct dirent *entry; (entry = readdir (dir)) != NULL; )
    {
      if (entry->d_name[0] == '.')
	continue;
      snprintf (name, sizeof (name), "%s/libgomp.fuzz/corpus/ptx/%s", tests != NULL ? tests : "..",
		entry->d_name);
      FILE *file = fopen (name, "r");
      static char text[100000];
      size_t size = file != NULL ? fread (text, 1, sizeof (text), file) : 0;
      CHECK (size > 0);
      fclose (file);
      try_text (text, size);
    }
  closedir (dir);
  fprintf (stderr, "%u read, %u refused\n", num_read, num_refused);
  CHECK (num_read > 20 && num_refused > 200);
  return 0;
}
