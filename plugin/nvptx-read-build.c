/* nvptx-read-build.c -- changing the tree of a PTX text: copies of functions, new statements.

   Arrays of functions grow by being copied, so pointers into them (to variables, labels,
   statements) hold until something is added; indices hold for ever.

   ptx_emitf reads its text as if it stood at the outer level of the function's body.  What names
   mean there stays known from call to call, until another function or text is read: rewriting a
   function is many small pieces of text.  */

#include "nvptx-reader.h"

#include <stdarg.h>
#include <stdio.h>

enum
{
  MOST_EMITTED = 4000,		/* bytes of ptx_emitf */
  MORE_VARS = 24,		/* what most clones have more than the function */
  MORE_STMTS = 80
};

/* Make room in an array of a function for MORE.  */
static void *
grow (struct ptx *ptx, void *array, uint32_t num, uint32_t *room, uint32_t more, size_t size)
{
  if (num + more <= *room && array != NULL)
    return array;
  uint32_t new_room = 2 * num + more < 16 ? 16 : 2 * num + more;
  void *bigger = num < PTX_MOST_VARS && more < PTX_MOST_VARS
		 ? ptx_alloc (ptx, new_room * size) : NULL;
  if (bigger == NULL)
    return NULL;
  if (num > 0)
    memcpy (bigger, array, num * size);
  *room = new_room;
  return bigger;
}

static bool
grow_vars (struct ptx_function *f, uint32_t more)
{
  struct ptx_var *vars = grow (f->module->ptx, f->vars, f->num_vars, &f->var_room, more,
			       sizeof (vars[0]));
  if (vars == NULL)
    return false;
  f->vars = vars;
  return true;
}

static bool
grow_labels (struct ptx_function *f, uint32_t more)
{
  struct ptx_label *labels = grow (f->module->ptx, f->labels, f->num_labels, &f->label_room, more,
				   sizeof (labels[0]));
  if (labels == NULL)
    return false;
  f->labels = labels;
  return true;
}

static bool
grow_stmts (struct ptx_function *f, uint32_t more)
{
  struct ptx_stmt *stmts = grow (f->module->ptx, f->stmts, f->num_stmts, &f->stmt_room, more,
				 sizeof (stmts[0]));
  if (stmts == NULL)
    return false;
  f->stmts = stmts;
  return true;
}

/* ---- Functions ---- */

static bool
copy_operands (struct ptx *ptx, struct ptx_operand **operands, uint32_t num)
{
  struct ptx_operand *all = ptx_copy (ptx, *operands, num, sizeof (all[0]));
  if (all == NULL)
    return false;
  *operands = all;
  for (uint32_t i = 0; i < num; i++)
    switch (all[i].kind)
      {
      case PTX_O_VECTOR:
      case PTX_O_PAIR:
      case PTX_O_ARGS:
      case PTX_O_BRACKETS:
	/* Not deeper than the reader allows.  */
	if (all[i].id > 0 && !copy_operands (ptx, &all[i].u.list, all[i].id))
	  return false;
	break;
      default:
	break;
      }
  return true;
}

static bool
copy_stmt (struct ptx *ptx, struct ptx_stmt *stmt)
{
  if (stmt->kind == PTX_STMT_INSN)
    return stmt->num_operands == 0
	   || copy_operands (ptx, &stmt->u.insn.operands, stmt->num_operands);
  if (stmt->kind == PTX_STMT_PROTOTYPE)
    {
      struct ptx_prototype *p = ptx_copy (ptx, stmt->u.prototype.prototype, 1, sizeof (*p));
      if (p == NULL)
	return false;
      stmt->u.prototype.prototype = p;
      p->vars = ptx_copy (ptx, p->vars, p->num_results + p->num_params, sizeof (p->vars[0]));
      return p->vars != NULL;
    }
  if (stmt->kind == PTX_STMT_TARGETS)
    {
      struct ptx_targets *t = ptx_copy (ptx, stmt->u.targets.targets, 1, sizeof (*t));
      if (t == NULL)
	return false;
      stmt->u.targets.targets = t;
      t->ids = ptx_copy (ptx, t->ids, t->num, sizeof (t->ids[0]));
      return t->ids != NULL;
    }
  return true;
}

static bool
copy_vars (struct ptx *ptx, struct ptx_function *f, const struct ptx_var *from, uint32_t spare)
{
  f->var_room = f->num_vars + spare;
  f->vars = ptx_alloc (ptx, f->var_room * sizeof (f->vars[0]));
  if (f->vars == NULL)
    return false;
  if (f->num_vars > 0)
    memcpy (f->vars, from, f->num_vars * sizeof (f->vars[0]));
  for (uint32_t i = 0; i < f->num_vars; i++)
    {
      struct ptx_var_more **more = &f->vars[i].more;
      if (*more != NULL && (*more = ptx_copy (ptx, *more, 1, sizeof (**more))) == NULL)
	return false;
    }
  return true;
}

static bool
add_function (struct ptx_module *m, struct ptx_function *f)
{
  struct ptx_item *item = ptx_alloc (m->ptx, sizeof (*item));
  if (item == NULL)
    return false;
  item->kind = PTX_ITEM_FUNCTION;
  item->mark = (uint8_t) (PTX_MARKED | (f->has_body ? PTX_MARK_DEF : 0)
			  | (f->linkage == PTX_WEAK ? PTX_MARK_WEAK
			     : f->linkage != 0 ? PTX_MARK_GLOBAL : 0));
  item->u.function = f;
  return ptx_add_item (m, item);
}

/* A copy of F called NAME with room for SPARE more variables, without statements.  It is no item yet.  */
static struct ptx_function *
copy_head (struct ptx_module *m, const struct ptx_function *f, ptx_name name, uint32_t spare)
{
  struct ptx *ptx = m->ptx;
  struct ptx_function *new = f->is_read ? ptx_copy (ptx, f, 1, sizeof (*f)) : NULL;

  if (new == NULL)
    return NULL;
  new->module = m;
  new->name = name;
  new->text = NULL;
  new->text_size = 0;
  new->stmts = NULL;
  new->num_stmts = new->stmt_room = 0;
  new->label_room = f->num_labels;
  new->directives = ptx_copy (ptx, f->directives, f->num_directives, sizeof (f->directives[0]));
  new->labels = ptx_copy (ptx, f->labels, f->num_labels, sizeof (f->labels[0]));
  return copy_vars (ptx, new, f->vars, spare) && new->directives != NULL && new->labels != NULL ? new : NULL;
}

struct ptx_function *
ptx_clone_function (struct ptx_module *m, const struct ptx_function *f, ptx_name name)
{
  struct ptx_function *new = copy_head (m, f, name, 0);
  char why[PTX_WHY];

  if (new == NULL || !grow_stmts (new, f->num_stmts))
    return NULL;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      /* The numbers of files are those of the module.  */
      if (f->stmts[i].kind == PTX_STMT_LOC && f->module != m)
	continue;
      new->stmts[new->num_stmts] = f->stmts[i];
      if (!copy_stmt (m->ptx, &new->stmts[new->num_stmts++]))
	return NULL;
    }
  if (f->has_body && !ptx_end_body (new, why))
    return NULL;
  return add_function (m, new) ? new : NULL;
}

struct ptx_function *
ptx_clone_head (struct ptx_module *m, const struct ptx_function *f, ptx_name name)
{
  struct ptx_function *new = copy_head (m, f, name, MORE_VARS);
  return new != NULL && grow_stmts (new, f->num_stmts + MORE_STMTS) && add_function (m, new) ? new : NULL;
}

struct ptx_function *
ptx_declare_function (struct ptx_module *m, const struct ptx_function *f, ptx_name name)
{
  struct ptx *ptx = m->ptx;
  struct ptx_function *new = ptx_alloc (ptx, sizeof (*new));
  if (new == NULL)
    return NULL;
  new->module = m;
  new->name = name;
  new->linkage = f->linkage != 0 ? PTX_EXTERN : 0;
  new->is_entry = f->is_entry;
  new->is_read = true;
  new->param_parens = f->param_parens;
  new->num_results = f->num_results;
  new->num_params = f->num_params;
  new->num_vars = f->num_results + f->num_params;
  if (!copy_vars (ptx, new, f->vars, 0))
    return NULL;
  for (uint32_t i = 0; i < f->num_directives; i++)
    if (f->directives[i].word == PTX_NORETURN)
      {
	new->directives = ptx_copy (ptx, &f->directives[i], 1, sizeof (f->directives[0]));
	if (new->directives == NULL)
	  return NULL;
	new->num_directives = 1;
      }
  return add_function (m, new) ? new : NULL;
}

bool
ptx_add_items (struct ptx_module *m, const char *text, size_t size, char why[PTX_WHY])
{
  struct ptx *ptx = m->ptx;
  struct ptx_reader r = { .ptx = ptx, .s = ptx->scratch, .module = m, .line = 1, .why = why };
  char *own = size < UINT32_MAX ? ptx_alloc (ptx, size + 1) : NULL;
  if (own == NULL)
    return ptx_fail_memory (&r);
  if (size > 0)
    memcpy (own, text, size);
  r.p = own;
  r.end = own + strlen (own);
  uint32_t before = m->num_items;
  ptx_close_scopes (ptx);
  bool good = ptx_read_items (&r);
  ptx_close_scopes (ptx);
  if (!good)
    for (uint32_t i = before; i < m->num_items; i++)
      m->items[i]->left_out = true;
  return good;
}

bool
ptx_move_items (struct ptx_module *m, uint32_t from, uint32_t to)
{
  if (to >= from || from >= m->num_items)
    return true;
  uint32_t num = m->num_items - from;
  struct ptx_item **moved = ptx_copy (m->ptx, m->items + from, num, sizeof (moved[0]));
  if (moved == NULL)
    return false;
  memmove (m->items + to + num, m->items + to, (from - to) * sizeof (moved[0]));
  memcpy (m->items + to, moved, num * sizeof (moved[0]));
  return true;
}

/* ---- Statements ---- */

uint32_t
ptx_add_var (struct ptx_function *f, ptx_name space, ptx_name type, ptx_name name)
{
  if (name == 0 || !grow_vars (f, 1))
    return PTX_NO_INDEX;
  f->vars[f->num_vars] = (struct ptx_var) { .name = name, .space = (uint8_t) space,
					    .type = (uint8_t) type, .vector = 1 };
  return f->num_vars++;
}

uint32_t
ptx_add_label (struct ptx_function *f, ptx_name name)
{
  if (name == 0 || !grow_labels (f, 1))
    return PTX_NO_INDEX;
  f->labels[f->num_labels] = (struct ptx_label) { name, PTX_NO_INDEX };
  return f->num_labels++;
}

void
ptx_begin_body (struct ptx_function *f)
{
  f->stmts = NULL;
  f->text = NULL;
  f->num_stmts = f->stmt_room = 0;
  f->has_body = f->is_read = true;
}

struct ptx_stmt *
ptx_emit (struct ptx_function *f, enum ptx_stmt_kind kind)
{
  if (!grow_stmts (f, 1))
    return NULL;
  struct ptx_stmt *stmt = &f->stmts[f->num_stmts++];
  *stmt = (struct ptx_stmt) { .kind = kind, .guard = PTX_NO_INDEX };
  return stmt;
}

struct ptx_stmt *
ptx_emit_copy (struct ptx_function *f, const struct ptx_stmt *from)
{
  struct ptx_stmt old = *from;	/* may be in the array that moves */
  struct ptx_stmt *stmt = ptx_emit (f, old.kind);
  if (stmt != NULL)
    *stmt = old;
  return stmt;
}

struct ptx_stmt *
ptx_emit_declare (struct ptx_function *f, uint32_t first, uint32_t num)
{
  struct ptx_stmt *stmt = ptx_emit (f, PTX_STMT_DECLARE);
  if (stmt != NULL)
    {
      stmt->u.declare.first = first;
      stmt->u.declare.num = num;
    }
  return stmt;
}

struct ptx_stmt *
ptx_emit_label (struct ptx_function *f, uint32_t label)
{
  struct ptx_stmt *stmt = ptx_emit (f, PTX_STMT_LABEL);
  if (stmt != NULL)
    stmt->u.label = label;
  return stmt;
}

struct ptx_stmt *
ptx_emit_insn (struct ptx_function *f, const char *text, unsigned num)
{
  struct ptx *ptx = f->module->ptx;
  struct ptx_op *op = ptx_get_op (ptx, text);
  struct ptx_operand *operands = ptx_alloc (ptx, num * sizeof (operands[0]));
  struct ptx_stmt *stmt = op != NULL && operands != NULL && num <= PTX_MOST_OPERANDS
			  ? ptx_emit (f, PTX_STMT_INSN) : NULL;
  if (stmt == NULL)
    return NULL;
  stmt->num_operands = (uint8_t) num;
  stmt->u.insn.op = op;
  stmt->u.insn.operands = operands;
  return stmt;
}

/* Make known what names mean at the outer level of the function's body.  */
static bool
open_scope (struct ptx_reader *r, struct ptx_function *f)
{
  struct ptx_scratch *s = r->s;
  if (s->open != f)
    {
      ptx_close_scopes (r->ptx);
      s->open = f;
      s->open_vars = s->open_labels = 0;
      s->open_ranges = false;
    }
  for (; s->open_vars < f->num_vars; s->open_vars++)
    {
      const struct ptx_var *v = &f->vars[s->open_vars];
      if ((v->flags & PTX_VAR_INNER) || v->name == PTX_UNDERSCORE)
	continue;
      if (!ptx_bind_var (r, s->open_vars, v))
	return false;
      s->open_ranges |= (v->flags & PTX_VAR_RANGE) != 0;
    }
  for (; s->open_labels < f->num_labels; s->open_labels++)
    {
      ptx_name name = f->labels[s->open_labels].name;
      /* Blocks may have labels of the same name.  */
      if (r->ptx->names[name].label == 0 && !ptx_bind_label (r, name, s->open_labels))
	return false;
    }
  r->has_ranges = s->open_ranges;
  return true;
}

/* Append what was read to the function.  */
static bool
append_piece (struct ptx_reader *r, struct ptx_function *f)
{
  struct ptx_scratch *s = r->s;
  if (!grow_vars (f, s->num_vars) || !grow_labels (f, s->num_labels)
      || !grow_stmts (f, s->num_stmts))
    return ptx_fail_memory (r);
  if (s->num_vars > 0)
    memcpy (f->vars + f->num_vars, s->vars, s->num_vars * sizeof (f->vars[0]));
  if (s->num_labels > 0)
    memcpy (f->labels + f->num_labels, s->labels, s->num_labels * sizeof (f->labels[0]));
  for (uint32_t i = 0; i < s->num_stmts; i++)
    {
      f->stmts[f->num_stmts + i] = s->stmts[i];
      f->stmts[f->num_stmts + i].line = 0;
    }
  f->num_vars += s->num_vars;
  f->num_labels += s->num_labels;
  f->num_stmts += s->num_stmts;
  s->open_vars = f->num_vars;
  s->open_labels = f->num_labels;
  s->open_ranges |= r->has_ranges;
  return true;
}

uint32_t
ptx_emitf (struct ptx_function *f, char why[PTX_WHY], const char *format, ...)
{
  struct ptx *ptx = f->module->ptx;
  struct ptx_reader r = { .ptx = ptx, .s = ptx->scratch, .module = f->module, .function = f,
			  .line = 1, .is_body = true, .piece = true, .why = why };
  struct ptx_text *text = &ptx->scratch->text;
  va_list args;

  text->size = 0;
  va_start (args, format);
  ptx_vprintf (text, format, args);
  va_end (args);
  char *own = !text->no_memory ? ptx_copy (ptx, text->text, text->size + 1, 1) : NULL;
  if (own == NULL)
    {
      ptx->no_memory = true;
      return ptx_fail_memory (&r);
    }
  if (text->size > MOST_EMITTED)
    return ptx_fail (&r, "the text is too long");
  r.p = own;
  r.end = own + text->size;
  if (!open_scope (&r, f))
    {
      ptx_close_scopes (ptx);
      return 0;
    }
  r.first_var = f->num_vars;
  r.first_label = f->num_labels;
  if (!ptx_read_piece (&r) || !append_piece (&r, f))
    {
      ptx_close_scopes (ptx);
      return 0;
    }
  uint32_t num = ptx->scratch->num_stmts;
  return num > 0 ? num : ptx_fail (&r, "no statement");
}

/* ---- The end of a body ---- */

static bool
fail_label (const struct ptx_function *f, uint32_t label, const char *how, char *why)
{
  const struct ptx_name_entry *e = label < f->num_labels
				   ? &f->module->ptx->names[f->labels[label].name] : NULL;
  snprintf (why, PTX_WHY, "label %.*s %s", e != NULL ? (int) (e->length & 0x7f) : 1,
	    e != NULL ? e->text : "?", how);
  return false;
}

static bool
place (struct ptx_function *f, uint32_t label, uint32_t stmt, char *why)
{
  if (label >= f->num_labels || f->labels[label].stmt != PTX_NO_INDEX)
    return fail_label (f, label, "stands twice", why);
  f->labels[label].stmt = stmt;
  return true;
}

static bool
check_mention (const struct ptx_function *f, uint32_t label, char *why)
{
  return (label < f->num_labels && f->labels[label].stmt != PTX_NO_INDEX)
	 || fail_label (f, label, "stands nowhere", why);
}

static bool
check_mentions (const struct ptx_function *f, const struct ptx_stmt *stmt, char *why)
{
  if (stmt->kind == PTX_STMT_INSN)
    for (unsigned i = 0; i < stmt->num_operands; i++)
      if (stmt->u.insn.operands[i].kind == PTX_O_LABEL
	  && !check_mention (f, stmt->u.insn.operands[i].id, why))
	return false;
  if (stmt->kind == PTX_STMT_TARGETS && !stmt->u.targets.targets->calls)
    for (uint32_t i = 0; i < stmt->u.targets.targets->num; i++)
      if (!check_mention (f, stmt->u.targets.targets->ids[i], why))
	return false;
  return true;
}

bool
ptx_end_body (struct ptx_function *f, char why[PTX_WHY])
{
  uint32_t open = PTX_NO_INDEX;	/* braces: each has the one around it as its match meanwhile */
  for (uint32_t i = 0; i < f->num_labels; i++)
    f->labels[i].stmt = PTX_NO_INDEX;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      struct ptx_stmt *stmt = &f->stmts[i];
      bool good = true;
      switch ((enum ptx_stmt_kind) stmt->kind)
	{
	case PTX_STMT_BEGIN:
	  stmt->u.match = open;
	  open = i;
	  break;
	case PTX_STMT_END:
	  if (open == PTX_NO_INDEX)
	    {
	      snprintf (why, PTX_WHY, "a brace is missing before statement %u", i);
	      return false;
	    }
	  stmt->u.match = open;
	  open = f->stmts[open].u.match;
	  f->stmts[stmt->u.match].u.match = i;
	  break;
	case PTX_STMT_LABEL: good = place (f, stmt->u.label, i, why); break;
	case PTX_STMT_PROTOTYPE: good = place (f, stmt->u.prototype.label, i, why); break;
	case PTX_STMT_TARGETS: good = place (f, stmt->u.targets.label, i, why); break;
	default: break;
	}
      if (!good)
	return false;
    }
  if (open != PTX_NO_INDEX)
    {
      snprintf (why, PTX_WHY, "the brace of statement %u has no end", open);
      return false;
    }
  for (uint32_t i = 0; i < f->num_stmts; i++)
    if (!check_mentions (f, &f->stmts[i], why))
      return false;
  return true;
}
