/* isa.c -- the ISAs that the simulator has, and the index of opcodes of each generation.

   The tables of opcodes are written by mnemonic; the decoder needs them by number.  The index is
   made once, before the first instruction is decoded, and not changed after.  */

#include "isa.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const struct sim_isa isas[] =
{
  { "gfx803", 0x2a, SIM_GFX8, NULL, false, 4, 256 },
  { "gfx900", 0x2c, SIM_GFX9, "gfx9-generic", false, 4, 256 },
  { "gfx902", 0x2d, SIM_GFX9, "gfx9-generic", false, 4, 256 },
  { "gfx904", 0x2e, SIM_GFX9, "gfx9-generic", false, 4, 256 },
  { "gfx906", 0x2f, SIM_GFX9, "gfx9-generic", false, 4, 256 },
  { "gfx908", 0x30, SIM_GFX9, NULL, false, 4, 256 },
  { "gfx909", 0x31, SIM_GFX9, "gfx9-generic", false, 4, 256 },
  { "gfx90c", 0x32, SIM_GFX9, "gfx9-generic", false, 4, 256 },
  { "gfx90a", 0x3f, SIM_GFX90A, NULL, true, 8, 512 },
  { "gfx9-generic", 0x51, SIM_GFX9, NULL, false, 4, 256 }
};

const struct sim_isa *
sim_isa_find (const char *name)
{
  for (size_t i = 0; i < sizeof isas / sizeof isas[0]; i++)
    if (!strcmp (isas[i].name, name))
      return &isas[i];
  return NULL;
}

const struct sim_isa *
sim_isa_find_mach (unsigned mach)
{
  for (size_t i = 0; i < sizeof isas / sizeof isas[0]; i++)
    if (isas[i].mach == mach)
      return &isas[i];
  return NULL;
}

/* -- The index -- */

/* How many opcode numbers each format has.  */
static const unsigned short numbers[SIM_FORMATS] =
{
  [SIM_SOP1] = 256, [SIM_SOP2] = 128, [SIM_SOPK] = 32, [SIM_SOPC] = 128, [SIM_SOPP] = 128,
  [SIM_SMEM] = 256, [SIM_VOP1] = 256, [SIM_VOP2] = 64, [SIM_VOPC] = 256, [SIM_VOP3] = 1024,
  [SIM_VOP3P] = 128, [SIM_DS] = 256, [SIM_FLAT] = 128, [SIM_GLOBAL] = 128, [SIM_SCRATCH] = 128,
  [SIM_MUBUF] = 128
};

static const struct sim_opcode **opcodes[SIM_GENS][SIM_FORMATS];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Two rows for one number are a mistake in the tables.  */
static void
enter (enum sim_gen gen, enum sim_format format, unsigned code, const struct sim_opcode *op)
{
  if (code >= numbers[format] || opcodes[gen][format][code])
    abort ();
  opcodes[gen][format][code] = op;
}

static void
enter_table (const struct sim_opcode *table)
{
  for (const struct sim_opcode *op = table; op->name; op++)
    for (enum sim_gen gen = 0; gen < SIM_GENS; gen++)
      if (op->code[gen] >= 0)
	{
	  unsigned code = op->code[gen];
	  enter (gen, op->format, code, op);
	  if (op->flags & SIM_OP_NO_VOP3)
	    continue;
	  if (op->format == SIM_VOPC)
	    enter (gen, SIM_VOP3, code, op);
	  else if (op->format == SIM_VOP2)
	    enter (gen, SIM_VOP3, 0x100 + code, op);
	  else if (op->format == SIM_VOP1)
	    enter (gen, SIM_VOP3, 0x140 + code, op);
	}
}

static void
make_index (void)
{
  for (enum sim_gen gen = 0; gen < SIM_GENS; gen++)
    for (enum sim_format format = 0; format < SIM_FORMATS; format++)
      if (numbers[format])
	{
	  opcodes[gen][format] = calloc (numbers[format], sizeof opcodes[0][0][0]);
	  if (!opcodes[gen][format])
	    abort ();
	}
  enter_table (sim_scalar_opcodes);
  enter_table (sim_memory_opcodes);
  for (size_t i = 0; simv_opcodes[i]; i++)
    enter_table (simv_opcodes[i]);
}

const struct sim_opcode *
sim_opcode_find (enum sim_gen gen, enum sim_format format, unsigned code)
{
  pthread_once (&once, make_index);
  return code < numbers[format] ? opcodes[gen][format][code] : NULL;
}
