/* info-image.h -- what gompx-info tells of a program's images.  */

#ifndef INFO_IMAGE_H
#define INFO_IMAGE_H 1

#include <stdbool.h>

/* Print what the program or shared object FILE holds for devices, and on which of those that this
   machine has it can run.  Nothing of it is executed.  False: it cannot be read, which was said on
   stderr.  */
bool info_print_file (const char *file);

#endif /* INFO_IMAGE_H */
