/* nvptx-divide.c -- divisions by constants in the program's text, by multiplications.

   GCC leaves these to the assembler, and the driver's compiler makes a reciprocal of the constant
   each time: 20 to 30 instructions of 32 bits, two of them slow ones, and a call for 64 bits.  The
   upper half of a product is the same:

     rem.s32 %r31,%r30,24;   =>   .reg .u32 %gompx_d5_q;
				  .reg .u32 %gompx_d5_s;
				  mul.hi.s32 %gompx_d5_q,%r30,715827883;
				  shr.s32 %gompx_d5_q,%gompx_d5_q,2;
				  shr.u32 %gompx_d5_s,%r30,31;
				  add.s32 %gompx_d5_q,%gompx_d5_q,%gompx_d5_s;
				  mul.lo.s32 %gompx_d5_q,%gompx_d5_q,24;
				  sub.s32 %r31,%r30,%gompx_d5_q;

   With N bits, the divisor D, and M = floor (2^(N+s) / D) + 1, E = M * D - 2^(N+s) is from 1 to D,
   and n * M / 2^(N+s) = n / D + n * E / (D * 2^(N+s)).

   Unsigned: where E is at most 2^s, n * E is less than 2^(N+s), so what is added is less than 1 / D,
   and the quotient is the integer part.  M may have N + 1 bits; then n * M / 2^N is
   n + t with t = n * (M - 2^N) / 2^N, of which (n - t) / 2 + t is the half without an overflow.

   Signed: where E is at most 2^(s+1), n * E is at most 2^(N+s) for n >= -2^(N-1), and less if n is
   positive.  So n >= 0 is as above; and for n = -(q * D + r), 0 <= r < D, -n / D is followed by q + 1
   as the next integer, or is that with what is added; so 1 more than the integer below is -q.  M
   has at most N bits.

   Invariants
   1. A statement is replaced if it has a line of its own, a register is divided, and the divisor is
      a decimal number of at least 3 that is no power of two and has at most N - 1 bits.
   2. The result is the same for each number.  What is in front of the last statement sets only
      registers of its own, so a guard stands there only, and the result may be what is divided.
   3. Names of registers are such as compilers and programs don't use, and have the site's number.
   4. Nothing outside of the text is read: it ends with a NUL.

   Called by nvptx-texts.c, after versions for lanes are made, which look for GCC's divisions.  */

#include "nvptx-inline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

struct word
{
  const char *at;
  int length;
};

/* [@guard] div or rem.type RESULT, NUMBER, BY;  */
struct division
{
  struct word guard, result, number;
  bool rest, is_signed;
  unsigned bits;
  uint64_t by;
};

/* ---- reading ---- */

static const char *
skip_space (const char *p)
{
  return p + strspn (p, " \t");
}

/* The register that stands at *P, which goes on behind it.  Of length 0: there is none.  */
static struct word
read_register (const char **p)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.";
  struct word word = { *p, 0 };

  if (**p == '%')
    word.length = 1 + (int) strspn (*p + 1, letters);
  *p = skip_space (*p + word.length);
  return word;
}

static bool
read_comma (const char **p)
{
  if (**p != ',')
    return false;
  *p = skip_space (*p + 1);
  return true;
}

/* div or rem with its type.  */
static bool
read_opcode (const char **p, struct division *d)
{
  d->rest = strncmp (*p, "rem.", 4) == 0;
  if (!d->rest && strncmp (*p, "div.", 4) != 0)
    return false;
  d->is_signed = (*p)[4] == 's';
  if (!d->is_signed && (*p)[4] != 'u')
    return false;
  d->bits = strncmp (*p + 5, "32", 2) == 0 ? 32 : strncmp (*p + 5, "64", 2) == 0 ? 64 : 0;
  if (d->bits == 0 || ((*p)[7] != ' ' && (*p)[7] != '\t'))
    return false;
  *p = skip_space (*p + 7);
  return true;
}

/* The line at P is such a division: its end.  NULL: it isn't.  */
static const char *
read_division (const char *p, struct division *d)
{
  char *end;

  d->guard = (struct word) { p = skip_space (p), 0 };
  if (*p == '@')
    {
      p = skip_space (p + 1);
      p += *p == '!';
      if (read_register (&p).length < 2)
	return NULL;
      d->guard.length = (int) (p - d->guard.at);
    }
  if (!read_opcode (&p, d))
    return NULL;
  d->result = read_register (&p);
  if (d->result.length < 2 || !read_comma (&p))
    return NULL;
  d->number = read_register (&p);
  if (d->number.length < 2 || !read_comma (&p) || *p < '1' || *p > '9')
    return NULL;
  /* Too large a number is UINT64_MAX.  */
  d->by = strtoull (p, &end, 10);
  p = skip_space (end);
  return *p == ';' && p[1] == '\n' && d->by >= 3 && (d->by & (d->by - 1)) != 0
	 && d->by >> (d->bits - 1) == 0 ? p + 2 : NULL;
}

/* ---- writing ---- */

/* The least shift with which the factor, in *FACTOR without its bit N, is exact.  *MORE: it has that
   bit.  */
static unsigned
find_factor (const struct division *d, uint64_t *factor, bool *more)
{
  unsigned shift = 0;
  wide power = (wide) 1 << d->bits;

  while (d->by - (uint64_t) (power % d->by) > (uint64_t) 1 << (shift + d->is_signed))
    {
      power <<= 1;
      shift++;
    }
  wide m = power / d->by + 1;
  *more = m >> d->bits != 0;
  *factor = (uint64_t) m & (d->bits == 32 ? UINT32_MAX : UINT64_MAX);
  return shift;
}

/* The quotient of signed numbers without what negative ones need, in q; that in s.  */
static void
put_signed (struct ptx_text *out, const struct division *d, unsigned site)
{
  uint64_t factor;
  bool more;
  unsigned shift = find_factor (d, &factor, &more);
  bool negative = factor >> (d->bits - 1) != 0;
  int64_t value = d->bits == 32 ? (int32_t) factor : (int64_t) factor;

  ptx_printf (out, "\tmul.hi.s%u %%gompx_d%u_q,%.*s,%" PRId64 ";\n", d->bits, site,
	      d->number.length, d->number.at, value);
  /* The factor as a signed number is 2^N less.  */
  if (negative)
    ptx_printf (out, "\tadd.s%u %%gompx_d%u_q,%%gompx_d%u_q,%.*s;\n", d->bits, site, site,
		d->number.length, d->number.at);
  if (shift > 0)
    ptx_printf (out, "\tshr.s%u %%gompx_d%u_q,%%gompx_d%u_q,%u;\n", d->bits, site, site, shift);
  ptx_printf (out, "\tshr.u%u %%gompx_d%u_s,%.*s,%u;\n", d->bits, site, d->number.length,
	      d->number.at, d->bits - 1);
}

/* Two terms whose sum is the quotient of unsigned numbers: in q; in s, if there is another one.
   What they are shifted by then.  */
static unsigned
put_unsigned (struct ptx_text *out, const struct division *d, unsigned site, bool *two)
{
  uint64_t factor;
  unsigned shift = find_factor (d, &factor, two);

  ptx_printf (out, "\tmul.hi.u%u %%gompx_d%u_q,%.*s,%" PRIu64 ";\n", d->bits, site,
	      d->number.length, d->number.at, factor);
  if (*two)
    ptx_printf (out,
		"\tsub.u%u %%gompx_d%u_s,%.*s,%%gompx_d%u_q;\n"
		"\tshr.u%u %%gompx_d%u_s,%%gompx_d%u_s,1;\n",
		d->bits, site, d->number.length, d->number.at, site, d->bits, site, site);
  return shift - *two;
}

/* What stands in place of D.  */
static void
put_division (struct ptx_text *out, const struct division *d, unsigned site)
{
  const char sign = d->is_signed ? 's' : 'u';
  bool two = true;
  unsigned shift = 0;

  ptx_printf (out, "\t.reg .u%u %%gompx_d%u_q;\n\t.reg .u%u %%gompx_d%u_s;\n", d->bits, site,
	      d->bits, site);
  if (d->is_signed)
    put_signed (out, d, site);
  else
    shift = put_unsigned (out, d, site, &two);
  if (two)
    ptx_printf (out, "\tadd.%c%u %%gompx_d%u_q,%%gompx_d%u_q,%%gompx_d%u_s;\n", sign, d->bits, site,
		site, site);
  if (shift > 0)
    ptx_printf (out, "\tshr.u%u %%gompx_d%u_q,%%gompx_d%u_q,%u;\n", d->bits, site, site, shift);
  if (d->rest)
    ptx_printf (out, "\tmul.lo.%c%u %%gompx_d%u_q,%%gompx_d%u_q,%" PRIu64 ";\n\t%.*ssub.%c%u %.*s,%.*s,"
		"%%gompx_d%u_q;\n", sign, d->bits, site, site, d->by, d->guard.length, d->guard.at,
		sign, d->bits, d->result.length, d->result.at, d->number.length, d->number.at, site);
  else
    ptx_printf (out, "\t%.*smov.u%u %.*s,%%gompx_d%u_q;\n", d->guard.length, d->guard.at, d->bits,
		d->result.length, d->result.at, site);
}

bool
nvptx_divide_by_constants (const struct nvptx_object *object, struct nvptx_object *result)
{
  struct ptx_text out = { .size = 0 };
  unsigned sites = 0;

  result->text = NULL;
  if (object->size == 0 || memchr (object->text, 0, object->size) != object->text + object->size - 1)
    return true;
  const char *done = object->text, *line = done, *next;
  for (; *line != 0; line = next)
    {
      struct division d;
      const char *at = skip_space (line);
      next = *at == 'd' || *at == 'r' || *at == '@' ? read_division (at, &d) : NULL;
      if (next != NULL)
	{
	  ptx_print_up_to (&out, &done, line, 0);
	  done = next;
	  put_division (&out, &d, sites++);
	}
      else
	{
	  next = strchr (line, '\n');
	  next = next != NULL ? next + 1 : line + strlen (line);
	}
    }
  if (sites > 0)
    ptx_printf (&out, "%s", done);
  if (sites > 0 && !out.no_memory)
    *result = (struct nvptx_object) { out.text, out.size + 1 };
  else
    free (out.text);
  return !out.no_memory;
}
