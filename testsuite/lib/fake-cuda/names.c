/* names.c -- functions of the program by the names that PTX has for them.

   Reads the symbol tables of the files that the program was loaded from: most functions of regions
   are local symbols.  A `.' of the assembler is a `$' in PTX.  Called once for each function of
   a module, without fake_lock.  */

#define _GNU_SOURCE 1
#include "fake.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct wanted
{
  const char *name;
  void *address;
};

static bool
same_name (const char *symbol, const char *end, const char *ptx)
{
  for (; symbol < end && *symbol != 0; symbol++, ptx++)
    if (*ptx != (*symbol == '.' ? '$' : *symbol))
      return false;
  return symbol < end && *ptx == 0;
}

static void
search_table (const char *file, size_t size, const Elf64_Shdr *table, const Elf64_Shdr *strings,
	      uint64_t base, struct wanted *wanted)
{
  if (table->sh_offset > size || table->sh_size > size - table->sh_offset
      || strings->sh_offset > size || strings->sh_size > size - strings->sh_offset)
    return;
  const Elf64_Sym *symbols = (const Elf64_Sym *) (file + table->sh_offset);
  const char *names = file + strings->sh_offset;
  for (size_t i = 0; i < table->sh_size / sizeof (*symbols) && wanted->address == NULL; i++)
    if (ELF64_ST_TYPE (symbols[i].st_info) == STT_FUNC && symbols[i].st_value != 0
	&& symbols[i].st_name < strings->sh_size
	&& same_name (names + symbols[i].st_name, names + strings->sh_size, wanted->name))
      wanted->address = (void *) (uintptr_t) (base + symbols[i].st_value);
}

static int
search_module (struct dl_phdr_info *info, size_t info_size, void *data)
{
  struct wanted *wanted = data;
  const char *path = info->dlpi_name[0] != 0 ? info->dlpi_name : "/proc/self/exe";
  struct stat st;
  (void) info_size;
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return 0;
  if (fstat (fd, &st) == 0 && (size_t) st.st_size > sizeof (Elf64_Ehdr))
    {
      size_t size = (size_t) st.st_size;
      const char *file = mmap (NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
      if (file != MAP_FAILED)
	{
	  const Elf64_Ehdr *header = (const Elf64_Ehdr *) file;
	  const Elf64_Shdr *sections = (const Elf64_Shdr *) (file + header->e_shoff);
	  if (header->e_shoff < size
	      && header->e_shnum <= (size - header->e_shoff) / sizeof (*sections))
	    for (unsigned i = 0; i < header->e_shnum && wanted->address == NULL; i++)
	      if ((sections[i].sh_type == SHT_SYMTAB || sections[i].sh_type == SHT_DYNSYM)
		  && sections[i].sh_link < header->e_shnum)
		search_table (file, size, &sections[i], &sections[sections[i].sh_link],
			      info->dlpi_addr, wanted);
	  munmap ((void *) file, size);
	}
    }
  close (fd);
  return wanted->address != NULL;
}

void *
fake_host_function (const char *name)
{
  struct wanted wanted = { name, NULL };
  dl_iterate_phdr (search_module, &wanted);
  return wanted.address;
}
