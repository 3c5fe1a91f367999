/* aux-lanes.c -- what the lanes analysis says of an image, for scripts.

     aux-lanes IMAGE [-n] [-o PREFIX | -t] [LIBRARY-OBJECT...]

   IMAGE has an image's PTX objects, with zeros between them.  Without objects of a library there are empty functions
   in its place.  Prints a line for each region: its name, `as-is', `lanes' or `warp', the bytes of local
   variables and the reason; or `stride', or the reason why not; with -n (and -o) `nest' behind it if an inner loop is shared out to lanes, or
   the reason why not.  -o: rewrite, and write the objects to PREFIX0.ptx,
   PREFIX1.ptx, ...  -t: analyse and rewrite several times, with what nvptx-texts.c does to the text afterwards, and print the
   least processor time, in microseconds, and that of the first time, and nothing else.  GOMP_NVPTX_LANES_BLOCKS=off is as there.  */

#include "nvptx-inline.h"
#include "nvptx-lanes.h"
#include "nvptx-stream.h"
#include "lanes-abi.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static unsigned
flags (void)
{
  const char *blocks = getenv ("GOMP_NVPTX_LANES_BLOCKS");
  return NVPTX_LANES_STRIDE | NVPTX_LANES_NEST | NVPTX_LANES_RECURSION | NVPTX_LANES_FLUSHES | (blocks == NULL || strcmp (blocks, "off") != 0 ? NVPTX_LANES_BLOCKS : 0);
}

static char *
read_file (const char *name, size_t *size)
{
  FILE *f = fopen (name, "r");
  char *text = NULL;
  size_t room = 0, n;
  *size = 0;
  if (f == NULL)
    {
      perror (name);
      exit (1);
    }
  do
    {
      text = realloc (text, (room += 1 << 20) + 1);
      if (text == NULL)
	abort ();
      n = fread (text + *size, 1, room - *size, f);
      *size += n;
    }
  while (n > 0);
  fclose (f);
  text[*size] = 0;
  return text;
}

#define STUB(name) \
  "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_" #name "\n.visible .func gompx_lanes_" #name " { ret; }\n"
#define STUB_CALL(name, record) STUB (name)
static const char stubs[] =
  "// BEGIN PREAMBLE\n.version 6.3\n.target sm_70\n.address_size 64\n// END PREAMBLE\n"
  STUB (main) GOMPX_LANES_STARTERS (STUB) GOMPX_LANES_CALLS (STUB_CALL);

/* All that is done to the objects' texts.  False: something is missing.  */
static bool
change_texts (const struct nvptx_object *objects, size_t num, size_t num_ours, const struct nvptx_symbols *symbols)
{
  struct nvptx_lanes lanes;
  struct nvptx_inlines small;
  struct nvptx_object streaming = { .size = 0 }, inlined = { .size = 0 }, with_copies = { .size = 0 },
		      in_registers = { .size = 0 }, divided = { .size = 0 };

  bool good = nvptx_inline_find (symbols, num_ours, &small)
	      && nvptx_lanes_analyse (objects, num, num_ours, flags () | NVPTX_LANES_REWRITE, &lanes)
	      && lanes.objects != NULL;
  if (good)
    good = nvptx_stream_loads (&lanes.objects[0], &streaming)
	   && nvptx_inline_calls (&small, streaming.text != NULL ? &streaming : &lanes.objects[0], &inlined)
	   && inlined.text != NULL && nvptx_inline_copies (&inlined, &with_copies)
	   && nvptx_frames_in_registers (with_copies.text != NULL ? &with_copies : &inlined, &in_registers)
	   && nvptx_divide_by_constants (in_registers.text != NULL ? &in_registers
					 : with_copies.text != NULL ? &with_copies : &inlined, &divided);
  nvptx_inline_free (&small);
  if (good)
    nvptx_lanes_free (&lanes);
  free ((char *) streaming.text);
  free ((char *) inlined.text);
  free ((char *) with_copies.text);
  free ((char *) in_registers.text);
  free ((char *) divided.text);
  return good;
}

/* Microseconds of processor time of the first time in this process, and the least of TIMES, with what comes back freed.  */
static bool
print_times (const struct nvptx_object *objects, size_t num, size_t num_ours, int times)
{
  struct nvptx_object linked[256] = { objects[0] };	/* without the image's own library */
  struct nvptx_symbols symbols;
  long first = -1, least = -1;

  memcpy (linked + 1, objects + num - num_ours, num_ours * sizeof (*objects));
  if (!nvptx_symbols_find (linked, num_ours + 1, &symbols))
    return false;
  while (times-- > 0)
    {
      struct timespec begin, end;
      clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &begin);
      if (!change_texts (objects, num, num_ours, &symbols))
	return false;
      clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &end);
      long us = (end.tv_sec - begin.tv_sec) * 1000000 + (end.tv_nsec - begin.tv_nsec) / 1000;
      if (first < 0)
	first = least = us;
      else if (us < least)
	least = us;
    }
  nvptx_symbols_free (&symbols);
  printf ("%ld %ld\n", least, first);
  return true;
}

int
main (int argc, char **argv)
{
  static struct nvptx_object objects[256];
  static const char *const verdicts[] = { "warp", "as-is", "lanes" };
  const char *prefix = NULL;
  bool timed = false, nests = false;
  char *texts[256];
  size_t num = 0, num_ours = 0, num_texts = 0, size;
  struct nvptx_lanes lanes;

  if (argc < 2)
    return 2;
  char *image = texts[num_texts++] = read_file (argv[1], &size);
  for (char *p = image; p < image + size && num < 128; p += strlen (p) + 1)
    if (strstr (p, ".version") != NULL)
      objects[num++] = (struct nvptx_object) { p, strlen (p) + 1 };
  for (int i = 2; i < argc && num < 256; i++)
    if (strcmp (argv[i], "-o") == 0 && i + 1 < argc)
      prefix = argv[++i];
    else if (strcmp (argv[i], "-t") == 0)
      timed = true;
    else if (strcmp (argv[i], "-n") == 0)
      nests = true;
    else
      {
	texts[num_texts] = read_file (argv[i], &size);
	objects[num++] = (struct nvptx_object) { texts[num_texts++], size + 1 };
	num_ours++;
      }
  if (num_ours == 0)
    {
      objects[num++] = (struct nvptx_object) { stubs, sizeof (stubs) };
      num_ours = 1;
    }
  if (timed)
    return !print_times (objects, num, num_ours, 9);
  if (!nvptx_lanes_analyse (objects, num, num_ours, flags () | (prefix != NULL ? NVPTX_LANES_REWRITE : 0), &lanes))
    {
      puts ("out of memory");
      return 1;
    }
  if (lanes.why[0] != 0)
    printf ("failed: %s\n", lanes.why);
  for (size_t i = 0; i < lanes.num_regions; i++)
    printf ("%s %s %u %s%s%s%s%s\n", lanes.regions[i].name, verdicts[lanes.regions[i].verdict],
	    lanes.regions[i].local_bytes, lanes.regions[i].warps ? "without the library: " : "", lanes.regions[i].stride ? "stride" : lanes.regions[i].why,
	    lanes.regions[i].why_no_stride != NULL ? lanes.regions[i].why_no_stride : "",
	    nests && lanes.regions[i].nest ? " nest" : nests && lanes.regions[i].why_no_nest != NULL ? "; " : "",
	    nests && !lanes.regions[i].nest && lanes.regions[i].why_no_nest != NULL ? lanes.regions[i].why_no_nest : "");
  if (prefix != NULL && lanes.stack.share > 0)
    printf ("share %u\n", lanes.stack.share);
  if (prefix != NULL)
    printf ("kernels %zu clones %zu direct %zu warps %zu\n", lanes.num_kernels, lanes.num_clones, lanes.num_direct,
	    lanes.num_warps);
  for (size_t i = 0; lanes.objects != NULL && i < num; i++)
    {
      char name[1000];
      snprintf (name, sizeof (name), "%s%zu.ptx", prefix, i);
      FILE *f = fopen (name, "w");
      if (f == NULL || fputs (lanes.objects[i].text, f) < 0 || fclose (f) != 0)
	{
	  perror (name);
	  return 1;
	}
    }
  nvptx_lanes_free (&lanes);
  while (num_texts > 0)
    free (texts[--num_texts]);
  return 0;
}
