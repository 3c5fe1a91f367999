/* aux-fuzz-gcn.c -- fuzz target: the data of an image for AMD GPUs, decoded.
   The input is a version, counts, names, and the code object.  Pointers are good ones, null or odd, and
   sizes at most those of the memory behind them: more than that nobody could check.  */

#include "aux-fuzz.h"
#include "../../plugin/gcn-decode.c"

#include <stdlib.h>

enum { MOST = 6 };

static char *pieces[MOST + 2];
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

/* A table as an image has it: there, not there, or at an odd address.  */
static const void *
place (const void *table, unsigned how)
{
  return how == 255 ? NULL : how == 254 ? (const char *) table + 1 : table;
}

static void
count (const char *name, void *data)
{
  *(size_t *) data += strlen (name);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const char *const devices[]
    = { "gfx900", "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-", "amdgcn-amd-amdhsa--gfx906:xnack+",
	"", "--", "gfx1100:", "gfx9-generic" };
  struct fuzz_input in = { data, data + size };
  struct gcn_function functions[MOST + 2] = { { .name = "_init_array" }, { .name = "_fini_array" } };
  struct image code;
  union { struct old_data old; struct new_data newer; } image;
  struct gomp_image_desc desc = { .kind = GOMP_IMAGE_REGISTERED, .target_type = 8 };
  struct gcn_tables tables;
  char why[GCN_WHY];

  memset (&image, 0xff, sizeof (image));
  desc.lib_version = fuzz_byte (&in) & 7;
  desc.dev_version = fuzz_byte (&in) & 7;
  unsigned num = fuzz_byte (&in) % (MOST + 1), wrong = fuzz_byte (&in), place_functions = fuzz_byte (&in);
  unsigned place_image = fuzz_byte (&in), place_code = fuzz_byte (&in), odd = fuzz_byte (&in) & 7;
  desc.requires_mask = (uint32_t) fuzz_byte (&in) << (wrong & 1 ? 4 : 8);
  desc.num_vars = fuzz_byte (&in);
  desc.num_ind_funcs = fuzz_byte (&in) & 3;
  desc.num_funcs = num;
  for (unsigned i = 0; i < num; i++)
    {
      functions[2 + i].name = take_name (&in);
      functions[2 + i].sgprs = fuzz_byte (&in);
      functions[2 + i].vgprs = (int8_t) fuzz_byte (&in) * 8;
    }
  if ((wrong & 6) == 2)
    functions[0].name = wrong & 0x80 ? NULL : "_init_arra";

  /* The rest is the code object, at any alignment.  */
  size_t left = in.end - in.p;
  char *object = malloc (left + odd + 1);
  memcpy (object + odd, in.p, left);
  code = (struct image) { .size = (wrong & 24) == 8 ? SIZE_MAX - 5 : left,
			  .code = place_code == 255 ? NULL : object + odd };
  if (code.size > left)		/* refused before it is read, as its pointer would wrap */
    code.code = (const void *) (uintptr_t) -16;
  if (desc.lib_version >= 3)
    image.newer = (struct new_data) { .image = place (&code, place_image), .num_functions = num + 2,
				      .functions = place (functions, place_functions),
				      .num_indirect = desc.num_ind_funcs + ((wrong & 96) == 32),
				      .num_vars = desc.num_vars };
  else
    {
      image.old = (struct old_data) { .image = place (&code, place_image), .num_functions = num + 2,
				      .functions = place (functions, place_functions),
				      .num_vars = desc.num_vars };
      desc.num_ind_funcs = 0;
    }
  desc.num_funcs += (wrong & 96) == 64;
  desc.target_data = (wrong & 96) == 96 ? (const char *) &image + 2 : (const char *) &image;

  if (gcn_decode (&desc, &tables, why))
    {
      size_t letters = 0;
      gcn_each_symbol (&tables, count, &letters);
      for (size_t i = 0; i < tables.num_functions; i++)
	(void) gcn_is_host_function (tables.functions[i].name);
      for (size_t i = 0; i < sizeof (devices) / sizeof (devices[0]); i++)
	if (!gcn_runs_on (&tables, devices[i], why)
	    && (strlen (why) == 0 || strlen (why) >= GCN_WHY || strchr (why, '\n') != NULL))
	  abort ();
      if (!gcn_runs_on (&tables, tables.isa, why))
	abort ();
    }
  else if (strlen (why) == 0 || strlen (why) >= GCN_WHY || strchr (why, '\n') != NULL)
    abort ();
  free (object);
  while (num_pieces > 0)
    free (pieces[--num_pieces]);
  return 0;
}
