/* Host part of lanes-library.sh: executes the kernel of aux-lane-region.c on the simulator, with teams of all kinds of sizes, and
   checks what its lanes have written.  Arguments: PTX texts.  */

#include "ptx-sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 8 << 20, OUT = 4096, WORDS = 512, STACK = 64 << 10, MOST_WARPS = 4, MOST_BLOCKS = 2 };
static const uint64_t base = UINT64_C (0x7000000000);
static char *arena;
static size_t used = 256;
static int failures;

static bool
find (void *user, uint64_t address, struct psim_range *out)
{
  (void) user;
  if (address < base || address >= base + SIZE)
    return false;
  *out = (struct psim_range) { .start = base, .size = SIZE, .view = arena };
  return true;
}

static uint64_t
take (size_t size)
{
  size_t at = used;
  used += (size + 255) / 256 * 256;
  if (used > SIZE)
    abort ();
  return base + at;
}

static void *
view (uint64_t address)
{
  return arena + (address - base);
}

static struct psim_text
text_of (const char *name)
{
  FILE *f = fopen (name, "r");
  size_t room = 4 << 20, size = 0;
  char *text = malloc (room);
  if (f == NULL || text == NULL || (size = fread (text, 1, room, f)) == room)
    {
      printf ("%s: not to be read\n", name);
      exit (1);
    }
  fclose (f);
  return (struct psim_text) { .name = name, .text = text, .size = size };
}

int
main (int argc, char **argv)
{
  struct psim_text texts[64];
  struct psim_memory memory = { .find = find };
  char why[1000] = "";
  unsigned num = 0;
  for (int i = 1; i < argc && num < 64; i++)
    texts[num++] = text_of (argv[i]);
  arena = calloc (1, SIZE);
  struct psim_program *program = psim_link (texts, num, why, sizeof why);
  const struct psim_variable *v;
  for (unsigned i = 0; program != NULL && (v = psim_variable (program, i)) != NULL; i++)
    psim_place (program, i, take (v->size));
  if (program == NULL || !psim_load (program, &memory, why, sizeof why))
    {
      printf ("%s\n", why);
      return 1;
    }
  uint64_t out_at = take (OUT * 4), words_at = take (WORDS * 4), job_at = take (64);
  uint64_t stacks = take (STACK * MOST_WARPS * MOST_BLOCKS);
  unsigned *out = view (out_at), *words = view (words_at);
  unsigned shown = 0;

  /* Threads asked for; 0: all.  Of each team size one that fills its last warp and others.  */
  static const int sizes[] = { 0, 1, 5, 33, 1000 };
  for (unsigned random = 0; random < 2; random++)
    for (unsigned warps = 1; warps <= MOST_WARPS; warps += warps == 2 ? 2 : 1)
      for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
	for (int what = 1; what <= 8; what++)
	  {
	    int most = 32 * warps, n = sizes[s], extra = s % 2 == 0, times = 1 + extra;
	    int want = n == 0 || n > most ? most : n;
	    unsigned blocks = what == 5 ? 2 : 1;
	    if ((what == 5 && want > 5) || (what == 3 && want > 64))
	      continue;		/* long, and no different */
	    memset (out, 0, OUT * 4);
	    memset (words, 0, WORDS * 4);
	    uint64_t job[] = { what, n, what >= 7 ? 0 : extra, out_at, words_at };
	    if (what >= 7)
	      times = 1;
	    memcpy (view (job_at), job, sizeof job);
	    uint64_t params[3] = { job_at, stacks, STACK };
	    struct psim_launch launch = {
	      .kernel = psim_kernel (program, "kernel"), .grid = { blocks, 1, 1 }, .block = { 32, warps, 1 },
	      .params = params, .memory = &memory, .threads = 1, .budget = 100000000,
	      .order = random ? PSIM_RANDOM : PSIM_IN_ORDER, .seed = 1 + s
	    };
	    enum psim_result result = psim_launch (&launch);
	    if (result != PSIM_DONE)
	      {
		printf ("case %d, %d threads, %u warps: %s\n", what, n, warps, launch.report ? launch.report : "");
		return 1;
	      }
#define CHECK(condition)							\
  do										\
    if (!(condition) && (failures++, shown++ < 20))				\
      printf ("case %d, %d threads, %u warps: not " #condition "\n", what, n, warps); \
  while (0)
	    CHECK (words[0] == 0);
	    CHECK ((int) words[10] == most && (int) words[11] == most);	/* omp_get_max_threads, limit */
	    CHECK (words[8] == warps);	/* the region of warp mode behind it */
	    if (want == 1)
	      {
		/* Regions of one thread are of warp mode.  */
		CHECK (out[0] == 0 && (blocks > 1 || (int) words[9] == 2 * times));
		continue;
	      }
	    CHECK (blocks > 1 || (int) words[9] == times);
	    for (int i = 0; i < want; i++)
	      {
		CHECK (what != 1 || (int) out[i] == want);
		CHECK (what != 6 || out[i] == 1);
	      }
	    CHECK (what != 1 || out[want] == 0);
	    for (int i = 0; i < 300; i++)
	      CHECK ((what != 3 || (int) out[i] == 35 * times) && (what != 7 || out[i] == 1));
	    for (int i = 0; i < 10; i++)
	      CHECK (what != 4 || (int) out[i] == times);
	    for (int i = 21; i < 26; i++)
	      CHECK (what != 4 || (int) out[i] == 10 * times);
	    CHECK (what != 4 || out[26] == 0);
	    for (int i = 1; i <= 6; i++)
	      CHECK (what != 5 || words[i] == 3u * want * times * blocks);
	    CHECK (what != 7 || words[1] == 1);
	    for (int i = 1; i <= 9; i++)
	      CHECK (what != 8 || out[i] == 1);
	    CHECK (what != 8 || out[10] == 0);
	  }
  psim_free (program);
  return failures != 0;
}
