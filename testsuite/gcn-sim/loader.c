/* loader.c -- code objects: what the file says, which agent can run it, where it lies, its symbols.

   An image is one piece of memory of the agent, as far as its segments reach; they are copied, and
   the words that R_AMDGPU_RELATIVE64 names are set.  Other relocations, undefined symbols and
   files cut short are refused.

   Lock: images_lock, a leaf, for the list of images.  */

#include "loader.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EM_GCN = 0xe0, OSABI_HSA = 0x40, R_RELATIVE64 = 13 };

static pthread_mutex_t images_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sim_image *images;

/* The file, while it is read.  */
struct file
{
  const char *bytes;
  size_t size;
  Elf64_Ehdr header;
  char *text;			/* for what is wrong */
  size_t room;
};

static bool
within (const struct file *f, uint64_t offset, uint64_t size)
{
  return offset <= f->size && size <= f->size - offset;
}

#define REFUSE(f, ...) (snprintf ((f)->text, (f)->room, __VA_ARGS__), false)

/* ---- for which agent it is ---- */

static bool
feature_fits (unsigned wanted, bool has, bool on)
{
  /* 0 unsupported, 1 any, 2 off, 3 on.  */
  return wanted < 2 || (has && on == (wanted == 3));
}

static bool
isa_fits (struct file *f, const struct hsa_gpu *g)
{
  unsigned flags = f->header.e_flags, mach = flags & 0xff;
  const struct sim_isa *isa = sim_isa_find_mach (mach);
  if (isa == NULL)
    return REFUSE (f, "its ISA, number %#x, is none that is simulated", mach);
  if (isa != g->isa && (g->isa->generic == NULL || strcmp (g->isa->generic, isa->name) != 0))
    return REFUSE (f, "it is for %s, the agent is %s", isa->name, g->name);
  if (f->header.e_ident[EI_ABIVERSION] < 1 || f->header.e_ident[EI_ABIVERSION] > 4)
    return REFUSE (f, "version %d of the ABI", f->header.e_ident[EI_ABIVERSION]);
  /* Version 3 of code objects (1) has no features that can be required.  */
  if (f->header.e_ident[EI_ABIVERSION] == 1)
    return true;
  if (!feature_fits (flags >> 8 & 3, g->has_xnack, g->xnack))
    return REFUSE (f, "it needs xnack%c, the agent is %s", (flags >> 8 & 3) == 3 ? '+' : '-',
		   g->isa_name);
  if (!feature_fits (flags >> 10 & 3, g->has_sramecc, g->sramecc))
    return REFUSE (f, "it needs sramecc%c, the agent is %s", (flags >> 10 & 3) == 3 ? '+' : '-',
		   g->isa_name);
  return true;
}

static bool
check_header (struct file *f)
{
  if (f->size < sizeof (f->header))
    return REFUSE (f, "it is too short");
  memcpy (&f->header, f->bytes, sizeof (f->header));
  const Elf64_Ehdr *h = &f->header;
  if (memcmp (h->e_ident, ELFMAG, SELFMAG) != 0 || h->e_ident[EI_CLASS] != ELFCLASS64
      || h->e_ident[EI_DATA] != ELFDATA2LSB)
    return REFUSE (f, "it is no 64-bit ELF file");
  if (h->e_machine != EM_GCN || h->e_ident[EI_OSABI] != OSABI_HSA)
    return REFUSE (f, "it is not for AMD GPUs");
  if (h->e_type != ET_DYN)
    return REFUSE (f, "it is no linked code object");
  if (h->e_phentsize != sizeof (Elf64_Phdr)
      || !within (f, h->e_phoff, (uint64_t) h->e_phnum * sizeof (Elf64_Phdr)))
    return REFUSE (f, "its program headers are cut off");
  return true;
}

static Elf64_Phdr
segment (const struct file *f, unsigned i)
{
  Elf64_Phdr p;
  memcpy (&p, f->bytes + f->header.e_phoff + i * sizeof (p), sizeof (p));
  return p;
}

/* ---- memory ---- */

static bool
measure (struct file *f, size_t *size)
{
  uint64_t end = 0;
  for (unsigned i = 0; i < f->header.e_phnum; i++)
    {
      Elf64_Phdr p = segment (f, i);
      if (p.p_type != PT_LOAD)
	continue;
      if (!within (f, p.p_offset, p.p_filesz) || p.p_filesz > p.p_memsz
	  || p.p_memsz > (uint64_t) 1 << 32 || p.p_vaddr > (uint64_t) 1 << 32)
	return REFUSE (f, "segment %u is cut off", i);
      if (p.p_vaddr + p.p_memsz > end)
	end = p.p_vaddr + p.p_memsz;
    }
  *size = end;
  return end != 0 || REFUSE (f, "it has no segments");
}

/* [VADDR, VADDR + SIZE) of the loaded image, or NULL.  */
static char *
loaded_at (const struct sim_image *image, uint64_t vaddr, uint64_t size)
{
  return vaddr <= image->size && size <= image->size - vaddr ? image->view + vaddr : NULL;
}

static bool
relocate (struct file *f, struct sim_image *image)
{
  uint64_t rela = 0, bytes = 0, entry = sizeof (Elf64_Rela);
  for (unsigned i = 0; i < f->header.e_phnum; i++)
    {
      Elf64_Phdr p = segment (f, i);
      if (p.p_type != PT_DYNAMIC)
	continue;
      for (uint64_t at = 0; at + sizeof (Elf64_Dyn) <= p.p_memsz; at += sizeof (Elf64_Dyn))
	{
	  Elf64_Dyn d;
	  const char *from = loaded_at (image, p.p_vaddr + at, sizeof (d));
	  if (from == NULL)
	    return REFUSE (f, "its dynamic section is not loaded");
	  memcpy (&d, from, sizeof (d));
	  if (d.d_tag == DT_NULL)
	    break;
	  if (d.d_tag == DT_RELA)
	    rela = d.d_un.d_val;
	  else if (d.d_tag == DT_RELASZ)
	    bytes = d.d_un.d_val;
	  else if (d.d_tag == DT_RELAENT)
	    entry = d.d_un.d_val;
	  else if (d.d_tag == DT_NEEDED || d.d_tag == DT_JMPREL)
	    return REFUSE (f, "it needs other libraries");
	}
    }
  if (entry != sizeof (Elf64_Rela))
    return REFUSE (f, "the size of its relocations");
  for (uint64_t at = 0; at < bytes; at += sizeof (Elf64_Rela))
    {
      Elf64_Rela r;
      const char *from = loaded_at (image, rela + at, sizeof (r));
      if (from == NULL)
	return REFUSE (f, "its relocations are not loaded");
      memcpy (&r, from, sizeof (r));
      char *to = loaded_at (image, r.r_offset, 8);
      if (ELF64_R_TYPE (r.r_info) != R_RELATIVE64)
	return REFUSE (f, "relocation of kind %u", (unsigned) ELF64_R_TYPE (r.r_info));
      if (to == NULL)
	return REFUSE (f, "a relocation for what is not loaded");
      uint64_t value = image->base + (uint64_t) r.r_addend;
      memcpy (to, &value, 8);
    }
  return true;
}

/* ---- symbols ---- */

static int
compare_symbols (const void *a, const void *b)
{
  const struct sim_symbol *x = a, *y = b;
  return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* Add the symbols of the table in section I.  */
static bool
read_table (struct file *f, struct sim_image *image, unsigned i, bool global)
{
  Elf64_Shdr table, strings;
  memcpy (&table, f->bytes + f->header.e_shoff + i * sizeof (table), sizeof (table));
  if (table.sh_link >= f->header.e_shnum)
    return REFUSE (f, "its symbol table has no names");
  memcpy (&strings, f->bytes + f->header.e_shoff + table.sh_link * sizeof (strings),
	  sizeof (strings));
  if (!within (f, table.sh_offset, table.sh_size) || !within (f, strings.sh_offset, strings.sh_size)
      || strings.sh_size == 0 || f->bytes[strings.sh_offset + strings.sh_size - 1] != 0)
    return REFUSE (f, "its symbol table is cut off");
  size_t n = table.sh_size / sizeof (Elf64_Sym);
  image->symbols = realloc (image->symbols,
			    (image->num_symbols + n + 1) * sizeof (*image->symbols));
  if (image->symbols == NULL)
    abort ();
  for (size_t j = 1; j < n; j++)
    {
      Elf64_Sym s;
      memcpy (&s, f->bytes + table.sh_offset + j * sizeof (s), sizeof (s));
      if (s.st_name >= strings.sh_size)
	return REFUSE (f, "a symbol's name is cut off");
      const char *name = f->bytes + strings.sh_offset + s.st_name;
      unsigned type = ELF64_ST_TYPE (s.st_info);
      /* Debug information of GCC 12 refers to a table that is gone; as long as no relocation does, the
	 runtime does not look at undefined symbols.  */
      if (s.st_shndx == SHN_UNDEF)
	continue;
      if ((type != STT_OBJECT && type != STT_FUNC && type != STT_NOTYPE && type != STT_COMMON)
	  || s.st_shndx == SHN_ABS || s.st_value >= image->size)
	continue;
      size_t len = strlen (name);
      struct sim_symbol *out = &image->symbols[image->num_symbols++];
      *out = (struct sim_symbol) { .name = strdup (name), .addr = image->base + s.st_value,
				   .size = s.st_size, .object = type != STT_FUNC,
				   .global = global, .image = image };
      out->kernel = type == STT_OBJECT && len > 3 && strcmp (name + len - 3, ".kd") == 0
		    && s.st_size == sizeof (struct sim_descriptor);
      if (out->name == NULL)
	abort ();
    }
  return true;
}

static bool
read_symbols (struct file *f, struct sim_image *image)
{
  const Elf64_Ehdr *h = &f->header;
  bool found = false;
  if (h->e_shentsize != sizeof (Elf64_Shdr)
      || !within (f, h->e_shoff, (uint64_t) h->e_shnum * sizeof (Elf64_Shdr)))
    return REFUSE (f, "its section headers are cut off");
  for (unsigned i = 0; i < h->e_shnum; i++)
    {
      Elf64_Shdr s;
      memcpy (&s, f->bytes + h->e_shoff + i * sizeof (s), sizeof (s));
      if (s.sh_type != SHT_DYNSYM && s.sh_type != SHT_SYMTAB)
	continue;
      found = found || s.sh_type == SHT_DYNSYM;
      if (!read_table (f, image, i, s.sh_type == SHT_DYNSYM))
	return false;
    }
  if (!found)
    return REFUSE (f, "it has no dynamic symbols");
  qsort (image->symbols, image->num_symbols, sizeof (*image->symbols), compare_symbols);
  return true;
}

/* ---- the whole ---- */

static void
discard (struct sim_image *image)
{
  for (unsigned i = 0; i < image->num_texts; i++)
    sim_code_free (image->text[i].code);
  if (image->base != 0)
    space_free (image->base);
  for (size_t i = 0; i < image->num_symbols; i++)
    free (image->symbols[i].name);
  free (image->symbols);
  free (image);
}

/* Copy the segments into the image's memory.  */
static void
copy_segments (const struct file *f, struct sim_image *image)
{
  for (unsigned i = 0; i < f->header.e_phnum; i++)
    {
      Elf64_Phdr p = segment (f, i);
      if (p.p_type == PT_LOAD)
	memcpy (image->view + p.p_vaddr, f->bytes + p.p_offset, p.p_filesz);
    }
}

static bool
load_texts (struct file *f, struct sim_image *image, const struct hsa_gpu *g)
{
  for (unsigned i = 0; i < f->header.e_phnum; i++)
    {
      Elf64_Phdr p = segment (f, i);
      if (p.p_type != PT_LOAD || (p.p_flags & PF_X) == 0)
	continue;
      if (image->num_texts == SIM_MAX_TEXTS || p.p_vaddr % 4 != 0)
	return REFUSE (f, "its segments of code");
      unsigned n = image->num_texts++;
      image->text[n].start = image->base + p.p_vaddr;
      image->text[n].size = p.p_memsz;
      image->text[n].code = sim_code_load (g->isa, image->text[n].start,
					   image->view + p.p_vaddr, p.p_memsz);
      if (hsa_setting ("GCN_SIM_FUNCTIONS", 0) != 0 && image->text[n].code != NULL)
	sim_code_count (image->text[n].code);
    }
  return image->num_texts != 0 || REFUSE (f, "it has no code");
}

struct sim_image *
image_load (const void *bytes, size_t size, int gpu, hsa_status_t *status, char *text, size_t room)
{
  struct file file = { .bytes = bytes, .size = size, .text = text, .room = room }, *f = &file;
  const struct hsa_gpu *g = &hsa_gpus[gpu];
  size_t total;

  *status = HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
  if (!check_header (f))
    return NULL;
  if (!isa_fits (f, g))
    {
      *status = HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS;
      return NULL;
    }
  if (!measure (f, &total))
    return NULL;
  struct sim_image *image = calloc (1, sizeof (*image));
  if (image == NULL)
    abort ();
  image->gpu = gpu;
  image->size = total;
  image->base = space_allocate (gpu, total, SIM_CODE_MEMORY, (uint32_t) 1 << gpu);
  if (image->base == 0)
    {
      snprintf (text, room, "no memory for %zu bytes", total);
      *status = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
      discard (image);
      return NULL;
    }
  struct sim_range range;
  image->view = space_view (image->base, total, &range);
  memset (image->view, 0, total);
  space_define (&range, image->view, total, NULL);
  copy_segments (f, image);
  if (!relocate (f, image) || !read_symbols (f, image) || !load_texts (f, image, g))
    {
      discard (image);
      return NULL;
    }
  pthread_mutex_lock (&images_lock);
  image->next = images;
  images = image;
  pthread_mutex_unlock (&images_lock);
  *status = HSA_STATUS_SUCCESS;
  return image;
}

static void count_functions (struct sim_image *);

void
image_unload (struct sim_image *image)
{
  pthread_mutex_lock (&images_lock);
  struct sim_image **p = &images;
  while (*p != image)
    p = &(*p)->next;
  *p = image->next;
  count_functions (image);
  pthread_mutex_unlock (&images_lock);
  discard (image);
}

/* What the functions of IMAGE have executed so far is counted.  */
static void
count_functions (struct sim_image *image)
{
  for (unsigned t = 0; t < image->num_texts; t++)
    {
      struct sim_code *code = image->text[t].code;
      if (code == NULL)
	continue;
      for (uint64_t i = 0; i < image->text[t].size; i += 4)
	{
	  uint64_t pc = image->text[t].start + i;
	  unsigned long n = sim_code_counted (code, pc);
	  char name[200];
	  if (n == 0)
	    continue;
	  image_name (image, pc, name, sizeof (name));
	  name[strcspn (name, "+")] = '\0';
	  hsa_count_function (name, n);
	}
    }
}

void
image_count_functions (void)
{
  pthread_mutex_lock (&images_lock);
  for (struct sim_image *image = images; image != NULL; image = image->next)
    count_functions (image);
  pthread_mutex_unlock (&images_lock);
}

/* ---- questions ---- */

struct sim_symbol *
image_symbol (struct sim_image *image, const char *name)
{
  for (size_t i = 0; i < image->num_symbols; i++)
    if (image->symbols[i].global && image->symbols[i].object
	&& strcmp (image->symbols[i].name, name) == 0)
      return &image->symbols[i];
  return NULL;
}

struct sim_image *
image_at (uint64_t addr)
{
  pthread_mutex_lock (&images_lock);
  struct sim_image *image = images;
  while (image != NULL && addr - image->base >= image->size)
    image = image->next;
  pthread_mutex_unlock (&images_lock);
  return image;
}

struct sim_code *
image_code (struct sim_image *image, uint64_t pc)
{
  for (unsigned i = 0; i < image->num_texts; i++)
    if (pc - image->text[i].start < image->text[i].size)
      return image->text[i].code;
  return NULL;
}

void
image_name (const struct sim_image *image, uint64_t addr, char *text, size_t room)
{
  const struct sim_symbol *best = NULL;
  for (size_t i = 0; i < image->num_symbols && image->symbols[i].addr <= addr; i++)
    if (best == NULL || image->symbols[i].addr > best->addr || !image->symbols[i].object)
      best = &image->symbols[i];
  if (best != NULL)
    snprintf (text, room, "%s+%#lx", best->name, (unsigned long) (addr - best->addr));
  else
    snprintf (text, room, "image+%#lx", (unsigned long) (addr - image->base));
}

void
image_kernel_name (const struct sim_image *image, uint64_t addr, char *text, size_t room)
{
  snprintf (text, room, "?");
  for (size_t i = 0; i < image->num_symbols; i++)
    if (image->symbols[i].kernel && image->symbols[i].addr == addr)
      snprintf (text, room, "%.*s", (int) strlen (image->symbols[i].name) - 3,
		image->symbols[i].name);
}
