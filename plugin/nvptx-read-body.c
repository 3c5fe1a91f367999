/* nvptx-read-body.c -- the reader of PTX: statements and operands.

   Statements, variables and labels are put into arrays that are kept from function to function, and
   copied where they stay when the function's end has been read.  What names mean is known by
   nvptx-read-scope.c.  */

#include "nvptx-reader.h"

/* ---- Statements' parts ---- */

static struct ptx_stmt *
push_stmt (struct ptx_reader *r, enum ptx_stmt_kind kind, uint32_t line)
{
  if (!PTX_ROOM (r, stmts, num_stmts, stmt_room))
    return NULL;
  struct ptx_stmt *stmt = &r->s->stmts[r->s->num_stmts++];
  *stmt = (struct ptx_stmt) { .kind = kind, .line = line, .guard = PTX_NO_INDEX };
  return stmt;
}

/* ---- Operands ---- */

static bool read_operand (struct ptx_reader *r, struct ptx_operand *o);

static bool
push_operand (struct ptx_reader *r, const struct ptx_operand *o)
{
  if (!PTX_ROOM (r, operands, num_operands, operand_room))
    return false;
  r->s->operands[r->s->num_operands++] = *o;
  return true;
}

/* Take the operands from FIRST on off the stack.  */
static struct ptx_operand *
take_operands (struct ptx_reader *r, uint32_t first)
{
  uint32_t num = r->s->num_operands - first;
  struct ptx_operand *list = ptx_alloc (r->ptx, num * sizeof (list[0]));
  r->s->num_operands = first;
  if (list == NULL)
    ptx_fail_memory (r);
  else if (num > 0)
    memcpy (list, r->s->operands + first, num * sizeof (list[0]));
  return list;
}

/* Operands, from behind what opens the list to behind CLOSE.  If FIRST isn't NULL it has been read,
   with a comma.  */
static bool
read_list (struct ptx_reader *r, struct ptx_operand *o, enum ptx_operand_kind kind, char close,
	   const struct ptx_operand *first)
{
  uint32_t base = r->s->num_operands;
  if (++r->lists > PTX_MOST_LISTS)
    return ptx_fail (r, "too many lists in lists");
  if ((first != NULL && !push_operand (r, first)))
    return false;
  if (first != NULL || !ptx_accept (r, close))
    {
      do
	{
	  struct ptx_operand next;
	  if (!read_operand (r, &next) || !push_operand (r, &next))
	    return false;
	}
      while (ptx_accept (r, ','));
      if (!ptx_expect (r, close))
	return false;
    }
  r->lists--;
  *o = (struct ptx_operand) { .kind = kind, .id = r->s->num_operands - base };
  return (o->u.list = take_operands (r, base)) != NULL;
}

/* + 4 or - 4, if it is next.  */
static bool
read_offset (struct ptx_reader *r, struct ptx_operand *o)
{
  struct ptx_operand offset;
  ptx_skip_space (r);
  if (*r->p != '+' && *r->p != '-')
    return true;
  r->p += *r->p == '+';
  if (!ptx_read_number (r, &offset))
    return false;
  if (offset.kind != PTX_O_INT)
    return ptx_expected (r, "an integer");
  o->u.value += offset.u.value;
  return true;
}

/* .x of a vector or special register, if it is next.  */
static bool
read_element (struct ptx_reader *r, struct ptx_operand *o)
{
  static const char letters[] = "xyzwrgba";
  if (*r->p != '.')
    return true;
  const char *letter = r->p[1] != 0 ? strchr (letters, r->p[1]) : NULL;
  if (letter == NULL || ptx_is_name_char (r->p[2]))
    return ptx_expected (r, "an element");
  o->element = (uint8_t) ((letter - letters) % 4 + 1);
  r->p += 2;
  return true;
}

/* Special registers that come in numbers.  */
static bool
is_special (const struct ptx_name_entry *e, ptx_name name)
{
  return (name >= PTX_FIRST_SPECIAL && name < PTX_NUM_WORDS)
	 || (e->length > 3 && memcmp (e->text, "%pm", 3) == 0)
	 || (e->length > 7 && memcmp (e->text, "%envreg", 7) == 0);
}

static bool
read_named (struct ptx_reader *r, struct ptx_operand *o)
{
  static const char warp_size[] = "WARP_SZ";
  ptx_name name = ptx_read_name (r);
  if (name == 0)
    return false;
  *o = (struct ptx_operand) { .id = name };
  const struct ptx_name_entry *e = &r->ptx->names[name];
  if (e->var == 0 && r->has_ranges)
    {
      if (!ptx_find_member (r, name))
	return false;
      e = &r->ptx->names[name];
    }
  if (e->var != 0)
    {
      o->id = (e->var >> 1) - 1;
      if (e->var & 1)
	{
	  o->kind = PTX_O_REG;
	  return read_element (r, o);
	}
      o->kind = PTX_O_VAR;
      return read_offset (r, o);
    }
  if (e->text[0] == '%')
    {
      o->kind = PTX_O_SPECIAL;
      return is_special (e, name) ? read_element (r, o)
	     : ptx_fail (r, "there is no register %.*s", (int) (e->length & 0xff), e->text);
    }
  if (name == PTX_UNDERSCORE)
    {
      o->kind = PTX_O_SINK;
      o->id = 0;
      return true;
    }
  if (e->length == sizeof (warp_size) - 1 && memcmp (e->text, warp_size, e->length) == 0)
    {
      *o = (struct ptx_operand) { .kind = PTX_O_INT, .u.value = 32 };
      return true;
    }
  o->kind = PTX_O_SYMBOL;
  return read_offset (r, o);
}

/* From behind the bracket.  */
static bool
read_address (struct ptx_reader *r, struct ptx_operand *o)
{
  ptx_skip_space (r);
  if (ptx_begins_name (*r->p))
    {
      if (!read_named (r, o))
	return false;
      if (o->kind == PTX_O_REG && !read_offset (r, o))
	return false;
    }
  else if (!ptx_read_number (r, o))
    return false;
  if (ptx_accept (r, ','))
    {
      struct ptx_operand first = *o;
      return read_list (r, o, PTX_O_BRACKETS, ']', &first);
    }
  if (o->kind != PTX_O_REG && o->kind != PTX_O_VAR && o->kind != PTX_O_SYMBOL
      && o->kind != PTX_O_INT)
    return ptx_fail (r, "this can't be an address");
  o->base = o->kind;
  o->kind = PTX_O_ADDRESS;
  o->flags = 0;
  return ptx_expect (r, ']');
}

static bool
read_operand (struct ptx_reader *r, struct ptx_operand *o)
{
  ptx_skip_space (r);
  char c = *r->p;
  if (!ptx_begins_name (c))
    switch (c)
      {
      case '[':
	r->p++;
	return read_address (r, o);
      case '{':
	r->p++;
	return read_list (r, o, PTX_O_VECTOR, '}', NULL);
      case '!':
	r->p++;
	ptx_skip_space (r);
	if (!ptx_begins_name (*r->p) || !read_named (r, o) || o->kind != PTX_O_REG)
	  return ptx_expected (r, "a predicate behind !");
	o->flags = PTX_NEGATED;
	return true;
      default:
	return ptx_is_digit (c) || c == '-' || c == '~' || c == '(' ? ptx_read_number (r, o)
	       : ptx_expected (r, "an operand");
      }
  if (!read_named (r, o))
    return false;
  if (*r->p != '|' && *r->p != ' ')
    return true;
  ptx_skip_space (r);
  if (*r->p != '|')
    return true;
  r->p++;
  uint32_t base = r->s->num_operands;
  struct ptx_operand second;
  ptx_skip_space (r);
  if (!ptx_begins_name (*r->p))
    return ptx_expected (r, "a register behind |");
  if (!read_named (r, &second) || !push_operand (r, o) || !push_operand (r, &second))
    return false;
  *o = (struct ptx_operand) { .kind = PTX_O_PAIR, .id = 2 };
  return (o->u.list = take_operands (r, base)) != NULL;
}

/* ---- Instructions ---- */

static bool
read_label (struct ptx_reader *r, struct ptx_operand *o)
{
  ptx_name name = ptx_expect_name (r);
  /* ptx_find_labels puts its index there.  */
  *o = (struct ptx_operand) { .kind = PTX_O_LABEL, .id = name };
  return name != 0;
}

static bool
mention_labels (struct ptx_reader *r, const struct ptx_stmt *stmt)
{
  for (unsigned i = 0; i < stmt->num_operands; i++)
    {
      struct ptx_operand *o = &stmt->u.insn.operands[i];
      if (o->kind == PTX_O_LABEL && !ptx_mention_label (r, o->id, &o->id))
	return false;
    }
  return true;
}

/* call (result), target, (arguments), prototype.  Results, arguments and prototype may be left
   out.  */
static bool
read_call (struct ptx_reader *r)
{
  struct ptx_operand o[PTX_CALL_OPERANDS] =
  {
    [PTX_CALL_RESULT] = { .kind = PTX_O_ARGS },
    [PTX_CALL_ARGS] = { .kind = PTX_O_ARGS }
  };
  if (ptx_accept (r, '(')
      && !(read_list (r, &o[PTX_CALL_RESULT], PTX_O_ARGS, ')', NULL) && ptx_expect (r, ',')))
    return false;
  ptx_skip_space (r);
  if (!ptx_begins_name (*r->p))
    return ptx_expected (r, "what is called");
  if (!read_named (r, &o[PTX_CALL_TARGET]))
    return false;
  if (o[PTX_CALL_TARGET].kind != PTX_O_SYMBOL && o[PTX_CALL_TARGET].kind != PTX_O_REG)
    return ptx_fail (r, "this can't be called");
  bool more = ptx_accept (r, ',');
  if (more && ptx_accept (r, '('))
    {
      if (!read_list (r, &o[PTX_CALL_ARGS], PTX_O_ARGS, ')', NULL))
	return false;
      more = ptx_accept (r, ',');
    }
  if (more && !read_label (r, &o[PTX_CALL_PROTOTYPE]))
    return false;
  for (unsigned i = 0; i < PTX_CALL_OPERANDS; i++)
    if (!push_operand (r, &o[i]))
      return false;
  return true;
}

/* The text of an instruction with space between its words, of which the first ends at r->p.  */
static struct ptx_op *
read_spaced_op (struct ptx_reader *r, const char *start)
{
  char text[PTX_MOST_OP_TEXT + 1];
  size_t n = (size_t) (r->p - start);
  if (n < sizeof (text))
    memcpy (text, start, n);
  while (n < sizeof (text))
    {
      ptx_skip_space (r);
      if (*r->p != '.' || !ptx_is_name_char (r->p[1]))
	{
	  ptx_name name = ptx_intern (r->ptx, text, n);
	  return name != 0 ? ptx_make_op (r->ptx, name) : NULL;
	}
      do
	text[n++] = *r->p++;
      while (n < sizeof (text) && (ptx_is_name_char (*r->p) || *r->p == ':'));
    }
  return NULL;
}

/* What r->p begins with, up to where operands are.  */
static struct ptx_op *
read_op (struct ptx_reader *r, const char *start, uint32_t hash)
{
  uint32_t length = (uint32_t) (r->p - start);
  struct ptx *ptx = r->ptx;
  struct ptx_op *op;

  ptx_skip_space (r);
  if (*r->p == '.' && ptx_is_name_char (r->p[1]))
    {
      r->p = start + length;
      op = read_spaced_op (r, start);
    }
  else
    {
      ptx_name name = ptx_look_up (ptx, start, length, hash);
      if (name == 0)
	name = ptx_enter_name (ptx, start, length, hash);
      op = name == 0 ? NULL : ptx->names[name].op != NULL ? ptx->names[name].op
	   : ptx_make_op (ptx, name);
    }
  if (op == NULL)
    ptx_fail (r, ptx->no_memory ? "no memory" : "\"%.*s\" is no instruction",
	      length < 40 ? (int) length : 40, start);
  return op;
}

static bool
read_operands (struct ptx_reader *r, const struct ptx_op *op, struct ptx_stmt *stmt)
{
  uint32_t base = r->s->num_operands;
  bool branch = op->opcode == PTX_OP_BRA || op->opcode == PTX_OP_BRX;
  bool call = op->opcode == PTX_OP_CALL;

  if (call)
    {
      if (!read_call (r) || !ptx_expect (r, ';'))
	return false;
    }
  else if (!ptx_accept (r, ';'))
    {
      do
	{
	  struct ptx_operand o;
	  bool label = branch && (op->opcode == PTX_OP_BRA || r->s->num_operands > base);
	  if (!(label ? read_label (r, &o) : read_operand (r, &o)) || !push_operand (r, &o))
	    return false;
	}
      while (ptx_accept (r, ','));
      if (!ptx_expect (r, ';'))
	return false;
    }
  uint32_t num = r->s->num_operands - base;
  if (num > PTX_MOST_OPERANDS)
    return ptx_fail (r, "an instruction has too many operands");
  stmt->num_operands = (uint8_t) num;
  if (num == 0)
    return true;
  return (stmt->u.insn.operands = take_operands (r, base)) != NULL
	 && ((!branch && !call) || mention_labels (r, stmt));
}

static bool
read_instruction (struct ptx_reader *r, struct ptx_op *op, uint32_t guard, bool negated,
		  uint32_t line)
{
  struct ptx_stmt stmt = { .kind = PTX_STMT_INSN, .guard = guard, .guard_negated = negated,
			   .line = line, .u.insn = { op, NULL } };
  if (!read_operands (r, op, &stmt) || !PTX_ROOM (r, stmts, num_stmts, stmt_room))
    return false;
  r->s->stmts[r->s->num_stmts++] = stmt;
  return true;
}

/* @p or @!p, from behind the @.  */
static bool
read_guard (struct ptx_reader *r, uint32_t *guard, bool *negated)
{
  struct ptx_operand o;
  *negated = ptx_accept (r, '!');
  ptx_skip_space (r);
  if (!ptx_begins_name (*r->p))
    return ptx_expected (r, "a predicate behind @");
  if (!read_named (r, &o))
    return false;
  if (o.kind != PTX_O_REG || o.element != 0)
    return ptx_fail (r, "a guard that is no register");
  *guard = o.id;
  return true;
}

/* ---- Directives ---- */

static bool
read_declaration (struct ptx_reader *r, ptx_name space, uint8_t linkage)
{
  struct ptx_scratch *s = r->s;
  struct ptx_var head = { .space = (uint8_t) space, .linkage = linkage, .vector = 1,
			  .flags = s->depth > 0 ? PTX_VAR_INNER : 0 };
  uint32_t line = r->line;

  if (!ptx_read_var_words (r, &head))
    return false;
  do
    {
      struct ptx_var v = head;
      uint32_t index;
      if (head.more != NULL)
	{
	  v.more = ptx_alloc (r->ptx, sizeof (*v.more));
	  if (v.more == NULL)
	    return ptx_fail_memory (r);
	  *v.more = *head.more;
	}
      if (!ptx_read_declarator (r, &v, false) || !ptx_push_var (r, &v, &index)
	  || !ptx_bind_var (r, index, &v))
	return false;
      struct ptx_stmt *last = s->num_stmts > 0 ? &s->stmts[s->num_stmts - 1] : NULL;
      if (last != NULL && last->kind == PTX_STMT_DECLARE
	  && last->u.declare.first + last->u.declare.num == index)
	last->u.declare.num++;
      else if ((last = push_stmt (r, PTX_STMT_DECLARE, line)) == NULL)
	return false;
      else
	{
	  last->u.declare.first = index;
	  last->u.declare.num = 1;
	}
    }
  while (ptx_accept (r, ','));
  return ptx_expect (r, ';');
}

/* .loc 1 2 3, from behind the word.  Then perhaps , function_name symbol + 4, inlined_at 1 2 3  */
static bool
read_loc (struct ptx_reader *r, uint32_t line)
{
  uint32_t at[3], ignored;
  for (int i = 0; i < 3; i++)
    if (!ptx_read_plain (r, &at[i]))
      return false;
  while (ptx_accept (r, ','))
    {
      struct ptx_operand o;
      if (ptx_expect_name (r) == 0)
	return false;
      ptx_skip_space (r);
      if (ptx_begins_name (*r->p) ? !read_named (r, &o)
	  : !(ptx_read_plain (r, &ignored) && ptx_read_plain (r, &ignored)
	      && ptx_read_plain (r, &ignored)))
	return false;
    }
  if (r->flags & PTX_NO_LOC)
    return true;
  struct ptx_stmt *stmt = push_stmt (r, PTX_STMT_LOC, line);
  if (stmt == NULL)
    return false;
  stmt->u.loc.file = at[0];
  stmt->u.loc.line = at[1];
  stmt->u.loc.column = at[2];
  return true;
}

static bool
read_inner_directive (struct ptx_reader *r)
{
  uint32_t line = r->line;
  for (uint8_t linkage = 0;;)
    {
      ptx_name word = ptx_read_word (r);
      if (word == 0)
	return false;
      if (ptx_is_space (word))
	return read_declaration (r, word, linkage);
      if (word > PTX_LAST_SPACE && word <= PTX_LAST_LINKAGE && linkage == 0)
	{
	  linkage = (uint8_t) word;
	  ptx_skip_space (r);
	  continue;
	}
      if (word == PTX_LOC && linkage == 0)
	return read_loc (r, line);
      if (word == PTX_PRAGMA && linkage == 0)
	{
	  struct ptx_stmt *stmt = push_stmt (r, PTX_STMT_PRAGMA, line);
	  return stmt != NULL
		 && ptx_read_string (r, &stmt->u.pragma.text, &stmt->u.pragma.length)
		 && ptx_expect (r, ';');
	}
      return ptx_fail (r, "%.*s is not expected in a function",
		       (int) (r->ptx->names[word].length & 0xff), r->ptx->names[word].text);
    }
}

/* ---- Labels and what stands behind them ---- */

/* (.param .u32 _) _ (.param .u64 _) .noreturn;  */
static bool
read_prototype (struct ptx_reader *r, uint32_t label, uint32_t line)
{
  struct ptx_prototype *p = ptx_alloc (r->ptx, sizeof (*p));
  uint32_t first = r->s->num_vars;
  if (p == NULL)
    return ptx_fail_memory (r);
  ptx_skip_space (r);
  if (*r->p == '(' && !ptx_read_params (r, &p->num_results, true))
    return false;
  if (ptx_expect_name (r) != PTX_UNDERSCORE)
    return ptx_fail (r, "a prototype without _");
  ptx_skip_space (r);
  if (*r->p == '(' && !ptx_read_params (r, &p->num_params, true))
    return false;
  ptx_skip_space (r);
  if (*r->p == '.')
    {
      if (ptx_read_word (r) != PTX_NORETURN)
	return ptx_fail (r, "a prototype has a directive other than .noreturn");
      p->noreturn = true;
    }
  uint32_t num = p->num_results + p->num_params;
  p->vars = ptx_alloc (r->ptx, num * sizeof (p->vars[0]));
  if (p->vars == NULL)
    return ptx_fail_memory (r);
  if (num > 0)
    memcpy (p->vars, r->s->vars + first, num * sizeof (p->vars[0]));
  r->s->num_vars = first;
  struct ptx_stmt *stmt = push_stmt (r, PTX_STMT_PROTOTYPE, line);
  if (stmt == NULL)
    return false;
  stmt->u.prototype.label = label;
  stmt->u.prototype.prototype = p;
  return ptx_expect (r, ';');
}

/* name, name;  */
static bool
read_targets (struct ptx_reader *r, bool calls, uint32_t label, uint32_t line)
{
  struct ptx_targets *t = ptx_alloc (r->ptx, sizeof (*t));
  uint32_t base = r->s->num_operands;
  if (t == NULL)
    return ptx_fail_memory (r);
  do
    {
      struct ptx_operand o = { .id = ptx_expect_name (r) };
      if (o.id == 0 || !push_operand (r, &o))
	return false;
    }
  while (ptx_accept (r, ','));
  t->calls = calls;
  t->num = r->s->num_operands - base;
  t->ids = ptx_alloc (r->ptx, t->num * sizeof (t->ids[0]));
  if (t->ids == NULL)
    return ptx_fail_memory (r);
  for (uint32_t i = 0; i < t->num; i++)
    {
      t->ids[i] = r->s->operands[base + i].id;
      if (!calls && !ptx_mention_label (r, t->ids[i], &t->ids[i]))
	return false;
    }
  r->s->num_operands = base;
  struct ptx_stmt *stmt = push_stmt (r, PTX_STMT_TARGETS, line);
  if (stmt == NULL)
    return false;
  stmt->u.targets.label = label;
  stmt->u.targets.targets = t;
  return ptx_expect (r, ';');
}

/* NAME: was read.  */
static bool
read_labelled (struct ptx_reader *r, ptx_name name, uint32_t line)
{
  uint32_t label;
  if (!ptx_place_label (r, name, r->s->num_stmts, &label))
    return false;
  ptx_skip_space (r);
  if (*r->p == '.')
    {
      const char *start = r->p;
      ptx_name word = ptx_read_word (r);
      if (word == 0)
	return false;
      if (word == PTX_CALLPROTOTYPE)
	return read_prototype (r, label, line);
      if (word == PTX_CALLTARGETS || word == PTX_BRANCHTARGETS)
	return read_targets (r, word == PTX_CALLTARGETS, label, line);
      r->p = start;		/* a statement of its own */
    }
  struct ptx_stmt *stmt = push_stmt (r, PTX_STMT_LABEL, line);
  if (stmt == NULL)
    return false;
  stmt->u.label = label;
  return true;
}

/* An instruction or a label.  */
static bool
read_word (struct ptx_reader *r)
{
  uint32_t line = r->line, hash = 0;
  const char *start = r->p, *p = start;
  if (!ptx_begins_name (*p))
    return ptx_expected (r, "an instruction");
  do
    hash = ptx_hash_step (hash, *p++);
  while (ptx_is_name_char (*p) || *p == '.' || (*p == ':' && (p[1] == ':' || p[-1] == ':')));
  r->p = p;
  hash = ptx_hash_end (hash);
  if (*p == ' ' || *p == '\t')
    ptx_skip_space (r);
  if (*r->p == ':' && r->p[1] != ':')
    {
      r->p = start;
      ptx_name name = ptx_read_name (r);
      return name != 0 && ptx_expect (r, ':') && read_labelled (r, name, line);
    }
  r->p = p;
  struct ptx_op *op = read_op (r, start, hash);
  return op != NULL && read_instruction (r, op, PTX_NO_INDEX, false, line);
}

static bool
read_guarded (struct ptx_reader *r)
{
  uint32_t line = r->line, guard = PTX_NO_INDEX, hash = 0;
  bool negated;
  r->p++;
  if (!read_guard (r, &guard, &negated))
    return false;
  ptx_skip_space (r);
  const char *start = r->p;
  if (!ptx_begins_name (*start))
    return ptx_expected (r, "an instruction");
  do
    hash = ptx_hash_step (hash, *r->p++);
  while (ptx_is_name_char (*r->p) || *r->p == '.'
	 || (*r->p == ':' && (r->p[1] == ':' || r->p[-1] == ':')));
  struct ptx_op *op = read_op (r, start, ptx_hash_end (hash));
  return op != NULL && read_instruction (r, op, guard, negated, line);
}

/* ---- Blocks ---- */

static bool
begin_block (struct ptx_reader *r)
{
  struct ptx_scratch *s = r->s;
  if (s->depth == PTX_MOST_DEPTH)
    return ptx_fail (r, "too many blocks in blocks");
  if (!PTX_ROOM (r, blocks, depth, block_room))
    return false;
  s->blocks[s->depth++] = (struct ptx_block) { s->num_stmts, s->num_undo, s->num_pending,
					       s->num_members, s->num_vars };
  r->p++;
  return push_stmt (r, PTX_STMT_BEGIN, r->line) != NULL;
}

static bool
end_block (struct ptx_reader *r)
{
  struct ptx_scratch *s = r->s;
  struct ptx_stmt *stmt = push_stmt (r, PTX_STMT_END, r->line);
  if (stmt == NULL)
    return false;
  const struct ptx_block *b = &s->blocks[--s->depth];
  stmt->u.match = b->stmt;
  s->stmts[b->stmt].u.match = s->num_stmts - 1;
  ptx_find_labels (r, b->num_pending);
  ptx_undo_to (r->ptx, b->num_undo);
  ptx_forget_members (r->ptx, b->num_members, s->depth);
  r->p++;
  return true;
}

/* Statements up to the brace that ends the body, or the end of the text.  */
static bool
read_all (struct ptx_reader *r)
{
  for (;;)
    {
      bool good;
      ptx_skip_space (r);
      switch (*r->p)
	{
	case '.': good = read_inner_directive (r); break;
	case '@': good = read_guarded (r); break;
	case '{': good = begin_block (r); break;
	case '}':
	  if (r->s->depth == 0)
	    return true;
	  good = end_block (r);
	  break;
	case ';':
	  r->p++;
	  good = true;
	  break;
	case 0: return true;
	default: good = read_word (r); break;
	}
      if (!good)
	return false;
    }
}

bool
ptx_read_statements (struct ptx_reader *r, struct ptx_function *f)
{
  struct ptx_scratch *s = r->s;
  r->function = f;
  r->first_var = r->first_label = 0;
  r->has_ranges = false;
  r->lists = 0;
  s->num_vars = s->num_labels = s->num_stmts = s->num_operands = 0;
  for (uint32_t i = 0; i < f->num_vars; i++)
    {
      uint32_t index;
      if (!ptx_push_var (r, &f->vars[i], &index)
	  || (f->vars[i].name != PTX_UNDERSCORE && !ptx_bind_var (r, index, &f->vars[i])))
	return false;
    }
  if (!read_all (r))
    return false;
  if (*r->p != '}')
    return ptx_fail (r, "a function's body has no end");
  r->p++;
  ptx_find_labels (r, 0);
  if (s->num_pending > 0)
    {
      const struct ptx_name_entry *e = &r->ptx->names[s->pending[0].name];
      r->line = s->pending[0].line;
      return ptx_fail (r, "there is no label %.*s", (int) (e->length & 0xff), e->text);
    }
  f->num_vars = f->var_room = s->num_vars;
  f->num_labels = f->label_room = s->num_labels;
  f->num_stmts = f->stmt_room = s->num_stmts;
  f->vars = ptx_copy (r->ptx, s->vars, s->num_vars, sizeof (f->vars[0]));
  f->labels = ptx_copy (r->ptx, s->labels, s->num_labels, sizeof (f->labels[0]));
  f->stmts = ptx_copy (r->ptx, s->stmts, s->num_stmts, sizeof (f->stmts[0]));
  if (f->vars == NULL || f->labels == NULL || f->stmts == NULL)
    {
      f->num_vars = f->num_labels = f->num_stmts = 0;
      return ptx_fail_memory (r);
    }
  ptx_close_scopes (r->ptx);
  return true;
}

bool
ptx_read_piece (struct ptx_reader *r)
{
  struct ptx_scratch *s = r->s;
  s->num_vars = s->num_labels = s->num_stmts = s->num_operands = s->num_pending = 0;
  r->lists = 0;
  if (!read_all (r))
    return false;
  if (*r->p != 0 || s->depth != 0)
    return ptx_fail (r, *r->p != 0 ? "a brace too many" : "a brace is missing");
  ptx_find_labels (r, 0);
  /* Those that aren't there yet come later.  */
  for (uint32_t i = 0; i < s->num_pending; i++)
    {
      const struct ptx_pending *p = &s->pending[i];
      uint32_t label = r->ptx->names[p->name].label;
      if (label == 0 && !ptx_new_label (r, p->name, PTX_NO_INDEX, &label))
	return false;
      *p->where = r->ptx->names[p->name].label - 1;
    }
  s->num_pending = 0;
  return true;
}
