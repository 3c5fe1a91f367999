/* PTX that is no PTX is refused with the reason and its line; reading goes on to work with other texts.

   TEST-MODES: host
   TEST-OPTIONS: -D_GNU_SOURCE -I@top_srcdir@/plugin  */

#include "aux-read.h"

static struct ptx *ptx;

static void
check (const char *text, const char *reason)
{
  char why[PTX_WHY] = "";
  uint32_t modules = ptx->num_modules;
  struct ptx_module *m = ptx_read (ptx, text, strlen (text) + 1, 0, why);
  if (m != NULL || strstr (why, reason) == NULL || strncmp (why, "line ", 5) != 0)
    {
      printf ("%s\n%s\nexpected: %s\ngot: %s\n", m != NULL ? "not refused:" : "refused:", text,
	      reason, why);
      exit (1);
    }
  CHECK (ptx->num_modules == modules);
  /* Nothing of it is left that disturbs.  */
  m = read_good (ptx, HEAD ".func f { .reg .u32 %r1; .reg .u32 a; $L: mov.u32 %r1, a; bra $L; }");
  CHECK (m->items[0]->u.function->num_stmts == 4 && m->items[0]->u.function->num_vars == 2);
}

static void
check_body (const char *body, const char *reason)
{
  char text[500];
  snprintf (text, sizeof (text), HEAD ".func f (.param .u32 %%in)\n{\n%s", body);
  check (text, reason);
}

/* DEPTH times OPEN.  */
static void
check_deep (const char *begin, const char *open, unsigned depth, const char *reason)
{
  size_t n = strlen (open);
  char *text = malloc (strlen (begin) + n * depth + 1);
  strcpy (text, begin);
  char *p = text + strlen (begin);
  for (unsigned i = 0; i < depth; i++, p += n)
    memcpy (p, open, n);
  *p = 0;
  check (text, reason);
  free (text);
}

int
main (void)
{
  ptx = ptx_new ();
  check ("", "there is no .version");
  check ("hello", "line 1: a directive expected, not \"hello\"");
  check ("/* no end", "there is no .version");
  check (".version 6", ".version without '.'");
  check (".version 6.0\n.version 6.0", "line 2: a second .version");
  check (".version 6.0\n.address_size 31", "addresses of 31 bits");
  check (HEAD ".global x;", "a type expected");
  check (HEAD ".global .u32 x[2", "']' expected");
  check (HEAD ".global .u32 x[][];", "only the first dimension");
  check (HEAD ".global .align 3 .u32 x;", "alignment 3");
  check (HEAD ".global .u32 x = { 1, 2;", "',' expected");
  check (HEAD ".global .u32 x = { 0f1234 };", "a float has 8 digits");
  check (HEAD ".global .u32 x = 99999999999999999999;", "more than 64 bits");
  check (HEAD ".global .u32 x = 08;", "a digit expected");
  check (HEAD ".global .u32 x = 12ab;", "the end of a number");
  check (HEAD ".global .u64 x = generic(;", "a name expected");
  check (HEAD ".reg .u32 %r;", "only functions");
  check (HEAD ".extern .version 6.0", "a variable or function");
  check (HEAD ".frobnicate 3", ".frobnicate is not expected here");
  check (HEAD ".alias a;", "',' expected");
  check (HEAD ".pragma \"x;", "a string without an end");
  check (HEAD ".section .debug {", "no end");
  check (HEAD ".func f (.u32 x);", ".param expected");
  check (HEAD ".func f\n{\nret;\n", "line 7: a function's body has no end");
  check (HEAD ".func f .maxntid 1, 2, 3, 4 { }", "too many numbers");

  check_body ("ret", "an operand expected, not the end of the text");
  check_body ("mov.u32 %r1, 0; }", "line 6: there is no register %r1");
  check_body (".reg .u32 %r1; .reg .u64 %r1; }", "%r1 is declared twice");
  check_body (".reg .u32 %r<3>; mov.u32 %r3, 0; }", "there is no register %r3");
  check_body (".reg .u32 %r<3>; mov.u32 %r01, 0; }", "there is no register %r01");
  check_body (".reg .u32 %r1; { .reg .u32 %r<3>; mov.u32 %r1, 0; } }", "hides");
  check_body ("$L: $L: }", "$L is declared twice");
  check_body ("bra $L1;\n{ $L1: } }", "line 6: there is no label $L1");
  check_body ("{ .reg .u32 a; } mov.u32 %in, a;", "no end");
  check_body ("mov.u32 [%in+x], 1; }", "a number expected");
  check_body ("mov.u32 {%in, 1; }", "'}' expected");
  check_body ("add.u32 {{{{{1}}}}}; }", "too many lists");
  check_body ("@1 bra $L; }", "a predicate behind @");
  check_body ("@%in bra $L; }", "a guard that is no register");
  check_body ("Mov.u32 1; }", "is no instruction");
  check_body ("mov..u32 1; }", "is no instruction");
  check_body ("call (%in, f; }", "')' expected");
  check_body ("call 5; }", "what is called");
  check_body ("p: .callprototype x; }", "a prototype without _");
  check_body (".loc 1 x }", "a number expected");
  check_body (".entry f }", ".entry is not expected in a function");
  check_body ("mov.u32 %in, ((1+2); }", "')' expected");
  check_body ("mov.u32 %in, 1 % 2; }", "';' expected");

  check_deep (HEAD ".func f {", "{", 1001, "too many blocks");
  check_deep (HEAD ".func f { mov.u32 ", "(", 100000, "too many parentheses");
  check_deep (HEAD ".func f { mov.u32 ", "-", 100000, "too many parentheses");
  check_deep (HEAD ".func f { mov.u32 ", "[", 100000, "a number expected");
  check_deep (HEAD ".func f { mov.u32 ", "{", 100000, "too many lists");
  check_deep (HEAD ".func f { mov.u32 ", "!", 100000, "a predicate behind !");
  check_deep (HEAD ".func f { mov.u32 1", ",1", 300, "';' expected");
  check_deep (HEAD ".func f { mov.u32 1,1;", "{ .reg .u32 %r<9>;", 3, "hides");
  check_deep (HEAD ".global .u32 x = { ", "{", 1000, "too many braces");
  check_deep (HEAD ".global .u32 x", "[1]", 17, "too many dimensions");
  ptx_free (ptx);
  return 0;
}
