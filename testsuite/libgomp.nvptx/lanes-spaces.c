/* Which memory accesses of kernels without the library go to, as nvptx-lanes-spaces.c finds it in
   texts written by hand: what it says, and where it has to say nothing.

   TEST-MODES: host
   TEST-OPTIONS: -O0 -D_GNU_SOURCE -I@top_srcdir@/plugin -I@top_srcdir@/config/nvptx @top_srcdir@/plugin/nvptx-lanes-spaces.c @top_srcdir@/plugin/nvptx-read-names.c @top_srcdir@/plugin/nvptx-read.c @top_srcdir@/plugin/nvptx-read-body.c @top_srcdir@/plugin/nvptx-read-build.c @top_srcdir@/plugin/nvptx-read-lex.c @top_srcdir@/plugin/nvptx-read-scope.c @top_srcdir@/plugin/nvptx-print.c  */

#include "nvptx-lanes-direct.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* %w: the arguments; %g, %n: words of theirs; %s: the block's memory; %l: the lane's; %m: a word
   loaded from elsewhere; %i: an integer.  */
static const char version[] = ".version 6.0\n.target sm_30\n.address_size 64\n";
static const char entry[] =
  ".visible .entry k (.param .u64 %arg, .param .u64 %stack, .param .u64 %sz)\n{\n";
/* The same with what nvptx-carry.c adds.  */
static const char carrying[] =
  ".visible .entry k (.param .u64 %arg, .param .u64 %stack, .param .u64 %sz,"
  " .param .align 16 .b8 %carry[576])\n{\n";
static const char head[] =
  ".reg .u64 %w; .reg .u64 %g; .reg .u64 %n; .reg .u64 %s; .reg .u64 %l; .reg .u64 %m; .reg .u64 %a; .reg .u64 %b; .reg .u64 %c;\n"
  ".reg .u32 %i; .reg .u32 %j; .reg .f32 %f; .reg .f64 %d; .reg .pred %p; .reg .v2 .u64 %v; .reg .u16 %h;\n"
  ".shared .align 16 .b8 %sh[64]; .local .align 16 .b8 %lo[64];\n"
  "ld.param.u64 %w, [%arg]; and.b64 %w, %w, 281474976710655; ld.u64 %g, [%w+8]; ld.u64 %n, [%w+16]; ld.u64 %m, [%g];\n"
  "cvta.shared.u64 %s, %sh; cvta.local.u64 %l, %lo; mov.u32 %i, %tid.x;\n";

/* BODY has to become one that has WANT, or (NULL) nothing but what was there.  */
static const struct { const char *body, *want; } cases[] =
{
  /* Global.  */
  { "ld.f32 %f, [%g+4];", "ld.global.f32 %f, [%g+4]" },
  { "st.f32 [%g+4], %f;", "st.global.f32 [%g+4], %f" },
  { "@%p st.u16 [%g], %h;", "@%p st.global.u16 [%g], %h" },
  { "ld.u32 %j, [%w];", "ld.global.u32 %j, [%w]" },
  { "mul.wide.u32 %b, %i, 4; add.u64 %a, %g, %b; ld.f64 %d, [%a];", "ld.global.f64 %d, [%a]" },
  { "mad.wide.u32 %a, %i, 4, %g; atom.add.u32 %j, [%a], 1;", "atom.global.add.u32 %j, [%a], 1" },
  { "cvt.s64.s32 %b, %i; shl.b64 %b, %b, 2; add.u64 %a, %b, %g; red.max.u32 [%a], %j;", "red.global.max.u32 [%a], %j" },
  { "add.u64 %a, %g, %n; ld.u32 %j, [%a];", "ld.global.u32 %j, [%a]" },
  { "shl.b64 %b, %n, 3; add.u64 %a, %g, %b; ld.u32 %j, [%a];", "ld.global.u32 %j, [%a]" },
  { "mov.u64 %a, %g; L1: ld.u32 %j, [%a]; add.u64 %a, %a, 4; setp.ne.u64 %p, %a, %n; @%p bra L1;", "ld.global.u32 %j, [%a]" },
  { "mov.v2.u64 %v, {0,0}; mov.u64 %v.x, %g; mov.u64 %v.y, %s; ld.u32 %j, [%v.x];", "ld.global.u32 %j, [%v.x]" },
  { "ld.v2.u32 {%i,%j}, [%g];", "ld.global.v2.u32 {%i,%j}, [%g]" },
  { "atom.cas.b32 %j, [%g], %i, %j;", "atom.global.cas.b32 %j, [%g], %i, %j" },
  /* The block's: kept as an address there.  */
  { "ld.f32 %f, [%s+4];", "mov.u64 %s, %sh;" },
  { "add.u64 %a, %s, 16; ld.f32 %f, [%a+4];", "add.u64 %a, %s, 16;\n\tld.shared.f32 %f, [%a+4]" },
  { "mad.wide.u32 %a, %i, 4, %s; @%p st.f32 [%a], %f;", "mad.wide.u32 %a, %i, 4, %s;\n\t@%p st.shared.f32 [%a], %f" },
  { "add.u64 %a, %s, 16; atom.add.u32 %j, [%a], 1;", "atom.shared.add.u32 %j, [%a], 1" },
  { "sub.u64 %b, %s, %a; add.u64 %a, %s, 8; sub.u64 %b, %a, %s; add.u64 %c, %g, %b; ld.u32 %j, [%c];", "ld.global.u32 %j, [%c]" },
  { "add.u64 %a, %s, 8; sub.u64 %b, %a, %s; st.u64 [%g], %b;", "sub.u64 %b, %a, %s;\n\tst.global.u64 [%g], %b" },
  { "mul.lo.u64 %b, %m, 4; add.u64 %a, %s, %b; ld.u32 %j, [%a];", "ld.shared.u32 %j, [%a]" },
  { "add.u64 %a, %s, 8; selp.u64 %b, %a, %s, %p; ld.u32 %j, [%b];", "selp.u64 %b, %a, %s, %p;\n\tld.shared.u32 %j, [%b]" },
  { "add.u64 %a, %s, 8; setp.ne.u64 %p, %a, %s; @%p bra L1; L1:", "setp.ne.u64 %p, %a, %s;" },
  { "mov.v2.u64 %v, {0,0}; mov.u64 %v.x, %s; mov.u64 %v.y, %g; ld.u32 %j, [%v.x];", "cvta.to.shared.u64 %direct_at1, %v.x;\n\tld.shared.u32 %j, [%direct_at1]" },
  /* Others have the generic address.  */
  { "st.u64 [%g], %s;", "cvta.shared.u64 %direct_at2, %s;\n\tst.global.u64 [%g], %direct_at2" },
  { "st.u64 [%s+8], %s;", "cvta.shared.u64 %direct_at2, %s;\n\tst.shared.u64 [%s+8], %direct_at2" },
  { "add.u64 %a, %s, 8; st.v2.u64 [%g], {%a,%s};",
    "add.u64 %direct_at2, %a, %direct_window0;\n\tcvta.shared.u64 %direct_at3, %s;\n\tst.global.v2.u64 [%g], {%direct_at2,%direct_at3}" },
  { "mov.v2.u64 %v, {0,0}; mov.u64 %v.x, %s; mov.u64 %v.y, %s; st.u64 [%v.x], %s;",
    "cvta.to.shared.u64 %direct_at1, %v.x;\n\tcvta.shared.u64 %direct_at2, %s;\n\tst.shared.u64 [%direct_at1], %direct_at2" },
  { "mov.v2.u64 %v, {0,0}; mov.u64 %v.x, %s; mov.u64 %v.y, %s; mov.u64 %a, %v.y; ld.u32 %j, [%a];",
    "mov.u64 %direct_at2, %v.y;\n\tsub.u64 %a, %direct_at2, %direct_window0;\n\tld.shared.u32 %j, [%a]" },
  { "mov.v2.u64 %v, {0,0}; mov.u64 %v.x, %s; mov.u64 %v.y, %s;", "cvta.shared.u64 %direct_at2, %s;\n\tmov.u64 %v.y, %direct_at2" },
  { "{ .param .u64 %q; st.param.u64 [%q], %s; }", "cvta.shared.u64 %direct_at2, %s;\n\tst.param.u64 [%q], %direct_at2" },
  { "mov.u64 %a, 0; @%p mov.u64 %a, %s; ld.u32 %j, [%a];",
    "mov.u64 %direct_at2, 0;\n\tsub.u64 %a, %direct_at2, %direct_window0;\n\t@%p mov.u64 %a, %s;\n\tld.shared.u32 %j, [%a]" },
  { "mov.u64 %a, %s; @!%p mov.u64 %a, 0; ld.u32 %j, [%a];", "@!%p mov.u64 %direct_at2, 0;\n\t@!%p sub.u64 %a, %direct_at2, %direct_window0" },
  { "selp.u64 %a, %s, 0, %p; setp.eq.u64 %p, %a, 0; ld.u32 %j, [%a];",
    "cvta.shared.u64 %direct_at3, %s;\n\tselp.u64 %direct_at2, %direct_at3, 0, %p;\n\tsub.u64 %a, %direct_at2, %direct_window0;\n\t"
    "add.u64 %direct_at2, %a, %direct_window0;\n\tsetp.eq.u64 %p, %direct_at2, 0" },
  { "add.u64 %a, %s, 8; setp.lt.u64 %p, %a, %s;",
    "add.u64 %direct_at2, %a, %direct_window0;\n\tcvta.shared.u64 %direct_at3, %s;\n\tsetp.lt.u64 %p, %direct_at2, %direct_at3" },
  { "setp.eq.u64 %p, %s, %m;", "cvta.shared.u64 %direct_at2, %s;\n\tsetp.eq.u64 %p, %direct_at2, %m" },
  { "setp.eq.and.u64 %p, %s, %s, %p;", "setp.eq.and.u64 %p, %direct_at2, %direct_at3, %p" },
  { "and.b64 %a, %s, -16; ld.u32 %j, [%a];",
    "cvta.shared.u64 %direct_at3, %s;\n\tand.b64 %direct_at2, %direct_at3, -16;\n\tsub.u64 %a, %direct_at2, %direct_window0;\n\tld.shared.u32 %j, [%a]" },
  { "add.u64 %a, %s, 8; max.u64 %b, %a, %s; ld.u32 %j, [%b];", "max.u64 %direct_at2, %direct_at3, %direct_at4;\n\tsub.u64 %b, %direct_at2, %direct_window0" },
  { "add.u64 %a, %s, 8; cvt.u32.u64 %j, %a;", "add.u64 %direct_at2, %a, %direct_window0;\n\tcvt.u32.u64 %j, %direct_at2" },
  { "mov.u64 %a, %s; st.u64 [%g], %a;", "cvta.shared.u64 %direct_at2, %a;\n\tst.global.u64 [%g], %direct_at2" },
  { "mov.u64 %a, %s; @%p add.u64 %a, %a, 8; st.u64 [%g], %a;", "add.u64 %direct_at2, %a, %direct_window0;\n\tst.global.u64 [%g], %direct_at2" },
  { "cvt.u32.u64 %j, %s;", "cvta.shared.u64 %direct_at2, %s;\n\tcvt.u32.u64 %j, %direct_at2" },
  { "mov.b64 {%i,%j}, %s;", "mov.b64 {%i,%j}, %direct_at2" },
  { "add.u64 %a, %s, %s;", "add.u64 %a, %direct_at2, %direct_at3" },
  { "add.cc.u64 %a, %s, 4; ld.u32 %j, [%a];", "add.cc.u64 %direct_at2, %direct_at3, 4;\n\tsub.u64 %a, %direct_at2, %direct_window0" },
  { "sub.u64 %a, %g, %s; add.u64 %a, %a, %s;", "sub.u64 %a, %g, %direct_at2" },
  { "mad.lo.u64 %a, %s, 2, %s; ld.u32 %j, [%a];", "mad.lo.u64 %direct_at2, %direct_at3, 2, %direct_at4;\n\tsub.u64 %a, %direct_at2, %direct_window0" },
  { "atom.exch.b64 %a, [%g], %s;", "atom.global.exch.b64 %a, [%g], %direct_at2" },
  { "atom.acquire.cta.add.u32 %j, [%s+4], 1;", "cvta.shared.u64 %direct_at2, %s;\n\tatom.acquire.cta.add.u32 %j, [%direct_at2+4], 1" },
  { "st.volatile.u32 [%s], %j;", "st.volatile.u32 [%direct_at2], %j" },
  /* The lane's.  */
  { "ld.u32 %j, [%l+4];", "mov.u64 %l, %lo;" },
  { "mad.wide.u32 %a, %i, 4, %l; st.u32 [%a], %j;", "st.local.u32 [%a], %j" },
  { "add.u64 %a, %l, 32; mov.u64 %b, %l; L1: st.u32 [%b], %j; add.u64 %b, %b, 4; setp.ne.u64 %p, %a, %b; @%p bra L1;", "st.local.u32 [%b], %j" },
  /* It gets somewhere else: to memory, a call, a comparison with something else, another class, an atomic operation.  */
  { "st.u64 [%m], %l; ld.u32 %j, [%l];", NULL },
  { "{ .param .u64 %q; st.param.u64 [%q], %l; } ld.u32 %j, [%l];", NULL },
  { "setp.eq.u64 %p, %l, %m; ld.u32 %j, [%l];", NULL },
  { "setp.eq.u64 %p, %l, 0; ld.u32 %j, [%l];", NULL },
  { "selp.u64 %a, %l, %m, %p; ld.u32 %j, [%l]; ld.u32 %j, [%a];", NULL },
  { "atom.add.u32 %j, [%l], 1; ld.u32 %j, [%l];", NULL },
  { "or.b64 %a, %l, 1; ld.u32 %j, [%l];", NULL },
  { "cvt.u32.u64 %i, %l; ld.u32 %j, [%l];", NULL },
  { "ld.volatile.u32 %j, [%l];", NULL },
  /* Nobody knows.  */
  { "mul.wide.u32 %a, %i, 4; add.u64 %a, %g, %a; ld.f64 %d, [%a];", NULL },
  { "ld.u32 %j, [%m];", NULL },
  { "add.u64 %a, %g, %m; ld.u32 %j, [%a];", NULL },
  { "add.u64 %a, %s, %n; ld.u32 %j, [%a];", NULL },
  { "add.u64 %a, %s, %m; ld.u32 %j, [%a];", NULL },
  { "selp.u64 %a, %g, %s, %p; ld.u32 %j, [%a];", NULL },
  { "mov.u64 %a, %g; @%p mov.u64 %a, %s; ld.u32 %j, [%a];", NULL },
  { "mov.u64 %a, %g; @%p mov.u64 %a, 5; add.u64 %a, %a, 8; ld.u32 %j, [%a];", NULL },
  { "sub.u64 %a, %s, %g; add.u64 %a, %a, %n; ld.u32 %j, [%a];", NULL },
  { "cvt.u64.u32 %a, %i; shl.b64 %a, %a, 32; add.u64 %a, %a, %g; ld.u32 %j, [%a];", NULL },
  { "mov.b64 %a, {%i,%j}; add.u64 %a, %a, %g; ld.u32 %j, [%a];", NULL },
  { "mov.b64 %a, %d; ld.u32 %j, [%a];", NULL },
  { "shr.u64 %b, %s, 4; shl.b64 %b, %b, 4; add.u64 %a, %b, %n; ld.u32 %j, [%a];", NULL },
  { "shl.b64 %b, %m, 4; shr.u64 %c, %m, 4; add.u64 %a, %b, %n; ld.u32 %j, [%a];", NULL },
  { "xor.b64 %a, %g, %s; ld.u32 %j, [%a];", NULL },
  { "neg.s64 %a, %s; neg.s64 %a, %a; ld.u32 %j, [%a];", NULL },
  { "shfl.sync.idx.b32 %i, %j, 0, 31, -1; cvt.u64.u32 %a, %i; ld.u32 %j, [%a];", NULL },
  /* Not plain.  */
  { "ld.volatile.u32 %j, [%g];", NULL },
  { "ld.acquire.gpu.u32 %j, [%g];", NULL },
  { "ld.relaxed.sys.u32 %j, [%g];", NULL },
  { "ld.cv.u32 %j, [%g];", NULL },
  { "atom.release.gpu.add.u32 %j, [%g], 1;", NULL }
};

/* Does TEXT say a space behind its begin, but for conversions of addresses?  */
static bool
says_spaces (const char *text)
{
  text = strstr (text, "%tid.x;");
  if (text == NULL || strstr (text, ".global.") != NULL || strstr (text, ".local.") != NULL)
    return true;
  while ((text = strstr (text, ".shared.")) != NULL && memcmp (text - 4, "cvta", 4) == 0)
    text++;
  return text != NULL;
}

/* Arguments that come with the launch: whether the kernel can take them (TAKES), and what loads of them
   become.  */
static const struct { const char *body, *want; bool takes; } arguments[] =
{
  { "ld.u32 %j, [%w+24];", "ld.param.u32 %j, [%carry+88]", true },
  { "mov.u64 %a, %w; ld.f64 %d, [%a+504];", "ld.param.f64 %d, [%carry+568]", true },
  { "mov.u64 %a, %w; L1: ld.f32 %f, [%a]; setp.eq.u64 %p, %a, 0; @%p bra L1;",
    "ld.param.f32 %f, [%carry+64]", true },
  { "ld.param.u64 %b, [%arg]; shr.u64 %b, %b, 48;", "ld.param.u64 %n, [%carry+80]", true },
  { "selp.u64 %a, %w, 0, %p; ld.u32 %j, [%a+4];", "ld.param.u32 %j, [%carry+68]", true },
  { "@%p ld.u32 %j, [%w];", "@%p ld.param.u32 %j, [%carry+64]", true },
  { "setp.ne.u64 %p, %w, 0;", "ld.param.u64 %g, [%carry+72]", true },
  /* Elsewhere, or nobody knows where.  */
  { "ld.u64 %b, [%w+512];", "ld.global.u64 %b, [%w+512]", false },
  { "ld.u64 %b, [%w+508];", "ld.global.u64 %b, [%w+508]", false },
  { "ld.u64 %b, [%w+-8];", "ld.global.u64 %b, [%w+-8]", false },
  { "add.u64 %a, %w, 8; ld.u32 %j, [%a];", "ld.global.u32 %j, [%a]", false },
  { "mul.wide.u32 %b, %i, 4; add.u64 %a, %w, %b; ld.u32 %j, [%a];", "ld.global.u32 %j, [%a]", false },
  { "and.b64 %a, %w, -16; ld.u32 %j, [%a];", "ld.global.u32 %j, [%a]", false },
  { "selp.u64 %a, %w, %g, %p; ld.u32 %j, [%a+4];", "ld.global.u32 %j, [%a+4]", false },
  /* The address gets away, or somebody writes.  */
  { "st.u64 [%g], %w;", "st.global.u64 [%g], %w", false },
  { "st.u64 [%l], %w;", "ld.global.u64 %g, [%w+8]", false },
  { "st.u32 [%w], %i;", "st.global.u32 [%w], %i", false },
  { "atom.add.u32 %j, [%w], 1;", "atom.global.add.u32 %j, [%w], 1", false },
  { "ld.volatile.u32 %j, [%w];", "ld.volatile.u32 %j, [%w]", false },
  { "xor.b64 %a, %w, 1;", "xor.b64 %a", false },
  { "cvt.u32.u64 %j, %w;", "cvt.u32.u64 %j, %w", false },
  { "add.u64 %a, %w, %g;", "add.u64 %a", false },
  { "mov.b64 {%i, %j}, %w;", "mov.b64", false },
  { "mov.v2.u64 %v, {0,0}; mov.u64 %v.x, %w; ld.u64 %b, [%v.x];",
    "ld.param.u64 %b, [%carry+64]", true }
};

/* The kernel with this BODY, rewritten, in *OUT.  False: it can't be.  */
static bool
rewrite (const char *start, const char *body, struct ptx_text *out, bool *takes)
{
  char text[4000], why[PTX_WHY] = "";
  struct ptx *ptx = ptx_new ();

  memset (out, 0, sizeof (*out));
  snprintf (text, sizeof (text), "%s%s%s%s\nret;\n}\n", version, start, head, body);
  struct ptx_module *m = ptx != NULL ? ptx_read (ptx, text, strlen (text), 0, why) : NULL;
  struct ptx_function *f
    = m != NULL && m->num_items > 0 ? m->items[m->num_items - 1]->u.function : NULL;
  bool good = f != NULL && lanes_give_spaces (f, takes, why);
  if (good)
    ptx_print_function (out, f);
  else
    printf ("%s: failed: %s\n", body, why);
  ptx_free (ptx);
  return good;
}

int
main (void)
{
  int bad = 0;
  struct ptx_text out;
  bool takes;

  for (size_t i = 0; i < sizeof (cases) / sizeof (cases[0]); i++)
    {
      bool good = rewrite (entry, cases[i].body, &out, &takes) && !takes;
      if (good && (cases[i].want != NULL ? strstr (out.text, cases[i].want) == NULL
		   : says_spaces (out.text) || (strstr (cases[i].body, "[%l]") != NULL
						&& strstr (out.text, "cvta.local.u64 %l") == NULL)))
	good = false;
      if (!good)
	{
	  printf ("%s: not %s in\n%s\n", cases[i].body,
		  cases[i].want != NULL ? cases[i].want : "what was there", out.text);
	  bad = 1;
	}
      free (out.text);
    }
  for (size_t i = 0; i < sizeof (arguments) / sizeof (arguments[0]); i++)
    {
      if (!rewrite (carrying, arguments[i].body, &out, &takes)
	  || strstr (out.text, arguments[i].want) == NULL || takes != arguments[i].takes)
	{
	  printf ("%s: %s, not %s in\n%s\n", arguments[i].body,
		  takes ? "takes arguments" : "needs them in memory", arguments[i].want, out.text);
	  bad = 1;
	}
      free (out.text);
    }
  return bad;
}
