/* clang-driver.c -- libcuda.so for LLVM 19's offload library, where a program's images are of CUDA 13's tools.

   The library reads an image's architecture from the lowest byte of the ELF header's flags, where it was until CUDA 12; in what
   CUDA 13's ptxas and nvlink make it is the next byte.  So it takes no such image.  clang-kernels.sh makes the flags as they were, and
   keeps the real ones in the last four bytes of the header's padding; here that is undone before the driver sees it.  All else is the
   driver's own, libcuda.so.1, which this one needs.  */

#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { INVALID = 1, NO_MEMORY = 2, SAVED = EI_NIDENT - 4 };

typedef int load_type (void **module, const void *image, unsigned num, int *options, void **values);

/* How large the image is, by its headers.  */
static size_t
size_of (const Elf64_Ehdr *header)
{
  const char *base = (const char *) header;
  size_t size = header->e_shoff + (size_t) header->e_shnum * header->e_shentsize;
  size_t programs = header->e_phoff + (size_t) header->e_phnum * header->e_phentsize;

  if (size < programs)
    size = programs;
  for (unsigned i = 0; i < header->e_shnum; i++)
    {
      const Elf64_Shdr *section = (const void *) (base + header->e_shoff + (size_t) i * header->e_shentsize);
      if (section->sh_type != SHT_NOBITS && section->sh_offset + section->sh_size > size)
	size = section->sh_offset + section->sh_size;
    }
  return size;
}

int
cuModuleLoadDataEx (void **module, const void *image, unsigned num, int *options, void **values)
{
  load_type *load = (load_type *) dlsym (RTLD_NEXT, "cuModuleLoadDataEx");
  const Elf64_Ehdr *header = image;

  if (load == NULL)
    return INVALID;
  uint32_t flags;
  memcpy (&flags, header->e_ident + SAVED, sizeof (flags));
  if (memcmp (header->e_ident, ELFMAG, SELFMAG) != 0 || flags == 0)
    return load (module, image, num, options, values);
  size_t size = size_of (header);
  Elf64_Ehdr *copy = malloc (size);
  if (copy == NULL)
    return NO_MEMORY;
  memcpy (copy, image, size);
  copy->e_flags = flags;
  memset (copy->e_ident + SAVED, 0, sizeof (flags));
  int result = load (module, copy, num, options, values);
  free (copy);
  return result;
}
