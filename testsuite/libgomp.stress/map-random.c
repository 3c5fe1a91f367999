/* Random constructs on a hundred arrays against a model of their counts and of both copies.
   TEST-MODES: test cpu */
#include "../libgomp.offload/aux-direct.h"

enum { ARRAYS = 100, LEN = 12, STEPS = 20000, DEPTH = 6, MAX_ITEMS = 5 };

static long host[ARRAYS][LEN];		/* gaps between what is mapped: the last element */
static long model_host[ARRAYS][LEN], model_dev[ARRAYS][LEN];
static unsigned count[ARRAYS];

struct frame { int n, array[MAX_ITEMS], from[MAX_ITEMS], size[MAX_ITEMS]; unsigned kind[MAX_ITEMS]; };
static struct frame frames[DEPTH];
static int depth;
static uint64_t state = 88172645463325252u;

static unsigned
rnd (unsigned n)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (state >> 20) % n;
}

/* Slot 0: number of items; then their ranges, lengths as values behind them.  */
KERNEL (add_one)
{
  uint64_t *s = add_one_arg;
  for (uint64_t k = 0; k < s[0]; k++)
    {
      long *p = (long *) s[1 + 2 * k];
      for (uint64_t i = 0; i < s[2 + 2 * k]; i++)
	p[i] += 1;
    }
}

static bool
is_to (unsigned kind)
{
  return kind == TO || kind == TOFROM || kind == ALWAYS_TO || kind == ALWAYS_TOFROM;
}

static bool
is_from (unsigned kind)
{
  return kind == FROM || kind == TOFROM || kind == ALWAYS_FROM || kind == ALWAYS_TOFROM;
}

static bool
is_always (unsigned kind)
{
  return kind == ALWAYS_TO || kind == ALWAYS_FROM || kind == ALWAYS_TOFROM;
}

/* The whole of an array when it is new, a part of it when it is mapped, so that no item is
   larger than what is mapped.  Arrays of one construct differ.  */
static void
choose (struct frame *f, const unsigned *kinds, unsigned num_kinds)
{
  f->n = 1 + rnd (MAX_ITEMS);
  for (int k = 0; k < f->n; k++)
    {
      int a, again;
      do
	{
	  a = rnd (ARRAYS);
	  again = 0;
	  for (int j = 0; j < k; j++)
	    again |= f->array[j] == a;
	}
      while (again);
      f->array[k] = a;
      f->kind[k] = kinds[rnd (num_kinds)];
      f->from[k] = 0;
      f->size[k] = LEN - 1;
      if (count[a] > 0 && rnd (2))
	{
	  f->from[k] = rnd (LEN - 1);
	  f->size[k] = 1 + rnd (LEN - 1 - f->from[k]);
	}
    }
}

static void
copy (long *to, const long *from, const struct frame *f, int k)
{
  memcpy (&to[f->from[k]], &from[f->from[k]], f->size[k] * sizeof (long));
}

static void
model_enter (const struct frame *f)
{
  for (int k = 0; k < f->n; k++)
    {
      int a = f->array[k];
      if (is_to (f->kind[k]) && (count[a] == 0 || is_always (f->kind[k])))
	copy (model_dev[a], model_host[a], f, k);
      else if (count[a] == 0)
	memset (model_dev[a], 0, sizeof (model_dev[a]));
      count[a]++;
    }
}

static void
model_leave (const struct frame *f, bool exit_data)
{
  for (int k = 0; k < f->n; k++)
    {
      int a = f->array[k];
      if (exit_data && count[a] == 0)
	continue;
      count[a] = f->kind[k] == DELETE ? 0 : count[a] - 1;
      if (is_from (f->kind[k]) && (count[a] == 0 || is_always (f->kind[k])))
	copy (model_host[a], model_dev[a], f, k);
    }
}

static struct list
list_of (const struct frame *f, bool with_lengths)
{
  struct list l = { .n = 0 };
  if (with_lengths)
    add (&l, (void *) (long) f->n, 0, VALUE);
  for (int k = 0; k < f->n; k++)
    {
      add (&l, &host[f->array[k]][f->from[k]], f->size[k] * sizeof (long), f->kind[k] | ALIGNED (3));
      if (with_lengths)
	add (&l, (void *) (long) f->size[k], 0, VALUE);
    }
  return l;
}

static void
step (void)
{
  /* Everything that makes an array defines all of it: what the device holds otherwise is not
     known.  */
  static const unsigned entering[] = { TO, TOFROM, ALWAYS_TO, ALWAYS_TOFROM };
  static const unsigned leaving[] = { FROM, RELEASE, RELEASE, ALWAYS_FROM, DELETE };
  static const unsigned updating[] = { TO, FROM };
  struct frame f;
  struct list l;

  switch (rnd (12))
    {
    case 0: case 1: case 2:
      choose (&f, entering, 4);
      for (int k = 0; k < f.n; k++)
	f.kind[k] = f.kind[k] == TOFROM ? TO : f.kind[k] == ALWAYS_TOFROM ? ALWAYS_TO : f.kind[k];
      l = list_of (&f, false);
      GOMP_target_enter_exit_data (-1, l.n, l.addr, l.size, l.kind, 0, NULL);
      model_enter (&f);
      break;
    case 3: case 4: case 5:
      choose (&f, leaving, 5);
      /* Open regions keep what they have mapped: a delete of theirs is tested elsewhere.  */
      for (int k = 0; k < f.n; k++)
	for (int d = 0; d < depth; d++)
	  for (int j = 0; j < frames[d].n; j++)
	    if (frames[d].array[j] == f.array[k])
	      return;
      l = list_of (&f, false);
      GOMP_target_enter_exit_data (-1, l.n, l.addr, l.size, l.kind, 2, NULL);
      model_leave (&f, true);
      break;
    case 6: case 7: case 8:
      choose (&f, entering, 4);
      l = list_of (&f, true);
      target_list (&l, add_one);
      model_enter (&f);
      for (int k = 0; k < f.n; k++)
	for (int i = 0; i < f.size[k]; i++)
	  model_dev[f.array[k]][f.from[k] + i]++;
      model_leave (&f, false);
      break;
    case 9:
      choose (&f, updating, 2);
      l = list_of (&f, false);
      GOMP_target_update_ext (-1, l.n, l.addr, l.size, l.kind, 0, NULL);
      for (int k = 0; k < f.n; k++)
	if (count[f.array[k]] > 0)
	  {
	    if (f.kind[k] == TO)
	      copy (model_dev[f.array[k]], model_host[f.array[k]], &f, k);
	    else
	      copy (model_host[f.array[k]], model_dev[f.array[k]], &f, k);
	  }
      break;
    case 10:
      if (depth < DEPTH)
	{
	  choose (&frames[depth], entering, 4);
	  l = list_of (&frames[depth], false);
	  data_list (&l);
	  model_enter (&frames[depth++]);
	}
      break;
    case 11:
      if (depth > 0)
	{
	  END_DATA ();
	  model_leave (&frames[--depth], false);
	}
      break;
    }
}

int
main (void)
{
  need_device ();
  for (int n = 0; n < STEPS && failures == 0; n++)
    {
      int a = rnd (ARRAYS), i = rnd (LEN - 1);
      host[a][i] = model_host[a][i] = n * 1000L;
      step ();
      for (a = 0; a < ARRAYS; a++)
	{
	  if (memcmp (host[a], model_host[a], sizeof (host[a])) != 0)
	    {
	      printf ("step %d: array %d differs from the model\n", n, a);
	      failures++;
	    }
	}
      a = rnd (ARRAYS);
      if (IS_PRESENT (host[a]) != (count[a] > 0))
	{
	  printf ("step %d: array %d is %smapped, count %u\n", n, a, count[a] ? "not " : "", count[a]);
	  failures++;
	}
    }
  while (depth-- > 0)
    END_DATA ();
  return result ();
}
