/* info-program.h -- a program's file as gompx-info has it laid out.  */

#ifndef INFO_PROGRAM_H
#define INFO_PROGRAM_H 1

#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { INFO_MAX_PARTS = 32, INFO_MAX_IMAGES = 64 };

struct info_program
{
  int fd;
  uint64_t size;		/* of the file */
  ElfW (Ehdr) header;
  unsigned char *base;		/* laid out: address 0 .. span */
  uint64_t span;
  /* What of it comes from the file; tables of images are nowhere else.  */
  struct { uint64_t start, end; } parts[INFO_MAX_PARTS];
  unsigned num_parts;
  uint64_t num_funcs, num_vars, num_ind_funcs;	/* host tables; 0: none */
  uint64_t vars;		/* address of that of variables */
  char compilers[256];
  bool is_dynamic;
  bool set_id;			/* it runs with rights of another */
  char loader[256];		/* that it names; "": none */
};

static inline bool
info_holds (const struct info_program *p, uint64_t addr, uint64_t size)
{
  return addr < p->span && size <= p->span - addr;
}

static inline uint64_t
info_word_at (const struct info_program *p, uint64_t addr)
{
  uint64_t w;
  memcpy (&w, p->base + addr, sizeof (w));
  return w;
}

static inline uint32_t
info_half_at (const struct info_program *p, uint64_t addr)
{
  uint32_t w;
  memcpy (&w, p->base + addr, sizeof (w));
  return w;
}

/* The text at ADDR, or NULL where none ends before the program does.  */
static inline const char *
info_text_at (const struct info_program *p, uint64_t addr)
{
  if (addr == 0 || addr >= p->span || memchr (p->base + addr, 0, p->span - addr) == NULL)
    return NULL;
  return (const char *) p->base + addr;
}

static inline const char *
info_plural (uint64_t n)
{
  return n == 1 ? "" : "s";
}

/* An image for NVIDIA GPUs.  */
struct info_image
{
  uint64_t objects, variables, functions;	/* addresses of its tables */
  uint32_t num_objects, num_variables, num_functions, num_indirect;
  bool has_mask;		/* of GCC 13 and later */
  uint32_t mask;
  uint64_t bytes;		/* of PTX */
  int target;			/* the newest architecture that it asks for: 52 */
  int version;			/* the newest PTX that it uses: 63 */
};

/* info-image.c.  Lay out FILE, which info_close ends in any case.  Answers what is wrong, or NULL.  */
const char *info_open (const char *file, struct info_program *p);
void info_close (struct info_program *p);
/* The images for NVIDIA GPUs, INFO_MAX_IMAGES at most: how many.  */
unsigned info_find_images (const struct info_program *p, struct info_image *images);
/* Why IM does not run on DEV, into TEXT.  False: it does.  */
struct gomp_device;
bool info_why_not (const struct info_image *im, const struct gomp_device *dev, char *text, size_t size);

/* info-gcn.c.  Print the images for AMD GPUs; answers how many there are.  */
unsigned info_print_gcn (const struct info_program *p);

#endif /* INFO_PROGRAM_H */
