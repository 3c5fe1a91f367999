/* nvptx-ptx.h -- what PTX objects of an image say about themselves, for the nvptx plugin.  */

#ifndef GOMPX_NVPTX_PTX_H
#define GOMPX_NVPTX_PTX_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#pragma GCC visibility push (hidden)

/* One object: PTX text with its final NUL, which SIZE counts.  Laid out as in images.  */
struct nvptx_object
{
  const char *text;
  size_t size;
};

/* A symbol that an object defines or refers to.  */
struct nvptx_symbol
{
  const char *name;		/* inside the text, not ended by a NUL */
  uint32_t length;
  uint32_t object;		/* index */
  bool definition;		/* else a reference */
  bool global;			/* also weak ones; else file-local */
  bool function;		/* else a variable */
};

/* All symbols of an image, in two orders.  */
struct nvptx_symbols
{
  struct nvptx_symbol *all;	/* by object, in the order of the text */
  size_t num;
  size_t *first;		/* [num_objects + 1]: where each object's symbols begin */
  const struct nvptx_symbol **defs;	/* definitions, by name */
  size_t num_defs;
  size_t num_objects;
};

/* Is NAME (LENGTH bytes) called TEXT?  */
static inline bool
nvptx_is_named (const char *name, size_t length, const char *text)
{
  return length == strlen (text) && memcmp (name, text, length) == 0;
}

/* A hash of NAME (LENGTH bytes), for tables of symbols in memory.  */
static inline size_t
nvptx_name_hash (const char *name, size_t length)
{
  uint64_t h = 1469598103934665603u;
  for (size_t i = 0; i < length; i++)
    h = (h ^ (unsigned char) name[i]) * 1099511628211u;
  return h ^ h >> 32;
}

/* Which lengths names have that begin with a character: most words of a text need not be looked for in a table of names.  */
struct nvptx_lengths
{
  uint64_t begin_with[256];	/* bit N: N bytes; the last one: or more */
};

static inline uint64_t
nvptx_length_bit (size_t length)
{
  return UINT64_C (1) << (length < 63 ? length : 63);
}

static inline void
nvptx_lengths_add (struct nvptx_lengths *lengths, const char *name, size_t length)
{
  lengths->begin_with[(unsigned char) name[0]] |= nvptx_length_bit (length);
}

static inline bool
nvptx_lengths_have (const struct nvptx_lengths *lengths, const char *name, size_t length)
{
  return (lengths->begin_with[(unsigned char) name[0]] & nvptx_length_bit (length)) != 0;
}

/* Find the symbols of N objects.  False: out of memory.  */
bool nvptx_symbols_find (const struct nvptx_object *objects, size_t n,
			 struct nvptx_symbols *symbols);
void nvptx_symbols_free (struct nvptx_symbols *symbols);

/* All definitions of NAME (LENGTH bytes): how many, the global ones first, at *DEFS.  */
size_t nvptx_symbol_definitions (const struct nvptx_symbols *symbols, const char *name, size_t length,
				 const struct nvptx_symbol *const **defs);
/* A definition of NAME (LENGTH bytes): a global one, or any if LOCAL; or NULL.  */
const struct nvptx_symbol *nvptx_symbol_defined (const struct nvptx_symbols *symbols,
						 const char *name, size_t length, bool local);
/* Does OBJECT mention (define or refer to) a symbol of that name?  */
bool nvptx_object_mentions (const struct nvptx_symbols *symbols, size_t object, const char *name);

/* Can code of OBJECT, the program's own, reach the device's vprintf without going through the
   OpenMP library?  (That prints only what ends the program, and error directives.)  */
bool nvptx_object_prints (const struct nvptx_symbols *symbols, size_t object);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_PTX_H */
