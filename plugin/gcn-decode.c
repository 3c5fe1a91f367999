/* gcn-decode.c -- decoding the data of a registered gcn image.

   mkoffload lays it out in one of two ways, by the version of the compiler (abi/gcn section 1.1).  The
   core has taken the word in front that only the newer one has, so that what remains begins alike.  It
   leads to an ELF file, the code object, that the HSA runtime is going to load and relocate.

   An image is untrusted: it is part of a module that anybody may have made.  What can be checked without
   knowing the extent of the memory is: alignments, null pointers, counts against the host's tables,
   names that are identifiers, and of the code object all that says how much of it is read and where that goes.
   Decoding copies nothing.  Of a module that may be closed all that was accepted is copied (gcn_copy_data), and
   that is decoded in its place.

   Which devices run the code: the ELF header names a processor, or a family of them (a generic
   target), and how the code wants two features that a device may have turned on or off.

   Invariant: what gcn_decode accepts can be used without any other test.  */

#include "gcn-decode.h"

#include <elf.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct image
{
  uint64_t size;
  const void *code;
};

/* The data behind the requires mask: as GCC 12 has it, and with a count more.  */
struct old_data
{
  const struct image *image;
  uint32_t num_functions;
  const struct gcn_function *functions;
  uint32_t num_vars;
};

struct new_data
{
  const struct image *image;
  uint32_t num_functions;
  const struct gcn_function *functions;
  uint32_t num_indirect;
  uint32_t num_vars;
};

_Static_assert (sizeof (struct gcn_function) == 32 && offsetof (struct old_data, num_vars) == 24
		&& offsetof (struct new_data, num_vars) == 28, "the layout of images");

enum
{
  MAX_NAME = 1 << 16,
  CODE_ALIGN = 16,		/* of a copied code object, for the runtime */
  SHOWN_NAME = 60,		/* characters of a bad name in a message */
  MAX_REGISTERS = 1024,
  INDIRECT_VERSION = 3,		/* GCC 14: has num_indirect */
  /* What images begin their functions with, which the host's table does not have.  */
  OWN_FUNCTIONS = 2,
  /* Bits of the requires mask: abi/gcn section 1.1.  */
  KNOWN_REQUIRES = 0x10 | 0x20 | 0x80 | 0x200 | 0x400
};

/* Of ELF headers.  */
enum
{
  MACHINE_AMDGPU = 0xe0,
  OSABI_HSA = 0x40,
  ABI_V3 = 1,			/* GCC 12's for gfx803: flags have the processor only */
  ABI_V6 = 4,			/* generic targets */
  FLAGS_PROCESSOR = 0xff,
  XNACK_SHIFT = 8,
  SRAMECC_SHIFT = 10,
  GENERIC_SHIFT = 24,
  GENERIC_VERSION = 1,		/* the newest that GCC knows */
  MAX_SEGMENTS = 64
};
/* No device has more memory.  */
#define MAX_EXTENT (UINT64_C (1) << 40)

/* ---- processors ---- */

static const struct processor
{
  unsigned char number, family;	/* family: of the generic target that runs on it, or 0 */
  const char *name;
} processors[] =
{
  { 0x2a, 0, "gfx803" },
  { 0x2c, 0x51, "gfx900" }, { 0x2d, 0x51, "gfx902" }, { 0x2e, 0x51, "gfx904" },
  { 0x2f, 0x51, "gfx906" }, { 0x30, 0, "gfx908" }, { 0x31, 0x51, "gfx909" },
  { 0x32, 0x51, "gfx90c" }, { 0x3f, 0, "gfx90a" }, { 0x4c, 0x5f, "gfx942" },
  { 0x4f, 0x5f, "gfx950" },
  { 0x36, 0x53, "gfx1030" }, { 0x37, 0x53, "gfx1031" }, { 0x38, 0x53, "gfx1032" },
  { 0x39, 0x53, "gfx1033" }, { 0x3e, 0x53, "gfx1034" }, { 0x3d, 0x53, "gfx1035" },
  { 0x45, 0x53, "gfx1036" },
  { 0x41, 0x54, "gfx1100" }, { 0x46, 0x54, "gfx1101" }, { 0x47, 0x54, "gfx1102" },
  { 0x44, 0x54, "gfx1103" }, { 0x43, 0x54, "gfx1150" }, { 0x4a, 0x54, "gfx1151" },
  { 0x55, 0x54, "gfx1152" }, { 0x58, 0x54, "gfx1153" },
  { 0x51, 0, "gfx9-generic" }, { 0x5f, 0, "gfx9-4-generic" }, { 0x53, 0, "gfx10-3-generic" },
  { 0x54, 0, "gfx11-generic" }
};
enum { NUM_PROCESSORS = sizeof (processors) / sizeof (processors[0]) };

static const struct processor *
processor_by_number (unsigned number)
{
  for (unsigned i = 0; i < NUM_PROCESSORS; i++)
    if (processors[i].number == number)
      return &processors[i];
  return NULL;
}

static const struct processor *
processor_by_name (const char *name, size_t length)
{
  for (unsigned i = 0; i < NUM_PROCESSORS; i++)
    if (strlen (processors[i].name) == length && memcmp (processors[i].name, name, length) == 0)
      return &processors[i];
  return NULL;
}

static bool
is_generic (const struct processor *p)
{
  for (unsigned i = 0; i < NUM_PROCESSORS; i++)
    if (processors[i].family == p->number)
      return true;
  return false;
}

/* ---- small checks ---- */

static bool __attribute__ ((format (printf, 2, 3)))
refuse (char why[GCN_WHY], const char *fmt, ...)
{
  va_list args;
  va_start (args, fmt);
  vsnprintf (why, GCN_WHY, fmt, args);
  va_end (args);
  return false;
}

static bool
is_aligned (const void *p, size_t align)
{
  return p != NULL && (uintptr_t) p % align == 0;
}

static bool
is_table (const void *p, size_t align, size_t count, size_t size)
{
  return count == 0 || (is_aligned (p, align) && (uintptr_t) p <= UINTPTR_MAX - count * size);
}

static bool
is_name_character (char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
	 || c == '_' || c == '$' || c == '.' || (c & 0x80) != 0;
}

static bool
check_function (const struct gcn_function *f, size_t i, char why[GCN_WHY])
{
  if (f->name == NULL || *f->name == 0)
    return refuse (why, "function %zu has no name", i);
  size_t n = 0;
  while (n < MAX_NAME && is_name_character (f->name[n]))
    n++;
  if (n == MAX_NAME)
    return refuse (why, "the name of function %zu is longer than %d bytes", i, MAX_NAME);
  if (f->name[n] != 0)
    return refuse (why, "the name of function %zu, %.*s, has the character %#x in it", i,
		   n < SHOWN_NAME ? (int) n : SHOWN_NAME, f->name, (unsigned char) f->name[n]);
  if (f->sgprs < 0 || f->vgprs < 0 || f->sgprs > MAX_REGISTERS || f->vgprs > MAX_REGISTERS)
    return refuse (why, "function %zu has %" PRId32 " and %" PRId32 " registers", i, f->sgprs, f->vgprs);
  return true;
}

static bool
check_count (size_t device, size_t host, const char *what, char why[GCN_WHY])
{
  return device == host
	 || refuse (why, "it has %zu %s, the host's table %zu", device, what, host);
}

/* ---- the code object ---- */

/* What the flags say of the processor.  */
static bool
check_flags (const Elf64_Ehdr *elf, struct gcn_tables *t, char why[GCN_WHY])
{
  unsigned number = elf->e_flags & FLAGS_PROCESSOR, version = elf->e_flags >> GENERIC_SHIFT;
  const struct processor *p = processor_by_number (number);
  unsigned abi = elf->e_ident[EI_ABIVERSION];

  if (p == NULL)
    return refuse (why, "its code is for a processor that is not known, number %#x", number);
  if (is_generic (p) != (abi == ABI_V6))
    return refuse (why, "its code object is of version %u, which %s has not", abi + 2, p->name);
  if (abi == ABI_V6 && (version == 0 || version > GENERIC_VERSION))
    return refuse (why, "its code is for %s of version %u, known is %d", p->name, version, GENERIC_VERSION);
  t->isa = p->name;
  t->xnack = t->sramecc = GCN_FEATURE_NONE;
  if (abi > ABI_V3)
    {
      t->xnack = elf->e_flags >> XNACK_SHIFT & 3;
      t->sramecc = elf->e_flags >> SRAMECC_SHIFT & 3;
    }
  return true;
}

/* The segments: what is copied from where to where.  */
static bool
check_segments (const struct gcn_tables *t, const Elf64_Ehdr *elf, char why[GCN_WHY])
{
  bool runs = false, dynamic = false;
  uint64_t end = 0;

  if (elf->e_phentsize != sizeof (Elf64_Phdr) || elf->e_phnum == 0 || elf->e_phnum > MAX_SEGMENTS
      || elf->e_phoff > t->code_size
      || elf->e_phnum * sizeof (Elf64_Phdr) > t->code_size - elf->e_phoff)
    return refuse (why, "its code object has no good table of segments");
  for (unsigned i = 0; i < elf->e_phnum; i++)
    {
      Elf64_Phdr s;
      memcpy (&s, (const char *) t->code + elf->e_phoff + i * sizeof (s), sizeof (s));
      if (s.p_type != PT_LOAD && s.p_type != PT_DYNAMIC && s.p_type != PT_NOTE)
	continue;
      if (s.p_offset > t->code_size || s.p_filesz > t->code_size - s.p_offset)
	return refuse (why, "segment %u of its code object is not in it: it is cut off, or damaged", i);
      if (s.p_filesz > s.p_memsz || s.p_memsz > MAX_EXTENT || s.p_vaddr > MAX_EXTENT)
	return refuse (why, "segment %u of its code object is larger than memory", i);
      if (s.p_type == PT_LOAD)
	{
	  if (s.p_vaddr < end)
	    return refuse (why, "segment %u of its code object lies over the one before", i);
	  end = s.p_vaddr + s.p_memsz;
	  runs |= (s.p_flags & PF_X) != 0;
	}
      else if (s.p_type == PT_DYNAMIC)
	dynamic = true;
    }
  if (!runs || !dynamic)
    return refuse (why, "its code object has no %s", runs ? "dynamic symbols" : "code");
  return true;
}

static bool
check_code (struct gcn_tables *t, char why[GCN_WHY])
{
  Elf64_Ehdr elf;

  if (t->code == NULL || t->code_size > SSIZE_MAX || (uintptr_t) t->code > UINTPTR_MAX - t->code_size)
    return refuse (why, "it has no code");
  if (t->code_size < sizeof (elf))
    return refuse (why, "its code object has %zu bytes", t->code_size);
  memcpy (&elf, t->code, sizeof (elf));
  if (memcmp (elf.e_ident, ELFMAG, SELFMAG) != 0 || elf.e_ident[EI_CLASS] != ELFCLASS64
      || elf.e_ident[EI_DATA] != ELFDATA2LSB || elf.e_ident[EI_VERSION] != EV_CURRENT
      || elf.e_version != EV_CURRENT)
    return refuse (why, "its code object is no ELF file of 64 bits");
  if (elf.e_machine != MACHINE_AMDGPU)
    return refuse (why, "its code object is for another machine, number %#x", elf.e_machine);
  if (elf.e_ident[EI_OSABI] != OSABI_HSA || elf.e_ident[EI_ABIVERSION] < ABI_V3
      || elf.e_ident[EI_ABIVERSION] > ABI_V6)
    return refuse (why, "its code object is of the kind %u.%u, known are %d.%d to %d.%d",
		   elf.e_ident[EI_OSABI], elf.e_ident[EI_ABIVERSION], OSABI_HSA, ABI_V3, OSABI_HSA,
		   ABI_V6);
  if (elf.e_type != ET_DYN)
    return refuse (why, "its code object is not linked, but of type %u", elf.e_type);
  /* Nothing here reads sections, but the driver does, and without them a file was cut off.  */
  if (elf.e_shnum != 0
      && (elf.e_shentsize != sizeof (Elf64_Shdr) || elf.e_shoff > t->code_size
	  || elf.e_shnum * sizeof (Elf64_Shdr) > t->code_size - elf.e_shoff))
    return refuse (why, "its code object is cut off: the table of sections is missing");
  return check_flags (&elf, t, why) && check_segments (t, &elf, why);
}

/* ---- symbols ---- */

/* Where SIZE bytes at ADDRESS of the loaded code lie in the file; NULL: not in it.  */
static const char *
in_file (const struct gcn_tables *t, const Elf64_Ehdr *elf, uint64_t address, uint64_t size)
{
  for (unsigned i = 0; i < elf->e_phnum; i++)
    {
      Elf64_Phdr s;
      memcpy (&s, (const char *) t->code + elf->e_phoff + i * sizeof (s), sizeof (s));
      if (s.p_type == PT_LOAD && address >= s.p_vaddr && address - s.p_vaddr <= s.p_filesz
	  && size <= s.p_filesz - (address - s.p_vaddr))
	return (const char *) t->code + s.p_offset + (address - s.p_vaddr);
    }
  return NULL;
}

/* The entry TAG of the dynamic section, 0 if there is none.  */
static uint64_t
dynamic (const struct gcn_tables *t, const Elf64_Ehdr *elf, int64_t tag)
{
  for (unsigned i = 0; i < elf->e_phnum; i++)
    {
      Elf64_Phdr s;
      Elf64_Dyn d;
      memcpy (&s, (const char *) t->code + elf->e_phoff + i * sizeof (s), sizeof (s));
      for (uint64_t at = 0; s.p_type == PT_DYNAMIC && at + sizeof (d) <= s.p_filesz; at += sizeof (d))
	{
	  memcpy (&d, (const char *) t->code + s.p_offset + at, sizeof (d));
	  if (d.d_tag == tag)
	    return d.d_un.d_val;
	}
    }
  return 0;
}

void
gcn_each_symbol (const struct gcn_tables *t, void (*found) (const char *name, void *data), void *data)
{
  Elf64_Ehdr elf;
  uint32_t hash[2];		/* numbers of buckets and of symbols */

  memcpy (&elf, t->code, sizeof (elf));
  uint64_t size = dynamic (t, &elf, DT_STRSZ);
  const char *names = in_file (t, &elf, dynamic (t, &elf, DT_STRTAB), size);
  const char *table = in_file (t, &elf, dynamic (t, &elf, DT_HASH), sizeof (hash));
  if (names == NULL || table == NULL || size == 0 || names[size - 1] != '\0')
    return;
  memcpy (hash, table, sizeof (hash));
  const char *symbols = in_file (t, &elf, dynamic (t, &elf, DT_SYMTAB), hash[1] * sizeof (Elf64_Sym));
  for (uint32_t i = 0; symbols != NULL && i < hash[1]; i++)
    {
      Elf64_Sym s;
      memcpy (&s, symbols + i * sizeof (s), sizeof (s));
      if (s.st_shndx != SHN_UNDEF && s.st_name != 0 && s.st_name < size)
	found (names + s.st_name, data);
    }
}

/* ---- the data ---- */

/* The ABI of DESC's version, 0: not known.  */
static unsigned
abi_of (const struct gomp_image_desc *desc)
{
  /* GCC 12, 13, 14 to 16.  */
  static const unsigned char known[][2] = { { 1, 2 }, { 2, 3 }, { 3, 3 } };
  for (unsigned i = 0; i < sizeof (known) / sizeof (known[0]); i++)
    if (desc->lib_version == known[i][0] && desc->dev_version == known[i][1])
      return desc->dev_version;
  return 0;
}

bool
gcn_decode (const struct gomp_image_desc *desc, struct gcn_tables *t, char why[GCN_WHY])
{
  const struct old_data *data = desc->target_data;

  memset (t, 0, sizeof (*t));
  t->abi = abi_of (desc);
  if (t->abi == 0)
    return refuse (why, "its version is %u.%u, known are 1.2, 2.3 and 3.3", desc->lib_version,
		   desc->dev_version);
  if ((desc->requires_mask & ~(uint32_t) KNOWN_REQUIRES) != 0)
    return refuse (why, "it requires something that is not known, mask %#" PRIx32, desc->requires_mask);
  if (!is_aligned (data, 8))
    return refuse (why, "its data is not aligned");
  if (!is_aligned (data->image, 8))
    return refuse (why, "it has no code");

  t->code = data->image->code;
  t->code_size = data->image->size;
  t->num_functions = data->num_functions;
  t->functions = data->functions;
  t->num_vars = data->num_vars;
  if (desc->lib_version >= INDIRECT_VERSION)
    {
      const struct new_data *newer = desc->target_data;
      t->num_indirect = newer->num_indirect;
      t->num_vars = newer->num_vars;
    }

  if (!is_table (t->functions, 8, t->num_functions, sizeof (t->functions[0])))
    return refuse (why, "its table of functions is not aligned");
  for (size_t i = 0; i < OWN_FUNCTIONS; i++)
    {
      static const char *const own[OWN_FUNCTIONS] = { "_init_array", "_fini_array" };
      if (i >= t->num_functions || t->functions[i].name == NULL
	  || strcmp (t->functions[i].name, own[i]) != 0)
	return refuse (why, "function %zu is not %s", i, own[i]);
    }
  t->functions += OWN_FUNCTIONS;
  t->num_functions -= OWN_FUNCTIONS;
  if (!check_count (t->num_functions, desc->num_funcs, "functions", why)
      || !check_count (t->num_vars, desc->num_vars, "variables", why)
      || !check_count (t->num_indirect, desc->num_ind_funcs, "indirect functions", why))
    return false;
  for (size_t i = 0; i < t->num_functions; i++)
    if (!check_function (&t->functions[i], i, why))
      return false;
  return check_code (t, why);
}

/* A copy of an image's data.  What comes before the code object are multiples of CODE_ALIGN bytes.  */
struct copied
{
  union
  {
    struct old_data older;
    struct new_data newer;
  } data;
  struct image image;
  char rest[] __attribute__ ((aligned (CODE_ALIGN)));	/* functions; the code object, filled up to CODE_ALIGN; names */
};

void *
gcn_copy_data (const struct gomp_image_desc *desc, const struct gcn_tables *t)
{
  size_t num_functions = t->num_functions + OWN_FUNCTIONS;
  const struct gcn_function *from = t->functions - OWN_FUNCTIONS;
  size_t functions_size = num_functions * sizeof (*from);
  size_t code_size = (t->code_size + CODE_ALIGN - 1) & -(size_t) CODE_ALIGN;
  size_t size = sizeof (struct copied) + functions_size + code_size;

  for (size_t i = 0; i < num_functions; i++)
    size += strlen (from[i].name) + 1;
  struct copied *copy = calloc (1, size);
  if (copy == NULL)
    return NULL;
  struct gcn_function *functions = (struct gcn_function *) copy->rest;
  char *code = copy->rest + functions_size, *names = code + code_size;

  copy->image.size = t->code_size;
  copy->image.code = memcpy (code, t->code, t->code_size);
  memcpy (functions, from, functions_size);
  for (size_t i = 0; i < num_functions; i++)
    {
      size_t length = strlen (from[i].name) + 1;
      functions[i].name = memcpy (names, from[i].name, length);
      names += length;
    }
  copy->data.older.image = &copy->image;
  copy->data.older.num_functions = num_functions;
  copy->data.older.functions = functions;
  if (desc->lib_version >= INDIRECT_VERSION)
    {
      copy->data.newer.num_indirect = t->num_indirect;
      copy->data.newer.num_vars = t->num_vars;
    }
  else
    copy->data.older.num_vars = t->num_vars;
  return copy;
}

bool
gcn_is_host_function (const char *name)
{
  /* A number is behind it only where the compiler has made a clone.  */
  const char *mark = strstr (name, ".nohost");
  return mark != NULL && (mark[7] == '.' || mark[7] == '\0');
}

/* ---- devices ---- */

/* Is the feature NAME on in ISA, a full name?  GCN_FEATURE_ANY: it does not say.  */
static enum gcn_feature
feature_of (const char *isa, const char *name)
{
  size_t length = strlen (name);
  for (const char *p = strchr (isa, ':'); p != NULL; p = strchr (p + 1, ':'))
    if (strncmp (p + 1, name, length) == 0)
      {
	if (p[1 + length] == '+')
	  return GCN_FEATURE_ON;
	if (p[1 + length] == '-')
	  return GCN_FEATURE_OFF;
      }
  return GCN_FEATURE_ANY;
}

static bool
check_feature (const struct gcn_tables *t, enum gcn_feature code, const char *isa, const char *name,
	       char why[GCN_WHY])
{
  enum gcn_feature device = feature_of (isa, name);
  if (code <= GCN_FEATURE_ANY || device == GCN_FEATURE_ANY || code == device)
    return true;
  return refuse (why, "its code is for %s with %s turned %s, which this device has turned %s", t->isa, name,
		 code == GCN_FEATURE_ON ? "on" : "off", device == GCN_FEATURE_ON ? "on" : "off");
}

bool
gcn_runs_on (const struct gcn_tables *t, const char *isa, char why[GCN_WHY])
{
  const char *dashes = strstr (isa, "--"), *name = dashes != NULL ? dashes + 2 : isa;
  size_t length = strcspn (name, ":");
  const struct processor *device = processor_by_name (name, length);
  const struct processor *code = processor_by_name (t->isa, strlen (t->isa));
  bool same = strlen (t->isa) == length && memcmp (t->isa, name, length) == 0;

  if (!same && (device == NULL || device->family != code->number))
    {
      const struct processor *family = device != NULL ? processor_by_number (device->family) : NULL;
      return refuse (why, "its code is for %s, and this device is a %.*s: -foffload-options=amdgcn-amdhsa="
		     "-march=%.*s%s%s makes code for it", t->isa, (int) (length < 40 ? length : 40), name,
		     (int) (length < 40 ? length : 40), name, family != NULL ? " or " : "",
		     family != NULL ? family->name : "");
    }
  return check_feature (t, t->xnack, isa, "xnack", why)
	 && check_feature (t, t->sramecc, isa, "sramecc", why);
}
