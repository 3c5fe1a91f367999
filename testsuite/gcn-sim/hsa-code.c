/* hsa-code.c -- readers, code objects, executables and their symbols.

   Readers and code objects only name the program's bytes, which must stay until they are loaded.  An
   executable has the images that were loaded into it; its symbols can be asked for when it is
   frozen.  */

#include "loader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a handle points to.  */
enum kind { READER = 0x72656164, CODE_OBJECT = 0x636f6465, EXECUTABLE = 0x65786563 };

struct object
{
  enum kind kind;
  bool gone;
  struct object *next;		/* all of them */
};

struct bytes
{
  struct object object;
  const void *start;
  size_t size;
};

struct executable
{
  struct object object;
  bool frozen;
  struct sim_image *images[SIM_MAX_AGENTS * 4];
  unsigned num_images;
};

static struct object *objects;	/* protected by hsa_lock */

static void *
new_object (enum kind kind, size_t size)
{
  struct object *o = calloc (1, size);
  if (o == NULL)
    abort ();
  o->kind = kind;
  pthread_mutex_lock (&hsa_lock);
  o->next = objects;
  objects = o;
  pthread_mutex_unlock (&hsa_lock);
  return o;
}

/* The object that HANDLE is, if it is of KIND and lives.  */
static void *
find_object (uint64_t handle, enum kind kind, const char *function, const char *what)
{
  struct object *o;
  bool gone = false;
  pthread_mutex_lock (&hsa_lock);
  for (o = objects; o != NULL && (uintptr_t) o != handle; o = o->next)
    ;
  if (o != NULL && o->kind == kind)
    gone = o->gone;
  else
    o = NULL;
  pthread_mutex_unlock (&hsa_lock);
  if (o != NULL && !gone)
    return o;
  hsa_misuse ("%s: %#lx %s %s", function, (unsigned long) handle,
	      o != NULL ? "is a destroyed" : "is no", what);
  return NULL;
}

static void
destroy (struct object *o)
{
  pthread_mutex_lock (&hsa_lock);
  o->gone = true;
  pthread_mutex_unlock (&hsa_lock);
}

/* ---- readers and code objects ---- */

static hsa_status_t
new_bytes (enum kind kind, const char *function, const void *start, size_t size, uint64_t *handle)
{
  if (start == NULL || size == 0 || handle == NULL)
    {
      hsa_misuse ("%s: %s", function, size == 0 ? "0 bytes" : "a null pointer");
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  struct bytes *b = new_object (kind, sizeof (*b));
  b->start = start;
  b->size = size;
  *handle = (uintptr_t) b;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_code_object_reader_create_from_memory (const void *code_object, size_t size,
					   hsa_code_object_reader_t *reader)
{
  ENTER (hsa_code_object_reader_create_from_memory);
  return new_bytes (READER, "hsa_code_object_reader_create_from_memory", code_object, size,
		    reader != NULL ? &reader->handle : NULL);
}

hsa_status_t
hsa_code_object_reader_destroy (hsa_code_object_reader_t reader)
{
  ENTER (hsa_code_object_reader_destroy);
  struct bytes *b = find_object (reader.handle, READER, "hsa_code_object_reader_destroy", "reader");
  if (b == NULL)
    return HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER;
  destroy (&b->object);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_code_object_deserialize (void *serialized, size_t size, const char *options,
			     hsa_code_object_t *code_object)
{
  ENTER (hsa_code_object_deserialize);
  (void) options;
  return new_bytes (CODE_OBJECT, "hsa_code_object_deserialize", serialized, size,
		    code_object != NULL ? &code_object->handle : NULL);
}

hsa_status_t
hsa_code_object_destroy (hsa_code_object_t code_object)
{
  ENTER (hsa_code_object_destroy);
  struct bytes *b = find_object (code_object.handle, CODE_OBJECT, "hsa_code_object_destroy",
				 "code object");
  if (b == NULL)
    return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
  destroy (&b->object);
  return HSA_STATUS_SUCCESS;
}

/* ---- executables ---- */

static hsa_status_t
create (const char *function, int profile, hsa_executable_t *executable)
{
  if (executable == NULL || (profile != HSA_PROFILE_BASE && profile != HSA_PROFILE_FULL))
    {
      hsa_misuse ("%s: %s", function, executable == NULL ? "a null pointer" : "profile");
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  executable->handle = (uintptr_t) new_object (EXECUTABLE, sizeof (struct executable));
  return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_executable_create (int profile, int state, const char *options, hsa_executable_t *executable)
{
  ENTER (hsa_executable_create);
  (void) options;
  if (state != HSA_EXECUTABLE_STATE_UNFROZEN)
    {
      hsa_misuse ("hsa_executable_create: state %d", state);
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  return create ("hsa_executable_create", profile, executable);
}

hsa_status_t
hsa_executable_create_alt (int profile, int rounding, const char *options,
			   hsa_executable_t *executable)
{
  ENTER (hsa_executable_create_alt);
  (void) options;
  if (rounding < HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT
      || rounding > HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR)
    {
      hsa_misuse ("hsa_executable_create_alt: rounding mode %d", rounding);
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  return create ("hsa_executable_create_alt", profile, executable);
}

static hsa_status_t
load (const char *function, hsa_executable_t executable, hsa_agent_t agent, const struct bytes *b,
      struct sim_image **loaded)
{
  struct executable *e = find_object (executable.handle, EXECUTABLE, function, "executable");
  int gpu = hsa_agent_number (agent);
  char text[300];
  hsa_status_t status;
  if (e == NULL)
    return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
  if (gpu < 0)
    {
      hsa_misuse ("%s: %#lx is no GPU agent", function, (unsigned long) agent.handle);
      return HSA_STATUS_ERROR_INVALID_AGENT;
    }
  if (e->frozen)
    {
      hsa_misuse ("%s: the executable is frozen", function);
      return HSA_STATUS_ERROR_FROZEN_EXECUTABLE;
    }
  if (e->num_images == sizeof (e->images) / sizeof (e->images[0]))
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  struct sim_image *image = image_load (b->start, b->size, gpu, &status, text, sizeof (text));
  if (image == NULL)
    {
      hsa_log ("code object refused: %s", text);
      return status;
    }
  hsa_log ("loaded %zu bytes at %#lx", image->size, (unsigned long) image->base);
  e->images[e->num_images++] = image;
  *loaded = image;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_executable_load_agent_code_object (hsa_executable_t executable, hsa_agent_t agent,
				       hsa_code_object_reader_t reader, const char *options,
				       hsa_loaded_code_object_t *loaded)
{
  struct sim_image *image;
  ENTER (hsa_executable_load_agent_code_object);
  (void) options;
  struct bytes *b = find_object (reader.handle, READER, "hsa_executable_load_agent_code_object",
				 "reader");
  if (b == NULL)
    return HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER;
  hsa_status_t status = load ("hsa_executable_load_agent_code_object", executable, agent, b,
			      &image);
  if (status == HSA_STATUS_SUCCESS && loaded != NULL)
    loaded->handle = (uintptr_t) image;
  return status;
}

hsa_status_t
hsa_executable_load_code_object (hsa_executable_t executable, hsa_agent_t agent,
				 hsa_code_object_t code_object, const char *options)
{
  struct sim_image *image;
  ENTER (hsa_executable_load_code_object);
  (void) options;
  struct bytes *b = find_object (code_object.handle, CODE_OBJECT,
				 "hsa_executable_load_code_object", "code object");
  if (b == NULL)
    return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
  return load ("hsa_executable_load_code_object", executable, agent, b, &image);
}

hsa_status_t
hsa_executable_freeze (hsa_executable_t executable, const char *options)
{
  ENTER (hsa_executable_freeze);
  (void) options;
  struct executable *e = find_object (executable.handle, EXECUTABLE, "hsa_executable_freeze",
				      "executable");
  if (e == NULL)
    return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
  if (e->frozen)
    {
      hsa_misuse ("hsa_executable_freeze: it is frozen");
      return HSA_STATUS_ERROR_FROZEN_EXECUTABLE;
    }
  e->frozen = true;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_executable_destroy (hsa_executable_t executable)
{
  ENTER (hsa_executable_destroy);
  struct executable *e = find_object (executable.handle, EXECUTABLE, "hsa_executable_destroy",
				      "executable");
  if (e == NULL)
    return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
  for (unsigned i = 0; i < e->num_images; i++)
    {
      char user[QUEUE_USER_MOST];
      if (queue_user_of (e->images[i]->base, e->images[i]->size, user))
	{
	  hsa_misuse ("hsa_executable_destroy: its kernel %s is in flight", user);
	  return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
	}
    }
  destroy (&e->object);
  for (unsigned i = 0; i < e->num_images; i++)
    image_unload (e->images[i]);
  e->num_images = 0;
  return HSA_STATUS_SUCCESS;
}

/* ---- symbols: a handle is the image's record ---- */

static hsa_status_t
get_symbol (const char *function, hsa_executable_t executable, const char *name, int gpu,
	    hsa_executable_symbol_t *symbol)
{
  struct executable *e = find_object (executable.handle, EXECUTABLE, function, "executable");
  if (e == NULL)
    return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
  if (name == NULL || symbol == NULL)
    {
      hsa_misuse ("%s: a null pointer", function);
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  if (!e->frozen)
    hsa_misuse ("%s: the executable is not frozen", function);
  for (unsigned i = 0; i < e->num_images; i++)
    {
      struct sim_symbol *s = e->images[i]->gpu == gpu ? image_symbol (e->images[i], name) : NULL;
      if (s != NULL)
	{
	  symbol->handle = (uintptr_t) s;
	  return HSA_STATUS_SUCCESS;
	}
    }
  return HSA_STATUS_ERROR_INVALID_SYMBOL_NAME;
}

hsa_status_t
hsa_executable_get_symbol_by_name (hsa_executable_t executable, const char *name,
				   const hsa_agent_t *agent, hsa_executable_symbol_t *symbol)
{
  ENTER (hsa_executable_get_symbol_by_name);
  int gpu = agent != NULL ? hsa_agent_number (*agent) : -1;
  if (gpu < 0)
    {
      hsa_misuse ("hsa_executable_get_symbol_by_name: no GPU agent");
      return HSA_STATUS_ERROR_INVALID_AGENT;
    }
  return get_symbol ("hsa_executable_get_symbol_by_name", executable, name, gpu, symbol);
}

hsa_status_t
hsa_executable_get_symbol (hsa_executable_t executable, const char *module, const char *name,
			   hsa_agent_t agent, int32_t call_convention,
			   hsa_executable_symbol_t *symbol)
{
  ENTER (hsa_executable_get_symbol);
  int gpu = hsa_agent_number (agent);
  if (gpu < 0 || (module != NULL && *module != 0) || call_convention != 0)
    {
      hsa_misuse ("hsa_executable_get_symbol: agent %#lx, module %s, convention %d",
		  (unsigned long) agent.handle, module != NULL ? module : "none", call_convention);
      return gpu < 0 ? HSA_STATUS_ERROR_INVALID_AGENT : HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  return get_symbol ("hsa_executable_get_symbol", executable, name, gpu, symbol);
}

/* The record of a handle; NULL: it is none, and that was told.  */
static struct sim_symbol *
find_symbol (hsa_executable_symbol_t symbol, const char *function)
{
  struct sim_symbol *found = NULL;
  pthread_mutex_lock (&hsa_lock);
  for (struct object *o = objects; o != NULL && found == NULL; o = o->next)
    if (o->kind == EXECUTABLE && !o->gone)
      {
	struct executable *e = (struct executable *) o;
	for (unsigned i = 0; i < e->num_images && found == NULL; i++)
	  {
	    uint64_t offset = symbol.handle - (uintptr_t) e->images[i]->symbols;
	    if (offset < e->images[i]->num_symbols * sizeof (*found)
		&& offset % sizeof (*found) == 0)
	      found = &e->images[i]->symbols[offset / sizeof (*found)];
	  }
      }
  pthread_mutex_unlock (&hsa_lock);
  if (found == NULL)
    hsa_misuse ("%s: %#lx is no symbol", function, (unsigned long) symbol.handle);
  return found;
}

hsa_status_t
hsa_executable_symbol_get_info (hsa_executable_symbol_t symbol, int attribute, void *value)
{
  ENTER (hsa_executable_symbol_get_info);
  struct sim_symbol *s = find_symbol (symbol, "hsa_executable_symbol_get_info");
  struct sim_descriptor d;
  if (s == NULL)
    return HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL;
  switch (attribute)
    {
    case HSA_EXECUTABLE_SYMBOL_INFO_TYPE:
      *(int *) value = s->kernel ? HSA_SYMBOL_KIND_KERNEL : HSA_SYMBOL_KIND_VARIABLE;
      return HSA_STATUS_SUCCESS;
    case HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH:
      *(uint32_t *) value = (uint32_t) strlen (s->name);
      return HSA_STATUS_SUCCESS;
    case HSA_EXECUTABLE_SYMBOL_INFO_NAME:
      memcpy (value, s->name, strlen (s->name));
      return HSA_STATUS_SUCCESS;
    }
  if (s->kernel)
    {
      memcpy (&d, s->image->view + (s->addr - s->image->base), sizeof (d));
      switch (attribute)
	{
	case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT:
	  *(uint64_t *) value = s->addr;
	  return HSA_STATUS_SUCCESS;
	case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE:
	  *(uint32_t *) value = d.kernarg_size;
	  return HSA_STATUS_SUCCESS;
	case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE:
	  *(uint32_t *) value = d.group_size;
	  return HSA_STATUS_SUCCESS;
	case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE:
	  *(uint32_t *) value = d.private_size;
	  return HSA_STATUS_SUCCESS;
	}
    }
  else if (attribute == HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS)
    {
      *(uint64_t *) value = s->addr;
      return HSA_STATUS_SUCCESS;
    }
  else if (attribute == HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE)
    {
      *(uint32_t *) value = (uint32_t) s->size;
      return HSA_STATUS_SUCCESS;
    }
  hsa_misuse ("hsa_executable_symbol_get_info: attribute %d of %s %s", attribute,
	      s->kernel ? "kernel" : "variable", s->name);
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t
hsa_executable_iterate_symbols (hsa_executable_t executable, hsa_symbol_fn callback, void *data)
{
  hsa_status_t result = HSA_STATUS_SUCCESS;
  ENTER (hsa_executable_iterate_symbols);
  struct executable *e = find_object (executable.handle, EXECUTABLE,
				      "hsa_executable_iterate_symbols", "executable");
  if (e == NULL)
    return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
  for (unsigned i = 0; i < e->num_images; i++)
    for (size_t j = 0; j < e->images[i]->num_symbols && result == HSA_STATUS_SUCCESS; j++)
      {
	struct sim_symbol *s = &e->images[i]->symbols[j];
	if (s->global && s->object)
	  result = callback (executable, (hsa_executable_symbol_t) { (uintptr_t) s }, data);
      }
  return result;
}

hsa_status_t
hsa_executable_iterate_agent_symbols (hsa_executable_t executable, hsa_agent_t agent,
				      hsa_agent_symbol_fn callback, void *data)
{
  hsa_status_t result = HSA_STATUS_SUCCESS;
  ENTER (hsa_executable_iterate_agent_symbols);
  struct executable *e = find_object (executable.handle, EXECUTABLE,
				      "hsa_executable_iterate_agent_symbols", "executable");
  int gpu = hsa_agent_number (agent);
  if (e == NULL)
    return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
  for (unsigned i = 0; i < e->num_images; i++)
    for (size_t j = 0; j < e->images[i]->num_symbols && result == HSA_STATUS_SUCCESS; j++)
      {
	struct sim_symbol *s = &e->images[i]->symbols[j];
	if (s->global && s->object && e->images[i]->gpu == gpu)
	  result = callback (executable, agent, (hsa_executable_symbol_t) { (uintptr_t) s }, data);
      }
  return result;
}

/* ---- leaks ---- */

unsigned
code_report_leaks (void)
{
  unsigned n = 0;
  char text[80];
  pthread_mutex_lock (&hsa_lock);
  for (struct object *o = objects; o != NULL; o = o->next)
    if (!o->gone)
      {
	snprintf (text, sizeof (text), "%s %p", o->kind == READER ? "code object reader"
		  : o->kind == EXECUTABLE ? "executable" : "code object", (void *) o);
	hsa_tell ("leak", text);
	n++;
      }
  pthread_mutex_unlock (&hsa_lock);
  return n;
}
