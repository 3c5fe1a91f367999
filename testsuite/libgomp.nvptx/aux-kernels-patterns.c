/* aux-kernels-patterns.c -- what threads of block kernels (aux-kernels-blocks.c) do over several
   barriers, as programs do it: trees, scans, sorts, lists, wavefronts, tiles.  */

#include "aux-kernels-blocks.h"

#include <stdlib.h>
#include <string.h>

FILE *device_functions, *model_functions;

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
      step (text ("(n%u - h%u)", k, k), n, op[0] == 'm' ? text ("%s = MAX (%s, %s);", mine, mine,
								its)
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
      step (text ("h%u", k), h, text (op[0] == 'm' ? "if (i + h%1$u < %2$u) %3$s = MAX (%3$s, "
						     "%4$s);"
				      : "if (i + h%1$u < %2$u) %3$s = %3$s %5$s %4$s;", k, n, mine,
					  its, op));
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
  step (text ("%u", n), n, text ("to%u[i] = i >= d%u ? from%u[i] + from%u[i - d%u] : from%u[i];",
				 k, k, k, k, k, k));
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
	    text ("{ int e = 2 * i + (k%u & 1); if (%s[e] > %s[e + 1]) { %s o = %s[e]; %s[e] = "
		  "%s[e + 1]; %s[e + 1] = o; } }",
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
	      "{ %s o = %s[i]; %s[i] = %s[e]; %s[e] = o; } }", k, k, name, name, name, name, t,
		  name, name, name, name));
  close_block ();
}

/* All use the element that none changes in a turn.  */
static void
pivots (struct array *a, unsigned n)
{
  unsigned k = names++;
  line ("for (int k%u = 0; k%u < %u; k%u++)", k, k, least (n, 1 + below (9)), k);
  open_block ();
  step (text ("%u", n), n, text ("if (i != k%u) %s[i] %s %s[k%u] * %u + k%u;", k, a->name,
				 PICK ("+=", "^=", "-="), a->name, k,
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
	text ("if (in_u8[(i + PART * %u) & %u] > %u) { %s k;\n#pragma omp atomic capture\nk = "
	      "%s++;\n%s[k] = i; }",
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
	text ("{ %s[i] = MAX (%s[i], %s[(i + 1) %% %u]); if (%s[i] != %s[i])\n%s\n%s = 1; }",
	      b->name, a->name, a->name, n, b->name,
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
	text ("{ int j = d%u - i; if (j >= 0 && j < %u) %s[i][j] = (i > 0 ? %s[i - 1][j] : PART) "
	      "%c (j > 0 ? %s[i][j - 1] : %u) "
	      "+ %s[i][j]; }", k, a->row, name, name, "+^-"[below (3)], name, below (9), name));
  close_block ();
  work += rows * (rows + a->row) * repeats;
}

/* Tiles of a product: all of a tile is there before it is used, and used before the next one
   comes.  */
static void
tiles (struct array *a, struct array *b, struct array *c, unsigned n)
{
  unsigned k = names++, w = 1;
  while ((w + 1) * (w + 1) <= n && w < 9)
    w++;
  line ("for (int k%u = 0; k%u < %u; k%u++)", k, k, 1 + below (3), k);
  open_block ();
  step (text ("%u", w * w), w * w,
	text ("{ %s[i] = in_i32[(i + k%u * %u + PART) & %u]; %s[i] = in_u16[(i * 3 + k%u) & %u]; "
	      "}", a->name, k, below (99), IN - 1,
	      b->name, k, IN - 1));
  step (text ("%u", w * w), w * w,
	text ("for (int q = 0; q < %u; q++) %s[i] += %s[i / %u * %u + q] * %s[q * %u + i %% %u];",
	      w, c->name, a->name, w, w, b->name,
	      w, w));
  close_block ();
}

/* From one array to the other and back by pointers that are the team's, and that one thread
   changes.  */
static void
turn_over (unsigned n)
{
  unsigned k = names++;
  line ("for (int k%u = 0; k%u < %u; k%u++)", k, k, 1 + below (4), k);
  open_block ();
  step (text ("%u", n), n,
	text ("there%u[i] = here%u[(i + %u) %% %u] %s here%u[i] * %u;", pointers.name,
	      pointers.name, 1 + below (n), n,
	      PICK ("+", "^", "-"), pointers.name, below (9)));
  DEVICE (PICK ("#pragma omp single", "#pragma omp masked", "#pragma omp master",
		"if (t == nt - 1)"));
  line ("{ %s *o = here%u; here%u = there%u; there%u = o; }", types[pointers.type].name,
	pointers.name, pointers.name,
	pointers.name, pointers.name);
  barrier ();
  close_block ();
}

static bool
holds (const struct array *a, unsigned n)
{
  return a != NULL && (types[a->type].tag[1] != '8' || n < 128);
}

/* Something of several barriers, in a function of its own or not.  */
void
pattern (void)
{
  struct array *a = some_array (2, -1, NULL), *b = NULL, *c = NULL, x, y, z;
  unsigned n, what = below (11), k = names++;
  FILE *const to_device = device, *const to_model = model;

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
    case 10:
      what = pointers.size > 0 && !pointers.one->reserved && !pointers.other->reserved ? 10 : 4;
      break;
    default:
      break;
    }
  if (what != 1 && what < 6)
    b = c = NULL;
  n = least (a->size, what == 3 ? threads : stride);
  if (what == 9)
    n = least (n, least (b->size, c->size));
  if (what == 10)
    n = pointers.size;
  if (chance (30) && n > 2 && what != 9)
    n = 2 + below (n - 1);
  if (work + n * repeats * 8 > most_work || n < 2)
    return;
  if (!is_clean () || chance (20))
    barrier ();

  /* Not of a structure of arrays, whose type has no name here.  */
  bool apart = what != 6 && what != 7 && what != 8 && what != 10 && chance (40);
  if (apart)
    {
      const char *inlining = chance (70) ? "static NOINLINE void" : "static void", *parameters = "";
      const char *arguments = "";
      device = device_functions;
      model = model_functions;
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
    }
  else
    open_block ();
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
    case 10: turn_over (n); break;
    default: pivots (a, n); break;
    }
  close_block ();
  work += n * repeats * 4;
  device = to_device;
  model = to_model;
  lines_to (device, model);
}

