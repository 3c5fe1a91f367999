/* unit-main.c -- gcn-unit: executes single instructions and compares what they do.

   gcn-unit TEST...: exit status 0 if all that was compared is right.  */

#include "unit.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

_Alignas (64) unsigned char unit_lds[UNIT_BYTES], unit_lds_shadow[UNIT_BYTES];
struct sim_wave unit_wave;
unsigned unit_failures;

static struct sim_code *code;
static struct sim_group group;

/* -- The wave -- */

void
unit_begin (const char *isa, uint32_t word0, uint32_t word1)
{
  static const uint32_t s_endpgm = 0xbf810000;
  sim_code_free (code);
  unit_code[0] = word0;
  unit_code[1] = word1;
  unit_code[2] = unit_code[3] = s_endpgm;
  group.isa = sim_isa_find (isa);
  group.lds = unit_lds;
  group.lds_shadow = unit_lds_shadow;
  group.lds_size = UNIT_BYTES;
  code = sim_code_load (group.isa, UNIT_CODE, unit_code, sizeof unit_code);
  if (!code || !sim_wave_init (&unit_wave, &group, code, UNIT_CODE))
    unit_fail (__FILE__, __LINE__, "sim_wave_init", "%s", unit_wave.text);
}

enum sim_stop
unit_step (void)
{
  return sim_run (&unit_wave, 1);
}

void
unit_s32 (unsigned reg, uint32_t value)
{
  sim_set_sgpr (&unit_wave, reg, value);
}

void
unit_s64 (unsigned reg, uint64_t value)
{
  unit_s32 (reg, (uint32_t) value);
  unit_s32 (reg + 1, (uint32_t) (value >> 32));
}

void
unit_v32 (unsigned reg, unsigned lane, uint32_t value)
{
  sim_set_vgpr (&unit_wave, reg, lane, value);
}

void
unit_v64 (unsigned reg, unsigned lane, uint64_t value)
{
  unit_v32 (reg, lane, (uint32_t) value);
  unit_v32 (reg + 1, lane, (uint32_t) (value >> 32));
}

void
unit_scc (unsigned scc)
{
  unit_wave.scc = scc;
  unit_wave.scc_def = ~UINT64_C (0);
}

void
unit_fail (const char *file, int line, const char *condition, const char *format, ...)
{
  unit_failures++;
  printf ("%s:%d: %s: ", file, line, condition);
  va_list args;
  va_start (args, format);
  vprintf (format, args);
  va_end (args);
  printf ("%s%s\n", unit_wave.stop == SIM_FAULT ? "; fault: " : "",
	  unit_wave.stop == SIM_FAULT ? unit_wave.text : "");
}

uint64_t
unit_random (void)
{
  static uint64_t state = UINT64_C (0x9e3779b97f4a7c15);
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

uint32_t
unit_interesting (void)
{
  static const uint32_t values[] = { 0, 1, 2, 31, 32, 63, 0x7fffffff, 0x80000000, 0x80000001, 0xffff,
    0x8000, 0xffffffff, 0xfffffffe, 0x00100002, 0x00200010, 0x12345678 };
  uint64_t r = unit_random ();
  return r & 1 ? (uint32_t) (r >> 32) : values[r >> 8 & 15];
}

int
main (int argc, char **argv)
{
  static const struct { const char *name; void (*run) (void); } tests[]
    = { { "scalar", unit_scalar }, { "memory", unit_memory }, { "faults", unit_faults } };
  for (int i = 1; i < argc; i++)
    {
      bool found = false;
      for (unsigned n = 0; n < sizeof tests / sizeof tests[0]; n++)
	if (!strcmp (argv[i], tests[n].name))
	  {
	    tests[n].run ();
	    found = true;
	  }
      if (!found)
	{
	  printf ("no test %s\n", argv[i]);
	  return 2;
	}
    }
  sim_code_free (code);
  return unit_failures != 0 || argc < 2;
}
