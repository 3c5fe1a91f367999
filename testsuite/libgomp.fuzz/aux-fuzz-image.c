/* aux-fuzz-image.c -- fuzz target: what GOMP_offload_register_ver is given.  The input is a version, a type,
   and the words of a host table and of the image's data, each of which may be a number or an
   address in the same memory.  */

#include "aux-fuzz.h"

#include <stdlib.h>
#include <string.h>

void GOMP_offload_register_ver (unsigned, const void *, int, const void *);
void GOMP_offload_unregister_ver (unsigned, const void *, int, const void *);
void GOMP_offload_register (const void *, int, const void *);

enum { WORDS = 64 };
static uint64_t memory[2][WORDS];

static uint64_t
some_word (struct fuzz_input *in)
{
  unsigned how = fuzz_byte (in);
  switch (how & 7)
    {
    case 0: return 0;
    case 1: return fuzz_word (in);
    case 2: return fuzz_byte (in);
    case 3: return (uint64_t) memory[how >> 7] + fuzz_byte (in);
    case 4: return (uint64_t) &memory[how >> 7][fuzz_byte (in) % (WORDS + 1)];
    case 5: return (uint64_t) "a string";
    case 6: return (uint64_t) LLVMFuzzerTestOneInput + fuzz_byte (in);
    default: return (uint64_t) 1 << 63 | fuzz_byte (in);
    }
}

static const void *
some_address (unsigned how, int which)
{
  const char *block = (const char *) memory[which];
  return how == 0 ? NULL : how == 1 ? (const void *) 16 : how == 2 ? block + 1
	 : how == 3 ? (const char *) &memory[which][WORDS - 2] : block;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  struct fuzz_input in = { data, data + size };
  static const int types[] = { 5, 8, 2, 0, 1, 4, 3, 99 };
  unsigned flags = fuzz_byte (&in);
  unsigned version = fuzz_byte (&in) << 16 | (flags & 15);
  int type = types[fuzz_byte (&in) & 7];
  unsigned where = fuzz_byte (&in);
  const void *table = some_address (where & 15, 0), *image = some_address (where >> 4, 1);

  for (int k = 0; k < 2; k++)
    for (int i = 0; i < WORDS; i++)
      memory[k][i] = in.p < in.end ? some_word (&in) : 0;
  FUZZ_UNTIL_EXIT (GOMP_offload_register_ver (version, table, type, image));
  if (flags & 0x40)
    FUZZ_UNTIL_EXIT (GOMP_offload_register_ver (version, table, type, image));
  FUZZ_UNTIL_EXIT (GOMP_offload_unregister_ver (version, table, type, image));
  if (flags & 0x40)
    FUZZ_UNTIL_EXIT (GOMP_offload_unregister_ver (version, table, type, image));
  return 0;
}
