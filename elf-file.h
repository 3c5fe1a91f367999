/* elf-file.h -- the ELF file that a loaded module came from.  */

#ifndef GOMP_ELF_FILE_H
#define GOMP_ELF_FILE_H 1

#include "libgomp.h"

#include <link.h>
#include <stdio.h>

struct gomp_elf
{
  int fd;
  uint64_t size;
  ElfW (Ehdr) header;
  ElfW (Shdr) *sections;	/* all of them, with index < num_sections; unchecked values */
  uint64_t num_sections;
  char *names;			/* section names, NUL-terminated */
  uint64_t names_size;
};

/* Open the file of the module INFO, whose name goes into PATH (PATH_MAX bytes; "" when it is not
   known).  Answers what is wrong, or NULL.  Works inside dl_iterate_phdr.  */
const char *gomp_elf_open (struct gomp_elf *, const struct dl_phdr_info *info, char *path);
/* Read the section headers.  Answers what is wrong with them, or NULL.  */
const char *gomp_elf_read_sections (struct gomp_elf *);
/* The oldest GCC among the compilers that the file's section .comment names: its major number.  0: the
   section is not there, or names other compilers, too.  After gomp_elf_read_sections.  */
unsigned gomp_elf_oldest_gcc (const struct gomp_elf *);
/* SIZE bytes at OFFSET; false: the file has not got them.  */
bool gomp_elf_read (const struct gomp_elf *, void *buf, uint64_t size, uint64_t offset);
void gomp_elf_close (struct gomp_elf *);

/* Is [START, END) inside one segment of the module, with all of FLAGS (PF_R ...)?  */
bool gomp_elf_segment_holds (const struct dl_phdr_info *, uint64_t start, uint64_t end,
			     unsigned flags);
/* Does the module refer to the symbol NAME of another one?  Looks at its memory, not at the file.  */
bool gomp_elf_imports (const struct dl_phdr_info *, const char *name);

/* The name of the symbol at ADDR, with an offset and the module where that helps, into BUF:
   "main._omp_fn.0", "table+0x10", "0x1234".  Local symbols are found in the module's file,
   unless it is stripped.  Slow: for messages.  Answers BUF.  */
const char *gomp_symbol_name (const void *addr, char *buf, size_t size);
/* The same, but only a name from a symbol table will do.  */
bool gomp_symbol_lookup (const void *addr, char *buf, size_t size);
/* A variable by its symbol.  */
struct gomp_variable
{
  uint64_t start, end;
  bool copied;			/* another module's, which an executable has by a copy relocation */
  char name[256];		/* as in the symbol table */
};
/* The variable that holds ADDR; false: no symbol table of a file has it, START and END are those of
   what lies between its neighbours, without a name.  Slow.  */
bool gomp_symbol_variable (uint64_t addr, struct gomp_variable *);
/* Has the file of the module that holds ADDR a function whose name begins with PREFIX?  Slow.  */
bool gomp_symbol_function (uint64_t addr, const char *prefix);
/* source-line.c.  "  source: main at t.c:12", or the command that tells so, for the code at ADDR; whole
   lines, none without debug information.  Slow.  */
void gomp_print_source_line (FILE *, const void *addr);
/* The file of the module that holds ADDR, into BUF; "" when none does.  */
const char *gomp_module_name (const void *addr, char *buf, size_t size);

#endif /* GOMP_ELF_FILE_H */
