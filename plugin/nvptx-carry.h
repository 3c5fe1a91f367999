/* nvptx-carry.h -- kernels that take data along and bring results back; carry-proto.h has what, nvptx-carry.c
   how.  */

#ifndef GOMPX_NVPTX_CARRY_H
#define GOMPX_NVPTX_CARRY_H 1

#include "nvptx-ptx.h"

#pragma GCC visibility push (hidden)

/* OBJECT, a program's own, with entries that carry: a new text, which the caller frees, or NULL if
   they are not as the compiler makes them.  False: out of memory.  */
bool nvptx_carry_extend (const struct nvptx_object *object, struct nvptx_object *extended);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_CARRY_H */
