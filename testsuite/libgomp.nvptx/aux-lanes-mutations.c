/* aux-lanes-mutations.c -- mutations of an image's PTX for lanes-mutations.sh.

     aux-lanes-mutations IMAGE SEED PERCENT NUM

   1. In PERCENT of all cases: of each region that can have lanes, statements are put into the body that it must not have; then
      it is warp only.  And statements that it may have.
   2. Likewise, blocks of GCC's are changed a little: the region is warp only, or can't be read.
   3. In sections of the lock of atomics that take it for their team first, statements that get at memory otherwise than loads and
      stores do, or at memory that may be everybody's: then the section takes all of it.  And others.
   4. In such sections that are the end of a region with a stride, anything: then it has none.
   5. NUM texts that are damaged anyhow: they are refused or analysed; what is rewritten can be read.  */

#include "aux-lanes-any.h"

static uint64_t state;

static unsigned
below (unsigned n)
{
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (state >> 33) % n;
}

static unsigned percent;

/* The image's own object, and a copy that is changed.  */
static char *original, *work;
static size_t size;

/* Where the definition of function NAME begins and ends: behind its `{', at its last `}'.  */
static bool
find_function (const char *name, size_t *begin, size_t *end)
{
  char mark[300];
  const char *p;
  snprintf (mark, sizeof (mark), "FUNCTION DEF: %s\n", name);
  p = strstr (original, mark);
  if (p == NULL || (p = strstr (p, "\n{")) == NULL)
    return false;
  *begin = p + 2 - original;
  *end = *begin;
  for (unsigned depth = 1; depth > 0 && original[*end] != 0; ++*end)
    depth += (original[*end] == '{') - (original[*end] == '}');
  --*end;
  return original[*end] == '}';
}

/* What is said of region NAME if the text is WORK.  */
static struct nvptx_lanes_region
verdict (const char *name)
{
  struct nvptx_lanes lanes;
  struct nvptx_lanes_region result = { .verdict = NVPTX_LANES_WARP_ONLY, .why = "no text" };
  lanes_anything (work, strlen (work) + 1, NVPTX_LANES_REWRITE | NVPTX_LANES_STRIDE | NVPTX_LANES_BLOCKS | NVPTX_LANES_NEST, &lanes);
  snprintf (result.why, sizeof (result.why), "%.200s", lanes.why);
  for (size_t i = 0; i < lanes.num_regions; i++)
    if (strcmp (lanes.regions[i].name, name) == 0)
      {
	result = lanes.regions[i];
	result.name = NULL;
      }
  nvptx_lanes_free (&lanes);
  return result;
}

/* Put TEXT in at AT, in place of LENGTH bytes.  */
static void
put (size_t at, size_t length, const char *text)
{
  memcpy (work, original, at);
  strcpy (work + at, text);
  strcat (work, original + at + length);
}

/* The beginning of a random line between BEGIN and END, not in an inner block.  */
static size_t
some_line (size_t begin, size_t end)
{
  for (;;)
    {
      size_t at = begin + below (end - begin);
      unsigned depth = 0;
      while (original[at - 1] != '\n')
	at--;
      if (at <= begin)
	continue;
      for (size_t i = begin; i < at; i++)
	depth += (original[i] == '{') - (original[i] == '}');
      if (depth == 0)
	return at;
    }
}

#define OWN ".reg .u64 %mutant_a; .reg .u64 %mutant_b; .reg .u32 %mutant_x; .reg .pred %mutant_p;\n"

static unsigned tried, failures;

static void
expect (const char *name, bool lanes, const char *what)
{
  struct nvptx_lanes_region r = verdict (name);
  tried++;
  if ((r.verdict != NVPTX_LANES_WARP_ONLY) == lanes)
    return;
  printf ("%s with %s: %s %s\n", name, what, lanes ? "warp only:" : "it may have lanes", r.why);
  failures++;
}

/* Statements in the body of NAME, which can have lanes.  */
static void
insert (const char *name, size_t begin, size_t end)
{
  static const struct { const char *text; bool frame, lanes; } inserted[] =
  {
    { "shfl.sync.idx.b32 %mutant_x, %mutant_x, 0, 31, 0xffffffff;", .lanes = false },
    { "shfl.idx.b32 %mutant_x, %mutant_x, 0, 31;", .lanes = false },
    { "bar.sync 0;", .lanes = false },
    { "barrier.sync 1, 64;", .lanes = false },
    { "bar.warp.sync 0xffffffff;", .lanes = false },
    { "vote.sync.ballot.b32 %mutant_x, %mutant_p, -1;", .lanes = false },
    { "activemask.b32 %mutant_x;", .lanes = false },
    { "match.any.sync.b32 %mutant_x, %mutant_x, -1;", .lanes = false },
    { "redux.sync.add.u32 %mutant_x, %mutant_x, -1;", .lanes = false },
    { "mov.u32 %mutant_x, %laneid;", .lanes = false },
    { "mov.u32 %mutant_x, %warpid;", .lanes = false },
    { "mov.u32 %mutant_x, %tid.x;", .lanes = false },
    { "mov.u32 %mutant_x, %tid.y;", .lanes = false },
    { "mov.u32 %mutant_x, %ntid.y;", .lanes = false },
    { "mov.u32 %mutant_x, %lanemask_lt;", .lanes = false },
    { "mov.u64 %mutant_a, __nvptx_stacks;", .lanes = false },
    { "mov.u64 %mutant_a, __nvptx_uni;", .lanes = false },
    { "ld.shared.u32 %mutant_x, [%mutant_a];", .lanes = false },
    { "st.shared.u32 [%mutant_a], %mutant_x;", .lanes = false },
    { "atom.shared.add.u32 %mutant_x, [%mutant_a], 1;", .lanes = false },
    { "cvta.shared.u64 %mutant_a, %mutant_b;", .lanes = false },
    { "isspacep.global %mutant_p, %mutant_a;", .lanes = false },
    { "exit;", .lanes = false },
    { "@%mutant_p exit;", .lanes = false },
    { "brkpt;", .lanes = false },
    { "pmevent 1;", .lanes = false },
    { "unheard.of.u32 %mutant_x, %mutant_x;", .lanes = false },
    { "cp.async.wait_all;", .lanes = false },
    { "call nowhere_to_be_found;", .lanes = false },
    { "call GOMP_taskwait;", .lanes = false },
    { "call %mutant_a, (), MUTANT; MUTANT: .callprototype _ ();", .lanes = false },
    { "sub.u64 %stack, %stack, 32;", .frame = true },
    { "mov.u64 %frame, %mutant_a;", .frame = true },
    { "st.shared.u64 [%sspslot], %stack;", .frame = true },
    { "ld.shared.u64 %mutant_a, [%sspslot];", .frame = true },
    { "st.u64 [%mutant_a], %frame;", .frame = true },
    { "add.u64 %mutant_b, %frame, 8; st.global.u64 [%mutant_a], %mutant_b;", .frame = true },
    { "mov.b64 {%mutant_x, _}, %frame; st.u32 [%mutant_a], %mutant_x;", .frame = true },
    { "@%mutant_p mov.u64 %mutant_b, %stack; st.u64 [%mutant_a], %mutant_b;", .frame = true },
    { "st.u64 [%frame], %frame; ld.u64 %mutant_b, [%frame+4]; st.u64 [%mutant_a], %mutant_b;", .frame = true },
    { "atom.exch.b64 %mutant_b, [%mutant_a], %frame;", .frame = true },
    { "red.add.u32 [%frame], 1;", .frame = true },
    /* What changes nothing.  */
    { "add.u32 %mutant_x, %mutant_x, 1;", .lanes = true },
    { "ld.u64 %mutant_a, [%mutant_a]; st.u64 [%mutant_a+8], %mutant_b;", .lanes = true },
    { "red.add.u32 [%mutant_a], 1; membar.gl;", .lanes = true },
    { "mov.u32 %mutant_x, %ctaid.x; mov.u64 %mutant_a, %globaltimer;", .lanes = true },
    { "setp.eq.u32 %mutant_p, %mutant_x, 0; @%mutant_p bra.uni MUTANT; trap; MUTANT:", .lanes = true }
  };
  bool has_frame = memmem (original + begin, end - begin, "%sspprev,[%sspslot]", 19) != NULL
		   || memmem (original + begin, end - begin, "%sspprev, [%sspslot]", 20) != NULL;
  char *with = malloc (400);
  size_t declared = begin;
  while (original[declared] != '\n')
    declared++;
  for (size_t i = 0; i < sizeof (inserted) / sizeof (inserted[0]); i++)
    {
      if ((inserted[i].frame && !has_frame) || below (100) >= percent)
	continue;
      /* In front of its use, where registers are: behind all blocks.  */
      size_t at;
      do
	at = some_line (declared, end);
      while (inserted[i].frame && memmem (original + begin, at - begin, "sspprev,", 8) == NULL);
      snprintf (with, 400, "{%s%s\n}\n", OWN, inserted[i].text);
      if (inserted[i].lanes && memmem (original + at, end - at, "%tid.y", 6) != NULL)
	/* It would be in front of a block.  */
	continue;
      put (at, 0, with);
      expect (name, inserted[i].lanes, inserted[i].text);
    }
  free (with);
}

/* Each instruction of GCC's blocks, changed.  */
static void
change (const char *name, size_t begin, size_t end)
{
  static const struct { const char *from, *to; } changes[] =
  {
    { "%tid.y", "%tid.x" }, { "%tid.y", "%tid.z" }, { "%fstmp0,8;", "%fstmp0,4;" }, { "__nvptx_stacks", "__nvptx_uni" },
    { "sub.u64 %frame,%sspprev", "add.u64 %frame,%sspprev" }, { "sub.u64 %frame,%sspprev", "sub.u64 %frame,%sspslot" },
    { "sub.u64 %stack,%frame", "sub.u64 %stack,%sspprev" }, { "ld.shared.u64 %sspprev,[%sspslot]", "ld.shared.u64 %sspprev,[%sspslot+8]" },
    { "st.shared.u64 [%sspslot],%stack", "st.shared.u64 [%sspslot+8],%stack" }, { "%laneid", "%warpid" }, { "@ %r", "@! %r" },
    { "%ustmp0,4;", "%ustmp0,8;" }, { "and.b32 %r", "or.b32 %r" }
  };
  for (size_t i = 0; i < sizeof (changes) / sizeof (changes[0]); i++)
    for (size_t at = begin; at < end; )
      {
	const char *p = memmem (original + at, end - at, changes[i].from, strlen (changes[i].from));
	if (p == NULL)
	  break;
	at = p + strlen (changes[i].from) - original;
	/* Guards and operations elsewhere say nothing about lanes.  */
	if (changes[i].from[0] == '@' && strncmp (strchr (p, ' ') + 1, "%r", 2) == 0)
	  {
	    const char *insn = strchr (strchr (p, ' ') + 1, ' ');
	    if (insn == NULL || (strncmp (insn, " shfl", 5) != 0 && strncmp (insn, " bar.warp", 9) != 0))
	      continue;
	  }
	if (changes[i].from[0] == 'a' && (p - original < 10 || memmem (p - 60, 60, "%laneid", 7) == NULL))
	  continue;
	if (below (100) >= percent)
	  continue;
	put (p - original, strlen (changes[i].from), changes[i].to);
	expect (name, false, changes[i].to);
      }
}

/* How many sections of WORK take the lock of their team; -1: it is not rewritten.  */
static int
team_sections (void)
{
  static const char call[] = "call gompx_lanes_section_start";
  struct nvptx_lanes lanes;
  int n = -1;
  lanes_anything (work, strlen (work) + 1, NVPTX_LANES_REWRITE | NVPTX_LANES_STRIDE | NVPTX_LANES_BLOCKS | NVPTX_LANES_NEST, &lanes);
  if (lanes.objects != NULL)
    {
      n = 0;
      for (const char *p = lanes.objects[0].text; (p = strstr (p, call)) != NULL; p++)
	n++;
    }
  nvptx_lanes_free (&lanes);
  return n;
}

/* Statements in each section of the lock of atomics.  Answers how many are the team's.  */
static int
change_sections (void)
{
  static const struct { const char *text; bool all; } inserted[] =
  {
    /* BASE: the register by which the section itself gets at memory first.  */
    { "atom.add.u32 %mutant_x, [BASE], 1;", true },
    { "red.add.u32 [BASE], 1;", true },
    { "membar.gl;", true },
    { "ld.const.u32 %mutant_x, [BASE];", true },
    { "prefetch.L1 [BASE];", true },
    { "ld.u32 %mutant_x, [BASE];", false },
    { "st.global.u32 [BASE+4], %mutant_x;", false },
    { "add.u32 %mutant_x, %mutant_x, 1;", false }
  };
  char with[300];
  memcpy (work, original, size + 1);
  int before = team_sections ();
  for (char *p = original; (p = strstr (p, "call GOMP_atomic_start;")) != NULL; p++)
    {
      const char *end = strchr (p, '}');
      if (end == NULL)
	break;
      /* Is it one of those?  Then there is one less without its begin.  */
      put (p - original, strlen ("call GOMP_atomic_start;"), "");
      int own = before - team_sections ();
      for (size_t i = 0; own > 0 && i < sizeof (inserted) / sizeof (inserted[0]); i++)
	{
	  const char *base = strstr (end, "[%"), *at = strstr (inserted[i].text, "BASE");
	  int length = (int) strcspn (base + 1, "+]"), before_base = at != NULL ? (int) (at - inserted[i].text) : 0;
	  snprintf (with, sizeof (with), "\n{%s%.*s%.*s%s\n}\n", OWN, before_base, inserted[i].text,
		    at != NULL ? length : 0, base + 1, inserted[i].text + (at != NULL ? before_base + 4 : 0));
	  put (end + 1 - original, 0, with);
	  int now = team_sections ();
	  tried++;
	  if (now == (inserted[i].all ? before - own : before))
	    continue;
	  printf ("a section with %s: %d of %d take the team's lock\n", inserted[i].text, now, before);
	  failures++;
	}
    }
  return before;
}

/* How many kernels of WORK need nothing of the library; -1: it is not rewritten.  */
static int
direct_kernels (void)
{
  struct nvptx_lanes lanes;
  lanes_anything (work, strlen (work) + 1, NVPTX_LANES_REWRITE | NVPTX_LANES_STRIDE | NVPTX_LANES_BLOCKS | NVPTX_LANES_NEST, &lanes);
  int n = lanes.objects != NULL ? (int) lanes.num_direct : -1;
  nvptx_lanes_free (&lanes);
  return n;
}

static void
expect_direct (int want, const char *what)
{
  int now = direct_kernels ();
  tried++;
  if (now == want)
    return;
  printf ("a section of updates with %s: %d instead of %d kernels are without the library\n", what, now, want);
  failures++;
}

/* Statements in each section that a kernel without the library makes update by update, and places that are not known to be different.
   Answers how many sections there are.  */
static int
change_updates (void)
{
  static const char *const inserted[] =
  {
    /* BASE: the register by which the section itself gets at memory first.  */
    "red.add.u32 [BASE], 1;", "membar.gl;", "prefetch.L1 [BASE];", "st.u32 [BASE+200], 0;", "bar.warp.sync 4294967295;", "MUTANT:"
  };
  static const char start[] = "call GOMP_atomic_start;", stop[] = "call GOMP_atomic_end;";
  char with[300];
  int n = 0;

  memcpy (work, original, size + 1);
  int before = direct_kernels ();
  for (char *p = original; (p = strstr (p, start)) != NULL; p++)
    {
      const char *behind = strchr (p, '}'), *last = strstr (p, stop);
      if (behind == NULL || last == NULL)
	break;
      put (p - original, strlen (start), "");
      int own = before - direct_kernels ();
      if (own <= 0)
	continue;
      n++;
      const char *base = strstr (behind, "[%");
      int length = (int) strcspn (base + 1, "+]");
      for (size_t i = 0; i < sizeof (inserted) / sizeof (inserted[0]); i++)
	{
	  const char *at = strstr (inserted[i], "BASE");
	  int before_base = at != NULL ? (int) (at - inserted[i]) : 0;
	  snprintf (with, sizeof (with), "\n%.*s%.*s%s\n", before_base, inserted[i], at != NULL ? length : 0, base + 1,
		    inserted[i] + (at != NULL ? before_base + 4 : 0));
	  put (behind + 1 - original, 0, with);
	  expect_direct (before - own, with);
	}
      /* In the function: two words of the arguments become one.  */
      const char *first = strstr (behind, "ld.u64"), *second = first != NULL ? strstr (first + 1, "ld.u64") : NULL;
      if (second == NULL || second > last)
	continue;
      const char *from = strchr (first, '['), *to = strchr (second, '[');
      snprintf (with, sizeof (with), "%.*s", (int) strcspn (from, ";"), from);
      put (to - original, strcspn (to, ";"), with);
      expect_direct (before - own, "one place");
    }
  return n;
}

/* Statements in each section that is the end of region NAME, which has a stride.  Answers how many there are.  */
static int
change_ends (const char *name, size_t begin, size_t end)
{
  static const char *const inserted[] =
  {
    /* BASE: the register by which the section itself gets at memory first; DATA: what it loads first.  */
    "add.u32 %mutant_x, %mutant_x, 1;", "mov.u32 %mutant_x, 0;", "ld.u32 %mutant_x, [BASE];", "ld.u32 %mutant_x, [BASE+200];",
    "st.u32 [BASE+200], %mutant_x;", "@%mutant_p st.u32 [BASE], %mutant_x;", "membar.gl;", "red.add.u32 [BASE], 1;",
    "setp.eq.u32 %mutant_p, %mutant_x, 0; @%mutant_p bra MUTANT; MUTANT:", "MUTANT:", "mov.b64 DATA, %mutant_a;"
  };
  static const char start[] = "call GOMP_atomic_start;", stop[] = "call GOMP_atomic_end;";
  const char *first = memmem (original + begin, end - begin, start, strlen (start)), *last, *load;
  char with[300];
  int n = 0;

  if (first == NULL || (last = strstr (first, stop)) == NULL || (load = strstr (first, "ld.")) == NULL || load > last)
    return 0;
  /* Without its begin there is no section.  */
  put (first - original, strlen (start), "");
  if (verdict (name).stride)
    return 0;
  const char *base = strchr (load, '[') + 1, *data = strchr (load, '%'), *p = first;
  while (last[0] != '{')
    last--;
  /* In front of each line of the section.  */
  for (p = strchr (strchr (p, '}'), '\n') + 1; p <= last; p = strchr (p, '\n') + 1)
    {
      size_t i = below (sizeof (inserted) / sizeof (inserted[0]));
      const char *at = strstr (inserted[i], "BASE"), *to = strstr (inserted[i], "DATA");
      if (at != NULL)
	snprintf (with, sizeof (with), "{%s%.*s%.*s%s\n}\n", OWN, (int) (at - inserted[i]), inserted[i], (int) strcspn (base, "+]"), base, at + 4);
      else if (to != NULL)
	snprintf (with, sizeof (with), "{%s%.*s%.*s%s\n}\n", OWN, (int) (to - inserted[i]), inserted[i], (int) strcspn (data, ","), data, to + 4);
      else
	snprintf (with, sizeof (with), "{%s%s\n}\n", OWN, inserted[i]);
      /* In a block of its own, and without one.  */
      for (int block = 0; block < 2; block++)
	{
	  if (block == 1)
	    {
	      /* Registers must be known before.  */
	      char plain[300];
	      snprintf (plain, sizeof (plain), "%s", with + 1 + strlen (OWN));
	      plain[strlen (plain) - 2] = 0;
	      put (p - original, 0, plain);
	      size_t brace = begin;
	      memmove (work + brace + strlen (OWN), work + brace, strlen (work + brace) + 1);
	      memcpy (work + brace, OWN, strlen (OWN));
	    }
	  else
	    put (p - original, 0, with);
	  struct nvptx_lanes_region r = verdict (name);
	  tried++;
	  n++;
	  if (!r.stride && r.verdict != NVPTX_LANES_WARP_ONLY)
	    continue;
	  printf ("%s with %s in its end: %s\n", name, inserted[i], r.stride ? "it has a stride" : r.why);
	  failures++;
	}
    }
  return n > 0;
}

/* Anything: bytes, lines, numbers, parts of other functions.  */
static void
damage (void)
{
  memcpy (work, original, size + 1);
  for (unsigned n = 1 + below (4); n > 0; n--)
    {
      size_t length = strlen (work), at = below (length), other = below (length), many = 1 + below (below (4) == 0 ? 2000 : 30);
      char *end = work + length;
      if (at + many >= length || other + many >= length)
	continue;
      switch (below (7))
	{
	case 0:
	  work[at] = " %,;{}[]()@!.0123456789-+_$\n\t\"/abxr"[below (35)];
	  break;
	case 1:
	  memmove (work + at, work + at + many, end - (work + at + many) + 1);
	  break;
	case 2:
	  if (length + many < 2 * size)
	    {
	      memmove (work + at + many, work + at, end - (work + at) + 1);
	      memmove (work + at, work + (other > at ? other + many : other), many);
	    }
	  break;
	case 3:
	  work[at] = 0;
	  break;
	default:
	  {
	    /* A line is left out, or is there twice, or is another one.  */
	    char *p = work + at, *q = work + other;
	    while (p > work && p[-1] != '\n')
	      p--;
	    while (q > work && q[-1] != '\n')
	      q--;
	    size_t np = strcspn (p, "\n"), nq = strcspn (q, "\n");
	    if (below (2) == 0)
	      memmove (p, p + np, strlen (p + np) + 1);
	    else if (nq < 200 && length + nq < 2 * size)
	      {
		char with[200];
		memcpy (with, q, nq);
		memmove (p + nq, p + np, strlen (p + np) + 1);
		memcpy (p, with, nq);
	      }
	    break;
	  }
	}
      if (strlen (work) == 0)
	break;
    }
}

int
main (int argc, char **argv)
{
  struct nvptx_lanes lanes;
  unsigned num_lanes = 0, refused = 0, still = 0, ends = 0;

  if (argc != 5)
    return 2;
  FILE *f = fopen (argv[1], "r");
  CHECK (f != NULL);
  /* The program's own object is the first.  */
  original = calloc (1, 4 << 20);
  CHECK (fread (original, 1, (4 << 20) - 1, f) > 0);
  fclose (f);
  size = strlen (original);
  work = calloc (2, size + 1000);
  state = strtoul (argv[2], NULL, 10);
  percent = atoi (argv[3]);

  lanes_anything (original, size + 1, NVPTX_LANES_REWRITE | NVPTX_LANES_STRIDE | NVPTX_LANES_BLOCKS | NVPTX_LANES_NEST, &lanes);
  CHECK (lanes.objects != NULL);
  for (size_t i = 0; i < lanes.num_regions; i++)
    {
      size_t begin, end;
      if (lanes.regions[i].verdict == NVPTX_LANES_WARP_ONLY
	  || !find_function (lanes.regions[i].name, &begin, &end))
	continue;
      num_lanes++;
      insert (lanes.regions[i].name, begin, end);
      change (lanes.regions[i].name, begin, end);
      if (lanes.regions[i].stride)
	ends += change_ends (lanes.regions[i].name, begin, end);
    }
  nvptx_lanes_free (&lanes);
  int sections = change_sections (), updates = change_updates ();
  for (unsigned i = atoi (argv[4]); i > 0; i--)
    {
      damage ();
      /* In memory of exactly that size.  */
      size_t length = strlen (work) + 1;
      char *exact = malloc (length);
      memcpy (exact, work, length);
      lanes_anything (exact, length, NVPTX_LANES_REWRITE | NVPTX_LANES_STRIDE | NVPTX_LANES_BLOCKS | NVPTX_LANES_NEST, &lanes);
      refused += lanes.why[0] != 0;
      still += lanes.objects != NULL;
      nvptx_lanes_free (&lanes);
      free (exact);
    }
  printf ("%u regions that may have lanes, %d sections of a team, %d of updates and %u that are ends, changed %u times; %u texts refused,"
	  " %u rewritten; %u failures\n", num_lanes, sections, updates, ends, tried, refused, still, failures);
  return failures > 0 || num_lanes < 10 || sections <= 0 || updates <= 0 || ends == 0;
}
