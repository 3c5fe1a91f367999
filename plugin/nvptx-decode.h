/* nvptx-decode.h -- the data of a registered nvptx image, decoded and checked.  */

#ifndef GOMPX_NVPTX_DECODE_H
#define GOMPX_NVPTX_DECODE_H 1

#include "plugin.h"
#include "nvptx-ptx.h"

#pragma GCC visibility push (hidden)

/* A function of an image.  DIM is OpenACC's; laid out as in images.  */
struct nvptx_function
{
  const char *name;
  unsigned short dim[3];
};

struct nvptx_tables
{
  const struct nvptx_object *objects;	/* the program's own code is object 0 */
  size_t num_objects;
  const char *const *var_names;	/* pairs with desc->host_vars */
  size_t num_vars;
  const struct nvptx_function *functions;	/* pairs with desc->host_funcs */
  size_t num_functions;
  size_t num_indirect;		/* pairs with desc->host_ind_funcs */
};

enum { NVPTX_WHY = 200 };	/* room for a reason */

/* Decode the data of DESC.  False: the image is damaged or too new, WHY says how.  The tables point
   into the data.  */
bool nvptx_decode (const struct gomp_image_desc *desc, struct nvptx_tables *tables,
		   char why[NVPTX_WHY]);

/* One block of malloc with all that TABLES lead to, laid out as the data that they are of.  NULL: out of memory.  */
void *nvptx_copy_data (const struct nvptx_tables *tables);

/* Does a driver of this version (cuDriverGetVersion) know the PTX that the objects are written in?  False
   with WHY only where that is certain.  */
bool nvptx_driver_knows (const struct nvptx_tables *tables, int driver, char why[NVPTX_WHY]);

/* Is NAME a function for the host's half of reverse offload, which is never launched?  */
bool nvptx_is_host_function (const char *name);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_DECODE_H */
