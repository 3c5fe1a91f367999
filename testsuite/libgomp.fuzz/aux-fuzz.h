/* aux-fuzz.h -- for fuzz targets: what of the library they see, and the end of the program.

   A target is a program linked with libgomp.a.  clang's -fsanitize=fuzzer gives it a main that invents
   inputs (tools/fuzz.sh); aux-fuzz-main.c one that reads files (replay.sh).  Linked with --wrap=exit: where the
   library ends the program with a message, the target goes on to the next input.  */

#ifndef AUX_FUZZ_H
#define AUX_FUZZ_H 1

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* Run CODE; comes back also when that calls exit.  */
#define FUZZ_UNTIL_EXIT(code)						\
  do									\
    {									\
      fuzz_armed = 1;							\
      if (setjmp (fuzz_back) == 0)					\
	{								\
	  code;								\
	}								\
      fuzz_armed = 0;							\
    }									\
  while (0)

static jmp_buf fuzz_back;
static volatile int fuzz_armed;

void __real_exit (int) __attribute__ ((noreturn));
void __wrap_exit (int) __attribute__ ((noreturn));
void
__wrap_exit (int status)
{
  if (fuzz_armed)
    longjmp (fuzz_back, 1);
  __real_exit (status);
}

/* The input as a sequence of small numbers.  */
struct fuzz_input
{
  const uint8_t *p, *end;
};

static inline unsigned
fuzz_byte (struct fuzz_input *in)
{
  return in->p < in->end ? *in->p++ : 0;
}

static inline uint64_t
fuzz_word (struct fuzz_input *in)
{
  uint64_t value = 0;
  for (int i = 0; i < 8; i++)
    value |= (uint64_t) fuzz_byte (in) << (8 * i);
  return value;
}

#endif /* AUX_FUZZ_H */
