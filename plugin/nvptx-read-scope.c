/* nvptx-read-scope.c -- the reader of PTX: what names mean in a function.

   What a name means is kept with the name (struct ptx_name_entry) while a function is read.  A
   block that gives a name another meaning notes the one before, to be put back at the block's end.
   Labels may be mentioned before they stand somewhere, so mentions are noted, and looked up at the
   end of the block that they are in; what is not found then is left to the block around it.

   The members of a range (%r<5>) become known when they are first used.  They belong to the block
   of the range, which may be one further out than where that happens, so they are noted apart.  */

#include "nvptx-reader.h"

/* ---- Variables ---- */

void
ptx_undo_to (struct ptx *ptx, uint32_t num)
{
  struct ptx_scratch *s = ptx->scratch;
  while (s->num_undo > num)
    {
      const struct ptx_undo *u = &s->undo[--s->num_undo];
      struct ptx_name_entry *e = &ptx->names[u->name];
      e->var = u->var;
      e->label = u->label;
      e->range = u->range;
      e->var_depth = u->var_depth;
      e->label_depth = u->label_depth;
    }
}

void
ptx_forget_members (struct ptx *ptx, uint32_t first, uint32_t depth)
{
  struct ptx_scratch *s = ptx->scratch;
  uint32_t kept = first;
  for (uint32_t i = first; i < s->num_members; i++)
    if (s->members[i].depth > depth)
      ptx->names[s->members[i].name].var = 0;
    else
      s->members[kept++] = s->members[i];
  s->num_members = kept;
}

void
ptx_close_scopes (struct ptx *ptx)
{
  struct ptx_scratch *s = ptx->scratch;
  ptx_undo_to (ptx, 0);
  for (uint32_t i = 0; i < s->num_members; i++)
    ptx->names[s->members[i].name].var = 0;
  s->num_members = s->num_pending = s->depth = s->num_operands = 0;
  s->open = NULL;
}

static bool
note (struct ptx_reader *r, ptx_name name)
{
  const struct ptx_name_entry *e = &r->ptx->names[name];
  if (!PTX_ROOM (r, undo, num_undo, undo_room))
    return false;
  r->s->undo[r->s->num_undo++] = (struct ptx_undo) { name, e->var, e->label, e->range,
						     e->var_depth, e->label_depth };
  return true;
}

static bool
fail_twice (struct ptx_reader *r, ptx_name name)
{
  const struct ptx_name_entry *e = &r->ptx->names[name];
  return ptx_fail (r, "%.*s is declared twice", (int) (e->length & 0xff), e->text);
}

/* A range would hide registers of outer blocks: rather not.  */
static bool
hides_registers (struct ptx_reader *r, const struct ptx_var *v)
{
  if (r->ptx->names[v->name].range != 0)
    return true;
  if (r->s->depth == 0)
    return false;
  for (uint32_t i = 0; i < v->range; i++)
    {
      const struct ptx_name_entry *e = &r->ptx->names[v->name];
      char digits[11], text[200];
      int n = 0;
      for (uint32_t rest = i; n == 0 || rest != 0; rest /= 10)
	digits[n++] = (char) ('0' + rest % 10);
      if (i == 1000 || e->length > sizeof (text) - sizeof (digits))
	return true;
      memcpy (text, e->text, e->length);
      for (int k = 0; k < n; k++)
	text[e->length + k] = digits[n - 1 - k];
      ptx_name name = ptx_find_name (r->ptx, text, e->length + n);
      if (name != 0 && r->ptx->names[name].var != 0)
	return true;
    }
  return false;
}

bool
ptx_bind_var (struct ptx_reader *r, uint32_t index, const struct ptx_var *v)
{
  struct ptx_name_entry *e = &r->ptx->names[v->name];
  uint16_t depth = (uint16_t) r->s->depth;

  if (v->flags & PTX_VAR_RANGE)
    {
      if (hides_registers (r, v))
	return ptx_fail (r, "a range hides other registers");
      if (!note (r, v->name))
	return false;
      e->range = index + 1;
      r->has_ranges = true;
      return true;
    }
  if (e->var != 0 && e->var_depth == depth)
    return fail_twice (r, v->name);
  if (!note (r, v->name))
    return false;
  e->var = 2 * index + 2 + (v->space == PTX_REG);
  e->var_depth = depth;
  return true;
}

bool
ptx_bind_label (struct ptx_reader *r, ptx_name name, uint32_t label)
{
  struct ptx_name_entry *e = &r->ptx->names[name];
  uint16_t depth = (uint16_t) r->s->depth;
  if (e->label != 0 && e->label_depth == depth)
    return fail_twice (r, name);
  if (!note (r, name))
    return false;
  e->label = label + 1;
  e->label_depth = depth;
  return true;
}

bool
ptx_push_var (struct ptx_reader *r, const struct ptx_var *v, uint32_t *index)
{
  if (!PTX_ROOM (r, vars, num_vars, var_room))
    return false;
  *index = r->first_var + r->s->num_vars;
  r->s->vars[r->s->num_vars++] = *v;
  return *index < PTX_MOST_VARS || ptx_fail (r, "a function has too many variables");
}

static const struct ptx_var *
var_at (struct ptx_reader *r, uint32_t index)
{
  return index < r->first_var ? &r->function->vars[index] : &r->s->vars[index - r->first_var];
}

bool
ptx_find_member (struct ptx_reader *r, ptx_name name)
{
  uint32_t length = r->ptx->names[name].length, first = length;
  const char *text = r->ptx->names[name].text;
  while (first > 1 && ptx_is_digit (text[first - 1]))
    first--;
  for (; first < length; first++)
    {
      if ((text[first] == '0' && first + 1 < length) || length - first > 9)
	continue;
      uint32_t number = 0, index;
      for (uint32_t i = first; i < length; i++)
	number = number * 10 + (uint32_t) (text[i] - '0');
      ptx_name prefix = ptx_find_name (r->ptx, text, first);
      uint32_t range = prefix != 0 ? r->ptx->names[prefix].range : 0;
      if (range == 0 || number >= var_at (r, range - 1)->range)
	continue;
      struct ptx_var v = *var_at (r, range - 1);
      uint32_t depth = 0;
      while (depth < r->s->depth && (v.flags & PTX_VAR_INNER)
	     && range - 1 - r->first_var >= r->s->blocks[depth].num_vars)
	depth++;
      v.flags = (uint8_t) ((v.flags & PTX_VAR_INNER) | PTX_VAR_MEMBER);
      v.name = name;
      v.range = range - 1;
      if (!ptx_push_var (r, &v, &index) || !PTX_ROOM (r, members, num_members, member_room))
	return false;
      r->s->members[r->s->num_members++] = (struct ptx_member) { name, depth };
      r->ptx->names[name].var = 2 * index + 2 + (v.space == PTX_REG);
      r->ptx->names[name].var_depth = (uint16_t) depth;
      return true;
    }
  return true;
}

/* ---- Labels ---- */

bool
ptx_mention_label (struct ptx_reader *r, ptx_name name, uint32_t *where)
{
  if (!PTX_ROOM (r, pending, num_pending, pending_room))
    return false;
  r->s->pending[r->s->num_pending++] = (struct ptx_pending) { where, name, r->line };
  return true;
}

void
ptx_find_labels (struct ptx_reader *r, uint32_t first)
{
  struct ptx_scratch *s = r->s;
  uint32_t kept = first;
  for (uint32_t i = first; i < s->num_pending; i++)
    {
      uint32_t label = r->ptx->names[s->pending[i].name].label;
      if (label != 0)
	*s->pending[i].where = label - 1;
      else
	s->pending[kept++] = s->pending[i];
    }
  s->num_pending = kept;
}

bool
ptx_new_label (struct ptx_reader *r, ptx_name name, uint32_t stmt, uint32_t *label)
{
  if (!PTX_ROOM (r, labels, num_labels, label_room))
    return false;
  *label = r->first_label + r->s->num_labels;
  r->s->labels[r->s->num_labels++] = (struct ptx_label) { name, stmt };
  return ptx_bind_label (r, name, *label);
}

bool
ptx_place_label (struct ptx_reader *r, ptx_name name, uint32_t stmt, uint32_t *label)
{
  const struct ptx_name_entry *e = &r->ptx->names[name];
  if (e->label == 0 || !r->piece || e->label_depth != r->s->depth)
    return ptx_new_label (r, name, stmt, label);
  *label = e->label - 1;	/* ptx_end_body will see where it is */
  return true;
}
