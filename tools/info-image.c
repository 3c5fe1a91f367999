/* info-image.c -- the device images in a program's file, as far as they can be seen from outside.

   A compiler leaves in a program the tables of the host's functions and variables (sections
   .gnu.offload_*) and, if it was told to compile for devices, for each kind of device an object with
   the device's code, and a constructor that registers it.  Which constructor that is cannot be told
   from the file, but what it registers can be found: for NVIDIA GPUs an array of {PTX text, size}
   and a structure that begins with a pointer to it (abi/nvptx section 1.2).

   The file is laid out in memory as the loader would do it, at address 0 and with relative relocations
   applied, so that pointers are offsets into it.

   info-gcn.c does the same for AMD GPUs.

   Invariants
   1. Nothing in the file is executed or believed: each address and size is checked against what
      was laid out.
   2. An image is printed only if all of its tables are where they should be.  */

#include "libgomp.h"
#include "plugins.h"
#include "target-abi.h"
#include "target.h"
#include "tools/info-image.h"
#include "tools/info-loader.h"
#include "tools/info-program.h"
#include "plugin/nvptx-subst.h"
#include "plugin/nvptx-lanes.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_OBJECTS = 1 << 16, MAX_ENTRIES = 1 << 20 };
#define MAX_SPAN ((uint64_t) 1 << 36)

/* ---- the file ---- */

static bool
read_at (const struct info_program *p, void *buf, uint64_t size, uint64_t offset)
{
  if (offset > p->size || size > p->size - offset)
    return false;
  while (size > 0)
    {
      ssize_t n = pread (p->fd, buf, size, offset);
      if (n < 0 && errno == EINTR)
	continue;
      if (n <= 0)
	return false;
      buf = (char *) buf + n;
      size -= n;
      offset += n;
    }
  return true;
}

/* Relative relocations with their addends beside them; those that have them in place need nothing at
   base 0.  */
static void
relocate (struct info_program *p, uint64_t table, uint64_t size)
{
  const unsigned relative = p->header.e_machine == EM_X86_64 ? R_X86_64_RELATIVE
			    : p->header.e_machine == EM_AARCH64 ? R_AARCH64_RELATIVE : 0;
  if (relative == 0 || !info_holds (p, table, size))
    return;
  for (uint64_t i = 0; i < size / sizeof (ElfW (Rela)); i++)
    {
      ElfW (Rela) r;
      memcpy (&r, p->base + table + i * sizeof (r), sizeof (r));
      if (ELF64_R_TYPE (r.r_info) == relative && info_holds (p, r.r_offset, 8))
	memcpy (p->base + r.r_offset, &r.r_addend, 8);
    }
}

/* Answers what is wrong, or NULL.  */
static const char *
lay_out (struct info_program *p)
{
  const ElfW (Ehdr) *h = &p->header;
  uint64_t rela = 0, rela_size = 0, dynamic = 0, dynamic_size = 0;

  if (!read_at (p, &p->header, sizeof (p->header), 0) || memcmp (h->e_ident, ELFMAG, SELFMAG) != 0)
    return "it is no program";
  if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != ELFDATA2LSB
      || h->e_phentsize != sizeof (ElfW (Phdr)))
    return "it is for another kind of machine";
  if (h->e_type != ET_EXEC && h->e_type != ET_DYN)
    return "it is neither a program nor a shared object";

  ElfW (Phdr) *segments = gomp_calloc (h->e_phnum + 1, sizeof (*segments));
  const char *wrong = NULL;
  if (!read_at (p, segments, h->e_phnum * sizeof (*segments), h->e_phoff))
    wrong = "its program headers are outside of the file";
  for (unsigned i = 0; wrong == NULL && i < h->e_phnum; i++)
    if (segments[i].p_type == PT_LOAD)
      {
	if (segments[i].p_vaddr > MAX_SPAN || segments[i].p_memsz > MAX_SPAN)
	  wrong = "it is too large";
	else if (segments[i].p_vaddr + segments[i].p_memsz > p->span)
	  p->span = segments[i].p_vaddr + segments[i].p_memsz;
      }
  if (wrong == NULL && p->span == 0)
    wrong = "there is nothing to load in it";
  if (wrong == NULL)
    {
      /* Pages that the file does not fill cost nothing.  */
      p->base = mmap (NULL, p->span, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (p->base == MAP_FAILED)
	{
	  p->base = NULL;
	  wrong = "there is not enough memory";
	}
    }
  for (unsigned i = 0; wrong == NULL && i < h->e_phnum; i++)
    if (segments[i].p_type == PT_LOAD)
      {
	if (segments[i].p_filesz > segments[i].p_memsz
	    || !read_at (p, p->base + segments[i].p_vaddr, segments[i].p_filesz,
			 segments[i].p_offset))
	  wrong = "a segment is outside of the file";
	else if (p->num_parts == INFO_MAX_PARTS)
	  wrong = "it has too many segments";
	else
	  {
	    p->parts[p->num_parts].start = (segments[i].p_vaddr + 7) & ~(uint64_t) 7;
	    p->parts[p->num_parts++].end = segments[i].p_vaddr + segments[i].p_filesz;
	  }
      }
    else if (segments[i].p_type == PT_DYNAMIC)
      {
	dynamic = segments[i].p_vaddr;
	dynamic_size = segments[i].p_filesz;
	p->is_dynamic = true;
      }
    else if (segments[i].p_type == PT_INTERP && segments[i].p_filesz < sizeof (p->loader)
	     && !read_at (p, p->loader, segments[i].p_filesz, segments[i].p_offset))
      p->loader[0] = 0;
  free (segments);
  if (wrong == NULL && info_holds (p, dynamic, dynamic_size))
    {
      for (uint64_t i = 0; i < dynamic_size / sizeof (ElfW (Dyn)); i++)
	{
	  ElfW (Dyn) d;
	  memcpy (&d, p->base + dynamic + i * sizeof (d), sizeof (d));
	  if (d.d_tag == DT_RELA)
	    rela = d.d_un.d_ptr;
	  else if (d.d_tag == DT_RELASZ)
	    rela_size = d.d_un.d_val;
	}
      relocate (p, rela, rela_size);
    }
  return wrong;
}

/* "GCC: (Debian 12.2.0-14) 12.2.0" becomes "GCC 12.2.0".  */
static void
add_compiler (struct info_program *p, const char *text)
{
  const char *version = strrchr (text, ' ');
  char name[64];
  size_t used = strlen (p->compilers);

  if (strncmp (text, "GCC:", 4) != 0 || version == NULL)
    snprintf (name, sizeof (name), "%.40s", text);
  else
    snprintf (name, sizeof (name), "GCC%.20s", version);
  if (strstr (p->compilers, name) == NULL)
    snprintf (p->compilers + used, sizeof (p->compilers) - used, "%s%s", used ? ", " : "", name);
}

/* The sections that matter.  A program without section headers is not much told about.  */
static void
read_sections (struct info_program *p)
{
  const ElfW (Ehdr) *h = &p->header;
  static const char funcs[] = ".gnu.offload_funcs", vars[] = ".gnu.offload_vars",
    ind_funcs[] = ".gnu.offload_ind_funcs", comment[] = ".comment";
  ElfW (Shdr) names;

  if (h->e_shentsize != sizeof (ElfW (Shdr)) || h->e_shstrndx >= h->e_shnum
      || !read_at (p, &names, sizeof (names), h->e_shoff + h->e_shstrndx * sizeof (names)))
    return;
  for (unsigned i = 0; i < h->e_shnum; i++)
    {
      ElfW (Shdr) s;
      char name[32] = "";
      if (!read_at (p, &s, sizeof (s), h->e_shoff + i * sizeof (s))
	  || s.sh_name >= names.sh_size)
	continue;
      uint64_t left = names.sh_size - s.sh_name;
      if (!read_at (p, name, left < sizeof (name) - 1 ? left : sizeof (name) - 1,
		    names.sh_offset + s.sh_name))
	continue;
      if (strcmp (name, funcs) == 0)
	p->num_funcs += s.sh_size / 8;
      else if (strcmp (name, vars) == 0)
	{
	  p->num_vars += s.sh_size / 16;
	  p->vars = s.sh_addr;
	}
      else if (strcmp (name, ind_funcs) == 0)
	p->num_ind_funcs += s.sh_size / 8;
      else if (strcmp (name, comment) == 0 && s.sh_size < 65536)
	{
	  char *text = gomp_calloc (1, s.sh_size + 1);
	  if (read_at (p, text, s.sh_size, s.sh_offset))
	    for (uint64_t at = 0; at < s.sh_size; at += strlen (text + at) + 1)
	      if (text[at] != 0)
		add_compiler (p, text + at);
	  free (text);
	}
    }
}

/* ---- images for NVIDIA GPUs ---- */

static const char preamble[] = "// BEGIN PREAMBLE";

/* Is there {text, size} at ADDR, with the final NUL counted?  */
static bool
is_object (const struct info_program *p, uint64_t addr)
{
  if (!info_holds (p, addr, 16))
    return false;
  uint64_t code = info_word_at (p, addr), size = info_word_at (p, addr + 8);
  return (code != 0 && size != 0 && info_holds (p, code, size)
	  && memchr (p->base + code, 0, size) == p->base + code + size - 1);
}

/* The number N of ".version N.M" or ".target sm_N" in TEXT at the start of a line; -1: none.
   DOTTED: N.M is 10 * N + M.  */
static int
directive (const char *text, const char *name, bool dotted)
{
  for (const char *at = strstr (text, name); at != NULL; at = strstr (at + 1, name))
    if (at == text || at[-1] == '\n')
      {
	char *end;
	long n = strtol (at + strlen (name), &end, 10);
	if (dotted && *end == '.' && n >= 0 && n < 1000)
	  n = 10 * n + (end[1] >= '0' && end[1] <= '9' ? end[1] - '0' : 0);
	return n >= 0 && n < 10000 ? (int) n : -1;
      }
  return -1;
}

/* Is the structure whose first pointer is at ADDR an image?  */
static bool
read_image (const struct info_program *p, uint64_t addr, struct info_image *im)
{
  memset (im, 0, sizeof (*im));
  if (!info_holds (p, addr, 44))
    return false;
  im->objects = info_word_at (p, addr);
  im->num_objects = info_half_at (p, addr + 8);
  im->variables = info_word_at (p, addr + 16);
  im->num_variables = info_half_at (p, addr + 24);
  im->functions = info_word_at (p, addr + 32);
  im->num_functions = info_half_at (p, addr + 40);
  if (im->num_objects == 0 || im->num_objects > MAX_OBJECTS || im->num_variables > MAX_ENTRIES
      || im->num_functions > MAX_ENTRIES
      || (im->num_variables > 0 && !info_holds (p, im->variables, 8 * (uint64_t) im->num_variables))
      || (im->num_functions > 0 && !info_holds (p, im->functions, 16 * (uint64_t) im->num_functions)))
    return false;
  for (uint32_t i = 0; i < im->num_objects; i++)
    if (!is_object (p, im->objects + 16 * (uint64_t) i))
      return false;
  for (uint32_t i = 0; i < im->num_variables; i++)
    if (info_text_at (p, info_word_at (p, im->variables + 8 * (uint64_t) i)) == NULL)
      return false;
  for (uint32_t i = 0; i < im->num_functions; i++)
    if (info_text_at (p, info_word_at (p, im->functions + 16 * (uint64_t) i)) == NULL)
      return false;

  for (uint32_t i = 0; i < im->num_objects; i++)
    {
      const char *code = (const char *) p->base + info_word_at (p, im->objects + 16 * (uint64_t) i);
      int version = directive (code, ".version ", true);
      int target = directive (code, ".target sm_", false);
      if (version > im->version)
	im->version = version;
      if (target > im->target)
	im->target = target;
      im->bytes += info_word_at (p, im->objects + 16 * (uint64_t) i + 8);
    }
  /* Since GCC 13 the word before the first pointer is the requires mask, and says at least that the
     program uses devices.  */
  const uint64_t known = 0x200 | 0x10 | 0x20 | 0x80 | 0x400;
  uint64_t mask = addr >= 8 ? info_word_at (p, addr - 8) : 0;
  if ((mask & 0x200) != 0 && (mask & ~known) == 0)
    {
      im->has_mask = true;
      im->mask = mask;
      /* Since GCC 14 the number of indirect functions, before that nothing.  */
      if (p->num_ind_funcs > 0 && info_holds (p, addr, 48)
	  && info_half_at (p, addr + 44) == p->num_ind_funcs)
	im->num_indirect = p->num_ind_funcs;
    }
  return true;
}

/* Is ADDR one of the TABLES, which are sorted?  */
static bool
is_table (const uint64_t *tables, size_t count, uint64_t addr)
{
  size_t low = 0, high = count;

  while (low < high)
    {
      size_t middle = (low + high) / 2;
      if (tables[middle] < addr)
	low = middle + 1;
      else
	high = middle;
    }
  return low < count && tables[low] == addr;
}

unsigned
info_find_images (const struct info_program *p, struct info_image *images)
{
  uint64_t *tables = NULL;
  size_t num_tables = 0;
  unsigned count = 0;

  /* Arrays of objects, their tails included.  Segments are in the order of their addresses.  */
  for (unsigned i = 0; i < p->num_parts; i++)
    for (uint64_t addr = p->parts[i].start; addr + 16 <= p->parts[i].end; addr += 8)
      {
	uint64_t code = info_word_at (p, addr);
	if (code != 0 && info_holds (p, code, sizeof (preamble))
	    && memcmp (p->base + code, preamble, sizeof (preamble) - 1) == 0
	    && is_object (p, addr))
	  {
	    tables = gomp_realloc_array (tables, num_tables + 1, sizeof (tables[0]));
	    tables[num_tables++] = addr;
	  }
      }
  /* What points to one of them.  */
  for (unsigned i = 0; num_tables > 0 && i < p->num_parts; i++)
    for (uint64_t addr = p->parts[i].start; addr + 44 <= p->parts[i].end && count < INFO_MAX_IMAGES;
	 addr += 8)
      if (is_table (tables, num_tables, info_word_at (p, addr))
	  && read_image (p, addr, &images[count]))
	count++;
  free (tables);
  return count;
}

/* ---- on which devices ---- */

/* The version of CUDA, 1000 * major + 10 * minor, whose driver first knew this PTX.  */
static int
cuda_for_ptx (int version)
{
  int major = version / 10, minor = version % 10;
  if (major >= 7)
    return (major + 4) * 1000 + minor * 10;
  if (major == 6)
    return minor <= 2 ? 9000 + 10 * minor : 10000 + 10 * (minor - 3);
  return 0;
}

bool
info_why_not (const struct info_image *im, const struct gomp_device *dev, char *text, size_t size)
{
  int arch = directive (dev->attr.isa, "sm_", false), cuda = cuda_for_ptx (im->version);

  if (arch >= 0 && im->target > arch)
    snprintf (text, size, "it is sm_%d", arch);
  else if (dev->attr.driver_version != 0 && cuda > dev->attr.driver_version)
    snprintf (text, size, "its driver is that of CUDA %d.%d", dev->attr.driver_version / 1000,
	      dev->attr.driver_version % 1000 / 10);
  else if ((im->mask & (GOMP_REQUIRES_UNIFIED_SHARED_MEMORY | GOMP_REQUIRES_SELF_MAPS))
	   && !(dev->attr.caps & GOMP_CAP_SHARED_MEMORY))
    snprintf (text, size, "it does not share the host's memory");
  else if ((im->mask & GOMP_REQUIRES_REVERSE_OFFLOAD)
	   && !(dev->attr.caps & GOMP_CAP_REVERSE_OFFLOAD))
    snprintf (text, size, "it cannot call the host");
  else
    return false;
  return true;
}

static void
print_runs_on (const struct info_image *im)
{
  int n = gomp_num_devices ();
  const char *separator = "    runs on: ";
  bool any = false;

  for (int i = 0; i < n; i++)
    {
      char why[128];
      struct gomp_device *dev = gomp_device_at (i);
      if (strcmp (dev->ops->name, "nvptx") != 0)
	continue;
      any = true;
      if (!info_why_not (im, dev, why, sizeof (why)))
	{
	  printf ("%sdevice %d", separator, i);
	  separator = ", ";
	}
    }
  if (separator[0] == ',')
    putchar ('\n');
  for (int i = 0; i < n; i++)
    {
      char why[128];
      struct gomp_device *dev = gomp_device_at (i);
      if (strcmp (dev->ops->name, "nvptx") == 0 && info_why_not (im, dev, why, sizeof (why)))
	printf ("    does not run on device %d: %s\n", i, why);
    }
  if (!any)
    puts ("    there is no device here that it is for");
}

/* ---- which device library ---- */

static const char *
environment (const char *name, bool file_name)
{
  return gomp_getenv (name, file_name);
}

static void __attribute__ ((format (printf, 1, 2)))
complain (const char *fmt, ...)
{
  va_list list;
  va_start (list, fmt);
  fputs ("    device library: ", stdout);
  vprintf (fmt, list);
  putchar ('\n');
  va_end (list);
}

/* Which parallel regions can have a thread for each lane.  */
static void
print_lanes (const struct nvptx_tables *tables)
{
  struct nvptx_subst subst;
  struct nvptx_lanes lanes;

  if (!nvptx_substitute (tables, true, &subst))
    return;
  if (subst.num_ours > 0 && nvptx_lanes_analyse (subst.objects, subst.num, subst.num_ours, NVPTX_LANES_STRIDE, &lanes))
    {
      if (lanes.why[0] != 0)
	printf ("    lane mode: no region: %s\n", lanes.why);
      for (size_t i = 0; i < lanes.num_regions; i++)
	{
	  const struct nvptx_lanes_region *r = &lanes.regions[i];
	  if (r->verdict == NVPTX_LANES_WARP_ONLY)
	    printf ("    parallel region %s: threads are warps%s: %s\n", r->name, r->warps ? ", without the library" : "",
		    r->why);
	  else
	    printf ("    parallel region %s: threads can be lanes%s\n", r->name, r->stride ? ", with a stride" : "");
	}
      nvptx_lanes_free (&lanes);
    }
  free (subst.objects);
}

/* What the plugin is going to link, by the settings that it would find.  */
static void
print_library (const struct info_program *p, const struct info_image *im)
{
  const struct gomp_plugin_core core = { .getenv = environment, .set_error = complain };
  struct nvptx_object *objects = gomp_calloc (im->num_objects, sizeof (*objects));
  struct nvptx_function *functions = gomp_calloc (im->num_functions + 1, sizeof (*functions));
  struct nvptx_subst subst;

  for (uint32_t i = 0; i < im->num_objects; i++)
    {
      uint64_t at = im->objects + 16 * (uint64_t) i;
      objects[i].text = (const char *) p->base + info_word_at (p, at);
      objects[i].size = info_word_at (p, at + 8);
    }
  for (uint32_t i = 0; i < im->num_functions; i++)
    memcpy (functions[i].dim, p->base + im->functions + 16 * (uint64_t) i + 8, sizeof (functions[i].dim));
  const struct nvptx_tables tables = { .objects = objects, .num_objects = im->num_objects,
				       .functions = functions, .num_functions = im->num_functions };
  if (nvptx_subst_init (&core) == GOMP_OK && nvptx_substitute (&tables, false, &subst))
    {
      if (subst.num_ours > 0)
	printf ("    device library: gompx, %zu of its objects in place of %zu\n", subst.num_ours + subst.num_math,
		tables.num_objects - (subst.num - subst.num_ours - subst.num_math));
      else
	printf ("    device library: the compiler's: %s\n",
		subst.why[0] != 0 ? subst.why : "by GOMP_NVPTX_DEVICE_LIBRARY");
      if (subst.num_math > 0)
	printf ("    mathematical functions: gompx, %s\n", subst.math_names);
      free (subst.objects);
      if (subst.num_ours > 0)
	print_lanes (&tables);
    }
  free (objects);
  free (functions);
}

/* ---- telling ---- */

static void
print_image (const struct info_program *p, const struct info_image *im)
{
  char clauses[128];
  const char *compiler = !im->has_mask ? "GCC 12"
			 : im->num_indirect > 0 ? "GCC 14 or later" : "GCC 13 or later";
  int cuda = cuda_for_ptx (im->version);

  printf ("  image for NVIDIA GPUs, laid out as by %s: %u function%s, %u variable%s", compiler,
	  im->num_functions, info_plural (im->num_functions), im->num_variables,
	  info_plural (im->num_variables));
  if (im->num_indirect > 0)
    printf (", %u indirect function%s", im->num_indirect, info_plural (im->num_indirect));
  printf ("\n    code: %u object%s, %llu KiB, PTX %d.%d for sm_%d and later", im->num_objects,
	  info_plural (im->num_objects), (unsigned long long) (im->bytes + 1023) / 1024,
	  im->version / 10, im->version % 10, im->target);
  if (cuda != 0)
    printf (", driver of CUDA %d.%d or later", cuda / 1000, cuda % 1000 / 10);
  putchar ('\n');
  if (im->mask & ~(uint32_t) GOMP_REQUIRES_TARGET_USED)
    printf ("    requires: %s\n",
	    gomp_requires_text (im->mask & ~(uint32_t) GOMP_REQUIRES_TARGET_USED, clauses,
				sizeof (clauses)));
  for (uint32_t i = 0; i < im->num_functions; i++)
    printf ("    function %s\n", info_text_at (p, info_word_at (p, im->functions + 16 * (uint64_t) i)));
  for (uint32_t i = 0; i < im->num_variables; i++)
    printf ("    variable %s\n", info_text_at (p, info_word_at (p, im->variables + 8 * (uint64_t) i)));
  if (p->num_funcs + p->num_vars > 0
      && (im->num_functions != p->num_funcs || im->num_variables != p->num_vars))
    puts ("    its tables and the host's do not fit together: it cannot be used");
  print_library (p, im);
  print_runs_on (im);
}

static void
print_program (const struct info_program *p)
{
  struct info_image *images = gomp_calloc (INFO_MAX_IMAGES, sizeof (*images));
  unsigned count = info_find_images (p, images);

  if (p->num_funcs + p->num_vars + p->num_ind_funcs == 0)
    printf ("  host: no regions and no variables for devices");
  else
    printf ("  host: %llu function%s and %llu variable%s for devices",
	    (unsigned long long) p->num_funcs, info_plural (p->num_funcs),
	    (unsigned long long) p->num_vars, info_plural (p->num_vars));
  printf ("%s%s\n", p->compilers[0] != 0 ? "; compiled by " : "", p->compilers);
  for (unsigned i = 0; i < count; i++)
    print_image (p, &images[i]);
  unsigned count_gcn = info_print_gcn (p);
  if (count == 0 && p->num_funcs > 0)
    puts ("  no image for NVIDIA GPUs: it was linked without -foffload=nvptx-none, or without that"
	  " compiler");
  if (count_gcn == 0 && p->num_funcs > 0)
    puts ("  no image for AMD GPUs: it was linked without -foffload=amdgcn-amdhsa, or without that"
	  " compiler");
  if (p->num_funcs > 0)
    puts ("  cpu devices (GOMP_CPU_DEVICES) need no image");
  free (images);
}

const char *
info_open (const char *file, struct info_program *p)
{
  struct stat st;
  const char *wrong = NULL;

  *p = (struct info_program) { .fd = open (file, O_RDONLY | O_CLOEXEC) };
  if (p->fd < 0 || fstat (p->fd, &st) != 0)
    wrong = strerror (errno);
  else if (!S_ISREG (st.st_mode))
    wrong = "it is no file";
  else
    {
      p->size = st.st_size;
      p->set_id = (st.st_mode & (S_ISUID | S_ISGID)) != 0;
      wrong = lay_out (p);
    }
  if (wrong == NULL)
    read_sections (p);
  return wrong;
}

void
info_close (struct info_program *p)
{
  if (p->base != NULL)
    munmap (p->base, p->span);
  if (p->fd >= 0)
    close (p->fd);
}

bool
info_print_file (const char *file)
{
  struct info_program p;
  const char *wrong = info_open (file, &p);

  if (wrong == NULL)
    {
      printf ("%s:\n", file);
      if (p.is_dynamic)
	info_print_library (file, p.loader, p.set_id);
      print_program (&p);
    }
  else
    {
      fflush (stdout);
      fprintf (stderr, "gompx-info: %s: %s\n", file, wrong);
    }
  info_close (&p);
  return wrong == NULL;
}
