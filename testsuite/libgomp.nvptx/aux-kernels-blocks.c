/* aux-kernels-blocks.c -- block kernels among the random target regions (aux-kernels.c): regions
   that are written like CUDA's.

   The threads of a team work on arrays of the team, in phases between barriers.  A serial model of
   the region, made of the same statements, is printed beside it; the program compares what both
   have computed.

   Invariants
   1. The text of phases, loops around them and conditions goes to two copies: the region, with its
      directives and with loops that share out items, and the model, with a loop over all items.
   2. Between two barriers an element is read by any thread, or read and set by one, or combined by
      one operation whose order doesn't matter.  What each array has been used for since the last
      barrier is kept in its `state'; a phase that does not go with it has a barrier in front.
   3. What decides whether a barrier is executed is the same for all threads of a team.
   4. Half of the kernels are right with any number of threads (letter i).  The others (letter x)
      count on the threads that they ask for: a thread has an item, and private variables that live
      over barriers.  With fewer threads these compute nothing that can be compared, but reach no
      undefined value or place, and all their barriers.
   5. Whole numbers only.  Teams share nothing but arrays that each has a part of.  */

#include "aux-kernels-blocks.h"

#include <stdlib.h>
#include <string.h>

static unsigned num_variables;	/* of the team: the first of the uniforms but one */

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
    default:
      bound = text ("(int) ((unsigned) %s %% %u) + %u", uniform (), n, below (2));
      n++;
      break;
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
  line ("if (%s %% %u == %u) %s;", u, 2 + below (3), below (2), in_switch > 0 || chance (50)
	? "continue" : "break");
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
  return text ("in_%s[(e * %u + PART) & %u] + %u", types[a->type].tag, 1 + below (9), IN - 1,
	       below (100));
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
  /* Several, and arrays, take a lock in each thread.  */
  bool few = limit <= 48;
  num_reduced = 0;
  while (num_reduced < (few ? 3 : 1) && chance (35))
    {
      struct array *a = !few || chance (70) ? some_scalar () : some_array (1, -1, NULL);
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
      /* Without a limit blocks are made for numbers that the launch can know, and for 256.  */
      number = PICK (" num_threads (%u)", " num_threads (one * %u)", " num_threads (%u + few[%u])");
      if (!limited && threads > 256)
	number = " num_threads (%u)";
      number = text (number, threads + more, MOST_TEAMS);
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

/* A region that is a loop.  */
static void
parallel_loop (void)
{
  struct head h = { .by = ++fresh };
  unsigned n = number_of_items ();
  const char *clauses = choose_reductions ();

  forget ();
  num_privates = num_sums = 0;
  items_roles (h, n);
  const char *number = chance (50) ? text (" num_threads (%u)", 1 + below (limit)) : "";
  DEVICE ("#pragma omp parallel for%s%s%s", number, for_schedule (),
	  clauses);
  line ("for (int i = 0; i < %u; i++)", n);
  open_block ();
  items_code (h, n);
  close_block ();
  work += n * repeats;
  for (unsigned i = 0; i < num_reduced; i++)
    reduced[i].array->reserved = false;
  num_reduced = 0;
  forget ();
}

/* ---- kernels ---- */

static void
choose_sizes (void)
{
  static const unsigned short some[]
    = { 1, 2, 3, 5, 7, 8, 16, 31, 32, 33, 40, 48, 63, 64, 65, 96, 100, 127, 128, 129, 160, 200,
       255, 256, 257 };
  static const unsigned short large[] = { 320, 384, 500, 511, 512, 513, 640, 768, 992, 1000, 1023,
					 1024 };
  limit = chance (40) ? 1 + below (130) : chance (75)
      ? some[below (sizeof (some) / sizeof (some[0]))]
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
	  line ("struct { %s key; unsigned char mark; %s value; } %s[%u];", types[a->type].name,
		types[a->type].name, a->name,
		a->size);
	}
      else if (a->row > 0)
	line ("%s %s[%u][%u];", types[a->type].name, a->name, a->size / a->row, a->row);
      else
	line ("%s%s %s[%u];", chance (10) ? "__attribute__ ((aligned (64))) " : "",
	      types[a->type].name, a->name, a->size);
      if (a->size > stride)
	stride = a->size;
      num_arrays++;
    }
  for (unsigned i = 0, m = 1 + below (4); i < m; i++)
    {
      struct array *a = &arrays[num_arrays++];
      *a = (struct array) { .name = text ("s%u", names++), .type = below (NUM_INTEGERS),
			   .set = true };
      line ("%s %s = %u + PART;", types[a->type].name, a->name, below (50));
    }
  pointers.size = 0;
  for (unsigned i = 1; i + 1 < num_arrays && pointers.size == 0; i++)
    {
      const struct array *a = &arrays[i], *b = &arrays[i + 1];
      if (a->size < 2 || a->row > 0 || a->member != NULL || b->size != a->size
	  || b->type != a->type || b->row > 0
	  || b->member != NULL)
	continue;
      pointers.name = names++;
      pointers.type = a->type;
      pointers.size = a->size;
      pointers.one = a;
      pointers.other = b;
      line ("%s *here%u = %s, *there%u = %s;", types[a->type].name, pointers.name, a->name,
	    pointers.name, b->name);
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
      if (i > 0 && i < num - 1 && chance (40))
	parallel_loop ();
      else
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
	line ("  %s = MIX (%s, %s);", element (arrays, "e"), element (arrays, "e"),
	      element (&arrays[i], "e"));
      }
}

/* The region's directives, and the loop over parts of RESULT if a team may have several.  */
static void
print_directives (bool limited)
{
  static const char ours[] = "part = omp_get_team_num ()", all[] = "part = 0";
  const char *maps = text ("map (tofrom: result[:%u], few)", teams * stride);
  const char *limits = PICK (" thread_limit (%u)", " thread_limit (%u)", " thread_limit (threads)",
			     " thread_limit (one * %u)");
  const char *number = text (PICK (" num_teams (%u)", " num_teams (teams)",
				   " num_teams (one * %u)"),
			     teams);

  limits = limited ? text (limits, limit) : "";
  switch (below (6))
    {
    case 0: case 1:
      printf ("#undef PART\n#define PART omp_get_team_num ()\n");
      printf ("#pragma omp target teams%s%s %s\n", number, limits, maps);
      break;
    case 2:
      printf ("#pragma omp target teams%s%s %s\n", number, limits, maps);
      printf ("  for (int %s; part < %u; part += omp_get_num_teams ())\n", ours, teams);
      break;
    case 3:
      printf ("#pragma omp target teams distribute num_teams (%u)%s %s\n", 1 + below (teams),
	      limits,
	      maps);
      printf ("  for (int %s; part < %u; part++)\n", all, teams);
      break;
    case 4:
      printf ("#pragma omp target %s\n#pragma omp teams%s%s\n", maps, number, limits);
      printf ("  for (int %s; part < %u; part += %u)\n", ours, teams, teams);
      break;
    default:
      printf ("#pragma omp target %s%s\n", maps, limits);
      printf ("  for (int %s; part < %u; part++)\n", all, teams);
      break;
    }
}

void
block_kernel (unsigned number)
{
  char *texts[2], *functions[2];
  size_t sizes[2], function_sizes[2];

  device_functions = open_memstream (&functions[0], &function_sizes[0]);
  model_functions = open_memstream (&functions[1], &function_sizes[1]);
  device = open_memstream (&texts[0], &sizes[0]);
  model = open_memstream (&texts[1], &sizes[1]);
  if (device_functions == NULL || model_functions == NULL || device == NULL || model == NULL)
    abort ();
  kind = INTEGERS;
  more_leaves = leaf;
  begin_roles ();
  num_reduced = num_privates = num_sums = 0;
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
  fclose (device_functions);
  fclose (model_functions);
  fclose (device);
  fclose (model);

  printf ("#pragma omp declare target\n#define OWN\n#define PART part\n%s"
	  "#pragma omp end declare target\n", functions[0]);
  printf ("#undef OWN\n#define OWN [i]\n%s", functions[1]);
  printf ("static NOINLINE void\nmodel%u (void)\n{\n"
	  "  for (int part = 0; part < %u; part++)\n%s}\n", number, teams, texts[1]);
  printf ("#undef OWN\n#define OWN\n"
	  "static NOINLINE void\nregion%u (int threads, int teams)\n{\n", number);
  print_directives (limited);
  printf ("%s}\n#undef PART\n#undef OWN\n", texts[0]);
  printf ("static NOINLINE void\nkernel%u (void)\n{\n  model%u ();\n  keep_model ();\n  begin ();\n"
	  "  if (!model_only)\n    region%u (one * %u, one * %u);\n", number, number, number,
	      limit, teams);
  printf ("  end_block (%u, '%c', %u);\n}\n", number, exact ? 'x' : 'i', limit);
  for (unsigned i = 0; i < 2; i++)
    {
      free (texts[i]);
      free (functions[i]);
    }
}

void
block_prologue (void)
{
  printf ("static unsigned long result[%u], expected[%u];\n"
	  "static int few[%u + 1], model_only;\n"
	  "static struct shared after_model;\n"
	  "static void keep_model (void);\n"
	  "static void end_block (int number, char kind, int threads);\n", RESULT, RESULT,
	      MOST_TEAMS);
}

void
block_epilogue (void)
{
  puts ("static void\nkeep_model (void)\n{\n"
	"  after_model = s;\n"
	"  memcpy (expected, result, sizeof (expected));\n"
	"  memset (result, 0, sizeof (result));\n"
	"  memset (few, 0, sizeof (few));\n}\n"
	"static void\nend_block (int number, char kind, int threads)\n{\n"
	"  int bad = 0, at = -1;\n"
	"  if (model_only)\n    {\n"
	"      memcpy (result, expected, sizeof (result));\n"
	"      s = after_model;\n    }\n"
	"  else\n    {\n"
	"#pragma omp target update from (s)\n    }\n"
	"  for (unsigned i = 0; i < sizeof (few) / sizeof (few[0]); i++)\n"
	"    if (few[i] != 0)\n      {\n"
	"        printf (\"kernel%d: %s%d threads of %d\\n\", number, kind == 'x' ? \"\" : \"1 "
	"wrong: \",\n"
	"                few[i], threads);\n"
	"        fflush (stdout);\n"
	"        memset (result, 0, sizeof (result));\n"
	"        return;\n      }\n"
	"  for (unsigned i = 0; i < sizeof (result) / sizeof (result[0]); i++)\n"
	"    if (result[i] != expected[i] && bad++ == 0)\n      at = i;\n"
	"  if (memcmp (&s, &after_model, sizeof (s)) != 0)\n    bad++;\n"
	"  if (bad != 0)\n    printf (\"kernel%d: %d wrong, the first at %d\\n\", number, bad, "
	"at);\n"
	"  add (&s, sizeof (s));\n"
	"  add (result, sizeof (result));\n"
	"  printf (\"kernel%d %c %016lx\\n\", number, kind, sum);\n"
	"  fflush (stdout);\n"
	"  memset (result, 0, sizeof (result));\n}");
}
