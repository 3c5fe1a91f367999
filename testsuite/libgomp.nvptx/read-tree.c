/* Reading PTX: items, variables, functions, statements and operands come out as they are in the text; names
   mean what the block says in which they stand.

   TEST-MODES: host
   TEST-OPTIONS: -D_GNU_SOURCE -I@top_srcdir@/plugin  */

#include "aux-read.h"

static const char text[] =
  "// BEGIN PREAMBLE\n.version 6.3\n.target sm_70, debug\n.address_size 64\n// END PREAMBLE\n"
  ".file 1 \"a.c\"\n.file\t2 \"b.c\", 17, 4\n"
  "// BEGIN GLOBAL FUNCTION DECL: other\n.extern .func (.param.u32 %out) other (.param.u64 %in) .noreturn;\n"
  "// BEGIN VAR DEF: table\n"
  ".global .align 8 .u64 table[3] = { generic(f), table+16, 7 };\n"
  ".const .f32 pi = 0f40490fdb;\n"
  ".extern .shared .b8 pool[];\n"
  ".visible .global .v2.u32 pairs[2][4], plain;\n"
  ".weak .global .u8 bytes[] = { 0xff(table), 0xff00(table+1) };\n"
  ".global .s16 rows[][2] = { { 1 }, { 2, 3 }, { 4, 5 } }; .global .s16 flat[][2] = { 1, 2, 3 };\n"
  "// BEGIN WEAK FUNCTION DEF: f\n"
  ".weak .func (.param .u32 %value_out) f (.param .u64 %in_ar0, .param .align 8 .b8 %s[12])\n"
  "{\n"
  ".reg.u32 %value; /* a { comment */ .reg .u64 %r22, %r23;\n"
  ".reg .pred %p; .reg .v2.u32 %v; .reg .u64 %q<3>;\n"
  ".local .align 16 .b8 %frame[64];\n"
  "\tld.param.u64 %r22, [%in_ar0];\n"
  "\t.loc 2 10 3\n"
  "@%p bra $L2;\n"
  "@!%p bra.uni $L3;\n"
  "$L2:\n"
  "\tld.shared::cta.v2.u32 {%value, _}, [pool + 8];\n"
  "\tst.volatile.global.u32 [%r22-4], 0x10;\n"
  "\tmov.u64 %r23, %frame;\n"
  "\tadd.u64 %q2, %q2, -8;\n"
  "\tmov.u32 %value, %v.y;\n"
  "\tmov.u32 %value, %tid.x;\n"
  "\tmov .f64 %r23, 1.5;\n"
  "\tsetp.eq.or.u32 %p|_, %value, 1U, !%p;\n"
  "{\n"
  "\t.reg .u32 %r22;\n"
  "\t.param .u32 %out; .param .u64 %arg;\n"
  "\tadd.u32 %r22, %r22, 1;\n"
  "\tadd.u64 %q1, %q1, %q2;\n"
  "\tcall (%out), other, (%arg);\n"
  "\tbra $L2;\n"
  "$L3:\tproto: .callprototype (.param .u32 _) _ (.param .u64 _, .param .align 4 .b8 _[8]) .noreturn;\n"
  "\tcall %r23, proto;\n"
  "\tbra $L3;\n"
  "}\n"
  "\tadd.u64 %r22, %r22, %q1;\n"
  "$L3:\n"
  "\tts: .branchtargets $L2, $L3;\n"
  "\tbrx.idx %value, ts;\n"
  "\t.pragma \"nounroll\";\n"
  "\tnew_thing.x::y.u32 %value, [pool, {%value, 3}];\n"
  "\tret;\n"
  "}\n"
  ".visible .entry kernel (.param .u64 .ptr .global .align 16 a) .maxntid 32, 4, 1 .minnctapersm 2 { exit; }\n"
  ".visible .func g (.param.u32 %x);\n"
  ".alias g, other;\n";

static struct ptx *ptx;
static struct ptx_module *m;

static ptx_name
name (const char *what)
{
  return ptx_find_name (ptx, what, strlen (what));
}

static void
check_items (void)
{
  CHECK (m->version_major == 6 && m->version_minor == 3 && m->sm == 70 && m->address_size == 64);
  CHECK (m->preamble && m->num_items == 15);
  uint32_t length;
  const char *file = ptx_find_file (m, 2, &length);
  CHECK (file != NULL && length == 5 && memcmp (file, "\"b.c\"", 5) == 0);
  CHECK (ptx_find_file (m, 3, &length) == NULL);

  struct ptx_var *v = ptx_find_variable (m, name ("table"));
  CHECK (v != NULL && v->space == PTX_GLOBAL && v->type == PTX_U64 && v->align == 8 && v->linkage == 0);
  CHECK (ptx_var_size (v) == 24 && ptx_var_align (v) == 8 && v->more->num_inits == 3);
  CHECK (v->more->inits[0].kind == PTX_INIT_GENERIC && v->more->inits[0].name == name ("f"));
  CHECK (v->more->inits[1].kind == PTX_INIT_SYMBOL && v->more->inits[1].bits == 16);
  CHECK (v->more->inits[2].kind == PTX_INIT_INT && v->more->inits[2].bits == 7);
  CHECK (ptx_find_item (m, name ("table"))->mark == (PTX_MARKED | PTX_MARK_DEF));
  v = ptx_find_variable (m, name ("pi"));
  CHECK (v->space == PTX_CONST && !v->more->init_braces && v->more->inits[0].bits == 0x40490fdb);
  v = ptx_find_variable (m, name ("pool"));
  CHECK (v->linkage == PTX_EXTERN && v->more->num_dims == 1 && ptx_var_size (v) == 0);
  v = ptx_find_variable (m, name ("pairs"));
  CHECK (v->vector == 2 && v->linkage == PTX_VISIBLE && ptx_var_size (v) == 64 && ptx_var_align (v) == 8);
  v = ptx_find_variable (m, name ("plain"));
  CHECK (v->vector == 2 && v->more == NULL && ptx_var_size (v) == 8);
  v = ptx_find_variable (m, name ("bytes"));
  CHECK (v->more->num_inits == 4 && v->more->inits[2].kind == PTX_INIT_MASK
	 && v->more->inits[2].bits == 1 && v->more->inits[3].bits == 0xff00);
  /* As many as there are values.  */
  CHECK (ptx_var_size (v) == 2);
  CHECK (ptx_var_size (ptx_find_variable (m, name ("rows"))) == 12);
  CHECK (ptx_var_size (ptx_find_variable (m, name ("flat"))) == 8);

  struct ptx_function *f = ptx_find_function (m, name ("other"));
  CHECK (f->linkage == PTX_EXTERN && !f->has_body && f->num_results == 1 && f->num_params == 1);
  CHECK (f->num_directives == 1 && f->directives[0].word == PTX_NORETURN);
  CHECK (ptx_find_function (m, name ("g")) == f);	/* the alias */
  f = ptx_find_function (m, name ("kernel"));
  CHECK (f->is_entry && f->num_params == 1 && f->vars[0].more->is_ptr
	 && f->vars[0].more->ptr_space == PTX_GLOBAL && f->vars[0].more->ptr_align == 16
	 && f->vars[0].align == 0);
  CHECK (f->num_directives == 2 && f->directives[0].word == PTX_MAXNTID && f->directives[0].num == 3
	 && f->directives[0].values[1] == 4 && f->directives[1].word == PTX_MINNCTAPERSM);
  CHECK (ptx_find_item (m, name ("%r22")) == NULL && ptx_find_function (m, name ("table")) == NULL);
}

static const struct ptx_function *f;

/* The N-th instruction with that text.  */
static const struct ptx_stmt *
insn (const char *op, int n)
{
  for (uint32_t i = 0; i < f->num_stmts; i++)
    if (f->stmts[i].kind == PTX_STMT_INSN && is_name (ptx, f->stmts[i].u.insn.op->text, op)
	&& n-- == 0)
      return &f->stmts[i];
  printf ("there is no %s\n", op);
  exit (1);
}

static bool
is_reg (const struct ptx_operand *o, const char *reg)
{
  return o->kind == PTX_O_REG && o->element == 0 && is_name (ptx, f->vars[o->id].name, reg);
}

static void
check_body (void)
{
  f = ptx_find_function (m, name ("f"));
  CHECK (f->linkage == PTX_WEAK && f->has_body && f->is_read && f->num_results == 1);
  CHECK (ptx_find_item (m, f->name)->mark == (PTX_MARKED | PTX_MARK_WEAK | PTX_MARK_DEF));
  CHECK (f->vars[2].align == 8 && ptx_var_size (&f->vars[2]) == 12);
  /* Declarations without anything between them are one statement.  */
  CHECK (f->stmts[0].kind == PTX_STMT_DECLARE && f->stmts[0].u.declare.first == 3
	 && f->stmts[0].u.declare.num == 7);
  CHECK (f->stmts[2].kind == PTX_STMT_LOC && f->stmts[2].u.loc.file == 2
	 && f->stmts[2].u.loc.line == 10 && f->stmts[2].u.loc.column == 3);

  const struct ptx_operand *o = insn ("ld.param.u64", 0)->u.insn.operands;
  CHECK (is_reg (o, "%r22") && o[1].kind == PTX_O_ADDRESS && o[1].base == PTX_O_VAR && o[1].id == 1);
  const struct ptx_stmt *s = insn ("bra", 0);
  CHECK (s->guard != PTX_NO_INDEX && !s->guard_negated && is_name (ptx, f->vars[s->guard].name, "%p"));
  uint32_t l2 = s->u.insn.operands[0].id;
  CHECK (s->u.insn.operands[0].kind == PTX_O_LABEL && is_name (ptx, f->labels[l2].name, "$L2"));
  CHECK (f->stmts[f->labels[l2].stmt].kind == PTX_STMT_LABEL
	 && f->stmts[f->labels[l2].stmt].u.label == l2);
  CHECK (insn ("bra.uni", 0)->guard_negated);
  /* $L3 of the inner block is another one.  */
  uint32_t outer = insn ("bra.uni", 0)->u.insn.operands[0].id;
  uint32_t inner = insn ("bra", 2)->u.insn.operands[0].id;
  CHECK (insn ("bra", 1)->u.insn.operands[0].id == l2 && outer != inner);
  CHECK (is_name (ptx, f->labels[outer].name, "$L3") && is_name (ptx, f->labels[inner].name, "$L3"));
  CHECK (f->labels[inner].stmt < f->labels[outer].stmt);

  s = insn ("ld.shared::cta.v2.u32", 0);
  const struct ptx_op *op = s->u.insn.op;
  CHECK (op->opcode == PTX_OP_LD && op->space == PTX_SHARED && op->vector == 2 && op->num_types == 1
	 && op->types[0] == PTX_U32 && op->num_words == 3 && ptx_op_has (op, PTX_V2)
	 && !ptx_op_has (op, PTX_V4));
  CHECK (s->line == 28);
  o = s->u.insn.operands;
  CHECK (s->num_operands == 2 && o[0].kind == PTX_O_VECTOR && o[0].id == 2
	 && is_reg (&o[0].u.list[0], "%value") && o[0].u.list[1].kind == PTX_O_SINK);
  CHECK (o[1].kind == PTX_O_ADDRESS && o[1].base == PTX_O_SYMBOL && o[1].id == name ("pool")
	 && o[1].u.value == 8);
  o = insn ("st.volatile.global.u32", 0)->u.insn.operands;
  CHECK (o[0].base == PTX_O_REG && o[0].u.value == (uint64_t) -4 && o[1].u.value == 16);
  o = insn ("mov.u64", 0)->u.insn.operands;
  CHECK (o[1].kind == PTX_O_VAR && is_name (ptx, f->vars[o[1].id].name, "%frame"));
  o = insn ("add.u64", 0)->u.insn.operands;
  CHECK (is_reg (o, "%q2") && o[0].id == o[1].id && (f->vars[o[0].id].flags & PTX_VAR_MEMBER)
	 && f->vars[o[0].id].type == PTX_U64 && o[2].u.value == (uint64_t) -8
	 && o[2].flags == PTX_NEGATIVE);
  o = insn ("mov.u32", 0)->u.insn.operands;
  CHECK (o[1].kind == PTX_O_REG && o[1].element == 2 && f->vars[o[1].id].vector == 2);
  o = insn ("mov.u32", 1)->u.insn.operands;
  CHECK (o[1].kind == PTX_O_SPECIAL && o[1].id == PTX_SREG_TID && o[1].element == 1);
  o = insn ("mov.f64", 0)->u.insn.operands;
  CHECK (o[1].kind == PTX_O_F64 && o[1].u.value == UINT64_C (0x3ff8000000000000));
  o = insn ("setp.eq.or.u32", 0)->u.insn.operands;
  CHECK (o[0].kind == PTX_O_PAIR && is_reg (&o[0].u.list[0], "%p")
	 && o[0].u.list[1].kind == PTX_O_SINK && o[2].flags == PTX_UNSIGNED
	 && o[3].kind == PTX_O_REG && o[3].flags == PTX_NEGATED);

  /* The block's own register, and one of the function's range that is first used there.  */
  uint32_t own = insn ("add.u32", 0)->u.insn.operands[0].id;
  CHECK (own != insn ("ld.param.u64", 0)->u.insn.operands[0].id && f->vars[own].type == PTX_U32
	 && (f->vars[own].flags & PTX_VAR_INNER));
  CHECK (insn ("add.u64", 2)->u.insn.operands[0].id == insn ("ld.param.u64", 0)->u.insn.operands[0].id);
  CHECK (insn ("add.u64", 2)->u.insn.operands[2].id == insn ("add.u64", 1)->u.insn.operands[0].id);
  CHECK ((f->vars[insn ("add.u64", 1)->u.insn.operands[0].id].flags & PTX_VAR_INNER) == 0);

  s = insn ("call", 0);
  o = s->u.insn.operands;
  CHECK (s->num_operands == PTX_CALL_OPERANDS && o[PTX_CALL_RESULT].id == 1
	 && o[PTX_CALL_TARGET].kind == PTX_O_SYMBOL && o[PTX_CALL_TARGET].id == name ("other")
	 && o[PTX_CALL_ARGS].id == 1 && o[PTX_CALL_ARGS].u.list[0].kind == PTX_O_VAR
	 && o[PTX_CALL_PROTOTYPE].kind == PTX_O_NONE);
  o = insn ("call", 1)->u.insn.operands;
  CHECK (o[PTX_CALL_RESULT].kind == PTX_O_ARGS && o[PTX_CALL_RESULT].id == 0
	 && is_reg (&o[PTX_CALL_TARGET], "%r23") && o[PTX_CALL_PROTOTYPE].kind == PTX_O_LABEL);
  s = &f->stmts[f->labels[o[PTX_CALL_PROTOTYPE].id].stmt];
  CHECK (s->kind == PTX_STMT_PROTOTYPE && s->u.prototype.prototype->num_results == 1
	 && s->u.prototype.prototype->num_params == 2 && s->u.prototype.prototype->noreturn
	 && ptx_var_size (&s->u.prototype.prototype->vars[2]) == 8);
  s = &f->stmts[f->labels[insn ("brx.idx", 0)->u.insn.operands[1].id].stmt];
  CHECK (s->kind == PTX_STMT_TARGETS && !s->u.targets.targets->calls
	 && s->u.targets.targets->num == 2 && s->u.targets.targets->ids[0] == l2
	 && s->u.targets.targets->ids[1] == outer);

  /* What isn't known is read all the same.  */
  s = insn ("new_thing.x::y.u32", 0);
  CHECK (!ptx_is_word (s->u.insn.op->opcode) && s->u.insn.op->num_words == 2
	 && s->u.insn.operands[1].kind == PTX_O_BRACKETS && s->u.insn.operands[1].id == 2
	 && s->u.insn.operands[1].u.list[1].kind == PTX_O_VECTOR);
  for (uint32_t i = 0; i < f->num_stmts; i++)
    if (f->stmts[i].kind == PTX_STMT_BEGIN || f->stmts[i].kind == PTX_STMT_END)
      CHECK (f->stmts[f->stmts[i].u.match].u.match == i
	     && f->stmts[i].kind != f->stmts[f->stmts[i].u.match].kind);
}

int
main (void)
{
  ptx = ptx_new ();
  m = read_good (ptx, text);
  check_items ();
  check_body ();
  check_printed (text, NULL);

  /* Bodies when they are needed; the same names in another module.  */
  char why[PTX_WHY];
  struct ptx_module *lazy = ptx_read (ptx, text, sizeof (text), PTX_LAZY | PTX_NO_LOC, why);
  CHECK (lazy != NULL && lazy->index == 1 && ptx->num_modules == 2);
  struct ptx_function *late = ptx_find_function (lazy, f->name);
  CHECK (late != f && late->has_body && !late->is_read && late->text_size == f->text_size);
  struct ptx_text unread = { .text = NULL };
  ptx_print_function (&unread, late);
  CHECK (strstr (unread.text, "a { comment") != NULL);
  free (unread.text);
  CHECK (ptx_read_body (late, PTX_NO_LOC, why) && late->is_read && late->num_stmts + 1 == f->num_stmts);
  CHECK (late->num_vars == f->num_vars && late->stmts[1].u.insn.op == f->stmts[1].u.insn.op);
  CHECK (ptx_read_body (late, 0, why) && late->num_stmts + 1 == f->num_stmts);
  ptx_free (ptx);

  /* A text without a NUL.  */
  static const char without[] = { '.', 'v', 'e', 'r', 's', 'i', 'o', 'n', ' ', '7', '.', '8' };
  ptx = ptx_new ();
  m = ptx_read (ptx, without, sizeof (without), 0, why);
  CHECK (m != NULL && m->version_minor == 8 && m->num_items == 0);
  ptx_free (ptx);
  return 0;
}
