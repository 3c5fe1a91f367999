/* nvptx-decode.c -- decoding the data of a registered nvptx image.

   mkoffload lays it out in one of three ways, by the version of the compiler (abi/nvptx section 1.2).
   The core has taken the word in front that only the newer ones have, so that what remains begins
   alike; the newest one has a count more at the end.

   An image is untrusted: it is part of a module that anybody may have made.  What can be checked without
   knowing the extent of the memory is: alignments, null pointers, counts against each other and
   against the host's tables, texts that end where they say, names that are identifiers.  Decoding copies
   nothing.  Of a module that may be closed all that was accepted is copied (nvptx_copy_data), and that is
   decoded in its place.

   Invariant: what nvptx_decode accepts can be used without any other test.  */

#include "nvptx-decode.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The data behind the requires mask.  */
struct target_data
{
  const struct nvptx_object *objects;
  uint32_t num_objects;
  const char *const *var_names;
  uint32_t num_vars;
  const struct nvptx_function *functions;
  uint32_t num_functions;
  uint32_t num_indirect;	/* padding before version 3: must not be read then */
};

_Static_assert (sizeof (struct target_data) == 48 && sizeof (struct nvptx_function) == 16
		&& sizeof (struct nvptx_object) == 16, "the layout of images");

enum
{
  FIRST_VERSION = 1,		/* GCC 12 */
  INDIRECT_VERSION = 3,		/* GCC 14: has num_indirect */
  LAST_VERSION = 3,
  DEVICE_VERSION = 1,
  MAX_OBJECTS = 1 << 20,
  MAX_NAME = 1 << 16,
  SHOWN_NAME = 60		/* characters of a bad name in a message */
};

static bool __attribute__ ((format (printf, 2, 3)))
refuse (char why[NVPTX_WHY], const char *fmt, ...)
{
  va_list args;
  va_start (args, fmt);
  vsnprintf (why, NVPTX_WHY, fmt, args);
  va_end (args);
  return false;
}

static bool
is_aligned (const void *p, size_t align)
{
  return p != NULL && (uintptr_t) p % align == 0;
}

static bool
is_table (const void *p, size_t align, size_t count, size_t size)
{
  return count == 0 || (is_aligned (p, align) && (uintptr_t) p <= UINTPTR_MAX - count * size);
}

static bool
is_name_character (char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
	 || c == '_' || c == '$' || c == '%' || c == '.';
}

/* NAME is the I-th of the WHAT.  */
static bool
check_name (const char *name, const char *what, size_t i, char why[NVPTX_WHY])
{
  if (name == NULL || *name == 0)
    return refuse (why, "%s %zu has no name", what, i);
  size_t n = 0;
  while (n < MAX_NAME && is_name_character (name[n]))
    n++;
  if (n == MAX_NAME)
    return refuse (why, "the name of %s %zu is longer than %d bytes", what, i, MAX_NAME);
  if (name[n] != 0)
    return refuse (why, "the name of %s %zu, %.*s, has the character %#x in it", what, i,
		   n < SHOWN_NAME ? (int) n : SHOWN_NAME, name, (unsigned char) name[n]);
  return true;
}

static bool
check_count (size_t device, size_t host, const char *what, char why[NVPTX_WHY])
{
  return device == host
	 || refuse (why, "it has %zu %s, the host's table %zu", device, what, host);
}

static bool
is_link_name (const char *name)
{
  static const char suffix[] = "$linkptr";
  size_t n = strlen (name);
  return n >= sizeof (suffix) && strcmp (name + n - (sizeof (suffix) - 1), suffix) == 0;
}

/* Do the variables of the two tables belong together?  GCC 12 writes the names in another order than
   the host's table when there are link variables (doc/abi-notes.md).  Where kinds differ that is
   certain; sizes are compared when the image is linked; what neither would find is refused.  */
static bool
check_order (const struct gomp_image_desc *desc, const struct nvptx_tables *t, char why[NVPTX_WHY])
{
  size_t links = 0;
  for (size_t i = 0; i < t->num_vars; i++)
    {
      bool link = desc->host_vars[i].is_link;
      links += link;
      if (is_link_name (t->var_names[i]) != link)
	return refuse (why, desc->lib_version == FIRST_VERSION
		       ? "GCC 12 has put its variables into a wrong order, which it does when one is in a "
			 "`link' clause; newer versions do not"
		       : "variable %zu is in a `link' clause on one side only", i);
    }
  if (desc->lib_version != FIRST_VERSION || links == 0)
    return true;
  for (size_t i = 0; i < t->num_vars; i++)
    for (size_t j = 0; j < i; j++)
      {
	const struct gomp_host_var *x = &desc->host_vars[i], *y = &desc->host_vars[j];
	if (x->is_link == y->is_link && (x->is_link || x->size == y->size))
	  return refuse (why, "GCC 12 may have put its variables into a wrong order, which it does when one "
			 "is in a `link' clause; newer versions do not");
      }
  return true;
}

static bool
check_objects (const struct nvptx_tables *t, char why[NVPTX_WHY])
{
  uint64_t total = 0;

  if (t->num_objects == 0)
    return refuse (why, "it has no code");
  if (t->num_objects > MAX_OBJECTS)
    return refuse (why, "it says that it has %zu objects", t->num_objects);
  if (!is_table (t->objects, 8, t->num_objects, sizeof (t->objects[0])))
    return refuse (why, "its table of objects is not aligned");
  for (size_t i = 0; i < t->num_objects; i++)
    {
      const struct nvptx_object *o = &t->objects[i];
      if (o->text == NULL || o->size == 0 || o->size > SSIZE_MAX
	  || (uintptr_t) o->text > UINTPTR_MAX - o->size
	  || __builtin_add_overflow (total, o->size, &total) || total > SSIZE_MAX)
	return refuse (why, "object %zu is empty, or larger than memory", i);
      const char *end = memchr (o->text, 0, o->size);
      if (end != o->text + o->size - 1)
	return refuse (why, end == NULL ? "object %zu has no end"
		       : "object %zu ends before its size says", i);
    }
  return true;
}

bool
nvptx_decode (const struct gomp_image_desc *desc, struct nvptx_tables *t, char why[NVPTX_WHY])
{
  const struct target_data *data = desc->target_data;

  memset (t, 0, sizeof (*t));
  if (desc->lib_version < FIRST_VERSION || desc->lib_version > LAST_VERSION
      || desc->dev_version != DEVICE_VERSION)
    return refuse (why, "its version is %u.%u, known are %d.%d to %d.%d", desc->lib_version,
		   desc->dev_version, FIRST_VERSION, DEVICE_VERSION, LAST_VERSION, DEVICE_VERSION);
  if (!is_aligned (data, 8))
    return refuse (why, "its data is not aligned");

  t->objects = data->objects;
  t->num_objects = data->num_objects;
  t->var_names = data->var_names;
  t->num_vars = data->num_vars;
  t->functions = data->functions;
  t->num_functions = data->num_functions;
  t->num_indirect = desc->lib_version >= INDIRECT_VERSION ? data->num_indirect : 0;

  if (!check_count (t->num_functions, desc->num_funcs, "functions", why)
      || !check_count (t->num_vars, desc->num_vars, "variables", why)
      || !check_count (t->num_indirect, desc->num_ind_funcs, "indirect functions", why))
    return false;
  if (!is_table (t->functions, 8, t->num_functions, sizeof (t->functions[0])))
    return refuse (why, "its table of functions is not aligned");
  if (!is_table (t->var_names, 8, t->num_vars, sizeof (t->var_names[0])))
    return refuse (why, "its table of variables is not aligned");
  for (size_t i = 0; i < t->num_functions; i++)
    if (!check_name (t->functions[i].name, "function", i, why))
      return false;
  for (size_t i = 0; i < t->num_vars; i++)
    if (!check_name (t->var_names[i], "variable", i, why))
      return false;
  return check_order (desc, t, why) && check_objects (t, why);
}

/* ---- a copy ---- */

/* Where the next part of a block lies; NULL: it is only measured.  */
struct block
{
  char *start;
  size_t size;
};

/* Room for SIZE bytes, which are those at FROM, behind what BLOCK has.  */
static void *
append (struct block *block, const void *from, size_t size)
{
  void *place = block->start != NULL ? block->start + block->size : NULL;
  if (place != NULL && size > 0)
    memcpy (place, from, size);
  block->size += size;
  return place;
}

/* Tables come first: all of them are multiples of 8 bytes.  */
static void
append_all (struct block *block, const struct nvptx_tables *t)
{
  struct target_data data =
    {
      .num_objects = t->num_objects,
      .num_vars = t->num_vars,
      .num_functions = t->num_functions,
      .num_indirect = t->num_indirect
    };
  struct target_data *head = append (block, &data, sizeof (data));
  struct nvptx_object *objects = append (block, t->objects, t->num_objects * sizeof (*objects));
  struct nvptx_function *functions = append (block, t->functions, t->num_functions * sizeof (*functions));
  const char **names = append (block, t->var_names, t->num_vars * sizeof (*names));

  for (size_t i = 0; i < t->num_objects; i++)
    {
      const char *text = append (block, t->objects[i].text, t->objects[i].size);
      if (head != NULL)
	objects[i].text = text;
    }
  for (size_t i = 0; i < t->num_functions; i++)
    {
      const char *name = append (block, t->functions[i].name, strlen (t->functions[i].name) + 1);
      if (head != NULL)
	functions[i].name = name;
    }
  for (size_t i = 0; i < t->num_vars; i++)
    {
      const char *name = append (block, t->var_names[i], strlen (t->var_names[i]) + 1);
      if (head != NULL)
	names[i] = name;
    }
  if (head == NULL)
    return;
  head->objects = objects;
  head->functions = functions;
  head->var_names = names;
}

void *
nvptx_copy_data (const struct nvptx_tables *t)
{
  struct block block = { NULL, 0 };

  append_all (&block, t);
  block.start = malloc (block.size);
  block.size = 0;
  if (block.start != NULL)
    append_all (&block, t);
  return block.start;
}

/* ---- versions of PTX ---- */

/* The newest PTX of a driver, as major * 100 + minor; INT_MAX: newer than any that GCC writes.  */
static int
newest_ptx (int driver)
{
  static const struct { int driver, ptx; } known[]
    = { { 9000, 600 }, { 9010, 601 }, { 9020, 602 }, { 10000, 603 }, { 10010, 604 }, { 10020, 605 } };

  if (driver >= 12000)
    return INT_MAX;
  if (driver >= 11000)	/* CUDA 11.N: PTX 7.N */
    return 700 + driver % 1000 / 10;
  for (size_t i = 0; i < sizeof (known) / sizeof (known[0]); i++)
    if (driver == known[i].driver)
      return known[i].ptx;
  return INT_MAX;		/* let the driver say it */
}

bool
nvptx_driver_knows (const struct nvptx_tables *t, int driver, char why[NVPTX_WHY])
{
  static const char directive[] = ".version ";
  int newest = newest_ptx (driver);

  for (size_t i = 0; i < t->num_objects && newest != INT_MAX; i++)
    {
      const char *text = strstr (t->objects[i].text, directive);
      unsigned major, minor;
      if (text != NULL && sscanf (text + sizeof (directive) - 1, "%3u.%2u", &major, &minor) == 2
	  && (int) (major * 100 + minor) > newest)
	return refuse (why, "its code is PTX %u.%u, and the driver, of CUDA %d.%d, knows up to %d.%d",
		       major, minor, driver / 1000, driver % 1000 / 10, newest / 100, newest % 100);
    }
  return true;
}

bool
nvptx_is_host_function (const char *name)
{
  /* A number is behind it only where the compiler has made a clone.  */
  const char *mark = strstr (name, "$nohost");
  return mark != NULL && (mark[7] == '$' || mark[7] == '\0');
}
