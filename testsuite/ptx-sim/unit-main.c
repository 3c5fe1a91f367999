/* unit-main.c -- kernels from text for the unit tests, and the list of these.  */

#include "unit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Alignas (256) unsigned char unit_memory[UNIT_BYTES], unit_shadow[UNIT_BYTES];
struct psim_launch unit_launch = { .grid = { 1, 1, 1 }, .block = { 32, 1, 1 }, .threads = 1 };
char unit_printed[4096];

static unsigned failures;
static uint64_t seed = 1;

void
unit_fail (const char *file, int line, const char *condition, const char *format, ...)
{
  va_list args;
  printf ("%s:%d: %s: ", file, line, condition);
  va_start (args, format);
  vprintf (format, args);
  va_end (args);
  printf ("\n");
  failures++;
}

uint64_t
unit_random (void)
{
  uint64_t x = seed += UINT64_C (0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C (0x94d049bb133111eb);
  return x ^ x >> 31;
}

/* Numbers that make carries, signs, shifts, infinities interesting.  */
static uint64_t
interesting (void)
{
  static const uint64_t list[]
    = { 0, 1, 2, 31, 32, 33, 63, 64, 65, 255, 0x7f, 0x80, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000,
	0xffffffff, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 1, 0x00800000, 0x007fffff,
	0x4f000000, 0xcf000000, 0x5f000000, UINT64_C (0x7fffffffffffffff), UINT64_C (0x8000000000000000),
	UINT64_MAX, UINT64_C (0x3ff0000000000000), UINT64_C (0x7ff0000000000000),
	UINT64_C (0xfff0000000000000), UINT64_C (0x7ff8000000000000), UINT64_C (0x41dfffffffc00000),
	UINT64_C (0x4330000000000000), UINT64_C (0x3fe0000000000000), UINT64_C (0xc1e0000000000000) };
  uint64_t r = unit_random ();
  if ((r & 3) == 0)
    return list[(r >> 8) % (sizeof (list) / sizeof (*list))];
  if ((r & 3) == 1)
    return unit_random () >> (r >> 8 & 63);
  if ((r & 3) == 2)
    {
      /* Floating point of middling size.  */
      double x = ldexp ((double) (int64_t) unit_random (), (int) (r >> 8 & 63) - 80);
      float y = (float) x;
      uint64_t bits = 0;
      if ((r >> 20 & 1) != 0)
	memcpy (&bits, &x, 8);
      else
	memcpy (&bits, &y, 4);
      return bits;
    }
  return unit_random ();
}

static bool
find (void *user, uint64_t addr, struct psim_range *out)
{
  (void) user;
  if (addr - UNIT_DEVICE >= UNIT_BYTES)
    return false;
  *out = (struct psim_range) { .start = UNIT_DEVICE, .size = UNIT_BYTES, .view = (char *) unit_memory,
			       .shadow = unit_shadow };
  return true;
}

static void
print (void *user, const char *text, size_t size)
{
  (void) user;
  size_t at = strlen (unit_printed);
  if (at + size < sizeof (unit_printed))
    {
      memcpy (unit_printed + at, text, size);
      unit_printed[at + size] = '\0';
    }
}

enum psim_result
unit_run (const char *body)
{
  static const char head[] = ".version 7.0\n.target sm_70\n.address_size 64\n";
  static const struct psim_memory memory = { .find = find };
  char why[500] = "";
  size_t size = sizeof (head) + strlen (body);
  char *text = malloc (size);
  if (text == NULL)
    abort ();
  snprintf (text, size, "%s%s", head, body);
  struct psim_text one = { .name = "unit", .text = text, .size = size - 1 };
  struct psim_program *p = psim_link (&one, 1, why, sizeof (why));
  free (text);
  free (unit_launch.report);
  unit_launch.report = NULL;
  unit_printed[0] = '\0';
  if (p == NULL)
    {
      unit_launch.report = strdup (why);
      return PSIM_BAD_LAUNCH;
    }
  /* Variables behind what kernels are given.  */
  uint64_t at = UNIT_DEVICE + UNIT_BYTES / 2, params[2] = { UNIT_DEVICE, 64 };
  const struct psim_variable *v;
  for (unsigned i = 0; (v = psim_variable (p, i)) != NULL; i++)
    {
      at = (at + v->align - 1) / v->align * v->align;
      psim_place (p, i, at);
      at += v->size;
    }
  enum psim_result result = PSIM_BAD_LAUNCH;
  if (!psim_load (p, &memory, why, sizeof (why)))
    unit_launch.report = strdup (why);
  else if ((unit_launch.kernel = psim_kernel (p, "k")) != NULL)
    {
      unit_launch.params = params;
      unit_launch.memory = &memory;
      unit_launch.print = print;
      result = psim_launch (&unit_launch);
    }
  psim_free (p);
  return result;
}

bool
unit_good (const char *body)
{
  memset (unit_shadow, 1, UNIT_BYTES);
  enum psim_result result = unit_run (body);
  CHECK (result == PSIM_DONE, "%s: %s\n%s", psim_result_name (result),
	 unit_launch.report != NULL ? unit_launch.report : "", body);
  return result == PSIM_DONE;
}

void
unit_bad (const char *body, enum psim_result result, const char *words)
{
  memset (unit_shadow, 0, UNIT_BYTES);
  enum psim_result now = unit_run (body);
  const char *report = unit_launch.report != NULL ? unit_launch.report : "";
  CHECK (now == result && strstr (report, words) != NULL, "%s, wanted %s and \"%s\": %s\n%s",
	 psim_result_name (now), psim_result_name (result), words, report, body);
}

uint32_t
unit_word (unsigned i)
{
  uint32_t word;
  memcpy (&word, unit_memory + 4 * i, 4);
  return word;
}

/* -- Single instructions -- */

enum { SETS = 16, LANES = 32 };

static const char *
type_of (char letter)
{
  return letter == 'h' ? "u16" : letter == 'w' ? "u32" : letter == 'f' ? "f32" : letter == 'g' ? "f64" : "u64";
}

void
unit_op (const char *text, const char *types, unit_expect *expected)
{
  char body[4000];
  size_t n = 0;
  unsigned sources = (unsigned) strlen (types) - 1;
#define PUT(...) n += (size_t) snprintf (body + n, sizeof (body) - n, __VA_ARGS__)
  PUT (".visible .entry k (.param .u64 p0)\n{\n.reg .u64 %%base; .reg .u32 %%t; .reg .u32 %%one; .reg .pred %%q;\n");
  for (unsigned i = 0; i <= sources; i++)
    PUT (".reg .%s %%%c;\n", types[i] == 'p' ? "pred" : type_of (types[i]), "dabc"[i]);
  PUT ("ld.param.u64 %%base, [p0];\nmov.u32 %%t, %%tid.x;\nmad.wide.u32 %%base, %%t, 32, %%base;\n");
  for (unsigned i = 1; i <= sources; i++)
    if (types[i] == 'p')
      PUT ("ld.global.u32 %%one, [%%base+%u];\nand.b32 %%one, %%one, 1;\nsetp.ne.u32 %%%c, %%one, 0;\n", 8 * i,
	   "dabc"[i]);
    else
      PUT ("ld.global.%s %%%c, [%%base+%u];\n", type_of (types[i]), "dabc"[i], 8 * i);
  PUT ("%s\n", text);
  if (types[0] == 'p')
    PUT ("selp.u64 %%base, %%base, %%base, %%d;\nselp.u32 %%one, 1, 0, %%d;\nst.global.u32 [%%base], %%one;\nret;\n}\n");
  else
    PUT ("st.global.%s [%%base], %%d;\nret;\n}\n", type_of (types[0]));
  for (unsigned set = 0; set < SETS; set++)
    {
      uint64_t values[LANES][4];
      for (unsigned l = 0; l < LANES; l++)
	for (unsigned i = 0; i < 4; i++)
	  values[l][i] = i == 0 ? 0 : interesting ();
      memcpy (unit_memory, values, sizeof (values));
      /* Also with some of the lanes only.  */
      unit_launch.block[0] = set == 0 ? 5 : LANES;
      bool good = unit_good (body);
      unsigned lanes = unit_launch.block[0];
      unit_launch.block[0] = LANES;
      for (unsigned l = 0; l < lanes && good; l++)
	{
	  uint64_t in[4] = { 0 }, now, want;
	  for (unsigned i = 1; i <= sources; i++)
	    {
	      char t = types[i];
	      uint64_t x = values[l][i];
	      in[i] = t == 'h' ? (uint16_t) x : t == 'w' || t == 'f' ? (uint32_t) x : t == 'p' ? x & 1 : x;
	    }
	  memcpy (&now, unit_memory + 32 * l, 8);
	  want = expected (in[1], in[2], in[3]);
	  if (now == want)
	    continue;
	  CHECK (now == want, "%s of %#lx, %#lx, %#lx: %#lx, wanted %#lx", text, (unsigned long) in[1],
		 (unsigned long) in[2], (unsigned long) in[3], (unsigned long) now, (unsigned long) want);
	  return;
	}
      if (!good)
	return;
    }
}

int
main (int argc, char **argv)
{
  static const struct { const char *name; void (*run) (void); } tests[]
    = { { "int", unit_int }, { "float", unit_float }, { "kernels", unit_kernels }, { "faults", unit_faults } };
  for (unsigned i = 0; i < sizeof (tests) / sizeof (*tests); i++)
    if (argc < 2 || strcmp (argv[1], tests[i].name) == 0)
      tests[i].run ();
  free (unit_launch.report);
  return failures != 0;
}
