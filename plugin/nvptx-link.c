/* nvptx-link.c -- from the PTX objects of an image to a loaded module.

   The driver's linker compiles the objects for the device's architecture, whichever that is: PTX is for
   all that come after the one it names, and the driver knows best what it cannot do.  The result is
   kept on disk (nvptx-cache.c) and loaded without the linker the next time.  A stored one that the
   driver does not take is no error: the image is linked again, and the file replaced.

   Registers.  With what its functions want, GCC's device library gives every kernel 72 registers, and
   28 warps to a multiprocessor: it calls the program's code through pointers, and so each kernel
   gets the most that any function needs.  By default it is so: more warps were no gain, because each
   team costs that library some microseconds (doc/performance.md).  The objects of our own library are capped at
   OUR_REGISTERS, with which nothing of them spills that would not spill anyhow: then kernels have as many as the program needs.  GOMP_NVPTX_JIT=-maxrregcount=auto
   caps the library's objects at LIBRARY_REGISTERS; kernels of programs that need few
   registers themselves get 36 then, and 48 warps are there.  Objects that compute with floating point are not
   capped: they are of the mathematical library.  The program's own object is if that makes nothing spill,
   for then 64 warps are there.  In an image with lane mode all but our library is capped at LANE_REGISTERS: lanes have
   memory to wait for, and 32 warps to a multiprocessor instead of 16 took an eighth of the time of
   21 kernels (doc/performance.md).  To find out it is compiled both ways, unless it is large, and the
   compiler's remarks are compared; without remarks it is not capped.

   Threads.  What a program waits for at its first start can be compiled by several threads of the driver's at a time (CU_JIT_SPLIT_COMPILE, CUDA 13):
   100 regions take 1.5 s instead of 4.9 then (doc/performance.md).  The code is not quite the same, as the compiler does not know of a function
   what those that it calls leave alone: there is more spilling where functions begin and end.  So that is for the first start, if something else is linked
   for later ones anyhow, and has a place of its own in the cache.  The number of threads decides about the code, too, and is always the
   same for the same texts: one where nearly all is one function, which threads cannot share.

   Messages of the linker go into the text of the error; what it says about registers and spilling
   can be seen with GOMP_DEBUG=2.

   Called by nvptx-image.c at the first use of an image, under the image's lock, and by the threads of nvptx-later.c and nvptx-parts.c; part of gompx-nvptx-link, too
   (nvptx-link-main.c).  Only the settings are shared; they are fixed by nvptx_link_init.  */

#include "nvptx-link.h"
#include "clock.h"
#include "nvptx-cache.h"
#include "nvptx-merge.h"
#include "nvptx-shake.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  KEY_VERSION = 7,		/* of the text of keys */
  LOG_SIZE = 4096,		/* errors; fits into NVPTX_LINK_WHY */
  INFO_SIZE = 16384,		/* remarks, asked for with GOMP_DEBUG=2 only */
  MAX_OPTIMIZATION = 4,
  MAX_REGISTERS = 255,
  AUTO_REGISTERS = -1,		/* of user_registers */
  NO_CHOICE = -2,		/* of the user's */
  LIBRARY_REGISTERS = 32,
  OUR_REGISTERS = 40,
  LANE_REGISTERS = 64,
  TRY_MOST = 64 << 10,		/* bytes of PTX that are compiled twice */
  ONE_THREAD = 1,		/* of user_split */
  HASTY_SPLIT = 16,
  MAX_SPLIT = 1024,
  SPLIT_DRIVER = 13000		/* knows the option */
};

static int optimization = -1;	/* -1: the driver's default */
/* Of everything; 0: no cap; AUTO_REGISTERS; NO_CHOICE: of our library only.  */
static int user_registers = NO_CHOICE;
/* Threads that compile, 0: one for each processor; NO_CHOICE.  */
static int user_split = NO_CHOICE;
static bool verbose;		/* remarks are wanted */

/* ---- settings ---- */

/* The word of N characters is NAME and a number up to MOST.  False: it is something else.  */
static bool
read_number (const char *word, size_t n, const char *name, unsigned long most, int *value)
{
  size_t length = strlen (name);
  char *end;

  if (n <= length || memcmp (word, name, length) != 0 || word[length] < '0' || word[length] > '9')
    return false;
  unsigned long number = strtoul (word + length, &end, 10);
  if (number > most || end != word + n)
    return false;
  *value = (int) number;
  return true;
}

/* "-O3 -maxrregcount=64", "-maxrregcount=auto", "-split-compile=8".  False: it is something else.  */
static bool
read_options (const char *text)
{
  static const char registers[] = "-maxrregcount=", automatic[] = "-maxrregcount=auto";

  while (*(text += strspn (text, " ")) != 0)
    {
      size_t n = strcspn (text, " ");
      if (n == sizeof (automatic) - 1 && memcmp (text, automatic, n) == 0)
	user_registers = AUTO_REGISTERS;
      else if (!read_number (text, n, "-O", MAX_OPTIMIZATION, &optimization)
	       && !read_number (text, n, registers, MAX_REGISTERS, &user_registers)
	       && !read_number (text, n, "-split-compile=", MAX_SPLIT, &user_split))
	return false;
      text += n;
    }
  return true;
}

gomp_status_t
nvptx_link_init (const struct gomp_plugin_core *core)
{
  const char *text = core->getenv ("GOMP_NVPTX_JIT", false);
  const char *debug = core->getenv ("GOMP_DEBUG", false);
  verbose = debug != NULL && atoi (debug) >= 2;
  optimization = -1;
  user_registers = user_split = NO_CHOICE;
  if (text != NULL && !read_options (text))
    {
      core->set_error ("GOMP_NVPTX_JIT is not -O0 to -O4, -maxrregcount=N or auto, or -split-compile=N: %s", text);
      return GOMP_INVALID;
    }
  return nvptx_cache_init (core);
}

/* ---- the key ---- */

/* How many threads compile, 0: one for each processor.  HASTY: the program waits, and may have something else later.  */
static unsigned
split_of (bool hasty)
{
  if (nvptx_driver_version < SPLIT_DRIVER)
    return ONE_THREAD;
  return user_split != NO_CHOICE ? (unsigned) user_split : hasty ? HASTY_SPLIT : ONE_THREAD;
}

/* Everything but the objects that decides what the linker makes, or NULL: out of memory.  */
static char *
make_key (struct gomp_plugin_device *dev, size_t num, size_t num_ours, bool hasty)
{
  unsigned split = split_of (hasty);
  char threads[32] = "";
  char path[PATH_MAX], *text;
  const char *driver = nvptx_driver_path ();

  /* The link libcuda.so.1 leads to a file that has the driver's full version in its name.  */
  if (driver == NULL || realpath (driver, path) == NULL)
    snprintf (path, sizeof (path), "%s", driver != NULL ? driver : "");
  const char *base = strrchr (path, '/');
  base = base != NULL ? base + 1 : path;
  if (split != ONE_THREAD)
    snprintf (threads, sizeof (threads), "threads %u\n", split);
  if (asprintf (&text, "gompx %s, key %d\ndriver %d %s\narchitecture %d.%d\noptimization %d\n"
		"registers %d, library %d\nobjects %zu, ours %zu\n%s", NVPTX_VERSION, KEY_VERSION, nvptx_driver_version,
		base, dev->facts->cc_major, dev->facts->cc_minor, optimization,
		user_registers == NO_CHOICE ? 0 : user_registers,
		user_registers == AUTO_REGISTERS ? LIBRARY_REGISTERS
		: user_registers == NO_CHOICE && num_ours > 0 ? OUR_REGISTERS : 0, num, num_ours, threads) < 0)
    return NULL;
  return text;
}

bool
nvptx_link_hastens (void)
{
  return split_of (true) != split_of (false);
}

char *
nvptx_link_settings (struct gomp_plugin_device *dev)
{
  /* One object of our library: what it is compiled with is among the settings.  */
  return make_key (dev, 1, 1, false);
}

char *
nvptx_link_key (struct gomp_plugin_device *dev, uint64_t hash, size_t num, size_t num_ours)
{
  char *key = make_key (dev, num, num_ours, false), *text = NULL;
  if (key != NULL
      && asprintf (&text, "%sdevice %s, %d multiprocessors\nhash %016" PRIx64 "\n", key, dev->facts->name,
		   dev->facts->multiprocessors, hash) < 0)
    text = NULL;
  free (key);
  return text;
}

/* ---- linking ---- */

static double
milliseconds (uint64_t since)
{
  return (double) (plugin_now () - since) / 1e6;
}

/* Make one line of the linker's messages.  */
static void
join_lines (char *log)
{
  char *out = log;
  bool gap = false;
  for (const char *p = log; *p != 0; p++)
    if ((unsigned char) *p <= ' ')
      gap = true;
    else
      {
	if (gap && out != log)
	  *out++ = ' ';
	gap = false;
	*out++ = *p;
      }
  *out = 0;
}

struct linking
{
  struct gomp_plugin_device *dev;
  const char *what;
  unsigned split;		/* as of split_of */
  CUlinkState state;
  struct linking *capped;	/* what is used instead of this one, or NULL */
  /* The linker writes into these as long as STATE lives.  */
  int options[8];
  void *values[8];
  char log[LOG_SIZE];
  char info[INFO_SIZE];
  char why[NVPTX_LINK_WHY];	/* it has failed: how */
};

static gomp_status_t
failed (struct linking *l, CUresult result, const char *call, size_t object)
{
  char place[48] = "";
  gomp_status_t status = nvptx_check_quiet (l->dev, result);

  /* The driver goes away while the process ends: there is nothing to go on with.  */
  if (status == GOMP_OK)
    status = GOMP_DRIVER_ERROR;
  if (object != SIZE_MAX)
    snprintf (place, sizeof (place), "object %zu of ", object);
  l->log[LOG_SIZE - 1] = 0;
  join_lines (l->log);
  snprintf (l->why, sizeof (l->why), "%s failed: %s (%s), while linking %sthe image of %s for sm_%d%d%s%s", call,
	    nvptx_error_text (result), nvptx_error_name (result), place, l->what,
	    l->dev->facts->cc_major, l->dev->facts->cc_minor, l->log[0] != 0 ? ": " : "", l->log);
  return status;
}

static void
tell_remarks (struct linking *l)
{
  char *rest = l->info, *line;
  l->info[INFO_SIZE - 1] = 0;
  while ((line = strsep (&rest, "\n")) != NULL)
    if (*line != 0)
      nvptx_core->debug (2, "linker: %s", line);
}

/* Does the code compute with floating point, or can it?  */
static bool
computes (const struct nvptx_object *object)
{
  return strstr (object->text, ".reg .f64") != NULL
	 || strstr (object->text, ".reg .f32") != NULL;
}

/* Add an object, with at most CAP registers if that is not 0.  */
static CUresult
add_object (struct linking *l, const struct nvptx_object *object, unsigned cap)
{
  int option = CU_JIT_MAX_REGISTERS;
  void *value = (void *) (uintptr_t) cap;

  return nvptx_cuda.cuLinkAddData_v2 (l->state, CU_JIT_INPUT_PTX, (void *) object->text,
				      object->size, NULL, cap > 0 ? 1 : 0, cap > 0 ? &option : NULL,
				      cap > 0 ? &value : NULL);
}

/* The cap of object I of NUM, the last NUM_OURS of which are of our library; LANES: some kernels have lane mode.  */
static unsigned
cap_of (const struct nvptx_object *objects, size_t i, size_t num, size_t num_ours, bool lanes)
{
  if (user_registers == AUTO_REGISTERS)
    return i > 0 && !computes (&objects[i]) ? LIBRARY_REGISTERS : 0;
  if (user_registers != NO_CHOICE)
    return 0;
  return i >= num - num_ours ? OUR_REGISTERS : lanes ? LANE_REGISTERS : 0;
}

/* Set l->options and so on.  Answers how many there are.  */
static unsigned
set_options (struct linking *l, bool remarks)
{
  unsigned n = 0;
#define OPTION(option, value) \
  (l->options[n] = (option), l->values[n++] = (void *) (value))
  OPTION (CU_JIT_ERROR_LOG_BUFFER, l->log);
  OPTION (CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, (uintptr_t) LOG_SIZE);
  OPTION (CU_JIT_INFO_LOG_BUFFER, l->info);
  OPTION (CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, (uintptr_t) INFO_SIZE);
  if (remarks || verbose)
    OPTION (CU_JIT_LOG_VERBOSE, (uintptr_t) 1);
  if (optimization >= 0)
    OPTION (CU_JIT_OPTIMIZATION_LEVEL, (uintptr_t) optimization);
  if (user_registers > 0)
    OPTION (CU_JIT_MAX_REGISTERS, (uintptr_t) user_registers);
  if (l->split != ONE_THREAD)
    OPTION (CU_JIT_SPLIT_COMPILE, (uintptr_t) l->split);
#undef OPTION
  return n;
}

static CUresult
begin_link (struct linking *l, bool remarks)
{
  unsigned n = set_options (l, remarks);
  CUresult result = nvptx_cuda.cuLinkCreate_v2 (n, l->options, l->values, &l->state);
  if (result != CUDA_SUCCESS)
    l->state = NULL;
  return result;
}

static void
end_link (struct linking *l)
{
  if (l->state != NULL)
    nvptx_cuda.cuLinkDestroy (l->state);
  l->state = NULL;
}

/* How many bytes the functions spill, by the compiler's remarks so far.  False: they do not tell.  */
static bool
spilled (struct linking *l, unsigned long *bytes)
{
  static const char words[] = " bytes spill stores";
  const char *p = l->info;

  l->info[INFO_SIZE - 1] = 0;
  *bytes = 0;
  if (strlen (l->info) > INFO_SIZE - 256)
    return false;		/* perhaps not all of them */
  if (strstr (p, words) == NULL)
    return false;
  for (; (p = strstr (p, words)) != NULL; p++)
    {
      const char *number = p;
      while (number > l->info && number[-1] >= '0' && number[-1] <= '9')
	number--;
      *bytes += strtoul (number, NULL, 10);
    }
  return true;
}

/* L has the program's OBJECT without a cap: go on with a cap if that makes it spill no more.  */
static void
try_cap (struct linking *l, const struct nvptx_object *object)
{
  unsigned long before, after;
  struct linking *other;

  if (!spilled (l, &before) || (other = calloc (1, sizeof (*other))) == NULL)
    return;
  other->dev = l->dev;
  other->what = l->what;
  other->split = l->split;
  bool good = begin_link (other, true) == CUDA_SUCCESS
	      && add_object (other, object, LIBRARY_REGISTERS) == CUDA_SUCCESS && spilled (other, &after);
  if (good)
    nvptx_core->debug (1, "image of %s: the program spills %lu bytes, and %lu with %d registers",
		       l->what, before, after, LIBRARY_REGISTERS);
  /* The state writes where it was told when it was made, so it keeps its buffers.  */
  if (good && after <= before)
    {
      end_link (l);
      l->capped = other;
    }
  else
    {
      end_link (other);
      free (other);
    }
}

/* Is nearly all of OBJECTS one function?  Threads have nothing to share then, and the driver takes a fifth longer with them.  */
static bool
is_one_function (const struct nvptx_object *objects, size_t num)
{
  struct nvptx_lengths_of lengths = nvptx_shake_lengths (objects, num);
  return lengths.longest > lengths.total / 4 * 3;
}

/* *CUBIN belongs to the state, which the caller destroys.  */
static gomp_status_t
link_objects (struct linking *l, const struct nvptx_object *objects, size_t num, size_t num_ours,
	      void **cubin, size_t *size)
{
  bool tries = user_registers == AUTO_REGISTERS && num > 0 && objects[0].size <= TRY_MOST;
  /* Each kernel's lane version begins with a call of it.  */
  bool lanes = num > 0 && strstr (objects[0].text, "gompx_lanes_main") != NULL;

  if (l->split != ONE_THREAD && user_split == NO_CHOICE && is_one_function (objects, num))
    l->split = ONE_THREAD;
  CUresult result = begin_link (l, tries);
  if (result != CUDA_SUCCESS)
    return failed (l, result, "cuLinkCreate", SIZE_MAX);
  for (size_t i = 0; i < num; i++)
    {
      uint64_t start = plugin_now ();
      result = add_object (l, &objects[i], cap_of (objects, i, num, num_ours, lanes));
      if (result != CUDA_SUCCESS)
	return failed (l, result, "cuLinkAddData", i);
      if (verbose)
	nvptx_core->debug (2, "linker: object %zu, %zu bytes, %.1f ms", i, objects[i].size,
			   milliseconds (start));
      if (i == 0 && tries)
	{
	  try_cap (l, &objects[0]);
	  if (l->capped != NULL)
	    l = l->capped;
	}
    }
  result = nvptx_cuda.cuLinkComplete (l->state, cubin, size);
  if (result != CUDA_SUCCESS)
    return failed (l, result, "cuLinkComplete", SIZE_MAX);
  if (verbose)
    tell_remarks (l);
  return GOMP_OK;
}

/* Does TEXT declare what it has not, but for functions?  */
static bool
wants_variables (const char *text)
{
  static const char word[] = ".extern ", function[] = ".func ";
  for (const char *p = text; (p = strstr (p, word)) != NULL; )
    if (strncmp (p += sizeof (word) - 1, function, sizeof (function) - 1) != 0)
      return true;
  return false;
}

/* Can OBJECT be a module without being linked: does it have kernels alone, that call nothing?  */
static bool
stands_alone (const struct nvptx_object *object)
{
  struct nvptx_lengths_of lengths = nvptx_shake_lengths (object, 1);
  return lengths.total > 0 && lengths.functions == 0 && strstr (object->text, "call") == NULL && !wants_variables (object->text)
	 && cap_of (object, 0, 1, 0, false) == 0;
}

/* Load OBJECT, which stands alone, as it is: the driver compiles it, and has nothing to link.  */
static gomp_status_t
load_text (struct linking *l, const struct nvptx_object *object, CUmodule *module)
{
  if (l->split != ONE_THREAD && user_split == NO_CHOICE && is_one_function (object, 1))
    l->split = ONE_THREAD;
  unsigned n = set_options (l, false);
  CUresult result = nvptx_cuda.cuModuleLoadDataEx (module, object->text, n, l->options, l->values);
  if (result != CUDA_SUCCESS)
    {
      *module = NULL;
      return failed (l, result, "cuModuleLoadDataEx", SIZE_MAX);
    }
  if (verbose)
    tell_remarks (l);
  return GOMP_OK;
}

static void
tell_cap (struct gomp_plugin_device *dev, const char *what)
{
  if (user_registers > 0)
    nvptx_core->info (dev->core_device, "image of %s: at most %d registers for a thread,"
		      " by GOMP_NVPTX_JIT", what, user_registers);
  else if (user_registers == AUTO_REGISTERS)
    nvptx_core->info (dev->core_device, "image of %s: at most %d registers for a thread in the device"
		      " library, and in the program's own code if it spills no more then", what,
		      LIBRARY_REGISTERS);
}

/* What is done with a linked image, but for keeping it in the cache.  */
struct result
{
  CUmodule *module;		/* load it; NULL: don't */
  bool copy;			/* copy it to memory of malloc */
  CUmodule *lone;		/* a text that stands alone is loaded here, and nothing else is made of it; NULL: it is linked, too */
  void *cubin;			/* where; NULL: no memory */
  struct nvptx_cache_place place;	/* where the cache has it, if it has */
  char *why;			/* [NVPTX_LINK_WHY], how it has failed; NULL: set the text of the error */
};

/* nvptx_link_limit_threads; 0: no limit.  */
static unsigned most_threads;

void
nvptx_link_limit_threads (unsigned most)
{
  most_threads = most;
}

/* The threads of split_of that compile, within the limit.  The key does not tell: whoever has the other number takes the result, too.  */
static unsigned
limited_split (bool hasty)
{
  unsigned split = split_of (hasty);
  return most_threads != 0 && (split == 0 || split > most_threads) ? most_threads : split;
}

static struct linking *
new_linking (struct gomp_plugin_device *dev, const char *what, bool hasty)
{
  struct linking *l = calloc (1, sizeof (*l));
  if (l != NULL)
    {
      l->dev = dev;
      l->what = what;
      l->split = limited_split (hasty);
    }
  return l;
}

static void
free_linking (struct linking *l)
{
  if (l == NULL)
    return;
  end_link (l);
  if (l->capped != NULL)
    end_link (l->capped);
  free (l->capped);
  free (l);
}

/* In place of *L, which has failed: it is told that something is not WHAT, and another way is taken.  False: there is none.  */
static bool
begin_again (struct linking **l, const char *what)
{
  struct linking *other = nvptx_is_lost ((*l)->dev) ? NULL : new_linking ((*l)->dev, (*l)->what, true);

  if (other == NULL)
    return false;
  nvptx_core->debug (1, "image of %s: %s: %s", (*l)->what, what, (*l)->why);
  free_linking (*l);
  *l = other;
  return true;
}

/* Link OBJECTS in haste, those that can be one object as one; or, should that not be possible, as they are, which needs another *L.
   *LEFT: how many objects there were.  MODULE, if not NULL: one that stands alone is loaded, and *CUBIN NULL.  Otherwise as link_objects.  */
static gomp_status_t
link_merged (struct linking **l, const struct nvptx_object *objects, size_t num, size_t num_ours, CUmodule *module, void **cubin, size_t *size,
	     size_t *left)
{
  struct nvptx_object *merged = malloc (num * sizeof (*merged));
  char *text = NULL, told[64];
  size_t ours = num_ours;

  *left = num;
  *cubin = NULL;
  *size = 0;
  if (merged != NULL)
    {
      memcpy (merged, objects, num * sizeof (*merged));
      *left = nvptx_merge (merged, num, &ours, &text);
    }
  const struct nvptx_object *these = merged != NULL ? merged : objects;
  bool alone = module != NULL && *left == 1 && stands_alone (these);
  gomp_status_t status = alone ? load_text (*l, these, module) : link_objects (*l, these, *left, ours, cubin, size);
  if (status != GOMP_OK && alone && begin_again (l, "the text is not loaded as it is"))
    status = link_objects (*l, these, *left, ours, cubin, size);
  snprintf (told, sizeof (told), "%zu objects are not linked as one", num - *left + 1);
  if (status != GOMP_OK && text != NULL && begin_again (l, told))
    {
      *left = num;
      status = link_objects (*l, objects, num, num_ours, cubin, size);
    }
  free (text);
  free (merged);
  return status;
}

/* Link without looking into the cache; the result is kept there if KEY has a text.  HASTY as for nvptx_link.  */
static gomp_status_t
link_anew (struct gomp_plugin_device *dev, const struct nvptx_object *objects, size_t num, size_t num_ours,
	   const char *what, bool hasty, const struct nvptx_cache_key *key, struct result *result)
{
  uint64_t start = plugin_now ();
  void *cubin = NULL;
  size_t size = 0;
  struct linking *l = new_linking (dev, what, hasty);
  struct nvptx_shaken shaken;
  gomp_status_t status;
  char *moved;

  if (l == NULL || !nvptx_shake (objects, num, NULL, false, &shaken))
    {
      free_linking (l);
      if (result->why != NULL)
	snprintf (result->why, NVPTX_LINK_WHY, "out of memory");
      else
	nvptx_core->set_error ("out of memory, while linking the image of %s", what);
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  size_t left = nvptx_shake_objects (shaken.objects, num, &num_ours, &moved);
  nvptx_core->debug (1, "image of %s: %zu of %zu functions of the device library are not reached and left"
		     " out", what, shaken.left_out, shaken.functions);
  /* What later starts have is as it was compiled, object by object.  */
  if (hasty && user_registers != AUTO_REGISTERS)
    status = link_merged (&l, shaken.objects, left, num_ours, result->lone, &cubin, &size, &left);
  else
    status = link_objects (l, shaken.objects, left, num_ours, &cubin, &size);
  if (status != GOMP_OK && result->why != NULL)
    memcpy (result->why, l->why, sizeof (l->why));
  else if (status != GOMP_OK)
    nvptx_core->set_error ("%s", l->why);
  else
    {
      double time = milliseconds (start);
      if (cubin != NULL && result->module != NULL)
	status = NVPTX_CALL (dev, cuModuleLoadData, (result->module, cubin), "loading the linked image of %s", what);
      if (cubin != NULL && result->copy && (result->cubin = malloc (size)) != NULL)
	memcpy (result->cubin, cubin, size);
      if (cubin == NULL)
	nvptx_core->debug (1, "image of %s: 1 object compiled for sm_%d%d and loaded in %.1f ms, for this start", what, dev->facts->cc_major,
			   dev->facts->cc_minor, time);
      else
	nvptx_core->debug (1, "image of %s: %zu object%s linked for sm_%d%d in %.1f ms, %zu bytes%s%s", what, left, left == 1 ? "" : "s",
			 dev->facts->cc_major, dev->facts->cc_minor, time, size, hasty ? ", for this start" : "",
			 result->module == NULL ? ", not loaded" : "");
      if (cubin != NULL && result->module != NULL)
	nvptx_core->debug (1, "image of %s: loaded in %.1f ms", what, milliseconds (start) - time);
    }
  if (status == GOMP_OK && cubin != NULL && key->text != NULL && nvptx_cache_store (key, cubin, size))
    result->place = nvptx_cache_place (key, cubin, size);
  /* Last: the cubin is the state's.  */
  free_linking (l);
  free (moved);
  nvptx_shaken_free (&shaken);
  return status;
}

CUmodule
nvptx_link_load (struct gomp_plugin_device *dev, const void *cubin, const char *what)
{
  uint64_t start = plugin_now ();
  CUmodule module = NULL;

  CUresult result = nvptx_cuda.cuModuleLoadData (&module, cubin);
  if (result == CUDA_SUCCESS)
    {
      nvptx_core->debug (1, "image of %s: found in the cache, loaded in %.1f ms", what, milliseconds (start));
      return module;
    }
  nvptx_core->debug (1, "image of %s: the driver does not take what the cache has: %s", what,
		     nvptx_error_name (result));
  (void) nvptx_check_quiet (dev, result);
  return NULL;
}

/* Load what the cache has for KEY.  NULL: nothing, or nothing that can be loaded.  */
static CUmodule
load_kept (struct gomp_plugin_device *dev, const struct nvptx_cache_key *key, const char *what,
	   struct nvptx_cache_place *place)
{
  void *cubin;
  size_t size;

  *place = (struct nvptx_cache_place) { .cubin_size = 0 };
  if (key->text == NULL || !nvptx_cache_find (key, &cubin, &size))
    return NULL;
  CUmodule module = nvptx_link_load (dev, cubin, what);
  if (module != NULL)
    *place = nvptx_cache_place (key, cubin, size);
  free (cubin);
  return module;
}

bool
nvptx_link_kept (struct gomp_plugin_device *dev, const struct nvptx_object *objects, size_t num,
		 size_t num_ours, const char *what, bool *hasty, CUmodule *module, struct nvptx_cache_place *place)
{
  struct nvptx_cache_key key = { .text = make_key (dev, num, num_ours, false), .objects = objects, .num_objects = num };

  *module = load_kept (dev, &key, what, place);
  *hasty = *hasty && *module == NULL && nvptx_link_hastens ();
  if (*hasty)
    {
      free ((char *) key.text);
      key.text = make_key (dev, num, num_ours, true);
      *module = load_kept (dev, &key, what, place);
      *hasty = *module != NULL;
    }
  if (nvptx_core->wants_info && *module != NULL)
    tell_cap (dev, what);
  free ((char *) key.text);
  return *module != NULL;
}

bool
nvptx_link_is_kept (struct gomp_plugin_device *dev, const struct nvptx_object *objects, size_t num,
		    size_t num_ours, struct nvptx_cache_place *place)
{
  struct nvptx_cache_key key
    = { .text = make_key (dev, num, num_ours, false), .objects = objects, .num_objects = num };
  void *cubin = NULL;
  size_t size;

  bool kept = key.text != NULL && nvptx_cache_find (&key, &cubin, &size);
  if (kept)
    *place = nvptx_cache_place (&key, cubin, size);
  free (cubin);
  free ((char *) key.text);
  return kept;
}

gomp_status_t
nvptx_link (struct gomp_plugin_device *dev, const struct nvptx_object *objects, size_t num,
	    size_t num_ours, const char *what, bool hasty, bool passing, CUmodule *module, struct nvptx_cache_place *place)
{
  struct nvptx_cache_key key = { .text = make_key (dev, num, num_ours, hasty), .objects = objects, .num_objects = num };
  struct result result = { .module = module, .lone = passing ? module : NULL };

  *module = NULL;
  /* A cached one may have been the end of the device.  */
  gomp_status_t status = nvptx_alive (dev);
  if (status == GOMP_OK)
    status = link_anew (dev, objects, num, num_ours, what, hasty, &key, &result);
  if (nvptx_core->wants_info && status == GOMP_OK)
    tell_cap (dev, what);
  *place = result.place;
  free ((char *) key.text);
  return status;
}

gomp_status_t
nvptx_link_meanwhile (struct gomp_plugin_device *dev, const struct nvptx_object *objects, size_t num,
		      size_t num_ours, const char *what, CUmodule *lone, void **cubin, char why[NVPTX_LINK_WHY])
{
  struct nvptx_cache_key key = { .text = make_key (dev, num, num_ours, true), .objects = objects, .num_objects = num };
  struct result result = { .copy = true, .lone = lone, .why = why };

  if (lone != NULL)
    *lone = NULL;
  snprintf (why, NVPTX_LINK_WHY, "out of memory");
  gomp_status_t status = link_anew (dev, objects, num, num_ours, what, true, &key, &result);
  if (status == GOMP_OK && result.cubin == NULL && (lone == NULL || *lone == NULL))
    status = GOMP_OUT_OF_HOST_MEMORY;
  *cubin = result.cubin;
  free ((char *) key.text);
  return status;
}

/* Claim what KEY stands for, and wait as long as WAIT says if another process has it.  */
static enum nvptx_wait
claim_link (const struct nvptx_cache_key *key, enum nvptx_wait (*wait) (void), struct nvptx_claim *claim, bool *claimed)
{
  enum nvptx_claim_result result;
  enum nvptx_wait next = NVPTX_WAIT_AGAIN;

  while ((result = nvptx_cache_claim (key, claim)) == NVPTX_CLAIM_TAKEN && (next = wait ()) == NVPTX_WAIT_AGAIN)
    continue;
  *claimed = result == NVPTX_CLAIMED;
  return next;
}

gomp_status_t
nvptx_link_for_later (struct gomp_plugin_device *dev, const struct nvptx_object *objects, size_t num,
		      size_t num_ours, const char *what, const struct nvptx_link_turn *turn, void **cubin,
		      struct nvptx_cache_place *place, char why[NVPTX_LINK_WHY])
{
  struct nvptx_cache_key key = { .text = make_key (dev, num, num_ours, false), .objects = objects, .num_objects = num };
  gomp_status_t status = GOMP_OUT_OF_HOST_MEMORY;
  struct result result = { .copy = cubin != NULL, .why = why };
  struct nvptx_claim claim;
  bool claimed = false;
  size_t size;

  snprintf (why, NVPTX_LINK_WHY, "out of memory");
  if (key.text != NULL && claim_link (&key, turn->wait, &claim, &claimed) == NVPTX_WAIT_END)
    {
      snprintf (why, NVPTX_LINK_WHY, "another process is linking it");
      status = GOMP_UNSUPPORTED;
    }
  else if (key.text != NULL)
    {
      /* Another device, or process, may have been faster.  */
      if (nvptx_cache_find (&key, &result.cubin, &size))
	{
	  result.place = nvptx_cache_place (&key, result.cubin, size);
	  status = GOMP_OK;
	}
      else if (turn->begin == NULL || (status = turn->begin ()) == GOMP_OK)
	status = link_anew (dev, objects, num, num_ours, what, false, &key, &result);
    }
  if (claimed)
    nvptx_cache_unclaim (&claim);
  if (cubin != NULL)
    {
      *cubin = result.cubin;
      if (status == GOMP_OK && result.cubin == NULL)
	status = GOMP_OUT_OF_HOST_MEMORY;
    }
  else
    {
      free (result.cubin);
      if (status == GOMP_OK && result.place.cubin_size == 0)
	{
	  snprintf (why, NVPTX_LINK_WHY, "it cannot be kept in the cache");
	  status = GOMP_UNSUPPORTED;
	}
    }
  *place = result.place;
  free ((char *) key.text);
  return status;
}

bool
nvptx_link_load_compiler (void)
{
  static const char nothing[] = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .func gompx_nothing\n{\nret;\n}\n";
  CUlinkState state;
  void *cubin;
  size_t size;

  if (nvptx_cuda.cuLinkCreate_v2 (0, NULL, NULL, &state) != CUDA_SUCCESS)
    return false;
  bool good = nvptx_cuda.cuLinkAddData_v2 (state, CU_JIT_INPUT_PTX, (void *) nothing, sizeof (nothing), NULL, 0, NULL,
					   NULL) == CUDA_SUCCESS
	      && nvptx_cuda.cuLinkComplete (state, &cubin, &size) == CUDA_SUCCESS;
  nvptx_cuda.cuLinkDestroy (state);
  return good;
}
