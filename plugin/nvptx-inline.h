/* nvptx-inline.h -- small functions of our device library in place of their calls; for the nvptx plugin.  */

#ifndef GOMPX_NVPTX_INLINE_H
#define GOMPX_NVPTX_INLINE_H 1

#include "nvptx-ptx.h"
#include "nvptx-read.h"

#pragma GCC visibility push (hidden)

enum { NVPTX_INLINE_MAX = 16 };

/* A function that can stand where it is called.  */
struct nvptx_inline
{
  const char *name;		/* what is called */
  struct ptx_text text;		/* what stands there, with a mark where its number goes */
  bool value;			/* it returns one, of 32 bits */
};

/* What was found in a library.  */
struct nvptx_inlines
{
  struct nvptx_inline v[NVPTX_INLINE_MAX];
  size_t num;
  struct ptx_text declarations;	/* of what the bodies refer to */
};

/* Find what the library, which is the last NUM_OURS of the objects that SYMBOLS are of, has of such functions.  False: out of
   memory.  Free *FOUND afterwards.  */
bool nvptx_inline_find (const struct nvptx_symbols *symbols, size_t num_ours, struct nvptx_inlines *found);
void nvptx_inline_free (struct nvptx_inlines *found);

/* Make *RESULT of OBJECT, the program's own, with what was found in place of its calls.  Its text is of malloc; NULL:
   there is nothing to do.  False: out of memory.  */
bool nvptx_inline_calls (const struct nvptx_inlines *found, const struct nvptx_object *object,
			 struct nvptx_object *result);

/* Make *RESULT of OBJECT, the program's own, with those of the NUM_MATH objects MATH in it that can stand where they are called: they are our
   functions of libm.  The same.  */
bool nvptx_inline_math (const struct nvptx_object *math, size_t num_math, const struct nvptx_object *object,
			struct nvptx_object *result);

/* Make *RESULT of OBJECT, the program's own, with small copies in place of calls of memcpy, memmove and
   memset.  The same.  */
bool nvptx_inline_copies (const struct nvptx_object *object, struct nvptx_object *result);

/* Make *RESULT of OBJECT, the program's own, with multiplications in place of divisions by constants
   (nvptx-divide.c).  The same.  */
bool nvptx_divide_by_constants (const struct nvptx_object *object, struct nvptx_object *result);

/* Make *RESULT of OBJECT, the program's own, with private arrays in registers.  The same.  */
bool nvptx_frames_in_registers (const struct nvptx_object *object, struct nvptx_object *result);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_INLINE_H */
