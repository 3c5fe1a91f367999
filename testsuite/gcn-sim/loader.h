/* loader.h -- code objects in memory of an agent.  */

#ifndef GCN_SIM_LOADER_H
#define GCN_SIM_LOADER_H 1

#include "hsa-sim.h"

enum { SIM_MAX_TEXTS = 4 };

struct sim_symbol
{
  char *name;
  uint64_t addr, size;		/* device address */
  bool object;			/* data, or else a function */
  bool global;			/* in the dynamic symbol table */
  bool kernel;			/* a kernel descriptor */
  struct sim_image *image;
};

/* Fixed after image_load.  */
struct sim_image
{
  struct sim_image *next;	/* all loaded ones; protected by the loader's lock */
  int gpu;
  uint64_t base;
  size_t size;
  char *view;
  struct { struct sim_code *code; uint64_t start; size_t size; } text[SIM_MAX_TEXTS];
  unsigned num_texts;
  struct sim_symbol *symbols;	/* by address */
  size_t num_symbols;
};

/* The amdhsa kernel descriptor.  */
struct sim_descriptor
{
  uint32_t group_size, private_size, kernarg_size, reserved1;
  int64_t entry;		/* from the descriptor */
  uint32_t reserved2[5];
  uint32_t rsrc3, rsrc1, rsrc2;
  uint16_t properties, preload;
  uint32_t reserved3;
};

_Static_assert (sizeof (struct sim_descriptor) == 64
		&& offsetof (struct sim_descriptor, rsrc3) == 44
		&& offsetof (struct sim_descriptor, rsrc2) == 52
		&& offsetof (struct sim_descriptor, properties) == 56, "layout of the ABI");

/* Load the code object at BYTES for a GPU agent; NULL and *STATUS: TEXT says why not.  */
struct sim_image *image_load (const void *bytes, size_t size, int gpu, hsa_status_t *status,
			      char *text, size_t room);
void image_unload (struct sim_image *);
/* Report what the functions of all images have executed, if that is asked for (GCN_SIM_FUNCTIONS).  */
void image_count_functions (void);
/* A data symbol of the dynamic table.  */
struct sim_symbol *image_symbol (struct sim_image *, const char *name);
/* The image and text that hold PC; NULL: none.  While a kernel of it runs, it stays.  */
struct sim_image *image_at (uint64_t addr);
struct sim_code *image_code (struct sim_image *, uint64_t pc);
/* "main._omp_fn.0+0x10" of an address in IMAGE.  */
void image_name (const struct sim_image *, uint64_t addr, char *text, size_t room);
/* The name, without ".kd", of the kernel whose descriptor is at ADDR, or "?".  */
void image_kernel_name (const struct sim_image *, uint64_t addr, char *text, size_t room);

#endif /* GCN_SIM_LOADER_H */
