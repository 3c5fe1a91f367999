/* nvptx-library.h -- the device runtime that the plugin carries.

   It is built from config/accel by the rules in config/nvptx/library.am, which write the C file that
   defines these variables.  Without a compiler for NVIDIA GPUs the set is empty: the plugin
   then leaves the library in each image as it is.

   The texts are as the assembler of the compiler normalised them: complete PTX modules, with the
   marker comments by which definitions and references are found (nvptx-ptx.h).

   Constant: no protection needed.  */

#ifndef NVPTX_LIBRARY_H
#define NVPTX_LIBRARY_H 1

#include <stddef.h>

struct nvptx_library_object
{
  const char *name;		/* of its source: "barrier", "shared" */
  const char *text;
  size_t size;			/* of the text with its final NUL, as the driver wants it */
};

extern const struct nvptx_library_object nvptx_library[];
extern const unsigned nvptx_library_count;

/* Which compiler made it, for messages: "gcc-12 12.2.0"; "" when there is none.  */
extern const char nvptx_library_compiler[];

/* A checksum of all of it, in hexadecimal, for names of cached files; "" when there is none.  */
extern const char nvptx_library_digest[];

#endif /* NVPTX_LIBRARY_H */
