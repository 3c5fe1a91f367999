/* aux-kernels-phases.c -- phases of block kernels (aux-kernels-blocks.c, whose invariants these
   are, too): what a team's threads do with its arrays between two barriers.  */

#include "aux-kernels-blocks.h"

#include <stdlib.h>
#include <string.h>

struct array arrays[MOST_ARRAYS];
unsigned num_arrays, limit, teams, stride;
bool exact;
const char *uniforms[MOST_NAMES];
unsigned num_uniforms, repeats, work, most_work;
int fresh;
struct team_pointers pointers;
unsigned threads;
const char *privates[4], *sums[3];
unsigned private_types[4], num_privates, num_sums;
struct reduced reduced[3];
unsigned num_reduced;
FILE *device, *model;

static struct array *readable[MOST_READ];	/* in the phase at hand */
static unsigned num_readable;

/* ---- arrays ---- */

const char *
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

const char *
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
const char *
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

void
forget (void)
{
  for (unsigned i = 0; i < num_arrays; i++)
    arrays[i].state = (struct state) { .read = false };
}

bool
is_clean (void)
{
  for (unsigned i = 0; i < num_arrays; i++)
    if (arrays[i].state.read || arrays[i].state.set_by != NOT || arrays[i].state.combined != 0)
      return false;
  return true;
}

void
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

void
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

void
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
void
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

void
save_states (struct state *to)
{
  for (unsigned i = 0; i < num_arrays; i++)
    to[i] = arrays[i].state;
}

/* Control comes from here or from where FROM was saved.  */
void
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

void
restore_states (const struct state *from)
{
  for (unsigned i = 0; i < num_arrays; i++)
    arrays[i].state = from[i];
}

/* ---- items ---- */

/* For MOST items.  */
struct head
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

const char *
for_schedule (void)
{
  const char *what = PICK ("", "", "static", "dynamic", "guided", "nonmonotonic: dynamic",
			   "monotonic: dynamic");
  return what[0] == 0 ? "" : chance (50) ? text (" schedule (%s)", what)
	 : text (" schedule (%s, %u)", what, 1 + below (9));
}

/* The head of a loop over items I below BOUND, MOST of them, and its block's begin.  */
void
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

void
end_items (struct head h)
{
  close_block ();
  if (h.waits)
    forget ();
}

/* A loop over items that do STATEMENT, and a barrier.  */
void
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
unsigned
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

const char *const ops[NUM_OPS] = { "+", "^", "|", "&", "*", "max", "min", "critical +",
				  "critical ^" };

/* E, such that OP with it leaves some bits.  */
static const char *
operand (unsigned op, const char *e)
{
  return ops[op][0] == '&' ? text ("~(1ul << ((%s) & 63))", e)
	 : ops[op][0] == '*' ? text ("(1 | (%s))", e)
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
      line ("#pragma omp critical%s", PICK ("", "", " (first)", " (second)"));
      line ("%s = %s %c e;", to, to, ops[op][9]);
      break;
    default:
      line ("#pragma omp atomic %s", PICK ("", "", "", "seq_cst", "relaxed"));
      line (chance (50) ? "%1$s %2$s= e;" : "%1$s = %1$s %2$s e;", to, ops[op]);
      break;
    }
  close_block ();
}

/* A thread's update of a variable that the region reduces.  How often MAX computes its operand
   depends on the thread's value so far, so it is done before.  */
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
	line ("%s", reduction_update (a->type, a->size > 0 ? element (a, somewhere (a->size))
				      : a->name, reduced[i].op));
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

/* What a loop over N items, shared out as H says, does with the arrays.  */
void
items_roles (struct head h, unsigned n)
{
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
	  unsigned op = below (n * repeats > 50 ? MIN_OP + 1 : NUM_OPS);
	  add_role (a, COMBINE, op + 1);
	}
    }
  if (!has_role (arrays) && num_readable == num_roles)
    add_role (arrays, OWN, h.by);
}

void
items_code (struct head h, unsigned n)
{
  begin_code ();
  shared_allowed = n * repeats * teams < 200 && chance (10);
  for (unsigned i = 0; i < num_roles; i++)
    {
      const struct role *r = &roles[i];
      if (r->what == OWN && r->how == h.by && r->array->size >= n && r->array != arrays
	  && chance (60))
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
      line ("%s %s %s;", to, PICK ("=", "=", "+=", "^=", "-="),
	    chance (50) ? int_expr (3) : sum_of_variables ());
    }
  update_private_sums ();
}

/* Threads read what others have left, and leave something.  */
void
items_phase (void)
{
  unsigned n = number_of_items ();
  struct head h = plan_items (n);

  items_roles (h, n);
  meet_if_needed ();
  begin_items (h, chance (70) ? text ("%u", n) : text ("(one * %u)", n), n);
  items_code (h, n);
  end_items (h);
}

/* ---- what one thread does ---- */

/* Statements of one thread, which sets some arrays and reads others.  */
void
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
	  line ("for (int e = %u; e < %u; e += %u)", below (a->size), a->size,
		1 + below (a->size) + a->size / 8);
	  line ("  %s += %s + e;", element (a, "e"), int_expr (2));
	}
    }
  close_block ();
}

/* Roles for it: up to MOST arrays are set.  */
void
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

void
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

void
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

struct array *
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
struct array *
some_array (unsigned least_size, int type, const struct array *other)
{
  for (unsigned i = 0, from = below (num_arrays); i < num_arrays; i++)
    {
      struct array *a = &arrays[(from + i) % num_arrays];
      if (a != arrays && a != other && a->size >= least_size && a->size > 0 && a->row == 0
	  && a->member == NULL
	  && !a->reserved && (type < 0 || a->type == (unsigned) type))
	return a;
    }
  return NULL;
}

/* A loop with a reduction into a variable of the team.  */
void
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
  DEVICE ("#pragma omp for reduction (%s: %s)%s%s", ops[op], s->name, for_schedule (),
	  waits ? "" : " nowait");
  line ("for (int i = 0; i < %u; i++)", n);
  open_block ();
  begin_code ();
  line ("%s", reduction_update (s->type, s->name, op));
  close_block ();
  work += n * repeats;
  if (waits)
    forget ();
}

