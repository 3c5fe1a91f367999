/* Records of what a start has found out: what was written is read again, for each of its fields; texts that are cut, longer, changed or of
   other images are no records, or say something that can be.  Whatever has a say in what is found out is in the key, and what is as it is
   for want of memory is not kept.
   TEST-MODES: fake
   TEST-OPTIONS: -I@top_srcdir@/plugin -Wl,--build-id  */

#define _GNU_SOURCE
#include "../../plugin/nvptx-start.c"
#define CHECK(c) do { if (!(c)) { printf ("line %d: %s\n", __LINE__, #c); failed = 1; } } while (0)

static int failed;
static const struct gomp_plugin_core core;
const struct gomp_plugin_core *nvptx_core = &core;

/* What the rest of the file would call.  */
bool nvptx_cache_find (const struct nvptx_cache_key *k, void **c, size_t *s) { (void) k; (void) c; (void) s; return false; }
bool nvptx_cache_store (const struct nvptx_cache_key *k, const void *c, size_t s) { (void) k; (void) c; (void) s; return false; }
static bool keeps = true;
bool nvptx_cache_keeps (void) { return keeps; }
void *nvptx_cache_take (const struct nvptx_cache_place *p) { (void) p; return NULL; }
uint64_t nvptx_cache_hash (const struct nvptx_object *o, size_t n) { (void) o; return n; }
static const char *link_settings = "-O3\n";
char *nvptx_link_settings (struct gomp_plugin_device *d) { (void) d; return link_settings == NULL ? NULL : strdup (link_settings); }
static bool wants_ours = true;
static size_t num_library;
bool nvptx_subst_math (void) { return true; }
bool nvptx_subst_setting (const struct nvptx_object **o, size_t *n) { *o = NULL; *n = num_library; return wants_ours; }
static bool orders;
bool nvptx_tune_orders (void) { return orders; }
static uint32_t lanes_setting;
uint32_t nvptx_lanes_setting (const struct gomp_plugin_device *d) { (void) d; return lanes_setting; }
static bool memory = true;
bool
nvptx_code_look (const char *text, size_t size, const char *const *names, size_t count,
		 const struct nvptx_symbol *tasks, size_t num_tasks, nvptx_code_set *code)
{
  (void) text; (void) size; (void) names; (void) tasks; (void) num_tasks;
  for (size_t i = 0; i < count; i++)
    code[i] = NVPTX_CODE_SIMD | NVPTX_CODE_RECURSION;
  return memory;
}

enum { KERNELS = 5 };

static bool
same (const struct nvptx_start *a, const struct nvptx_start *b)
{
  return a->our_library == b->our_library && a->our_tasks == b->our_tasks && a->gcc_library == b->gcc_library
	 && a->lowlat_pool == b->lowlat_pool && a->prints == b->prints && a->sets_icvs == b->sets_icvs
	 && a->carries == b->carries && a->has_lanes == b->has_lanes && a->lane_stack.bytes == b->lane_stack.bytes
	 && a->lane_stack.share == b->lane_stack.share && a->num == b->num
	 && a->num_ours == b->num_ours && a->hash == b->hash && a->num_kernels == b->num_kernels
	 && memcmp (a->code, b->code, a->num_kernels * sizeof (*a->code)) == 0;
}

/* Write A, and read it.  */
static void
there_and_back (struct nvptx_start a)
{
  const struct nvptx_cache_place place = { 1, 2, 3, 4 };
  struct nvptx_cache_place found;
  struct nvptx_start b;
  size_t size;
  void *record = nvptx_start_write (&a, &place, &size);

  CHECK (record != NULL && nvptx_start_read (record, size, a.num_kernels, &b, &found));
  if (!failed)
    {
      CHECK (same (&a, &b) && memcmp (&place, &found, sizeof (place)) == 0);
      free (b.code);
    }
  free (record);
}

/* A text of SIZE bytes at a place of its own, so that a sanitizer sees who reads more: if it is a record it is a possible one.  */
static bool
try (const void *data, size_t size, size_t num_kernels)
{
  struct nvptx_cache_place place;
  struct nvptx_start start;
  void *copy = malloc (size + (size == 0));

  memcpy (copy, data, size);
  bool good = nvptx_start_read (copy, size, num_kernels, &start, &place);
  if (good)
    {
      CHECK (start.num_kernels == num_kernels && start.num_ours <= start.num && start.lane_stack.bytes <= NVPTX_LANES_STACK && start.lane_stack.share <= NVPTX_LANES_SHARE
	     && place.cubin_size > 0);
      size_t bytes = num_kernels * sizeof (*start.code);
      CHECK (memcmp (start.code, (char *) copy + size - bytes, bytes) == 0);
      free (start.code);
    }
  free (copy);
  return good;
}

/* Is there a note for IMAGE, and has it another key than FIRST, which may be NULL?  */
static bool
noted (const struct nvptx_image *image, const char *first)
{
  static const struct nvptx_texts texts;
  struct nvptx_start start;
  CHECK (nvptx_start_describe (image, &texts, &start));
  struct nvptx_start_note *note = nvptx_start_note (image, &start);
  bool good = note != NULL && (first == NULL || strcmp (note->key.text, first) != 0)
	      && note->key.num_objects == image->tables.num_objects
	      && note->start.code[0] == (NVPTX_CODE_SIMD | NVPTX_CODE_RECURSION)
	      && note->key.kind == NVPTX_CACHE_START;
  for (size_t i = 0; good && i < note->key.num_objects; i++)
    good = note->key.objects[i].text != image->tables.objects[i].text
	   && note->key.objects[i].size == image->tables.objects[i].size
	   && memcmp (note->key.objects[i].text, image->tables.objects[i].text, note->key.objects[i].size) == 0;
  nvptx_start_free (note);
  free (start.code);
  return good;
}

/* VALUE becomes OTHER: then the key is another one.  */
#define MATTERS(value, other)			\
  do						\
    {						\
      __typeof__ (value) before = value;	\
      value = other;				\
      CHECK (noted (&image, first));		\
      value = before;				\
      CHECK (!noted (&image, first));		\
    }						\
  while (0)

static void
keys (void)
{
  static const struct nvptx_object objects[] = { { "one", 4 }, { "", 1 }, { "three", 6 } };
  struct nvptx_function functions[] = { { "f", { 0 } }, { "g", { 0 } } };
  struct nvptx_image image = { .tables = { .objects = objects, .num_objects = 3, .functions = functions, .num_functions = 2 } };

  CHECK (noted (&image, NULL));
  char *first = make_key (&image);
  if (first == NULL)
    {
      CHECK (first != NULL);
      return;
    }
  MATTERS (link_settings, "-O1\n");
  MATTERS (wants_ours, false);
  MATTERS (num_library, 1);
  MATTERS (orders, true);
  MATTERS (lanes_setting, 1U << 31);
  MATTERS (image.tables.num_vars, 1);
  MATTERS (image.tables.num_indirect, 1);
  MATTERS (image.tables.num_functions, 1);
  MATTERS (functions[0].name, "h");
  MATTERS (functions[1].name, "");
  for (int i = 0; i < 3; i++)
    MATTERS (functions[1].dim[i], 1);
  free (first);
  /* Nothing is kept that is not known, and nothing without a key or a cache.  */
  memory = false;
  CHECK (!noted (&image, NULL));
  memory = true;
  link_settings = NULL;
  CHECK (!noted (&image, NULL));
  link_settings = "";
  keeps = false;
  CHECK (!noted (&image, NULL));
  keeps = true;
  CHECK (noted (&image, NULL));
}

int
main (void)
{
  nvptx_code_set code[KERNELS] = { 0, 1, 2, NVPTX_CODE_RECURSION | 3, 0 };
  struct nvptx_start plain = { .num = 7, .num_ours = 3, .hash = 99, .num_kernels = KERNELS, .code = code };
  bool *flags[] = { &plain.our_library, &plain.our_tasks, &plain.gcc_library, &plain.lowlat_pool, &plain.prints,
		    &plain.sets_icvs, &plain.carries, &plain.has_lanes };
  const struct nvptx_cache_place place = { 1, 2, 3, 4 }, none = { 1, 2, 3, 0 };
  size_t size;

  there_and_back (plain);
  for (size_t i = 0; i < sizeof (flags) / sizeof (flags[0]); i++)
    {
      *flags[i] = true;
      there_and_back (plain);
      *flags[i] = i % 2;
    }
  plain.lane_stack = (struct nvptx_lane_stack) { NVPTX_LANES_STACK, NVPTX_LANES_SHARE };
  there_and_back (plain);
  plain.num_kernels = 0;
  there_and_back (plain);
  plain.num_kernels = KERNELS;

  unsigned char *record = nvptx_start_write (&plain, &place, &size);
  if (record == NULL)
    return 1;
  CHECK (try (record, size, KERNELS));
  CHECK (!try (record, size, KERNELS - 1) && !try (record, size, KERNELS + 1) && !try (record, size, SIZE_MAX));
  for (size_t n = 0; n < size; n++)
    CHECK (!try (record, n, KERNELS));
  for (size_t n = 0; n < size; n++)
    for (unsigned bit = 0; bit < 8; bit++)
      {
	record[n] ^= 1 << bit;
	bool good = try (record, size, KERNELS);
	/* The version and the number of kernels are what they are.  */
	CHECK (!good || (n >= 4 && (n < 20 || n >= 24)));
	record[n] ^= 1 << bit;
      }
  free (record);
  record = nvptx_start_write (&plain, &none, &size);
  CHECK (record != NULL && !try (record, size, KERNELS));
  free (record);
  keys ();
  return failed;
}
