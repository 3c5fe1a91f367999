/* nvptx-state.h -- what kernels leave for others in the variables of a module.  */

#ifndef GOMPX_NVPTX_STATE_H
#define GOMPX_NVPTX_STATE_H 1

#include "nvptx-ptx.h"

#pragma GCC visibility push (hidden)

enum { NVPTX_STATE_WHY = 140 };	/* room for a reason */

/* The directive of a variable in global or constant memory.  */
struct nvptx_variable
{
  const char *start, *end;	/* of its text: END is its semicolon */
  const char *name;
  size_t length;
  size_t object;		/* index */
  bool constant;		/* in constant memory */
  bool external;		/* defined elsewhere */
  bool local;			/* its object's own */
  bool weak;			/* another definition takes its place */
  bool own;			/* every module has its own: set by the plugin, or read by the kernel alone that has written it */
  bool left;			/* code may leave something in it that other code finds */
  struct nvptx_variable *same;	/* another one of that name, or NULL */

  /* For who looks.  */
  bool counts;			/* a definition in global memory, and not one of a few */
  bool fixed;			/* a constant, as far as has been seen */
  bool reached;
  const char *seen;		/* the text that was seen last */

  size_t home;			/* for nvptx-home.c: which of those that all modules share it is, from 1 on; 0: none */
};

/* All of them.  */
struct nvptx_variables
{
  struct nvptx_variable *all;	/* by object, in the order of the text */
  size_t num;
  struct nvptx_variable **table;	/* by hash of the name; open, a power of two; NULL: there are none */
  size_t mask;
  struct nvptx_lengths lengths;	/* of their names */
};

/* Find the variables of NUM objects, of which the first is the program's own, and what code leaves in them.  The texts have to stay.  False: no
   memory; *VARIABLES is empty.  */
bool nvptx_variables_find (const struct nvptx_object *objects, size_t num, struct nvptx_variables *variables);
void nvptx_variables_free (struct nvptx_variables *variables);

/* The first one with that name, which is not empty, or NULL.  */
struct nvptx_variable *nvptx_variables_called (const struct nvptx_variables *variables, const char *name, size_t length);

/* May a kernel leave something in one of VARIABLES that another kernel finds there?  WHY: how.  */
bool nvptx_variables_left (const struct nvptx_variables *variables, char why[NVPTX_STATE_WHY]);

/* The same for the variables of OBJECTS, of which the first is the program's own.  True, too, if there is no memory to look.  */
bool nvptx_state_is_left (const struct nvptx_object *objects, size_t num, char why[NVPTX_STATE_WHY]);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_STATE_H */
