/* nvptx-frame.h -- private arrays in registers: what nvptx-frame-registers.c and
   nvptx-frame-loops.c share.  */

#ifndef GOMPX_NVPTX_FRAME_H
#define GOMPX_NVPTX_FRAME_H 1

#include "nvptx-read.h"

#pragma GCC visibility push (hidden)

/* The arrays of a function.  */
struct frame_arrays
{
  const struct ptx_function *f;
  uint32_t var;			/* the array that is looked at */
  uint64_t size;
  uint8_t *kind;		/* [var]: is it a place of the array? */
  int64_t *offset;		/* [var]: which */
  uint32_t *owner;		/* [statement] that is replaced: 1 + the array; or 0 */
  int64_t *at;			/* [statement] of an access: where in the array */
};

/* The program's text, and how far it has been gone through.  */
struct frame_lines
{
  const char *at;
  uint32_t number;
};

/* ---- nvptx-frame-registers.c ---- */

/* Line NUMBER, not before the last one that was gone to.  */
const char *frame_go_to_line (struct frame_lines *lines, uint32_t number);
/* Is there one statement in the line at AT of TEXT, and does it begin there?  */
bool frame_is_alone (const char *text, const char *at);
/* Can all that is to be replaced of the array be?  */
bool frame_has_lines (const struct frame_arrays *a, const char *text, struct frame_lines lines);
/* Does O have anything to do with the array?  */
bool frame_mentions (const struct frame_arrays *a, const struct ptx_operand *o);
/* The memory operand of S, if it is a load or store of plain memory.  */
const struct ptx_operand *frame_address (const struct ptx_stmt *s);
/* Can load or store S, at AT in the array, be moves?  */
bool frame_can_access (const struct frame_arrays *a, const struct ptx_stmt *s, int64_t at);
/* The statement that declares the array; or PTX_NO_INDEX.  */
uint32_t frame_declaration (const struct frame_arrays *a);
/* Print what stands in place of statement I, which is not a declaration.  */
void frame_put_moves (struct ptx_text *out, const struct frame_arrays *a, uint32_t i);
void frame_put_guard (struct ptx_text *out, const struct ptx_function *f,
		      const struct ptx_stmt *s);
/* The text of a function up to statement I, a line of its own that is replaced, and what stands in
   its place.  */
void frame_put_replaced (struct ptx_text *out, const struct frame_arrays *a, uint32_t i,
			 const char *text, const char **done, struct frame_lines *lines);

/* ---- nvptx-frame-loops.c ---- */

struct frame_loops;

/* Can array A->VAR be in registers if loops of the function are written out?  Then its owners are
   set.  NULL: no, or there is no memory, which struct ptx says.  */
struct frame_loops *frame_find_loops (struct frame_arrays *a, struct ptx *ptx, const char *text,
				      struct frame_lines lines);
/* What is replaced of the function, in TEXT's lines, with these loops.  */
void frame_put_loops (struct ptx_text *out, struct frame_loops *l, const char *text,
		      const char **done, struct frame_lines *lines);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_FRAME_H */
