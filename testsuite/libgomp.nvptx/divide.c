/* Divisions by constants: what stands in their place computes the same, for divisors of all kinds and
   numbers around all that could be a limit; and what is replaced and what is not.
   TEST-MODES: host
   TEST-OPTIONS: -D_GNU_SOURCE -I@top_srcdir@/plugin @top_srcdir@/plugin/nvptx-divide.c @top_srcdir@/plugin/nvptx-print.c @top_srcdir@/plugin/nvptx-read.c @top_srcdir@/plugin/nvptx-read-body.c @top_srcdir@/plugin/nvptx-read-build.c @top_srcdir@/plugin/nvptx-read-lex.c @top_srcdir@/plugin/nvptx-read-names.c @top_srcdir@/plugin/nvptx-read-scope.c  */

#include "nvptx-inline.h"
#include "aux-change.h"

#include <inttypes.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 wide;
__extension__ typedef __int128 wide_signed;

/* ---- an interpreter of what may stand there ---- */

enum { MOST_LINES = 12, MOST_REGISTERS = 8, NAME = 32 };

struct machine
{
  int num;
  struct { char name[NAME]; uint64_t value; } registers[MOST_REGISTERS];
};

static uint64_t *
find (struct machine *m, const char *name)
{
  int i = 0;

  while (i < m->num && strcmp (m->registers[i].name, name) != 0)
    i++;
  if (i == MOST_REGISTERS)
    {
      puts ("too many registers");
      exit (2);
    }
  if (i == m->num)
    {
      m->num++;
      snprintf (m->registers[i].name, NAME, "%s", name);
      m->registers[i].value = 0x5a5a5a5a5a5a5a5a;
    }
  return &m->registers[i].value;
}

static uint64_t
operand (struct machine *m, const char *text)
{
  return *text == '%' ? *find (m, text) : (uint64_t) strtoull (text, NULL, 10);
}

/* VALUE as a number of BITS, with or without a sign.  */
static wide_signed
number (uint64_t value, unsigned bits, bool is_signed)
{
  if (bits == 32)
    return is_signed ? (int32_t) value : (wide_signed) (uint32_t) value;
  return is_signed ? (int64_t) value : (wide_signed) value;
}

/* Execute one line: true, or false if it is something else.  */
static bool
execute (struct machine *m, const char *line)
{
  char op[NAME], to[NAME], a[NAME], b[NAME], kind;
  unsigned bits;

  line += strspn (line, "\t");
  if (strncmp (line, ".reg ", 5) == 0)
    return true;
  if (sscanf (line, "%31[a-z.]%u %31[^,;],%31[^,;],%31[^,;];", op, &bits, to, a, b) < 4 || strrchr (op, '.') == NULL)
    return false;
  kind = strrchr (op, '.')[1];
  wide_signed x = number (operand (m, a), bits, kind == 's'), y = 0;
  if (strncmp (op, "mov", 3) != 0)
    y = number (operand (m, b), bits, kind == 's' && strncmp (op, "shr", 3) != 0);
  wide_signed result;
  if (strncmp (op, "mul.hi", 6) == 0)
    /* Of 64 bits the product of unsigned numbers needs all of it.  */
    result = kind == 's' ? x * y >> bits : (wide_signed) ((wide) x * (wide) y >> bits);
  else if (strncmp (op, "mul.lo", 6) == 0)
    result = (wide_signed) ((wide) x * (wide) y);
  else if (strncmp (op, "add", 3) == 0)
    result = x + y;
  else if (strncmp (op, "sub", 3) == 0)
    result = x - y;
  else if (strncmp (op, "shr", 3) == 0)
    result = x >> y;
  else if (strncmp (op, "mov", 3) == 0)
    result = x;
  else
    return false;
  *find (m, to) = bits == 32 ? (uint32_t) result : (uint64_t) result;
  return true;
}

/* ---- numbers ---- */

struct program
{
  char *text;
  const char *lines[MOST_LINES];
  int num;
};

static void
make_program (struct program *p, const char *statement)
{
  char program[200];

  snprintf (program, sizeof (program), "%s\n", statement);
  p->text = changed_by (nvptx_divide_by_constants, program, strlen (program) + 1);
  p->num = 0;
  if (p->text == NULL)
    {
      printf ("%s: stays\n", statement);
      failures++;
      return;
    }
  for (char *line = p->text, *end; (end = strchr (line, '\n')) != NULL && p->num < MOST_LINES; line = end + 1)
    {
      *end = '\0';
      p->lines[p->num++] = line;
    }
}

static bool
computes (const struct program *p, uint64_t n, uint64_t expected, unsigned bits)
{
  struct machine m = { .num = 0 };

  *find (&m, "%n") = n;
  for (int i = 0; i < p->num; i++)
    if (!execute (&m, p->lines[i]))
      {
	printf ("%s: is not known\n", p->lines[i]);
	return false;
      }
  return number (*find (&m, "%q"), bits, false) == number (expected, bits, false);
}

/* N divided by D, or the rest.  */
static uint64_t
divide (uint64_t n, uint64_t d, unsigned bits, bool is_signed, bool rest)
{
  wide_signed x = number (n, bits, is_signed), y = number (d, bits, is_signed);
  return (uint64_t) (rest ? x % y : x / y);
}

static uint64_t state = 36;

static uint64_t
draw (void)
{
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static void
try_divisor (uint64_t d, unsigned bits, bool is_signed, bool rest)
{
  uint64_t most = bits == 32 ? UINT32_MAX : UINT64_MAX, numbers[120];
  struct program p;
  char statement[100];
  int num = 0;

  snprintf (statement, sizeof (statement), "\t%s.%c%u\t%%q,%%n,%" PRIu64 ";", rest ? "rem" : "div", is_signed ? 's' : 'u', bits, d);
  make_program (&p, statement);
  if (p.text == NULL)
    return;
  for (int k = -3; k <= 3; k++)
    {
      uint64_t near[] = { 0, most / 2, most, d, most / d * d, most / 2 / d * d, most / 4 / d * d, (most / d - 1) * d };
      for (unsigned i = 0; i < sizeof (near) / sizeof (near[0]); i++)
	{
	  numbers[num++] = near[i] + (uint64_t) k;
	  numbers[num++] = -near[i] + (uint64_t) k;
	}
    }
  for (; num < 120; num++)
    numbers[num] = num % 2 == 0 ? draw () : draw () % (most / d + 1) * d + draw () % 3 - 1;
  for (int i = 0; i < num; i++)
    if (!computes (&p, numbers[i] & most, divide (numbers[i] & most, d, bits, is_signed, rest), bits))
      {
	printf ("%s: wrong for %" PRIu64 "\n", statement, numbers[i] & most);
	failures++;
	break;
      }
  free (p.text);
}

/* ---- texts ---- */

static void
becomes (const char *text, const char *expected)
{
  char *now = changed_by (nvptx_divide_by_constants, text, strlen (text) + 1);
  if ((now == NULL) != (expected == NULL) || (now != NULL && strcmp (now, expected) != 0))
    {
      printf ("%s becomes\n%s\nnot\n%s\n", text, now != NULL ? now : "nothing else", expected != NULL ? expected : "what it is");
      failures++;
    }
  free (now);
}

#define STAYS(text) becomes ("\t" text "\n", NULL)

int
main (void)
{
  for (int form = 0; form < 8; form++)
    {
      unsigned bits = form % 2 == 0 ? 32 : 64;
      uint64_t most = bits == 32 ? UINT32_MAX : UINT64_MAX;
      for (uint64_t d = 3; d < 1000; d++)
	if ((d & (d - 1)) != 0)
	  try_divisor (d, bits, form & 2, form & 4);
      for (unsigned i = 2; i + 1 < bits; i++)
	for (int k = -2; k <= 2; k++)
	  {
	    uint64_t d = ((uint64_t) 1 << i) + (uint64_t) k;
	    if (d >= 3 && (d & (d - 1)) != 0)
	      try_divisor (d, bits, form & 2, form & 4);
	  }
      for (int i = 0; i < 1000; i++)
	{
	  uint64_t d = (draw () & (most >> 1)) >> draw () % (bits - 3);
	  if (d >= 3 && (d & (d - 1)) != 0)
	    try_divisor (d, bits, form & 2, form & 4);
	}
      try_divisor (most / 2, bits, form & 2, form & 4);
      try_divisor (most / 2 - 1, bits, form & 2, form & 4);
    }

  becomes ("a;\n\trem.s32 %r31, %r30, 24;\nb;\n",
	   "a;\n\t.reg .u32 %gompx_d0_q;\n\t.reg .u32 %gompx_d0_s;\n"
	   "\tmul.hi.s32 %gompx_d0_q,%r30,715827883;\n\tshr.s32 %gompx_d0_q,%gompx_d0_q,2;\n"
	   "\tshr.u32 %gompx_d0_s,%r30,31;\n\tadd.s32 %gompx_d0_q,%gompx_d0_q,%gompx_d0_s;\n"
	   "\tmul.lo.s32 %gompx_d0_q,%gompx_d0_q,24;\n\tsub.s32 %r31,%r30,%gompx_d0_q;\nb;\n");
  /* A guard stands at the end only, and numbers go on.  */
  becomes ("@!%p div.u32\t%r1,%r2.x,3;\ndiv.u32 %r1,%r1,3;\n",
	   "\t.reg .u32 %gompx_d0_q;\n\t.reg .u32 %gompx_d0_s;\n\tmul.hi.u32 %gompx_d0_q,%r2.x,2863311531;\n"
	   "\tshr.u32 %gompx_d0_q,%gompx_d0_q,1;\n\t@!%p mov.u32 %r1,%gompx_d0_q;\n"
	   "\t.reg .u32 %gompx_d1_q;\n\t.reg .u32 %gompx_d1_s;\n\tmul.hi.u32 %gompx_d1_q,%r1,2863311531;\n"
	   "\tshr.u32 %gompx_d1_q,%gompx_d1_q,1;\n\tmov.u32 %r1,%gompx_d1_q;\n");
  STAYS ("div.s32 %r1,%r2,%r3;");
  STAYS ("div.s32 %r1,100,3;");
  STAYS ("div.s32 %r1,%r2,1;");
  STAYS ("div.s32 %r1,%r2,2;");
  STAYS ("div.s32 %r1,%r2,0;");
  STAYS ("rem.u64 %r1,%r2,4096;");
  STAYS ("div.s32 %r1,%r2,-3;");
  STAYS ("div.u32 %r1,%r2,2147483649;");
  STAYS ("div.u32 %r1,%r2,4294967299;");
  STAYS ("div.u64 %r1,%r2,9223372036854775809;");
  STAYS ("div.u64 %r1,%r2,18446744073709551619;");
  STAYS ("div.u64 %r1,%r2,0x30;");
  STAYS ("div.u32 %r1,%r2,3U;");
  STAYS ("div.u16 %r1,%r2,3;");
  STAYS ("div.f32 %r1,%r2,3;");
  STAYS ("div.rn.f64 %r1,%r2,3;");
  STAYS ("div.full.f32 %r1,%r2,3;");
  STAYS ("div.u32 %r1,%r2,3; add.u32 %r1,%r1,1;");
  STAYS ("div.u32 %r1,%r2,3; // third");
  STAYS ("divide.u32 %r1,%r2,3;");
  STAYS ("@ div.u32 %r1,%r2,3;");
  STAYS ("div.u32 %r1,%r2 3;");
  STAYS ("div.u32 %r1,%r2");
  STAYS ("div.");
  becomes ("div.u32 %r1,%r2,3;", NULL);
  becomes ("", NULL);
  return failures != 0;
}
