/* cpu-decode.c -- what an instruction does to memory: how many bytes, read or written, and
   whether what it reads is used or only carried on.

   For the mapping checker (cpu-watch.c), which sees the address of an access but not its size, and
   for which `a[i] += 1' is one instruction that the processor reports as a write.  Only what
   compilers make of ordinary code is known; for the rest the answer is "not known", and the
   checker then says nothing about the access.

   x86-64.  An instruction is legacy prefixes, REX or VEX or EVEX, an opcode in one of four
   maps, ModRM, SIB; displacement and immediate do not matter here.  Nothing is allocated or
   called: this runs in a signal handler.  */

#include <stddef.h>
#include <string.h>

#include "plugin/cpu-decode.h"

#if defined __x86_64__

struct form
{
  uint8_t rex_r, rex_x, rex_b, rex_w;
  bool p66, pf2, pf3, vex, evex, broadcast, masked;
  unsigned map, opcode, length;	/* length: of a vector, in bytes */
  unsigned modrm_reg;		/* the field, without REX */
};

static void
set (struct gomp_cpu_insn *i, enum gomp_cpu_op op, bool read, bool write, unsigned size)
{
  i->op = op;
  i->read = read;
  i->write = write;
  i->size = size;
  i->exact = i->scalar = true;
}

#define LOAD(size) set (i, GOMP_CPU_OP_LOAD, true, false, size)
#define STORE(size) set (i, GOMP_CPU_OP_STORE, false, true, size)
#define USE(size) set (i, GOMP_CPU_OP_USE, true, false, size)
#define BITS(size) set (i, GOMP_CPU_OP_BITS, true, false, size)
#define MODIFY(op, size) set (i, op, true, true, size)

/* The ALU operation NUMBER of 8 whose destination is the memory operand.  */
static void
alu_to_memory (struct gomp_cpu_insn *i, unsigned number, unsigned size)
{
  if (number == 7)		/* cmp */
    USE (size);
  else if (number == 1 || number == 4)
    MODIFY (GOMP_CPU_OP_BITS, size);
  else
    MODIFY (GOMP_CPU_OP_USE, size);
}

static bool
map0 (const struct form *f, struct gomp_cpu_insn *i)
{
  unsigned op = f->opcode, n = f->rex_w ? 8 : f->p66 ? 2 : 4, r = f->modrm_reg;
  if (op < 0x40 && (op & 7) < 4)
    {
      unsigned size = (op & 1) ? n : 1, number = op >> 3;
      if ((op & 2) == 0)
	alu_to_memory (i, number, size);
      else if (number == 1 || number == 4)
	BITS (size);
      else
	USE (size);
      return true;
    }
  switch (op)
    {
    case 0x63: LOAD (4); return true;
    case 0x69: case 0x6b: USE (n); return true;
    case 0x80: alu_to_memory (i, r, 1); i->reg = -1; return true;
    case 0x81: case 0x83: alu_to_memory (i, r, n); i->reg = -1; return true;
    case 0x84: USE (1); return true;
    case 0x85: USE (n); return true;
    case 0x86: MODIFY (GOMP_CPU_OP_OTHER, 1); return true;
    case 0x87: MODIFY (GOMP_CPU_OP_OTHER, n); return true;
    case 0x88: STORE (1); return true;
    case 0x89: STORE (n); return true;
    case 0x8a: LOAD (1); return true;
    case 0x8b: LOAD (n); return true;
    case 0x8d: i->op = GOMP_CPU_OP_LEA; return true;
    case 0xc6: STORE (1); i->reg = -1; return true;
    case 0xc7: STORE (n); i->reg = -1; return true;
    case 0xc0: case 0xd0: case 0xd2: MODIFY (GOMP_CPU_OP_USE, 1); i->reg = -1; return true;
    case 0xc1: case 0xd1: case 0xd3: MODIFY (GOMP_CPU_OP_USE, n); i->reg = -1; return true;
    case 0xd8: case 0xda: USE (4); break;
    case 0xdc: USE (8); break;
    case 0xde: USE (2); break;
    case 0xd9:
      if (r == 0)
	USE (4);
      else if (r == 2 || r == 3)
	STORE (4);
      else
	return false;
      break;
    case 0xdb:
      if (r == 0)
	USE (4);
      else if (r < 4)
	STORE (4);
      else if (r == 5)
	USE (10);
      else if (r == 7)
	STORE (10);
      else
	return false;
      break;
    case 0xdd:
      if (r == 0)
	USE (8);
      else if (r < 4)
	STORE (8);
      else
	return false;
      break;
    case 0xdf:
      if (r == 0)
	USE (2);
      else if (r < 4)
	STORE (2);
      else if (r == 5)
	USE (8);
      else if (r == 7)
	STORE (8);
      else
	return false;
      break;
    case 0xf6: case 0xf7:
      {
	unsigned size = op == 0xf6 ? 1 : n;
	if (r == 2 || r == 3)
	  MODIFY (GOMP_CPU_OP_USE, size);
	else
	  USE (size);
	i->reg = -1;
	return true;
      }
    case 0xfe: MODIFY (GOMP_CPU_OP_USE, 1); i->reg = -1; return true;
    case 0xff:
      if (r < 2)
	MODIFY (GOMP_CPU_OP_USE, n);
      else
	USE (8);
      i->reg = -1;
      return true;
    default: return false;
    }
  i->floating = op != 0xda && op != 0xde && op != 0xdf;
  i->reg = -1;
  return true;
}

/* An operation on whole vectors, or with F3 and F2 on one float or double.  */
static void
vector_use (const struct form *f, struct gomp_cpu_insn *i, enum gomp_cpu_op op)
{
  unsigned size = f->pf3 ? 4 : f->pf2 ? 8 : f->length;
  set (i, op, true, false, size);
  i->vector_reg = true;
  i->scalar = i->floating = f->pf3 || f->pf2;
  if (!i->scalar && f->broadcast)
    i->size = f->rex_w ? 8 : 4;
}

static bool
map1 (const struct form *f, struct gomp_cpu_insn *i)
{
  unsigned op = f->opcode, n = f->rex_w ? 8 : f->p66 ? 2 : 4, r = f->modrm_reg;
  unsigned word = f->rex_w ? 8 : 4;
  switch (op)
    {
    case 0x10: case 0x28: case 0x6f: case 0xf0:
      vector_use (f, i, GOMP_CPU_OP_LOAD);
      if (op == 0x6f || op == 0xf0)
	{
	  i->size = f->p66 || f->pf3 || f->pf2 ? f->length : 8;
	  i->scalar = i->floating = false;
	}
      return true;
    case 0x11: case 0x29: case 0x2b: case 0x7f: case 0xe7:
      vector_use (f, i, GOMP_CPU_OP_STORE);
      if (op == 0x7f || op == 0xe7)
	i->size = f->p66 || f->pf3 || f->pf2 ? f->length : 8;
      i->read = false;
      i->write = true;
      return true;
    case 0x12: case 0x16:
      if (f->pf2 || f->pf3)
	return false;
      LOAD (8);
      i->vector_reg = i->floating = true;
      return true;
    case 0x13: case 0x17:
      STORE (8);
      i->vector_reg = true;
      return true;
    case 0x2a:
      if (!f->pf2 && !f->pf3)
	return false;
      USE (word);
      return true;
    case 0x2c: case 0x2d:
      if (!f->pf2 && !f->pf3)
	return false;
      USE (f->pf3 ? 4 : 8);
      i->floating = true;
      return true;
    case 0x2e: case 0x2f:
      USE (f->p66 ? 8 : 4);
      i->vector_reg = i->floating = true;
      return true;
    case 0x54: case 0x55: case 0x56: case 0x57:
    case 0xdb: case 0xdf: case 0xeb: case 0xef:
      vector_use (f, i, GOMP_CPU_OP_BITS);
      i->size = f->length;
      i->scalar = i->floating = false;
      return true;
    case 0x51: case 0x58: case 0x59: case 0x5b: case 0x5c: case 0x5d: case 0x5e: case 0x5f:
    case 0xc2:
      vector_use (f, i, GOMP_CPU_OP_USE);
      if (op == 0x5b)
	{
	  i->size = f->length;
	  i->scalar = false;
	}
      return true;
    case 0x5a:
      vector_use (f, i, GOMP_CPU_OP_USE);
      if (!f->pf2 && !f->pf3 && !f->p66)
	i->size = f->length / 2;
      return true;
    case 0xe6:
      vector_use (f, i, GOMP_CPU_OP_USE);
      i->size = f->pf3 ? f->length / 2 : f->length;
      i->scalar = false;
      return true;
    case 0x6e:
      LOAD (word);
      i->vector_reg = true;
      return true;
    case 0x7e:
      if (f->pf3)
	LOAD (8);
      else
	STORE (word);
      i->vector_reg = true;
      return true;
    case 0xd6:
      STORE (8);
      i->vector_reg = true;
      return true;
    case 0xc3: STORE (word); return true;
    case 0xc4: LOAD (2); i->vector_reg = true; return true;
    case 0xa3: USE (n); return false;	/* the bit may be elsewhere */
    case 0xa4: case 0xa5: case 0xac: case 0xad: MODIFY (GOMP_CPU_OP_USE, n); return true;
    case 0xaf: USE (n); return true;
    case 0xb0: case 0xc0: MODIFY (GOMP_CPU_OP_USE, 1); return true;
    case 0xb1: case 0xc1: MODIFY (GOMP_CPU_OP_USE, n); return true;
    case 0xb6: case 0xbe: LOAD (1); return true;
    case 0xb7: case 0xbf: LOAD (2); return true;
    case 0xb8: case 0xbc: case 0xbd: USE (n); return true;
    case 0xba:
      if (r == 4)
	USE (n);
      else
	MODIFY (GOMP_CPU_OP_BITS, n);
      i->reg = -1;
      return true;
    case 0xc7:
      if (r != 1)
	return false;
      MODIFY (GOMP_CPU_OP_USE, f->rex_w ? 16 : 8);
      i->reg = -1;
      return true;
    default: break;
    }
  if (op >= 0x40 && op <= 0x4f)
    {
      LOAD (n);
      return true;
    }
  if (op >= 0x90 && op <= 0x9f)
    {
      STORE (1);
      i->reg = -1;
      return true;
    }
  /* Arithmetic on packed integers; what only moves elements about is a copy.  */
  if ((op >= 0x60 && op <= 0x6d) || op == 0x14 || op == 0x15 || op == 0x70 || op == 0xc6)
    {
      set (i, GOMP_CPU_OP_OTHER, true, false, f->length);
      i->scalar = false;
      i->vector_reg = true;
      return true;
    }
  if ((op >= 0x74 && op <= 0x76) || (op >= 0xd0 && op <= 0xfe))
    {
      set (i, GOMP_CPU_OP_USE, true, false, f->length);
      i->scalar = false;
      i->vector_reg = true;
      return true;
    }
  return false;
}

static bool
map2 (const struct form *f, struct gomp_cpu_insn *i)
{
  static const uint8_t widen[6] = { 2, 4, 8, 2, 4, 2 };
  unsigned op = f->opcode, element = f->rex_w ? 8 : 4;
  if (((op & 0xf0) == 0x20 || (op & 0xf0) == 0x30) && (op & 15) < 6)
    {
      set (i, GOMP_CPU_OP_USE, true, false, f->length / widen[op & 15]);
      i->scalar = false;
      i->vector_reg = true;
      return true;
    }
  if (f->vex && op >= 0x96 && op <= 0xbf && (op & 15) >= 6)
    {
      /* Fused multiply and add; odd ones from 9 on are for one number.  */
      i->scalar = (op & 15) >= 9 && (op & 1) != 0;
      bool scalar = i->scalar;
      set (i, GOMP_CPU_OP_USE, true, false, scalar || f->broadcast ? element : f->length);
      i->scalar = scalar;
      i->vector_reg = i->floating = true;
      return true;
    }
  switch (op)
    {
    case 0x18: case 0x58: LOAD (4); break;
    case 0x19: case 0x59: LOAD (8); break;
    case 0x78: LOAD (1); break;
    case 0x79: LOAD (2); break;
    case 0x1a: case 0x5a: LOAD (16); i->scalar = false; break;
    case 0x2a: LOAD (f->length); i->scalar = false; break;
    case 0xf0: case 0xf1:
      if (f->pf2 || f->vex)
	return false;
      if (op == 0xf0)
	USE (f->rex_w ? 8 : f->p66 ? 2 : 4);
      else
	STORE (f->rex_w ? 8 : f->p66 ? 2 : 4);
      return true;
    case 0xf2: case 0xf3: case 0xf5: case 0xf7:
      USE (element);
      return true;
    default:
      if (op <= 0x0b || (op >= 0x1c && op <= 0x1e) || (op >= 0x28 && op <= 0x29)
	  || (op >= 0x37 && op <= 0x40))
	{
	  set (i, GOMP_CPU_OP_USE, true, false, f->length);
	  i->scalar = false;
	  break;
	}
      return false;		/* masked loads and stores, gathers */
    }
  i->vector_reg = true;
  return true;
}

static bool
map3 (const struct form *f, struct gomp_cpu_insn *i)
{
  unsigned op = f->opcode, word = f->rex_w ? 8 : 4;
  switch (op)
    {
    case 0x0a: USE (4); break;
    case 0x0b: USE (8); break;
    case 0x14: STORE (1); break;
    case 0x15: STORE (2); break;
    case 0x16: STORE (word); break;
    case 0x17: STORE (4); break;
    case 0x18: case 0x38: LOAD (16); i->scalar = false; break;
    case 0x19: case 0x39: STORE (16); i->scalar = false; break;
    case 0x20: LOAD (1); break;
    case 0x21: LOAD (4); break;
    case 0x22: LOAD (word); break;
    case 0xf0: USE (word); return true;
    default: return false;
    }
  i->vector_reg = true;
  return true;
}

/* MOVS, CMPS, STOS, LODS, SCAS.  */
static bool
string_op (const struct form *f, struct gomp_cpu_insn *i)
{
  unsigned size = f->opcode & 1 ? (f->rex_w ? 8 : f->p66 ? 2 : 4) : 1;
  switch (f->opcode & ~1u)
    {
    case 0xa4: set (i, GOMP_CPU_OP_OTHER, true, true, size); i->copies = true; break;
    case 0xa6: case 0xae: USE (size); break;
    case 0xaa: STORE (size); break;
    case 0xac: LOAD (size); break;
    default: return false;
    }
  i->mem = true;
  i->reg = -1;
  return true;
}

/* ALU operations between the accumulator and an immediate: no ModRM.  */
static bool
accumulator (const struct form *f, struct gomp_cpu_insn *i)
{
  unsigned op = f->opcode;
  if (f->map != 0 || !((op < 0x40 && (op & 6) == 4) || op == 0xa8 || op == 0xa9))
    return false;
  i->op = op < 0x40 && (op >> 3 == 1 || op >> 3 == 4) ? GOMP_CPU_OP_BITS : GOMP_CPU_OP_USE;
  i->rm = 0;
  return true;
}

bool
gomp_cpu_decode (const uint8_t *p, struct gomp_cpu_insn *i)
{
  struct form f = { .length = 16 };
  memset (i, 0, sizeof (*i));
  i->reg = i->rm = i->vvvv = i->base = i->index = -1;

  for (int n = 0; ; p++, n++)
    {
      if (n > 8)
	return false;
      if (*p == 0x66)
	f.p66 = true;
      else if (*p == 0xf2)
	f.pf2 = true;
      else if (*p == 0xf3)
	f.pf3 = true;
      else if (*p != 0xf0 && *p != 0x2e && *p != 0x36 && *p != 0x3e && *p != 0x26 && *p != 0x64
	       && *p != 0x65)
	break;
    }
  if ((*p & 0xf0) == 0x40)
    {
      f.rex_w = *p >> 3 & 1;
      f.rex_r = (*p & 4) << 1;
      f.rex_x = (*p & 2) << 2;
      f.rex_b = (*p & 1) << 3;
      p++;
    }
  if (*p == 0xc5 || *p == 0xc4 || *p == 0x62)
    {
      unsigned kind = *p++, last;
      f.vex = true;
      f.rex_r = *p & 0x80 ? 0 : 8;
      f.map = 1;
      if (kind != 0xc5)
	{
	  f.rex_x = *p & 0x40 ? 0 : 8;
	  f.rex_b = *p & 0x20 ? 0 : 8;
	  f.map = *p++ & (kind == 0x62 ? 7 : 31);
	  f.rex_w = *p >> 7;
	}
      last = *p++;
      i->vvvv = ~last >> 3 & 15;
      f.p66 = (last & 3) == 1;
      f.pf3 = (last & 3) == 2;
      f.pf2 = (last & 3) == 3;
      if (kind == 0x62)
	{
	  f.evex = true;
	  f.length = 16u << (*p >> 5 & 3);
	  f.broadcast = (*p & 0x10) != 0;
	  f.masked = (*p & 7) != 0;
	  p++;
	}
      else
	f.length = last & 4 ? 32 : 16;
    }
  else if (*p == 0x0f)
    {
      p++;
      f.map = *p == 0x38 ? 2 : *p == 0x3a ? 3 : 1;
      if (f.map > 1)
	p++;
    }
  f.opcode = *p++;
  if (f.map == 0 && ((f.opcode >= 0xa4 && f.opcode <= 0xa7) || (f.opcode >= 0xaa && f.opcode <= 0xaf)))
    return string_op (&f, i);
  if (accumulator (&f, i))
    return true;

  unsigned modrm = *p++, mod = modrm >> 6, rm = modrm & 7;
  f.modrm_reg = modrm >> 3 & 7;
  i->reg = f.modrm_reg | f.rex_r;
  if (mod == 3)
    i->rm = rm | f.rex_b;
  else
    {
      i->mem = true;
      if (rm == 4)
	{
	  unsigned sib = *p;
	  if ((sib >> 3 & 7) != 4 || f.rex_x)
	    i->index = (sib >> 3 & 7) | f.rex_x;
	  if ((sib & 7) != 5 || mod != 0)
	    i->base = (sib & 7) | f.rex_b;
	}
      else if (rm != 5 || mod != 0)
	i->base = rm | f.rex_b;
    }
  bool known = f.map == 0 ? map0 (&f, i) : f.map == 1 ? map1 (&f, i)
	       : f.map == 2 ? map2 (&f, i) : f.map == 3 && map3 (&f, i);
  if (f.masked)
    i->exact = false;
  if (known && mod == 3 && (i->op == GOMP_CPU_OP_LOAD || i->op == GOMP_CPU_OP_STORE))
    {
      /* Between registers: the destination is reg, or rm of a store.  */
      if (i->op == GOMP_CPU_OP_STORE)
	{
	  int8_t reg = i->reg;
	  i->reg = i->rm;
	  i->rm = reg;
	}
      i->op = GOMP_CPU_OP_MOVE;
    }
  return known;
}

#else

bool
gomp_cpu_decode (const uint8_t *code, struct gomp_cpu_insn *i)
{
  (void) code;
  memset (i, 0, sizeof (*i));
  return false;
}

#endif
