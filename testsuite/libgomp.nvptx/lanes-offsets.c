/* Constants in addresses of the block's memory that become offsets (nvptx-lanes-offsets.c), in texts
   written by hand: where, what the twins are, and where nothing may change.

   TEST-MODES: host
   TEST-OPTIONS: -O0 -D_GNU_SOURCE -I@top_srcdir@/plugin -I@top_srcdir@/config/nvptx @top_srcdir@/plugin/nvptx-lanes-offsets.c @top_srcdir@/plugin/nvptx-read-names.c @top_srcdir@/plugin/nvptx-read.c @top_srcdir@/plugin/nvptx-read-body.c @top_srcdir@/plugin/nvptx-read-build.c @top_srcdir@/plugin/nvptx-read-lex.c @top_srcdir@/plugin/nvptx-read-scope.c @top_srcdir@/plugin/nvptx-print.c  */

#include "nvptx-lanes-direct.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* %s: the block's memory; %i, %j: integers that are set once; %k: one that is set twice.  */
static const char head[] =
  ".version 6.0\n.target sm_30\n.address_size 64\n"
  ".visible .entry k (.param .u64 %arg)\n{\n"
  ".reg .u64 %s; .reg .u64 %a; .reg .u64 %b; .reg .u64 %c; .reg .u64 %d; .reg .u64 %e;\n"
  ".reg .u32 %i; .reg .u32 %j; .reg .u32 %k; .reg .u32 %x; .reg .u32 %y; .reg .u32 %z; .reg .f32 %f; .reg .pred %p; .reg .v2 .u64 %v;\n"
  ".shared .align 16 .b8 %sh[64];\n"
  "mov.u64 %s, %sh; mov.u32 %i, %tid.x; mov.u32 %j, %tid.y; mov.u32 %k, 0; mov.u32 %k, %tid.x; setp.eq.u32 %p, %i, 0;\n";

#define LOAD "ld.shared.f32 %f, [%a];"
#define AT(twin, offset) "ld.shared.f32 %f, [%direct_twin" #twin "+" #offset "];"

/* BODY has to become one that has WANT and MORE (or NULL), or (NULL) nothing but what was there.  */
static const struct { const char *body, *want, *more; } cases[] =
{
  { "add.u64 %a, %s, 16;" LOAD, "add.u64 %a, %s, 16;\n\tadd.u64 %direct_twin0, %s, 0;\n\t" AT (0, 16), NULL },
  { "add.u64 %a, %s, 16; st.shared.f32 [%a+4], %f;", "st.shared.f32 [%direct_twin0+20], %f;", NULL },
  { "add.u64 %a, %s, 16; @%p st.shared.f32 [%a+-16], %f;", "@%p st.shared.f32 [%direct_twin0], %f;", NULL },
  { "add.u64 %a, 16, %s;" LOAD, "add.u64 %direct_twin0, 0, %s;", AT (0, 16) },
  { "sub.u64 %a, %s, 16;" LOAD, "sub.u64 %direct_twin0, %s, 0;", AT (0, -16) },
  { "mov.u64 %b, 24; add.u64 %b, %s, 24; add.u64 %a, %b, 8;" LOAD, "add.u64 %direct_twin0, %b, 0;", AT (0, 8) },
  { "add.u64 %b, %s, 24; mov.u64 %a, %b;" LOAD, "mov.u64 %direct_twin1, %direct_twin0;", AT (1, 24) },
  /* Indices.  */
  { "add.u32 %x, %i, -1; cvt.s64.s32 %b, %x; shl.b64 %c, %b, 2; add.u64 %a, %s, %c;" LOAD,
    "cvt.s64.s32 %direct_twin1, %direct_twin0;\n\tshl.b64 %c, %b, 2;\n\tshl.b64 %direct_twin2, %direct_twin1, 2;\n\t"
    "add.u64 %a, %s, %c;\n\tadd.u64 %direct_twin3, %s, %direct_twin2;", AT (3, -4) },
  { "add.u32 %x, %i, 3; mad.wide.s32 %a, %x, 4, %s;" LOAD, "mad.wide.s32 %direct_twin1, %direct_twin0, 4, %s;", AT (1, 12) },
  { "add.u32 %x, %i, 3; add.u64 %b, %s, 8; mad.wide.s32 %a, %x, 4, %b;" LOAD, "mad.wide.s32 %direct_twin2, %direct_twin0, 4, %direct_twin1;", AT (2, 20) },
  { "add.u32 %x, %i, 3; mul.wide.s32 %b, %x, 24; add.u64 %a, %b, %s;" LOAD, "mul.wide.s32 %direct_twin1, %direct_twin0, 24;", AT (2, 72) },
  { "add.u32 %x, %i, 3; mul.lo.u32 %y, %x, 5; mad.wide.s32 %a, %y, 4, %s;" LOAD, "mul.lo.u32 %direct_twin1, %direct_twin0, 5;", AT (2, 60) },
  { "sub.u32 %x, 7, %i; mad.wide.s32 %a, %x, 4, %s;" LOAD, "sub.u32 %direct_twin0, 0, %i;", AT (1, 28) },
  { "add.u32 %x, %i, 3; sub.u32 %y, %j, %x; mad.wide.s32 %a, %y, 4, %s;" LOAD, "sub.u32 %direct_twin1, %j, %direct_twin0;", AT (2, -12) },
  { "add.u32 %x, %i, 3; shl.b32 %y, %x, 4; add.u32 %z, %y, %j; mad.wide.s32 %a, %z, 4, %s;" LOAD, "add.u32 %direct_twin2, %direct_twin1, %j;", AT (3, 192) },
  { "mad.lo.u32 %x, %i, %j, 5; mad.wide.s32 %a, %x, 4, %s;" LOAD, "mad.lo.u32 %direct_twin0, %i, %j, 0;", AT (1, 20) },
  { "mad.lo.u32 %x, %i, 3, %j; add.u32 %y, %x, 2; mad.wide.s32 %a, %y, 4, %s;" LOAD, "add.u32 %direct_twin0, %x, 0;", AT (1, 8) },
  /* One that is set twice stands for itself, and the twin is what it was then.  */
  { "add.u32 %x, %k, 1; mad.wide.s32 %a, %x, 4, %s; add.u32 %k, %k, 1;" LOAD, "add.u32 %direct_twin0, %k, 0;", AT (1, 4) },
  { "L1: add.u32 %x, %k, 1; mad.wide.s32 %a, %x, 4, %s;" LOAD "mov.u32 %k, %x; @%p bra L1;", "add.u32 %x, %k, 1;\n\tadd.u32 %direct_twin0, %k, 0;", AT (1, 4) },
  /* Without a sign the twin's number has to be the larger one.  */
  { "add.u32 %x, %i, -1; mad.wide.u32 %a, %x, 4, %s;" LOAD, "mad.wide.u32 %direct_twin1, %direct_twin0, 4, %s;", AT (1, -4) },
  { "add.u32 %x, %i, -1; cvt.u64.u32 %b, %x; add.u64 %a, %s, %b;" LOAD, "cvt.u64.u32 %direct_twin1, %direct_twin0;", AT (2, -1) },
  { "add.u32 %x, %i, 1; mad.wide.u32 %a, %x, 4, %s;" LOAD, NULL, NULL },
  { "add.u32 %x, %i, 1; cvt.u64.u32 %b, %x; add.u64 %a, %s, %b;" LOAD, NULL, NULL },
  { "add.u32 %x, %i, 1; mul.wide.u32 %b, %x, 4; add.u64 %a, %s, %b;" LOAD, NULL, NULL },
  { "add.u32 %x, %i, 1; cvt.s64.u32 %b, %x; add.u64 %a, %s, %b;" LOAD, NULL, NULL },
  /* Where nothing is constant, or the register is set more than once, or perhaps not.  */
  { "mad.wide.s32 %a, %i, 4, %s;" LOAD, NULL, NULL },
  { "add.u64 %a, %s, 16; add.u64 %a, %s, 8;" LOAD, NULL, NULL },
  { "@%p add.u64 %a, %s, 16;" LOAD, NULL, NULL },
  { "mov.u64 %a, %s; L1:" LOAD "add.u64 %a, %a, 4; @%p bra L1;", NULL, NULL },
  { "L1: add.u64 %a, %a, 4;" LOAD "@%p bra L1;", "add.u64 %direct_twin0, %a, 0;", AT (0, 4) },
  { "add.u64 %b, %s, 4; ld.shared.v2.u64 {%a, %c}, [%s]; add.u64 %a, %b, 4;" LOAD, NULL, NULL },
  { "add.u64 %a, %s, 300000;" LOAD, NULL, NULL },
  { "add.u64 %b, %s, 200000; add.u64 %a, %b, 200000;" LOAD, NULL, NULL },
  { "add.u32 %x, %i, 200000; mad.wide.s32 %a, %x, 4, %s;" LOAD, NULL, NULL },
  { "add.u64 %b, %s, 4; and.b64 %a, %b, -16;" LOAD, NULL, NULL },
  { "add.u32 %x, %i, 1; mul.hi.u32 %y, %x, 5; mad.wide.s32 %a, %y, 4, %s;" LOAD, NULL, NULL },
  { "add.u32 %x, %i, 1; shl.b32 %y, %x, %j; mad.wide.s32 %a, %y, 4, %s;" LOAD, NULL, NULL },
  { "add.u32 %x, %i, 1; mul.lo.u32 %y, %x, %j; mad.wide.s32 %a, %y, 4, %s;" LOAD, NULL, NULL },
  { "add.u32 %x, %i, 1; shr.u32 %y, %x, 1; mad.wide.s32 %a, %y, 4, %s;" LOAD, NULL, NULL },
  { "add.cc.u64 %a, %s, 4;" LOAD, NULL, NULL },
  { "add.u32 %x, %i, 1; cvt.s64.s16 %b, %x; add.u64 %a, %s, %b;" LOAD, NULL, NULL },
  { "mov.v2.u64 %v, {0, 0}; add.u64 %v.x, %s, 4; ld.shared.f32 %f, [%v.x];", NULL, NULL },
  /* Other memory.  */
  { "add.u64 %a, %s, 16; ld.global.f32 %f, [%a];", NULL, NULL },
  { "add.u64 %a, %s, 16; ld.f32 %f, [%a];", NULL, NULL },
  { "add.u64 %a, %s, 16; ld.local.f32 %f, [%a];", NULL, NULL }
};

int
main (void)
{
  int bad = 0;

  for (size_t i = 0; i < sizeof (cases) / sizeof (cases[0]); i++)
    {
      char text[4000], why[PTX_WHY] = "";
      struct ptx_text out = { 0 };
      struct ptx *ptx = ptx_new ();
      snprintf (text, sizeof (text), "%s%s\nret;\n}\n", head, cases[i].body);
      struct ptx_module *m = ptx != NULL ? ptx_read (ptx, text, strlen (text), 0, why) : NULL;
      struct ptx_function *f = m != NULL && m->num_items > 0 ? m->items[m->num_items - 1]->u.function : NULL;
      if (f == NULL || !lanes_give_offsets (f, why))
	{
	  printf ("%s: failed: %s\n", cases[i].body, why);
	  bad = 1;
	}
      else
	{
	  ptx_print_function (&out, f);
	  if (cases[i].want == NULL ? strstr (out.text, "twin") != NULL
	      : strstr (out.text, cases[i].want) == NULL
		|| (cases[i].more != NULL && strstr (out.text, cases[i].more) == NULL))
	    {
	      printf ("%s: not %s in\n%s\n", cases[i].body, cases[i].want != NULL ? cases[i].want : "what was there", out.text);
	      bad = 1;
	    }
	}
      free (out.text);
      ptx_free (ptx);
    }
  return bad;
}
