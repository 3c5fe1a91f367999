/* aux-fuzz-nvptx.c -- fuzz target: the data of an image for NVIDIA GPUs, decoded and searched for symbols.
   The input is a version, counts, names and texts.  Pointers are good ones, null or odd, and sizes at
   most those of the memory behind them: more than that nobody could check.  */

#include "aux-fuzz.h"
#include "../../plugin/nvptx-decode.c"
#include "../../plugin/nvptx-ptx.c"

#include <stdlib.h>

enum { MOST = 8 };

static char *pieces[4 * MOST];
static unsigned num_pieces;

/* The next N bytes of the input, and a NUL if WITH_END, in memory of exactly that size.  */
static char *
take (struct fuzz_input *in, size_t n, bool with_end)
{
  if (n > (size_t) (in->end - in->p))
    n = in->end - in->p;
  char *piece = malloc (n + with_end + (n + with_end == 0));
  memcpy (piece, in->p, n);
  if (with_end)
    piece[n] = 0;
  in->p += n;
  pieces[num_pieces++] = piece;
  return piece;
}

static const char *
take_name (struct fuzz_input *in)
{
  unsigned how = fuzz_byte (in);
  return how == 0 ? NULL : take (in, how % 64, true);
}

/* A table of COUNT things of SIZE bytes as an image has it: there, not there, or at an odd address.  */
static const void *
place (const void *table, unsigned how)
{
  return how == 255 ? NULL : how == 254 ? (const char *) table + 1 : table;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  struct fuzz_input in = { data, data + size };
  struct nvptx_object objects[MOST + 1];
  struct nvptx_function functions[MOST + 1];
  const char *vars[MOST + 1];
  struct gomp_host_var host_vars[MOST + 2] = { { .size = 4 } };
  struct target_data image;
  struct gomp_image_desc desc = { .kind = GOMP_IMAGE_REGISTERED, .target_type = 5 };
  struct nvptx_tables tables;
  char why[NVPTX_WHY];

  memset (&image, 0xff, sizeof (image));
  desc.lib_version = fuzz_byte (&in) & 7;
  desc.dev_version = fuzz_byte (&in) & 3;
  unsigned nobjects = fuzz_byte (&in) % (MOST + 1), nfunctions = fuzz_byte (&in) % (MOST + 1);
  unsigned nvars = fuzz_byte (&in) % (MOST + 1), wrong = fuzz_byte (&in);

  for (unsigned i = 0; i < nfunctions; i++)
    functions[i] = (struct nvptx_function) { take_name (&in), { 0, 0, 0 } };
  for (unsigned i = 0; i < nvars; i++)
    {
      vars[i] = take_name (&in);
      host_vars[i].is_link = vars[i] != NULL && strchr (vars[i], '$') != NULL;
      host_vars[i].size = i % 5;
    }
  for (unsigned i = 0; i < nobjects; i++)
    {
      size_t n = fuzz_byte (&in) | fuzz_byte (&in) << 8;
      bool with_end = fuzz_byte (&in) & 1;
      const uint8_t *before = in.p;
      objects[i].text = take (&in, n, with_end);
      objects[i].size = in.p - before + with_end;
      unsigned how = fuzz_byte (&in);
      if (how == 255)
	objects[i].text = NULL;
      else if (how < 8 && objects[i].size > how)
	objects[i].size -= how;
      else if (how == 254)
	objects[i].size = SIZE_MAX - 2;
    }
  image.objects = place (objects, fuzz_byte (&in));
  image.num_objects = nobjects;
  image.functions = place (functions, fuzz_byte (&in));
  image.num_functions = nfunctions;
  image.var_names = place (vars, fuzz_byte (&in));
  image.num_vars = nvars;
  if (desc.lib_version >= 3)
    image.num_indirect = fuzz_byte (&in) & 3;
  desc.num_funcs = nfunctions + ((wrong & 3) == 1);
  desc.host_vars = host_vars;
  desc.num_vars = nvars + ((wrong & 12) == 4);
  desc.num_ind_funcs = desc.lib_version >= 3 ? image.num_indirect + ((wrong & 48) == 16) : 0;
  desc.target_data = (wrong & 192) == 64 ? (const char *) &image + 2 : (const char *) &image;

  if (nvptx_decode (&desc, &tables, why))
    {
      struct nvptx_symbols symbols;
      for (size_t i = 0; i < tables.num_functions; i++)
	(void) nvptx_is_host_function (tables.functions[i].name);
      if (nvptx_symbols_find (tables.objects, tables.num_objects, &symbols))
	{
	  for (size_t i = 0; i < symbols.num; i++)
	    if (symbols.all[i].definition
		&& nvptx_symbol_defined (&symbols, symbols.all[i].name, symbols.all[i].length, true)
		   == NULL)
	      abort ();
	  for (size_t i = 0; i <= tables.num_objects; i++)
	    {
	      (void) nvptx_object_mentions (&symbols, i, "vprintf");
	      (void) nvptx_object_prints (&symbols, i);
	    }
	  nvptx_symbols_free (&symbols);
	}
    }
  else if (strlen (why) == 0 || strlen (why) >= NVPTX_WHY || strchr (why, '\n') != NULL)
    abort ();
  while (num_pieces > 0)
    free (pieces[--num_pieces]);
  return 0;
}
