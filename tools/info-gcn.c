/* info-gcn.c -- the images for AMD GPUs in a program's file.

   What registers one is found as for NVIDIA GPUs (info-image.c): a structure {size, code object}, and one
   that begins with a pointer to it (abi/gcn section 1.1).  With pointers in place of addresses it goes
   to the decoder of the plugin, which checks what it leads to.

   Invariant: what is not laid out as an image with all its names is not printed.  */

#include "libgomp.h"
#include "plugins.h"
#include "target-abi.h"
#include "target.h"
#include "tools/info-image.h"
#include "tools/info-program.h"
#include "plugin/gcn-decode.h"

#include <elf.h>
#include <stdio.h>

enum
{
  MACHINE_AMDGPU = 0xe0,
  TARGET_GCN = 8,
  DATA_SIZE = 28,		/* of the shorter layout, without what fills it up */
  FUNCTION_SIZE = 32,
  OWN_FUNCTIONS = 2,		/* _init_array and _fini_array */
  MAX_FUNCTIONS = 1 << 20
};

struct gcn_image
{
  struct gomp_image_desc desc;
  struct gcn_tables tables;
  char wrong[GCN_WHY];		/* what the decoder says, "": nothing */
  bool has_mask;		/* of GCC 13 and later */
  uint64_t num_functions, num_vars, num_indirect;
  /* What desc.target_data is.  */
  struct { uint64_t size; const void *code; } code;
  struct { const void *image; uint32_t num_functions; struct gcn_function *functions; uint32_t num[2]; } data;
};

/* Is {size, address of a code object} at ADDR?  */
static bool
is_code (const struct info_program *p, uint64_t addr)
{
  uint64_t size = info_word_at (p, addr), code = info_word_at (p, addr + 8);
  Elf64_Ehdr h;

  if (code == 0 || size < sizeof (h) || !info_holds (p, code, size))
    return false;
  memcpy (&h, p->base + code, sizeof (h));
  return memcmp (h.e_ident, ELFMAG, SELFMAG) == 0 && h.e_machine == MACHINE_AMDGPU;
}

/* The functions, with names where they are; false: they are none.  */
static bool
read_functions (const struct info_program *p, uint64_t addr, struct gcn_image *im)
{
  uint32_t n = im->data.num_functions;

  if (n < OWN_FUNCTIONS || n > MAX_FUNCTIONS || !info_holds (p, addr, n * (uint64_t) FUNCTION_SIZE))
    return false;
  for (uint32_t i = 0; i < n; i++)
    if (info_text_at (p, info_word_at (p, addr + i * (uint64_t) FUNCTION_SIZE)) == NULL)
      return false;
  im->data.functions = gomp_calloc (n, sizeof (im->data.functions[0]));
  for (uint32_t i = 0; i < n; i++)
    {
      uint64_t at = addr + i * (uint64_t) FUNCTION_SIZE;
      memcpy (&im->data.functions[i], p->base + at, FUNCTION_SIZE);
      im->data.functions[i].name = info_text_at (p, info_word_at (p, at));
    }
  return true;
}

/* Is the structure whose first pointer is at ADDR an image?  If so, its functions are to be freed.  */
static bool
read_image (const struct info_program *p, uint64_t addr, struct gcn_image *im)
{
  memset (im, 0, sizeof (*im));
  if (!info_holds (p, addr, DATA_SIZE + 4))
    return false;
  uint64_t code = info_word_at (p, addr);
  im->data.num_functions = info_half_at (p, addr + 8);
  if (!read_functions (p, info_word_at (p, addr + 16), im))
    return false;
  im->data.num[0] = info_half_at (p, addr + 24);
  im->data.num[1] = info_half_at (p, addr + 28);
  im->code.size = info_word_at (p, code);
  im->code.code = p->base + info_word_at (p, code + 8);
  im->data.image = &im->code;

  /* Since GCC 13 the word before the first pointer is the requires mask, and says at least that the
     program uses devices.  */
  const uint64_t known = 0x200 | 0x10 | 0x20 | 0x80 | 0x400;
  uint64_t mask = addr >= 8 ? info_word_at (p, addr - 8) : 0;
  im->has_mask = (mask & 0x200) != 0 && (mask & ~known) == 0;
  /* Which of them has a count of indirect functions more is told by the host's tables.  */
  bool has_indirect = (im->has_mask
		       && !(im->data.num[0] == p->num_vars && im->data.num[1] == 0 && p->num_vars > 0));
  im->num_functions = im->data.num_functions - OWN_FUNCTIONS;
  im->num_indirect = has_indirect ? im->data.num[0] : 0;
  im->num_vars = im->data.num[has_indirect];

  im->desc = (struct gomp_image_desc) {
    .kind = GOMP_IMAGE_REGISTERED, .target_type = TARGET_GCN, .target_data = &im->data,
    .lib_version = has_indirect ? 3 : im->has_mask ? 2 : 1, .dev_version = im->has_mask ? 3 : 2,
    .requires_mask = im->has_mask ? mask : 0,
    .num_funcs = im->num_functions, .num_vars = im->num_vars, .num_ind_funcs = im->num_indirect };
  if (!gcn_decode (&im->desc, &im->tables, im->wrong) && im->wrong[0] == 0)
    snprintf (im->wrong, sizeof (im->wrong), "it is damaged");
  return true;
}

static const char *
feature_text (enum gcn_feature f, const char *on, const char *off)
{
  return f == GCN_FEATURE_ON ? on : f == GCN_FEATURE_OFF ? off : "";
}

static void
print_devices (const struct gcn_image *im)
{
  int n = gomp_num_devices ();
  bool any = false;

  for (int i = 0; i < n; i++)
    {
      struct gomp_device *dev = gomp_device_at (i);
      char why[GCN_WHY], isa[sizeof (dev->attr.isa)];
      if (strcmp (dev->ops->name, "gcn") != 0)
	continue;
      any = true;
      /* The processor; its family follows.  */
      snprintf (isa, sizeof (isa), "%s", dev->attr.isa);
      isa[strcspn (isa, ",")] = 0;
      uint32_t mask = im->desc.requires_mask;
      if (!gcn_runs_on (&im->tables, isa, why))
	printf ("    does not run on device %d: %s\n", i, why);
      else if ((mask & (GOMP_REQUIRES_UNIFIED_SHARED_MEMORY | GOMP_REQUIRES_SELF_MAPS))
	       && !(dev->attr.caps & GOMP_CAP_SHARED_MEMORY))
	printf ("    does not run on device %d: it does not share the host's memory\n", i);
      else
	printf ("    runs on: device %d\n", i);
    }
  if (!any)
    puts ("    there is no device here that it is for");
}

static void
print_image (const struct info_program *p, const struct gcn_image *im)
{
  const struct gcn_tables *t = &im->tables;
  uint32_t mask = im->desc.requires_mask & ~(uint32_t) GOMP_REQUIRES_TARGET_USED;
  char clauses[128];

  printf ("  image for AMD GPUs, laid out as by %s: %llu function%s, %llu variable%s",
	  !im->has_mask ? "GCC 12" : im->desc.lib_version == 2 ? "GCC 13" : "GCC 14 or later",
	  (unsigned long long) im->num_functions, info_plural (im->num_functions),
	  (unsigned long long) im->num_vars, info_plural (im->num_vars));
  if (im->num_indirect > 0)
    printf (", %llu indirect function%s", (unsigned long long) im->num_indirect,
	    info_plural (im->num_indirect));
  printf ("\n    code: %llu KiB", (unsigned long long) (im->code.size + 1023) / 1024);
  if (im->wrong[0] == 0)
    printf (" for %s%s%s", t->isa, feature_text (t->xnack, ":xnack+", ":xnack-"),
	    feature_text (t->sramecc, ":sramecc+", ":sramecc-"));
  putchar ('\n');
  if (mask != 0)
    printf ("    requires: %s\n", gomp_requires_text (mask, clauses, sizeof (clauses)));
  for (uint64_t i = 0; i < im->num_functions; i++)
    printf ("    function %s\n", im->data.functions[OWN_FUNCTIONS + i].name);
  if (p->num_funcs + p->num_vars > 0
      && (im->num_functions != p->num_funcs || im->num_vars != p->num_vars))
    puts ("    its tables and the host's do not fit together: it cannot be used");
  if (im->wrong[0] != 0)
    printf ("    it cannot be used: %s\n", im->wrong);
  else
    print_devices (im);
}

unsigned
info_print_gcn (const struct info_program *p)
{
  unsigned count = 0;

  for (unsigned i = 0; i < p->num_parts; i++)
    for (uint64_t addr = p->parts[i].start; addr + DATA_SIZE + 4 <= p->parts[i].end; addr += 8)
      {
	struct gcn_image im;
	uint64_t code = info_word_at (p, addr);
	if (code == 0 || code % 8 != 0 || !info_holds (p, code, 16) || !is_code (p, code)
	    || !read_image (p, addr, &im))
	  continue;
	print_image (p, &im);
	free (im.data.functions);
	count++;
      }
  return count;
}
