/* gcn-decode.h -- the data of a registered gcn image, decoded and checked.  */

#ifndef GOMPX_GCN_DECODE_H
#define GOMPX_GCN_DECODE_H 1

#include "plugin.h"

#pragma GCC visibility push (hidden)

/* A function of an image.  DIM is OpenACC's; laid out as in images.  Registers are those of the kernel
   itself; functions for the host have none.  */
struct gcn_function
{
  const char *name;
  int32_t dim[3];
  int32_t sgprs, vgprs;
};

/* A feature that code is made for, as images code it.  */
enum gcn_feature { GCN_FEATURE_NONE, GCN_FEATURE_ANY, GCN_FEATURE_OFF, GCN_FEATURE_ON };

struct gcn_tables
{
  const void *code;		/* the code object; at any address */
  size_t code_size;
  const struct gcn_function *functions;	/* pairs with desc->host_funcs */
  size_t num_functions;
  size_t num_vars;		/* pairs with desc->host_vars */
  size_t num_indirect;		/* pairs with desc->host_ind_funcs */
  /* How kernels find their stacks: 2 as GCC 12 has it, 3 as newer ones.  */
  unsigned abi;
  /* What the code is made for: "gfx90a", or a family, "gfx9-generic".  */
  const char *isa;
  enum gcn_feature xnack, sramecc;
};

enum { GCN_WHY = 256 };		/* room for a reason */

/* Decode the data of DESC.  False: the image is damaged or of an unknown kind, WHY says how.  The tables
   point into the data.  */
bool gcn_decode (const struct gomp_image_desc *desc, struct gcn_tables *tables, char why[GCN_WHY]);

/* One block of malloc with all that TABLES lead to, laid out as the data of DESC, of which they are.  NULL: out of
   memory.  */
void *gcn_copy_data (const struct gomp_image_desc *desc, const struct gcn_tables *tables);

/* Does the code run on a device that is called ISA, "gfx90a" or in full,
   "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-"?  False with WHY only where that is certain.  */
bool gcn_runs_on (const struct gcn_tables *tables, const char *isa, char why[GCN_WHY]);

/* Is NAME a function for the host's half of reverse offload, which is never launched?  */
bool gcn_is_host_function (const char *name);

/* Call FOUND with the names of the symbols that the code object defines for others.  None where its tables
   are damaged: the runtime will say so.  */
void gcn_each_symbol (const struct gcn_tables *tables, void (*found) (const char *name, void *data),
		      void *data);

#pragma GCC visibility pop

#endif /* GOMPX_GCN_DECODE_H */
