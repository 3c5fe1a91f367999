/* aux-kernels.c -- a generator of programs whose target regions are random, for lanes-random.sh; with aux-kernels-code.c,
   aux-kernels-blocks.c, aux-kernels-phases.c and aux-kernels-patterns.c.

     aux-kernels SEED NUM [plain|initial|simd|blocks]

   prints a C program with NUM regions ("plain": those that may have a stride, only; "initial": those of them whose initial thread takes
   part; "simd": those with simd loops; "blocks": block kernels).  It prints a line for each: its
   number, a letter and a sum of all that the region computed, which depends on neither the number of threads nor their
   order (a program has two arguments: the number of one region, or "all"; and how often it is executed):

     i	whole numbers only: the same on every device, with any options
     f	floating-point arithmetic, too: the same on every device, unless the compiler may do without IEEE's rules
     a	mathematical functions, too: the same wherever the same code runs
     x	whole numbers only; the region counts on the threads that it asks for, and says so instead if it has fewer

   A comment "EXPECT: kernelN warp" is above each region that does what lanes must not be threads for.

   Invariants
   1. No undefined behaviour: with -fwrapv; indices, divisors, shifts and conversions are made fit.
   2. A loop's iteration computes from its number and constant arrays alone.  Shared variables are only
      changed by operations whose order doesn't matter, one kind for each; or in an order that the program makes.
   3. Floating-point values stay below 1024 and have no NaN among them.
   4. What an iteration costs is bounded (spend).
   5. Simd loops have no calls, arrays or addresses: what GCC makes of those depends on the order of lanes.
   6. A product of floating-point numbers is rounded before it is added to: compilers of GPUs may make one instruction of
      both (PTX's mul and add without a rounding, which GCC prints with -ffp-contract=off, too), in one of two versions.  */

#include "aux-kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- regions ---- */

static const char *
schedule (void)
{
  if (chance (25))
    return "";
  /* Not auto: some compilers begin such a region with an argument less than it has (doc/abi-notes.md).  */
  const char *what = PICK ("static", "static", "dynamic", "guided", "runtime", "nonmonotonic: dynamic",
			   "monotonic: dynamic", "nonmonotonic: guided", "monotonic: static");
  bool chunk = strstr (what, "runtime") == NULL && chance (50);
  return chunk ? text (" schedule (%s, %u)", what, 1 + below (9)) : text (" schedule (%s)", what);
}

/* The head of a loop that is shared out, of less than MOST iterations: its number from 0, and what its directive needs.  */
struct head { const char *text, *ix, *collapse; };

static struct head
loop_head (unsigned most)
{
  struct head h = { .collapse = "" };
  unsigned n = 20 + below (most - 20), m;
  const char *bound;

  n = n / 6 * 6;
  bound = text (chance (50) ? "%u" : "(one * %u)", n);
  switch (below (9))
    {
    case 0: case 1: case 2:
      h.text = text ("for (int i = 0; i < %s; i++)", bound);
      h.ix = "i";
      break;
    case 3:
      h.text = text ("for (long i = %s - 1; i >= 0; i--)", bound);
      h.ix = "i";
      break;
    case 4:
      h.text = text ("for (unsigned i = 5; i < 5 + 7u * %s; i += 7)", bound);
      h.ix = "(i - 5) / 7";
      break;
    case 5:
      h.text = text ("for (unsigned long i = %u0000000000ul; i < %u0000000000ul + %s; i++)", n, n, bound);
      h.ix = text ("i - %u0000000000ul", n);
      break;
    case 6:
      h.text = text ("for (unsigned long i = %s; i > 0; i--)", bound);
      h.ix = "i - 1";
      break;
    case 7:
      h.text = text ("for (short i = -20; i < %s - 20; i += 3)", bound);
      h.ix = "(i + 20) / 3";
      break;
    default:
      m = 2 + below (2);
      h.text = text ("for (int j = 0; j < %s / %u; j++) for (unsigned k = 0; k < %u; k++)", bound, m, m);
      h.ix = text ("j * %u + k", m);
      h.collapse = " collapse (2)";
      break;
    }
  return h;
}

static struct { const char *clause, *decl, *update, *sum; } reductions[4];
static unsigned num_reductions;

/* Up to MOST of them.  SIMPLE: at least two, each of which is one instruction when threads combine what they have.  */
static void
choose_reductions (unsigned most, bool simple)
{
  num_reductions = simple ? 2 + below (most - 1) : below (most + 1);
  for (unsigned i = 0; i < num_reductions; i++)
    {
      unsigned type = simple ? 4 + below (NUM_TYPES - 4) : any_type (), k = names++;
      const char *name = text ("r%u", k), *t = types[type].name, *op;
      bool floating = is_float (type);
      if (!simple && chance (15))
	{
	  reductions[i].clause = text (" reduction (+: %s[:5])", name);
	  reductions[i].decl = text ("%s %s[5] = { 1, 2, 3 };", t, name);
	  reductions[i].update = text ("%s[ix %% 5] += ", name);
	  reductions[i].sum = text ("for (int k = 0; k < 5; k++) sum = MIX (sum, bits (%s[k]));", name);
	  continue;
	}
      op = simple ? floating ? PICK ("+", "-", "max", "min") : PICK ("+", "-", "max", "min", "*", "&", "|", "^")
	   : floating ? PICK ("+", "-", "max", "min", "*") : PICK ("+", "-", "max", "min", "*", "&", "|", "^", "&&", "||");
      reductions[i].clause = text (" reduction (%s: %s)", op, name);
      reductions[i].decl = text ("%s %s = %s;", t, name,
				 strcmp (op, "&&") == 0 || strcmp (op, "&") == 0 ? "127" : strcmp (op, "*") == 0 ? "1"
				 : text ("%u", below (40)));
      reductions[i].sum = text ("sum = MIX (sum, bits (%s));", name);
      if (strcmp (op, "max") == 0 || strcmp (op, "min") == 0)
	reductions[i].update = text ("%s = %s (%s, ", name, op[1] == 'a' ? "MAX" : "MIN", name);
      else if (op[1] != 0)
	reductions[i].update = text ("%s = %s %s (", name, name, op);
      else if (op[0] == '*' && floating)
	reductions[i].update = text ("%s *= ODD (", name);
      else
	reductions[i].update = text ("%s %s= (%s", name, op, op[0] == '*' ? "1 | " : op[0] == '&' ? "-16 | " : "");
    }
}

static void
declare_reductions (void)
{
  for (unsigned i = 0; i < num_reductions; i++)
    line ("%s", reductions[i].decl);
}

static void
sum_reductions (void)
{
  for (unsigned i = 0; i < num_reductions; i++)
    line ("%s", reductions[i].sum);
}

static const char *
reduction_clauses (void)
{
  const char *clauses = "";
  for (unsigned i = 0; i < num_reductions; i++)
    clauses = text ("%s%s", clauses, reductions[i].clause);
  return clauses;
}

/* The reductions' part in an iteration: small whole numbers, so that sums are exact.  How often `max' and `&&'
   compute their operand depends on the thread's value so far, so it is done before.  */
static void
reduce (void)
{
  for (unsigned i = 0; i < num_reductions; i++)
    {
      open_block ();
      line ("int e = %s;", int_expr (2));
      line (strchr (reductions[i].update, '(') != NULL ? "%se & 15);" : "%se & 15;", reductions[i].update);
      close_block ();
    }
}

/* What an iteration does, with its number IX.  */
static void
iteration (const char *ix, const char *out)
{
  open_block ();
  line ("unsigned ix = %s;", ix);
  start_code ();
  returns = -1;
  shared_allowed = chance (70);
  locals (1 + below (4), below (3));
  stmts (2 + below (5), 3);
  reduce ();
  line ("%s[ix] = %s;", out, sum_of_variables ());
  close_block ();
}

static void
combined (void)
{
  struct head h = loop_head (120);
  const char *threads = chance (30) ? text (" num_threads (%u)", 1 + below (70)) : "";
  const char *limit;

  choose_reductions (2, false);
  /* A lock for all threads of a GPU takes long: that of several reductions, or of an array.  */
  bool lock = num_reductions > 1 || (num_reductions > 0 && strchr (reductions[0].clause, '[') != NULL);
  limit = lock || chance (40) ? text (" thread_limit (%u)", 1 + below (130)) : "";
  declare_reductions ();
  line ("#pragma omp target teams distribute parallel for%s map (tofrom: out[:%u]) num_teams (%u)%s%s%s%s%s",
	h.collapse, OUT, 1 + below (3), limit, threads, schedule (),
	chance (30) ? " dist_schedule (static, 7)" : "", reduction_clauses ());
  line ("%s", h.text);
  iteration (h.ix, "out");
  sum_reductions ();
}

/* A loop without a schedule and with a short body, as programs have them: lanes may have a stride.  */
static void
plain (void)
{
  struct head h = loop_head (chance (50) ? OUT : 120);	/* many: a thread has a piece */

  if (chance (35))
    choose_reductions (4, true);
  else
    choose_reductions (chance (80) ? 1 : 2, false);
  /* A lock for all threads of a GPU takes long: that of several reductions, or of an array.  */
  bool lock = num_reductions > 1 || (num_reductions > 0 && strchr (reductions[0].clause, '[') != NULL);
  declare_reductions ();
  line ("#pragma omp target teams distribute parallel for%s map (tofrom: out[:%u])%s%s%s%s", h.collapse, OUT,
	lock || chance (80) ? text (" num_teams (%u)", 1 + below (4)) : "",
	lock || chance (60) ? text (" thread_limit (%u)", 1 + below (130)) : "",
	chance (20) ? text (" num_threads (%u)", 1 + below (70)) : "", reduction_clauses ());
  line ("%s", h.text);
  open_block ();
  line ("unsigned ix = %s;", h.ix);
  start_code ();
  returns = -1;
  shared_allowed = chance (20);
  switch (below (5))
    {
    case 0: case 1:
      break;
    case 2:
      line ("if (in_u8[ix & %u] > %u)", IN - 1, below (200));
      break;
    case 3:
      line ("for (int turn = in_u8[ix & %u] & 3; turn > 0; turn--)", IN - 1);
      break;
    default:
      reduce ();
      break;
    }
  open_block ();
  reduce ();
  close_block ();
  if (chance (30))
    stmts (1 + below (2), 2);
  if (num_reductions == 0 || chance (40))
    line ("out[ix] = %s;", int_expr (2));
  close_block ();
  sum_reductions ();
}

/* A number: mostly one without calls, which may be recursive, and for warps.  */
static const char *
short_expr (void)
{
  return chance (25) ? int_expr (2)
	 : text (PICK ("(int) ix * %u", "in_i32[(ix + %u) & 63]", "in_u16[ix & 63] ^ %u", "(int) (in_f32[ix & 63] * 4) + %u",
		       "(int) (ix %% %u)", "in_i8[(ix * %u) & 63]"), 1 + below (99));
}

/* A loop of threads whose initial thread has NAME, of TYPE, which they combine by OP; or ("") update or read.  ALONE: other teams
   are not there, so it may write.  */
static void
initial_loop (unsigned type, const char *name, const char *op, bool alone)
{
  struct head h = loop_head (chance (50) ? OUT : 120);
  const char *threads = chance (40) ? text (" num_threads (one * %u)", 1 + below (70)) : "";

  line ("#pragma omp parallel for%s%s%s", h.collapse, threads, op[0] != 0 ? text (" reduction (%s: %s)", op, name) : "");
  line ("%s", h.text);
  open_block ();
  line ("unsigned ix = %s;", h.ix);
  start_code ();
  returns = -1;
  shared_allowed = false;
  line ("int e = %s;", short_expr ());
  if (chance (30))
    line ("if (in_u8[ix & %u] > %u)", IN - 1, below (200));
  if (strcmp (op, "max") == 0)
    line ("%s = MAX (%s, (%s) (e & 255));", name, name, types[type].name);
  else if (op[0] != 0)
    line ("%s = %s %s (%s) (%s(e & 15));", name, name, op, types[type].name,
	  op[0] == '*' ? "1 | " : op[0] == '&' ? "-16 | " : "");
  else if (!is_float (type) && chance (50))
    {
      line ("#pragma omp atomic");
      line ("%s += e;", name);
    }
  else
    line ("out[ix] += (unsigned long) (%s) * (e & 7);", name);
  if (alone && chance (30))
    line ("out[ix] ^= e;");
  close_block ();
}

static const char *
initial_operator (unsigned type)
{
  return is_float (type) ? PICK ("+", "max") : PICK ("+", "+", "max", "^", "|", "&", "*");
}

/* Regions whose initial thread has variables that threads combine into, and does something in front of them and behind them.  */
static void
initial (void)
{
  static const unsigned some[] = { 4, 5, 6, 7, 8, 9 };	/* of 32 and 64 bits */
  unsigned type = some[below (6)], other = some[below (6)];
  const char *name = types[type].name;
  const char *limit = chance (60) ? text (" thread_limit (%u)", 1 + below (130)) : "", *op;

  switch (below (3))
    {
    case 0:
      line ("#pragma omp target teams distribute map (tofrom: out[:%u]) num_teams (%u)%s", OUT, 1 + below (4), limit);
      line ("for (int row = 0; row < one * %u; row++)", 1 + below (12));
      open_block ();
      line ("%s v = row;", name);
      initial_loop (type, "v", initial_operator (type), false);
      if (chance (30))
	line ("if (in_u8[row & %u] > 99)", IN - 1);
      line ("out[%u + row] %s (unsigned long) v + row;", OUT - 20, PICK ("=", "+=", "= out[100] +"));
      close_block ();
      break;
    case 1:
      line ("#pragma omp target map (tofrom: out[:%u])%s", OUT, limit);
      open_block ();
      line ("%s v = %u, *p = &v;", name, below (9));
      line ("%s u = %u;", types[other].name, below (9));
      line ("for (int turn = 0; turn < one * %u; turn++)", 1 + below (4));
      open_block ();
      for (unsigned i = 0, n = 1 + below (3); i < n; i++)
	{
	  bool first = chance (50);
	  if (chance (30))
	    line ("out[turn] += (unsigned long) v;");
	  initial_loop (first ? type : other, first ? "v" : "u", chance (60) ? initial_operator (first ? type : other) : "", true);
	  line ("%s = (%s) ((unsigned long) %s & 1023);", first ? "v" : "u", types[first ? type : other].name, first ? "v" : "u");
	  if (chance (20))
	    line ("*p += 1;");
	  if (chance (20))
	    line ("u += out[turn + 3] & 7;");
	}
      close_block ();
      line ("out[%u] = (unsigned long) v + (unsigned long) u * 77;", OUT - 1);
      close_block ();
      break;
    default:
      op = chance (30) ? "" : is_float (type) ? "+" : PICK ("+", "^");
      line ("%s v = %u; unsigned long *to = out;", name, below (9));
      line ("#pragma omp target data map (tofrom: to[:%u])", OUT);
      line ("#pragma omp target teams distribute parallel for num_teams (%u)%s map (tofrom: v, to[:%u])%s", 1 + below (4), limit, OUT,
	    op[0] != 0 ? text (" reduction (%s: v)", op) : "");
      line ("for (int i = 0; i < one * %u; i++)", 1 + below (OUT));
      open_block ();
      line ("unsigned ix = i;");
      start_code ();
      returns = -1;
      shared_allowed = false;
      line (op[0] != 0 ? "to[ix] += %s;" : "to[ix] += (unsigned long) v ^ %s;", short_expr ());
      if (op[0] != 0)
	line ("v = v %s (%s) (ix & 7);", op, name);
      close_block ();
      line ("sum = MIX (sum, bits (v));");
      break;
    }
}

/* An iteration of a simd loop.  */
static void
simd_iteration (const char *ix, const char *out)
{
  open_block ();
  line ("unsigned ix = %s;", ix);
  start_code ();
  locals (below (4), 0);
  switch (below (5))
    {
    case 0: case 1:
      break;
    case 2:
      line ("if (in_u8[ix & %u] > %u)", IN - 1, below (200));
      break;
    case 3:
      line ("for (int turn = in_u8[ix & %u] & 3; turn > 0; turn--)", IN - 1);
      break;
    default:
      line ("#pragma omp atomic");
      line ("a_add_%s[%u] += %s;", PICK ("i32", "u64", "u32"), below (4), int_expr (2));
      break;
    }
  line ("%s[ix] += %s;", out, int_expr (3));
  if (chance (40))
    line ("%s[ix] ^= %s;", out, sum_of_variables ());
  reduce ();
  close_block ();
}

/* Not down to 0 without a sign: GCC's lanes go on below it.  */
static struct head
simd_head (unsigned most)
{
  struct head h;
  do
    h = loop_head (most);
  while (h.collapse[0] != 0 || strstr (h.text, "i > 0") != NULL);
  return h;
}

/* Loops whose threads are warps.  */
static void
simd (void)
{
  const char *threads = chance (30) ? text (" num_threads (%u)", 1 + below (20)) : "";
  const char *limit = chance (50) ? text (" thread_limit (%u)", 1 + below (12)) : "";
  const char *teams = chance (70) ? text (" num_teams (%u)", 1 + below (5)) : "";
  struct head h = simd_head (chance (50) ? OUT : 120);

  num_reductions = 0;
  switch (below (6))
    {
    case 0:
      /* In the loop of threads there is one of lanes.  */
      line ("#pragma omp target teams distribute parallel for map (tofrom: out[:%u])%s%s%s%s", OUT, teams, limit, threads,
	    chance (30) ? schedule () : "");
      line ("for (int row = 0; row < one * %u; row++)", 1 + below (20));
      open_block ();
      line ("unsigned sums = row;");
      line ("#pragma omp simd reduction (+: sums)");
      line ("for (int column = 0; column < one * %u; column++)", 1 + below (70));
      open_block ();
      line ("unsigned ix = row * 70 + column;");
      start_code ();
      locals (below (3), 0);
      line ("sums += %s;", int_expr (3));
      close_block ();
      line ("out[row] = sums;");
      close_block ();
      break;
    case 1:
      /* One region after the other.  */
      line ("#pragma omp target map (tofrom: out[:%u])", OUT);
      line ("for (int turn = 0; turn < one * %u; turn++)", 1 + below (3));
      open_block ();
      for (unsigned i = 0, n = 1 + below (2); i < n; i++)
	{
	  line ("#pragma omp parallel for simd%s", chance (50) ? text (" num_threads (one * %u)", 1 + below (20)) : "");
	  line ("%s", h.text);
	  simd_iteration (h.ix, "out");
	  h = simd_head (OUT);
	}
      close_block ();
      break;
    case 2:
      choose_reductions (2, false);
      declare_reductions ();
      line ("#pragma omp target teams distribute parallel for simd map (tofrom: out[:%u])%s thread_limit (8)%s%s", OUT, teams,
	    threads, reduction_clauses ());
      line ("%s", h.text);
      simd_iteration (h.ix, "out");
      sum_reductions ();
      break;
    default:
      line ("#pragma omp target teams distribute parallel for simd map (tofrom: out[:%u])%s%s%s%s", OUT, teams, limit, threads,
	    /* GCC multiplies a team's number by the chunk in the loop variable's type, however many teams there are.  */
	    !chance (20) ? "" : strstr (h.text, "short") != NULL ? " dist_schedule (static, 2) schedule (static, 7)"
			      : " dist_schedule (static, 50) schedule (static, 7)");
      line ("%s", h.text);
      simd_iteration (h.ix, "out");
      break;
    }
}

/* Constructs of a team, one after the other, with a barrier between them.  */
static void
team (void)
{
  for (unsigned i = 0, n = 1 + below (4); i < n; i++)
    {
      bool waits = true;
      switch (below (8))
	{
	case 0: case 1: case 2: case 3:
	  {
	    struct head h = loop_head (120);
	    waits = chance (70);
	    num_reductions = 0;
	    line ("#pragma omp for%s%s%s", h.collapse, schedule (), waits ? "" : " nowait");
	    line ("%s", h.text);
	    iteration (h.ix, text ("out%u", 1 + below (3)));
	    break;
	  }
	case 4:
	  waits = chance (50);
	  line ("#pragma omp single%s", waits ? "" : " nowait");
	  line ("single_%u += %u;", below (2), 1 + below (9));
	  if (!waits)
	    line ("#pragma omp barrier");
	  waits = true;
	  break;
	case 5:
	  line ("#pragma omp sections");
	  open_block ();
	  for (unsigned k = 0, m = 1 + below (5); k < m; k++)
	    {
	      line ("#pragma omp section");
	      open_block ();
	      line ("unsigned ix = %u;", below (OUT));
	      start_code ();
		      shared_stmt ();
	      line ("(void) ix;");
	      close_block ();
	    }
	  close_block ();
	  break;
	case 6:
	  /* Each thread's number is in the sum once.  */
	  line ("for (unsigned i = omp_get_thread_num (); i < %u; i += omp_get_num_threads ())", 10 + below (60));
	  open_block ();
	  line ("unsigned ix = i;");
	  start_code ();
	  shared_stmt ();
	  line ("(void) ix;");
	  close_block ();
	  line ("#pragma omp barrier");
	  break;
	default:
	  /* Values that threads leave for others: what is read was stored before a barrier.  */
	  line ("mine[omp_get_thread_num ()] = omp_get_thread_num () * 3 + %u;", i);
	  line ("#pragma omp barrier");
	  line ("if (mine[(omp_get_thread_num () + 1) %% omp_get_num_threads ()]");
	  line ("    != (omp_get_thread_num () + 1) %% omp_get_num_threads () * 3 + %u)", i);
	  line ("#pragma omp atomic");
	  line ("  wrong++;");
	  line ("#pragma omp barrier");
	  break;
	}
      if (!waits)
	{
	  /* Two loops may fill one array.  */
	  line ("#pragma omp barrier");
	}
    }
}

static void
parallel (unsigned number, bool orphaned)
{
  line ("#pragma omp target parallel num_threads (%u)", chance (20) ? 1 : 2 + below (chance (50) ? 100 : 12));
  open_block ();
  if (orphaned)
    line ("orphan%u ();", number);
  else
    team ();
  close_block ();
}

static void
teams (void)
{
  struct head h = loop_head (120);
  line ("#pragma omp target teams distribute num_teams (%u) thread_limit (%u)", 1 + below (3), 1 + below (100));
  line ("for (int part = 0; part < 3; part++)");
  open_block ();
  line ("unsigned long sums = part;");
  line ("#pragma omp parallel for%s%s num_threads (%u) reduction (+: sums)", h.collapse, schedule (), 1 + below (70));
  line ("%s", h.text);
  open_block ();
  line ("unsigned ix = %s;", h.ix);
  start_code ();
  returns = -1;
  shared_allowed = chance (70);
  locals (1 + below (3), below (3));
  stmts (2 + below (4), 3);
  line ("sums += %s;", sum_of_variables ());
  close_block ();
  line ("out4[part] = sums;");
  close_block ();
}

/* Regions that must not have lanes as threads.  */
static void
not_for_lanes (unsigned number)
{
  static const char *const ways[] =
    {
      "shown[t] = &x;", "void **s = (void **) &shown[t]; *s = same (&x);",
      "int *p = &x; memcpy (&shown[t], &p, sizeof (p));",
      "__atomic_store_n (&shown[t], &x, __ATOMIC_RELEASE);",
      "__atomic_exchange_n (&shown[t], &x, __ATOMIC_ACQ_REL);",
      "unsigned long u = (unsigned long) &x; ((unsigned *) &shown[t])[0] = u; ((unsigned *) &shown[t])[1] = u >> 32;",
      "shown_as[t] = (unsigned long) &x ^ 0x5a5a5a5aul; shown[t] = (int *) (shown_as[t] ^ 0x5a5a5a5aul);",
      "struct { int *a, **b; } s = { &x, &shown[t] }; *s.b = s.a;",
      "int *both[2] = { in_i32, &x }, **at = both; at += in_u8[3] != 0 || t >= 0; shown[t] = *at;",
      "union { int *p; unsigned char c[8]; } w = { &x }; for (int k = 0; k < 8; k++) ((unsigned char *) &shown[t])[k] = w.c[k];",
      "show (&x, t);"
    };
  unsigned n = 10 + below (100), m;

  m = below (10);
  if (m < 9)
    line ("/* EXPECT: kernel%u warp */", number);
  line ("#pragma omp target parallel num_threads (%u)", 2 + below (60));
  open_block ();
  switch (m)
    {
    case 0: case 1: case 2: case 3:
      line ("int t = omp_get_thread_num (), next = (t + 1) %% omp_get_num_threads ();");
      line ("volatile int x = 0;");
      line ("x = t * 5 + 1;");
      line ("{ volatile int *const y = &x;");
      line ("#define x (*(int *) y)");
      line ("%s", ways[below (sizeof (ways) / sizeof (ways[0]))]);
      line ("#undef x");
      line ("}");
      line ("#pragma omp barrier");
      line ("if (*(volatile int *) shown[next] != next * 5 + 1)");
      line ("#pragma omp atomic");
      line ("  wrong++;");
      line ("#pragma omp barrier");
      line ("out1[3] = x != t * 5 + 1;");
      break;
    case 4:
      line ("#pragma omp for");
      line ("for (int i = 0; i < %u; i++)", n);
      open_block ();
      if (chance (50))
	line ("int x[in_u8[i & %u] %% 7 + 1];", IN - 1);
      else
	line ("int *x = __builtin_alloca (in_u8[i & %u] %% 7 * 4 + 4);", IN - 1);
      line ("fill (x, in_u8[i & %u] %% 7 + 1, i);", IN - 1);
      line ("out1[i] = x[in_u8[i & %u] %% 7] + x[0];", IN - 1);
      close_block ();
      break;
    case 5:
      line ("#pragma omp for ordered");
      line ("for (int i = 0; i < %u; i++)", n);
      line ("#pragma omp ordered");
      line ("single_0 = single_0 * 3 + in_u16[i & %u];", IN - 1);
      break;
    case 6:
      line ("#pragma omp single");
      line ("for (int i = 0; i < %u; i++)", n / 4);
      line ("#pragma omp task firstprivate (i)");
      line ("out1[i] = i * 7;");
      break;
    case 7:
      line ("int x = 0;");
      line ("#pragma omp single copyprivate (x)");
      line ("x = in_i32[%u];", m = below (IN));
      line ("if (x != in_i32[%u])", m);
      line ("#pragma omp atomic");
      line ("  wrong++;");
      line ("out1[0] = x;");
      break;
    case 8:
      line ("#pragma omp for");
      line ("for (int i = 0; i < %u; i++)", n / 4);
      open_block ();
      line ("int x = i, y = 0;");
      line ("#pragma omp parallel num_threads (2) reduction (+: y)");
      line ("{ y += x + 1 + 0 * omp_get_num_threads (); x = y > 0 ? x : x; }");
      line ("out1[i] = y > 0;");
      close_block ();
      break;
    default:
      /* Whether it has a simd loop depends on the compiler's options.  */
      line ("#pragma omp for simd");
      line ("for (int i = 0; i < %u; i++)", n);
      line ("  out1[i] = in_u16[i & %u] * 3;", IN - 1);
      break;
    }
  close_block ();
}

/* ---- the program ---- */

/* Do F for each shared variable.  */
static void
each_shared (void (*f) (const char *type, const char *name, unsigned size))
{
  static const char *const groups[] = { "a_add", "a_xor", "a_or", "a_and", "a_mul", "a_min", "a_max" };
  static const char *const integers[] = { "c", "cfirst", "csecond", "l", "m" };
  static const char *const others[]
    = { "c_count", "cfirst_count", "csecond_count", "m_count", "wrong", "single_0", "single_1" };
  for (unsigned i = 0; i < NUM_TYPES; i++)
    {
      for (unsigned k = 0; k < (is_float (i) ? 1 : 7); k++)
	f (types[i].name, text ("%s_%s", groups[k], types[i].tag), 4);
      for (unsigned k = 0; k < 5; k++)
	f (types[i].name, text ("%s_%s", integers[k], types[i].tag), 1);
    }
  for (unsigned i = 4; i < 8; i++)
    f (types[i].name, text ("n_%s", types[i].tag), 1);
  for (unsigned i = 0; i < 7; i++)
    f ("int", others[i], 1);
  for (unsigned i = 1; i <= 4; i++)
    f ("unsigned long", text ("out%u", i), OUT);
  for (unsigned i = 0; i < 4; i++)
    f ("unsigned", text ("a_ticket_%u", i), OUT);
}

static void
member (const char *type, const char *name, unsigned size)
{
  printf ("  %s %s[%u];\n", type, name, size);
}

static void
define (const char *type, const char *name, unsigned size)
{
  (void) type;
  printf ("#define %s s.%s%s\n", name, name, size == 1 ? "[0]" : "");
}

static void
first_value (const char *type, const char *name, unsigned size)
{
  (void) type;
  if (strncmp (name, "a_and", 5) == 0 || strncmp (name, "a_mul", 5) == 0)
    for (unsigned i = 0; i < size; i++)
      printf ("  %s[%u] = %d;\n", name, i, name[2] == 'm' ? 1 : -1);
}


static void
prologue (void)
{
  puts ("#include <omp.h>\n#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
	"#define MIN(a, b) ((a) < (b) ? (a) : (b))\n#define MAX(a, b) ((a) < (b) ? (b) : (a))\n"
	"#define ABSDIFF(a, b) ((a) < (b) ? (b) - (a) : (a) - (b))\n"
	"#define FOLD(x) ({ double f_ = (x); f_ < 1000 && f_ > -1000 ? f_ : 0.5; })\n"
	"#define WHOLE(x) ({ double w_ = (x); w_ < 1e6 && w_ > -1e6 ? (int) w_ : 7; })\n"
	"#define SIGN(x) (((x) > 0) - ((x) < 0))\n"
	"#define ODD(x) ((x) & 1 ? -1 : 1)\n"
	"#define PRODUCT(a, b) ({ __typeof__ ((a) * (b)) a_ = (a), b_ = (b); \\\n"
	"  sizeof (a_) == 4 ? __builtin_fmaf (a_, b_, -0.0f) : __builtin_fma (a_, b_, -0.0); })\n"
	"#define MIX(a, b) ((((unsigned long) (a)) * 0x9e3779b97f4a7c15ul ^ (unsigned long) (b)) + 0x1234567)\n"
	"#define NOINLINE __attribute__ ((noinline))");
  puts ("#pragma omp declare target\nstruct shared\n{");
  each_shared (member);
  puts ("} s;");
  each_shared (define);
  for (unsigned i = 0; i < NUM_TYPES; i++)
    {
      const char *n = types[i].name, *t = types[i].tag;
      printf ("%s in_%s[%u];\n", n, t, IN);
      if (!is_float (i))
	printf ("static NOINLINE void swap_%s (%s *a, %s *b) { %s x = *a; *a = *b; *b = x; }\n", t, n, n, n);
    }
  puts ("int one, mine[4096], *shown[4096];\nunsigned long shown_as[4096];\n"
	"omp_lock_t lock; omp_nest_lock_t nest_lock;\n"
	"struct context { int *n, *q; const int *p; };\n"
	"struct record { int a[5]; long l; double b; };\n"
	"struct list { struct list *next; int value; };\n"
	"static unsigned long bits (double x) { unsigned long u; memcpy (&u, &x, 8); return u; }\n"
	"static NOINLINE void show (int *x, int t) { shown[t] = x; }\n"
	"static NOINLINE void fill (int *x, int n, int v) { while (n-- > 0) x[n] = v ^ n; }\n"
	"static NOINLINE void *same (void *p) { return p; }\n"
	"static NOINLINE struct record record (int k, long l)\n"
	"{ struct record r = { { k, 2, k ^ (int) l, k + 3 }, l, k & 255 }; r.a[k & 3] += 5; return r; }\n"
	"static NOINLINE long use (struct record r) { r.a[1]++; return r.a[1] + r.l + (long) r.b; }");
}

static void
epilogue (unsigned num, bool blocks)
{
  printf ("static void\ninputs (void)\n{\n  one = 1;\n");
  for (unsigned i = 0; i < NUM_TYPES; i++)
    {
      const char *t = types[i].tag;
      printf ("  for (int i = 0; i < %u; i++)\n    in_%s[i] = ", IN, t);
      printf (is_float (i) ? "(i * %u %% 999) / 16.0;\n" : "i * %uu >> (i & 7);\n", 2 * below (1u << 30) + 1);
      printf ("#pragma omp target update to (in_%s)\n", t);
    }
  puts ("#pragma omp target update to (one)\n"
	"#pragma omp target\n  { omp_init_lock (&lock); omp_init_nest_lock (&nest_lock); }\n}\n"
	"static void\nbegin (void)\n{\n  memset (&s, 0, sizeof (s));");
  each_shared (first_value);
  puts ("#pragma omp target update to (s)\n  memset (out, 0, sizeof (out));\n  sum = 0;\n}\n"
	"static void\nadd (const void *p, size_t n)\n{\n  for (const unsigned char *c = p; n-- > 0; c++)\n"
	"    sum = (sum ^ *c) * 0x100000001b3ul;\n}\n"
	"static void\nend (int number, char kind)\n{\n"
	"#pragma omp target update from (s)\n  add (&s, sizeof (s));\n  add (out, sizeof (out));\n"
	"  if (wrong != 0)\n    printf (\"kernel%d: %d wrong\\n\", number, wrong);\n"
	"  printf (\"kernel%d %c %016lx\\n\", number, kind, sum);\n  fflush (stdout);\n}");
  if (blocks)
    block_epilogue ();
  puts ("int\nmain (int argc, char **argv)\n{\n  int times = argc > 2 ? atoi (argv[2]) : 1;\n"
	"  int only = argc > 1 && strcmp (argv[1], \"all\") != 0 ? atoi (argv[1]) : -1;");
  puts (blocks ? "  model_only = argc > 3;\n  inputs ();" : "  inputs ();");
  for (unsigned i = 0; i < num; i++)
    printf ("  for (int i = 0; i < times && (only < 0 || only == %u); i++)\n    { begin (); kernel%u (); }\n", i, i);
  puts ("  return 0;\n}");
}

int
main (int argc, char **argv)
{
  if (argc != 3 && (argc != 4 || (strcmp (argv[3], "plain") != 0 && strcmp (argv[3], "initial") != 0
				       && strcmp (argv[3], "simd") != 0 && strcmp (argv[3], "blocks") != 0)))
    return 2;
  start_from (strtoul (argv[1], NULL, 10));
  unsigned num = atoi (argv[2]);
  prologue ();
  bool only_initial = argc == 4 && argv[3][0] == 'i', only_plain = argc == 4 && argv[3][0] == 'p';
  bool only_simd = argc == 4 && argv[3][0] == 's';
  bool only_blocks = argc == 4 && argv[3][0] == 'b';
  calls_allowed = !only_simd;
  plain_code = only_blocks;
  for (unsigned i = 0; i < 10 + below (8) && !only_simd; i++)
    make_helper ();
  puts ("#pragma omp end declare target");
  printf ("static unsigned long out[%u], sum;\nstatic void begin (void);\nstatic void end (int number, char kind);\n",
	  OUT);
  if (only_blocks)
    block_prologue ();
  for (unsigned i = 0; i < num; i++)
    {
      if (only_blocks)
	{
	  block_kernel (i);
	  continue;
	}
      unsigned what = argc == 4 ? 0 : below (20);
      kind = chance (40) ? INTEGERS : chance (60) || only_simd ? FLOATS : FUNCTIONS;
      if (what >= 17 && what < 19)
	{
	  printf ("#pragma omp declare target\nstatic NOINLINE void\norphan%u (void)\n", i);
	  open_block ();
	  team ();
	  close_block ();
	  puts ("#pragma omp end declare target");
	}
      printf ("static NOINLINE void\nkernel%u (void)\n", i);
      open_block ();
      if (only_simd)
	simd ();
      else if (only_initial || (what < 17 && chance (30)))
	initial ();
      else if (only_plain || (what < 8 && chance (40)))
	plain ();
      else if (what < 8)
	combined ();
      else if (what < 14)
	parallel (i, false);
      else if (what < 17)
	teams ();
      else if (what < 19)
	parallel (i, true);
      else
	not_for_lanes (i);
      line ("end (%u, '%c');", i, "ifa"[kind]);
      close_block ();
    }
  epilogue (num, only_blocks);
  return 0;
}
