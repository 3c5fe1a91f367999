/* aux-image.h -- an image for NVIDIA GPUs of the program that includes this, without an offload
   compiler, for the stand-in driver.

   A constructor finds the tables of host functions and variables that every compiler leaves in the
   program (sections .gnu.offload_funcs, .gnu.offload_vars, .gnu.offload_ind_funcs), takes the names
   from the symbol table, writes PTX with an entry for each function and the variables, and registers it in
   the layout of AUX_IMAGE_VERSION: 0x10001 (GCC 12, layout A), 0x20001 (13, B), 0x30001 (14 to 16, C).
   The PTX has the same objects as a compiler's: the program's own, one of the device library, and the
   tables without markers.  Functions NAME.nohost.K are not entries, as for reverse offload.

   Before including it, a program may define
     AUX_IMAGE_VERSION   see above; default 0x30001
     AUX_IMAGE_REQUIRES  the requires mask; default 512
     AUX_IMAGE_MANUAL    register nothing: the program calls aux_image_make and aux_image_register
     AUX_IMAGE_PTX       more PTX, behind the program's own: a string
     AUX_IMAGE_LIBRARY   more PTX, behind that of the device library
     AUX_IMAGE_BODY(name)  PTX in the region of that name: a string  */

#ifndef AUX_IMAGE_H
#define AUX_IMAGE_H 1

#ifndef _GNU_SOURCE
# error "aux-image.h needs _GNU_SOURCE"
#endif

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef AUX_IMAGE_VERSION
# define AUX_IMAGE_VERSION 0x30001
#endif
#ifndef AUX_IMAGE_REQUIRES
# define AUX_IMAGE_REQUIRES 512
#endif
#ifndef AUX_IMAGE_PTX
# define AUX_IMAGE_PTX ""
#endif
#ifndef AUX_IMAGE_LIBRARY
# define AUX_IMAGE_LIBRARY ""
#endif

#ifndef AUX_IMAGE_BODY
# define AUX_IMAGE_BODY(name) ""
#endif

extern void GOMP_offload_register_ver (unsigned, const void *, int, const void *);
extern void GOMP_offload_unregister_ver (unsigned, const void *, int, const void *);

struct aux_object { const char *code; size_t size; };
struct aux_function { const char *name; unsigned short dim[3]; };
struct aux_data_a
{
  const struct aux_object *objs;
  unsigned nobjs;
  const char *const *vars;
  unsigned nvars;
  const struct aux_function *fns;
  unsigned nfns;
  unsigned nind;		/* layout C only */
};
struct aux_data_c
{
  uintptr_t requires_mask;
  struct aux_data_a a;
};

_Static_assert (offsetof (struct aux_data_a, nfns) == 40 && offsetof (struct aux_data_c, a.nind) == 52
		&& sizeof (struct aux_function) == 16, "layouts of images");

struct aux_image
{
  unsigned version;
  void *host_table[6];
  struct aux_object objs[4];
  struct aux_function fns[200];
  const char *vars[200];
  struct aux_data_c data;	/* layout A is data.a */
};

static struct aux_image aux_image;

/* The module that holds this code.  */
struct aux_module
{
  const char *path;
  uintptr_t base;
};

static int
aux_find_module (struct dl_phdr_info *info, size_t size, void *data)
{
  struct aux_module *module = data;
  (void) size;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_LOAD
	&& (uintptr_t) &aux_image - (info->dlpi_addr + info->dlpi_phdr[i].p_vaddr)
	   < info->dlpi_phdr[i].p_memsz)
      {
	module->path = info->dlpi_name[0] != 0 ? info->dlpi_name : "/proc/self/exe";
	module->base = info->dlpi_addr;
	return 1;
      }
  return 0;
}

/* The PTX name of the symbol at ADDRESS, with SUFFIX.  */
static char *
aux_name (const char *file, const Elf64_Shdr *sections, unsigned num, uintptr_t base, uintptr_t address,
	  const char *suffix)
{
  for (unsigned i = 0; i < num; i++)
    if (sections[i].sh_type == SHT_SYMTAB)
      {
	const Elf64_Sym *symbols = (const Elf64_Sym *) (file + sections[i].sh_offset);
	const char *names = file + sections[sections[i].sh_link].sh_offset;
	for (size_t j = 0; j < sections[i].sh_size / sizeof (*symbols); j++)
	  if (base + symbols[j].st_value == address && symbols[j].st_shndx != SHN_UNDEF
	      && ELF64_ST_TYPE (symbols[j].st_info) <= STT_FUNC && names[symbols[j].st_name] != 0)
	    {
	      char *name;
	      if (asprintf (&name, "%s%s", names + symbols[j].st_name, suffix) < 0)
		abort ();
	      for (char *p = name; *p != 0; p++)
		if (*p == '.')
		  *p = '$';
	      return name;
	    }
      }
  fprintf (stderr, "aux-image.h: nothing is called %#lx: the program needs its symbols\n",
	   (unsigned long) address);
  abort ();
}

static void
aux_add_object (struct aux_image *image, unsigned i, FILE *f, char **text, size_t *size)
{
  fclose (f);
  image->objs[i].code = *text;
  image->objs[i].size = *size + 1;
}

/* Fill in IMAGE: everything but registering it.  */
static void __attribute__ ((unused))
aux_image_make (struct aux_image *image, unsigned version, unsigned requires)
{
  static const char *const tables[]
    = { ".gnu.offload_funcs", ".gnu.offload_vars", ".gnu.offload_ind_funcs" };
  const char *const preamble = "// BEGIN PREAMBLE\n.version 6.0\n.target sm_35\n.address_size 64\n"
			       "// END PREAMBLE\n";
  struct aux_module module = { NULL, 0 };
  struct stat st;
  char *text;
  size_t size;
  FILE *f;

  memset (image, 0, sizeof (*image));
  image->version = version;
  dl_iterate_phdr (aux_find_module, &module);
  int fd = open (module.path, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || fstat (fd, &st) != 0)
    abort ();
  const char *file = mmap (NULL, (size_t) st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  close (fd);
  const Elf64_Ehdr *header = (const Elf64_Ehdr *) file;
  const Elf64_Shdr *sections = (const Elf64_Shdr *) (file + header->e_shoff);
  const char *names = file + sections[header->e_shstrndx].sh_offset;
  for (unsigned i = 0; i < header->e_shnum; i++)
    for (unsigned t = 0; t < 3; t++)
      if (strcmp (names + sections[i].sh_name, tables[t]) == 0)
	{
	  image->host_table[2 * t] = (void *) (module.base + sections[i].sh_addr);
	  image->host_table[2 * t + 1]
	    = (void *) (module.base + sections[i].sh_addr + sections[i].sh_size);
	}
  void **funcs = image->host_table[0], **vars = image->host_table[2], **ind = image->host_table[4];
  size_t nfuncs = (void **) image->host_table[1] - funcs;
  size_t nvars = ((void **) image->host_table[3] - vars) / 2;
  size_t nind = version >= 0x30000 ? (void **) image->host_table[5] - ind : 0;
  if (nfuncs > 200 || nvars > 200)
    abort ();

  /* The program's own object.  */
  f = open_memstream (&text, &size);
  fputs (preamble, f);
  fputs ("// BEGIN GLOBAL FUNCTION DECL: gomp_nvptx_main\n"
	 ".extern .func gomp_nvptx_main (.param .u64 %in_ar1, .param .u64 %in_ar2);\n", f);
  for (size_t i = 0; i < nfuncs; i++)
    {
      const char *name = aux_name (file, sections, header->e_shnum, module.base, (uintptr_t) funcs[i], "");
      image->fns[i].name = name;
      if (strstr (name, "$nohost$") != NULL)
	fprintf (f, "// BEGIN GLOBAL FUNCTION DEF: %s\n.visible .func %s (.param .u64 %%in_ar0)\n{\nret;\n}\n",
		 name, name);
      else
	fprintf (f, "// BEGIN GLOBAL FUNCTION DEF: %s\n"
		 ".visible .entry %s (.param.u64 %%arg, .param.u64 %%stack, .param.u64 %%sz)\n{\n%sret;\n}\n",
		 name, name, AUX_IMAGE_BODY (name));
      fprintf (f, "//:FUNC_MAP \"%s\"\n", name);
    }
  for (size_t i = 0; i < nvars; i++)
    {
      uint64_t bytes = (uintptr_t) vars[2 * i + 1];
      int is_link = bytes >> 63;
      const char *name = aux_name (file, sections, header->e_shnum, module.base, (uintptr_t) vars[2 * i],
				   is_link ? "$linkptr" : "");
      image->vars[i] = name;
      bytes = is_link ? 8 : bytes;
      fprintf (f, "//:VAR_MAP \"%s\"\n// BEGIN GLOBAL VAR DEF: %s\n"
	       ".visible .global .align 8 .b8 %s[%lu];\n", name, name, name, (unsigned long) bytes);
    }
  for (size_t i = 0; i < nind; i++)
    {
      const char *name = aux_name (file, sections, header->e_shnum, module.base, (uintptr_t) ind[i], "");
      fprintf (f, "// BEGIN GLOBAL FUNCTION DEF: %s\n.visible .func %s\n{\nret;\n}\n", name, name);
    }
  fputs (AUX_IMAGE_PTX, f);
  aux_add_object (image, 0, f, &text, &size);

  /* The device library.  */
  f = open_memstream (&text, &size);
  fputs (preamble, f);
  fputs ("// BEGIN GLOBAL FUNCTION DEF: gomp_nvptx_main\n"
	 ".visible .func gomp_nvptx_main (.param .u64 %in_ar1, .param .u64 %in_ar2)\n{\nret;\n}\n"
	 "// BEGIN GLOBAL VAR DEF: __nvptx_clocktick\n"
	 ".visible .global .align 8 .f64 __nvptx_clocktick[1];\n", f);
  if (version < 0x20000)
    /* What is no function of a compiler's counts as code that is reached, and keeps what it names.  */
    fputs ("// BEGIN VAR DEF: __gomp_device_num\n.global .align 4 .u32 __gomp_device_num[1];\n"
	   ".func uses_device_num\n{\nld.global.u32 %r, [__gomp_device_num];\nret;\n}\n", f);
  else
    fputs ("// BEGIN GLOBAL VAR DEF: __gomp_additional_icvs\n"
	   ".visible .global .align 4 .u32 __gomp_additional_icvs[4];\n"
	   "// BEGIN GLOBAL VAR DEF: __gomp_rev_offload_var\n"
	   ".visible .global .align 8 .u64 __gomp_rev_offload_var[1];\n", f);
  if (version >= 0x30000)
    fputs ("// BEGIN GLOBAL VAR DEF: __gomp_indirect_addr_map\n"
	   ".visible .global .align 8 .u64 __gomp_indirect_addr_map[1];\n"
	   "// BEGIN GLOBAL FUNCTION DEF: build_indirect_map\n"
	   ".visible .func build_indirect_map\n{\nret;\n}\n"
	   "// BEGIN GLOBAL VAR DEF: __nvptx_stacks\n.visible .shared .u64 __nvptx_stacks[32];\n"
	   "// BEGIN GLOBAL VAR DEF: __nvptx_uni\n.visible .shared .u32 __nvptx_uni[32];\n", f);
  fputs (AUX_IMAGE_LIBRARY, f);
  aux_add_object (image, 1, f, &text, &size);
  unsigned nobjs = 2;

  /* Tables: no markers, hardly any line ends.  */
  if ((requires & 0x80) != 0 && nfuncs != 0)
    {
      f = open_memstream (&text, &size);
      fputs (".version 6.0\n.target sm_35\n.file 1 \"<dummy>\"\n", f);
      for (size_t i = 0; i < nfuncs; i++)
	if (strstr (image->fns[i].name, "$nohost$") != NULL)
	  fprintf (f, ".extern .func %s (.param .u64 %%in_ar0);", image->fns[i].name);
      fprintf (f, ".visible .global .align 8 .u64 $offload_func_table[%zu] = {", nfuncs);
      for (size_t i = 0; i < nfuncs; i++)
	fprintf (f, "%s%s", i == 0 ? "" : ",",
		 strstr (image->fns[i].name, "$nohost$") != NULL ? image->fns[i].name : "0");
      fputs ("};\n", f);
      aux_add_object (image, nobjs++, f, &text, &size);
    }
  if (nind != 0)
    {
      f = open_memstream (&text, &size);
      fputs (".version 6.0\n.target sm_35\n.file 1 \"<dummy>\"\n", f);
      for (size_t i = 0; i < nind; i++)
	fprintf (f, ".extern .func %s;",
		 aux_name (file, sections, header->e_shnum, module.base, (uintptr_t) ind[i], ""));
      fprintf (f, ".visible .global .align 8 .u64 $offload_ind_func_table[%zu] = {", nind);
      for (size_t i = 0; i < nind; i++)
	fprintf (f, "%s%s", i == 0 ? "" : ",",
		 aux_name (file, sections, header->e_shnum, module.base, (uintptr_t) ind[i], ""));
      fputs ("};\n", f);
      aux_add_object (image, nobjs++, f, &text, &size);
    }

  image->data.requires_mask = requires;
  image->data.a = (struct aux_data_a) { image->objs, nobjs, image->vars, (unsigned) nvars, image->fns,
					(unsigned) nfuncs, (unsigned) nind };
  munmap ((void *) file, (size_t) st.st_size);
}

static const void *
aux_image_data (const struct aux_image *image)
{
  return image->version < 0x20000 ? (const void *) &image->data.a : &image->data;
}

static void __attribute__ ((unused))
aux_image_register (struct aux_image *image)
{
  GOMP_offload_register_ver (image->version, image->host_table, 5, aux_image_data (image));
}

static void __attribute__ ((unused))
aux_image_unregister (struct aux_image *image)
{
  GOMP_offload_unregister_ver (image->version, image->host_table, 5, aux_image_data (image));
}

/* In a library that goes, once its image is unregistered: nobody leads to its memory then.  */
static void __attribute__ ((unused))
aux_image_free (const struct aux_image *image)
{
  const struct aux_data_a *a = &image->data.a;
  for (unsigned i = 0; i < a->nobjs; i++)
    free ((void *) a->objs[i].code);
  for (unsigned i = 0; i < a->nfns; i++)
    free ((void *) a->fns[i].name);
  for (unsigned i = 0; i < a->nvars; i++)
    free ((void *) a->vars[i]);
}

#ifndef AUX_IMAGE_MANUAL
static void __attribute__ ((constructor))
aux_image_begin (void)
{
  aux_image_make (&aux_image, AUX_IMAGE_VERSION, AUX_IMAGE_REQUIRES);
  aux_image_register (&aux_image);
}

static void __attribute__ ((destructor))
aux_image_end (void)
{
  aux_image_unregister (&aux_image);
}
#endif

#endif /* AUX_IMAGE_H */
