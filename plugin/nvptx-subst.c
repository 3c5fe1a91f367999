/* nvptx-subst.c -- our device library in place of the one that the compiler linked into an image.

   Nothing but the names of symbols ties a program's PTX to the device library in its image.  So
   the image is linked again, as from archives: what the program's object needs is taken from our library
   if that has it, and from the image otherwise, and so on for what is taken.  The image's objects of
   GCC's libgomp are then mostly needed by nobody, and are gone; those of its C, Fortran and
   mathematical libraries stay where they are needed.

   An image is left as it is where that does not come out even: a name is found nowhere; a name is only in the
   image's libgomp, whose objects share state with those that would go; or two of the objects that
   would be linked define a name, say because the program has a function of its own that is called like
   one of ours.

   Our library has functions of libm, too (config/math).  Each is an object of its own, which a line in its text marks, and takes the place of
   the image's function of that name: not of one that the program's own object defines, nor of one in an object of the image that
   is linked anyhow.  For the rest of the plugin they are objects of the image: code like the program's, not of OpenMP.  They set no errno: a
   program whose own object refers to __errno keeps the image's, and so does an image in which it does not come out even with ours.

   OpenACC programs keep their library, and so do images without regions, whose
   objects say nothing of the library they want.

   Objects that the compiler's tools generate have no marker comments; they refer to the program's object
   alone and always stay, and so do those with entries (constructors).

   Our library is what the plugin carries (nvptx-library.h), or, for who works on it, a file that
   GOMP_NVPTX_DEVICE_LIBRARY names: an archive of PTX texts such as the installed libgomp.a for devices.

   Invariants
   1. The same image and library give the same objects in the same order: they are the key of the cache.
   2. Either everything is as it was, or every object is one of: the program's, ours, needed by one that
      stays.

   Settings and the library are fixed by nvptx_subst_init; everything else is in the calls' own memory.
   Called by nvptx-texts.c when an image is linked.  */

#include "nvptx-subst.h"
#include "nvptx-library.h"
#include "lanes-abi.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILE = 64 << 20, MEMBER_HEADER = 60 };

static bool wanted;		/* our library */
static bool math_wanted;	/* its functions of libm, too */
static bool from_file;		/* it is not the one that is built in */
static struct nvptx_object *library;	/* never freed: images refer to it */
static size_t library_count;
static size_t library_math;	/* the first ones of it are functions of libm */

/* ---- the library ---- */

/* Is OBJECT a function of libm?  It says so behind its preamble.  */
static bool
is_function_of_libm (const struct nvptx_object *object)
{
  static const char mark[] = "// END PREAMBLE\n// GOMPX MATH\n";
  return memmem (object->text, object->size < 512 ? object->size : 512, mark, sizeof (mark) - 1) != NULL;
}

/* Put the functions of libm first, all in the order in which they were.  False: no memory.  */
static bool
sort_library (void)
{
  struct nvptx_object *others = malloc ((library_count + 1) * sizeof (*others));
  size_t n = 0;

  if (others == NULL)
    return false;
  for (size_t i = 0; i < library_count; i++)
    if (is_function_of_libm (&library[i]))
      library[library_math++] = library[i];
    else
      others[n++] = library[i];
  memcpy (library + library_math, others, n * sizeof (*others));
  free (others);
  return true;
}

/* The next member of the archive that has LEFT bytes at *AT: its contents and size.  False: there is no
   further one, or, with *BAD set, something else.  */
static bool
next_member (const char **at, size_t *left, const char **text, size_t *size, bool *bad)
{
  const char *header = *at;
  if (*left == 0)
    return false;
  *bad = true;
  if (*left < MEMBER_HEADER || header[58] != '`' || header[59] != '\n' || header[48] < '0'
      || header[48] > '9')
    return false;
  char digits[11] = "";
  memcpy (digits, header + 48, 10);
  *size = strtoul (digits, NULL, 10);
  if (*size > *left - MEMBER_HEADER)
    return false;
  *text = header + MEMBER_HEADER;
  size_t step = MEMBER_HEADER + *size + (*size & 1);
  step = step < *left ? step : *left;
  *at += step;
  *left -= step;
  *bad = false;
  return true;
}

/* Take the members of the archive as our library.  False: they are no PTX, or there is no memory.  */
static bool
read_archive (const char *data, size_t size)
{
  static const char magic[8] = "!<arch>\n", preamble[] = "// BEGIN PREAMBLE";
  const char *text;
  size_t n, room = 0;
  bool bad = false;

  if (size < sizeof (magic) || memcmp (data, magic, sizeof (magic)) != 0)
    return false;
  data += sizeof (magic);
  size -= sizeof (magic);
  for (const char *header = data; next_member (&data, &size, &text, &n, &bad); header = data)
    {
      if (header[0] == '/')
	continue;		/* the archive's own tables */
      while (n > 0 && text[n - 1] == 0)
	n--;
      char *copy = n >= sizeof (preamble) && memmem (text, n, preamble, sizeof (preamble) - 1) != NULL
		   && memchr (text, 0, n) == NULL ? malloc (n + 1) : NULL;
      if (copy != NULL && library_count == room)
	{
	  struct nvptx_object *more = realloc (library, (room += 64) * sizeof (*library));
	  if (more == NULL)
	    {
	      free (copy);
	      copy = NULL;
	    }
	  else
	    library = more;
	}
      if (copy == NULL)
	return false;
      memcpy (copy, text, n);
      copy[n] = 0;
      library[library_count++] = (struct nvptx_object) { copy, n + 1 };
    }
  return !bad && library_count > 0;
}

static gomp_status_t
read_file (const struct gomp_plugin_core *core, const char *name)
{
  FILE *f = fopen (name, "re");
  const char *why = NULL;
  char *data = NULL;
  size_t size = 0;

  if (f == NULL)
    why = strerror (errno);
  else if ((data = malloc (MAX_FILE)) == NULL)
    why = "out of memory";
  else
    {
      size = fread (data, 1, MAX_FILE, f);
      if (ferror (f))
	why = strerror (errno);
      else if (!read_archive (data, size))
	why = "it is no archive of PTX texts";
      else if (!sort_library ())
	why = "out of memory";
    }
  if (f != NULL)
    fclose (f);
  free (data);
  from_file = true;
  if (why == NULL)
    return GOMP_OK;
  core->set_error ("GOMP_NVPTX_DEVICE_LIBRARY cannot be read: %s: %s", name, why);
  return GOMP_INVALID;
}

static gomp_status_t
use_built_in (const struct gomp_plugin_core *core)
{
  library_count = nvptx_library_count;
  library = malloc ((library_count + 1) * sizeof (*library));
  for (size_t i = 0; i < library_count && library != NULL; i++)
    library[i] = (struct nvptx_object) { nvptx_library[i].text, nvptx_library[i].size };
  if (library != NULL && sort_library ())
    return GOMP_OK;
  core->set_error ("out of memory");
  return GOMP_OUT_OF_HOST_MEMORY;
}

gomp_status_t
nvptx_subst_init (const struct gomp_plugin_core *core)
{
  const char *text = core->getenv ("GOMP_NVPTX_DEVICE_LIBRARY", false);
  const char *math = core->getenv ("GOMP_NVPTX_MATH", false);

  library = NULL;
  library_count = library_math = 0;
  from_file = false;
  math_wanted = math == NULL || strcmp (math, "ours") == 0;
  if (!math_wanted && strcmp (math, "image") != 0)
    {
      core->set_error ("GOMP_NVPTX_MATH is neither ours nor image: %s", math);
      return GOMP_INVALID;
    }
  wanted = text == NULL || strcmp (text, "image") != 0;
  if (!wanted)
    return GOMP_OK;
  if (text == NULL || strcmp (text, "gompx") == 0)
    return use_built_in (core);
  if (*text == '/')
    {
      /* Not for programs that run with more rights than their user has.  */
      const char *name = core->getenv ("GOMP_NVPTX_DEVICE_LIBRARY", true);
      return name != NULL ? read_file (core, name) : use_built_in (core);
    }
  core->set_error ("GOMP_NVPTX_DEVICE_LIBRARY is neither gompx nor image nor the absolute name of a"
		   " file: %s", text);
  return GOMP_INVALID;
}

bool
nvptx_subst_setting (const struct nvptx_object **objects, size_t *num)
{
  *objects = library;
  *num = wanted && from_file ? library_count : 0;
  return wanted;
}

bool
nvptx_subst_math (void)
{
  return math_wanted;
}

/* ---- what is linked ---- */

struct choice
{
  const struct nvptx_object *objects;	/* the image's, then ours, of which the first ones are functions of libm */
  size_t num_image, num_math, num;
  bool math;			/* these are wanted */
  struct nvptx_symbols symbols;
  bool *kept;
  size_t *todo;			/* kept, and not looked through */
  size_t num_todo;
  char *why;
};

static bool
is_math (const struct choice *c, size_t object)
{
  return object >= c->num_image && object < c->num_image + c->num_math;
}

static bool
is_ours (const struct choice *c, size_t object)
{
  return object >= c->num_image + c->num_math;
}

static void
keep (struct choice *c, size_t object)
{
  if (!c->kept[object])
    {
      c->kept[object] = true;
      c->todo[c->num_todo++] = object;
    }
}

/* No substitution because of the symbol S.  FMT has one %.*s.  */
static bool __attribute__ ((format (printf, 3, 0)))
refuse (struct choice *c, const struct nvptx_symbol *s, const char *fmt)
{
  snprintf (c->why, NVPTX_WHY, fmt, s->length > 100 ? 100 : (int) s->length, s->name);
  return false;
}

/* Is OBJECT one of GCC's libgomp?  Its public members can be told by their names; the others are not
   needed without these.  */
static bool
is_libgomp (const struct choice *c, size_t object)
{
  static const char *const prefixes[] = { "GOMP_", "omp_", "gomp_", "GOACC_", "goacc_", "acc_" };
  for (size_t i = c->symbols.first[object]; i < c->symbols.first[object + 1]; i++)
    {
      const struct nvptx_symbol *s = &c->symbols.all[i];
      for (size_t k = 0; k < sizeof (prefixes) / sizeof (prefixes[0]) && s->definition && s->global; k++)
	if (s->length > strlen (prefixes[k]) && memcmp (s->name, prefixes[k], strlen (prefixes[k])) == 0)
	  return true;
    }
  return false;
}

/* Object OBJECT refers to S: keep what defines it.  */
static bool
need (struct choice *c, size_t object, const struct nvptx_symbol *s)
{
  static const char *const of_driver[]
    = { "vprintf", "malloc", "free", "__assertfail", "cudaDeviceSynchronize" };
  const struct nvptx_symbol *const *defs;
  size_t n = nvptx_symbol_definitions (&c->symbols, s->name, s->length, &defs);
  size_t ours = SIZE_MAX, math = SIZE_MAX, image = SIZE_MAX;
  bool found = false;

  for (size_t i = 0; i < n && defs[i]->global; i++)
    {
      size_t d = defs[i]->object, *first = is_ours (c, d) ? &ours : is_math (c, d) ? &math : &image;
      /* Ours that is linked anyhow: perhaps a weak one, which takes no other object.  */
      if (d == object || (is_ours (c, d) && c->kept[d]))
	return true;
      found = found || c->kept[d];
      if (*first == SIZE_MAX && (c->math || first != &math))
	*first = d;
    }
  if (ours != SIZE_MAX)
    keep (c, ours);
  else if (found)
    return true;
  else if (math != SIZE_MAX)
    keep (c, math);
  else if (image != SIZE_MAX)
    {
      if (is_libgomp (c, image))
	return refuse (c, s, "it needs %.*s, which only its own library has");
      keep (c, image);
    }
  else
    {
      for (size_t k = 0; k < sizeof (of_driver) / sizeof (of_driver[0]); k++)
	if (nvptx_is_named (s->name, s->length, of_driver[k]))
	  return true;
      return refuse (c, s, "it needs %.*s, which is nowhere");
    }
  return true;
}

/* Does a kept object of ours define what another kept object defines, too?  */
static bool
none_twice (struct choice *c)
{
  const struct nvptx_symbols *symbols = &c->symbols;
  for (size_t o = c->num_image; o < c->num; o++)
    for (size_t i = symbols->first[o]; i < symbols->first[o + 1] && c->kept[o]; i++)
      {
	const struct nvptx_symbol *s = &symbols->all[i];
	const struct nvptx_symbol *const *defs;
	if (!s->definition || !s->global)
	  continue;
	size_t n = nvptx_symbol_definitions (symbols, s->name, s->length, &defs);
	for (size_t k = 0; k < n && defs[k]->global; k++)
	  if (c->kept[defs[k]->object] && defs[k]->object < c->num_image)
	    return refuse (c, s, defs[k]->object == 0
				 ? "the program has a function or variable of its own called %.*s"
				 : "both its own library and ours are needed, and define %.*s");
      }
  return true;
}

/* Keep what our library has for lanes in place of what the program calls.  */
static void
keep_lanes (struct choice *c)
{
  for (size_t i = c->symbols.first[0]; i < c->symbols.first[1]; i++)
    {
      const struct nvptx_symbol *s = &c->symbols.all[i];
      const struct nvptx_symbol *const *defs;
      bool is_main = nvptx_is_named (s->name, s->length, "gomp_nvptx_main");
      char name[128];
      if (s->definition || s->length > 100)
	continue;
      size_t length = is_main ? snprintf (name, sizeof (name), GOMPX_LANES_MAIN)
		      : snprintf (name, sizeof (name), GOMPX_LANES_PREFIX "%.*s", (int) s->length, s->name);
      size_t n = nvptx_symbol_definitions (&c->symbols, name, length, &defs);
      for (size_t k = 0; k < n; k++)
	if (defs[k]->global && is_ours (c, defs[k]->object))
	  keep (c, defs[k]->object);
    }
}

static bool
resolve (struct choice *c, bool lanes)
{
  static const char preamble[] = "// BEGIN PREAMBLE", entry[] = ".entry ";

  if (!nvptx_object_mentions (&c->symbols, 0, "gomp_nvptx_main"))
    {
      snprintf (c->why, NVPTX_WHY, "it has no OpenMP regions");
      return false;
    }
  memset (c->kept, 0, c->num * sizeof (*c->kept));
  c->num_todo = 0;
  for (size_t i = 0; i < c->num_image; i++)
    if (i == 0
	|| memmem (c->objects[i].text, c->objects[i].size, preamble, sizeof (preamble) - 1) == NULL
	|| memmem (c->objects[i].text, c->objects[i].size, entry, sizeof (entry) - 1) != NULL)
      keep (c, i);
  if (lanes)
    keep_lanes (c);
  while (c->num_todo > 0)
    {
      size_t o = c->todo[--c->num_todo];
      for (size_t i = c->symbols.first[o]; i < c->symbols.first[o + 1]; i++)
	{
	  const struct nvptx_symbol *s = &c->symbols.all[i];
	  if (s->global && !s->definition && !need (c, o, s))
	    return false;
	}
    }
  return none_twice (c);
}

/* Does something that is linked refer to S, a definition?  */
static bool
is_asked_for (const struct choice *c, const struct nvptx_symbol *s)
{
  for (size_t o = 0; o < c->num; o++)
    for (size_t i = c->symbols.first[o]; i < c->symbols.first[o + 1] && c->kept[o]; i++)
      {
	const struct nvptx_symbol *other = &c->symbols.all[i];
	if (!other->definition && other->length == s->length && memcmp (other->name, s->name, s->length) == 0 && o != s->object)
	  return true;
      }
  return false;
}

/* Add the functions that OBJECT defines to the names that are told.  */
static void
add_names (const struct choice *c, size_t object, char names[NVPTX_WHY])
{
  for (size_t i = c->symbols.first[object]; i < c->symbols.first[object + 1]; i++)
    {
      const struct nvptx_symbol *s = &c->symbols.all[i];
      size_t length = strlen (names);
      if (s->definition && s->global && s->name[0] != '_' && is_asked_for (c, s))
	snprintf (names + length, NVPTX_WHY - length, "%s%.*s", length > 0 ? " " : "", (int) s->length, s->name);
    }
}

/* Put the kept objects in front, those of the image first.  */
static void
take_kept (const struct choice *c, struct nvptx_subst *subst)
{
  subst->num = 0;
  for (size_t i = 0; i < c->num; i++)
    if (c->kept[i])
      {
	subst->objects[subst->num++] = c->objects[i];
	subst->num_ours += is_ours (c, i);
	subst->num_math += is_math (c, i);
	if (is_math (c, i))
	  add_names (c, i, subst->math_names);
      }
}

/* What the image gets, with our functions of libm if that comes out even.  */
static bool
choose (struct choice *c, bool lanes, struct nvptx_subst *subst)
{
  static const char reads_errno[] = "the program asks for the address of errno";

  c->math = math_wanted && c->num_math > 0;
  if (c->math && nvptx_object_mentions (&c->symbols, 0, "__errno"))
    {
      c->math = false;
      memcpy (subst->math_why, reads_errno, sizeof (reads_errno));
    }
  if (resolve (c, lanes))
    return true;
  if (!c->math)
    return false;
  c->math = false;
  memcpy (subst->math_why, subst->why, sizeof (subst->why));
  subst->why[0] = 0;
  return resolve (c, lanes);
}

static bool
is_openacc (const struct nvptx_tables *tables)
{
  for (size_t i = 0; i < tables->num_functions; i++)
    for (int d = 0; d < 3; d++)
      if (tables->functions[i].dim[d] != 0)
	return true;
  return false;
}

bool
nvptx_substitute (const struct nvptx_tables *tables, bool lanes, struct nvptx_subst *subst)
{
  size_t n = tables->num_objects;
  struct choice c = { .num_image = n, .num = n + library_count, .num_math = library_math, .why = subst->why };

  *subst = (struct nvptx_subst) { .num = n };
  /* One more than the image has: the caller may add one.  */
  subst->objects = malloc ((c.num + 1) * sizeof (*subst->objects));
  if (subst->objects == NULL)
    return false;
  memcpy (subst->objects, tables->objects, n * sizeof (*subst->objects));
  if (!wanted)
    return true;
  if (library_count == 0)
    {
      snprintf (subst->why, NVPTX_WHY, "this build of the plugin has none");
      return true;
    }
  if (is_openacc (tables))
    {
      snprintf (subst->why, NVPTX_WHY, "it is of an OpenACC program");
      return true;
    }

  struct nvptx_object *all = malloc (c.num * sizeof (*all));
  c.kept = calloc (c.num, sizeof (*c.kept));
  c.todo = malloc (c.num * sizeof (*c.todo));
  bool good = all != NULL && c.kept != NULL && c.todo != NULL;
  if (good)
    {
      memcpy (all, tables->objects, n * sizeof (*all));
      memcpy (all + n, library, library_count * sizeof (*all));
      c.objects = all;
      good = nvptx_symbols_find (all, c.num, &c.symbols);
    }
  if (good)
    {
      if (choose (&c, lanes, subst))
	take_kept (&c, subst);
      nvptx_symbols_free (&c.symbols);
    }
  free (all);
  free (c.kept);
  free (c.todo);
  if (!good)
    {
      free (subst->objects);
      subst->objects = NULL;
    }
  return good;
}
