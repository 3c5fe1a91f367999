/* nvptx-lanes.c -- which parallel regions of an image can have a thread for each lane.

   GCC gives an OpenMP thread a whole warp.  Our library can begin a region in which every lane is a thread
   (config/nvptx/lanes-abi.h), if the region's code is right for it: this decides that for each function that
   GOMP_parallel is called with, from the PTX of the image (struct nvptx_lanes_region), and has
   nvptx-lanes-rewrite.c make the clones that are needed.  doc/lanes.md has the whole argument.

   Invariants
   1. Any doubt means warp only: a text that can't be read, a function that isn't there, an instruction that isn't
      listed.
   2. A region that is not warp only calls, directly or not, only functions that have been scanned without
      a reason against them, and library functions that lanes-abi.h lists and the library defines.
   3. The texts given stay as they are: what is new is in texts of its own, to be linked in their place.
   4. What nothing of the image's names reaches isn't read: bodies of library objects are read as they are called.

   Called by nvptx-lanes-image.c when an image is linked, under its lock; everything is in the struct nvptx_lanes.  */

#include "nvptx-lanes-work.h"
#include "lanes-abi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CLOSURE = 10000 };	/* functions that a region calls, directly or not */

/* ---- reasons ---- */

static const struct
{
  const char *text;		/* may have one %s, the name */
  const char *advice;
} reasons[LANES_NUM_REASONS] =
{
  [LANES_NO_REASON] = { "", NULL },
  [LANES_UNREADABLE] = { "its code can't be read", NULL },
  [LANES_SIMD] = { "it has a simd loop, which uses all lanes already", NULL },
  [LANES_ALLOCA] = { "it uses alloca or an array of variable length",
		     "arrays of fixed size can be a lane's own" },
  [LANES_INDIRECT_CALL] = { "it calls through a pointer", "call functions by name" },
  [LANES_NO_VERSION] = { "it calls %s, which has no version for lanes", NULL },
  [LANES_ORDER] = { "its threads add their parts in order, by GOMP_NVPTX_TEAMS=off", NULL },
  [LANES_NOT_THERE] = { "it calls %s, which is not in the image", NULL },
  [LANES_WARP_OPERATION] = { "it uses %s, which is about the warp or the block", NULL },
  [LANES_UNKNOWN] = { "it has an instruction that is not known: %s", NULL },
  [LANES_STACK_USE] = { "it uses the warp's stack pointer or flag in an unknown way", NULL },
  [LANES_ESCAPE_STORE] = { "it stores the address of a local variable",
			   "keep pointers to local variables in registers, or make what they point to shared" },
  [LANES_ESCAPE_CALL] = { "it gives the address of a local variable to %s",
			  "make the variable shared or static" },
  [LANES_ATOMIC_LOCAL] = { "it has an atomic operation on what may be a local variable",
			   "a private variable needs no atomic" },
  [LANES_RECURSION] = { "it is recursive", "use a loop" },
  [LANES_RECURSION_SIZE] = { "local variables in memory of a recursive function are too large for a lane",
			     "make arrays smaller, or use a loop" },
  [LANES_STACK_SIZE] = { "its local variables in memory are too large for a lane",
			 "make arrays smaller, or allocate them outside of the region" },
  [LANES_NOT_KNOWN] = { "which function it is can't be seen%s", NULL }
};

const char *
nvptx_lanes_advice (enum nvptx_lanes_reason reason)
{
  return reasons[reason].advice;
}

static void
refuse (struct lanes_work *w, struct lanes_region *region, enum nvptx_lanes_reason reason,
	const struct lanes_function *where, ptx_name name, uint32_t line)
{
  struct nvptx_lanes_region *r = region->result;
  char text[160], symbol[100] = "", place[120] = "";
  const struct ptx_name_entry *e = &w->ptx->names[name];

  if (name != 0)
    snprintf (symbol, sizeof (symbol), "%.*s", (int) e->length, e->text);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  snprintf (text, sizeof (text), reasons[reason].text, symbol);
#pragma GCC diagnostic pop
  if (where != NULL && where != region->root)
    {
      e = &w->ptx->names[where->f->name];
      snprintf (place, sizeof (place), " (%.*s, object %u, line %u)", (int) e->length, e->text,
		where->object, line);
    }
  else if (line > 0)
    snprintf (place, sizeof (place), " (line %u)", line);
  r->verdict = NVPTX_LANES_WARP_ONLY;
  r->reason = reason;
  snprintf (r->why, sizeof (r->why), "%.130s%.119s", text, place);
}

/* ---- functions by name ---- */

struct lanes_function *
lanes_find (struct lanes_work *w, struct ptx_function *f, uint32_t object)
{
  /* By number, not by address: clones are made in the order of the table, and the same image must give the same text, by
     which the cache finds what was linked.  */
  size_t h = f->name % (sizeof (w->hash) / sizeof (w->hash[0]));
  struct lanes_function *lf;

  for (lf = w->hash[h]; lf != NULL; lf = lf->next)
    if (lf->f == f)
      return lf;
  lf = ptx_alloc (w->ptx, sizeof (*lf));
  if (lf == NULL)
    {
      w->no_memory = true;
      return NULL;
    }
  lf->f = f;
  lf->object = object;
  lf->next = w->hash[h];
  w->hash[h] = lf;
  return lf;
}

struct lanes_function *
lanes_resolve (struct lanes_work *w, uint32_t object, ptx_name name)
{
  struct ptx_function *f = ptx_find_function (w->modules[object], name);
  if (f == NULL || !f->has_body)
    {
      if (name >= w->num_definitions || (f = w->definitions[name]) == NULL)
	return NULL;
      object = w->definition_objects[name];
    }
  return lanes_find (w, f, object);
}

ptx_name
lanes_library_has (struct lanes_work *w, const char *text)
{
  ptx_name name = ptx_find_name (w->ptx, text, strlen (text));
  if (name == 0 || name >= w->num_definitions || w->definitions[name] == NULL
      || w->definition_objects[name] < w->num - w->num_ours)
    return 0;
  return name;
}

ptx_name
lanes_library_version (struct lanes_work *w, ptx_name name, bool *record)
{
#define ENTRY(entry, needs) { #entry, needs },
#define PRINT(entry) { #entry, false },
  static const struct { const char *name; bool record; } calls[]
    = { GOMPX_LANES_CALLS (ENTRY) GOMPX_LANES_PRINTS (PRINT) };
#undef ENTRY
#undef PRINT
#define ENTRY(entry) #entry,
  static const char *const if_no_cancellation[] = { GOMPX_LANES_IF_NO_CANCELLATION (ENTRY) };
#undef ENTRY
  char text[100] = GOMPX_LANES_PREFIX;
  const struct ptx_name_entry *e = &w->ptx->names[name];

  if (e->length >= sizeof (text) - sizeof (GOMPX_LANES_PREFIX))
    return 0;
  /* omp_set_num_threads_8_ is like omp_set_num_threads.  */
  size_t length = e->length;
  if (lanes_name_begins (w->ptx, name, "omp_") && e->text[length - 1] == '_')
    length -= length > 7 && memcmp (e->text + length - 3, "_8_", 3) == 0 ? 3 : 1;
  for (size_t i = 0; i < sizeof (calls) / sizeof (calls[0]); i++)
    if (strlen (calls[i].name) == length && memcmp (calls[i].name, e->text, length) == 0)
      {
	if ((w->flags & NVPTX_LANES_CANCELLATION) != 0)
	  for (size_t k = 0; k < sizeof (if_no_cancellation) / sizeof (if_no_cancellation[0]); k++)
	    if (strcmp (if_no_cancellation[k], calls[i].name) == 0)
	      return 0;
	*record = calls[i].record;
	strncat (text, e->text, e->length);
	return lanes_library_has (w, text);
      }
  return 0;
}

ptx_name
lanes_starter (struct lanes_work *w, ptx_name name)
{
#define ENTRY(entry) #entry,
  static const char *const starters[] = { GOMPX_LANES_STARTERS (ENTRY) };
#undef ENTRY
  char text[100] = GOMPX_LANES_PREFIX;

  for (size_t i = 0; i < sizeof (starters) / sizeof (starters[0]); i++)
    if (lanes_name_is (w->ptx, name, starters[i]))
      return lanes_library_has (w, strcat (text, starters[i]));
  return 0;
}

/* Read the objects and say which function each global name is.  Lines of the source (.loc) that stand between instructions are dropped: no
   clone has them, and programs compiled with -g are like others without.  */
static bool
read_objects (struct lanes_work *w, struct nvptx_lanes *lanes)
{
  char why[PTX_WHY];

  for (size_t i = 0; i < w->num; i++)
    {
      w->modules[i] = ptx_read (w->ptx, w->given[i].text, w->given[i].size, PTX_LAZY | PTX_NO_LOC, why);
      if (w->modules[i] == NULL)
	{
	  snprintf (lanes->why, sizeof (lanes->why), "object %zu: %.200s", i, why);
	  return false;
	}
    }
  w->stacks = ptx_intern (w->ptx, "__nvptx_stacks", sizeof ("__nvptx_stacks") - 1);
  w->uniform = ptx_intern (w->ptx, "__nvptx_uni", sizeof ("__nvptx_uni") - 1);
  w->num_definitions = w->ptx->num_names;
  w->definitions = ptx_alloc (w->ptx, w->num_definitions * sizeof (*w->definitions));
  w->definition_objects = ptx_alloc (w->ptx, w->num_definitions * sizeof (*w->definition_objects));
  if (w->stacks == 0 || w->uniform == 0 || w->definitions == NULL || w->definition_objects == NULL)
    return false;
  for (size_t i = 0; i < w->num; i++)
    for (uint32_t k = 0; k < w->modules[i]->num_items; k++)
      {
	const struct ptx_item *item = w->modules[i]->items[k];
	ptx_name name;
	struct ptx_function *f;
	if (item->kind == PTX_ITEM_FUNCTION && item->u.function->has_body
	    && (item->u.function->linkage == PTX_VISIBLE || item->u.function->linkage == PTX_WEAK))
	  {
	    f = item->u.function;
	    name = f->name;
	  }
	else if (item->kind == PTX_ITEM_ALIAS)
	  {
	    name = item->u.alias.name;
	    f = ptx_find_function (w->modules[i], name);
	  }
	else
	  continue;
	/* A strong definition rather than a weak one.  */
	if (f != NULL && f->has_body
	    && (w->definitions[name] == NULL
		|| (w->definitions[name]->linkage == PTX_WEAK && f->linkage != PTX_WEAK)))
	  {
	    w->definitions[name] = f;
	    w->definition_objects[name] = i;
	  }
      }
  return true;
}

/* ---- the regions ---- */

static bool
grow (struct lanes_work *w, void *array, size_t *room, size_t num, size_t size)
{
  void *old, *new;
  if (num < *room)
    return true;
  memcpy (&old, array, sizeof (old));
  new = realloc (old, (*room * 2 + 16) * size);
  if (new == NULL)
    {
      w->no_memory = true;
      return false;
    }
  memcpy (array, &new, sizeof (new));
  *room = *room * 2 + 16;
  return true;
}

/* Calls in LF, which is the program's, that begin regions.  */
static void
find_parallels (struct lanes_work *w, struct lanes_function *lf)
{
  for (uint32_t i = 0; i < lf->num_calls; i++)
    {
      const struct lanes_call *call = &lf->calls[i];
      if (call->kind != LANES_CALL_LIBRARY || !lanes_name_begins (w->ptx, call->name, "GOMP_parallel")
	  || lanes_name_is (w->ptx, call->name, "GOMP_parallel_end"))
	continue;
      if (!grow (w, &w->parallels, &w->parallel_room, w->num_parallels, sizeof (*w->parallels)))
	return;
      struct lanes_parallel *p = &w->parallels[w->num_parallels++];
      *p = (struct lanes_parallel) { .caller = lf, .call = i, .region = SIZE_MAX };
      p->fn = lanes_first_argument (lf, call, &p->argument);
      if (p->fn == 0)
	continue;
      struct lanes_function *root = lanes_resolve (w, lf->object, p->fn);
      for (p->region = 0; p->region < w->num_regions; p->region++)
	if (w->regions[p->region].root == root)
	  break;
      if (root == NULL || p->region < w->num_regions)
	{
	  p->region = root == NULL ? SIZE_MAX : p->region;
	  continue;
	}
      if (!grow (w, &w->regions, &w->region_room, w->num_regions, sizeof (*w->regions)))
	return;
      w->regions[w->num_regions++] = (struct lanes_region) { .root = root };
    }
}

bool
lanes_add_to_closure (struct lanes_work *w, struct lanes_function *lf)
{
  if (lf->mark == w->mark)
    return true;
  if (!grow (w, &w->closure, &w->closure_room, w->num_closure, sizeof (*w->closure)))
    return false;
  lf->mark = w->mark;
  w->closure[w->num_closure++] = lf;
  return true;
}

/* Which of them can't be run by lanes as they are?  */
static void
find_clones (struct lanes_work *w)
{
  bool again = true;
  for (size_t i = 0; i < w->num_closure; i++)
    {
      struct lanes_function *lf = w->closure[i];
      lanes_scan_atomics (w, lf);
      lanes_scan_turns (w, lf);
      lanes_find_waits (w, lf);
      lf->wants_clone = lf->has_frame || lf->has_uni_branch || lf->num_atomics > 0 || lf->waits != NULL;
      for (uint32_t k = 0; k < lf->num_calls; k++)
	lf->wants_clone |= lf->calls[k].kind == LANES_CALL_LIBRARY;
    }
  while (again)
    {
      again = false;
      for (size_t i = 0; i < w->num_closure; i++)
	for (uint32_t k = 0; k < w->closure[i]->num_calls && !w->closure[i]->wants_clone; k++)
	  if (w->closure[i]->calls[k].kind == LANES_CALL_CODE && w->closure[i]->calls[k].callee->wants_clone)
	    again = w->closure[i]->wants_clone = true;
    }
}

static void
judge (struct lanes_work *w, struct lanes_region *region)
{
  struct lanes_function *where = NULL;
  ptx_name name = 0;
  uint32_t line = 0;

  w->num_closure = 0;
  w->mark++;
  if (!lanes_add_to_closure (w, region->root))
    return;
  region->plain = true;
  for (size_t i = 0; i < w->num_closure; i++)
    {
      struct lanes_function *lf = w->closure[i];
      lanes_scan (w, lf);
      if (lf->reason != LANES_NO_REASON)
	{
	  refuse (w, region, lf->reason, lf, lf->reason_name, lf->line);
	  return;
	}
      if (w->num_closure > MAX_CLOSURE)
	{
	  refuse (w, region, LANES_UNREADABLE, lf, 0, 0);
	  return;
	}
      for (uint32_t k = 0; k < lf->num_calls; k++)
	{
	  bool record = false;
	  if (lf->calls[k].kind == LANES_CALL_CODE && !lanes_add_to_closure (w, lf->calls[k].callee))
	    return;
	  if (lf->calls[k].kind == LANES_CALL_LIBRARY)
	    lanes_library_version (w, lf->calls[k].name, &record);
	  region->plain &= !record;
	}
    }
  enum nvptx_lanes_reason reason = lanes_find_depth (w, region->result, &where);
  if (reason != LANES_NO_REASON)
    {
      bool size = reason == LANES_STACK_SIZE;
      refuse (w, region, reason, where, 0, size ? 0 : where->f->line);
      return;
    }
  reason = lanes_flow (w, &where, &name, &line);
  if (reason != LANES_NO_REASON)
    {
      refuse (w, region, reason, where, name, line);
      return;
    }
  find_clones (w);
  if ((w->flags & NVPTX_LANES_STRIDE) != 0)
    {
      lanes_find_stride (w, region->root);
      lanes_find_direct (w, region->root);
    }
  lanes_find_joints (w, region->root);
  if ((w->flags & NVPTX_LANES_BLOCKS) != 0)
    lanes_find_block (w, region->root);
  region->result->verdict = region->root->wants_clone ? NVPTX_LANES_REWRITTEN : NVPTX_LANES_AS_IS;
  /* The clones that it takes: of all that is called by lane code.  */
  if ((w->flags & NVPTX_LANES_REWRITE) != 0)
    for (size_t i = 0; i < w->num_closure; i++)
      {
	struct lanes_function *lf = w->closure[i];
	const struct ptx_name_entry *e = &w->ptx->names[lf->f->name];
	if (lf->wants_clone && lf->clone_name == 0)
	  {
	    lf->clone_name = ptx_internf (w->ptx, "%.*s" LANES_SUFFIX, (int) e->length, e->text);
	    w->no_memory |= lf->clone_name == 0;
	  }
      }
}

/* A function that is a region and is called besides runs on behalf of one thread there.  */
static void
tell_strides (struct lanes_work *w)
{
  for (size_t h = 0; h < sizeof (w->hash) / sizeof (w->hash[0]); h++)
    for (struct lanes_function *lf = w->hash[h]; lf != NULL; lf = lf->next)
      for (uint32_t i = 0; i < lf->num_calls; i++)
	if (lf->calls[i].kind == LANES_CALL_CODE && lanes_has_stride (lf->calls[i].callee))
	  lf->calls[i].callee->stride->why_not = "it is called besides";
  for (size_t i = 0; i < w->num_regions && !w->no_memory; i++)
    if (w->regions[i].root->stride != NULL)
      {
	w->regions[i].result->stride = lanes_has_stride (w->regions[i].root);
	w->regions[i].result->why_no_stride = w->regions[i].root->stride->why_not;
      }
}

/* Copy a name for messages, for which there is no end in the text.  */
static const char *
name_text (struct lanes_work *w, ptx_name name)
{
  const struct ptx_name_entry *e = &w->ptx->names[name];
  char *text = ptx_alloc (w->ptx, e->length + 1);
  if (text == NULL)
    {
      w->no_memory = true;
      return "?";
    }
  memcpy (text, e->text, e->length);
  return text;
}

/* ---- all of it ---- */

static void
analyse (struct lanes_work *w, struct nvptx_lanes *lanes)
{
  if (!read_objects (w, lanes))
    {
      w->no_memory |= w->ptx->no_memory;
      return;
    }
  for (uint32_t i = 0; i < w->modules[0]->num_items && !w->no_memory; i++)
    {
      const struct ptx_item *item = w->modules[0]->items[i];
      if (item->kind != PTX_ITEM_FUNCTION || !item->u.function->has_body)
	continue;
      struct lanes_function *lf = lanes_find (w, item->u.function, 0);
      if (lf == NULL)
	return;
      lanes_scan (w, lf);
      find_parallels (w, lf);
    }
  lanes->regions = calloc (w->num_regions + 1, sizeof (*lanes->regions));
  if (lanes->regions == NULL)
    {
      w->no_memory = true;
      return;
    }
  lanes->num_regions = w->num_regions;
  size_t good = 0;
  for (size_t i = 0; i < w->num_regions && !w->no_memory; i++)
    {
      struct nvptx_lanes_region *r = &lanes->regions[i];
      w->regions[i].result = r;
      r->name = name_text (w, w->regions[i].root->f->name);
      judge (w, &w->regions[i]);
      if (r->verdict == NVPTX_LANES_WARP_ONLY)
	{
	  if (r->reason == LANES_SIMD)
	    lanes_find_warps (w, w->regions[i].root);
	  continue;
	}
      good++;
      if (r->local_bytes > lanes->stack.bytes)
	lanes->stack.bytes = r->local_bytes;
      if (r->share > lanes->stack.share)
	lanes->stack.share = r->share;
    }
  tell_strides (w);
  good += !w->no_memory && lanes_mark_warps (w);
  if ((w->flags & NVPTX_LANES_REWRITE) != 0 && good > 0 && !w->no_memory && !lanes_rewrite (w, lanes))
    {
      w->no_memory |= w->ptx->no_memory;
      free (lanes->objects);
      lanes->objects = NULL;
      lanes->num_kernels = lanes->num_direct = lanes->num_warps = lanes->num_clones = 0;
    }
}

bool
nvptx_lanes_analyse (const struct nvptx_object *objects, size_t num, size_t num_ours, unsigned flags,
		     struct nvptx_lanes *lanes)
{
  struct lanes_work *w = calloc (1, sizeof (*w));

  memset (lanes, 0, sizeof (*lanes));
  lanes->work = w;
  if (w == NULL || num == 0 || num_ours > num)
    return w != NULL;
  w->given = objects;
  w->num = num;
  w->num_ours = num_ours;
  w->flags = flags;
  w->ptx = ptx_new ();
  w->modules = calloc (num, sizeof (*w->modules));
  w->texts = calloc (num, sizeof (*w->texts));
  if (w->ptx == NULL || w->modules == NULL || w->texts == NULL)
    w->no_memory = true;
  else
    analyse (w, lanes);
  return !w->no_memory;
}

void
nvptx_lanes_free (struct nvptx_lanes *lanes)
{
  struct lanes_work *w = lanes->work;
  if (w != NULL)
    {
      ptx_free (w->ptx);
      free (w->modules);
      for (size_t i = 0; w->texts != NULL && i < w->num; i++)
	free (w->texts[i].text);
      free (w->texts);
      free (w->regions);
      free (w->parallels);
      free (w->closure);
      free (w);
    }
  free (lanes->regions);
  free (lanes->objects);
  memset (lanes, 0, sizeof (*lanes));
}
