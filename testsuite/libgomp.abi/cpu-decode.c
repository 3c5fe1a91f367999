/* What the mapping checker thinks that instructions do to memory (plugin/cpu-decode.c), against what
   objdump says of all the code of this library, the C library and the mathematical one: operand, its size,
   reading and writing, base and index.  Instructions that are not known are no error, but
   most of what ordinary code does to memory has to be.
   TEST-OPTIONS: -I@srcdir@/..
   TEST-SKIP-SANITIZER: thread one thread, and much to read  */

#include "plugin/cpu-decode.c"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#if defined __x86_64__

enum { MOST_COMPLAINTS = 20 };
static unsigned long known, unknown, failures;

static bool
starts (const char *text, const char *start)
{
  return strncmp (text, start, strlen (start)) == 0;
}

static void
wrong (const char *line, const char *what, int got, int want)
{
  if (++failures <= MOST_COMPLAINTS)
    printf ("FAIL: %s is %d instead of %d: %s", what, got, want, line);
}

static unsigned
size_of (const char *operand)
{
  static const struct { const char *name; unsigned size; } sizes[] = {
    { "BYTE ", 1 }, { "WORD ", 2 }, { "DWORD ", 4 }, { "QWORD ", 8 }, { "TBYTE ", 10 },
    { "XMMWORD ", 16 }, { "OWORD ", 16 }, { "YMMWORD ", 32 }, { "ZMMWORD ", 64 }
  };
  for (size_t i = 0; i < sizeof (sizes) / sizeof (sizes[0]); i++)
    if (starts (operand, sizes[i].name))
      return sizes[i].size;
  return 0;
}

/* The number of the register whose name begins TEXT; -1: none of those that can be base or index.  */
static int
reg_of (const char *text)
{
  static const char *const names[]
    = { "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi" };
  if (text[0] == 'r' && isdigit (text[1]))
    return atoi (text + 1);
  for (int i = 0; i < 8; i++)
    if (starts (text, names[i]))
      return i;
  return -1;
}

/* What is between the brackets.  */
static void
address (const char *text, int *base, int *index)
{
  *base = *index = -1;
  for (const char *p = text; *p != ']' && *p != '\0'; )
    {
      size_t n = strcspn (p, "+-]");
      if (memchr (p, '*', n) != NULL)
	*index = reg_of (p);
      else if (*p == 'r')
	*base = reg_of (p);
      p += n;
      if (*p == '+' || *p == '-')
	p++;
    }
}

enum { READS = 1, WRITES = 2 };

/* What an instruction does to its first operand.  */
static int
use_of_first (const char *name)
{
  static const char *const reads[] = {
    "cmp ", "test ", "push", "call", "jmp", "mul ", "imul ", "div ", "idiv ", "bt ", "fld ", "fild ",
    "fadd", "fsub", "fmul", "fdiv", "fcom", "fiadd", "fisub", "fimul", "fidiv", "ficom", "bndmk"
  };
  static const char *const writes[] = {
    "mov", "vmov", "set", "fst", "fist", "pextr", "vpextr", "vextract", "extractps", "stos"
  };
  for (size_t i = 0; i < sizeof (reads) / sizeof (reads[0]); i++)
    if (starts (name, reads[i]))
      return READS;
  for (size_t i = 0; i < sizeof (writes) / sizeof (writes[0]); i++)
    if (starts (name, writes[i]))
      return WRITES;
  return READS | WRITES;
}

static void
compare (const char *line, const uint8_t *code, const char *text)
{
  static const char *const prefixes[] = {
    "lock ", "rep ", "repz ", "repnz ", "bnd ", "notrack ", "data16 ", "cs ", "ds ", "xacquire ",
    "xrelease ", "{vex} ", "rex.W "
  };
  struct gomp_cpu_insn i;

  for (size_t k = 0; k < sizeof (prefixes) / sizeof (prefixes[0]); )
    if (starts (text, prefixes[k]))
      {
	text += strlen (prefixes[k]);
	k = 0;
      }
    else
      k++;
  const char *operand = text + strcspn (text, " "), *mem = strstr (text, " PTR ");
  operand += strspn (operand, " ");
  /* No access, or what the processor does with a stack or a table of its own.  */
  if (starts (text, "lea ") || starts (text, "nop") || starts (text, "prefetch") || starts (text, "(bad)")
      || (mem == NULL && strchr (text, '[') != NULL))
    return;
  bool is_known = gomp_cpu_decode (code, &i);
  if (mem != NULL)
    is_known ? known++ : unknown++;
  if (!is_known)
    return;
  if (i.mem != (mem != NULL))
    {
      wrong (line, "the memory operand", i.mem, mem != NULL);
      return;
    }
  if (mem == NULL)
    return;
  const char *type = mem;
  while (type > text && type[-1] != ' ' && type[-1] != ',')
    type--;
  unsigned size = size_of (type);
  if (i.exact && size != 0 && i.size != size)
    wrong (line, "the size", i.size, size);
  if (strstr (text, "es:[") != NULL || strstr (text, "ds:[") != NULL)
    return;			/* two operands, of fixed registers */
  int use = type == operand ? use_of_first (text) : READS;
  if (type != operand && (starts (text, "xchg") || starts (text, "xadd")))
    use = READS | WRITES;
  if (i.read != ((use & READS) != 0))
    wrong (line, "reading", i.read, (use & READS) != 0);
  if (i.write != ((use & WRITES) != 0))
    wrong (line, "writing", i.write, (use & WRITES) != 0);
  int base = -1, index = -1;
  const char *bracket = strchr (mem, '[');
  if (bracket != NULL)
    address (bracket + 1, &base, &index);
  if (i.base != base)
    wrong (line, "the base", i.base, base);
  if (i.index != index)
    wrong (line, "the index", i.index, index);
}

/* "  1139:\t48 8b 05 a8 2e 00 00 \tmov    rax,QWORD PTR [rip+0x2ea8]        # 3fe8 ..."  */
static void
one_line (const char *line)
{
  uint8_t code[64] = { 0 };
  const char *p = strchr (line, '\t'), *text;
  char *end;
  unsigned n = 0;

  if (p == NULL || (text = strchr (++p, '\t')) == NULL)
    return;
  while (p < text && n < 16)
    {
      unsigned long byte = strtoul (p, &end, 16);
      if (end == p || end > text)
	break;
      code[n++] = byte;
      p = end;
      while (*p == ' ')
	p++;
    }
  if (n > 0)
    compare (line, code, text + 1);
}

static bool
disassemble (const char *file)
{
  char command[5200], line[1000];
  unsigned long lines = 0;

  snprintf (command, sizeof (command), "objdump -d -w -M intel '%s' 2>/dev/null", file);
  FILE *f = popen (command, "r");
  while (f != NULL && fgets (line, sizeof (line), f) != NULL)
    {
      lines++;
      one_line (line);
    }
  return f != NULL && pclose (f) == 0 && lines > 0;
}

/* The file that this program has loaded as NAME.  */
static bool
find_file (const char *name, char *file, size_t size)
{
  FILE *f = fopen ("/proc/self/maps", "r");
  char line[5000];
  bool found = false;

  while (f != NULL && !found && fgets (line, sizeof (line), f) != NULL)
    {
      char *path = strchr (line, '/');
      if (path != NULL && strstr (path, name) != NULL)
	{
	  path[strcspn (path, "\n")] = '\0';
	  snprintf (file, size, "%s", path);
	  found = true;
	}
    }
  if (f != NULL)
    fclose (f);
  return found;
}

#include <math.h>
#include <omp.h>

int
main (int argc, char **argv)
{
  static const char *const names[] = { "/libgomp", "/libm", "/libc" };
  char file[5000];

  (void) argv;
  if (system ("objdump --version > /dev/null 2>&1") != 0)
    {
      printf ("objdump is not installed\n");
      return 77;
    }
  /* So that they are loaded.  */
  if (sin (argc) > 2 || omp_get_level () > 0)
    return 1;
  for (size_t i = 0; i < sizeof (names) / sizeof (names[0]); i++)
    if (!find_file (names[i], file, sizeof (file)))
      printf ("no %s\n", names[i]);
    else if (!disassemble (file))
      {
	printf ("objdump cannot read %s\n", file);
	return 77;
      }
  printf ("%lu instructions with a memory operand are known, %lu are not, %lu errors\n", known,
	  unknown, failures);
  if (known < 10000 || known < 20 * unknown)
    {
      printf ("FAIL: too few are known\n");
      return 1;
    }
  return failures != 0;
}

#else

int
main (void)
{
  printf ("not for this processor\n");
  return 77;
}

#endif
