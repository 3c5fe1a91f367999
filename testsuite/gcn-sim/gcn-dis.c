/* gcn-dis.c -- print the instructions of an ELF file's .text as the simulator understands them.

   gcn-dis ISA FILE: a line "OFFSET: text" for each instruction, or "OFFSET: illegal: ..." (offsets in
   hexadecimal, of the section).  For the test that compares with llvm-objdump, and to look at what the
   simulator says about a piece of code.  */

#include "isa.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
fail (const char *what, const char *name)
{
  fprintf (stderr, "gcn-dis: %s: %s\n", name, what);
  exit (2);
}

/* The whole file, with its size.  */
static char *
slurp (const char *name, size_t *size)
{
  FILE *f = fopen (name, "rb");
  if (!f)
    fail ("cannot open", name);
  size_t room = 1 << 20;
  char *data = malloc (room);
  *size = 0;
  for (;;)
    {
      if (!data)
	fail ("out of memory", name);
      size_t n = fread (data + *size, 1, room - *size, f);
      if (n == 0)
	break;
      *size += n;
      if (*size == room)
	data = realloc (data, room *= 2);
    }
  fclose (f);
  return data;
}

/* The section .text of the ELF file in DATA.  */
static const char *
find_text (const char *data, size_t size, size_t *length, const char *name)
{
  Elf64_Ehdr header;
  if (size < sizeof header || memcmp (data, ELFMAG, SELFMAG) != 0)
    fail ("is not an ELF file", name);
  memcpy (&header, data, sizeof header);
  if (header.e_shoff > size || header.e_shnum * sizeof (Elf64_Shdr) > size - header.e_shoff
      || header.e_shstrndx >= header.e_shnum)
    fail ("has no sections", name);
  Elf64_Shdr *sections = malloc (header.e_shnum * sizeof *sections);
  if (!sections)
    fail ("out of memory", name);
  memcpy (sections, data + header.e_shoff, header.e_shnum * sizeof *sections);
  const Elf64_Shdr *names = &sections[header.e_shstrndx];
  for (unsigned i = 0; i < header.e_shnum; i++)
    {
      const Elf64_Shdr *s = &sections[i];
      size_t at = names->sh_offset + s->sh_name;
      if (at + sizeof ".text" <= size && !strcmp (data + at, ".text") && s->sh_offset <= size
	  && s->sh_size <= size - s->sh_offset)
	{
	  *length = s->sh_size;
	  const char *text = data + s->sh_offset;
	  free (sections);
	  return text;
	}
    }
  fail ("has no .text", name);
  return NULL;
}

int
main (int argc, char **argv)
{
  if (argc != 3)
    {
      fprintf (stderr, "usage: gcn-dis ISA FILE\n");
      return 2;
    }
  const struct sim_isa *isa = sim_isa_find (argv[1]);
  if (!isa)
    fail ("no such ISA", argv[1]);
  size_t size, length;
  char *data = slurp (argv[2], &size);
  const char *text = find_text (data, size, &length, argv[2]);
  size_t count = length / 4;
  uint32_t *words = malloc (count * 4 + 4);
  if (!words)
    fail ("out of memory", argv[2]);
  memcpy (words, text, count * 4);
  for (size_t i = 0; i < count;)
    {
      struct sim_insn in;
      char line[200];
      sim_decode (isa, words + i, count - i > 1 ? 2 : 1, &in);
      if (in.run == sim_illegal)
	printf ("%zx: illegal: %s: %s\n", 4 * i, (const char *) in.aux_p,
		sim_disasm (&in, 0, line, sizeof line));
      else
	printf ("%zx: %s\n", 4 * i, sim_disasm (&in, 0, line, sizeof line));
      i += in.words;
    }
  free (words);
  free (data);
  return 0;
}
