/* ptx-run.c -- runs a kernel of PTX texts by hand, or only looks whether all functions can be decoded.

   ptx-run [-a] [-k KERNEL] [-g GRID] [-b X[,Y[,Z]]] [-s SHARED] [-t TIMES] FILE... [-- ARGUMENT...]

   FILE is a text or an archive of texts.  Arguments: a number (8 bytes), or mN: the address of a buffer of N
   bytes, all 0, whose first 32-bit words are shown at the end.  -a decodes all functions.  -t: run it so often.  */

#include "ptx-sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAX_TEXTS = 4096, MAX_ARGUMENTS = 64 };
#define MEMORY (UINT64_C (256) << 20)

static char *memory;
static uint8_t *shadow;
static uint64_t used = 4096;

static bool
find (void *user, uint64_t addr, struct psim_range *out)
{
  (void) user;
  if (addr - (uint64_t) (uintptr_t) memory >= MEMORY)
    return false;
  *out = (struct psim_range) { .start = (uint64_t) (uintptr_t) memory, .size = MEMORY, .view = memory,
			       .shadow = shadow };
  return true;
}

static uint64_t
take (size_t size, size_t align)
{
  used = (used + align - 1) / align * align;
  uint64_t at = used;
  used += size;
  if (used > MEMORY)
    {
      fprintf (stderr, "ptx-run: no more memory\n");
      exit (2);
    }
  return (uint64_t) (uintptr_t) memory + at;
}

static struct psim_text texts[MAX_TEXTS];
static unsigned n_texts;

static void
add_text (const char *name, const char *text, size_t size, bool library)
{
  if (n_texts == MAX_TEXTS)
    {
      fprintf (stderr, "ptx-run: too many texts\n");
      exit (2);
    }
  texts[n_texts++] = (struct psim_text) { .name = name, .text = text, .size = size, .library = library };
}

/* The members of an archive: 60 bytes of header, then the text.  */
static void
add_archive (const char *data, size_t size)
{
  for (size_t at = 8; at + 60 <= size; )
    {
      char number[11] = { 0 };
      memcpy (number, data + at + 48, 10);
      size_t length = strtoul (number, NULL, 10);
      if (length > size - at - 60)
	break;
      if (data[at] != '/')
	{
	  size_t n = strcspn (data + at, "/ ");
	  add_text (strndup (data + at, n < 16 ? n : 16), data + at + 60, length, true);
	}
      else if (data[at + 1] >= '0' && data[at + 1] <= '9')
	add_text ("a member", data + at + 60, length, true);
      at += 60 + length + (length & 1);
    }
}

static void
add_file (const char *name)
{
  FILE *f = fopen (name, "r");
  if (f == NULL)
    {
      perror (name);
      exit (2);
    }
  fseek (f, 0, SEEK_END);
  size_t size = (size_t) ftell (f);
  rewind (f);
  char *data = malloc (size + 1);
  if (data == NULL || fread (data, 1, size, f) != size)
    {
      perror (name);
      exit (2);
    }
  data[size] = '\0';
  fclose (f);
  if (size >= 8 && memcmp (data, "!<arch>\n", 8) == 0)
    add_archive (data, size);
  else
    add_text (name, data, size, false);
}

static void
tell (void *user, const char *name, const char *why)
{
  (*(unsigned *) user)++;
  printf ("%s: %s\n", name, why);
}

static void
numbers (const char *text, unsigned *out)
{
  char *end;
  for (unsigned i = 0; i < 3; i++)
    {
      out[i] = (unsigned) strtoul (text, &end, 0);
      if (*end != ',')
	return;
      text = end + 1;
    }
}

int
main (int argc, char **argv)
{
  const char *kernel = NULL;
  bool all = false;
  unsigned times = 1;
  struct psim_launch launch = { .grid = { 1, 1, 1 }, .block = { 32, 1, 1 }, .environment = true };
  int option;
  char why[500];
  while ((option = getopt (argc, argv, "+ak:g:b:s:t:")) != -1)
    switch (option)
      {
      case 'a': all = true; break;
      case 'k': kernel = optarg; break;
      case 'g': numbers (optarg, launch.grid); break;
      case 'b': numbers (optarg, launch.block); break;
      case 's': launch.dynamic_shared = strtoul (optarg, NULL, 0); break;
      case 't': times = (unsigned) strtoul (optarg, NULL, 0); break;
      default: return 2;
      }
  for (; optind < argc && strcmp (argv[optind], "--") != 0; optind++)
    add_file (argv[optind]);

  memory = mmap (NULL, 2 * MEMORY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return 2;
  shadow = (uint8_t *) memory + MEMORY;
  const struct psim_memory space = { .find = find };
  struct psim_program *p = psim_link (texts, n_texts, why, sizeof (why));
  if (p == NULL)
    {
      printf ("%s\n", why);
      return 1;
    }
  const struct psim_variable *v;
  for (unsigned i = 0; (v = psim_variable (p, i)) != NULL; i++)
    psim_place (p, i, take (v->size, v->align));
  if (!psim_load (p, &space, why, sizeof (why)))
    {
      printf ("%s\n", why);
      psim_free (p);
      return 1;
    }
  if (all)
    {
      unsigned bad = 0, good = psim_decode_all (p, tell, &bad);
      printf ("%u texts, %u functions decoded, %u not\n", n_texts, good, bad);
      psim_free (p);
      return bad != 0;
    }
  launch.kernel = kernel != NULL ? psim_kernel (p, kernel) : psim_kernel_at (p, 0);
  if (launch.kernel == NULL)
    {
      printf ("no such kernel\n");
      psim_free (p);
      return 1;
    }
  struct psim_kernel_info info;
  psim_kernel_info (launch.kernel, &info);
  uint64_t values[MAX_ARGUMENTS] = { 0 };
  size_t shown[MAX_ARGUMENTS] = { 0 };
  unsigned n = 0;
  for (int i = optind + 1; i < argc && n < MAX_ARGUMENTS; i++, n++)
    if (argv[i][0] == 'm')
      {
	shown[n] = strtoul (argv[i] + 1, NULL, 0);
	values[n] = take (shown[n], 256);
	memset (shadow + (values[n] - (uint64_t) (uintptr_t) memory), 1, shown[n]);
      }
    else
      values[n] = strtoull (argv[i], NULL, 0);
  unsigned char *buffer = calloc (1, info.param_bytes + 8);
  for (unsigned i = 0; i < info.params && i < n && buffer != NULL; i++)
    {
      size_t offset, size;
      if (psim_kernel_param (launch.kernel, i, &offset, &size))
	memcpy (buffer + offset, &values[i], size < 8 ? size : 8);
    }
  launch.params = buffer;
  launch.memory = &space;
  enum psim_result result = PSIM_DONE;
  for (unsigned i = 0; i < times && result == PSIM_DONE; i++)
    result = psim_launch (&launch);
  printf ("%s: %s\n%s", info.name, psim_result_name (result), launch.report != NULL ? launch.report : "");
  printf ("%lu instructions of warps, %lu of lanes\n", (unsigned long) launch.counts.warp,
	  (unsigned long) launch.counts.lane);
  for (unsigned i = 0; i < n; i++)
    {
      const char *bytes = (const char *) (uintptr_t) values[i];
      for (size_t at = 0; at + 4 <= shown[i] && at < 64; at += 4)
	{
	  uint32_t word;
	  memcpy (&word, bytes + at, 4);
	  if (at == 0)
	    printf ("argument %u:", i);
	  printf ("%s%08x", at % 32 == 0 ? "\n  " : " ", word);
	}
    }
  printf ("\n");
  free (buffer);
  free (launch.report);
  psim_free (p);
  return result != PSIM_DONE;
}
