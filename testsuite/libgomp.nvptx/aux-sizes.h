/* aux-sizes.h -- comments of a size, for texts that are large.  */

#ifndef AUX_SIZES_H
#define AUX_SIZES_H 1

#define LINE "// ...................................................................................................................\n"
#define KB LINE LINE LINE LINE LINE LINE LINE LINE LINE
#define KB4 KB KB KB KB
#define KB40 KB4 KB4 KB4 KB4 KB4 KB4 KB4 KB4 KB4 KB4

#endif /* AUX_SIZES_H */
