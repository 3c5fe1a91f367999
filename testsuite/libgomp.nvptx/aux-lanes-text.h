/* aux-lanes-text.h -- for programs that analyse regions written by hand: the text around them.  */

#ifndef AUX_LANES_TEXT_H
#define AUX_LANES_TEXT_H 1

#include "nvptx-lanes-work.h"

#define PREAMBLE "// BEGIN PREAMBLE\n.version 6.0\n.target sm_30\n.address_size 64\n// END PREAMBLE\n"

/* The function `begin' begins regions: put_begin, put_parallel for each, put_end.  */
static inline void
put_begin (struct ptx_text *t)
{
  ptx_printf (t, ".func begin (.param.u64 %%in_ar0)\n{\n.reg.u32 %%z; mov.u32 %%z, 0;\n");
}

static inline void
put_parallel (struct ptx_text *t, const char *name)
{
  ptx_printf (t, "{ .reg.u64 %%fn; mov.u64 %%fn, %s; .param.u64 %%o1; .param.u64 %%o2; .param.u32 %%o3;"
	      ".param.u32 %%o4; st.param.u64 [%%o1], %%fn; st.param.u64 [%%o2], %%fn; st.param.u32 [%%o3], %%z;"
	      "st.param.u32 [%%o4], %%z; call GOMP_parallel, (%%o1, %%o2, %%o3, %%o4); }\n", name);
}

static inline void
put_end (struct ptx_text *t)
{
  ptx_printf (t, "ret;\n}\n");
}

#endif /* AUX_LANES_TEXT_H */
