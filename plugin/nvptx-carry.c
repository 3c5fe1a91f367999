/* nvptx-carry.c -- kernels' entries that take data along and bring results back: their code.

   An operation of a stream costs the driver's call and the GPU one to two microseconds more, and a change from
   copying to computing another one.  A region that gets a table of arguments and a number or two, and whose
   results are as small, has four of them: copy, kernel, copy, mark.  With this the kernel does it
   all: data comes in one more parameter (carry-proto.h), which the first warp puts where the copy would
   have put it, and results and the mark of the queue's word are stored to the host's memory when the region has
   ended.  What rides is decided by nvptx-ride.c, launch by launch; this file only makes the code.

   The compiler's entries are a few lines that are always the same: they find the soft stack and call
   gomp_nvptx_main.  They are recognised by their first and last lines, and what is added stands
   in between.  An image of which one entry looks otherwise is left alone: then nothing rides.

   What is added hands each lane of the first warp its part of the parameter, and calls two functions of our
   device library (config/nvptx/machine.h), because the driver compiles each entry anew.  At the end
   thread 0 has passed the block's last barrier, behind which no thread writes anything.

   Constant data only.  Called by nvptx-texts.c when an image is linked.  */

#define _GNU_SOURCE 1
#include "nvptx-carry.h"
#include "carry-proto.h"

#include <stdlib.h>
#include <string.h>

#define TEXT(x) TEXT_OF (x)
#define TEXT_OF(x) #x
#define CARRY_BYTES 576

_Static_assert (sizeof (struct nvptx_carry) == CARRY_BYTES, "the parameter's size");

static const char head[] = "(.param .u64 %arg, .param .u64 %stack, .param .u64 %sz)\n{\n";
static const char new_head[]
  = "(.param .u64 %arg, .param .u64 %stack, .param .u64 %sz,"
    " .param .align 16 .b8 %carry[" TEXT (CARRY_BYTES) "])\n{\n";
static const char calls[] = "call.uni gomp_nvptx_main,(%P0,%P1);\n}\n";
static const char tail[] = "ret.uni;\n}\n";
static const char preamble_end[] = "// END PREAMBLE\n";

static const char declarations[] =
  "// BEGIN GLOBAL FUNCTION DECL: " NVPTX_CARRY_IN "\n"
  ".extern .func " NVPTX_CARRY_IN " (.param .u64 %in_ar0, .param .u32 %in_ar1, .param .u64 %in_ar2,"
  " .param .u64 %in_ar3);\n"
  "// BEGIN GLOBAL FUNCTION DECL: " NVPTX_CARRY_OUT "\n"
  ".extern .func " NVPTX_CARRY_OUT " (.param .u64 %in_ar0, .param .u64 %in_ar1, .param .u32 %in_ar2,"
  " .param .u64 %in_ar3, .param .u32 %in_ar4);\n";

/* The numbers are offsets in struct nvptx_carry.  Each lane takes its 16 bytes of the data.  */
static const char before[] =
  ".reg .u32 %c<3>;\n.reg .u64 %C<5>;\n.reg .pred %cp;\n"
  "mov.u32 %c0,%tid.y;\n"
  "ld.param.u32 %c1,[%carry+8];\n"
  "setp.ne.u32 %cp,%c0,0;\n"
  "setp.eq.or.u32 %cp,%c1,0,%cp;\n"
  "@%cp bra.uni $carry_begin;\n"
  "mov.u32 %c2,%tid.x;\n"
  "mul.wide.u32 %C0,%c2,16;\n"
  "mov.u64 %C1,%carry;\n"
  "add.u64 %C1,%C1,%C0;\n"
  "ld.param.u64 %C2,[%carry];\n"
  "ld.param.v2.u64 {%C3,%C4},[%C1+64];\n"
  "{\n"
  ".param .u64 %D<3>;\n.param .u32 %E;\n"
  "st.param.u64 [%D0],%C2;\nst.param.u32 [%E],%c1;\nst.param.u64 [%D1],%C3;\nst.param.u64 [%D2],%C4;\n"
  "call.uni " NVPTX_CARRY_IN ",(%D0,%E,%D1,%D2);\n"
  "}\n"
  "$carry_begin:\n";

static const char after[] =
  "mov.u32 %c0,%tid.y;\n"
  "ld.param.u64 %C2,[%carry+32];\n"
  "setp.ne.u32 %cp,%c0,0;\n"
  "setp.eq.or.u64 %cp,%C2,0,%cp;\n"
  "@%cp bra.uni $carry_end;\n"
  "ld.param.u64 %C0,[%carry+16];\n"
  "ld.param.u64 %C1,[%carry+24];\n"
  "ld.param.u32 %c1,[%carry+12];\n"
  "ld.param.u32 %c2,[%carry+40];\n"
  "{\n"
  ".param .u64 %D<3>;\n.param .u32 %E<2>;\n"
  "st.param.u64 [%D0],%C0;\nst.param.u64 [%D1],%C1;\nst.param.u32 [%E0],%c1;\n"
  "st.param.u64 [%D2],%C2;\nst.param.u32 [%E1],%c2;\n"
  "call.uni " NVPTX_CARRY_OUT ",(%D0,%D1,%E0,%D2,%E1);\n"
  "}\n"
  "$carry_end:\n";

#define LENGTH(text) (sizeof (text) - 1)

/* Is the PTX new enough for barriers of a warp?  */
static bool
is_new_enough (const char *text)
{
  static const char word[] = "\n.version ";
  const char *at = strstr (text, word);
  return at != NULL && atoi (at + LENGTH (word)) >= 6;
}

/* The next entry at or behind TEXT; its body begins at *BODY, and *END is where its last lines do.  *BODY
   NULL: it is none of the compiler's for a region.  NULL: there is none.  */
static const char *
next_entry (const char *text, const char **body, const char **end)
{
  static const char word[] = "\n.visible .entry ";
  const char *entry = strstr (text, word);
  if (entry == NULL)
    return NULL;
  entry += LENGTH (word);
  const char *parameters = entry + strcspn (entry, " \n");
  *body = NULL;
  if (strncmp (parameters, " ", 1) != 0 || strncmp (parameters + 1, head, LENGTH (head)) != 0)
    return entry;
  const char *start = parameters + 1 + LENGTH (head), *last = strstr (start, tail);
  if (last != NULL && (size_t) (last - start) >= LENGTH (calls)
      && memcmp (last - LENGTH (calls), calls, LENGTH (calls)) == 0)
    {
      *body = start;
      *end = last;
    }
  return entry;
}

static char *
append (char *to, const char *from, size_t size)
{
  memcpy (to, from, size);
  return to + size;
}

bool
nvptx_carry_extend (const struct nvptx_object *object, struct nvptx_object *extended)
{
  const char *text = object->text, *body, *end;
  size_t entries = 0;

  extended->text = NULL;
  if (object->size == 0 || memchr (text, 0, object->size) != text + object->size - 1
      || !is_new_enough (text))
    return true;
  for (const char *at = text; (at = next_entry (at, &body, &end)) != NULL; entries++)
    if (body == NULL)
      return true;
  const char *declared = strstr (text, preamble_end);
  if (entries == 0 || declared == NULL)
    return true;

  size_t more = LENGTH (new_head) - LENGTH (head) + LENGTH (before) + LENGTH (after);
  char *result = malloc (object->size + LENGTH (declarations) + entries * more), *to = result;
  if (result == NULL)
    return false;
  to = append (to, text, declared - text);
  to = append (to, declarations, LENGTH (declarations));
  const char *done = declared;
  for (const char *at = text; (at = next_entry (at, &body, &end)) != NULL; )
    {
      to = append (to, done, body - LENGTH (head) - done);
      to = append (to, new_head, LENGTH (new_head));
      to = append (to, before, LENGTH (before));
      to = append (to, body, end - body);
      to = append (to, after, LENGTH (after));
      done = end;
    }
  to = append (to, done, text + object->size - done);
  *extended = (struct nvptx_object) { result, to - result };
  return true;
}
