/* nvptx-lanes-direct-emit.c -- the text of kernels whose lanes run a whole target region by
   themselves.

   The entry's text, with the function's in place of the call of gomp_nvptx_main and the regions' in
   place of those of GOMP_parallel (nvptx-lanes-direct.c tells which, and why that is right).  Names
   that are put in begin with %direct and $direct.

   Called by nvptx-lanes-rewrite.c.  */

#include "nvptx-lanes-nest.h"
#include "lanes-abi.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Locks are ready when all lanes have met behind it.  */
#define LOCKS_BEGIN "\t{\n\tcall " GOMPX_LANES_PREFIX "locks_begin;\n\t}\n"

/* A kernel may have so many registers, 128 for each, that no more threads are possible.  */
enum { MANY_THREADS = 512 };

#define NAME(ptx, name) (int) (ptx)->names[name].length, (ptx)->names[name].text

/* How many threads a region has whose clause says CLAUSE, as accel_region_size has it; lanes that
   are none go to END.  */
static void
put_size (struct direct *d, struct ptx_text *out, const struct ptx_operand *clause, ptx_name end)
{
  ptx_printf (out, "\tmov.u32 %%direct_size, ");
  ptx_print_operand (out, d->lf->f, clause);
  ptx_printf (out, ";\n"
	      "\tsetp.eq.u32 %%direct_idle, %%direct_size, 0;\n"
	      "\t@%%direct_idle mov.u32 %%direct_size, %%direct_wanted;\n"
	      "\tmin.u32 %%direct_size, %%direct_size, %%direct_limit;\n"
	      "\tmin.u32 %%direct_size, %%direct_size, %%direct_threads;\n"
	      "\tsetp.ge.u32 %%direct_idle, %%direct_thread, %%direct_size;\n"
	      "\t@%%direct_idle bra %.*s;\n", NAME (d->w->ptx, end));
}

/* Is there something that one lane does?  */
static bool
leads (const struct direct *d)
{
  return d->effects.any || d->frame.shared || d->form == LANES_FORM_BLOCKS;
}

/* Statement S of a region, if it is about the frame, of which there are PLACES.  */
static bool
put_access (const struct direct *d, struct ptx_text *out, const struct ptx_function *f,
	    const struct ptx_stmt *s, const struct lanes_places *places)
{
  int64_t at;
  if (!lanes_is_plain (s, PTX_OP_LD) || !lanes_frame_is_at (places, s, &at)
      || lanes_frame_is_shared (&d->frame, s, at))
    return false;
  lanes_put_slots (out, f, s, at, &d->slots);
  return true;
}

/* Of blocks: element K of what the function's statement S stores in its frame, at a place that is
   known; its place in *AT, its size in *SIZE.  False: there is none.  */
static bool
stores_word (const struct direct *d, const struct ptx_stmt *s, unsigned k, struct ptx_operand *value,
	     int64_t *at, unsigned *size)
{
  if (!lanes_is_plain (s, PTX_OP_ST) || !lanes_frame_is_at (&d->known.places, s, at)
      || k >= (s->u.insn.op->vector > 1 ? s->u.insn.op->vector : 1u))
    return false;
  *size = ptx_type_size (s->u.insn.op->types[0]);
  *at += (int64_t) k * *size;
  *value = s->u.insn.operands[1];
  if (s->u.insn.op->vector > 1 && value->kind == PTX_O_VECTOR)
    *value = value->u.list[k];
  else if (s->u.insn.op->vector > 1)
    value->element = (uint8_t) (k + 1);
  return true;
}

/* Does one statement of the function store the word of SIZE bytes at AT, a part of a region's data
   block, and no other one anything there?  Then all lanes have what it stores in a register.  */
static bool
is_held (const struct direct *d, int64_t at, unsigned size)
{
  const struct lanes_function *lf = d->lf;
  unsigned num = 0;

  if (!d->pointers || at < 0 || (size != 4 && size != 8))
    return false;
  for (uint32_t i = 0; i < lf->f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &lf->f->stmts[i];
      struct ptx_operand value;
      unsigned has;
      int64_t there;
      for (unsigned k = 0; stores_word (d, s, k, &value, &there, &has); k++)
	if (there < at + size && at < there + has)
	  {
	    if (there != at || has != size
		|| (value.kind == PTX_O_REG
		    && ptx_type_size (lf->f->vars[value.id].type) != size)
		|| (s->guard != PTX_NO_INDEX
		    && !(lf->has_uniform && s->guard == lf->master_reg && !s->guard_negated)))
	      return false;
	    num++;
	  }
    }
  return num == 1;
}

/* The registers of such words, which statement S of the function stores: set them, or (DECLARE)
   declare them.  */
static void
put_held (const struct direct *d, struct ptx_text *out, const struct ptx_stmt *s, bool declare)
{
  struct ptx_operand value;
  unsigned size;
  int64_t at;

  if (d->form != LANES_FORM_BLOCKS || !d->pointers)
    return;
  for (unsigned k = 0; stores_word (d, s, k, &value, &at, &size); k++)
    if (!is_held (d, at, size))
      continue;
    else if (declare)
      ptx_printf (out, "\t.reg .b%u %%direct_held%" PRId64 ";\n", size * 8, at);
    else
      {
	ptx_printf (out, "\tmov.b%u %%direct_held%" PRId64 ", ", size * 8, at);
	ptx_print_operand (out, d->lf->f, &value);
	ptx_printf (out, ";\n");
      }
}

/* Statement S of F, a clone, loads by the region's parameter (BASE) what the kernel knows from the
   frame, where its data is at AT: an address in the frame, or what a register holds.  */
static bool
put_known (const struct direct *d, struct ptx_text *out, const struct ptx_function *f,
	   const struct ptx_stmt *s, const struct lanes_base *base, int64_t at)
{
  const struct ptx *ptx = d->w->ptx;
  const struct lanes_frame_word *word;
  unsigned size;

  if (!lanes_is_plain (s, PTX_OP_LD) || s->u.insn.op->vector > 1 || s->guard != PTX_NO_INDEX
      || !lanes_is_base_access (s, base) || s->u.insn.operands[0].kind != PTX_O_REG
      || s->u.insn.operands[0].element != 0)
    return false;
  size = ptx_type_size (s->u.insn.op->types[0]);
  if (ptx_type_size (f->vars[s->u.insn.operands[0].id].type) != size
      || lanes_changes_word (f, base, (int64_t) s->u.insn.operands[1].u.value, size))
    return false;
  at += (int64_t) s->u.insn.operands[1].u.value;
  if (size == 8 && (word = lanes_frame_pointer (&d->known, at)) != NULL)
    ptx_printf (out, "\tadd.u64 %.*s, %%direct_base, %" PRId64 ";\n",
		NAME (ptx, f->vars[s->u.insn.operands[0].id].name), word->target);
  else if (is_held (d, at, size))
    ptx_printf (out, "\tmov.b%u %.*s, %%direct_held%" PRId64 ";\n", size * 8,
		NAME (ptx, f->vars[s->u.insn.operands[0].id].name), at);
  else
    return false;
  return true;
}

/* The block at statement I of F, a region's, is a call of what the kernel knows, or a barrier: its
   last statement.  0: it is none.  */
static uint32_t
put_answer (const struct direct *d, struct ptx_text *out, const struct ptx_function *f, uint32_t i)
{
  const struct ptx *ptx = d->w->ptx;
  const char *threads = d->limits ? "%direct_size" : "%direct_threads", *value = NULL;
  uint32_t result, last;
  ptx_name asked;

  if (d->form == LANES_FORM_BLOCKS
      && lanes_is_call_block (d->w, f, i, GOMPX_LANES_PREFIX "GOMP_barrier"))
    {
      ptx_printf (out, "\tbarrier.sync 1, %s;\n", threads);
      return i + 2;
    }
  if ((last = lanes_match_ask (f, i, &result, &asked)) == 0)
    return 0;
  switch (lanes_answer_of (d->w, asked))
    {
    case LANES_ANSWER_THREAD: value = "%direct_thread"; break;
    case LANES_ANSWER_THREADS: value = threads; break;
    case LANES_ANSWER_TEAM: value = "%direct_team"; break;
    case LANES_ANSWER_TEAMS: value = "%direct_teams"; break;
    case LANES_ANSWER_SINGLE:
      if (d->form != LANES_FORM_BLOCKS)
	return 0;
      ptx_printf (out, "\tsetp.eq.u32 %%direct_idle, %%direct_thread, 0;\n"
		  "\tselp.u32 %.*s, 1, 0, %%direct_idle;\n", NAME (ptx, f->vars[result].name));
      return last;
    default: return 0;
    }
  ptx_printf (out, "\tmov.u32 %.*s, %s;\n", NAME (ptx, f->vars[result].name), value);
  return last;
}

/* The clone of LF whose statements stand in place of calls of it.  NULL: there is none, and WHY says
   why.  */
static struct ptx_function *
inner_clone (const struct direct *d, struct lanes_function *lf, char why[PTX_WHY])
{
  struct ptx_module *module = d->w->modules[0];
  uint32_t before = module->num_items;

  if (lf->inner == NULL)
    {
      ptx_name name = ptx_fresh_name (d->w->ptx, "%direct_inner");
      lf->inner = name != 0 ? lanes_make_clone (d->w, lf, name, true, why) : NULL;
      /* It was made for its text.  */
      for (uint32_t i = before; i < module->num_items; i++)
	module->items[i]->left_out = true;
    }
  return lf->inner;
}

/* If a block at statement *I of F, which is CALLER's clone, calls a function that asks or waits
   itself, append that function's code in its place, and make *I the block's last statement.  False:
   it can't be made.  */
static bool
put_inner (struct direct *d, struct ptx_text *out, const struct lanes_function *caller,
	   const struct ptx_function *f, uint32_t *i, bool *done, char why[PTX_WHY])
{
  struct ptx *ptx = d->w->ptx;
  struct lanes_function *callee = NULL;
  struct lanes_call call = { 0 };
  struct lanes_block b;
  uint32_t last, k, number;

  *done = false;
  if (d->form != LANES_FORM_BLOCKS || f->stmts[*i].kind != PTX_STMT_BEGIN)
    return true;
  /* Within it there is no other block.  */
  for (k = *i + 1; callee == NULL && k < f->stmts[*i].u.match; k++)
    {
      if (f->stmts[k].kind == PTX_STMT_BEGIN)
	return true;
      callee = lanes_inner_callee (caller, &f->stmts[k]);
      call.stmt = k;
    }
  if (callee == NULL)
    return true;
  if (!lanes_matches_callee (f, &call, callee->f, &b))
    return false;
  *done = true;
  *i = b.end;
  const struct ptx_function *inner = inner_clone (d, callee, why);
  if (inner == NULL)
    return false;
  unsigned id = d->num_inner++;
  /* Behind the second brace names may be the function's own.  */
  ptx_printf (out, "\t{\n");
  for (k = 0; k < inner->num_params; k++)
    {
      ptx_printf (out, "\t.reg .b%u %%direct_in%u_%u;\n\tmov%.*s %%direct_in%u_%u, ",
		  ptx_type_size (b.types[k]) * 8, id, k, NAME (ptx, b.types[k]), id, k);
      ptx_print_operand (out, f, &b.args[k]);
      ptx_printf (out, ";\n");
    }
  if (b.result != PTX_NO_INDEX)
    ptx_printf (out, "\t.reg .b%u %%direct_out%u;\n", ptx_type_size (b.result_type) * 8, id);
  ptx_printf (out, "\t{\n");
  for (k = 0; k < inner->num_stmts; k++)
    {
      const struct ptx_stmt *s = &inner->stmts[k];
      bool within;
      if (!put_inner (d, out, callee, inner, &k, &within, why))
	return false;
      if (within)
	continue;
      if ((last = put_answer (d, out, inner, k)) != 0)
	k = last;
      else if (lanes_loads_param (inner, s, &number))
	{
	  lanes_put_guard (out, inner, s);
	  ptx_printf (out, "mov%.*s ", NAME (ptx, s->u.insn.op->types[0]));
	  ptx_print_operand (out, inner, &s->u.insn.operands[0]);
	  ptx_printf (out, ", %%direct_in%u_%u;\n", id, number);
	}
      else if (lanes_stores_result (inner, s))
	{
	  /* The result may be of no use.  */
	  if (b.result == PTX_NO_INDEX)
	    continue;
	  lanes_put_guard (out, inner, s);
	  ptx_printf (out, "mov%.*s %%direct_out%u, ", NAME (ptx, s->u.insn.op->types[0]), id);
	  ptx_print_operand (out, inner, &s->u.insn.operands[1]);
	  ptx_printf (out, ";\n");
	}
      else if (lanes_is_insn (s, PTX_OP_RET, 0))
	{
	  lanes_put_guard (out, inner, s);
	  ptx_printf (out, "bra $direct_back%u;\n", id);
	}
      else
	ptx_print_stmt (out, inner, s);
    }
  ptx_printf (out, "$direct_back%u:\n\t}\n", id);
  if (b.result != PTX_NO_INDEX)
    ptx_printf (out, "\tmov%.*s %.*s, %%direct_out%u;\n", NAME (ptx, b.result_type),
		NAME (ptx, f->vars[b.result].name), id);
  ptx_printf (out, "\t}\n");
  return true;
}

/* The block at statement I of CLONE, which is REGION's, takes the lock of its end: the last
   statement of the section.  0: it doesn't.  */
static uint32_t
match_end (const struct direct *d, const struct ptx_function *clone,
	   const struct lanes_function *region, uint32_t i)
{
  if (d->form != LANES_FORM_LANES || !region->stride->end_locks
      || clone->stmts[i].kind != PTX_STMT_BEGIN
      || !lanes_is_call_block (d->w, clone, i, "GOMP_atomic_start"))
    return 0;
  while (i < clone->num_stmts && !lanes_is_call_block (d->w, clone, i, "GOMP_atomic_end"))
    i++;
  return i < clone->num_stmts ? i + 2 : 0;
}

/* Keep what is looked for in the kernel's text: F is the clone of a region with stride S, and ends
   at END.  */
static void
note_names (struct direct *d, const struct ptx_function *f, const struct lanes_stride *s,
	    ptx_name end)
{
  d->num_regions++;
  d->begin_label = s->begin_label;
  d->end_label = end;
  d->each = s->piece != 0 ? f->vars[s->each].name : 0;
  d->width = s->groups ? f->vars[s->width].name : 0;
  d->place = s->groups ? f->vars[s->place].name : 0;
}

/* REGION, as the statements of a block B, which is the call's: the number of threads that is asked
   for, or 0, and where in the frame its data is.  */
static bool
put_region (struct direct *d, struct ptx_text *out, struct lanes_function *region,
	    const struct lanes_block *b, char why[PTX_WHY])
{
  struct ptx *ptx = d->w->ptx;
  ptx_name name = ptx_fresh_name (ptx, "%direct_region"), end = ptx_fresh_name (ptx, "$direct_end");
  uint32_t before = d->w->modules[0]->num_items, last;
  if (lanes_has_stride (region))
    region->stride->groups = d->groups && d->form == LANES_FORM_LANES;
  struct ptx_function *f = name == 0 || end == 0 ? NULL
			   : d->form == LANES_FORM_WARPS
			       ? region->f
			       : lanes_make_clone (d->w, region, name, d->form == LANES_FORM_LANES, why);
  struct lanes_places places;
  struct lanes_base base;
  uint64_t in, back;
  int64_t at;
  bool ends = d->form != LANES_FORM_LANES || !region->stride->end_locks, knows = false, within;

  if (f == NULL)
    return false;
  if (d->form == LANES_FORM_LANES)
    {
      d->region = region;
      note_names (d, f, region->stride, end);
    }
  in = back = 0;
  if (d->form != LANES_FORM_BLOCKS
      && ((!d->based && !lanes_find_base (f, &base, false))
	  || !lanes_frame_is_place (&d->frame.places, &b->args[1], &at)
	  || !lanes_frame_region (d->w, &d->frame, region->f, at, &places, &d->more, &in, &back)))
    return false;
  if (d->based)
    {
      base = (struct lanes_base) { PTX_NO_INDEX, PTX_NO_INDEX, PTX_NO_INDEX, PTX_NO_INDEX };
      base.load = lanes_frame_param (f);
    }
  /* It was made for its text.  */
  for (uint32_t i = before; i < d->w->modules[0]->num_items; i++)
    d->w->modules[0]->items[i]->left_out = true;
  /* All have what the function loaded, and a region before wrote; lane 0 has done what comes
     before.  */
  if (d->loads || d->effects.any || in != 0)
    ptx_printf (out, LANES_MEET_BLOCK);
  lanes_put_words (out, &d->frame, &d->slots, in, false);
  if (d->form == LANES_FORM_BLOCKS)
    {
      /* Behind the brace its register's name may be one of the region's.  */
      ptx_printf (out, "\tmov.u64 %%direct_data, ");
      ptx_print_operand (out, d->lf->f, &b->args[1]);
      ptx_printf (out, ";\n");
      knows = d->pointers && lanes_find_base (f, &base, true)
	      && lanes_frame_is_place (&d->known.places, &b->args[1], &at);
      if (!knows)
	base = (struct lanes_base) { lanes_frame_param (f), PTX_NO_INDEX, PTX_NO_INDEX,
				    PTX_NO_INDEX };
    }
  ptx_printf (out, "%s%s\t{\n", in != 0 ? LANES_MEET_BLOCK : "",
	      /* Lane 0 may have done something alone.  */
	      d->form == LANES_FORM_WARPS && leads (d) ? LANES_MEET_WARP : "");
  if (d->limits)
    put_size (d, out, &b->args[2], end);
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (d->form == LANES_FORM_BLOCKS && i == base.load)
	ptx_printf (out, "\tmov.u64 %.*s, %%direct_data;\n",
		    NAME (ptx, f->vars[s->u.insn.operands[0].id].name));
      else if (d->based && i == base.load)
	ptx_printf (out, "\tadd.u64 %.*s, %%direct_base, %" PRId64 ";\n",
		    NAME (ptx, f->vars[s->u.insn.operands[0].id].name), at);
      if (i == base.load || (d->form != LANES_FORM_BLOCKS && i == base.copy)
	  || (d->form == LANES_FORM_WARPS && lanes_is_unseen (d->w, region, s)))
	continue;
      if (d->groups && s->kind == PTX_STMT_LABEL && f->labels[s->u.label].name == d->begin_label)
	ptx_printf (out, "\tmov.u32 %.*s, %%direct_nest;\n",
		    NAME (ptx, f->vars[region->stride->most].name));
      if (knows && put_known (d, out, f, s, &base, at))
	continue;
      if (!put_inner (d, out, region, f, &i, &within, why))
	return false;
      if (within)
	continue;
      if (d->form == LANES_FORM_WARPS)
	lanes_put_share (out, region, i, false);
      if ((last = put_answer (d, out, f, i)) != 0)
	i = last;
      else if ((last = match_end (d, f, region, i)) != 0)
	{
	  lanes_put_section (out, f, region->stride, d->effects.flushes);
	  ends = true;
	  i = last;
	}
      else if (lanes_is_insn (s, PTX_OP_RET, 0))
	{
	  lanes_put_guard (out, f, s);
	  ptx_printf (out, "bra %.*s;\n", NAME (ptx, end));
	}
      else if (d->form == LANES_FORM_BLOCKS)
	ptx_print_stmt (out, f, s);
      else if (!put_access (d, out, f, s, &places)
	       && (d->form != LANES_FORM_WARPS
		   || (!lanes_put_uniform_load (out, region, &d->frame, &places, s)
		       && !lanes_put_division (out, f, &i))))
	ptx_print_stmt (out, f, s);
      /* Division and rest may have become one.  */
      if (d->form == LANES_FORM_WARPS)
	lanes_put_share (out, region, i, true);
    }
  ptx_printf (out, "%.*s:\n\t}\n" LANES_MEET_BLOCK, NAME (ptx, end));
  lanes_put_words (out, &d->frame, &d->slots, back, true);
  return ends;
}

/* TEXT, which makes a limit whole warps, where barriers want these: limits of the host may be any
   number of 32 or more.  */
static const char *
whole_warps (const struct direct *d, const char *text)
{
  return d->form == LANES_FORM_BLOCKS && d->meets ? text : "";
}

/* GOMP_teams4: as teams.c of the library has it.  */
static void
put_teams (struct direct *d, struct ptx_text *out, const struct ptx_function *f,
	   const struct lanes_block *b)
{
  if (d->limits)
    {
      ptx_printf (out, "\tmov.u32 %%direct_some, ");
      ptx_print_operand (out, f, &b->args[2]);
      ptx_printf (out,
		  ";\n"
		  /* The ICV teams-thread-limit.  */
		  "\tsetp.eq.u32 %%direct_yes, %%direct_some, 0;\n"
		  "\tmov.u64 %%direct_next, __gomp_additional_icvs;\n"
		  "\t@%%direct_yes ld.global.u32 %%direct_some, [%%direct_next+12];\n"
		  "\t@%%direct_yes max.s32 %%direct_some, %%direct_some, 0;\n"
		  "%s"
		  "\tsetp.ne.u32 %%direct_yes, %%direct_some, 0;\n"
		  "\t@%%direct_yes mov.u32 %%direct_limit, %%direct_some;\n",
		  whole_warps (d, "\tand.b32 %direct_some, %direct_some, 4294967264;\n"));
      /* nthreads-var is a number in kernels for lanes only.  */
      if (d->form != LANES_FORM_WARPS)
	ptx_printf (out,
		    "\t@%%direct_yes min.u32 %%direct_wanted, %%direct_wanted, %%direct_some;\n");
    }
  ptx_printf (out, "\tsetp.ne.u32 %%direct_first, ");
  ptx_print_operand (out, f, &b->args[3]);
  ptx_printf (out, ", 0;\n\t@%%direct_first mov.u32 %%direct_teams, %%direct_default;\n");
  if (!lanes_is_zero (f, &b->args[1], b->begin))
    {
      ptx_printf (out, "\tmov.u32 %%direct_some, ");
      ptx_print_operand (out, f, &b->args[0]);
      ptx_printf (
	  out,
	  ";\n\tmax.u32 %%direct_some, %%direct_some, %%direct_blocks;\n\tmov.u32 %%direct_most, ");
      ptx_print_operand (out, f, &b->args[1]);
      ptx_printf (out, ";\n"
		  "\tsetp.gt.u32 %%direct_yes, %%direct_blocks, %%direct_most;\n"
		  "\t@%%direct_yes mov.u32 %%direct_some, %%direct_most;\n"
		  "\tsetp.ne.u32 %%direct_yes, %%direct_most, 0;\n"
		  "\tand.pred %%direct_yes, %%direct_yes, %%direct_first;\n"
		  "\t@%%direct_yes mov.u32 %%direct_teams, %%direct_some;\n");
    }
  ptx_printf (out,
	      "\tcvt.u64.u32 %%direct_next, %%direct_team;\n"
	      "\tcvt.u64.u32 %%direct_wide, %%direct_blocks;\n"
	      "\tadd.u64 %%direct_next, %%direct_next, %%direct_wide;\n"
	      "\t@%%direct_first cvt.u64.u32 %%direct_next, %%direct_block;\n"
	      "\tcvt.u64.u32 %%direct_wide, %%direct_teams;\n"
	      "\tsetp.lt.u64 %%direct_yes, %%direct_next, %%direct_wide;\n"
	      "\t@%%direct_yes cvt.u32.u64 %%direct_team, %%direct_next;\n"
	      "\tselp.u32 %.*s, 1, 0, %%direct_yes;\n",
	      NAME (f->module->ptx, f->vars[b->result].name));
}

/* What stands before everything: who the lane is, what the launch word says (device-abi.h), the
   word's address.  The entry has set the warp's flag for warp mode; functions that a region for
   lanes calls may look whether lanes are on their own (lanes-abi.h).  CARRIES: the first warp may
   have put the arguments into memory just now.  */
static void
put_begin (struct direct *d, struct ptx_text *out, const struct ptx_function *entry, bool carries)
{
  static const char lane[]
    = "\tmov.u32 %direct_some, %tid.y;\n"
      "\tmov.u64 %direct_next, __nvptx_uni;\n"
      "\tmad.wide.u32 %direct_next, %direct_some, 4, %direct_next;\n"
      "\tmov.u32 %direct_most, -1;\n"
      "\tst.shared.u32 [%direct_next], %direct_most;\n"
      "\tmov.u32 %direct_thread, %tid.x;\n"
      "\tmad.lo.u32 %direct_thread, %direct_some, 32, %direct_thread;\n"
      "\tmov.u32 %direct_threads, %ntid.y;\n"
      "\tmul.lo.u32 %direct_threads, %direct_threads, 32;\n";
  static const char warp[]
    = "\tmov.u32 %direct_thread, %tid.y;\n"
      "\tmov.u32 %direct_threads, %ntid.y;\n";
  struct ptx *ptx = d->w->ptx;

  if (d->based)
    ptx_printf (out, "\t.reg .u64 %%direct_base;\n");
  if (leads (d))
    ptx_printf (out, "\t.reg .pred %%direct_leads;\n");
  if (d->groups)
    ptx_printf (out, "\t.reg .u32 %%direct_nest;\n");
  if (d->form == LANES_FORM_BLOCKS)
    ptx_printf (out, "\t.shared .align %u .b8 %%direct_shared[%" PRIu64 "];\n%s",
		d->lf->frame_align > 16 ? d->lf->frame_align : 16,
		(uint64_t) d->lf->frame_size + (d->grows ? LANES_SHARED_GROWTH : 0),
		d->grows ? "\t.reg .u64 %direct_soft;\n\t.reg .u64 %direct_room;\n"
			   "\t.reg .u64 %direct_more;\n"
			 : "");
  if (d->frame.shared)
    ptx_printf (out,
		"\t.shared .align 16 .b8 %%direct_shared[%" PRId64
		"];\n\t.reg .b32 %%direct_word32;\n"
		"\t.reg .b64 %%direct_word64;\n",
		d->frame.high - d->frame.low);
  if (d->slots.in_memory)
    ptx_printf (out, "\t.local .align %u .b8 %%direct_frame[%" PRIu64 "];\n", d->lf->frame_align,
		d->slots.bytes);
  else
    for (unsigned i = 0; i < d->slots.num; i++)
      ptx_printf (out, "\t.reg .b%u %%direct_slot%" PRId64 ";\n", d->slots.v[i].size * 8,
		  d->slots.v[i].offset);
  if (d->limits)
    ptx_printf (
	out,
	"\t.reg .u32 %%direct_limit;\n\t.reg .u32 %%direct_wanted;\n\t.reg .u32 %%direct_size;\n"
	"\t.reg .pred %%direct_idle;\n");
  if (d->form == LANES_FORM_BLOCKS)
    {
      ptx_printf (out, "\t.reg .u64 %%direct_data;\n");
      for (uint32_t i = 0; i < d->lf->f->num_stmts; i++)
	put_held (d, out, &d->lf->f->stmts[i], true);
    }
  ptx_printf (
      out,
      "\t.reg .u32 %%direct_thread;\n\t.reg .u32 %%direct_threads;\n\t.reg .u32 %%direct_block;\n"
      "\t.reg .u32 %%direct_blocks;\n\t.reg .u32 %%direct_team;\n\t.reg .u32 %%direct_teams;\n"
      "\t.reg .u32 %%direct_default;\n\t.reg .u32 %%direct_some;\n\t.reg .u32 %%direct_most;\n"
      "\t.reg .u64 %%direct_word;\n\t.reg .u64 %%direct_next;\n\t.reg .u64 %%direct_wide;\n"
      "\t.reg .pred %%direct_first;\n\t.reg .pred %%direct_yes;\n"
      "%s"
      "\tld.param.u64 %%direct_word, [%.*s];\n"
      "%s"
      "\tmov.u32 %%direct_block, %%ctaid.x;\n"
      "\tmov.u32 %%direct_blocks, %%nctaid.x;\n"
      "\tmov.u32 %%direct_team, 0;\n"
      "\tmov.u32 %%direct_teams, 1;\n"
      /* M << E, or the number of blocks.  */
      "\tshr.u64 %%direct_next, %%direct_word, 48;\n"
      "\tcvt.u32.u64 %%direct_some, %%direct_next;\n"
      "\tshr.u32 %%direct_default, %%direct_some, 4;\n"
      "\tand.b32 %%direct_default, %%direct_default, 2047;\n"
      "\tand.b32 %%direct_some, %%direct_some, 15;\n"
      /* E = 15: M is a limit of threads.  */
      "\tsetp.eq.u32 %%direct_first, %%direct_some, 15;\n"
      "\tmov.u32 %%direct_most, %%direct_default;\n"
      "\t@%%direct_first mov.u32 %%direct_default, 0;\n"
      "\tshl.b32 %%direct_default, %%direct_default, %%direct_some;\n"
      "%s%s%s"
      "\tsetp.eq.u32 %%direct_yes, %%direct_default, 0;\n"
      "\t@%%direct_yes mov.u32 %%direct_default, %%direct_blocks;\n"
      /* The ICV nteams.  */
      "\tmov.u64 %%direct_next, __gomp_additional_icvs;\n"
      "\tld.global.u32 %%direct_some, [%%direct_next+8];\n"
      "\tmin.u32 %%direct_most, %%direct_some, %%direct_blocks;\n"
      "\tsetp.gt.s32 %%direct_yes, %%direct_some, 0;\n"
      "\t@%%direct_yes mov.u32 %%direct_default, %%direct_most;\n"
      "\tand.b64 %%direct_word, %%direct_word, 281474976710655;\n",
      /* All look at the stack of the first warp.  */
      d->locks			 ? LOCKS_BEGIN LANES_MEET_BLOCK
      : carries || d->grows ? LANES_MEET_BLOCK
				 : LANES_MEET_WARP,
      NAME (ptx, entry->vars[0].name),
      d->form == LANES_FORM_WARPS ? warp : lane,
      /* thread-limit-var, nthreads-var.  */
      !d->limits		    ? ""
      : d->form == LANES_FORM_WARPS ? "\tmov.u32 %direct_limit, %direct_threads;\n"
				    : "\tmov.u32 %direct_limit, %direct_threads;\n"
				      "\t@%direct_first mov.u32 %direct_limit, %direct_most;\n",
      whole_warps (d, "\tand.b32 %direct_limit, %direct_limit, 4294967264;\n"),
      !d->limits ? "" : "\tmov.u32 %direct_wanted, %direct_limit;\n");
  if (d->groups)
    ptx_printf (out,
		/* Words of the arguments point to different memory (device-abi.h).  */
		"\tld.param.u64 %%direct_next, [%.*s];\n"
		"\tsetp.lt.s64 %%direct_yes, %%direct_next, 0;\n"
		"\tselp.u32 %%direct_nest, 31, 0, %%direct_yes;\n",
		NAME (ptx, entry->vars[0].name));
  if (leads (d))
    ptx_printf (
	out, "%s\tsetp.eq.u32 %%direct_leads, %s, 0;\n",
	/* Of thread 0 one lane.  */
	d->form != LANES_FORM_WARPS
	    ? ""
	    : "\tmov.u32 %direct_some, %tid.x;\n\tor.b32 %direct_some, %direct_some, %direct_thread;\n",
	d->form == LANES_FORM_WARPS ? "%direct_some" : "%direct_thread");
  if (d->frame.shared)
    ptx_printf (out, "\tcvta.shared.u64 %%direct_base, %%direct_shared;\n"
		"\tsub.u64 %%direct_base, %%direct_base, %" PRId64 ";\n", d->frame.low);
  else if (d->form == LANES_FORM_BLOCKS)
    {
      ptx_printf (out, "\tcvta.shared.u64 %%direct_base, %%direct_shared;\n");
      if (d->grows)
	ptx_printf (out, "\tadd.u64 %%direct_base, %%direct_base, %d;\n"
		    "\tmov.u64 %%direct_room, __nvptx_stacks;\n"
		    "\tld.shared.u64 %%direct_soft, [%%direct_room];\n"
		    "\tand.b64 %%direct_soft, %%direct_soft, -%u;\n", LANES_SHARED_GROWTH,
		    d->lf->frame_align > 16 ? d->lf->frame_align : 16);
    }
  else if (d->based)
    ptx_printf (out, "\tmov.u64 %%direct_base, 0;\n");
  /* They go to the block's memory before a region, set or not.  */
  for (unsigned i = 0; i < d->frame.num && !d->slots.in_memory; i++)
    if (d->frame.words[i].shared)
      ptx_printf (out, "\tmov.b%u %%direct_slot%" PRId64 ", 0;\n", d->frame.words[i].size * 8,
		  d->frame.words[i].offset);
}

/* The entry goes on in warp mode.  */
static void
put_end (struct ptx_text *out)
{
  ptx_printf (out,
	      "\tbar.warp.sync 4294967295;\n"
	      "\tmov.u32 %%direct_some, %%tid.y;\n"
	      "\tmov.u64 %%direct_next, __nvptx_uni;\n"
	      "\tmad.wide.u32 %%direct_next, %%direct_some, 4, %%direct_next;\n"
	      "\tmov.u32 %%direct_most, 0;\n"
	      "\tst.shared.u32 [%%direct_next], %%direct_most;\n"
	      "\tbar.warp.sync 4294967295;\n");
}

/* Does S set a register to an address that calls of regions alone want, in whose place is what they call?  It is not written: the function
   that it names would be compiled, too.  */
static bool
is_for_calls (const struct direct *d, const struct ptx_stmt *s)
{
  const struct ptx_function *f = d->lf->f;
  const struct ptx_operand *o = s->u.insn.operands;
  uint32_t others = 0;
  struct lanes_block b;

  if (!lanes_is_insn (s, PTX_OP_MOV, 2) || o[0].kind != PTX_O_REG || o[0].element != 0 || o[1].kind != PTX_O_SYMBOL)
    return false;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    if (!lanes_is_insn (&f->stmts[i], PTX_OP_MOV, 2) || !lanes_sets_reg (&f->stmts[i], o[0].id)
	|| f->stmts[i].u.insn.operands[1].kind != PTX_O_SYMBOL)
      others += lanes_mentions (&f->stmts[i], o[0].id);
  for (uint32_t call = 0; call < d->lf->num_calls && others > 0; call++)
    if (lanes_direct_callee (d->w, &d->lf->calls[call]) == LANES_CALLEE_PARALLEL && lanes_direct_call (d, call, &b)
	&& lanes_is_reg (&b.args[0], o[0].id) && !lanes_is_reg (&b.args[1], o[0].id) && !lanes_is_reg (&b.args[2], o[0].id))
      for (uint32_t i = b.begin; i <= b.end; i++)
	others -= lanes_mentions (&f->stmts[i], o[0].id);
  return others == 0;
}

static bool
put_function (struct direct *d, struct ptx_text *out, ptx_name end, char why[PTX_WHY])
{
  const struct lanes_function *lf = d->lf;
  const struct ptx_function *f = lf->f;
  struct ptx *ptx = d->w->ptx;
  uint32_t call = 0;

  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      struct lanes_block b;
      int64_t at;
      if (i == lf->frame_begin)
	{
	  if (d->based)
	    ptx_printf (out, "\tmov.u64 %.*s, %%direct_base;\n",
			NAME (ptx, f->vars[lf->frame_reg].name));
	  if (d->grows)
	    ptx_printf (out, "\tmov.u64 %.*s, %%direct_base;\n",
			NAME (ptx, f->vars[lf->stack_reg].name));
	  i = lf->frame_end;
	}
      else if (lf->has_uniform && i == lf->uniform_begin)
	i = lf->uniform_end;
      else if (i == d->base.load)
	ptx_printf (out, "\tmov.u64 %.*s, %%direct_word;\n",
		    NAME (ptx, f->vars[d->base.param].name));
      else if (s->kind == PTX_STMT_BEGIN && lanes_put_effect (out, lf, &d->effects, &d->frame, i))
	i = s->u.match;
      else if (s->kind == PTX_STMT_BEGIN && lanes_block_calls (lf, i, &call))
	{
	  if (!lanes_direct_call (d, call, &b))
	    return false;
	  switch (lanes_direct_callee (d->w, &lf->calls[call]))
	    {
	    case LANES_CALLEE_TEAMS:
	      put_teams (d, out, f, &b);
	      break;
	    case LANES_CALLEE_NUM_TEAMS:
	      lanes_put_num_teams (d, out, &b);
	      break;
	    case LANES_CALLEE_PURE:
	      for (uint32_t k = b.begin; k <= b.end; k++)
		ptx_print_stmt (out, f, &f->stmts[k]);
	      break;
	    case LANES_CALLEE_TEAM_NUM:
	      ptx_printf (out, "\tmov.u32 %.*s, %%direct_team;\n",
			  NAME (ptx, f->vars[b.result].name));
	      break;
	    default:
	      if (!put_region (d, out, lanes_direct_region (d->w, lf, call, d->form), &b, why))
		return false;
	    }
	  i = b.end;
	}
      else if (s->kind == PTX_STMT_INSN && lanes_is_insn (s, PTX_OP_ST, 2)
	       && s->u.insn.op->space == PTX_SHARED)
	continue;		/* the frame is given back */
      else if (is_for_calls (d, s))
	continue;
      else if (lanes_is_insn (s, PTX_OP_RET, 0))
	{
	  lanes_put_guard (out, f, s);
	  ptx_printf (out, "bra %.*s;\n", NAME (ptx, end));
	}
      else if (lanes_frame_is_at (&d->frame.places, s, &at))
	lanes_put_slots (out, f, s, at, &d->slots);
      else
	{
	  put_held (d, out, s, false);
	  if (!lanes_put_effect (out, lf, &d->effects, &d->frame, i)
	      && (d->form != LANES_FORM_WARPS || !lanes_put_division (out, f, &i)))
	    {
	      lanes_put_growth (d, out, s);
	      ptx_print_stmt (out, f, s);
	    }
	}
    }
  return true;
}

/* A call of what nvptx-carry.c has put in, which is number NUMBER of ENTRY's: its last statement.
   0: it is none, or not as there.  */
static uint32_t
put_carry (struct ptx_text *out, const struct lanes_function *entry, uint32_t number)
{
  const struct lanes_call *call = &entry->calls[number];
  const struct ptx *ptx = entry->f->module->ptx;
  struct lanes_block b;

  if (lanes_name_is (ptx, call->name, NVPTX_CARRY_IN)
      && lanes_call_block (entry->f, call, LANES_CARRY_IN_ARGS, 0, &b))
    lanes_put_carry_in (out, entry->f, b.args);
  else if (lanes_name_is (ptx, call->name, NVPTX_CARRY_OUT)
	   && lanes_call_block (entry->f, call, LANES_CARRY_ARGS, 0, &b))
    lanes_put_carry_out (out, entry->f, b.args);
  else
    return 0;
  return b.end;
}

/* The number that O is at each statement of F, or 0.  */
static uint64_t
constant (const struct ptx_function *f, const struct ptx_operand *o)
{
  const struct ptx_stmt *set = NULL;

  if (o->kind == PTX_O_INT)
    return o->u.value;
  for (uint32_t i = 0; i < f->num_stmts && o->kind == PTX_O_REG; i++)
    if (lanes_sets_reg (&f->stmts[i], o->id))
      {
	if (set != NULL)
	  return 0;
	set = &f->stmts[i];
      }
  return set != NULL && lanes_is_insn (set, PTX_OP_MOV, 2) && set->guard == PTX_NO_INDEX
		 && set->u.insn.operands[1].kind == PTX_O_INT
	     ? set->u.insn.operands[1].u.value
	     : 0;
}

/* Does D's function ask for more threads than a kernel can have whatever its registers: by thread_limit
   or num_threads?  */
static bool
asks_for_many (const struct direct *d)
{
  for (uint32_t call = 0; call < d->lf->num_calls; call++)
    {
      enum lanes_callee callee = lanes_direct_callee (d->w, &d->lf->calls[call]);
      struct lanes_block b;
      if ((callee == LANES_CALLEE_TEAMS || callee == LANES_CALLEE_PARALLEL)
	  && lanes_direct_call (d, call, &b) && constant (d->lf->f, &b.args[2]) > MANY_THREADS)
	return true;
    }
  return false;
}

/* Append the kernel NAME, which is ENTRY but for that, and ends at label END.  */
static bool
put_kernel (struct direct *d, struct ptx_text *text, const struct lanes_function *entry,
	    ptx_name name, ptx_name end, char why[PTX_WHY])
{
  const struct ptx_function *f = entry->f;
  struct ptx *ptx = d->w->ptx;
  struct ptx_function head = *f;
  bool good, carries = entry->num_calls > 1;
  uint32_t call = 0, last;
  size_t begin = text->size;

  ptx_printf (text, "// BEGIN GLOBAL FUNCTION DEF: %.*s\n", NAME (ptx, name));
  head.name = name;
  head.has_body = false;
  ptx_print_function (text, &head);
  /* Up to the `;' of a declaration.  */
  while (text->size > begin && text->text[text->size - 1] != ')')
    text->size--;
  /* So that it does not get registers which leave no room for them.  */
  ptx_printf (text, d->form != LANES_FORM_WARPS && asks_for_many (d) ? "\n.maxntid 1024, 1, 1\n{\n" : "\n{\n");
  good = text->size > begin;
  for (uint32_t i = 0; i < f->num_stmts && good; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      const struct lanes_call *main = NULL;
      while (call < entry->num_calls && entry->calls[call].stmt < i)
	call++;
      if (s->kind == PTX_STMT_BEGIN && call < entry->num_calls
	  && entry->calls[call].stmt < s->u.match
	  && lanes_name_is (ptx, entry->calls[call].name, "gomp_nvptx_main"))
	main = &entry->calls[call];
      if (main != NULL)
	{
	  ptx_printf (text, "\t{\n");
	  put_begin (d, text, f, carries);
	  good = put_function (d, text, end, why);
	  ptx_printf (text, "%.*s:\n", NAME (ptx, end));
	  if (carries && d->form != LANES_FORM_WARPS)
	    put_end (text);
	  ptx_printf (text, "\t}\n");
	  i = s->u.match;
	}
      else if (s->kind == PTX_STMT_BEGIN && call < entry->num_calls
	       && (last = put_carry (text, entry, call)) != 0)
	i = last;
      else if (!lanes_is_insn (s, PTX_OP_MOV, 2) || s->u.insn.operands[1].kind != PTX_O_SYMBOL
	       || s->u.insn.operands[1].id != d->lf->f->name)
	ptx_print_stmt (text, f, s);
    }
  ptx_printf (text, "}\n");
  return good && !text->no_memory;
}

/* The kernel that TEXT has from BEGIN on, which it is taken from.  NULL: WHY says why.  */
static struct ptx_function *
take_kernel (struct ptx_module *module, struct ptx_text *text, size_t begin, char why[PTX_WHY])
{
  uint32_t before = module->num_items;

  if (!ptx_add_items (module, text->text + begin, text->size - begin, why)
      || module->num_items != before + 1 || module->items[before]->kind != PTX_ITEM_FUNCTION)
    return NULL;
  text->size = begin;
  module->items[before]->left_out = true; /* the text will have it */
  return module->items[before]->u.function;
}

/* Can groups of lanes be threads of D's region?  Fills in N, but for what is found in the kernel.
 */
static bool
can_have_groups (const struct direct *d, struct lanes_nest *n, struct ptx_function *f)
{
  *n = (struct lanes_nest) {
    .w = d->w, .f = f, .begin_label = d->begin_label, .end_label = d->end_label, .each = d->each
  };
  return (d->w->flags & NVPTX_LANES_NEST) != 0 && d->form == LANES_FORM_LANES && d->num_regions == 1
	 && d->each != 0 && !d->effects.any && !d->frame.shared && !d->slots.in_memory
	 && d->region->stride->end_first == PTX_NO_INDEX && d->region->stride->num_parts == 0;
}

static uint32_t
reg_called (const struct ptx_function *f, ptx_name name)
{
  for (uint32_t i = 0; i < f->num_vars; i++)
    if (f->vars[i].name == name)
      return i;
  return PTX_NO_INDEX;
}

/* Keep what N says of D's region, of which a loop was FOUND.  */
static void
note_nest (const struct direct *d, const struct lanes_nest *n, bool found)
{
  for (size_t i = 0; i < d->w->num_regions; i++)
    if (d->w->regions[i].root == d->region)
      {
	d->w->regions[i].result->nest = found;
	d->w->regions[i].result->why_no_nest = n->why_not;
      }
}

/* Share out the loop of N that was found in kernel F of D.  False: WHY.  */
static bool
share_out (const struct direct *d, struct lanes_nest *n, struct ptx_function *f, char why[PTX_WHY])
{
  uint32_t width = reg_called (f, d->width), place = reg_called (f, d->place);

  return width != PTX_NO_INDEX && place != PTX_NO_INDEX && lanes_emit_nest (n, width, place, why);
}

/* Append a variable of SIZE bytes that is called NAME and SUFFIX.  */
static void
put_size_of (const struct ptx *ptx, struct ptx_text *text, ptx_name name, const char *suffix,
	     uint64_t size)
{
  ptx_printf (
      text, "// BEGIN GLOBAL VAR DEF: %.*s%s\n.visible .global .align 1 .b8 %.*s%s[%" PRIu64 "];\n",
      NAME (ptx, name), suffix, NAME (ptx, name), suffix, size);
}

/* Call kernel F what tells that it takes its arguments from the launch.  False: no memory, or WHY.  */
static bool
name_taker (struct lanes_work *w, struct ptx_function *f, char why[PTX_WHY])
{
  const struct ptx_name_entry *e = &w->ptx->names[f->name];
  ptx_name name = ptx_internf (w->ptx, "%.*s" LANES_ARGS_SUFFIX, (int) e->length, e->text);

  if (name != 0 && ptx_find_item (w->modules[0], name) != NULL)
    {
      snprintf (why, PTX_WHY, "the image has the name of a version of %.*s", NAME (w->ptx, f->name));
      return false;
    }
  f->name = name;
  return name != 0;
}

bool
lanes_make_direct (struct lanes_work *w, const struct lanes_function *entry,
		   const struct lanes_function *lf, ptx_name name, char why[PTX_WHY])
{
  struct direct d = *lf->direct; /* another kernel may run the same function */
  struct ptx_text *text = &w->texts[0];
  struct ptx_function *f;
  struct lanes_nest nest;
  bool again, failed = false;

  if (!lanes_declare_icvs (w, why)
      || ((d.form == LANES_FORM_WARPS) != lf->is_warps
	  && !lanes_examine_direct (&d, w, lf, lf->is_warps)))
    return false;
  const struct direct as_it_is = d;
  size_t begin = text->size;
  /* As it is, once more if it has a loop for groups of lanes, and as it was if that is not there
     any more.  */
  do
    {
      ptx_name end = ptx_fresh_name (w->ptx, "$direct_exit");
      if (end == 0 || !put_kernel (&d, text, entry, name, end, why)
	  || (f = take_kernel (w->modules[0], text, begin, why)) == NULL)
	return false;
      bool found = !failed && can_have_groups (&d, &nest, f) && lanes_find_nest (&nest);
      if (d.num_regions == 1 && !failed)
	note_nest (&d, &nest, found);
      if (d.groups && found && !share_out (&d, &nest, f, why))
	return false;
      again = d.groups != found;
      failed = d.groups && !found;
      if (again)
	{
	  d = as_it_is;
	  d.groups = found;
	}
    }
  while (again);
  uint32_t before = w->modules[0]->num_items;
  bool takes_args;
  if ((d.locks && !lanes_use_team_locks (w, f, why)) || !lanes_give_spaces (f, &takes_args, why)
      || !lanes_give_offsets (f, why))
    return false;
  for (uint32_t i = before; i < w->modules[0]->num_items; i++)
    w->modules[0]->items[i]->left_out = true;
  if (takes_args && !name_taker (w, f, why))
    return false;
  ptx_printf (text, "// BEGIN GLOBAL FUNCTION DEF: %.*s\n", NAME (w->ptx, f->name));
  ptx_print_function (text, f);
  if (d.groups)
    {
      put_size_of (w->ptx, text, name, LANES_STORES_SUFFIX, nest.stored);
      put_size_of (w->ptx, text, name, LANES_USES_SUFFIX, nest.stored | nest.loaded);
    }
  return !text->no_memory;
}
