/* program.c -- texts become a program: symbols, shared memory, initial values, kernels.

   Called by the user of ptx-sim.h, before launches; function_ready and the look-ups also by kernels.  */

#include "program.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
grow (void *list, unsigned n, unsigned *room, size_t size)
{
  if (n < *room)
    return true;
  unsigned more = *room != 0 ? 2 * *room : 32;
  void **array = list, *p = realloc (*array, more * size);
  if (p == NULL)
    return false;
  *array = p;
  *room = more;
  return true;
}

const char *
program_name (struct psim_program *p, ptx_name name)
{
  const struct ptx_name_entry *e = &p->ptx->names[name];
  char *text = ptx_alloc (p->ptx, e->length + 1);
  if (text == NULL)
    return "?";
  memcpy (text, e->text, e->length);
  return text;
}

struct symbol *
program_symbol (const struct module *m, ptx_name name)
{
  unsigned low = 0, high = m->n_local;
  while (low < high)
    {
      unsigned middle = (low + high) / 2;
      if (m->local[middle].name < name)
	low = middle + 1;
      else
	high = middle;
    }
  if (low < m->n_local && m->local[low].name == name)
    return &m->local[low];
  return name < m->program->n_global ? m->program->global[name] : NULL;
}

struct variable *
program_inner (const struct psim_program *p, const struct ptx_function *node, uint32_t var)
{
  for (unsigned i = 0; i < p->n_inner; i++)
    if (p->inner[i].node == node && p->inner[i].var == var)
      return p->inner[i].variable;
  return NULL;
}

const uint64_t *
program_constant (struct psim_program *p, uint64_t value)
{
  if (2 * (p->n_constants + 1) > p->constant_mask)
    {
      uint32_t mask = p->constant_mask != 0 ? 2 * p->constant_mask + 1 : 255;
      struct constant **table = calloc ((size_t) mask + 1, sizeof (*table));
      if (table == NULL)
	return NULL;
      for (uint32_t i = 0; p->constants != NULL && i <= p->constant_mask; i++)
	if (p->constants[i] != NULL)
	  {
	    uint32_t at = (uint32_t) (p->constants[i]->value[0] * UINT64_C (0x9e3779b97f4a7c15) >> 40) & mask;
	    while (table[at] != NULL)
	      at = (at + 1) & mask;
	    table[at] = p->constants[i];
	  }
      free (p->constants);
      p->constants = table;
      p->constant_mask = mask;
    }
  uint32_t at = (uint32_t) (value * UINT64_C (0x9e3779b97f4a7c15) >> 40) & p->constant_mask;
  while (p->constants[at] != NULL && p->constants[at]->value[0] != value)
    at = (at + 1) & p->constant_mask;
  if (p->constants[at] == NULL)
    {
      struct constant *c = ptx_alloc (p->ptx, sizeof (*c));
      if (c == NULL)
	return NULL;
      for (unsigned l = 0; l < LANES; l++)
	c->value[l] = value;
      p->constants[at] = c;
      p->n_constants++;
    }
  return p->constants[at]->value;
}

/* -- Linking -- */

struct linker
{
  struct psim_program *p;
  char *why;
  size_t room;
  bool failed;
};

static void
link_fail (struct linker *k, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));

static void
link_fail (struct linker *k, const char *format, ...)
{
  if (k->failed)
    return;
  va_list args;
  va_start (args, format);
  vsnprintf (k->why, k->room, format, args);
  va_end (args);
  k->failed = true;
}

/* The symbol NAME of M to be set: LOCAL ones are M's own.  */
static struct symbol *
make_symbol (struct linker *k, struct module *m, ptx_name name, bool local)
{
  struct psim_program *p = k->p;
  if (local)
    {
      /* Sorted at the end; few are declared twice.  */
      for (unsigned i = m->n_local; i-- > 0; )
	if (m->local[i].name == name)
	  return &m->local[i];
      m->local[m->n_local].name = name;
      return &m->local[m->n_local++];
    }
  if (p->global[name] == NULL)
    {
      p->global[name] = ptx_alloc (p->ptx, sizeof (struct symbol));
      if (p->global[name] == NULL)
	{
	  link_fail (k, "no memory");
	  return NULL;
	}
      p->global[name]->name = name;
    }
  return p->global[name];
}

static struct function *
new_function (struct linker *k, ptx_name name)
{
  struct psim_program *p = k->p;
  struct function *f = ptx_alloc (p->ptx, sizeof (*f));
  if (f == NULL || !grow (&p->functions, p->n_functions, &p->function_room, sizeof (f)))
    {
      link_fail (k, "no memory");
      return NULL;
    }
  static const char *const builtins[] = { "", "vprintf", "malloc", "free", "__assertfail" };
  f->name = program_name (p, name);
  for (int i = BUILTIN_VPRINTF; i <= BUILTIN_ASSERT; i++)
    if (strcmp (f->name, builtins[i]) == 0)
      f->builtin = i;
  f->address = PSIM_CODE_WINDOW + 16 * (uint64_t) (p->n_functions + 1);
  f->max_threads = 1024;
  p->functions[p->n_functions++] = f;
  return f;
}

static struct param *
parameters (struct linker *k, const struct ptx_var *vars, unsigned n, size_t *bytes)
{
  struct param *list = ptx_alloc (k->p->ptx, (n + 1) * sizeof (*list));
  size_t at = 0;
  if (list == NULL)
    {
      link_fail (k, "no memory");
      return NULL;
    }
  for (unsigned i = 0; i < n; i++)
    {
      list[i].size = vars[i].type == PTX_PRED ? 1 : (size_t) ptx_var_size (&vars[i]);
      list[i].align = ptx_var_align (&vars[i]);
      if (list[i].align == 0)
	list[i].align = 1;
      at = (at + list[i].align - 1) & ~(list[i].align - 1);
      list[i].offset = at;
      at += list[i].size;
    }
  *bytes = at;
  return list;
}

static void
link_function (struct linker *k, struct module *m, struct ptx_function *node)
{
  bool local = node->linkage == 0 && !node->is_entry;
  struct symbol *s = make_symbol (k, m, node->name, local);
  if (s == NULL)
    return;
  if (s->variable != NULL)
    {
      link_fail (k, "%s: %s is a function here and a variable elsewhere", m->name,
		 program_name (k->p, node->name));
      return;
    }
  if (s->function == NULL && (s->function = new_function (k, node->name)) == NULL)
    return;
  struct function *f = s->function;
  bool weak = node->linkage == PTX_WEAK || m->library;
  if (!node->has_body)
    return;
  if (f->defined && !f->weak && !weak)
    {
      link_fail (k, "%s: %s is defined twice, also in %s", m->name, f->name, f->module->name);
      return;
    }
  if (f->defined && (weak || !f->weak))
    return;
  s->defined = f->defined = true;
  s->weak = f->weak = weak;
  f->module = m;
  f->node = node;
  f->entry = node->is_entry;
  f->visible = !local;
  size_t ignored;
  f->args = node->num_params;
  f->results = node->num_results;
  f->result = parameters (k, node->vars, node->num_results, &ignored);
  f->arg = parameters (k, node->vars + node->num_results, node->num_params, &f->param_bytes);
  for (uint32_t i = 0; i < node->num_directives; i++)
    {
      const struct ptx_directive *d = &node->directives[i];
      if (d->word != PTX_MAXNTID && d->word != PTX_REQNTID)
	continue;
      f->max_threads = 1;
      for (unsigned j = 0; j < d->num; j++)
	f->max_threads *= d->values[j];
    }
}

static struct variable *
new_variable (struct linker *k, struct module *m, const struct ptx_var *var, bool visible)
{
  struct psim_program *p = k->p;
  struct variable *v = ptx_alloc (p->ptx, sizeof (*v));
  bool shared = var->space == PTX_SHARED;
  if (v == NULL
      || !(shared ? grow (&p->shared, p->n_shared, &p->shared_room, sizeof (v))
	   : grow (&p->variables, p->n_variables, &p->variable_room, sizeof (v))))
    {
      link_fail (k, "no memory");
      return NULL;
    }
  v->public = (struct psim_variable) { .name = program_name (p, var->name),
				       .space = shared ? PSIM_SHARED : var->space == PTX_CONST ? PSIM_CONST
						: PSIM_GLOBAL,
				       .size = (size_t) ptx_var_size (var), .align = ptx_var_align (var),
				       .visible = visible };
  if (v->public.align == 0)
    v->public.align = 1;
  v->program = p;
  v->var = var;
  v->owner = m;
  if (shared)
    p->shared[p->n_shared++] = v;
  else
    p->variables[p->n_variables++] = v;
  return v;
}

static void
link_variable (struct linker *k, struct module *m, const struct ptx_var *var)
{
  if (var->space != PTX_GLOBAL && var->space != PTX_CONST && var->space != PTX_SHARED)
    {
      link_fail (k, "%s: variable %s: such variables outside of functions are not implemented", m->name,
		 program_name (k->p, var->name));
      return;
    }
  struct symbol *s = make_symbol (k, m, var->name, var->linkage == 0);
  if (s == NULL)
    return;
  if (s->function != NULL)
    {
      link_fail (k, "%s: %s is a variable here and a function elsewhere", m->name, s->function->name);
      return;
    }
  bool weak = var->linkage == PTX_WEAK || var->linkage == PTX_COMMON || m->library;
  /* The memory that the launch adds: an array without size.  */
  bool dynamic = var->linkage == PTX_EXTERN && var->space == PTX_SHARED && ptx_var_size (var) == 0;
  if (var->linkage == PTX_EXTERN && !dynamic)
    return;
  if (s->variable != NULL && !weak && !s->weak && !dynamic)
    {
      link_fail (k, "%s: %s is defined twice, also in %s", m->name, s->variable->public.name,
		 s->variable->owner->name);
      return;
    }
  if (s->variable != NULL && (dynamic || (weak && ptx_var_size (var) <= s->variable->public.size)))
    return;
  if (s->variable != NULL)
    {
      /* The stronger, or larger, one takes its place.  */
      s->variable->var = var;
      s->variable->owner = m;
      s->variable->public.size = (size_t) ptx_var_size (var);
      s->variable->public.align = ptx_var_align (var);
    }
  else
    s->variable = new_variable (k, m, var, var->linkage != 0);
  s->defined = true;
  s->weak = weak;
}

/* Variables of the body that are not on the stack: their place must be known before a launch.  */
static void
link_body (struct linker *k, struct module *m, struct ptx_function *node)
{
  struct psim_program *p = k->p;
  char why[PTX_WHY];
  bool found = false;
  for (uint32_t i = 0; node->text != NULL && i + 8 < node->text_size && !found; i++)
    if (node->text[i] == '.' && (memcmp (node->text + i, ".shared", 7) == 0
				 || memcmp (node->text + i, ".global", 7) == 0))
      found = node->text[i + 7] == ' ' || node->text[i + 7] == '\t';
  if (!found)
    return;
  if (!ptx_read_body (node, PTX_NO_LOC, why))
    {
      link_fail (k, "%s: %s", m->name, why);
      return;
    }
  for (uint32_t i = 0; i < node->num_vars; i++)
    {
      const struct ptx_var *var = &node->vars[i];
      if (var->space != PTX_SHARED && var->space != PTX_GLOBAL && var->space != PTX_CONST)
	continue;
      if (!grow (&p->inner, p->n_inner, &p->inner_room, sizeof (*p->inner)))
	{
	  link_fail (k, "no memory");
	  return;
	}
      struct variable *v = new_variable (k, m, var, false);
      if (v == NULL)
	return;
      p->inner[p->n_inner++] = (struct inner) { .node = node, .var = i, .variable = v };
    }
}

static void
link_alias (struct linker *k, struct module *m, ptx_name name, ptx_name of)
{
  struct symbol *target = program_symbol (m, of), *s = program_symbol (m, name);
  for (unsigned i = 0; target == NULL && i < m->n_local; i++)
    if (m->local[i].name == of)
      target = &m->local[i];
  if (target == NULL || target->function == NULL || !target->function->defined)
    {
      link_fail (k, "%s: %s is an alias of %s, which is no function of the text", m->name,
		 program_name (k->p, name), program_name (k->p, of));
      return;
    }
  if (s == NULL)
    s = make_symbol (k, m, name, false);
  if (s == NULL || (s->function != NULL && s->function->defined))
    return;
  s->function = target->function;
  s->defined = true;
}

static int
by_name (const void *a, const void *b)
{
  const struct symbol *x = a, *y = b;
  return x->name < y->name ? -1 : x->name > y->name;
}

static int
by_size (const void *a, const void *b)
{
  const struct variable *x = *(struct variable *const *) a, *y = *(struct variable *const *) b;
  bool dx = x->public.size == 0, dy = y->public.size == 0;
  if (dx != dy)
    return dx ? 1 : -1;
  return x->public.align > y->public.align ? -1 : x->public.align < y->public.align;
}

static void
lay_out_shared (struct psim_program *p)
{
  uint32_t at = SHARED_START;
  if (p->n_shared != 0)
    qsort (p->shared, p->n_shared, sizeof (*p->shared), by_size);
  for (unsigned i = 0; i < p->n_shared; i++)
    {
      struct variable *v = p->shared[i];
      uint32_t align = v->public.size == 0 && v->public.align < 16 ? 16 : (uint32_t) v->public.align;
      at = (at + align - 1) & ~(align - 1);
      v->offset = at;
      at += (uint32_t) v->public.size;
    }
  p->shared_size = at;
}

static void
link_module (struct linker *k, struct module *m)
{
  m->local = calloc (m->tree->num_items + 1, sizeof (*m->local));
  if (m->local == NULL)
    link_fail (k, "no memory");
  for (uint32_t i = 0; i < m->tree->num_items && !k->failed; i++)
    {
      struct ptx_item *item = m->tree->items[i];
      if (item->kind == PTX_ITEM_FUNCTION)
	{
	  link_function (k, m, item->u.function);
	  if (item->u.function->has_body)
	    link_body (k, m, item->u.function);
	}
      else if (item->kind == PTX_ITEM_VARIABLE)
	link_variable (k, m, item->u.variable);
    }
}

struct psim_program *
psim_link (const struct psim_text *texts, unsigned n, char *why, size_t room)
{
  struct psim_program *p = calloc (1, sizeof (*p));
  struct linker k = { .p = p, .why = why, .room = room };
  if (p == NULL)
    {
      snprintf (why, room, "no memory");
      return NULL;
    }
  pthread_mutex_init (&p->lock, NULL);
  p->ptx = ptx_new ();
  p->heap = heap_new ();
  p->texts = calloc (n + 1, sizeof (*p->texts));
  p->modules = calloc (n + 1, sizeof (*p->modules));
  if (p->ptx == NULL || p->heap == NULL || p->texts == NULL || p->modules == NULL)
    link_fail (&k, "no memory");
  for (unsigned i = 0; i < n && !k.failed; i++)
    {
      char reason[PTX_WHY];
      struct module *m = &p->modules[i];
      p->texts[i] = malloc (texts[i].size + 1);
      if (p->texts[i] == NULL)
	{
	  link_fail (&k, "no memory");
	  break;
	}
      memcpy (p->texts[i], texts[i].text, texts[i].size);
      p->texts[i][texts[i].size] = '\0';
      m->program = p;
      m->library = texts[i].library;
      m->tree = ptx_read (p->ptx, p->texts[i], texts[i].size, PTX_LAZY | PTX_NO_LOC, reason);
      if (m->tree == NULL)
	link_fail (&k, "%s: %s", texts[i].name, reason);
      char *name = ptx_alloc (p->ptx, strlen (texts[i].name) + 1);
      if (name != NULL)
	strcpy (name, texts[i].name);
      m->name = name != NULL ? name : "?";
      p->n_modules = i + 1;
    }
  if (!k.failed)
    {
      /* Names that decoding adds are no symbols.  */
      p->n_global = p->ptx->num_names;
      p->global = calloc (p->n_global + 1, sizeof (struct symbol *));
      if (p->global == NULL)
	link_fail (&k, "no memory");
    }
  for (unsigned i = 0; i < n && !k.failed; i++)
    link_module (&k, &p->modules[i]);
  for (unsigned i = 0; i < n && !k.failed; i++)
    {
      struct module *m = &p->modules[i];
      for (uint32_t j = 0; j < m->tree->num_items && !k.failed; j++)
	if (m->tree->items[j]->kind == PTX_ITEM_ALIAS)
	  link_alias (&k, m, m->tree->items[j]->u.alias.name, m->tree->items[j]->u.alias.of);
      qsort (m->local, m->n_local, sizeof (*m->local), by_name);
    }
  if (k.failed)
    {
      psim_free (p);
      return NULL;
    }
  lay_out_shared (p);
  return p;
}

void
psim_free (struct psim_program *p)
{
  if (p == NULL)
    return;
  for (unsigned i = 0; p->modules != NULL && i < p->n_modules; i++)
    {
      free (p->modules[i].local);
      free (p->texts[i]);
    }
  for (unsigned i = 0; i < p->n_functions; i++)
    free (p->functions[i]->failed);
  free (p->modules);
  free (p->texts);
  free (p->global);
  free (p->functions);
  free (p->variables);
  free (p->shared);
  free (p->inner);
  free (p->constants);
  heap_free (p->heap);
  ptx_free (p->ptx);
  pthread_mutex_destroy (&p->lock);
  free (p);
}

/* -- Variables -- */

const struct psim_variable *
psim_variable (const struct psim_program *p, unsigned i)
{
  return i < p->n_variables ? &p->variables[i]->public : NULL;
}

void
psim_place (struct psim_program *p, unsigned i, uint64_t address)
{
  p->variables[i]->public.address = address;
}

/* Address of the symbol NAME of V's text, in its space or generic.  */
static bool
symbol_address (const struct variable *v, ptx_name name, bool generic, uint64_t *address)
{
  const struct symbol *s = program_symbol (v->owner, name);
  if (s == NULL || (s->function == NULL && s->variable == NULL))
    return false;
  if (s->function != NULL)
    *address = s->function->address;
  else if (s->variable->public.space == PSIM_SHARED)
    *address = s->variable->offset + (generic ? PSIM_SHARED_WINDOW : 0);
  else
    *address = s->variable->public.address;
  return true;
}

struct writer
{
  char *view;
  unsigned size;		/* of an element */
  uint64_t at, elements, limit;
};

static bool
write_value (struct writer *o, uint64_t value)
{
  if (o->at >= o->limit)
    return false;
  memcpy (o->view + o->at++ * o->size, &value, o->size < 8 ? o->size : 8);
  return true;
}

static bool
write_initial (const struct variable *v, char *view, char *why, size_t room)
{
  const struct ptx_var_more *more = v->var->more;
  struct writer o = { .view = view, .size = ptx_type_size (v->var->type) };
  uint64_t row[16] = { 0 };
  unsigned depth = 0;
  if (more == NULL || more->num_inits == 0)
    return true;
  o.limit = v->public.size / o.size;
  /* Elements of a row at each depth of braces.  */
  for (uint32_t d = 0; d < more->num_dims && d < 16; d++)
    {
      row[d] = v->var->vector;
      for (uint32_t e = d + 1; e < more->num_dims; e++)
	row[d] *= more->dims[e];
    }
  bool fits = true;
  for (uint32_t i = 0; i < more->num_inits && fits; i++)
    {
      const struct ptx_init *e = &more->inits[i];
      uint64_t value = e->bits;
      switch (e->kind)
	{
	case PTX_INIT_OPEN:
	  depth++;
	  continue;
	case PTX_INIT_CLOSE:
	  if (depth > 0 && depth <= 16 && row[depth - 1] != 0)
	    o.at = (o.at + row[depth - 1] - 1) / row[depth - 1] * row[depth - 1];
	  if (depth > 0)
	    depth--;
	  continue;
	case PTX_INIT_SYMBOL:
	case PTX_INIT_GENERIC:
	case PTX_INIT_MASK:
	  {
	    uint64_t address;
	    if (!symbol_address (v, e->name, e->kind != PTX_INIT_SYMBOL, &address))
	      {
		snprintf (why, room, "%s: %s is not defined, but %s has its address", v->owner->name,
			  program_name (v->program, e->name), v->public.name);
		return false;
	      }
	    value += address;
	    if (e->kind == PTX_INIT_MASK && i + 1 < more->num_inits)
	      {
		uint64_t mask = more->inits[++i].bits;
		value = mask != 0 ? (value & mask) >> __builtin_ctzll (mask) : 0;
	      }
	    break;
	  }
	case PTX_INIT_F64:
	  if (v->var->type == PTX_F32)
	    {
	      double x;
	      memcpy (&x, &value, 8);
	      float y = (float) x;
	      uint32_t word;
	      memcpy (&word, &y, 4);
	      value = word;
	    }
	  break;
	default:
	  break;
	}
      fits = write_value (&o, value);
    }
  if (!fits)
    snprintf (why, room, "%s: variable %s has more initial values than elements", v->owner->name,
	      v->public.name);
  return fits;
}

bool
psim_load (struct psim_program *p, const struct psim_memory *memory, char *why, size_t room)
{
  for (unsigned i = 0; i < p->n_variables; i++)
    {
      const struct variable *v = p->variables[i];
      struct psim_range range;
      uint64_t at = v->public.address;
      if (v->public.size == 0)
	continue;
      if (at == 0 || memory == NULL || !memory->find (memory->user, at, &range)
	  || at - range.start > range.size || range.size - (at - range.start) < v->public.size)
	{
	  snprintf (why, room, "variable %s has no memory", v->public.name);
	  return false;
	}
      at -= range.start;
      memset (range.view + at, 0, v->public.size);
      if (range.shadow != NULL)
	memset (range.shadow + at, 1, v->public.size);
      if (!write_initial (v, range.view + at, why, room))
	return false;
    }
  return true;
}

/* -- Look-ups -- */

const struct psim_kernel *
psim_kernel_at (const struct psim_program *p, unsigned i)
{
  for (unsigned j = 0; j < p->n_functions; j++)
    if (p->functions[j]->entry && i-- == 0)
      return (const struct psim_kernel *) p->functions[j];
  return NULL;
}

const struct psim_kernel *
psim_kernel (const struct psim_program *p, const char *name)
{
  ptx_name id = ptx_find_name (p->ptx, name, strlen (name));
  if (id == 0 || id >= p->n_global || p->global[id] == NULL)
    return NULL;
  struct function *f = p->global[id]->function;
  return f != NULL && f->entry ? (const struct psim_kernel *) f : NULL;
}

struct function *
kernel_function (const struct psim_kernel *kernel)
{
  return (struct function *) (uintptr_t) kernel;
}

struct psim_program *
kernel_program (const struct psim_kernel *kernel)
{
  return kernel_function (kernel)->module->program;
}

void
psim_kernel_info (const struct psim_kernel *kernel, struct psim_kernel_info *info)
{
  struct function *f = kernel_function (kernel);
  *info = (struct psim_kernel_info) { .name = f->name, .params = f->args, .param_bytes = f->param_bytes,
				      .shared = f->module->program->shared_size - SHARED_START,
				      .registers = 32, .max_threads = f->max_threads };
  /* Not decoded: that needs the addresses of variables.  */
  struct psim_program *p = f->module->program;
  const struct ptx_function *node = f->node;
  char why[PTX_WHY];
  uint64_t registers = 0;
  pthread_mutex_lock (&p->lock);
  if (ptx_read_body ((struct ptx_function *) (uintptr_t) node, PTX_NO_LOC, why))
    for (uint32_t i = 0; i < node->num_vars; i++)
      {
	const struct ptx_var *v = &node->vars[i];
	if ((v->flags & PTX_VAR_RANGE) != 0)
	  continue;
	if (v->space == PTX_LOCAL)
	  info->local += (size_t) ptx_var_size (v);
	else if (v->space == PTX_REG && v->type != PTX_PRED)
	  registers += ptx_type_size (v->type) > 4 ? 2 : 1;
      }
  pthread_mutex_unlock (&p->lock);
  /* As if a quarter of the virtual registers lived at the same time.  */
  info->registers = registers < 64 ? 16 : registers / 4 > 255 ? 255 : (unsigned) (registers / 4);
}

bool
psim_kernel_param (const struct psim_kernel *kernel, unsigned i, size_t *offset, size_t *size)
{
  const struct function *f = kernel_function (kernel);
  if (i >= f->args)
    return false;
  *offset = f->arg[i].offset;
  *size = f->arg[i].size;
  return true;
}

struct function *
program_function_at (const struct psim_program *p, uint64_t address)
{
  uint64_t n = (address - PSIM_CODE_WINDOW) / 16;
  if (address < PSIM_CODE_WINDOW || n == 0 || n > p->n_functions || address % 16 != 0)
    return NULL;
  return p->functions[n - 1];
}

const struct function *
program_function_of (const struct psim_program *p, const struct op *op)
{
  for (unsigned i = 0; i < p->n_functions; i++)
    {
      const struct function *f = p->functions[i];
      /* Acquire: see function_ready.  */
      if (atomic_load_explicit (&f->ready, memory_order_acquire) == 1 && op >= f->ops
	  && op < f->ops + f->n_ops)
	return f;
    }
  return NULL;
}

uint32_t
program_shared (const struct psim_program *p, const char *name)
{
  for (unsigned i = 0; i < p->n_shared; i++)
    if (strcmp (p->shared[i]->public.name, name) == 0)
      return p->shared[i]->offset;
  return UINT32_MAX;
}

uint32_t
program_shared_size (const struct psim_program *p)
{
  return p->shared_size;
}

struct heap *
program_heap (const struct psim_program *p)
{
  return p->heap;
}

bool
function_ready (struct function *f)
{
  /* Acquire: with it go the operations.  */
  int ready = atomic_load_explicit (&f->ready, memory_order_acquire);
  if (ready != 0)
    return ready > 0;
  if (!f->defined)
    {
      /* Who calls it says what is missing; nothing is kept.  */
      return false;
    }
  struct psim_program *p = f->module->program;
  pthread_mutex_lock (&p->lock);
  ready = atomic_load_explicit (&f->ready, memory_order_relaxed);
  if (ready == 0)
    {
      char why[400];
      ready = decode_function (p, f, why, sizeof (why)) ? 1 : -1;
      if (ready < 0)
	f->failed = strdup (why);
      /* Release: with it go the operations, or the reason.  */
      atomic_store_explicit (&f->ready, ready, memory_order_release);
    }
  pthread_mutex_unlock (&p->lock);
  return ready > 0;
}

unsigned
psim_decode_all (struct psim_program *p, void (*tell) (void *user, const char *name, const char *why), void *user)
{
  unsigned good = 0;
  for (unsigned i = 0; i < p->n_functions; i++)
    {
      struct function *f = p->functions[i];
      if (!f->defined)
	continue;
      if (function_ready (f))
	good++;
      else
	tell (user, f->name, f->failed != NULL ? f->failed : "no memory");
    }
  return good;
}
