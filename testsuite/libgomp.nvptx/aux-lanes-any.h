/* aux-lanes-any.h -- for the fuzz target of lane mode and lanes-mutations.sh: all of the analysis and rewriting, and
   what has to be so whatever the text is.  */

#ifndef AUX_LANES_ANY_H
#define AUX_LANES_ANY_H 1

#include "nvptx-lanes-work.h"
#include "lanes-abi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)						\
  do									\
    if (!(condition))							\
      {									\
	fprintf (stderr, "line %d: not so: %s\n", __LINE__, #condition);	\
	abort ();							\
      }									\
  while (0)

#define STUB(name) \
  "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_" #name "\n.visible .func gompx_lanes_" #name " { ret; }\n"
#define STUB_CALL(name, record) STUB (name)
#define STUB_TURN(name) \
  "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_" #name "\n.visible .func gompx_lanes_" #name \
  " (.param .u32 %p, .param .u32 %w) { ret; }\n"
#define STUB_VALUE(name) \
  "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_" #name "\n.visible .func (.param .u64 %v) gompx_lanes_" #name \
  " { st.param.u64 [%v], 0; ret; }\n"

/* A library in which everything for lanes is there.  */
static const char lanes_stubs[] =
  "// BEGIN PREAMBLE\n.version 6.3\n.target sm_70\n.address_size 64\n// END PREAMBLE\n"
  "// BEGIN GLOBAL FUNCTION DEF: gomp_nvptx_main\n.visible .func gomp_nvptx_main (.param .u64 %a, .param .u64 %b) { ret; }\n"
  STUB (main) GOMPX_LANES_STARTERS (STUB) GOMPX_LANES_CALLS (STUB_CALL)
  STUB_TURN (turn_start) STUB_TURN (turn_end)
  STUB (section_start) STUB (section_widen) STUB_VALUE (section_low) STUB_VALUE (section_room);

static inline bool
lanes_is_readable (const char *text, size_t size, unsigned flags, char *why)
{
  struct ptx *ptx = ptx_new ();
  bool good = ptx_read (ptx, text, size, flags, why) != NULL;
  ptx_free (ptx);
  return good;
}

/* What was made of a good module is one.  Functions that can't be read stay as they are, as nothing can call them in
   lane mode.  */
static inline void
lanes_check_text (const char *text, size_t size, const struct nvptx_object *given)
{
  char why[PTX_WHY] = "";
  bool good = lanes_is_readable (given->text, given->size, 0, why);
  if (!lanes_is_readable (text, size, good ? 0 : PTX_LAZY, why))
    {
      fprintf (stderr, "what was rewritten can't be read: %s\n%s\n", why, text);
      abort ();
    }
}

/* Analyse and rewrite an image of the object TEXT and the library.  The caller frees LANES, while TEXT is there.  */
static inline void
lanes_anything (const char *text, size_t size, unsigned flags, struct nvptx_lanes *lanes)
{
  const struct nvptx_object objects[2] = { { text, size }, { lanes_stubs, sizeof (lanes_stubs) } };
  size_t good = 0;

  CHECK (nvptx_lanes_analyse (objects, 2, 1, flags, lanes));
  CHECK (strlen (lanes->why) < sizeof (lanes->why));
  for (size_t i = 0; i < lanes->num_regions; i++)
    {
      const struct nvptx_lanes_region *r = &lanes->regions[i];
      bool warp = r->verdict == NVPTX_LANES_WARP_ONLY;
      CHECK (warp == (r->reason != LANES_NO_REASON) && warp == (r->why[0] != 0));
      CHECK (warp || r->local_bytes <= NVPTX_LANES_STACK);
      CHECK (warp || !r->warps);
      good += !warp || r->warps;
    }
  /* Nothing is changed if nothing can have lanes, and if something failed that is told.  */
  CHECK (lanes->objects == NULL || ((good > 0 || lanes->num_warps > 0) && lanes->why[0] == 0));
  CHECK (lanes->objects != NULL || good == 0 || lanes->why[0] != 0 || (flags & NVPTX_LANES_REWRITE) == 0);
  for (size_t i = 0; lanes->objects != NULL && i < 2; i++)
    lanes_check_text (lanes->objects[i].text, lanes->objects[i].size, &objects[i]);
}

#endif /* AUX_LANES_ANY_H */
