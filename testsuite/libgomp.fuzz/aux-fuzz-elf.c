/* aux-fuzz-elf.c -- fuzz target: the file of a module.  The input is the file; where it is not one, its
   ELF header is mended, so that what follows is read.  */

#define _GNU_SOURCE 1
#include "aux-fuzz.h"
#include "elf-file.c"
#include "module.c"

#include <sys/mman.h>

static void
read_all_tables (struct gomp_elf *f)
{
  struct range found[TABLES + 1];
  char text[300];

  f->header.e_shentsize = sizeof (ElfW (Shdr));
  if (f->header.e_shoff > f->size)
    f->header.e_shoff %= f->size;
  if (find_sections (f, found) != NULL)
    return;
  for (uint64_t i = 0; i < f->num_sections; i++)
    for (uint64_t addr = 0; addr < 0x4000; addr += 0x1010)
      {
	static struct lookup l;
	l.addr = addr;
	l.found = false;
	search_symbols (f, &f->sections[i], addr, &l);
	if (l.found)
	  print_symbol (l.name, l.offset, text, sizeof (text));
      }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  struct gomp_elf f;

  memset (&f, 0, sizeof (f));
  f.fd = memfd_create ("module", MFD_CLOEXEC);
  f.size = size;
  if (f.fd < 0)
    return 0;
  if (write (f.fd, data, size) == (ssize_t) size
      && gomp_elf_read (&f, &f.header, sizeof (f.header), 0))
    FUZZ_UNTIL_EXIT (read_all_tables (&f));
  gomp_elf_close (&f);
  return 0;
}
