/* nvptx-lanes-scan.c -- what the code of one function says about running it by lanes, each on its own.

   Owns: the reading of a function (struct lanes_function): the two blocks by which GCC begins a function,
   one that takes a frame from the warp's soft stack and one that asks whether lanes are alone
   (doc/abi-notes.md has both); its calls; the first statement that stands in the way.

   Invariants
   1. What is not known stands in the way.  Opcodes and special registers that lane code may have are
      listed here, not those that it may not.
   2. A block is recognised by every instruction in it, registers included, and what it leaves in
      registers must be used as GCC uses it and be set nowhere else.  Otherwise the function
      uses the stacks or flags in a way of its own, which is a reason.
   3. Statements that run only in uniform code (guarded by the predicate for that) are not looked at: in lane
      code they don't run.

   Called by nvptx-lanes.c, by one thread.  */

#include "nvptx-lanes-work.h"

#include <stdlib.h>
#include <string.h>

/* ---- what lane code may have ---- */

/* By name, as each instruction asks.  */
static const bool good_opcodes[PTX_NUM_WORDS] =
{
  [PTX_OP_ABS] = true, [PTX_OP_ADD] = true, [PTX_OP_ADDC] = true, [PTX_OP_AND] = true, [PTX_OP_BFE] = true,
  [PTX_OP_BFI] = true, [PTX_OP_BFIND] = true, [PTX_OP_BMSK] = true, [PTX_OP_BRA] = true, [PTX_OP_BREV] = true,
  [PTX_OP_BRX] = true, [PTX_OP_CALL] = true, [PTX_OP_CLZ] = true, [PTX_OP_CNOT] = true, [PTX_OP_COPYSIGN] = true,
  [PTX_OP_COS] = true, [PTX_OP_CVT] = true, [PTX_OP_CVTA] = true, [PTX_OP_DIV] = true, [PTX_OP_DP2A] = true,
  [PTX_OP_DP4A] = true, [PTX_OP_EX2] = true, [PTX_OP_FENCE] = true, [PTX_OP_FMA] = true, [PTX_OP_FNS] = true,
  [PTX_OP_LD] = true, [PTX_OP_LDU] = true, [PTX_OP_LG2] = true, [PTX_OP_LOP3] = true, [PTX_OP_MAD] = true,
  [PTX_OP_MAD24] = true, [PTX_OP_MADC] = true, [PTX_OP_MAX] = true, [PTX_OP_MEMBAR] = true, [PTX_OP_MIN] = true,
  [PTX_OP_MOV] = true, [PTX_OP_MUL] = true, [PTX_OP_MUL24] = true, [PTX_OP_NANOSLEEP] = true, [PTX_OP_NEG] = true,
  [PTX_OP_NOT] = true, [PTX_OP_OR] = true, [PTX_OP_POPC] = true, [PTX_OP_PREFETCH] = true, [PTX_OP_PRMT] = true,
  [PTX_OP_RCP] = true, [PTX_OP_REM] = true, [PTX_OP_RET] = true, [PTX_OP_RSQRT] = true, [PTX_OP_SAD] = true,
  [PTX_OP_SELP] = true, [PTX_OP_SET] = true, [PTX_OP_SETP] = true, [PTX_OP_SHF] = true, [PTX_OP_SHL] = true,
  [PTX_OP_SHR] = true, [PTX_OP_SIN] = true, [PTX_OP_SLCT] = true, [PTX_OP_SQRT] = true, [PTX_OP_ST] = true,
  [PTX_OP_SUB] = true, [PTX_OP_SUBC] = true, [PTX_OP_SZEXT] = true, [PTX_OP_TANH] = true, [PTX_OP_TESTP] = true,
  [PTX_OP_TRAP] = true, [PTX_OP_XOR] = true, [PTX_OP_ATOM] = true, [PTX_OP_RED] = true,
  /* GCC makes a sum of three with vadd.  */
  [PTX_OP_VABSDIFF] = true, [PTX_OP_VADD] = true, [PTX_OP_VMAD] = true, [PTX_OP_VMAX] = true, [PTX_OP_VMIN] = true,
  [PTX_OP_VSET] = true, [PTX_OP_VSHL] = true, [PTX_OP_VSHR] = true, [PTX_OP_VSUB] = true
};

static const bool warp_opcodes[PTX_NUM_WORDS] =
{
  [PTX_OP_ACTIVEMASK] = true, [PTX_OP_BAR] = true, [PTX_OP_BARRIER] = true, [PTX_OP_ELECT] = true,
  [PTX_OP_MATCH] = true, [PTX_OP_REDUX] = true, [PTX_OP_SHFL] = true, [PTX_OP_VOTE] = true
};

/* Special registers that have nothing to do with warps.  */
static const bool good_special[PTX_NUM_WORDS] =
{
  [PTX_SREG_CTAID] = true, [PTX_SREG_NCTAID] = true, [PTX_SREG_SMID] = true, [PTX_SREG_NSMID] = true,
  [PTX_SREG_GRIDID] = true, [PTX_SREG_CLOCK] = true, [PTX_SREG_CLOCK_HI] = true, [PTX_SREG_CLOCK64] = true,
  [PTX_SREG_GLOBALTIMER] = true, [PTX_SREG_GLOBALTIMER_LO] = true, [PTX_SREG_GLOBALTIMER_HI] = true
};

bool
lanes_is_good_opcode (ptx_name opcode)
{
  return ptx_is_word (opcode) && good_opcodes[opcode];
}

static bool
is_warp_opcode (ptx_name opcode)
{
  return ptx_is_word (opcode) && warp_opcodes[opcode];
}

bool
lanes_is_good_special (ptx_name name)
{
  return ptx_is_word (name) && good_special[name];
}

static void
object_to (struct lanes_function *f, enum nvptx_lanes_reason reason, ptx_name name, uint32_t line)
{
  if (f->reason != LANES_NO_REASON)
    return;
  f->reason = reason;
  f->reason_name = name;
  f->line = line;
}

/* ---- the blocks ---- */

/* Statement I is the unguarded instruction TEXT, with NUM operands.  */
static bool
is_insn (const struct lanes_work *w, const struct ptx_function *f, uint32_t i, const char *text,
	 unsigned num)
{
  const struct ptx_stmt *s = &f->stmts[i];
  return i < f->num_stmts && s->kind == PTX_STMT_INSN && s->guard == PTX_NO_INDEX
	 && s->num_operands == num && lanes_name_is (w->ptx, s->u.insn.op->text, text);
}

static const struct ptx_operand *
operand (const struct ptx_function *f, uint32_t i, unsigned n)
{
  return &f->stmts[i].u.insn.operands[n];
}

/* The register that operand N of statement I is; PTX_NO_INDEX: it is none.  */
static uint32_t
reg_of (const struct ptx_function *f, uint32_t i, unsigned n)
{
  const struct ptx_operand *o = operand (f, i, n);
  return o->kind == PTX_O_REG && o->element == 0 ? o->id : PTX_NO_INDEX;
}

static bool
is_special (const struct ptx_operand *o, ptx_name name, unsigned element)
{
  return o->kind == PTX_O_SPECIAL && o->id == name && o->element == element;
}

static bool
is_symbol (const struct ptx_operand *o, ptx_name name)
{
  return o->kind == PTX_O_SYMBOL && o->u.value == 0 && o->id == name;
}

static bool
is_int (const struct ptx_operand *o)
{
  return o->kind == PTX_O_INT;
}

/* [register], without an offset.  */
static bool
is_at (const struct ptx_operand *o, uint32_t reg)
{
  return o->kind == PTX_O_ADDRESS && o->base == PTX_O_REG && o->id == reg && o->u.value == 0;
}

/* From statement I on, the address of the warp's element of ARRAY, of words of SIZE bytes:
	mov.u32 a, %tid.y; mul.wide.u32 b, a, SIZE; mov.u64 c, ARRAY; add.u64 *ADDRESS, c, b;
   Returns how many statements it is, 4 or 0; *A is register a.  */
static uint32_t
match_element (const struct lanes_work *w, const struct ptx_function *f, uint32_t i, ptx_name array,
	       unsigned size, uint32_t *address, uint32_t *a)
{
  uint32_t b, c;
  if (!is_insn (w, f, i, "mov.u32", 2) || !is_special (operand (f, i, 1), PTX_SREG_TID, 2)
      || (*a = reg_of (f, i, 0)) == PTX_NO_INDEX)
    return 0;
  i++;
  if (!is_insn (w, f, i, "mul.wide.u32", 3) || !lanes_is_reg (operand (f, i, 1), *a)
      || !is_int (operand (f, i, 2)) || operand (f, i, 2)->u.value != size
      || (b = reg_of (f, i, 0)) == PTX_NO_INDEX)
    return 0;
  i++;
  if (!is_insn (w, f, i, "mov.u64", 2) || !is_symbol (operand (f, i, 1), array)
      || (c = reg_of (f, i, 0)) == PTX_NO_INDEX)
    return 0;
  i++;
  if (!is_insn (w, f, i, "add.u64", 3) || !lanes_is_reg (operand (f, i, 1), c) || !lanes_is_reg (operand (f, i, 2), b)
      || (*address = reg_of (f, i, 0)) == PTX_NO_INDEX)
    return 0;
  return 4;
}

/* The first instruction behind the brace at I.  */
static uint32_t
first_insn (const struct ptx_function *f, uint32_t i)
{
  for (i++; i < f->num_stmts && f->stmts[i].kind == PTX_STMT_DECLARE; i++)
    ;
  return i;
}

/* The block that takes a frame:
	{ *SLOT as above;  ld.shared.u64 previous, [slot];
	  sub.u64 frame, previous, SIZE;  [and.b64 frame, frame, -ALIGN;]  sub.u64 stack, frame, OUTGOING;
	  [st.shared.u64 [slot], stack;] }  */
static bool
match_frame (const struct lanes_work *w, struct lanes_function *lf, uint32_t begin)
{
  const struct ptx_function *f = lf->f;
  uint32_t i = first_insn (f, begin), a, slot, previous, frame, stack, n;
  uint64_t size, outgoing, align = 16;
  bool loose = true;

  if ((n = match_element (w, f, i, w->stacks, 8, &slot, &a)) == 0)
    return false;
  i += n;
  if (!is_insn (w, f, i, "ld.shared.u64", 2) || !is_at (operand (f, i, 1), slot)
      || (previous = reg_of (f, i, 0)) == PTX_NO_INDEX)
    return false;
  i++;
  if (!is_insn (w, f, i, "sub.u64", 3) || !lanes_is_reg (operand (f, i, 1), previous)
      || !is_int (operand (f, i, 2)) || (frame = reg_of (f, i, 0)) == PTX_NO_INDEX)
    return false;
  size = operand (f, i, 2)->u.value;
  i++;
  if (is_insn (w, f, i, "and.b64", 3))
    {
      if (!lanes_is_reg (operand (f, i, 0), frame) || !lanes_is_reg (operand (f, i, 1), frame)
	  || !is_int (operand (f, i, 2)))
	return false;
      align = -operand (f, i, 2)->u.value;
      loose = false;
      i++;
    }
  if (!is_insn (w, f, i, "sub.u64", 3) || !lanes_is_reg (operand (f, i, 1), frame)
      || !is_int (operand (f, i, 2)) || (stack = reg_of (f, i, 0)) == PTX_NO_INDEX)
    return false;
  outgoing = operand (f, i, 2)->u.value;
  i++;
  if (is_insn (w, f, i, "st.shared.u64", 2))
    {
      if (!is_at (operand (f, i, 0), slot) || !lanes_is_reg (operand (f, i, 1), stack))
	return false;
      i++;
    }
  if (i != f->stmts[begin].u.match || size > UINT16_MAX || outgoing > UINT16_MAX || align < 1
      || align > 4096 || (align & (align - 1)) != 0)
    return false;
  lf->has_frame = true;
  lf->frame_begin = begin;
  lf->frame_end = i;
  lf->frame_reg = frame;
  lf->stack_reg = stack;
  lf->slot_reg = slot;
  lf->previous_reg = previous;
  lf->frame_size = size;
  lf->outgoing_size = outgoing;
  lf->frame_align = align < 16 ? 16 : align;
  lf->frame_loose = loose;
  return true;
}

/* The block that asks whether lanes are alone:
	{ FLAG as above;  ld.shared.u32 lane, [flag];  setp.eq.u32 together, lane, 0;  mov.u32 a, %laneid;
	  and.b32 lane, lane, a;  setp.eq.u32 master, lane, a; }
   Also the form that simd code has, of nothing but FLAG: who uses that makes lanes alone itself.  */
static bool
match_uniform (const struct lanes_work *w, struct lanes_function *lf, uint32_t begin)
{
  const struct ptx_function *f = lf->f;
  uint32_t i = first_insn (f, begin), a, flag, lane, together, master, n;

  if ((n = match_element (w, f, i, w->uniform, 4, &flag, &a)) == 0)
    return false;
  i += n;
  if (i == f->stmts[begin].u.match)
    {
      object_to (lf, LANES_SIMD, 0, f->stmts[begin].line);
      return true;
    }
  if (!is_insn (w, f, i, "ld.shared.u32", 2) || !is_at (operand (f, i, 1), flag)
      || (lane = reg_of (f, i, 0)) == PTX_NO_INDEX)
    return false;
  i++;
  if (!is_insn (w, f, i, "setp.eq.u32", 3) || !lanes_is_reg (operand (f, i, 1), lane)
      || !is_int (operand (f, i, 2)) || operand (f, i, 2)->u.value != 0
      || (together = reg_of (f, i, 0)) == PTX_NO_INDEX)
    return false;
  i++;
  if (!is_insn (w, f, i, "mov.u32", 2) || !lanes_is_reg (operand (f, i, 0), a)
      || !is_special (operand (f, i, 1), PTX_SREG_LANEID, 0))
    return false;
  i++;
  if (!is_insn (w, f, i, "and.b32", 3) || !lanes_is_reg (operand (f, i, 0), lane)
      || !lanes_is_reg (operand (f, i, 1), lane) || !lanes_is_reg (operand (f, i, 2), a))
    return false;
  i++;
  if (!is_insn (w, f, i, "setp.eq.u32", 3) || !lanes_is_reg (operand (f, i, 1), lane)
      || !lanes_is_reg (operand (f, i, 2), a) || (master = reg_of (f, i, 0)) == PTX_NO_INDEX)
    return false;
  i++;
  if (i != f->stmts[begin].u.match)
    return false;
  lf->has_uniform = true;
  lf->uniform_begin = begin;
  lf->uniform_end = i;
  lf->lane_reg = lane;
  lf->master_reg = master;
  lf->together_reg = together;
  lf->flag_reg = flag;
  return true;
}

/* ---- calls ---- */

bool
lanes_is_library_name (const struct ptx *ptx, ptx_name name)
{
  return lanes_name_begins (ptx, name, "GOMP_") || lanes_name_begins (ptx, name, "omp_")
	 || lanes_name_begins (ptx, name, "gomp_") || lanes_name_begins (ptx, name, "GOACC_")
	 || lanes_name_begins (ptx, name, "gompx_") || lanes_name_begins (ptx, name, "accel_");
}

static void
scan_call (struct lanes_work *w, struct lanes_function *lf, uint32_t i)
{
  const struct ptx_operand *target = operand (lf->f, i, PTX_CALL_TARGET);
  struct lanes_call *call = &lf->calls[lf->num_calls++];
  bool record, ours;

  *call = (struct lanes_call) { .stmt = i, .kind = LANES_CALL_POINTER };
  if (target->kind != PTX_O_SYMBOL)
    {
      object_to (lf, LANES_INDIRECT_CALL, 0, lf->f->stmts[i].line);
      return;
    }
  call->name = target->id;
  call->callee = lanes_resolve (w, lf->object, call->name);
  ours = call->callee != NULL && call->callee->object >= w->num - w->num_ours;
  if ((lanes_is_library_name (w->ptx, call->name) && (call->callee == NULL || call->callee->object != 0))
      || (ours && lanes_library_version (w, call->name, &record) != 0))
    {
      call->kind = LANES_CALL_LIBRARY;
      if (lanes_name_begins (w->ptx, call->name, "gompx_order_"))
	object_to (lf, LANES_ORDER, 0, lf->f->stmts[i].line);
      else if (lanes_library_version (w, call->name, &record) == 0)
	object_to (lf, LANES_NO_VERSION, call->name, lf->f->stmts[i].line);
    }
  else if (call->callee != NULL)
    call->kind = LANES_CALL_CODE;
  else if (lanes_name_is (w->ptx, call->name, "malloc") || lanes_name_is (w->ptx, call->name, "free")
	   || lanes_name_is (w->ptx, call->name, "vprintf"))
    call->kind = LANES_CALL_DRIVER;
  else
    {
      call->kind = LANES_CALL_MISSING;
      object_to (lf, LANES_NOT_THERE, call->name, lf->f->stmts[i].line);
    }
}

/* ---- statements ---- */

/* O mentions what only the blocks may mention.  WRITTEN: it is a result.  */
static void
scan_operand (struct lanes_work *w, struct lanes_function *lf, const struct ptx_stmt *s,
	      const struct ptx_operand *o, bool written)
{
  unsigned kind = o->kind == PTX_O_ADDRESS ? o->base : o->kind;
  bool address = o->kind == PTX_O_ADDRESS;

  switch (kind)
    {
    case PTX_O_VECTOR:
    case PTX_O_PAIR:
    case PTX_O_ARGS:
    case PTX_O_BRACKETS:
      for (uint32_t i = 0; i < o->id; i++)
	scan_operand (w, lf, s, &o->u.list[i], written);
      break;
    case PTX_O_SPECIAL:
      if (!lanes_is_good_special (o->id))
	object_to (lf, LANES_WARP_OPERATION, o->id, s->line);
      break;
    case PTX_O_SYMBOL:
      if (o->id == w->stacks || o->id == w->uniform)
	object_to (lf, LANES_STACK_USE, 0, s->line);
      else
	{
	  const struct ptx_var *v = ptx_find_variable (lf->f->module, o->id);
	  if (v != NULL && v->space == PTX_SHARED)
	    object_to (lf, LANES_WARP_OPERATION, o->id, s->line);
	}
      break;
    case PTX_O_VAR:
      if (!address && lf->f->vars[o->id].space == PTX_PARAM && s->u.insn.op->opcode != PTX_OP_CALL)
	object_to (lf, LANES_STACK_USE, 0, s->line);
      else if (lf->f->vars[o->id].space == PTX_SHARED)
	object_to (lf, LANES_WARP_OPERATION, lf->f->vars[o->id].name, s->line);
      break;
    case PTX_O_REG:
      if (lf->has_uniform
	  && (o->id == lf->lane_reg || o->id == lf->master_reg || o->id == lf->together_reg
	      || o->id == lf->flag_reg))
	object_to (lf, o->id == lf->flag_reg ? LANES_SIMD : LANES_STACK_USE, 0, s->line);
      if (lf->has_frame
	  && (o->id == lf->slot_reg || o->id == lf->previous_reg
	      || (written && !address && (o->id == lf->frame_reg || o->id == lf->stack_reg))))
	object_to (lf, LANES_ALLOCA, 0, s->line);
      break;
    default:
      break;
    }
}

bool
lanes_has_result (ptx_name opcode)
{
  return opcode != PTX_OP_ST && opcode != PTX_OP_RED && opcode != PTX_OP_BRA && opcode != PTX_OP_BRX
	 && opcode != PTX_OP_PREFETCH && opcode != PTX_OP_NANOSLEEP && opcode != PTX_OP_CALL;
}

static void
scan_insn (struct lanes_work *w, struct lanes_function *lf, uint32_t i)
{
  const struct ptx_function *f = lf->f;
  const struct ptx_stmt *s = &f->stmts[i];
  const struct ptx_op *op = s->u.insn.op;

  if (s->guard != PTX_NO_INDEX && lf->has_uniform)
    {
      if (s->guard == lf->together_reg && !s->guard_negated)
	return;
      if (s->guard == lf->together_reg || (s->guard == lf->master_reg && s->guard_negated)
	  || (s->guard == lf->master_reg && (op->opcode == PTX_OP_BRA || op->opcode == PTX_OP_RET)))
	object_to (lf, LANES_STACK_USE, 0, s->line);
    }
  /* The frame is given back.  */
  if (lf->has_frame && is_insn (w, f, i, "st.shared.u64", 2) && is_at (operand (f, i, 0), lf->slot_reg)
      && lanes_is_reg (operand (f, i, 1), lf->previous_reg))
    return;
  /* `trap; exit;': what can't be reached.  */
  if (op->opcode == PTX_OP_EXIT && s->guard == PTX_NO_INDEX && i > 0
      && f->stmts[i - 1].kind == PTX_STMT_INSN && f->stmts[i - 1].guard == PTX_NO_INDEX
      && f->stmts[i - 1].u.insn.op->opcode == PTX_OP_TRAP)
    return;
  if (!is_warp_opcode (op->opcode) && !lanes_is_good_opcode (op->opcode) && op->opcode != PTX_OP_EXIT)
    object_to (lf, LANES_UNKNOWN, op->text, s->line);
  if (ptx_op_has (op, PTX_UNI))
    lf->has_uni_branch = true;
  for (unsigned n = 0; n < s->num_operands; n++)
    {
      /* A call's target is not a variable, and its function may have any name.  */
      if (op->opcode == PTX_OP_CALL && n == PTX_CALL_TARGET && operand (f, i, n)->kind == PTX_O_SYMBOL)
	continue;
      scan_operand (w, lf, s, operand (f, i, n),
		    op->opcode == PTX_OP_CALL ? n == PTX_CALL_RESULT : n == 0 && lanes_has_result (op->opcode));
    }
  /* Last: what is used wrongly tells more.  */
  if (is_warp_opcode (op->opcode) || op->opcode == PTX_OP_EXIT
      || (op->space != 0 && op->space != PTX_PARAM && op->space != PTX_LOCAL && op->space != PTX_GLOBAL
	  && op->space != PTX_CONST))
    object_to (lf, LANES_WARP_OPERATION, op->text, s->line);
  if (op->opcode == PTX_OP_CALL)
    scan_call (w, lf, i);
}

bool
lanes_sets_reg (const struct ptx_stmt *s, uint32_t reg)
{
  bool call = s->kind == PTX_STMT_INSN && s->u.insn.op->opcode == PTX_OP_CALL;
  if (s->kind != PTX_STMT_INSN || s->num_operands == 0 || (!call && !lanes_has_result (s->u.insn.op->opcode)))
    return false;
  const struct ptx_operand *o = &s->u.insn.operands[call ? PTX_CALL_RESULT : 0];
  if (o->kind == PTX_O_PAIR || o->kind == PTX_O_VECTOR || o->kind == PTX_O_ARGS)
    for (uint32_t k = 0; k < o->id; k++)
      if (o->u.list[k].kind == PTX_O_REG && o->u.list[k].id == reg)
	return true;
  return o->kind == PTX_O_REG && o->id == reg;
}

/* `mov r, SYMBOL': the symbol, else 0.  */
static ptx_name
symbol_moved (const struct ptx_stmt *s)
{
  const struct ptx_operand *o = s->u.insn.operands;
  return s->u.insn.op->opcode == PTX_OP_MOV && s->num_operands == 2 && o[0].kind == PTX_O_REG
	 && o[1].kind == PTX_O_SYMBOL && o[1].u.value == 0 ? o[1].id : 0;
}

/* Is a register that the uniform block makes set anywhere else?  Guards count for nothing here: dead statements, too, must not set
   what others go by.  */
static bool
is_set_outside (const struct lanes_function *lf)
{
  for (uint32_t i = 0; i < lf->f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &lf->f->stmts[i];
      if ((i < lf->uniform_begin || i > lf->uniform_end) && s->kind == PTX_STMT_INSN
	  && (lanes_sets_reg (s, lf->lane_reg) || lanes_sets_reg (s, lf->master_reg) || lanes_sets_reg (s, lf->together_reg)
	      || lanes_sets_reg (s, lf->flag_reg)))
	return true;
    }
  return false;
}

/* A simd loop in a function that asks for the flag, too, for its atomic operations, stores into it.  */
static bool
sets_flag (const struct lanes_function *lf)
{
  for (uint32_t i = 0; i < lf->f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &lf->f->stmts[i];
      if (s->kind == PTX_STMT_INSN && s->u.insn.op->opcode == PTX_OP_ST && s->u.insn.op->space == PTX_SHARED
	  && s->num_operands == 2 && is_at (&s->u.insn.operands[0], lf->flag_reg))
	return true;
    }
  return false;
}

void
lanes_scan (struct lanes_work *w, struct lanes_function *lf)
{
  char why[PTX_WHY];
  struct ptx_function *f = lf->f;
  uint32_t num_calls = 0, depth = 0;
  bool prologue = true;

  if (lf->scanned)
    return;
  lf->scanned = true;
  if (!ptx_read_body (f, PTX_NO_LOC, why))
    {
      object_to (lf, LANES_UNREADABLE, 0, 0);
      w->no_memory |= w->ptx->no_memory;
      return;
    }
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (s->kind == PTX_STMT_BEGIN && prologue && depth == 0)
	{
	  if (!lf->has_frame && match_frame (w, lf, i))
	    {
	      i = lf->frame_end;
	      continue;
	    }
	  if (!lf->has_uniform && match_uniform (w, lf, i) && lf->has_uniform)
	    {
	      i = lf->uniform_end;
	      continue;
	    }
	}
      depth += s->kind == PTX_STMT_BEGIN;
      depth -= s->kind == PTX_STMT_END;
      /* What the blocks set must be set on every way: they are in front of all that could go round them.  */
      if (s->kind == PTX_STMT_LABEL
	  || (s->kind == PTX_STMT_INSN
	      && (s->guard != PTX_NO_INDEX || s->u.insn.op->opcode == PTX_OP_BRA
		  || s->u.insn.op->opcode == PTX_OP_BRX || s->u.insn.op->opcode == PTX_OP_CALL)))
	prologue = false;
      num_calls += s->kind == PTX_STMT_INSN && s->u.insn.op->opcode == PTX_OP_CALL;
    }
  if (lf->has_uniform && is_set_outside (lf))
    object_to (lf, sets_flag (lf) ? LANES_SIMD : LANES_STACK_USE, 0, 0);
  lf->calls = ptx_alloc (w->ptx, (num_calls + 1) * sizeof (*lf->calls));
  if (lf->calls == NULL)
    {
      w->no_memory = true;
      object_to (lf, LANES_UNREADABLE, 0, 0);
      return;
    }
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      if (lf->has_frame && i == lf->frame_begin)
	i = lf->frame_end;
      else if (lf->has_uniform && i == lf->uniform_begin)
	i = lf->uniform_end;
      else if (f->stmts[i].kind == PTX_STMT_INSN)
	scan_insn (w, lf, i);
    }
}

/* ---- the function that a parallel region is ---- */

ptx_name
lanes_first_argument (const struct lanes_function *lf, const struct lanes_call *call,
		      uint32_t *argument)
{
  const struct ptx_function *f = lf->f;
  const struct ptx_operand *args = operand (f, call->stmt, PTX_CALL_ARGS);
  uint32_t reg = PTX_NO_INDEX, sets = 0;
  ptx_name symbol = 0;

  if (args->kind != PTX_O_ARGS || args->id < 1 || args->u.list[0].kind != PTX_O_VAR)
    return 0;
  *argument = PTX_NO_INDEX;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (s->kind != PTX_STMT_INSN || s->num_operands != 2 || s->u.insn.op->opcode != PTX_OP_ST
	  || s->u.insn.op->space != PTX_PARAM)
	continue;
      const struct ptx_operand *o = s->u.insn.operands;
      if (o->kind == PTX_O_ADDRESS && o->base == PTX_O_VAR && o->id == args->u.list[0].id)
	{
	  if (*argument != PTX_NO_INDEX || o->u.value != 0 || s->guard != PTX_NO_INDEX)
	    return 0;
	  *argument = i;
	  reg = o[1].kind == PTX_O_REG && o[1].element == 0 ? o[1].id : PTX_NO_INDEX;
	  symbol = o[1].kind == PTX_O_SYMBOL && o[1].u.value == 0 ? o[1].id : 0;
	}
    }
  if (symbol != 0 || reg == PTX_NO_INDEX)
    return symbol;
  /* What it was set to last, if that can be seen without a label in between; or what it is always set to.  */
  for (uint32_t i = *argument; i-- > 0 && f->stmts[i].kind != PTX_STMT_LABEL;)
    if (lanes_sets_reg (&f->stmts[i], reg))
      return f->stmts[i].guard == PTX_NO_INDEX ? symbol_moved (&f->stmts[i]) : 0;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    if (lanes_sets_reg (&f->stmts[i], reg))
      {
	sets++;
	symbol = symbol_moved (&f->stmts[i]);
      }
  return sets == 1 ? symbol : 0;
}
