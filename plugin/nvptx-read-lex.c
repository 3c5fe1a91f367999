/* nvptx-read-lex.c -- the reader of PTX: comments, words, numbers, strings, and what to say about a
   text that is refused.

   Numbers are read where instructions, initialisers and directives have them.  Sums and products of
   constants are worked out; other expressions, which no compiler writes, are refused.  */

#include "nvptx-reader.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Reasons ---- */

bool
ptx_fail (struct ptx_reader *r, const char *format, ...)
{
  va_list args;
  int n = snprintf (r->why, PTX_WHY, "line %u: ", r->line);
  va_start (args, format);
  vsnprintf (r->why + n, PTX_WHY - n, format, args);
  va_end (args);
  /* Names come from the text, which may be anything.  */
  for (char *p = r->why; *p != 0; p++)
    if ((unsigned char) *p < ' ' || (unsigned char) *p > '~')
      *p = '?';
  return false;
}

bool
ptx_fail_memory (struct ptx_reader *r)
{
  return ptx_fail (r, "no memory");
}

bool
ptx_expected (struct ptx_reader *r, const char *what)
{
  ptx_skip_space (r);
  size_t n = 0;
  while (n < 20 && r->p[n] != 0 && r->p[n] != '\n')
    n++;
  return n == 0 ? ptx_fail (r, "%s expected, not the end of the %s", what,
			    *r->p == 0 ? "text" : "line")
		: ptx_fail (r, "%s expected, not \"%.*s\"", what, (int) n, r->p);
}

/* ---- Comments ---- */

static bool
skip_text (const char **p, const char *text)
{
  size_t n = strlen (text);
  if (strncmp (*p, text, n) != 0)	/* ends at the NUL */
    return false;
  *p += n;
  return true;
}

static void
read_mark (struct ptx_reader *r)
{
  const char *p = r->p;
  uint8_t mark = PTX_MARKED;

  if (!skip_text (&p, "// BEGIN "))
    return;
  if (skip_text (&p, "PREAMBLE"))
    {
      r->module->preamble = true;
      return;
    }
  if (skip_text (&p, "GLOBAL "))
    mark |= PTX_MARK_GLOBAL;
  else if (skip_text (&p, "WEAK "))
    mark |= PTX_MARK_WEAK;
  bool variable = skip_text (&p, "VAR ");
  if (!variable && !skip_text (&p, "FUNCTION "))
    return;
  if (skip_text (&p, "DEF: "))
    mark |= PTX_MARK_DEF;
  else if (!skip_text (&p, "DECL: "))
    return;
  r->mark = mark;
  r->mark_variable = variable;
}

bool
ptx_skip_comment (struct ptx_reader *r)
{
  const char *p = r->p;
  if (p[1] == '/')
    {
      if (!r->is_body)
	read_mark (r);
      while (*p != '\n' && *p != 0)
	p++;
    }
  else if (p[1] == '*')
    {
      const char *end = strstr (p + 2, "*/");
      if (end == NULL)
	{
	  r->module->can_grow = false;
	  r->p = r->end;
	  return true;
	}
      for (; p < end; p++)
	r->line += *p == '\n';
      p = end + 2;
    }
  else
    return false;
  r->p = p;
  return true;
}

/* ---- Words and numbers ---- */

ptx_name
ptx_expect_name (struct ptx_reader *r)
{
  ptx_skip_space (r);
  if (ptx_begins_name (*r->p))
    return ptx_read_name (r);
  ptx_expected (r, "a name");
  return 0;
}

ptx_name
ptx_read_word (struct ptx_reader *r)
{
  if (*r->p == '.' && ptx_is_name_char (r->p[1]))
    return ptx_read_name (r);
  ptx_expected (r, "a directive");
  return 0;
}

static bool
read_digits (struct ptx_reader *r, unsigned base, struct ptx_operand *o)
{
  const char *start = r->p;
  uint64_t value = 0;
  for (;; r->p++)
    {
      unsigned char c = (unsigned char) *r->p;
      unsigned digit = ptx_is_digit (*r->p) ? (unsigned) (c - '0')
		       : ptx_char[c] & PTX_C_HEX ? (unsigned) ((c | 32) - 'a' + 10) : 99;
      if (digit >= base)
	break;
      if (__builtin_mul_overflow (value, base, &value)
	  || __builtin_add_overflow (value, digit, &value))
	return ptx_fail (r, "a number of more than 64 bits");
    }
  if (r->p == start)
    return ptx_expected (r, "a digit");
  *o = (struct ptx_operand) { .kind = PTX_O_INT, .u.value = value };
  if (*r->p == 'U')
    {
      o->flags = PTX_UNSIGNED;
      r->p++;
    }
  return true;
}

/* 0f and 0d: the digits of a float's bits.  */
static bool
read_bits (struct ptx_reader *r, ptrdiff_t digits, struct ptx_operand *o)
{
  const char *start = r->p;
  if (!read_digits (r, 16, o))
    return false;
  o->kind = digits == 8 ? PTX_O_F32 : PTX_O_F64;
  return r->p - start == digits || ptx_fail (r, "a float has %d digits", (int) digits);
}

/* 1.5 and 1e5: a double.  */
static bool
read_decimal (struct ptx_reader *r, struct ptx_operand *o)
{
  /* Programs may use a comma.  */
  locale_t c = newlocale (LC_ALL_MASK, "C", NULL);
  if (c == NULL)
    return ptx_fail_memory (r);
  char *end;
  double value = strtod_l (r->p, &end, c);
  freelocale (c);
  r->p = end;
  *o = (struct ptx_operand) { .kind = PTX_O_F64 };
  memcpy (&o->u.value, &value, sizeof (value));
  return true;
}

static bool
read_literal (struct ptx_reader *r, struct ptx_operand *o)
{
  bool good;
  if (*r->p == '0' && ptx_char[(unsigned char) r->p[1]] & PTX_C_NAME)
    {
      char c = r->p[1] | 32;
      unsigned base = c == 'x' ? 16 : c == 'b' ? 2 : 8;
      bool is_float = c == 'f' || c == 'd';
      r->p += base != 8 || is_float ? 2 : 1;
      /* 0U  */
      if (base == 8 && r->p[0] == 'U')
	r->p--;
      good = is_float ? read_bits (r, c == 'f' ? 8 : 16, o) : read_digits (r, base, o);
    }
  else
    {
      const char *p = r->p;
      while (ptx_is_digit (*p))
	p++;
      good = *p == '.' || *p == 'e' || *p == 'E' ? read_decimal (r, o) : read_digits (r, 10, o);
    }
  return good && (!ptx_is_name_char (*r->p) || ptx_expected (r, "the end of a number"));
}

static bool read_sum (struct ptx_reader *r, struct ptx_operand *o, unsigned depth);

static bool
read_primary (struct ptx_reader *r, struct ptx_operand *o, unsigned depth)
{
  ptx_skip_space (r);
  char c = *r->p;
  if (ptx_is_digit (c))
    return read_literal (r, o);
  if (c != '-' && c != '~' && c != '(')
    return ptx_expected (r, "a number");
  if (depth == 0)
    return ptx_fail (r, "too many parentheses and signs in an expression");
  r->p++;
  if (c == '(')
    return read_sum (r, o, depth - 1) && ptx_expect (r, ')');
  if (!read_primary (r, o, depth - 1))
    return false;
  if (o->kind == PTX_O_INT)
    {
      o->u.value = c == '-' ? -o->u.value : ~o->u.value;
      if (c == '-')
	o->flags ^= o->u.value != 0 ? PTX_NEGATIVE : 0;
      else
	o->flags = o->u.value >> 63 ? PTX_NEGATIVE : 0;
      return true;
    }
  if (c == '~')
    return ptx_expected (r, "an integer");
  o->u.value ^= o->kind == PTX_O_F32 ? UINT64_C (1) << 31 : UINT64_C (1) << 63;
  return true;
}

/* A sum of numbers.  DEPTH: so many parentheses may come.  */
static bool
read_sum (struct ptx_reader *r, struct ptx_operand *o, unsigned depth)
{
  if (!read_primary (r, o, depth))
    return false;
  for (;;)
    {
      struct ptx_operand more;
      ptx_skip_space (r);
      char c = *r->p;
      if (o->kind != PTX_O_INT || (c != '+' && c != '-' && c != '*'))
	return true;
      r->p++;
      if (!read_primary (r, &more, depth))
	return false;
      if (more.kind != PTX_O_INT)
	return ptx_expected (r, "an integer");
      if (c == '*' && o->flags != 0)
	return ptx_fail (r, "an expression with *, which is read in simple ones only");
      o->u.value = c == '+' ? o->u.value + more.u.value
		   : c == '-' ? o->u.value - more.u.value : o->u.value * more.u.value;
      o->flags = o->u.value >> 63 ? PTX_NEGATIVE : 0;
    }
}

bool
ptx_read_number (struct ptx_reader *r, struct ptx_operand *o)
{
  return read_sum (r, o, PTX_MOST_PARENTHESES);
}

bool
ptx_read_integer (struct ptx_reader *r, uint64_t *value)
{
  struct ptx_operand o;
  if (!ptx_read_number (r, &o))
    return false;
  *value = o.u.value;
  return (o.kind == PTX_O_INT && (o.flags & PTX_NEGATIVE) == 0)
	 || ptx_fail (r, "an integer that isn't negative was expected");
}

bool
ptx_read_u32 (struct ptx_reader *r, uint32_t *value)
{
  uint64_t wide;
  if (!ptx_read_integer (r, &wide))
    return false;
  *value = (uint32_t) wide;
  return wide < UINT32_MAX || ptx_fail (r, "the number is too large");
}

bool
ptx_read_plain (struct ptx_reader *r, uint32_t *value)
{
  uint32_t v = 0;
  ptx_skip_space (r);
  const char *start = r->p;
  for (; ptx_is_digit (*r->p); r->p++)
    {
      if (v > UINT32_MAX / 10 - 1)
	return ptx_fail (r, "the number is too large");
      v = v * 10 + (uint32_t) (*r->p - '0');
    }
  *value = v;
  return r->p > start || ptx_expected (r, "a number");
}

bool
ptx_read_string (struct ptx_reader *r, const char **text, uint32_t *length)
{
  ptx_skip_space (r);
  const char *p = r->p;
  if (*p != '"')
    return ptx_expected (r, "a string");
  for (p++; *p != '"'; p++)
    {
      if (*p == 0 || *p == '\n')
	return ptx_fail (r, "a string without an end");
      if (*p == '\\' && p[1] != 0 && p[1] != '\n')
	p++;
    }
  p++;
  *text = r->p;
  *length = (uint32_t) (p - r->p);
  r->p = p;
  return true;
}

/* ---- Characters ---- */

#define D (PTX_C_NAME | PTX_C_DIGIT | PTX_C_HEX)
#define H (PTX_C_NAME | PTX_C_HEX)
#define N PTX_C_NAME
const uint8_t ptx_char[256] =
{
  ['0'] = D, ['1'] = D, ['2'] = D, ['3'] = D, ['4'] = D, ['5'] = D, ['6'] = D, ['7'] = D,
  ['8'] = D, ['9'] = D, ['a'] = H, ['b'] = H, ['c'] = H, ['d'] = H, ['e'] = H, ['f'] = H,
  ['A'] = H, ['B'] = H, ['C'] = H, ['D'] = H, ['E'] = H, ['F'] = H, ['g'] = N, ['h'] = N,
  ['i'] = N, ['j'] = N, ['k'] = N, ['l'] = N, ['m'] = N, ['n'] = N, ['o'] = N, ['p'] = N,
  ['q'] = N, ['r'] = N, ['s'] = N, ['t'] = N, ['u'] = N, ['v'] = N, ['w'] = N, ['x'] = N,
  ['y'] = N, ['z'] = N, ['G'] = N, ['H'] = N, ['I'] = N, ['J'] = N, ['K'] = N, ['L'] = N,
  ['M'] = N, ['N'] = N, ['O'] = N, ['P'] = N, ['Q'] = N, ['R'] = N, ['S'] = N, ['T'] = N,
  ['U'] = N, ['V'] = N, ['W'] = N, ['X'] = N, ['Y'] = N, ['Z'] = N, ['_'] = N, ['$'] = N
};
