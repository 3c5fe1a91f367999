/* nvptx-start.c -- what an earlier start of a program has found out about its image.

   To find out what to link for an image, its texts and those of our library are read, and with lanes analysed and written
   anew: milliseconds, for a program with many regions tens of them, before the cache can be asked for a name that is
   made of the result.  So a start that knows where its linked image is kept leaves a record of that, and of the few things that the
   rest of the plugin wants to know of the texts; the next start of the same image finds it by what is there
   before anything is read: the image itself, the settings, the driver, the device's architecture and the plugin.

   A record is an entry of the cache (nvptx-cache.c), so its key, with all objects of the image, is compared byte by byte, and
   damage is seen.  Who asks for messages (GOMP_INFO) gets them from the texts, so such a start goes the long way,
   and so does one whose linked image is not there any more or that the driver does not take.

   Invariants
   1. Whatever nvptx_texts_make and nvptx_code_look can see of a process is part of the key: settings of
      nvptx-lanes-image.c and nvptx-subst.c with the library, what nvptx-link.c's keys are made of, the tables. That they give the same result
      for the same plugin is what the plugin's build ID stands for; a plugin without one keeps no records.
   2. A record is kept when what it leads to has been kept, and nothing in it is for want of memory what it is.
   3. Nothing of a note refers to the image, which may go away before it is kept.

   Called by nvptx-image.c, and by the thread of nvptx-later.c.  No state: the build ID is looked up each time.  */

#include "nvptx-start.h"
#include "nvptx-code.h"
#include "nvptx-lanes-image.h"
#include "nvptx-link.h"
#include "nvptx-tune.h"

#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD_VERSION = 8 };

enum
{
  OUR_LIBRARY = 1, OUR_TASKS = 2, GCC_LIBRARY = 4, LOWLAT_POOL = 8, PRINTS = 16, SETS_ICVS = 32, CARRIES = 64,
  HAS_LANES = 128,
  ALL_FLAGS = 255
};

/* What is kept; the code of each kernel follows.  */
struct record
{
  uint32_t version, flags;
  struct nvptx_lane_stack lane_stack;
  uint32_t num, num_ours, num_kernels;
  uint64_t hash;
  struct nvptx_cache_place place;
};

struct nvptx_start_note
{
  struct nvptx_start start;
  struct nvptx_cache_key key;
  struct nvptx_object *objects;	/* the key's: texts follow */
};

/* ---- records ---- */

/* What the program's own object tells of its kernels.  False: out of memory, and it may be anything.  */
static bool
look_at_code (const struct nvptx_tables *t, const struct nvptx_texts *texts, nvptx_code_set *code)
{
  const struct nvptx_object *object = texts->order.object.text != NULL ? &texts->order.object : &t->objects[0];
  const char **names = malloc ((t->num_functions + 1) * sizeof (*names));

  for (size_t i = 0; i < t->num_functions && names != NULL; i++)
    names[i] = t->functions[i].name;
  bool sure = names != NULL
	      && nvptx_code_look (object->text, object->size - 1, names, t->num_functions,
				  texts->makes_tasks, texts->num_makes_tasks, code);
  for (size_t i = 0; i < t->num_functions && names == NULL; i++)
    code[i] = NVPTX_CODE_UNKNOWN;
  free (names);
  return sure;
}

bool
nvptx_start_describe (const struct nvptx_image *image, const struct nvptx_texts *texts, struct nvptx_start *start)
{
  const struct nvptx_subst *subst = &texts->subst;

  *start = (struct nvptx_start)
    {
      .our_library = texts->our_library, .our_tasks = texts->our_tasks, .gcc_library = texts->gcc_library,
      .lowlat_pool = texts->lowlat_pool, .prints = texts->prints, .sets_icvs = texts->sets_icvs,
      .carries = texts->extended.text != NULL, .has_lanes = texts->has_lanes,
      .lane_stack = texts->has_lanes ? texts->lanes.stack : (struct nvptx_lane_stack) { 0, 0 },
      .num = subst->num, .num_ours = subst->num_ours,
      .hash = nvptx_cache_hash (subst->objects, subst->num), .num_kernels = image->tables.num_functions,
      /* One more than needed: malloc (0) may be NULL.  */
      .code = malloc ((image->tables.num_functions + 1) * sizeof (*start->code))
    };
  if (start->code != NULL)
    start->unsure = !look_at_code (&image->tables, texts, start->code);
  return start->code != NULL;
}

void *
nvptx_start_write (const struct nvptx_start *start, const struct nvptx_cache_place *place, size_t *size)
{
  size_t bytes = start->num_kernels * sizeof (*start->code);
  struct record *r = calloc (1, sizeof (*r) + bytes);

  if (r == NULL)
    return NULL;
  *r = (struct record)
    {
      .version = RECORD_VERSION,
      .flags = (start->our_library ? OUR_LIBRARY : 0) | (start->our_tasks ? OUR_TASKS : 0)
	       | (start->gcc_library ? GCC_LIBRARY : 0) | (start->lowlat_pool ? LOWLAT_POOL : 0)
	       | (start->prints ? PRINTS : 0) | (start->sets_icvs ? SETS_ICVS : 0) | (start->carries ? CARRIES : 0)
	       | (start->has_lanes ? HAS_LANES : 0),
      .lane_stack = start->lane_stack, .num = start->num, .num_ours = start->num_ours,
      .num_kernels = start->num_kernels, .hash = start->hash, .place = *place
    };
  memcpy (r + 1, start->code, bytes);
  *size = sizeof (*r) + bytes;
  return r;
}

bool
nvptx_start_read (const void *data, size_t size, size_t num_kernels, struct nvptx_start *start,
		  struct nvptx_cache_place *place)
{
  const unsigned char *code = (const unsigned char *) data + sizeof (struct record);
  struct record r;

  if (size < sizeof (r) || (size - sizeof (r)) % sizeof (*start->code) != 0
      || (size - sizeof (r)) / sizeof (*start->code) != num_kernels)
    return false;
  memcpy (&r, data, sizeof (r));
  if (r.version != RECORD_VERSION || (r.flags & ~(uint32_t) ALL_FLAGS) != 0 || r.num_kernels != num_kernels
      || r.num_ours > r.num || r.lane_stack.bytes > NVPTX_LANES_STACK
      || r.lane_stack.share > NVPTX_LANES_SHARE || r.place.cubin_size == 0)
    return false;
  *start = (struct nvptx_start)
    {
      .our_library = r.flags & OUR_LIBRARY, .our_tasks = r.flags & OUR_TASKS, .gcc_library = r.flags & GCC_LIBRARY,
      .lowlat_pool = r.flags & LOWLAT_POOL, .prints = r.flags & PRINTS, .sets_icvs = r.flags & SETS_ICVS,
      .carries = r.flags & CARRIES, .has_lanes = r.flags & HAS_LANES,
      .lane_stack = r.lane_stack, .num = r.num, .num_ours = r.num_ours, .hash = r.hash, .num_kernels = num_kernels,
      .code = malloc ((num_kernels + 1) * sizeof (*start->code))
    };
  if (start->code == NULL)
    return false;
  memcpy (start->code, code, num_kernels * sizeof (*start->code));
  *place = r.place;
  return true;
}

/* ---- keys ---- */

struct build_id
{
  const unsigned char *bytes;	/* NULL: not found, so far */
  size_t size;
};

/* The notes at P, SIZE bytes: is a build ID among them?  */
static void
look_at_notes (const unsigned char *p, size_t size, size_t align, struct build_id *id)
{
  ElfW(Nhdr) note;

  align = align == 8 ? 8 : 4;
  while (size >= sizeof (note) && id->bytes == NULL)
    {
      memcpy (&note, p, sizeof (note));
      size_t name = (note.n_namesz + align - 1) & -align, desc = (note.n_descsz + align - 1) & -align;
      if (name > size - sizeof (note) || note.n_descsz > size - sizeof (note) - name)
	break;
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp (p + sizeof (note), "GNU", 4) == 0
	  && note.n_descsz > 0)
	*id = (struct build_id) { p + sizeof (note) + name, note.n_descsz };
      if (desc > size - sizeof (note) - name)
	break;
      p += sizeof (note) + name + desc;
      size -= sizeof (note) + name + desc;
    }
}

/* For dl_iterate_phdr: is this the file that this code is in?  */
static int
look_at_file (struct dl_phdr_info *info, size_t size, void *id)
{
  uintptr_t here = (uintptr_t) &look_at_file;
  bool mine = false;

  (void) size;
  for (size_t i = 0; i < info->dlpi_phnum; i++)
    mine |= info->dlpi_phdr[i].p_type == PT_LOAD
	    && here - (info->dlpi_addr + info->dlpi_phdr[i].p_vaddr) < info->dlpi_phdr[i].p_memsz;
  for (size_t i = 0; mine && i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_NOTE)
      look_at_notes ((const unsigned char *) info->dlpi_addr + info->dlpi_phdr[i].p_vaddr,
		     info->dlpi_phdr[i].p_memsz, info->dlpi_phdr[i].p_align, id);
  return mine;
}

/* Everything but the image's objects that decides what is linked for it; NULL: out of memory, or it can't be told.  */
static char *
make_key (const struct nvptx_image *image)
{
  const struct nvptx_tables *t = &image->tables;
  struct build_id id = { NULL, 0 };
  const struct nvptx_object *library;
  size_t num_library;
  char *text = NULL, *link = NULL;
  size_t size = 0;

  dl_iterate_phdr (look_at_file, &id);
  FILE *f = id.bytes != NULL ? open_memstream (&text, &size) : NULL;
  if (f == NULL)
    return NULL;
  link = nvptx_link_settings (image->shared.dev);
  fprintf (f, "%sstart %d\nplugin ", link != NULL ? link : "", RECORD_VERSION);
  for (size_t i = 0; i < id.size; i++)
    fprintf (f, "%02x", id.bytes[i]);
  /* What is built in is as the plugin is.  */
  fprintf (f, "\nmath %d", nvptx_subst_math ());
  fprintf (f, "\nlibrary %d", nvptx_subst_setting (&library, &num_library));
  fprintf (f, " %016" PRIx64 "\norder %d\nlanes %08x\nvariables %zu\nindirect %zu\nfunctions %zu\n",
	   nvptx_cache_hash (library, num_library), nvptx_tune_orders (), nvptx_lanes_setting (image->shared.dev), t->num_vars, t->num_indirect, t->num_functions);
  for (size_t i = 0; i < t->num_functions; i++)
    fprintf (f, "%u %u %u %s\n", t->functions[i].dim[0], t->functions[i].dim[1], t->functions[i].dim[2],
	     t->functions[i].name);
  bool good = link != NULL && ferror (f) == 0;
  good = fclose (f) == 0 && good;
  free (link);
  if (good)
    return text;
  free (text);
  return NULL;
}

bool
nvptx_start_find (const struct nvptx_image *image, struct nvptx_start *start, void **cubin)
{
  const struct nvptx_tables *t = &image->tables;
  struct nvptx_cache_key key
    = { .objects = t->objects, .num_objects = t->num_objects, .kind = NVPTX_CACHE_START };
  struct nvptx_cache_place place;
  void *record = NULL;
  size_t size;

  *cubin = NULL;
  key.text = nvptx_core->wants_info ? NULL : make_key (image);
  if (key.text != NULL && nvptx_cache_find (&key, &record, &size)
      && nvptx_start_read (record, size, t->num_functions, start, &place)
      && (*cubin = nvptx_cache_take (&place)) == NULL)
    free (start->code);
  free (record);
  free ((char *) key.text);
  return *cubin != NULL;
}

/* ---- notes ---- */

struct nvptx_start_note *
nvptx_start_note (const struct nvptx_image *image, const struct nvptx_start *start)
{
  const struct nvptx_tables *t = &image->tables;
  struct nvptx_start_note *note = !start->unsure && nvptx_cache_keeps () ? calloc (1, sizeof (*note)) : NULL;
  size_t size = 0;

  if (note == NULL)
    return NULL;
  for (size_t i = 0; i < t->num_objects; i++)
    size += t->objects[i].size;
  note->start = *start;
  note->start.code = malloc ((start->num_kernels + 1) * sizeof (*start->code));
  note->objects = malloc (t->num_objects * sizeof (*note->objects) + size);
  note->key = (struct nvptx_cache_key)
    { make_key (image), note->objects, t->num_objects, NVPTX_CACHE_START };
  if (note->key.text == NULL || note->objects == NULL || note->start.code == NULL)
    {
      nvptx_start_free (note);
      return NULL;
    }
  memcpy (note->start.code, start->code, start->num_kernels * sizeof (*start->code));
  char *text = (char *) (note->objects + t->num_objects);
  for (size_t i = 0; i < t->num_objects; i++)
    {
      memcpy (text, t->objects[i].text, t->objects[i].size);
      note->objects[i] = (struct nvptx_object) { text, t->objects[i].size };
      text += t->objects[i].size;
    }
  return note;
}

void
nvptx_start_keep (const struct nvptx_start_note *note, const struct nvptx_cache_place *place)
{
  size_t size;

  if (note == NULL || place->cubin_size == 0)
    return;
  void *record = nvptx_start_write (&note->start, place, &size);
  if (record != NULL)
    nvptx_cache_store (&note->key, record, size);
  free (record);
}

void
nvptx_start_free (struct nvptx_start_note *note)
{
  if (note == NULL)
    return;
  free ((char *) note->key.text);
  free (note->objects);
  free (note->start.code);
  free (note);
}
