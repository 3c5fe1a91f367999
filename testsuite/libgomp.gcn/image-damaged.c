/* Images that contradict themselves or the host's tables are told and left out: their regions run on the
   host (they come when the device is open already), and nothing is read beyond what they have.
   TEST-MODES: gcnsim
   TEST-IMAGE: gcn
   TEST-GPU: fallback
   TEST-EXIT: 1
   TEST-OUTPUT: cannot be loaded, its regions run on the host: it cannot be used: its version is [0-9]+.[0-9]+, known are
   TEST-OUTPUT: it has 0 functions, the host's table 1
   TEST-OUTPUT: it has 2 variables, the host's table 1
   TEST-OUTPUT: it has no code
   TEST-OUTPUT: its code object has 20 bytes
   TEST-OUTPUT: its code object is no ELF file of 64 bits
   TEST-OUTPUT: its code object is for another machine, number 0x3e
   TEST-OUTPUT: its code object is of the kind 64.9, known are
   TEST-OUTPUT: its code object is not linked, but of type 1
   TEST-OUTPUT: its code is for a processor that is not known, number 0xfe
   TEST-OUTPUT: its code object is cut off
   TEST-OUTPUT: segment [0-9]+ of its code object is not in it
   TEST-OUTPUT: its code object has no good table of segments
   TEST-OUTPUT: function 1 is not _fini_array
   TEST-OUTPUT: function 0 has no name
   TEST-OUTPUT: the name of function 0, main, has the character 0x20 in it
   TEST-OUTPUT: function 0 has 1 and -1 registers
   TEST-OUTPUT: its table of functions is not aligned
   TEST-OUTPUT: variable 0 is in a `link' clause on one side only
   TEST-OUTPUT: the image of .* has 1 variables and no table of them
   TEST-OUTPUT: the image of .* has no kernel on_host\._omp_fn\.0  */

#define _GNU_SOURCE
#include "aux-register.h"

int number = 7;
#pragma omp declare target to (number)

static struct aux_image images[40], *image = images;

static struct aux_image *
make (void)
{
  aux_copy (++image);
  return image;
}

/* Where the region runs.  */
static int
on_host (void)
{
  int host = -1;
#pragma omp target map (tofrom: host)
  host = omp_is_initial_device () + 0 * number;
  return host;
}

/* IMAGE is refused.  */
static void
refused (void)
{
  aux_register (image);
  CHECK (on_host ());
  aux_unregister (image);
}

int
main (void)
{
  if (omp_get_num_devices () < 1)
    return 1;
  omp_target_free (omp_target_alloc (8, 0), 0);	/* opens the device */
  make ()->version ^= 0x9;
  refused ();
  make ()->target.data.old.functions--;
  refused ();
  (*aux_vars (make ()))++;
  refused ();
  make ()->target.data.old.code = NULL;
  refused ();
  make ()->code.size = 20;
  refused ();
  aux_header (make ())->e_ident[EI_CLASS] = 1;
  refused ();
  aux_header (make ())->e_machine = EM_X86_64;
  refused ();
  aux_header (make ())->e_ident[EI_ABIVERSION] = 9;
  refused ();
  aux_header (make ())->e_type = 1;
  refused ();
  aux_header (make ())->e_flags |= 0xff;
  aux_header (image)->e_flags--;
  refused ();
  make ()->code.size -= 1000;
  refused ();
  aux_header (make ())->e_shnum = 0;
  image->code.size /= 4;
  refused ();
  aux_header (make ())->e_phoff = UINT64_MAX - 8;
  refused ();
  make ()->functions[1].name = "_fini";
  refused ();
  make ()->functions[2].name = "";
  refused ();
  make ()->functions[2].name = "main x";
  refused ();
  make ()->functions[2].vgprs = -1;
  image->functions[2].sgprs = 1;
  refused ();
  make ()->target.data.old.table = (void *) ((char *) image->functions + 1);
  refused ();
  /* The code object's own tables: the link bit, which the host's has not; no table.  */
  static const void *tables[6];
  static uint64_t pair[2];
  make ();
  memcpy (tables, image->host_table, (image->version >> 16 >= 3 ? 6 : 4) * sizeof (*tables));
  memcpy (pair, tables[2], sizeof (pair));
  pair[1] |= UINT64_C (1) << 63;
  tables[2] = pair;
  tables[3] = pair + 2;
  image->host_table = tables;
  refused ();
  make ();
  aux_rename (image, ".offload_var_table", ".offload_xxx_table");
  refused ();

  /* A kernel that is not there is told when it is launched.  */
  fflush (stdout);
  make ();
  aux_rename (image, "on_host._omp_fn.0.kd", "on_host._omp_fn.0.xx");
  aux_register (image);
  if (failures != 0)
    return 2;
  on_host ();
  return 3;
}
