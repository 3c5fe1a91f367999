/* PTX is rewritten: functions are copied, statements built one by one and from text; the copy is
   apart from the original, and what is printed is as expected.

   TEST-MODES: host
   TEST-OPTIONS: -D_GNU_SOURCE -I@top_srcdir@/plugin  */

#include "aux-read.h"

static const char text[] =
  HEAD
  "// BEGIN FUNCTION DEF: f\n"
  ".func (.param .u32 %out) f (.param .u64 %in)\n"
  "{\n"
  "\t.reg .u64 %r1;\n"
  "\t.reg .u32 %r2;\n"
  "\t.reg .pred %p;\n"
  "\t.loc 1 2 3\n"
  "\tld.param.u64 %r1, [%in];\n"
  "\t@%p bra $L1;\n"
  "\t{\n"
  "\t.reg .u32 %t;\n"
  "\tmov.u32 %t, %laneid;\n"
  "\tatom.add.u32 %r2, [%r1+-8], %t;\n"
  "\t}\n"
  "$L1:\n"
  "\tst.param.u32 [%out], %r2;\n"
  "p: .callprototype _;\n"
  "\tcall %r1, p;\n"
  "\tret;\n"
  "}\n";

static const char rewritten[] =
  "// BEGIN GLOBAL FUNCTION DEF: f$lanes\n"
  ".visible .func (.param .u32 %out) f$lanes (.param .u64 %in)\n"
  "{\n"
  "\t.reg .u64 %r1;\n"
  "\t.reg .u32 %r2;\n"
  "\t.reg .pred %p;\n"
  "\t.reg .f64 new0;\n"
  "\t.local .align 16 .b8 %frame[32];\n"
  "\tld.param.u64 %r1, [%in];\n"
  "\t@!%p bra $L1;\n"
  "\t{\n"
  "\t.reg .u32 %t;\n"
  "\tmov.u32 %t, %laneid;\n"
  "\tred.add.u32 [%r1+8], 5;\n"
  "\t}\n"
  "$L1:\n"
  "\tmov.f64 new0, 0d3ff0000000000000;\n"
  "\tmov.u64 %r1, %frame+4;\n"
  "\t@%p bra $end;\n"
  "\tst.param.u32 [%out], %r2;\n"
  "p: .callprototype _;\n"
  "\tcall gompx_f, (%r1);\n"
  "$end:\n"
  "\tret;\n"
  "}\n";

static struct ptx *ptx;
static char why[PTX_WHY];

static void
check_text (const struct ptx_module *m, const struct ptx_item *item, const char *expected)
{
  struct ptx_text out = { .text = NULL };
  ptx_print_item (&out, m, item);
  if (strcmp (out.text, expected) != 0)
    {
      printf ("printed:\n%s\nexpected:\n%s\n", out.text, expected);
      exit (1);
    }
  free (out.text);
}

static void
rewrite (struct ptx_function *f)
{
  const struct ptx_stmt *old = f->stmts;
  uint32_t num = f->num_stmts;
  ptx_name new = ptx_fresh_name (ptx, "new");

  f->linkage = PTX_VISIBLE;
  ptx_begin_body (f);
  uint32_t var = ptx_add_var (f, PTX_REG, PTX_F64, new);
  CHECK (var == f->num_vars - 1 && is_name (ptx, new, "new0"));
  for (uint32_t i = 0; i < num; i++)
    {
      const struct ptx_stmt *s = &old[i];
      ptx_name op = s->kind == PTX_STMT_INSN ? s->u.insn.op->opcode : 0;
      if (op == PTX_OP_ATOM)
	{
	  struct ptx_stmt *red = ptx_emit_insn (f, "red.add.u32", 2);
	  struct ptx_operand base = s->u.insn.operands[1];
	  base.kind = base.base;
	  red->u.insn.operands[0] = ptx_address (base, 16);
	  red->u.insn.operands[1] = ptx_int (5);
	}
      else if (op == PTX_OP_CALL)
	CHECK (ptx_emitf (f, why, "call gompx_f, (%%r%d); $end:", 1) == 2);
      else
	{
	  struct ptx_stmt *copy = ptx_emit_copy (f, s);
	  if (op == PTX_OP_BRA)
	    copy->guard_negated = !copy->guard_negated;
	}
      if (i == 0)
	{
	  ptx_emit_declare (f, var, 1);
	  CHECK (ptx_emitf (f, why, ".local .align 16 .b8 %%frame[32];") == 1);
	}
      if (s->kind == PTX_STMT_LABEL)
	{
	  CHECK (ptx_emitf (f, why, "mov.f64 new0, 1.0; mov.u64 %%r1, %%frame+4;\n@%%p bra $end;")
		 == 3);
	  /* %t is another block's.  */
	  CHECK (ptx_emitf (f, why, "mov.u32 %%t, 0;") == 0 && strstr (why, "%t") != NULL);
	  CHECK (ptx_emitf (f, why, "mov.u32") == 0);
	  CHECK (ptx_emitf (f, why, "{") == 0 && strstr (why, "a brace is missing") != NULL);
	  CHECK (ptx_emitf (f, why, ".reg .u32 %%r2;") == 0 && strstr (why, "twice") != NULL);
	}
    }
  CHECK (ptx_end_body (f, why));
}

static void
check_ends (struct ptx_module *m)
{
  /* Bodies that don't fit together.  */
  CHECK (ptx_add_items (m, ".func g { bra $A; $A: ret; }", 28, why));
  struct ptx_function *g = ptx_find_function (m, ptx_intern (ptx, "g", 1));
  CHECK (ptx_emit_label (g, 0) != NULL && !ptx_end_body (g, why)
	 && strcmp (why, "label $A stands twice") == 0);
  ptx_begin_body (g);
  CHECK (ptx_emitf (g, why, "bra $B;") == 1 && !ptx_end_body (g, why)
	 && strcmp (why, "label $B stands nowhere") == 0);
  ptx_begin_body (g);
  CHECK (ptx_emit (g, PTX_STMT_END) != NULL && !ptx_end_body (g, why));
  ptx_begin_body (g);
  CHECK (ptx_emit (g, PTX_STMT_BEGIN) != NULL && !ptx_end_body (g, why));
  ptx_begin_body (g);
  struct ptx_stmt *bra = ptx_emit_insn (g, "bra", 1);
  uint32_t label = ptx_add_label (g, ptx_fresh_name (ptx, "$fresh"));
  bra->u.insn.operands[0] = ptx_label_operand (label);
  ptx_emit_label (g, label);
  CHECK (ptx_end_body (g, why) && g->labels[label].stmt == 1);
  CHECK (ptx_emit_insn (g, "Bra", 1) == NULL && ptx_emit_insn (g, "", 0) == NULL);
  CHECK (ptx_get_op (ptx, "ld.global.u32") == ptx_get_op (ptx, "ld.global.u32"));
}

/* TEXT with another version and target, and a function more, is WANTED.  */
static void
check_grown (const char *given, const char *wanted)
{
  static const char more[] = ".func more { /* so */ ret; }";
  struct ptx *grows = ptx_new ();
  struct ptx_module *m = read_good (grows, given);
  struct ptx_text grown = { .text = NULL };
  m->version_minor = 13;
  m->target = "sm_70";
  m->target_length = 5;
  CHECK (ptx_add_items (m, more, sizeof (more) - 1, why));
  ptx_print_grown (&grown, m);
  if (strcmp (grown.text, wanted) != 0)
    {
      printf ("grown:\n%s\nexpected:\n%s\n", grown.text, wanted);
      exit (1);
    }
  free (grown.text);
  ptx_free (grows);
}

static void
check_all_grown (void)
{
#define MORE "\n.func more\n{ /* so */ ret; }\n"
  check_grown (".version 6.0\n.target sm_30\n.func f { /* is */ ret  ; }", ".version 6.13\n.target sm_70\n.func f { /* is */ ret  ; }" MORE);
  check_grown (".target sm_30 .version 6.0 // end", ".target sm_70 .version 6.13 // end" MORE);
  check_grown (".version 6.0\n.target sm_30, debug\n", ".version 6.13\n.target sm_70\n" MORE);
  /* A comment without an end, two targets, none: all of it is printed.  */
  check_grown (".version 6.0 .target sm_30 .func f { ret  ; } /* end", ".version 6.13\n.target sm_70\n.func f\n{\n\tret;\n}\n.func more\n{\n\tret;\n}\n");
  check_grown (".version 6.0 .target sm_30 .target sm_35", ".version 6.13\n.target sm_70\n.func more\n{\n\tret;\n}\n");
  check_grown (".version 6.0 /* none */", ".version 6.13\n.target sm_70\n.func more\n{\n\tret;\n}\n");
#undef MORE
}

/* The number of TEXT's last line.  */
static uint32_t
last_line (const char *text)
{
  uint32_t n = 1;
  for (; *text != 0; text++)
    n += *text == '\n';
  return n;
}

/* Bodies that are skipped have lines as well, however long they are.  */
static void
check_lines (void)
{
  for (unsigned lines = 0; lines < 9000; lines += 1 + lines / 3)
    {
      struct ptx_text t = { .text = NULL };
      ptx_printf (&t, HEAD ".func f {");
      for (unsigned i = 0; i < lines; i++)
	ptx_printf (&t, i % 7 == 0 ? "\n" : i % 100 == 3 ? "{ ret;\n}" : "ret;\n");
      ptx_printf (&t, "}\n.func g { %%x }");
      struct ptx *skips = ptx_new ();
      struct ptx_module *m = ptx_read (skips, t.text, t.size + 1, PTX_LAZY, why);
      CHECK (m != NULL && m->num_items == 2 && m->items[1]->u.function->line == last_line (t.text));
      ptx_free (skips);
      free (t.text);
    }
}

/* A clone without statements gets them from the function.  */
static void
check_head (struct ptx_module *m, const struct ptx_function *f)
{
  struct ptx_text whole = { .text = NULL }, emitted = { .text = NULL };
  ptx_name name = ptx_intern (ptx, "emitted", 7);
  struct ptx_function *head = ptx_clone_head (m, f, name);
  CHECK (head != NULL && head->num_stmts == 0 && ptx_find_function (m, name) == head);
  for (uint32_t i = 0; i < f->num_stmts; i++)
    CHECK (ptx_emit_copy (head, &f->stmts[i]) != NULL);
  CHECK (ptx_end_body (head, why));
  ptx_print_function (&whole, ptx_clone_function (m, f, name));
  ptx_print_function (&emitted, head);
  CHECK (strcmp (whole.text, emitted.text) == 0);
  free (whole.text);
  free (emitted.text);
}

int
main (void)
{
  ptx = ptx_new ();
  struct ptx_module *m = read_good (ptx, text), *other = read_good (ptx, HEAD);
  struct ptx_function *f = ptx_find_function (m, ptx_find_name (ptx, "f", 1));
  ptx_name name = ptx_internf (ptx, "f$%s", "lanes");
  struct ptx_function *copy = ptx_clone_function (other, f, name);
  CHECK (copy != NULL && ptx_find_function (other, name) == copy);
  CHECK (copy->num_stmts == f->num_stmts - 1 && copy->module == other);	/* no .loc */
  rewrite (copy);
  struct ptx_item *item = ptx_find_item (other, name);
  item->mark |= PTX_MARK_GLOBAL;
  check_text (other, item, rewritten);
  check_text (m, ptx_find_item (m, f->name), strstr (text, "// BEGIN"));
  CHECK (ptx_clone_function (m, f, name)->num_stmts == f->num_stmts);

  ptx_name far = ptx_intern (ptx, "far", 3);
  CHECK (ptx_declare_function (m, copy, far) != NULL);
  check_text (m, ptx_find_item (m, far),
	      "// BEGIN GLOBAL FUNCTION DECL: far\n.extern .func (.param .u32 %out) far (.param .u64 %in);\n");
  CHECK (ptx_find_item (m, far) == m->items[2] && ptx_move_items (m, 1, 0));
  CHECK (m->items[1]->u.function->name == far && m->items[2]->u.function == f);

  static const char good[] = ".global .u32 x; .visible .func h { ld.u32 _, [x]; ret; }";
  static const char bad[] = ".global .u32 y; .visible .func k { ld.u32 %r1, [x]; }";
  CHECK (ptx_add_items (m, good, sizeof (good) - 1, why) && m->num_items == 5);
  CHECK (!ptx_add_items (m, bad, sizeof (bad) - 1, why) && strstr (why, "%r1") != NULL);
  struct ptx_text all = { .text = NULL };
  ptx_print_module (&all, m);
  CHECK (strstr (all.text, "u32 x;") != NULL && strstr (all.text, "u32 y;") == NULL);
  struct ptx_module *again = read_good (ptx, all.text);
  CHECK (again->num_items == 5);
  check_ends (m);
  check_head (m, f);
  check_all_grown ();
  check_lines ();
  ptx_free (ptx);
  free (all.text);
  return 0;
}
