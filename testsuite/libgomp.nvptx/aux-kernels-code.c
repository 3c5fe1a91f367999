/* aux-kernels-code.c -- expressions, statements and functions of random target regions (aux-kernels.c, whose
   invariants these are, too).  */

#include "aux-kernels.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- chance ---- */

static uint64_t state;

void
start_from (unsigned long seed)
{
  state = seed * 1000003;
}

unsigned
below (unsigned n)
{
  state += 0x9e3779b97f4a7c15;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return (uint32_t) ((z ^ (z >> 31)) >> 16) % n;
}

bool
chance (unsigned percent)
{
  return below (100) < percent;
}

/* ---- text ---- */

/* Text that lives as long as the program.  */
const char *
text (const char *format, ...)
{
  va_list args;
  char *result;
  va_start (args, format);
  if (vasprintf (&result, format, args) < 0)
    abort ();
  va_end (args);
  return result;
}

static unsigned indent;
static FILE *copies[2];	/* where lines go; both NULL: standard output */

void
lines_to (FILE *one, FILE *other)
{
  copies[0] = one;
  copies[1] = other;
}

void
line (const char *format, ...)
{
  for (unsigned i = 0; i < 2; i++)
    {
      FILE *to = copies[i] == NULL && copies[!i] == NULL && i == 0 ? stdout : copies[i];
      va_list args;
      if (to == NULL)
	continue;
      va_start (args, format);
      fprintf (to, "%*s", format[0] == '#' ? 0 : (int) indent * 2, "");
      vfprintf (to, format, args);
      putc ('\n', to);
      va_end (args);
    }
}

void
open_block (void)
{
  line ("{");
  indent++;
}

void
close_block (void)
{
  indent--;
  line ("}");
}

/* ---- what there is ---- */

const struct type_names types[NUM_TYPES] =
{
  { "signed char", "i8" }, { "unsigned char", "u8" }, { "short", "i16" }, { "unsigned short", "u16" },
  { "int", "i32" }, { "unsigned", "u32" }, { "long", "i64" }, { "unsigned long", "u64" },
  { "float", "f32" }, { "double", "f64" }
};

struct var
{
  unsigned type, size;		/* SIZE > 0: an array */
  bool constant;
  char name[48];
};

static struct var vars[MAX_VARS];
static unsigned num_vars;
enum kind kind;
static unsigned spent, times;	/* invariant 4: so far, and by what loops multiply */
unsigned names;
int returns = -1;

enum what { SCALAR, RECURSIVE, ARRAY, CONTEXT, RECORD };
static struct helper
{
  enum what what;
  enum kind kind;
  unsigned type, num_params, param[4], cost;
} helpers[MAX_HELPERS];
static unsigned num_helpers;

unsigned
any_type (void)
{
  return below (kind == INTEGERS ? NUM_INTEGERS : NUM_TYPES);
}

bool
is_float (unsigned type)
{
  return type >= NUM_INTEGERS;
}

static struct var *
new_var (unsigned type, unsigned size)
{
  if (num_vars == MAX_VARS)
    abort ();
  struct var *v = &vars[num_vars++];
  v->type = type;
  v->size = size;
  v->constant = false;
  snprintf (v->name, sizeof (v->name), "%c%u", size > 0 ? 't' : 'v', names++);
  return v;
}

/* A random variable: FLOATING or not, an array or not.  NULL: there is none.  */
static struct var *
some_var (bool floating, bool array)
{
  unsigned from = num_vars > 0 ? below (num_vars) : 0;
  for (unsigned i = 0; i < num_vars; i++)
    {
      struct var *v = &vars[(from + i) % num_vars];
      if (is_float (v->type) == floating && (v->size > 0) == array)
	return v;
    }
  return NULL;
}

void
add_var (unsigned type, const char *name)
{
  snprintf (new_var (type, 0)->name, sizeof (vars[0].name), "%s", name);
}

static bool
spend (unsigned cost)
{
  if (spent + cost * times > BUDGET)
    return false;
  spent += cost * times;
  return true;
}

/* ---- expressions ---- */

static const char *float_expr (unsigned depth);

/* Of TYPE.  */
static const char *
expr (unsigned type, unsigned depth)
{
  const char *e = is_float (type) ? float_expr (depth) : int_expr (depth);
  return text (is_float (type) ? "(%s) FOLD (%s)" : "(%s) (%s)", types[type].name, e);
}

static const char *
helper_call (bool floating, unsigned depth)
{
  unsigned from = num_helpers > 0 ? below (num_helpers) : 0;
  for (unsigned i = 0; i < num_helpers; i++)
    {
      unsigned n = (from + i) % num_helpers;
      const struct helper *h = &helpers[n];
      if (h->what > RECURSIVE || h->kind > kind || is_float (h->type) != floating || !spend (h->cost))
	continue;
      const char *args = h->what == RECURSIVE ? text (", (%s) & 7", int_expr (depth - 1)) : "";
      for (unsigned k = 0; k < h->num_params; k++)
	args = text ("%s, %s", args, expr (h->param[k], depth - 1));
      return text ("h%u (ix%s)", n, args);
    }
  return NULL;
}

const char *(*more_leaves) (void);

static const char *
int_leaf (void)
{
  const struct var *v = NULL;
  if (more_leaves != NULL && chance (50))
    return more_leaves ();
  switch (below (8))
    {
    case 0:
      return text ("%u", below (chance (50) ? 20 : 100000));
    case 1:
      return text (chance (50) ? "-%uL" : "0x%xul", below (1u << 31) + 1);
    case 2:
      return text ("in_%s[(ix + %u) & %u]", types[below (NUM_INTEGERS)].tag, below (IN), IN - 1);
    case 3:
      if ((v = some_var (false, true)) != NULL)
	return text ("%s[(ix ^ %u) %% %u]", v->name, below (100), v->size);
      break;
    case 4:
      return "ix";
    default:
      break;
    }
  v = some_var (false, false);
  return v != NULL ? v->name : "ix";
}

const char *
int_expr (unsigned depth)
{
  const char *a, *b, *c;

  if (depth == 0 || !spend (1))
    return int_leaf ();
  depth--;
  a = int_expr (depth);
  unsigned what = below (kind == INTEGERS ? 15 : 17);
  if (what <= 8)
    b = int_expr (depth);
  switch (what)
    {
    case 0: case 1: case 2: case 3:
      return text ("(%s %s %s)", a, PICK ("+", "-", "*", "&", "|", "^"), b);
    case 4:
      if (chance (50))
	return text ("((unsigned) %s %s (%s & 31))", a, PICK ("<<", ">>"), b);
      return text ("((unsigned long) %s %s (%s & 63))", a, PICK ("<<", ">>"), b);
    case 5:
      switch (below (calls_allowed ? 5 : 4))
	{
	case 0: return text ("((int) %s / (int) ((%s & 255) + 1))", a, b);
	case 1: return text ("((unsigned) %s %% ((unsigned) %s | 1))", a, b);
	case 2: return text ("((long) %s %% (long) ((%s & 65535) + 3))", a, b);
	case 3: return text ("((unsigned long) %s / ((unsigned long) %s | 1))", a, b);
	default: return text ("(long) ((unsigned __int128) %s * 12345678901234567ul %% ((unsigned) %s | 1))", a, b);
	}
    case 6:
      return text ("(%s %s %s)", a, PICK ("<", ">", "<=", ">=", "==", "!=", "&&", "||"), b);
    case 7:
      c = int_expr (depth);
      return text ("(%s ? %s : %s)", a, b, c);
    case 8:
      return text ("(%s (%s, %s))", PICK ("MAX", "MIN", "ABSDIFF"), a, b);
    case 9:
      return text ("(%s (%s))", PICK ("~", "-", "!"), a);
    case 10:
      return text ("%s(%s))", PICK ("__builtin_popcountl (", "__builtin_clz (1u | ", "__builtin_ctzl (2ul | ",
				    "__builtin_bswap32 (", "__builtin_ffs (", "labs ("), a);
    case 11: case 12:
      if ((b = helper_call (false, depth + 1)) != NULL)
	return b;
      /* Fall through.  */
    case 13: case 14:
      return text ("((%s) %s)", types[below (NUM_INTEGERS)].name, a);
    default:
      return text ("WHOLE (%s)", float_expr (depth));
    }
}

static const char *
float_expr (unsigned depth)
{
  const char *a, *b, *c;

  if (depth == 0 || !spend (1))
    {
      const struct var *v;
      if (chance (50) && (v = some_var (true, false)) != NULL)
	return v->name;
      if (chance (20) && (v = some_var (true, true)) != NULL)
	return text ("%s[(ix + %u) %% %u]", v->name, below (9), v->size);
      if (chance (60))
	return text ("in_%s[(ix + %u) & %u]", PICK ("f32", "f64"), below (IN), IN - 1);
      return text (chance (50) ? "%u.%uf" : "%u.%u", below (30), below (1000));
    }
  depth--;
  a = float_expr (depth);
  switch (below (kind == FUNCTIONS ? 10 : 8))
    {
    case 0: case 1: case 2:
      b = float_expr (depth);
      c = PICK ("+", "-", "*");
      return c[0] == '*' ? text ("PRODUCT (%s, %s)", a, b) : text ("(%s %s %s)", a, c, b);
    case 3:
      b = float_expr (depth);
      return text ("(%s / (1 + fabs (%s)))", a, b);
    case 4:
      b = int_expr (depth);
      c = float_expr (depth);
      return text ("(%s ? %s : %s)", b, a, c);
    case 5:
      /* The last one is a function, the others are instructions.  */
      b = calls_allowed ? PICK ("sqrt", "sqrtf", "floor", "trunc", "ceilf", "rint") : PICK ("sqrt", "sqrtf", "floor", "trunc", "ceilf");
      return text ("%s (fabs (%s))", b, a);
    case 6:
      if ((b = helper_call (true, depth + 1)) != NULL)
	return b;
      /* Fall through.  */
    case 7:
      return text ("(%s) (%s & 255)", PICK ("double", "float"), int_expr (depth));
    default:
      return text ("FOLD (%s (FOLD (%s) / 32 + 0.125))",
		   PICK ("sin", "cos", "expf", "atan", "tanhf", "sinf", "cbrt", "exp2", "erf", "logb",
			 "asinh", "j0"), a);
    }
}

/* ---- shared variables ---- */

/* Change one, by an operation whose order doesn't matter.  */
void
shared_stmt (void)
{
  unsigned type = chance (70) || kind == INTEGERS ? below (NUM_INTEGERS) : NUM_INTEGERS + below (2);
  const char *tag = types[type].tag, *e, *order = PICK ("", "", "seq_cst", "relaxed", "release");
  const char *mask = is_float (type) ? " & 7" : "";
  unsigned k = below (4), what = below (12);

  if (!spend (10))
    return;
  e = int_expr (2);
  if (is_float (type) && what >= 2 && what <= 5)
    what = 0;
  switch (what)
    {
    case 0: case 1:
      line ("#pragma omp atomic %s", order);
      if (chance (50))
	line ("a_add_%s[%u] %s= %s%s;", tag, k, PICK ("+", "-"), e, mask);
      else
	line ("a_add_%s[%u] = (%s%s) + a_add_%s[%u];", tag, k, e, mask, tag, k);
      break;
    case 2:
      line ("#pragma omp atomic %s", order);
      if (chance (50))
	line ("a_xor_%s[%u] ^= %s;", tag, k, e);
      else
	line ("a_xor_%s[%u] = a_xor_%s[%u] ^ (%s);", tag, k, tag, k, e);
      break;
    case 3:
      line ("#pragma omp atomic %s", order);
      if (chance (50))
	line ("a_or_%s[%u] |= 1u << (%s & 31);", tag, k, e);
      else
	line ("a_and_%s[%u] &= ~(1ul << (%s & 63));", tag, k, e);
      break;
    case 4:
      line ("#pragma omp atomic %s", order);
      line ("a_mul_%s[%u] *= 1 | %s;", tag, k, e);
      break;
    case 5:
      open_block ();
      line ("%s e = %s;", types[type].name, e);
      line ("#pragma omp atomic compare %s", order);
      if (chance (50))
	line ("if (a_max_%s[%u] < e) { a_max_%s[%u] = e; }", tag, k, tag, k);
      else
	line ("if (a_min_%s[%u] > e) { a_min_%s[%u] = e; }", tag, k, tag, k);
      close_block ();
      break;
    case 6: case 7:
      type = 4 + below (4);
      tag = types[type].tag;
      open_block ();
      line ("%s k;", types[type].name);
      line ("#pragma omp atomic capture %s", order);
      switch (below (3))
	{
	case 0: line ("k = n_%s++;", tag); break;
	case 1: line ("{ k = n_%s; n_%s += 1; }", tag, tag); break;
	default: line ("{ n_%s = n_%s + 1; k = n_%s; }", tag, tag, tag); line ("k--;"); break;
	}
      line ("#pragma omp atomic");
      line ("a_ticket_%u[k & %u]++;", type - 4, OUT - 1);
      close_block ();
      break;
    case 8: case 9:
      /* Before what excludes others: E may call what excludes them, too.  */
      open_block ();
      line ("long e = %s;", e);
      {
	const char *name = PICK ("", "first", "second");
	line (name[0] != 0 ? "#pragma omp critical (%s)" : "#pragma omp critical", name);
	open_block ();
	line ("c%s_%s = c%s_%s + (e%s);", name, tag, name, tag, mask);
	line ("c%s_count++;", name);
	close_block ();
      }
      close_block ();
      break;
    case 10:
      open_block ();
      line ("long e = %s;", e);
      line (chance (50) ? "omp_set_lock (&lock);" : "while (!omp_test_lock (&lock));");
      line ("l_%s = l_%s + (e%s);", tag, tag, mask);
      line ("omp_unset_lock (&lock);");
      close_block ();
      break;
    default:
      open_block ();
      line ("long e = %s;", e);
      line ("omp_set_nest_lock (&nest_lock);");
      line ("omp_set_nest_lock (&nest_lock);");
      line ("m_%s = m_%s + (e%s);", tag, tag, mask);
      line ("omp_unset_nest_lock (&nest_lock);");
      line ("m_count++;");
      line ("omp_unset_nest_lock (&nest_lock);");
      close_block ();
      break;
    }
}

/* ---- statements ---- */

static void
body (unsigned num, unsigned depth)
{
  unsigned had = num_vars;
  open_block ();
  stmts (num, depth);
  close_block ();
  num_vars = had;
}

static void
assign (void)
{
  bool array = chance (30);
  struct var *v = some_var (kind != INTEGERS && chance (40), array);
  const char *where, *e;

  if (v == NULL || v->constant)
    return;
  e = expr (v->type, 2);
  where = array ? text ("%s[(unsigned) (%s) %% %u]", v->name, int_expr (1), v->size) : v->name;
  if (is_float (v->type))
    line ("%s = FOLD (%s%s%s);", where, chance (30) ? where : "", " + ", e);
  else
    line ("%s %s %s;", where, PICK ("=", "+=", "-=", "*=", "^=", "|=", "="), e);
}

static unsigned in_loop;	/* statements may end its iteration */

static void
loop (unsigned depth)
{
  unsigned n = 2 + below (5), old = times, k = names++, had = num_vars;
  const char *bound = chance (50) ? text ("%u", n) : text ("(unsigned) (%s) %% %u", int_expr (1), n);
  bool until = chance (25);

  if (times * n > 60)
    return;
  times *= n;
  in_loop++;
  if (until)
    {
      line ("unsigned w%u = %s;", k, bound);
      line ("do");
    }
  else if (chance (50))
    {
      line ("for (int v%u = 0; v%u < (int) (%s); v%u++)", k, k, bound, k);
      struct var *v = new_var (4, 0);
      snprintf (v->name, sizeof (v->name), "v%u", k);
      v->constant = true;
    }
  else
    line ("for (unsigned w%u = %s; w%u-- > 0; )", k, bound, k);
  body (1 + below (3), depth);
  if (until)
    line ("while (w%u-- > 0);", k);
  in_loop--;
  times = old;
  num_vars = had;
}

static void
branch (unsigned depth)
{
  if (chance (30))
    {
      line ("switch ((unsigned) (%s) %% %u)", int_expr (2), 3 + below (6));
      open_block ();
      for (unsigned i = 0, n = 2 + below (5); i < n; i++)
	{
	  line ("case %u:", i);
	  body (1, depth);
	  if (chance (80))
	    line ("break;");
	}
      line ("default:");
      body (1, depth);
      close_block ();
      return;
    }
  line ("if (%s)", int_expr (3));
  body (1 + below (3), depth);
  if (chance (50))
    {
      line ("else");
      body (1 + below (2), depth);
    }
}

/* Leave what is at hand early.  */
static void
leave (void)
{
  const char *e = int_expr (2);
  if (in_loop > 0 && chance (60))
    line ("if ((%s) == 3) %s;", e, PICK ("break", "continue"));
  else if (returns >= 0)
    {
      line ("if (%s)", e);
      line ("  return %s;", expr (returns, 1));
    }
  else
    {
      unsigned k = names++;
      line ("if (%s) goto past%u;", e, k);
      assign ();
      line (" past%u:;", k);
    }
}

/* Local variables by address.  */
static void
addresses (void)
{
  struct var *a = some_var (false, true), *v = some_var (false, false);
  unsigned k = names++, n = 0;

  if (!spend (40))
    return;
  if (v != NULL && v->constant)
    v = NULL;
  unsigned what = below (9);
  if (plain_code && (what == 5 || what == 8))
    what = 6;
  switch (what)
    {
    case 0: case 1:
      /* An array helper of the type.  */
      while (n < num_helpers && (a == NULL || helpers[n].what != ARRAY || helpers[n].type != a->type
				 || helpers[n].kind > kind))
	n++;
      if (n == num_helpers || !spend (helpers[n].cost))
	return;
      line ("%s[%u] += h%u (ix, %s, %u, (%s) (%s));", a->name, below (a->size), n, a->name, a->size,
	    types[a->type].name, int_expr (2));
      break;
    case 2:
      if (v == NULL || a == NULL || v->type != a->type)
	return;
      line ("swap_%s (&%s, &%s[%u]);", types[v->type].tag, v->name, a->name, below (a->size));
      break;
    case 3:
      /* A structure of addresses: frames hold addresses.  */
      while (n < num_helpers && (helpers[n].what != CONTEXT || helpers[n].kind > kind))
	n++;
      if (v == NULL || n == num_helpers || !spend (helpers[n].cost))
	return;
      open_block ();
      line ("int n%u = (int) (%s), a%u[4] = { 1, %u, n%u };", k, int_expr (2), k, below (1000), k);
      line ("struct context c%u = { &n%u, a%u, %s };", k, k, k, chance (50) ? "in_i32" : text ("&a%u[1]", k));
      line ("%s += h%u (ix, &c%u);", v->name, n, k);
      line ("%s ^= n%u + a%u[1] + a%u[3] + *c%u.p;", v->name, k, k, k, k);
      close_block ();
      break;
    case 4:
      /* Either a local variable or a global one.  */
      if (v == NULL || a == NULL)
	return;
      line ("const %s *p%u = %s ? &%s[%u] : in_%s + %u;", types[a->type].name, k, int_expr (2), a->name,
	    below (a->size), types[a->type].tag, below (IN));
      line ("%s += *p%u;", v->name, k);
      break;
    case 5:
      /* Strings.  */
      if (v == NULL)
	return;
      open_block ();
      line ("char s[24], u[24] = \"%s\";", PICK ("lane", "warp", "a thread", ""));
      line ("memset (s, 'a' + (%s & 15), 23);", int_expr (1));
      line ("s[(unsigned) (%s) %% 12] = 0;", int_expr (2));
      line ("strcat (u, s);");
      line ("%s += strlen (u) + 3 * SIGN (strcmp (s, \"%s\")) + (strchr (u, '%c') != NULL);", v->name,
	    PICK ("a", "kkkk", "b", ""), 'a' + below (16));
      line ("memmove (u + 2, u, 12);");
      line ("%s ^= u[%u] + SIGN (memcmp (u, s, 3));", v->name, below (14));
      close_block ();
      break;
    case 6:
      if (v == NULL)
	return;
      line ("struct record r%u = record (%s, %s);", k, int_expr (1), int_expr (2));
      line ("%s %s;", v->name,
	    PICK (text ("+= use (r%u)", k), text ("^= r%u.a[%u] - r%u.l", k, below (5), k), text ("-= (int) record (3, r%u.l).b", k)));
      break;
    case 7:
      if (a == NULL || v == NULL)
	return;
      line ("{ %s *q%u = same (%s + %u); *q%u += %s; }", types[a->type].name, k, a->name, below (a->size), k, v->name);
      break;
    default:
      /* A list whose elements are local.  */
      if (v == NULL)
	return;
      open_block ();
      line ("struct list l[4], *at = NULL;");
      line ("for (int k = 0; k < 4; k++)");
      line ("  if ((%s) >> k & 1)", int_expr (1));
      line ("    { l[k].value = (int) (%s) + k; l[k].next = at; at = &l[k]; }", int_expr (2));
      line ("for (; at != NULL; at = at->next)");
      line ("  %s = %s * 3 + at->value;", v->name, v->name);
      close_block ();
      break;
    }
}

bool calls_allowed = true, plain_code;
bool shared_allowed;

void
stmts (unsigned num, unsigned depth)
{
  for (unsigned i = 0; i < num; i++)
    {
      unsigned what = below (shared_allowed ? 14 : 11);
      if (!spend (2))
	return;
      if (what >= 11)
	shared_stmt ();
      else if (what < 4 || (depth == 0 && what < 8))
	assign ();
      else if (what < 6)
	branch (depth - 1);
      else if (what < 8)
	loop (depth - 1);
      else if (what < 10)
	addresses ();
      else
	leave ();
    }
}

/* Local variables of an iteration, or of a helper.  */
void
locals (unsigned scalars, unsigned arrays)
{
  for (unsigned i = 0; i < scalars; i++)
    {
      unsigned type = any_type ();
      const char *e = expr (type, 2);
      struct var *v = new_var (type, 0);
      line ("%s %s = %s;", types[type].name, v->name, e);
    }
  for (unsigned i = 0; i < arrays; i++)
    {
      unsigned type = any_type (), size = 2 + below (14);
      struct var *v = new_var (type, size);
      if (chance (20))
	line ("__attribute__ ((aligned (64))) %s %s[%u];", types[type].name, v->name, size);
      else
	line ("%s %s[%u];", types[type].name, v->name, size);
      line ("for (int k = 0; k < %u; k++)", size);
      line ("  %s[k] = %s[(ix * %u + k) & %u];", v->name, text ("in_%s", types[type].tag), 1 + below (7), IN - 1);
    }
}

const char *
sum_of_variables (void)
{
  const char *e = "ix";
  for (unsigned i = 0; i < num_vars; i++)
    {
      const struct var *v = &vars[i];
      const char *one = v->size > 0 ? text ("%s[ix %% %u]", v->name, v->size) : v->name;
      e = text (is_float (v->type) ? "MIX (%s, bits (%s))" : "MIX (%s, %s)", e, one);
    }
  return e;
}

void
start_code (void)
{
  num_vars = in_loop = spent = 0;
  times = 1;
}

void
allow_cost (unsigned cost)
{
  spent = BUDGET - cost;
}

/* ---- helpers ---- */

void
make_helper (void)
{
  struct helper *h = &helpers[num_helpers];
  unsigned n = num_helpers;
  const char *args = "", *inlining = chance (70) ? "__attribute__ ((noinline)) " : "";

  *h = (struct helper) { .what = below (5), .kind = below (3) };
  if (plain_code)
    *h = (struct helper) { .what = h->what == ARRAY ? ARRAY : SCALAR, .kind = INTEGERS };
  if (h->what == RECORD)
    h->what = SCALAR;
  kind = h->kind;
  h->type = any_type ();
  num_vars = spent = in_loop = 0;
  times = 1;
  spent = BUDGET - 150;
  shared_allowed = chance (25);
  returns = h->type;
  if (h->what == SCALAR || h->what == RECURSIVE)
    {
      h->num_params = 1 + below (3);
      if (h->what == RECURSIVE)
	args = ", unsigned down";
      for (unsigned i = 0; i < h->num_params; i++)
	{
	  h->param[i] = any_type ();
	  args = text ("%s, %s %s", args, types[h->param[i]].name, new_var (h->param[i], 0)->name);
	}
    }
  else if (h->what == ARRAY)
    {
      if (is_float (h->type))
	h->type -= 4;
      returns = h->type;
      args = text (", %s *x, unsigned n, %s %s", types[h->type].name, types[h->type].name,
		   new_var (h->type, 0)->name);
    }
  else
    {
      h->type = returns = 4;
      args = ", struct context *c";
    }
  line ("static %s%s", inlining, types[h->type].name);
  line ("h%u (unsigned ix%s)", n, args);
  open_block ();
  switch (h->what)
    {
    case RECURSIVE:
      line ("if (down == 0)");
      line ("  return %s;", expr (h->type, 1));
      locals (1, 0);
      line ("if (%s)", int_expr (1));
      {
	const char *again = text ("h%u (ix + 1, down - 1", n);
	for (unsigned i = 0; i < h->num_params; i++)
	  again = text ("%s, %s", again, expr (h->param[i], 1));
	line ("  return %s (%s) + (%s) 1);", is_float (h->type) ? "FOLD (" : "(", text ("%s)", again),
	      types[h->type].name);
      }
      assign ();
      break;
    case ARRAY:
      switch (below (3))
	{
	case 0:
	  line ("for (unsigned i = 1; i < n; i++)");
	  line ("  for (unsigned j = i; j > 0 && x[j - 1] > x[j]; j--)");
	  line ("    swap_%s (&x[j - 1], x + j);", types[h->type].tag);
	  break;
	case 1:
	  line ("for (unsigned i = 0; i < n; i++)");
	  line ("  x[i] = x[(i * 5 + %u) %% n] + (%s);", below (9), int_expr (1));
	  break;
	default:
	  line ("for (%s *p = x; p < x + n; p++)", types[h->type].name);
	  line ("  %s ^= *p;", vars[0].name);
	  break;
	}
      stmts (2, 1);
      break;
    case CONTEXT:
      line ("int *p = c->q + 1;");
      if (chance (50))
	line ("c->p = c->q + (%s & 3);", int_expr (1));
      line ("c->q[%u] += *c->n;", below (4));
      line ("if (%s)", int_expr (2));
      line ("  p = c->n;");
      line ("*p += (int) (%s);", int_expr (2));
      stmts (2, 1);
      line ("return *c->p + *p;");
      break;
    default:
      locals (1 + below (2), below (2));
      stmts (3 + below (3), 2);
      break;
    }
  if (h->what != CONTEXT)
    line ("return %s;", expr (h->type, 2));
  close_block ();
  h->cost = (spent - (BUDGET - 150)) * (h->what == RECURSIVE ? 7 : 1) + 5;
  if (h->what == ARRAY)
    h->cost += 60;
  num_helpers++;
}
