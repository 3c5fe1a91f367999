/* module.c -- linking and modules of the stand-in driver.

   The linker checks that each text is PTX and that what a text declares as external is defined
   by some other, and its "cubin" is the texts with a header.  A module reads from them which
   functions there are, and the variables with their initial values, as far as compilers write them:
   numbers and names.  Where kernels are executed as PTX, execute.c does all that instead.

   Everything is protected by fake_lock; texts are read without it.  */

#define _GNU_SOURCE 1
#include "fake.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What cuLinkComplete makes: looks like an ELF file of the device's machine.  */
struct cubin
{
  unsigned char ident[16];	/* \177ELF ... */
  uint16_t type, machine;
  uint32_t version;
  uint64_t magic;
  uint64_t size;		/* of all */
  uint64_t sum;			/* of the text */
  uint32_t arch;		/* 90 */
  uint32_t num_texts;
  /* The texts, each with its NUL.  */
};

static const uint64_t cubin_magic = UINT64_C (0x4e4942554345414b);

struct CUlinkState_st
{
  struct fake_object object;
  char *text;			/* texts one after the other */
  size_t size;
  unsigned num_texts;
  struct cubin *cubin;
  char *error_log;
  size_t error_size;
  char *info_log;
  size_t info_size;
  bool verbose;
  unsigned num_capped;		/* of the texts */
  float *wall_time;
  uint64_t begin;
};

static uint64_t
sum_of (const char *text, size_t size)
{
  uint64_t sum = UINT64_C (14695981039346656037);
  for (size_t i = 0; i < size; i++)
    sum = (sum ^ (unsigned char) text[i]) * UINT64_C (1099511628211);
  return sum;
}

static uint32_t
arch_of (const struct CUctx_st *ctx)
{
  int major = 0, minor = 0;
  cuDeviceGetAttribute (&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, ctx->dev->ordinal);
  cuDeviceGetAttribute (&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, ctx->dev->ordinal);
  return (uint32_t) (major * 10 + minor);
}

/* ---- reading PTX ---- */

/* A statement outside of functions.  */
struct statement
{
  const char *start, *end;	/* without what is in braces behind it */
  const char *init, *init_end;	/* the initial value, without braces; NULL: none */
  bool body;			/* a function with its body */
};

static const char *
skip_space (const char *p)
{
  for (;;)
    {
      while (*p != 0 && isspace ((unsigned char) *p))
	p++;
      if (p[0] == '/' && p[1] == '/')
	p += strcspn (p, "\n");
      else if (p[0] == '/' && p[1] == '*')
	{
	  const char *end = strstr (p + 2, "*/");
	  p = end != NULL ? end + 2 : p + strlen (p);
	}
      else
	return p;
    }
}

/* Behind the brace that closes the one at P.  */
static const char *
skip_braces (const char *p)
{
  int depth = 0;
  for (; *p != 0; p++)
    {
      if (p[0] == '/' && p[1] == '/')
	p += strcspn (p, "\n");
      if (*p == '{')
	depth++;
      else if (*p == '}' && --depth == 0)
	return p + 1;
      if (*p == 0)
	break;
    }
  return p;
}

/* The next statement; false: the text ends.  */
static bool
next_statement (const char **at, struct statement *s)
{
  const char *p = skip_space (*at), *equals = NULL;
  memset (s, 0, sizeof (*s));
  if (*p == 0)
    return false;
  /* Directives that end with their line.  */
  if (strncmp (p, ".version", 8) == 0 || strncmp (p, ".target", 7) == 0
      || strncmp (p, ".address_size", 13) == 0 || strncmp (p, ".file", 5) == 0
      || strncmp (p, ".loc", 4) == 0 || strncmp (p, ".section", 8) == 0)
    {
      s->start = p;
      s->end = p + strcspn (p, "\n");
      *at = s->end;
      if (strncmp (p, ".version", 8) == 0 || strncmp (p, ".target", 7) == 0)
	{
	  /* Generated tables have no line ends: these have one word or a list of them.  */
	  const char *q = p + strcspn (p, " \t");
	  q = skip_space (q);
	  q += strcspn (q, " \t\n");
	  s->end = *at = q;
	}
      else if (strncmp (p, ".address_size", 13) == 0)
	*at = s->end = p + strspn (p, ".address_iz 0123456789");
      return true;
    }
  s->start = p;
  while (*p != 0)
    {
      p = skip_space (p);
      if (*p == '=')
	equals = p;
      else if (*p == ';')
	{
	  s->end = equals != NULL ? equals : p;
	  if (equals != NULL)
	    s->init = equals + 1, s->init_end = p;
	  *at = p + 1;
	  return true;
	}
      else if (*p == '{' && equals != NULL)
	{
	  const char *end = skip_braces (p);
	  s->end = equals;
	  s->init = p + 1;
	  s->init_end = end - 1;
	  *at = end + strcspn (end, ";");
	  *at += **at == ';';
	  return true;
	}
      else if (*p == '{')
	{
	  s->end = p;
	  s->body = true;
	  *at = skip_braces (p);
	  return true;
	}
      if (*p != 0)
	p++;
    }
  s->end = p;
  *at = p;
  return true;
}

/* Where the word WORD begins in the statement, or NULL.  */
static const char *
find_word (const struct statement *s, const char *word)
{
  size_t len = strlen (word);
  const char *p = s->start;
  while (p + len <= s->end && (p = memmem (p, (size_t) (s->end - p), word, len)) != NULL)
    {
      char after = p + len < s->end ? p[len] : ' ';
      if (!isalnum ((unsigned char) after) && after != '_' && after != '$')
	return p;
      p += len;
    }
  return NULL;
}

static size_t
name_length (const char *p)
{
  size_t n = 0;
  while (isalnum ((unsigned char) p[n]) || p[n] == '_' || p[n] == '$' || p[n] == '%')
    n++;
  return n;
}

/* The size of the type ".u32" at P; 0: it is none.  */
static size_t
type_size (const char *p)
{
  if (p[0] != '.' || strchr ("usbf", p[1]) == NULL)
    return 0;
  size_t bits = strtoul (p + 2, NULL, 10);
  return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? bits / 8 : 0;
}

/* The name of a function's statement, and where its parameters begin.  */
static const char *
function_name (const struct statement *s, const char *directive, size_t *len, const char **params)
{
  const char *p = find_word (s, directive);
  if (p == NULL)
    return NULL;
  p = skip_space (p + strlen (directive));
  if (*p == '(')
    {
      /* The result.  */
      p += strcspn (p, ")");
      p = skip_space (p + (*p == ')'));
    }
  *len = name_length (p);
  *params = skip_space (p + *len);
  return *len != 0 ? p : NULL;
}

/* ---- linking ---- */

static void
link_error (struct CUlinkState_st *state, const char *text, const char *name, size_t len)
{
  if (state->error_log != NULL && state->error_size > 0)
    snprintf (state->error_log, state->error_size, "%s '%.*s'", text, (int) len, name);
  fake_log ("link error: %s '%.*s'", text, (int) len, name);
}

/* False: this driver has no such option.  */
static bool
read_options (struct CUlinkState_st *state, unsigned n, const int *options, void **values)
{
  for (unsigned i = 0; i < n; i++)
    switch (options[i])
      {
      case CU_JIT_ERROR_LOG_BUFFER:
	state->error_log = values[i];
	break;
      case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
	state->error_size = (size_t) (uintptr_t) values[i];
	break;
      case CU_JIT_INFO_LOG_BUFFER:
	state->info_log = values[i];
	break;
      case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
	state->info_size = (size_t) (uintptr_t) values[i];
	break;
      case CU_JIT_LOG_VERBOSE:
	state->verbose = values[i] != NULL;
	break;
      case CU_JIT_SPLIT_COMPILE:
	if (fake_setting ("FAKE_CUDA_VERSION", FAKE_VERSION) < 13000)
	  return false;
	/* FALLTHROUGH */
      default:
	if (options[i] < 0 || options[i] > CU_JIT_SPLIT_COMPILE)
	  return false;
	fake_log ("jit option %d %lu", options[i], (unsigned long) (uintptr_t) values[i]);
      }
  return true;
}

CUresult
cuLinkCreate_v2 (unsigned num_options, int *options, void **values, CUlinkState *result)
{
  ENTER (cuLinkCreate_v2);
  NEED_CONTEXT (ctx);
  struct CUlinkState_st *state = fake_new (sizeof (*state), FAKE_LINK, ctx);
  pthread_mutex_unlock (&fake_lock);
  state->begin = fake_now ();
  if (!read_options (state, num_options, options, values))
    {
      state->object.gone = true;
      return CUDA_ERROR_INVALID_VALUE;
    }
  *result = state;
  return CUDA_SUCCESS;
}

/* What the compiler says of the last text.  */
static void
tell_spills (struct CUlinkState_st *state, bool capped)
{
  const char *text = getenv ("FAKE_CUDA_SPILLS");
  char *second;
  if (!state->verbose || text == NULL || state->info_log == NULL)
    return;
  unsigned long bytes = strtoul (text, &second, 10);
  if (capped && *second == ':')
    bytes = strtoul (second + 1, NULL, 10);
  size_t used = strlen (state->info_log);
  snprintf (state->info_log + used, state->info_size - used,
	    "ptxas info    : Function properties for one\n"
	    "    8 bytes stack frame, %lu bytes spill stores, %lu bytes spill loads\n"
	    "ptxas info    : Function properties for two\n"
	    "    0 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads\n", bytes, bytes);
}

CUresult
cuLinkAddData_v2 (CUlinkState state, int type, void *data, size_t size, const char *name,
		  unsigned num_options, int *options, void **values)
{
  ENTER (cuLinkAddData_v2);
  const char *text = data;
  pthread_mutex_lock (&fake_lock);
  bool known = fake_is (state, FAKE_LINK, "link state");
  pthread_mutex_unlock (&fake_lock);
  if (!known)
    return CUDA_ERROR_INVALID_HANDLE;
  if (type != CU_JIT_INPUT_PTX || data == NULL || size == 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (state->cubin != NULL)
    {
      fake_misuse ("something is added to what is linked already");
      return CUDA_ERROR_INVALID_HANDLE;
    }
  if (text[size - 1] != 0 || memchr (text, 0, size - 1) != NULL)
    {
      fake_misuse ("PTX that does not end with its one NUL is linked");
      return CUDA_ERROR_INVALID_PTX;
    }
  if (strstr (text, ".version") == NULL || strstr (text, ".target") == NULL)
    {
      link_error (state, "ptxas fatal : no .version or .target in", name != NULL ? name : "",
		  name != NULL ? strlen (name) : 0);
      return CUDA_ERROR_INVALID_PTX;
    }
  bool capped = false;
  for (unsigned i = 0; i < num_options; i++)
    switch (options[i])
      {
      case CU_JIT_MAX_REGISTERS:
	capped = true;
	/* FALLTHROUGH */
      case CU_JIT_OPTIMIZATION_LEVEL:
	fake_log ("text %u jit option %d %lu", state->num_texts, options[i],
		  (unsigned long) (uintptr_t) values[i]);
	break;
      default:
	fake_misuse ("JIT option %d is not for a single input", options[i]);
	return CUDA_ERROR_INVALID_VALUE;
      }
  double version = strtod (strstr (text, ".version") + 8, NULL);
  if (version * 10 > (double) fake_setting ("FAKE_CUDA_PTX_VERSION", 90) + 0.5)
    {
      link_error (state, "ptxas fatal : Unsupported .version in", name != NULL ? name : "",
		  name != NULL ? strlen (name) : 0);
      return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
    }
  fake_sleep (fake_setting ("FAKE_CUDA_LINK_US", 0) * (size >> 10));
  state->text = realloc (state->text, state->size + size);
  if (state->text == NULL)
    abort ();
  memcpy (state->text + state->size, text, size);
  state->size += size;
  state->num_texts++;
  state->num_capped += capped;
  tell_spills (state, capped);
  return CUDA_SUCCESS;
}

static int
compare_names (const void *a, const void *b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* Is every function that is declared defined somewhere?  */
static bool
all_defined (struct CUlinkState_st *state)
{
  static const char *const of_driver[] = { "vprintf", "malloc", "free", "__assertfail" };
  char **names[2] = { NULL, NULL };	/* declared, defined */
  size_t count[2] = { 0, 0 };
  bool good = true;

  for (size_t at = 0; at < state->size; at += strlen (state->text + at) + 1)
    {
      const char *p = state->text + at, *params;
      struct statement s;
      while (next_statement (&p, &s))
	{
	  size_t len;
	  const char *name = function_name (&s, ".func", &len, &params);
	  if (name == NULL)
	    name = function_name (&s, ".entry", &len, &params);
	  if (name == NULL || (!s.body && find_word (&s, ".extern") == NULL))
	    continue;
	  int k = s.body;
	  if (count[k] % 256 == 0)
	    names[k] = realloc (names[k], (count[k] + 256) * sizeof (char *));
	  names[k][count[k]++] = strndup (name, len);
	}
    }
  if (count[1] != 0)
    qsort (names[1], count[1], sizeof (char *), compare_names);
  for (size_t i = 0; i < count[0] && good; i++)
    {
      bool found = count[1] != 0
		   && bsearch (&names[0][i], names[1], count[1], sizeof (char *), compare_names) != NULL;
      for (size_t j = 0; j < sizeof (of_driver) / sizeof (of_driver[0]); j++)
	found = found || strcmp (names[0][i], of_driver[j]) == 0;
      if (!found)
	{
	  link_error (state, "error   : Undefined reference to", names[0][i], strlen (names[0][i]));
	  good = false;
	}
    }
  for (int k = 0; k < 2; k++)
    {
      for (size_t i = 0; i < count[k]; i++)
	free (names[k][i]);
      free (names[k]);
    }
  return good;
}

/* Link the texts as what is to be executed.  */
static bool
linked (struct CUlinkState_st *state)
{
  char error[400] = "";
  bool good = fake_link_program (state->text, state->size, error, sizeof (error));
  if (!good)
    link_error (state, error, "", 0);
  return good;
}

CUresult
cuLinkComplete (CUlinkState state, void **cubin, size_t *size)
{
  ENTER (cuLinkComplete);
  pthread_mutex_lock (&fake_lock);
  bool known = fake_is (state, FAKE_LINK, "link state");
  pthread_mutex_unlock (&fake_lock);
  if (!known)
    return CUDA_ERROR_INVALID_HANDLE;
  if (state->size == 0 || cubin == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (state->cubin != NULL)
    {
      fake_misuse ("what is linked already is linked again");
      return CUDA_ERROR_INVALID_HANDLE;
    }
  if (!all_defined (state) || (fake_executes () && !linked (state)))
    return CUDA_ERROR_INVALID_IMAGE;
  size_t total = sizeof (struct cubin) + state->size;
  struct cubin *c = calloc (1, total);
  if (c == NULL)
    abort ();
  memcpy (c->ident, "\177ELF\2\1\1\x33", 8);
  c->type = 2;
  c->machine = 190;
  c->version = 1;
  c->magic = cubin_magic;
  c->size = total;
  c->sum = sum_of (state->text, state->size);
  c->arch = arch_of (state->object.ctx);
  c->num_texts = state->num_texts;
  memcpy (c + 1, state->text, state->size);
  state->cubin = c;
  *cubin = c;
  *size = total;
  fake_log ("link %u texts, %u capped", state->num_texts, state->num_capped);
  return CUDA_SUCCESS;
}

CUresult
cuLinkDestroy (CUlinkState state)
{
  ENTER (cuLinkDestroy);
  pthread_mutex_lock (&fake_lock);
  bool known = fake_is (state, FAKE_LINK, "link state");
  if (known)
    state->object.gone = true;
  pthread_mutex_unlock (&fake_lock);
  if (!known)
    return CUDA_ERROR_INVALID_HANDLE;
  if (state->cubin != NULL)
    /* Who still uses it finds rubbish.  */
    memset (state->cubin, 0xdb, state->cubin->size);
  free (state->cubin);
  free (state->text);
  return CUDA_SUCCESS;
}

/* ---- modules ---- */

/* While a module is read.  */
struct fixup
{
  size_t offset, size;
  char *name;
  long addend;
};

struct reader
{
  struct CUmod_st *module;
  char *data;			/* initial values */
  size_t data_size, data_room;
  struct fixup *fixups;
  size_t num_fixups;
};

static struct CUfunc_st *
find_code (struct CUmod_st *module, const char *name, size_t len)
{
  for (size_t i = 0; i < module->num_code; i++)
    if (strncmp (module->code[i]->name, name, len) == 0 && module->code[i]->name[len] == 0)
      return module->code[i];
  return NULL;
}

static struct fake_variable *
find_variable (struct CUmod_st *module, const char *name, size_t len)
{
  for (size_t i = 0; i < module->num_vars; i++)
    if (strncmp (module->vars[i].name, name, len) == 0 && module->vars[i].name[len] == 0)
      return &module->vars[i];
  return NULL;
}

/* Parameters of an entry: "(.param .u64 a, .param .align 8 .b8 b[24])".  */
static void
read_params (struct CUfunc_st *code, const char *p, const char *end)
{
  size_t offset = 0;
  if (p >= end || *p != '(')
    return;
  while (p < end && *p != ')' && code->num_params < FAKE_MAX_PARAMS)
    {
      const char *stop = p + 1 + strcspn (p + 1, ",)");
      size_t size = 0, align = 0;
      for (const char *q = p; q < stop; q++)
	{
	  if (strncmp (q, ".align", 6) == 0)
	    align = strtoul (q + 6, NULL, 10);
	  else if (*q == '.' && type_size (q) != 0)
	    size = type_size (q);
	  else if (*q == '[' && size != 0)
	    size *= strtoul (q + 1, NULL, 0);
	}
      if (size != 0)
	{
	  align = align != 0 ? align : size;
	  offset = (offset + align - 1) / align * align;
	  code->param_size[code->num_params] = size;
	  code->param_offset[code->num_params++] = offset;
	  offset += size;
	}
      p = stop;
    }
  code->params_size = offset;
}

struct CUfunc_st *
fake_add_function (struct CUmod_st *module, const char *name)
{
  struct CUfunc_st *code = fake_new (sizeof (*code), FAKE_FUNCTION, module->object.ctx);
  code->name = strdup (name);
  code->entry = true;
  code->module = module;
  code->max_dynamic_shared = -1;
  code->shared = 384;
  code->registers = 32;
  code->max_threads = 1024;
  if (module->num_code % 64 == 0)
    module->code = realloc (module->code, (module->num_code + 64) * sizeof (*module->code));
  module->code[module->num_code++] = code;
  return code;
}

static void
add_function (struct CUmod_st *module, const char *name, size_t len, bool entry, const char *params,
	      const char *end)
{
  if (find_code (module, name, len) != NULL)
    return;
  char *copy = strndup (name, len);
  struct CUfunc_st *code = fake_add_function (module, copy);
  free (copy);
  code->entry = entry;
  if (entry)
    read_params (code, params, end);
}

void
fake_add_variable (struct CUmod_st *module, const char *name, size_t offset, size_t size)
{
  if (module->num_vars % 64 == 0)
    module->vars = realloc (module->vars, (module->num_vars + 64) * sizeof (*module->vars));
  module->vars[module->num_vars++] = (struct fake_variable) { strdup (name), offset, size };
}

bool
fake_in_variable (uint64_t data, uint64_t addr, size_t size, const char **name, size_t *left)
{
  *name = NULL;
  for (struct fake_object *o = fake_objects; o != NULL; o = o->next)
    if (o->kind == FAKE_MODULE && !o->gone && ((struct CUmod_st *) o)->data == data)
      {
	const struct CUmod_st *module = (struct CUmod_st *) o;
	for (size_t i = 0; i < module->num_vars; i++)
	  {
	    const struct fake_variable *v = &module->vars[i];
	    if (addr - data - v->offset >= v->size)
	      continue;
	    *name = v->name;
	    *left = v->size - (addr - data - v->offset);
	    return size <= *left;
	  }
      }
  return false;
}

/* One value of an initial value, SIZE bytes at OFFSET.  */
static void
read_value (struct reader *r, const char *p, size_t offset, size_t size)
{
  uint64_t value = 0;
  if (strncmp (p, "generic(", 8) == 0)
    p += 8;
  if (p[0] == '0' && (p[1] == 'f' || p[1] == 'F' || p[1] == 'd' || p[1] == 'D'))
    value = strtoull (p + 2, NULL, 16);
  else if (isdigit ((unsigned char) *p) || *p == '-')
    value = *p == '-' ? (uint64_t) strtoll (p, NULL, 0) : strtoull (p, NULL, 0);
  else
    {
      size_t len = name_length (p);
      const char *q = p + len;
      q += *q == ')';
      if (r->num_fixups % 64 == 0)
	r->fixups = realloc (r->fixups, (r->num_fixups + 64) * sizeof (*r->fixups));
      r->fixups[r->num_fixups++] = (struct fixup) { offset, size, strndup (p, len),
						    *q == '+' || *q == '-' ? strtol (q, NULL, 0) : 0 };
    }
  memcpy (r->data + offset, &value, size);
}

/* ".visible .global .align 4 .u32 x[1] = { 5 }".  */
static void
add_variable (struct reader *r, const struct statement *s, const char *space)
{
  struct CUmod_st *module = r->module;
  size_t align = 0, unit = 0, len, count = 1;
  const char *p = space;

  while (p < s->end && *p == '.')
    {
      if (strncmp (p, ".align", 6) == 0)
	{
	  char *end;
	  align = strtoul (p + 6, &end, 10);
	  p = end;
	}
      else
	{
	  if (type_size (p) != 0)
	    unit = type_size (p);
	  p += strcspn (p, " \t\n");
	}
      p = skip_space (p);
    }
  len = name_length (p);
  if (unit == 0 || len == 0 || find_variable (module, p, len) != NULL)
    return;
  const char *name = p;
  for (p = skip_space (p + len); p < s->end && *p == '['; p = skip_space (p + strcspn (p, "]") + 1))
    {
      size_t n = strtoul (p + 1, NULL, 0);
      /* "[]": as many as there are values.  */
      if (*skip_space (p + 1) == ']' && s->init != NULL)
	for (const char *v = s->init; v < s->init_end; v++)
	  n += v == s->init || *v == ',';
      count *= n;
    }
  if (align < unit)
    align = unit;
  size_t offset = (r->data_size + align - 1) / align * align, size = unit * count;
  /* Different variables have different addresses.  */
  size_t room = size != 0 ? size : 1;
  if (offset + room + 8 > r->data_room)
    {
      size_t old = r->data_room;
      r->data_room = (offset + room + 8) * 2;
      r->data = realloc (r->data, r->data_room);
      memset (r->data + old, 0, r->data_room - old);
    }
  r->data_size = offset + room;
  char *copy = strndup (name, len);
  fake_add_variable (module, copy, offset, size);
  free (copy);
  if (s->init == NULL)
    return;
  p = skip_space (s->init);
  for (size_t i = 0; i < count && p < s->init_end && *p != 0; i++)
    {
      read_value (r, p, offset + i * unit, unit);
      p += strcspn (p, ",};");
      p = skip_space (p + (*p == ','));
    }
}

static void
read_text (struct reader *r, const char *text)
{
  struct statement s;
  while (next_statement (&text, &s))
    {
      size_t len;
      const char *params, *name, *space;
      if ((name = function_name (&s, ".entry", &len, &params)) != NULL)
	{
	  if (s.body)
	    add_function (r->module, name, len, true, params, s.end);
	}
      else if ((name = function_name (&s, ".func", &len, &params)) != NULL)
	{
	  if (s.body)
	    add_function (r->module, name, len, false, params, s.end);
	}
      else if (find_word (&s, ".extern") == NULL
	       && ((space = find_word (&s, ".global")) != NULL
		   || (space = find_word (&s, ".const")) != NULL))
	add_variable (r, &s, space);
    }
}

uint64_t
fake_symbol (struct CUmod_st *module, const char *name, size_t *size)
{
  struct fake_variable *v = find_variable (module, name, strlen (name));
  struct CUfunc_st *code = find_code (module, name, strlen (name));
  if (size != NULL)
    *size = v != NULL ? v->size : 0;
  return v != NULL ? module->data + v->offset : code != NULL ? code->address : 0;
}

/* *PROGRAM becomes a module, to which it belongs then.  NULL: it could not be linked.  */
static CUresult
load_program (struct CUctx_st *ctx, struct psim_program **program, CUmodule *result)
{
  if (*program == NULL)
    return CUDA_ERROR_INVALID_IMAGE;
  struct CUmod_st *module = fake_new (sizeof (*module), FAKE_MODULE, ctx);
  CUresult status = fake_load_program (module, *program);
  if (status == CUDA_SUCCESS)
    {
      module->program = *program;
      *program = NULL;
      *result = module;
    }
  else
    {
      if (module->data != 0)
	fake_free (module->data);
      module->object.gone = true;
    }
  return status;
}

/* The texts [TEXT, TEXT + SIZE) become a module; with the lock held.  *PROGRAM is what they were linked to, if
   they are to be executed; NULL afterwards if the module has it.  */
static CUresult
load (struct CUctx_st *ctx, const char *text, size_t size, struct psim_program **program, CUmodule *result)
{
  if (fake_executes ())
    return load_program (ctx, program, result);
  struct CUmod_st *module = fake_new (sizeof (*module), FAKE_MODULE, ctx);
  struct reader r = { .module = module };
  CUresult status = CUDA_SUCCESS;

  for (size_t at = 0; at < size; at += strlen (text + at) + 1)
    read_text (&r, text + at);
  /* Functions have addresses behind the variables, which nobody may touch.  */
  size_t code_at = (r.data_size + 255) / 256 * 256;
  module->data = fake_alloc (ctx, code_at + module->num_code * 16 + 16, FAKE_MODULE_BLOCK);
  if (module->data == 0)
    {
      module->object.gone = true;
      status = CUDA_ERROR_OUT_OF_MEMORY;
    }
  else
    {
      for (size_t i = 0; i < module->num_code; i++)
	module->code[i]->address = module->data + code_at + 16 * i;
      for (size_t i = 0; i < r.num_fixups; i++)
	{
	  uint64_t value = fake_symbol (module, r.fixups[i].name, NULL);
	  if (value == 0)
	    fake_log ("nothing is called %s", r.fixups[i].name);
	  value = value != 0 ? value + (uint64_t) r.fixups[i].addend : 0;
	  memcpy (r.data + r.fixups[i].offset, &value, r.fixups[i].size);
	}
      if (r.data_size != 0)
	memcpy (fake_host_view (module->data), r.data, r.data_size);
      fake_log ("module: %zu functions, %zu variables", module->num_code, module->num_vars);
      *result = module;
    }
  for (size_t i = 0; i < r.num_fixups; i++)
    free (r.fixups[i].name);
  free (r.fixups);
  free (r.data);
  return status;
}

/* Does one of the texts [TEXT, TEXT + SIZE) declare the driver's function NAME?  */
static bool
refers_to (const char *text, size_t size, const char *name)
{
  size_t len = strlen (name);
  for (const char *p = text, *end = text + size; (p = memmem (p, (size_t) (end - p), name, len)) != NULL; p += len)
    if (p > text && strchr (" \t)", p[-1]) != NULL && strchr (" \t\n(", p[len]) != NULL)
      return true;
  return false;
}

static CUresult
load_image (CUmodule *module, const void *image)
{
  if (module == NULL || image == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  const struct cubin *cubin = image;
  const char *text = image;
  bool good, elf = memcmp (image, "\177ELF", 4) == 0;
  size_t size = 0;
  if (elf)
    {
      good = cubin->magic == cubin_magic && cubin->machine == 190 && cubin->size >= sizeof (*cubin)
	     && cubin->sum == sum_of ((const char *) (cubin + 1), cubin->size - sizeof (*cubin));
      text = (const char *) (cubin + 1);
      size = good ? cubin->size - sizeof (*cubin) : 0;
    }
  else if ((good = memchr (image, '.', strnlen (image, 200)) != NULL && strstr (image, ".version") != NULL))
    size = strlen (text) + 1;
  /* Before the lock is taken, for it takes its time.  */
  struct psim_program *program = good && fake_executes () ? fake_take_program (text, size) : NULL;
  CUresult result;
  pthread_mutex_lock (&fake_lock);
  struct CUctx_st *ctx = fake_current (&result);
  if (ctx != NULL)
    result = !good ? CUDA_ERROR_INVALID_IMAGE
	     : elf && cubin->arch != arch_of (ctx) ? CUDA_ERROR_NO_BINARY_FOR_GPU
	     : load (ctx, text, size, &program, module);
  if (ctx != NULL && result == CUDA_SUCCESS)
    {
      (*module)->has_heap = refers_to (text, size, "malloc") || refers_to (text, size, "free");
      (*module)->prints = refers_to (text, size, "vprintf");
    }
  pthread_mutex_unlock (&fake_lock);
  fake_drop_program (program);
  return result;
}

CUresult
cuModuleLoadData (CUmodule *module, const void *image)
{
  ENTER (cuModuleLoadData);
  return load_image (module, image);
}

CUresult
cuModuleLoadDataEx (CUmodule *module, const void *image, unsigned num_options, int *options,
		    void **values)
{
  ENTER (cuModuleLoadDataEx);
  struct CUlinkState_st compiler = { .size = 0 };
  if (!read_options (&compiler, num_options, options, values))
    return CUDA_ERROR_INVALID_VALUE;
  /* A text is all that there is.  */
  if (image != NULL && memcmp (image, "\177ELF", 4) != 0)
    {
      compiler.text = (char *) image;
      compiler.size = strlen (image) + 1;
      if (!all_defined (&compiler))
	return CUDA_ERROR_INVALID_PTX;
    }
  return load_image (module, image);
}

CUresult
cuModuleUnload (CUmodule module)
{
  ENTER (cuModuleUnload);
  CUresult result;
  pthread_mutex_lock (&fake_lock);
  if (!fake_is (module, FAKE_MODULE, "module"))
    result = CUDA_ERROR_INVALID_HANDLE;
  else if (fake_context_ok (module->object.ctx, &result)
	   && (result = fake_wait_context (module->object.ctx)) == CUDA_SUCCESS)
    {
      module->object.gone = true;
      for (size_t i = 0; i < module->num_code; i++)
	module->code[i]->object.gone = true;
      fake_free (module->data);
      fake_drop_program (module->program);
      module->program = NULL;
    }
  pthread_mutex_unlock (&fake_lock);
  return result;
}

CUresult
cuModuleGetFunction (CUfunction *function, CUmodule module, const char *name)
{
  ENTER (cuModuleGetFunction);
  CUresult result;
  pthread_mutex_lock (&fake_lock);
  if (!fake_is (module, FAKE_MODULE, "module"))
    result = CUDA_ERROR_INVALID_HANDLE;
  else if (fake_context_ok (module->object.ctx, &result))
    {
      struct CUfunc_st *code = name != NULL ? find_code (module, name, strlen (name)) : NULL;
      if (name == NULL || function == NULL)
	result = CUDA_ERROR_INVALID_VALUE;
      /* It knows kernels only.  */
      else if (code != NULL && code->entry)
	*function = code;
      else
	result = CUDA_ERROR_NOT_FOUND;
    }
  pthread_mutex_unlock (&fake_lock);
  return result;
}

CUresult
cuModuleGetGlobal_v2 (CUdeviceptr *ptr, size_t *size, CUmodule module, const char *name)
{
  ENTER (cuModuleGetGlobal_v2);
  CUresult result;
  pthread_mutex_lock (&fake_lock);
  if (!fake_is (module, FAKE_MODULE, "module"))
    result = CUDA_ERROR_INVALID_HANDLE;
  else if (fake_context_ok (module->object.ctx, &result))
    {
      struct fake_variable *v = name != NULL ? find_variable (module, name, strlen (name)) : NULL;
      if (name == NULL || (ptr == NULL && size == NULL))
	result = CUDA_ERROR_INVALID_VALUE;
      else if (v == NULL)
	result = CUDA_ERROR_NOT_FOUND;
      else
	{
	  if (ptr != NULL)
	    *ptr = module->data + v->offset;
	  if (size != NULL)
	    *size = v->size;
	}
    }
  pthread_mutex_unlock (&fake_lock);
  return result;
}

CUresult
cuModuleGetLoadingMode (int *mode)
{
  ENTER (cuModuleGetLoadingMode);
  *mode = 2;			/* lazy */
  return CUDA_SUCCESS;
}
