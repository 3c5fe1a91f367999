/* aux-kernels-blocks.c -- block kernels among the random target regions (aux-kernels.c): regions that are written like
   CUDA's.

   The threads of a team work on arrays of the team, in phases between barriers.  A serial model of the region, made of the
   same statements, is printed beside it; the program compares what both have computed.

   Invariants
   1. The text of phases, loops around them and conditions goes to two copies: the region, with its directives and with
      loops that share out items, and the model, with a loop over all items.
   2. Between two barriers an element is read by any thread, or read and set by one, or combined by one operation whose
      order doesn't matter.  What each array has been used for since the last barrier is kept in its `state'; a phase that
      does not go with it has a barrier in front.
   3. What decides whether a barrier is executed is the same for all threads of a team.
   4. Half of the kernels are right with any number of threads (letter i).  The others (letter x) count on the threads that
      they ask for: a thread has an item, and private variables that live over barriers.  With fewer threads these compute
      nothing that can be compared, but reach no undefined value or place, and all their barriers.
   5. Whole numbers only.  Teams share nothing but arrays that each has a part of.  */

#include "aux-kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RESULT = 16384, MOST_TEAMS = 8, MOST_ARRAYS = 16, MOST_NAMES = 24, MOST_READ = 4 };
enum { NOT, CYCLIC };	/* who sets an element: nobody; thread I % NT; others are numbers from `fresh' */

enum access { READ, OWN, COMBINE };

struct array
{
  const char *name, *member;	/* MEMBER: of its elements, which are structures */
  unsigned type, size, row;	/* SIZE 0: a scalar; ROW > 0: two dimensions */
  bool reserved;		/* not for phases at the moment */
  bool set;			/* it has values */
  struct state { bool read; int set_by, combined; } state;
};

/* Of the kernel at hand.  The first array is the team's part of what the region returns.  */
static struct array arrays[MOST_ARRAYS];
static unsigned num_arrays;
static unsigned limit, teams, stride;	/* threads of a team at most; teams; results of a team */
static bool exact;			/* letter x */
static const char *uniforms[MOST_NAMES];	/* numbers that are the same in all threads of a team */
static unsigned num_uniforms, num_variables;	/* the latter, behind the first: of the team */
static unsigned repeats, work, most_work;	/* by loops around; items so far; and at most */
static int fresh;

/* Of the parallel region at hand.  */
static unsigned threads;		/* how many it has, if EXACT */
static const char *privates[4], *sums[3];	/* a thread's own; what it adds up */
static unsigned private_types[4], num_privates, num_sums;
static struct { struct array *array; unsigned op; } reduced[3];
static unsigned num_reduced;

static struct array *readable[MOST_READ];	/* in the phase at hand */
static unsigned num_readable;

/* ---- two copies ---- */

static FILE *device, *model;

#define DEVICE(...) (lines_to (device, NULL), line (__VA_ARGS__), lines_to (device, model))
#define MODEL(...) (lines_to (NULL, model), line (__VA_ARGS__), lines_to (device, model))

static unsigned
least (unsigned a, unsigned b)
{
  return a < b ? a : b;
}

/* ---- arrays ---- */

static const char *
element (const struct array *a, const char *e)
{
  if (a->size == 0)
    return a->name;
  if (a == arrays)
    return text ("result[PART * %u + (%s)]", stride, e);
  if (a->row > 0)
    return text ("%s[(%s) / %u][(%s) %% %u]", a->name, e, a->row, e, a->row);
  return text (a->member != NULL ? "%s[%s].%s" : "%s[%s]", a->name, e, a->member);
}

static const char *
element_at (const struct array *a, unsigned n)
{
  return element (a, text ("%u", n));
}

/* Some index below SIZE, by I and IX.  */
static const char *
somewhere (unsigned size)
{
  switch (below (8))
    {
    case 0: return text ("(i + %u) %% %u", 1 + below (size + 40), size);
    case 1: return text ("i %% %u", size);
    case 2: return text ("%u - i %% %u", size - 1, size);
    case 3: return text ("i * %u %% %u", 1 + below (40), size);
    case 4: return text ("in_u16[(ix + %u) & %u] %% %u", below (IN), IN - 1, size);
    case 5: return text ("%u", below (size));
    case 6: return text ("(i ^ %u) %% %u", 1 + below (64), size);
    default: return text ("ix %% %u", size);
    }
}

/* An operand of expressions (more_leaves).  */
static const char *
leaf (void)
{
  if (num_readable > 0 && chance (75))
    {
      const struct array *a = readable[below (num_readable)];
      return element (a, a->size > 0 ? somewhere (a->size) : "");
    }
  return uniforms[below (num_uniforms)];
}

/* ---- what happened since the last barrier (invariant 2) ---- */

static void
forget (void)
{
  for (unsigned i = 0; i < num_arrays; i++)
    arrays[i].state = (struct state) { .read = false };
}

static bool
is_clean (void)
{
  for (unsigned i = 0; i < num_arrays; i++)
    if (arrays[i].state.read || arrays[i].state.set_by != NOT || arrays[i].state.combined != 0)
      return false;
  return true;
}

static void
barrier (void)
{
  DEVICE ("#pragma omp barrier");
  forget ();
}

/* How: the mapping of items to threads for OWN, the operation for COMBINE.  */
static bool
goes (const struct array *a, enum access what, int how)
{
  const struct state *s = &a->state;
  switch (what)
    {
    case READ: return s->set_by == NOT && s->combined == 0;
    case OWN: return !s->read && (s->set_by == NOT || s->set_by == how) && s->combined == 0;
    default: return !s->read && s->set_by == NOT && (s->combined == 0 || s->combined == how);
    }
}

static void
use (struct array *a, enum access what, int how)
{
  struct state *s = &a->state;
  switch (what)
    {
    case READ: s->read = true; break;
    case OWN: s->set_by = how; break;
    default: s->combined = how; break;
    }
}

/* A phase's use of an array.  */
struct role { struct array *array; enum access what; int how; };
static struct role roles[MOST_ARRAYS];
static unsigned num_roles;

static void
begin_roles (void)
{
  num_roles = num_readable = 0;
}

static bool
has_role (const struct array *a)
{
  for (unsigned i = 0; i < num_roles; i++)
    if (roles[i].array == a)
      return true;
  return false;
}

static void
add_role (struct array *a, enum access what, int how)
{
  if (what == READ)
    {
      if (num_readable == MOST_READ)
	return;
      readable[num_readable++] = a;
    }
  roles[num_roles++] = (struct role) { a, what, how };
}

/* In front of a phase.  */
static void
meet_if_needed (void)
{
  bool needed = false;
  for (unsigned i = 0; i < num_roles; i++)
    needed = needed || !goes (roles[i].array, roles[i].what, roles[i].how);
  if (needed || chance (25))
    barrier ();
  for (unsigned i = 0; i < num_roles; i++)
    use (roles[i].array, roles[i].what, roles[i].how);
}

static void
save_states (struct state *to)
{
  for (unsigned i = 0; i < num_arrays; i++)
    to[i] = arrays[i].state;
}

/* Control comes from here or from where FROM was saved.  */
static void
merge_states (const struct state *from)
{
  for (unsigned i = 0; i < num_arrays; i++)
    {
      struct state *s = &arrays[i].state;
      s->read = s->read || from[i].read;
      if (from[i].set_by != NOT && s->set_by != from[i].set_by)
	s->set_by = s->set_by == NOT ? from[i].set_by : -1;
      if (from[i].combined != 0 && s->combined != from[i].combined)
	s->combined = s->combined == 0 ? from[i].combined : -1;
    }
}

static void
restore_states (const struct state *from)
{
  for (unsigned i = 0; i < num_arrays; i++)
    arrays[i].state = from[i];
}

/* ---- items ---- */

/* How a loop over items is shared out: BY, the thread that has item I.  MINE: item I is thread I's.  WAITS: there is a
   barrier behind it.  */
struct head
{
  enum { IF, STEP, STEP_CALLS, BASE, PIECE, DOWN, FOR, FOR_NOWAIT } kind;
  int by;
  bool mine, waits;
};

/* For MOST items.  */
static struct head
plan_items (unsigned most)
{
  struct head h = { .by = CYCLIC };
  if (exact && most <= threads && chance (75))
    {
      h.kind = IF;
      h.mine = true;
      return h;
    }
  switch (below (10))
    {
    case 0: case 1: case 2: h.kind = STEP; break;
    case 3: h.kind = STEP_CALLS; break;
    case 4: h.kind = BASE; break;
    case 5: h.kind = PIECE; break;
    case 6: h.kind = DOWN; break;
    case 7: case 8: h.kind = FOR; break;
    default: h.kind = FOR_NOWAIT; break;
    }
  if (h.kind >= PIECE)
    h.by = ++fresh;
  h.waits = h.kind == FOR;
  return h;
}

static const char *
for_schedule (void)
{
  const char *what = PICK ("", "", "static", "dynamic", "guided", "nonmonotonic: dynamic", "monotonic: dynamic");
  return what[0] == 0 ? "" : chance (50) ? text (" schedule (%s)", what)
	 : text (" schedule (%s, %u)", what, 1 + below (9));
}

/* The head of a loop over items I below BOUND, MOST of them, and its block's begin.  */
static void
begin_items (struct head h, const char *bound, unsigned most)
{
  const char *first = NULL;
  MODEL ("for (int i = 0; i < %s; i++)", bound);
  switch (h.kind)
    {
    case IF:
      if (strcmp (bound, text ("%u", threads)) != 0)
	DEVICE ("if (t < %s)", bound);
      first = chance (80) ? "int i = t;" : "int i = omp_get_thread_num ();";
      break;
    case STEP:
      DEVICE ("for (int i = t; i < %s; i += nt)", bound);
      break;
    case STEP_CALLS:
      DEVICE ("for (int i = omp_get_thread_num (); i < %s; i += omp_get_num_threads ())", bound);
      break;
    case BASE:
      DEVICE ("for (int from = 0; from < %s; from += nt)", bound);
      DEVICE ("if (from + t < %s)", bound);
      first = "int i = from + t;";
      break;
    case PIECE:
      DEVICE ("for (int i = %s * t / nt; i < %s * (t + 1) / nt; i++)", bound, bound);
      break;
    case DOWN:
      DEVICE ("for (int i = %s - 1 - t; i >= 0; i -= nt)", bound);
      break;
    default:
      DEVICE ("#pragma omp for%s%s", for_schedule (), h.waits ? "" : " nowait");
      DEVICE ("for (int i = 0; i < %s; i++)", bound);
      break;
    }
  open_block ();
  if (first != NULL)
    DEVICE ("%s", first);
  work += most * repeats;
}

static void
end_items (struct head h)
{
  close_block ();
  if (h.waits)
    forget ();
}

/* A loop over items that do STATEMENT, and a barrier.  */
static void
step (const char *bound, unsigned most, const char *statement)
{
  struct head h = plan_items (most);
  begin_items (h, bound, most);
  line ("%s", statement);
  end_items (h);
  if (!h.waits)
    barrier ();
}

/* How many items a phase has.  */
static unsigned
number_of_items (void)
{
  switch (below (6))
    {
    case 0: case 1: case 2: return least (exact ? threads : limit, stride);
    case 3: return 1 + below (least (exact ? threads : limit, stride));
    case 4: return least (1 + below (64), stride);
    default: return 1 + below (least (stride, limit * 2 + 60));
    }
}

/* What an item begins with.  */
static void
begin_code (void)
{
  line ("unsigned ix = PART * %u + i;", 1 + below (99));
  start_code ();
  allow_cost (20 + below (100));
  returns = -1;
}

/* Operations by which threads combine what they have: their order doesn't matter.  */
static const char *const ops[] = { "+", "^", "|", "&", "*", "max", "min", "critical +", "critical ^" };
enum { NUM_OPS = 9, NUM_REDUCTIONS = 7, MAX_OP = 5, MIN_OP = 6 };

/* E, such that OP with it leaves some bits.  */
static const char *
operand (unsigned op, const char *e)
{
  return ops[op][0] == '&' ? text ("~(1ul << ((%s) & 63))", e) : ops[op][0] == '*' ? text ("(1 | (%s))", e)
	 : ops[op][0] == '|' ? text ("(1ul << ((%s) & 63))", e) : e;
}

/* Combine element K of A with some number.  */
static void
combine (const struct array *a, unsigned op)
{
  const char *to = element (a, "k"), *e = int_expr (2), *t = types[a->type].name;
  open_block ();
  line ("%s e = %s;", t, operand (op, e));
  if (a->size > 0)
    line ("int k = %s;", somewhere (a->size));
  switch (op)
    {
    case MAX_OP: case MIN_OP:
      line ("#pragma omp atomic compare");
      line ("if (%s %s e) { %s = e; }", to, op == MAX_OP ? "<" : ">", to);
      break;
    case MIN_OP + 1: case MIN_OP + 2:
      line (chance (50) ? "#pragma omp critical" : "#pragma omp critical (%s)", PICK ("first", "second"));
      line ("%s = %s %c e;", to, to, ops[op][9]);
      break;
    default:
      line ("#pragma omp atomic %s", PICK ("", "", "", "seq_cst", "relaxed"));
      line (chance (50) ? "%1$s %2$s= e;" : "%1$s = %1$s %2$s e;", to, ops[op]);
      break;
    }
  close_block ();
}

/* A thread's update of a variable that the region reduces.  How often MAX computes its operand depends on the thread's
   value so far, so it is done before.  */
static const char *
reduction_update (unsigned type, const char *name, unsigned op)
{
  const char *e = operand (op, int_expr (2)), *t = types[type].name;
  if (op >= MAX_OP)
    return text ("{ %s e = %s; %s = %s (%s, e); }", t, e, name, op == MAX_OP ? "MAX" : "MIN", name);
  return text ("%s %s= %s;", name, ops[op], e);
}

static void
update_private_sums (void)
{
  for (unsigned i = 0; i < num_reduced; i++)
    if (chance (50))
      {
	const struct array *a = reduced[i].array;
	line ("%s", reduction_update (a->type, a->size > 0 ? element (a, somewhere (a->size)) : a->name, reduced[i].op));
      }
  for (unsigned i = 0; i < num_sums; i++)
    if (chance (40))
      line ("%s %s= %s;", sums[i], i == 0 ? "+" : "^", int_expr (2));
}

static unsigned
common_divisor (unsigned a, unsigned b)
{
  return b == 0 ? a : common_divisor (b, a % b);
}

/* An index below N that no two items I below N have in common.  */
static const char *
another_place (unsigned n)
{
  unsigned k = 2 + below (40);
  switch (below (4))
    {
    case 0: return text ("%u - i", n - 1);
    case 1: return text ("(i + %u) %% %u", below (n + 9), n);
    case 2: return n % 2 == 0 ? "i ^ 1" : "i";
    default: return common_divisor (k, n) == 1 ? text ("i * %u %% %u", k, n) : "i";
    }
}

/* Threads read what others have left, and leave something.  */
static void
items_phase (void)
{
  unsigned n = number_of_items ();
  struct head h = plan_items (n);
  int other = ++fresh;

  begin_roles ();
  for (unsigned i = 0, from = below (num_arrays); i < num_arrays && num_roles < 5; i++)
    {
      struct array *a = &arrays[(from + i) % num_arrays];
      unsigned what = below (12);
      if (a->reserved || what >= 9)
	continue;
      if (what < 4)
	add_role (a, READ, 0);
      else if (what < 7 && a->size > 0)
	add_role (a, OWN, a != arrays && chance (25) ? other : h.by);
      else if (a != arrays && what >= 7)
	{
	  /* Threads take turns in critical constructs.  */
	  unsigned op = below (n * repeats > 100 ? MIN_OP + 1 : NUM_OPS);
	  add_role (a, COMBINE, op + 1);
	}
    }
  if (!has_role (arrays) && num_readable == num_roles)
    add_role (arrays, OWN, h.by);
  meet_if_needed ();
  begin_items (h, chance (70) ? text ("%u", n) : text ("(one * %u)", n), n);
  begin_code ();
  shared_allowed = n * repeats * teams < 200 && chance (10);
  for (unsigned i = 0; i < num_roles; i++)
    {
      const struct role *r = &roles[i];
      if (r->what == OWN && r->how == h.by && r->array->size >= n && r->array != arrays && chance (60))
	add_var (r->array->type, element (r->array, "i"));
    }
  for (unsigned i = 0; i < num_privates && h.mine; i++)
    add_var (private_types[i], privates[i]);
  locals (below (3), below (100) < 15);
  stmts (below (4), 2);
  for (unsigned i = 0; i < num_roles; i++)
    {
      const struct role *r = &roles[i];
      const struct array *a = r->array;
      if (r->what == READ)
	continue;
      if (chance (15))
	line ("if (in_u8[ix & %u] > %u)", IN - 1, below (200));
      if (r->what == COMBINE)
	{
	  combine (a, r->how - 1);
	  continue;
	}
      const char *to = element (a, r->how == h.by ? "i" : another_place (least (n, a->size)));
      if (a->size < n)
	line ("if (i < %u)", a->size);
      line ("%s %s %s;", to, PICK ("=", "=", "+=", "^=", "-="), chance (50) ? int_expr (3) : sum_of_variables ());
    }
  update_private_sums ();
  end_items (h);
}

/* ---- what one thread does ---- */

/* Statements of one thread, which sets some arrays and reads others.  */
static void
serial_code (void)
{
  open_block ();
  line ("int i = %u;", below (stride));
  begin_code ();
  shared_allowed = false;
  locals (below (2), 0);
  for (unsigned i = 0; i < num_roles; i++)
    {
      const struct array *a = roles[i].array;
      if (roles[i].what == READ)
	continue;
      if (a->size == 0)
	line ("%s %s %s;", a->name, PICK ("=", "=", "+=", "^="), int_expr (3));
      else if (chance (60))
	line ("%s %s %s;", element (a, somewhere (a->size)), PICK ("=", "+=", "^="), int_expr (2));
      else
	{
	  line ("for (int e = %u; e < %u; e += %u)", below (a->size), a->size, 1 + below (a->size) + a->size / 8);
	  line ("  %s += %s + e;", element (a, "e"), int_expr (2));
	}
    }
  close_block ();
}

/* Roles for it: up to MOST arrays are set.  */
static void
serial_roles (unsigned most)
{
  int by = ++fresh;
  begin_roles ();
  for (unsigned i = 0, from = below (num_arrays), sets = 0; i < num_arrays; i++)
    {
      struct array *a = &arrays[(from + i) % num_arrays];
      if (a->reserved || a == arrays)
	continue;
      if (sets < most && chance (a->size == 0 ? 60 : 25))
	{
	  add_role (a, OWN, by);
	  sets++;
	}
      else if (chance (30))
	add_role (a, READ, 0);
    }
}

static void
serial_phase (void)
{
  bool waits = false;
  serial_roles (2);
  meet_if_needed ();
  switch (below (7))
    {
    case 0:
      waits = true;
      DEVICE ("#pragma omp single");
      break;
    case 1:
      DEVICE ("#pragma omp single nowait");
      break;
    case 2:
      DEVICE ("#pragma omp master");
      break;
    case 3:
      DEVICE ("#pragma omp masked");
      break;
    case 4:
      DEVICE ("#pragma omp masked filter (%u)", exact ? below (threads) : 0);
      break;
    case 5:
      DEVICE ("if (t == 0)");
      break;
    default:
      DEVICE ("if (t == nt - 1)");
      break;
    }
  serial_code ();
  if (waits)
    forget ();
}

static void
sections_phase (void)
{
  bool waits = chance (50);
  serial_roles (4);
  meet_if_needed ();
  struct role all[MOST_ARRAYS];
  unsigned num = num_roles;
  memcpy (all, roles, sizeof (all));
  DEVICE ("#pragma omp sections%s", waits ? "" : " nowait");
  open_block ();
  for (unsigned i = 0; i < num; i++)
    if (all[i].what == OWN)
      {
	DEVICE ("#pragma omp section");
	roles[0] = all[i];
	num_roles = 1;
	serial_code ();
      }
  DEVICE ("#pragma omp section");
  line ("(void) 0;");
  close_block ();
  if (waits)
    forget ();
}

/* ---- whole teams ---- */

static struct array *
some_scalar (void)
{
  for (unsigned i = 0, from = below (num_arrays); i < num_arrays; i++)
    {
      struct array *a = &arrays[(from + i) % num_arrays];
      if (a->size == 0 && !a->reserved)
	return a;
    }
  return NULL;
}

/* An array of one dimension, of LEAST elements or more, of TYPE (-1: any), which is not OTHER.  */
static struct array *
some_array (unsigned least_size, int type, const struct array *other)
{
  for (unsigned i = 0, from = below (num_arrays); i < num_arrays; i++)
    {
      struct array *a = &arrays[(from + i) % num_arrays];
      if (a != arrays && a != other && a->size >= least_size && a->size > 0 && a->row == 0 && a->member == NULL
	  && !a->reserved && (type < 0 || a->type == (unsigned) type))
	return a;
    }
  return NULL;
}

/* A loop with a reduction into a variable of the team.  */
static void
reduction_phase (void)
{
  struct array *s = some_scalar ();
  unsigned n = number_of_items (), op = below (NUM_REDUCTIONS);
  bool waits = chance (60);

  if (s == NULL)
    return;
  begin_roles ();
  add_role (s, OWN, ++fresh);
  for (unsigned i = 0; i < num_arrays; i++)
    if (&arrays[i] != s && !arrays[i].reserved && chance (40))
      add_role (&arrays[i], READ, 0);
  meet_if_needed ();
  DEVICE ("#pragma omp for reduction (%s: %s)%s%s", ops[op], s->name, for_schedule (), waits ? "" : " nowait");
  line ("for (int i = 0; i < %u; i++)", n);
  open_block ();
  begin_code ();
  line ("%s", reduction_update (s->type, s->name, op));
  close_block ();
  work += n * repeats;
  if (waits)
    forget ();
}

/* A tree: half of the items each time.  */
static void
tree (struct array *a, unsigned n)
{
  unsigned k = names++;
  const char *op = PICK ("+", "^", "max");
  const char *mine = element (a, "i"), *its = element (a, text ("i + h%u", k));
  if (chance (50))
    {
      line ("for (int n%u = %u, h%u; n%u > 1; n%u = h%u)", k, n, k, k, k, k);
      open_block ();
      line ("h%u = (n%u + 1) / 2;", k, k);
      step (text ("(n%u - h%u)", k, k), n, op[0] == 'm' ? text ("%s = MAX (%s, %s);", mine, mine, its)
	    : text ("%s %s= %s;", mine, op, its));
    }
  else
    {
      /* The largest power of two below N, as with blocks of such a size.  */
      unsigned h = 1;
      while (h * 2 < n)
	h *= 2;
      line ("for (int h%u = %u; h%u > 0; h%u /= 2)", k, h, k, k);
      open_block ();
      step (text ("h%u", k), h, text (op[0] == 'm' ? "if (i + h%1$u < %2$u) %3$s = MAX (%3$s, %4$s);"
				      : "if (i + h%1$u < %2$u) %3$s = %3$s %5$s %4$s;", k, n, mine, its, op));
    }
  close_block ();
}

/* Sums of all that comes before: from one array to the other and back.  */
static void
scan (struct array *a, struct array *b, unsigned n)
{
  unsigned k = names++;
  const char *t = types[a->type].name;
  line ("%s *from%u = %s, *to%u = %s;", t, k, a->name, k, b->name);
  line ("for (int d%u = 1; d%u < %u; d%u *= 2)", k, k, n, k);
  open_block ();
  step (text ("%u", n), n, text ("to%u[i] = i >= d%u ? from%u[i] + from%u[i - d%u] : from%u[i];", k, k, k, k, k, k));
  line ("{ %s *s%u = from%u; from%u = to%u; to%u = s%u; }", t, k, k, k, k, k, k);
  close_block ();
}

/* The same in one array, with a number that each thread keeps over a barrier.  */
static void
scan_in_place (struct array *a, unsigned n)
{
  unsigned k = names++;
  const char *to = element (a, "i");
  DEVICE ("%s own%u = 0;", types[a->type].name, k);
  MODEL ("%s own%u[1024];", types[a->type].name, k);
  line ("for (int d%u = 1; d%u < %u; d%u *= 2)", k, k, n, k);
  open_block ();
  for (unsigned turn = 0; turn < 2; turn++)
    {
      MODEL ("for (int i = 0; i < %u; i++)", n);
      DEVICE ("if (t < %u)", n);
      open_block ();
      DEVICE ("int i = t;");
      if (turn == 0)
	line ("own%u OWN = i >= d%u ? %s : 0;", k, k, element (a, text ("i - d%u", k)));
      else
	line ("%s += own%u OWN;", to, k);
      close_block ();
      barrier ();
    }
  close_block ();
  work += n * 16;
}

/* Neighbours change places; or elements at a distance that is a power of two.  */
static void
sort (struct array *a, unsigned n)
{
  unsigned k = names++, rounds = 1 + below (8);
  const char *t = types[a->type].name, *name = a->name;
  if (chance (50))
    {
      line ("for (int k%u = 0; k%u < %u; k%u++)", k, k, rounds, k);
      open_block ();
      step (text ("((%u - (k%u & 1)) / 2)", n, k), n,
	    text ("{ int e = 2 * i + (k%u & 1); if (%s[e] > %s[e + 1]) { %s o = %s[e]; %s[e] = %s[e + 1]; %s[e + 1] = o; } }",
		  k, name, name, t, name, name, name, name));
      close_block ();
      return;
    }
  unsigned size = 1;
  while (size * 2 <= n && size < 256)
    size *= 2;
  line ("for (int k%u = 2; k%u <= %u; k%u *= 2)", k, k, size, k);
  line ("for (int d%u = k%u / 2; d%u > 0; d%u /= 2)", k, k, k, k);
  open_block ();
  step (text ("%u", size), size,
	text ("{ int e = i ^ d%u; if (e > i && ((i & k%u) == 0 ? %s[i] > %s[e] : %s[i] < %s[e])) "
	      "{ %s o = %s[i]; %s[i] = %s[e]; %s[e] = o; } }", k, k, name, name, name, name, t, name, name, name, name));
  close_block ();
}

/* All use the element that none changes in a turn.  */
static void
pivots (struct array *a, unsigned n)
{
  unsigned k = names++;
  line ("for (int k%u = 0; k%u < %u; k%u++)", k, k, least (n, 1 + below (9)), k);
  open_block ();
  step (text ("%u", n), n, text ("if (i != k%u) %s[i] %s %s[k%u] * %u + k%u;", k, a->name, PICK ("+=", "^=", "-="), a->name, k,
				 1 + below (9), k));
  close_block ();
}

/* Items in any order in a list: those that go through it do what doesn't depend on the order.  */
static void
compact (struct array *list, struct array *count, struct array *into, unsigned n)
{
  unsigned k = names++;
  line ("unsigned num%u;", k);
  DEVICE ("%s", PICK ("#pragma omp single", "#pragma omp masked", "if (t == 0)"));
  line ("%s = 0;", count->name);
  barrier ();
  step (text ("%u", n), n,
	text ("if (in_u8[(i + PART * %u) & %u] > %u) { %s k;\n#pragma omp atomic capture\nk = %s++;\n%s[k] = i; }",
	      below (20), IN - 1, below (200), types[count->type].name, count->name, list->name));
  line ("num%u = %s;", k, count->name);
  step (text ("(int) num%u", k), n,
	text ("{ int e = %s[i];\n#pragma omp atomic\n%s += in_i32[e & %u] ^ e; }", list->name,
	      element (into, into->size > 0 ? text ("e %% %u", into->size) : ""), IN - 1));
  step (text ("%u", n), n, text ("%s[i] = i * 3 + (int) num%u;", list->name, k));
}

/* Until nothing changes, for some turns.  */
static void
converge (struct array *a, struct array *b, struct array *flag, unsigned n)
{
  unsigned k = names++;
  line ("int turn%u = 0, again%u;", k, k);
  line ("do");
  open_block ();
  DEVICE ("%s", PICK ("#pragma omp single", "#pragma omp master", "if (t == nt - 1)"));
  line ("%s = 0;", flag->name);
  barrier ();
  step (text ("%u", n), n,
	text ("{ %s[i] = MAX (%s[i], %s[(i + 1) %% %u]); if (%s[i] != %s[i])\n%s\n%s = 1; }", b->name, a->name, a->name, n, b->name,
	      a->name, "#pragma omp atomic write", flag->name));
  line ("again%u = %s != 0;", k, flag->name);
  step (text ("%u", n), n, text ("%s[i] = %s[i];", a->name, b->name));
  close_block ();
  line ("while (again%u && ++turn%u < %u);", k, k, 2 + below (5));
}

/* Each diagonal of a table needs the one before.  */
static void
wavefront (struct array *a)
{
  unsigned k = names++, rows = a->size / a->row;
  const char *name = a->name;
  line ("for (int d%u = 0; d%u < %u; d%u++)", k, k, rows + a->row - 1, k);
  open_block ();
  step (text ("%u", rows), rows,
	text ("{ int j = d%u - i; if (j >= 0 && j < %u) %s[i][j] = (i > 0 ? %s[i - 1][j] : PART) %c (j > 0 ? %s[i][j - 1] : %u) "
	      "+ %s[i][j]; }", k, a->row, name, name, "+^-"[below (3)], name, below (9), name));
  close_block ();
  work += rows * (rows + a->row) * repeats;
}

/* Tiles of a product: all of a tile is there before it is used, and used before the next one comes.  */
static void
tiles (struct array *a, struct array *b, struct array *c, unsigned n)
{
  unsigned k = names++, w = 1;
  while ((w + 1) * (w + 1) <= n && w < 9)
    w++;
  line ("for (int k%u = 0; k%u < %u; k%u++)", k, k, 1 + below (3), k);
  open_block ();
  step (text ("%u", w * w), w * w,
	text ("{ %s[i] = in_i32[(i + k%u * %u + PART) & %u]; %s[i] = in_u16[(i * 3 + k%u) & %u]; }", a->name, k, below (99), IN - 1,
	      b->name, k, IN - 1));
  step (text ("%u", w * w), w * w,
	text ("for (int q = 0; q < %u; q++) %s[i] += %s[i / %u * %u + q] * %s[q * %u + i %% %u];", w, c->name, a->name, w, w, b->name,
	      w, w));
  close_block ();
}

static bool
holds (const struct array *a, unsigned n)
{
  return a != NULL && (types[a->type].tag[1] != '8' || n < 128);
}

static struct { FILE *device, *model; char *texts[2]; size_t sizes[2]; } functions;

/* Something of several barriers, in a function of its own or not.  */
static void
pattern (void)
{
  struct array *a = some_array (2, -1, NULL), *b = NULL, *c = NULL, x, y, z;
  unsigned n, what = below (10), k = names++;
  FILE *const to_device = device, *const to_model = model;
  unsigned had_uniforms = num_uniforms, had_readable = num_readable;

  if (a == NULL)
    return;
  switch (what)
    {
    case 1: case 2:
      b = some_array (a->size, a->type, a);
      what = b != NULL ? 1 : 0;
      break;
    case 3:
      if (!exact)
	what = 0;
      break;
    case 6:
      b = some_scalar ();
      c = some_array (1, -1, a);
      if (!holds (b, a->size) || !holds (a, a->size) || c == NULL)
	what = 5;
      break;
    case 7:
      b = some_array (a->size, a->type, a);
      c = some_scalar ();
      what = b != NULL && c != NULL ? 7 : 4;
      break;
    case 8:
      for (unsigned i = 0; i < num_arrays; i++)
	if (arrays[i].row > 0 && !arrays[i].reserved)
	  b = &arrays[i];
      what = b != NULL ? 8 : 0;
      break;
    case 9:
      b = some_array (2, -1, a);
      for (unsigned i = 0; i < 8 && (c == NULL || c == b); i++)
	c = some_array (2, -1, a);
      what = b != NULL && c != NULL && c != b ? 9 : 4;
      break;
    default:
      break;
    }
  n = least (a->size, what == 3 ? threads : stride);
  if (what == 9)
    n = least (n, least (b->size, c->size));
  if (chance (30) && n > 2 && what != 9)
    n = 2 + below (n - 1);
  if (work + n * repeats * 8 > most_work || n < 2)
    return;
  if (!is_clean () || chance (20))
    barrier ();

  /* Not of a structure of arrays, whose type has no name here.  */
  bool apart = what != 6 && what != 7 && what != 8 && chance (40);
  if (apart)
    {
      const char *inlining = chance (70) ? "static NOINLINE void" : "static void", *parameters = "";
      const char *arguments = "";
      device = functions.device;
      model = functions.model;
      x = *a;
      x.name = "x";
      parameters = text ("%s *x", types[a->type].name);
      arguments = a->name;
      a = &x;
      if (b != NULL)
	{
	  y = *b;
	  y.name = "y";
	  parameters = text ("%s, %s *y", parameters, types[b->type].name);
	  arguments = text ("%s, %s", arguments, b->name);
	  b = &y;
	}
      if (c != NULL)
	{
	  z = *c;
	  z.name = "z";
	  parameters = text ("%s, %s *z", parameters, types[c->type].name);
	  arguments = text ("%s, %s", arguments, c->name);
	  c = &z;
	}
      lines_to (to_device, NULL);
      line ("f%u (%s, PART);", k, arguments);
      lines_to (NULL, to_model);
      line ("m%u (%s, PART);", k, arguments);
      DEVICE ("%s f%u (%s, int part)", inlining, k, parameters);
      MODEL ("%s m%u (%s, int part)", inlining, k, parameters);
      open_block ();
      DEVICE ("int t = omp_get_thread_num (), nt = omp_get_num_threads ();");
      num_uniforms = 1;
    }
  else
    open_block ();
  num_readable = 0;
  switch (what)
    {
    case 0: tree (a, n); break;
    case 1: scan (a, b, n); break;
    case 3: scan_in_place (a, n); break;
    case 4: sort (a, n); break;
    case 6: compact (a, b, c, n); break;
    case 7: converge (a, b, c, n); break;
    case 8: wavefront (b); break;
    case 9: tiles (a, b, c, n); break;
    default: pivots (a, n); break;
    }
  close_block ();
  work += n * repeats * 4;
  num_uniforms = had_uniforms;
  num_readable = had_readable;
  device = to_device;
  model = to_model;
  lines_to (device, model);
}

/* ---- control that is the same for all threads (invariant 3) ---- */

/* A number that is the same in all threads of the team.  */
static const char *
uniform (void)
{
  struct array *a = &arrays[below (num_arrays)];
  if (a->reserved || chance (60) || num_uniforms + 2 >= MOST_NAMES)
    return uniforms[below (num_uniforms)];
  begin_roles ();
  add_role (a, READ, 0);
  meet_if_needed ();
  const char *name = text ("u%u", names++);
  line ("int %s = (int) %s & 15;", name, a->size > 0 ? element_at (a, below (a->size)) : a->name);
  uniforms[num_uniforms++] = name;
  return name;
}

static unsigned in_loop, in_switch;

static void phases (unsigned num, unsigned depth);

static void
loop_phase (unsigned depth)
{
  unsigned n = 1 + below (4), had = num_uniforms, in = in_switch;
  const char *k = text ("k%u", names++), *bound;
  struct state before[MOST_ARRAYS];

  if (repeats * n > 12)
    return;
  switch (below (4))
    {
    case 0: bound = text ("%u", n); break;
    case 1: bound = text ("one * %u", n); break;
    case 2: bound = text ("(int) (PART %% %u) + 1", n); break;
    default: bound = text ("(int) ((unsigned) %s %% %u) + %u", uniform (), n, below (2)); n++; break;
    }
  save_states (before);
  line ("for (int %s = 0; %s < %s; %s++)", k, k, bound, k);
  open_block ();
  /* What is known of it holds for the turn only.  */
  unsigned outside = num_uniforms;
  uniforms[num_uniforms++] = k;
  repeats *= n;
  in_loop++;
  in_switch = 0;
  phases (1 + below (3), depth);
  in_loop--;
  in_switch = in;
  repeats /= n;
  if (!is_clean () || chance (20))
    barrier ();
  close_block ();
  num_uniforms = outside > had ? outside : had;
  merge_states (before);
}

static void
branch_phase (unsigned depth)
{
  struct state before[MOST_ARRAYS], after[MOST_ARRAYS];
  const char *u = uniform ();
  unsigned had = num_uniforms;

  save_states (before);
  if (chance (30))
    {
      unsigned cases = 2 + below (2);
      line ("switch ((unsigned) %s %% %u)", u, cases + below (2));
      open_block ();
      save_states (after);
      in_switch++;
      for (unsigned i = 0; i < cases; i++)
	{
	  restore_states (before);
	  line ("case %u:", i);
	  open_block ();
	  phases (1 + below (2), depth);
	  close_block ();
	  line ("break;");
	  num_uniforms = had;
	  merge_states (after);
	  save_states (after);
	}
      in_switch--;
      close_block ();
      return;
    }
  line (PICK ("if (%s & 1)", "if (%s %% 3 == 1)", "if (%s > 0)", "if (!(%s & 1))"), u);
  open_block ();
  phases (1 + below (2), depth);
  close_block ();
  num_uniforms = had;
  save_states (after);
  restore_states (before);
  if (chance (50))
    {
      line ("else");
      open_block ();
      phases (1 + below (2), depth);
      close_block ();
      num_uniforms = had;
    }
  merge_states (after);
}

/* End the turn of a loop, or the loop, early.  */
static void
leave_phase (void)
{
  const char *u = uniform ();
  if (!is_clean ())
    barrier ();
  line ("if (%s %% %u == %u) %s;", u, 2 + below (3), below (2), in_switch > 0 || chance (50) ? "continue" : "break");
}

static void
phases (unsigned num, unsigned depth)
{
  for (unsigned i = 0; i < num; i++)
    {
      if (work > most_work)
	return;
      switch (below (14))
	{
	case 0: case 1: case 2: case 3: case 4: case 5:
	  items_phase ();
	  break;
	case 6:
	  serial_phase ();
	  break;
	case 7: case 8:
	  pattern ();
	  break;
	case 9:
	  if (depth > 0)
	    loop_phase (depth - 1);
	  break;
	case 10:
	  if (depth > 0)
	    branch_phase (depth - 1);
	  break;
	case 11:
	  reduction_phase ();
	  break;
	case 12:
	  if (in_loop > 0)
	    leave_phase ();
	  else
	    items_phase ();
	  break;
	default:
	  sections_phase ();
	  break;
	}
    }
}

/* ---- parallel regions ---- */

static const char *
initial_value (const struct array *a)
{
  return text ("in_%s[(e * %u + PART) & %u] + %u", types[a->type].tag, 1 + below (9), IN - 1, below (100));
}

/* Give A values, by the initial thread.  */
static void
set_serially (struct array *a)
{
  line ("for (int e = 0; e < %u; e++)", a->size);
  line ("  %s = %s;", element (a, "e"), initial_value (a));
  a->set = true;
}

/* By a team, of however many threads.  */
static void
set_by_team (struct array *a)
{
  struct head h;
  do
    h = plan_items (a->size);
  while (h.kind == IF);
  begin_roles ();
  add_role (a, OWN, h.by);
  meet_if_needed ();
  begin_items (h, text ("%u", a->size), a->size);
  line ("int e = i;");
  line ("%s = %s;", element (a, "e"), initial_value (a));
  end_items (h);
  a->set = true;
}

/* What threads have of their own.  */
static void
declare_privates (void)
{
  num_privates = exact ? below (4) : 0;
  num_sums = below (3);
  for (unsigned i = 0; i < num_sums; i++)
    {
      sums[i] = text ("sum%u", names++);
      line ("unsigned long %s = 0;", sums[i]);
    }
  for (unsigned i = 0; i < num_privates; i++)
    {
      unsigned type = below (NUM_INTEGERS), k = names++;
      private_types[i] = type;
      privates[i] = text ("p%u OWN", k);
      DEVICE ("%s p%u = omp_get_thread_num () * %u + PART;", types[type].name, k, 1 + i);
      MODEL ("%s p%u[1024];", types[type].name, k);
      MODEL ("for (int i = 0; i < %u; i++)", threads);
      MODEL ("  p%u[i] = i * %u + PART;", k, 1 + i);
    }
}

/* Where that goes.  */
static void
collect_privates (void)
{
  for (unsigned i = 0; i < num_sums; i++)
    {
      struct array *s = some_scalar ();
      if (s == NULL)
	s = some_array (1, -1, NULL);
      if (s == NULL)
	return;
      begin_roles ();
      add_role (s, COMBINE, i + 1);
      meet_if_needed ();
      line ("#pragma omp atomic");
      line ("%s %s= %s;", s->size > 0 ? element_at (s, below (s->size)) : s->name, ops[i], sums[i]);
    }
  if (num_privates == 0)
    return;
  begin_roles ();
  add_role (arrays, OWN, CYCLIC);
  meet_if_needed ();
  struct head h = { .kind = IF, .by = CYCLIC, .mine = true };
  begin_items (h, text ("%u", threads), threads);
  for (unsigned i = 0; i < num_privates; i++)
    line ("%s += (unsigned long) %s * %u;", element (arrays, "i"), privates[i], i * 2 + 1);
  end_items (h);
}

/* Reductions of the region: its clauses.  */
static const char *
choose_reductions (void)
{
  const char *clauses = "";
  num_reduced = 0;
  while (num_reduced < 3 && chance (35))
    {
      struct array *a = chance (70) ? some_scalar () : some_array (1, -1, NULL);
      if (a == NULL || a->size > 20 || !a->set)
	break;
      unsigned op = below (NUM_REDUCTIONS);
      a->reserved = true;
      reduced[num_reduced].array = a;
      reduced[num_reduced++].op = op;
      clauses = a->size == 0 ? text ("%s reduction (%s: %s)", clauses, ops[op], a->name)
		: text ("%s reduction (%s: %s[:%u])", clauses, ops[op], a->name, a->size);
    }
  return clauses;
}

/* LAST: what the arrays have at the end is told by threads.  */
static void
parallel (bool limited, bool last)
{
  const char *clauses = choose_reductions ();
  const char *number = "";
  unsigned more = 0, outside = num_uniforms;

  threads = limit;
  if (!limited || chance (60))
    {
      if (limited && chance (25))
	threads = 1 + below (limit);
      more = limited && !exact && chance (15) ? below (100) : 0;
      number = text (PICK (" num_threads (%u)", " num_threads (one * %u)", " num_threads (%u + few[%u])"), threads + more, MOST_TEAMS);
      if (more > 0)
	threads = limit;
    }
  forget ();
  in_loop = in_switch = 0;
  DEVICE ("#pragma omp parallel%s%s", number, clauses);
  open_block ();
  DEVICE ("int t = omp_get_thread_num (), nt = omp_get_num_threads ();");
  DEVICE ("if (t == 0 && nt %s %u)", exact ? "!=" : ">", threads);
  DEVICE ("  few[PART] = nt;");
  declare_privates ();
  for (unsigned i = 0; i < num_arrays; i++)
    if (!arrays[i].set)
      set_by_team (&arrays[i]);
  bool guarded = exact && chance (30);
  if (guarded)
    DEVICE ("if (nt == %u)", threads);
  if (guarded)
    open_block ();
  phases (2 + below (5), 2);
  collect_privates ();
  for (unsigned i = 1; i < num_arrays && last; i++)
    {
      struct array *a = &arrays[i];
      if (a->size == 0 || a->reserved)
	continue;
      struct head h = plan_items (a->size);
      begin_roles ();
      add_role (a, READ, 0);
      add_role (arrays, OWN, h.by);
      meet_if_needed ();
      begin_items (h, text ("%u", a->size), a->size);
      line ("%s = MIX (%s, %s);", element (arrays, "i"), element (arrays, "i"), element (a, "i"));
      end_items (h);
    }
  if (guarded)
    close_block ();
  close_block ();
  for (unsigned i = 0; i < num_reduced; i++)
    reduced[i].array->reserved = false;
  num_reduced = num_privates = num_sums = 0;
  num_uniforms = outside;
  forget ();
}

/* ---- kernels ---- */

static void
choose_sizes (void)
{
  static const unsigned short some[]
    = { 1, 2, 3, 5, 7, 8, 16, 31, 32, 33, 40, 48, 63, 64, 65, 96, 100, 127, 128, 129, 160, 200, 255, 256, 257 };
  static const unsigned short large[] = { 320, 384, 500, 511, 512, 513, 640, 768, 992, 1000, 1023, 1024 };
  limit = chance (40) ? 1 + below (130) : chance (75) ? some[below (sizeof (some) / sizeof (some[0]))]
	  : chance (70) ? large[below (sizeof (large) / sizeof (large[0]))] : 1 + below (1024);
  teams = limit > 200 ? 1 + below (2) : 1 + below (5);
  most_work = (2000 + 6 * limit) / (1 + teams / 3);
  repeats = 1;
  work = 0;
}

/* Arrays and variables of the team.  */
static void
declare_arrays (void)
{
  unsigned n = 2 + below (4), bytes = 0, most = chance (10) ? 40000 : 12000;

  num_arrays = 1;
  arrays[0] = (struct array) { .type = 7, .size = 1, .set = true };
  stride = 1 + below (40) + limit;
  for (unsigned i = 0; i < n; i++)
    {
      struct array *a = &arrays[num_arrays], *again = &arrays[1 + below (num_arrays)];
      unsigned k = names++;
      *a = (struct array) { .name = text ("a%u", k), .type = below (NUM_INTEGERS) };
      if (num_arrays > 1 && chance (40) && again != a && again->row == 0 && again->member == NULL)
	{
	  a->type = again->type;
	  a->size = again->size;
	}
      else
	switch (below (7))
	  {
	  case 0: case 1: a->size = limit; break;
	  case 2: a->size = limit + 1 + below (9); break;
	  case 3: a->size = 1 + below (limit); break;
	  case 4: a->size = 4 + below (29); break;
	  case 5: a->size = limit * 2; break;
	  default:
	    a->row = 2 + below (20);
	    a->size = (1 + below (12)) * a->row;
	    break;
	  }
      if (most == 40000 && i == 0)
	a->size = a->row > 0 ? a->row * (3000 / a->row) : 2000 + below (3000);
      if (bytes + a->size * 8 > most)
	continue;
      bytes += a->size * 8;
      if (a->row == 0 && chance (12))
	{
	  a->member = PICK ("key", "value");
	  line ("struct { %s key; unsigned char mark; %s value; } %s[%u];", types[a->type].name, types[a->type].name, a->name,
		a->size);
	}
      else if (a->row > 0)
	line ("%s %s[%u][%u];", types[a->type].name, a->name, a->size / a->row, a->row);
      else
	line ("%s%s %s[%u];", chance (10) ? "__attribute__ ((aligned (64))) " : "", types[a->type].name, a->name, a->size);
      if (a->size > stride)
	stride = a->size;
      num_arrays++;
    }
  for (unsigned i = 0, m = 1 + below (4); i < m; i++)
    {
      struct array *a = &arrays[num_arrays++];
      *a = (struct array) { .name = text ("s%u", names++), .type = below (NUM_INTEGERS), .set = true };
      line ("%s %s = %u + PART;", types[a->type].name, a->name, below (50));
    }
  arrays[0].size = stride;
  while (teams * stride > RESULT)
    teams--;
  num_uniforms = 0;
  uniforms[num_uniforms++] = "(int) PART";
  num_variables = below (3);
  for (unsigned i = 0; i < num_variables; i++)
    {
      const char *name = text ("w%u", names++);
      line ("%s %s = PART * %u + %u;", types[4 + below (4)].name, name, below (5), below (9));
      uniforms[num_uniforms++] = name;
    }
}

/* The initial thread, between regions.  */
static void
between (void)
{
  if (chance (50))
    {
      serial_roles (2);
      serial_code ();
    }
  if (num_variables > 0 && chance (30))
    line ("%s += %u;", uniforms[num_variables], 1 + below (4));
}

/* A team's work.  */
static void
team_code (bool limited)
{
  bool by_threads = chance (40);
  unsigned num = 1 + below (3), loops = 0;

  for (unsigned i = 1; i < num_arrays; i++)
    if (!arrays[i].set && chance (50))
      set_serially (&arrays[i]);
  for (unsigned i = 0; i < num; i++)
    {
      bool again = i > 0 && loops == 0 && chance (25);
      if (again)
	{
	  const char *k = text ("k%u", names++);
	  loops = 1 + below (3);
	  line ("for (int %s = 0; %s < %s%u; %s++)", k, k, PICK ("", "one * "), loops, k);
	  open_block ();
	  uniforms[num_uniforms++] = k;
	  repeats = loops;
	}
      parallel (limited, by_threads && i == num - 1);
      if (again)
	{
	  between ();
	  close_block ();
	  repeats = 1;
	  num_uniforms--;
	}
      else if (i < num - 1)
	between ();
    }
  for (unsigned i = 1; i < num_arrays; i++)
    if (arrays[i].size == 0)
      line ("%s = MIX (%s, %s);", element (arrays, "0"), element (arrays, "0"), arrays[i].name);
    else if (!by_threads)
      {
	line ("for (int e = 0; e < %u; e++)", arrays[i].size);
	line ("  %s = MIX (%s, %s);", element (arrays, "e"), element (arrays, "e"), element (&arrays[i], "e"));
      }
}

void
block_kernel (unsigned number)
{
  char *texts[2];
  size_t sizes[2];

  functions.device = open_memstream (&functions.texts[0], &functions.sizes[0]);
  functions.model = open_memstream (&functions.texts[1], &functions.sizes[1]);
  device = open_memstream (&texts[0], &sizes[0]);
  model = open_memstream (&texts[1], &sizes[1]);
  if (functions.device == NULL || functions.model == NULL || device == NULL || model == NULL)
    abort ();
  kind = INTEGERS;
  more_leaves = leaf;
  num_readable = num_reduced = num_privates = num_sums = 0;
  fresh = CYCLIC;
  exact = plain_code = chance (50);
  choose_sizes ();
  /* How the number of threads is told: by thread_limit, by num_threads of each region, by both.  */
  bool limited = chance (80);
  lines_to (device, model);
  open_block ();
  declare_arrays ();
  team_code (limited);
  close_block ();
  lines_to (NULL, NULL);
  more_leaves = NULL;
  fclose (functions.device);
  fclose (functions.model);
  fclose (device);
  fclose (model);

  printf ("#pragma omp declare target\n#define OWN\n#define PART part\n%s#pragma omp end declare target\n", functions.texts[0]);
  printf ("#undef OWN\n#define OWN [i]\n%s", functions.texts[1]);
  printf ("static NOINLINE void\nmodel%u (void)\n{\n  for (int part = 0; part < %u; part++)\n%s}\n#undef OWN\n#define OWN\n",
	  number, teams, texts[1]);
  printf ("static NOINLINE void\nregion%u (int threads, int teams)\n{\n", number);

  const char *maps = text ("map (tofrom: result[:%u], few)", teams * stride);
  const char *limits = !limited ? "" : text (PICK (" thread_limit (%u)", " thread_limit (%u)", " thread_limit (threads)",
						   " thread_limit (one * %u)"), limit);
  const char *number_of = text (PICK (" num_teams (%u)", " num_teams (teams)", " num_teams (one * %u)"), teams);
  switch (below (6))
    {
    case 0: case 1:
      printf ("#undef PART\n#define PART omp_get_team_num ()\n#pragma omp target teams%s%s %s\n", number_of, limits, maps);
      break;
    case 2:
      printf ("#pragma omp target teams%s%s %s\n  for (int part = omp_get_team_num (); part < %u; part += omp_get_num_teams ())\n",
	      number_of, limits, maps, teams);
      break;
    case 3:
      printf ("#pragma omp target teams distribute num_teams (%u)%s %s\n  for (int part = 0; part < %u; part++)\n",
	      1 + below (teams), limits, maps, teams);
      break;
    case 4:
      printf ("#pragma omp target %s\n#pragma omp teams%s%s\n  for (int part = omp_get_team_num (); part < %u; part += %u)\n",
	      maps, number_of, limits, teams, teams);
      break;
    default:
      printf ("#pragma omp target %s%s\n  for (int part = 0; part < %u; part++)\n", maps, limits, teams);
      break;
    }
  printf ("%s}\n#undef PART\n#undef OWN\nstatic NOINLINE void\nkernel%u (void)\n{\n  model%u ();\n  keep_model ();\n  begin ();\n"
	  "  if (!model_only)\n    region%u (one * %u, one * %u);\n  end_block (%u, '%c', %u);\n}\n",
	  texts[0], number, number, number, limit, teams, number, exact ? 'x' : 'i', limit);
  for (unsigned i = 0; i < 2; i++)
    {
      free (texts[i]);
      free (functions.texts[i]);
    }
}

void
block_prologue (void)
{
  printf ("static unsigned long result[%u], expected[%u];\nstatic int few[%u + 1], model_only;\nstatic struct shared after_model;\n"
	  "static void keep_model (void);\nstatic void end_block (int number, char kind, int threads);\n", RESULT, RESULT, MOST_TEAMS);
}

void
block_epilogue (void)
{
  puts ("static void\nkeep_model (void)\n{\n  after_model = s;\n  memcpy (expected, result, sizeof (expected));\n"
	"  memset (result, 0, sizeof (result));\n  memset (few, 0, sizeof (few));\n}\n"
	"static void\nend_block (int number, char kind, int threads)\n{\n  int bad = 0, at = -1;\n"
	"  if (model_only)\n    {\n      memcpy (result, expected, sizeof (result));\n      s = after_model;\n    }\n"
	"  else\n    {\n#pragma omp target update from (s)\n    }\n"
	"  for (unsigned i = 0; i < sizeof (few) / sizeof (few[0]); i++)\n"
	"    if (few[i] != 0)\n"
	"      {\n"
	"        printf (kind == 'x' ? \"kernel%d: %d threads of %d\\n\" : \"kernel%d: 1 wrong: %d threads of %d\\n\",\n"
	"                number, few[i], threads);\n        fflush (stdout);\n"
	"        memset (result, 0, sizeof (result));\n        return;\n      }\n"
	"  for (unsigned i = 0; i < sizeof (result) / sizeof (result[0]); i++)\n"
	"    if (result[i] != expected[i] && bad++ == 0)\n      at = i;\n"
	"  if (memcmp (&s, &after_model, sizeof (s)) != 0)\n    bad++;\n"
	"  if (bad != 0)\n    printf (\"kernel%d: %d wrong, the first at %d\\n\", number, bad, at);\n"
	"  add (&s, sizeof (s));\n  add (result, sizeof (result));\n"
	"  printf (\"kernel%d %c %016lx\\n\", number, kind, sum);\n  fflush (stdout);\n"
	"  memset (result, 0, sizeof (result));\n}");
}
