/* image.h -- what image.c and module.c share.  */

#ifndef GOMP_IMAGE_H
#define GOMP_IMAGE_H 1

#include "target.h"

struct gomp_image;

/* The lock of the lists of images and modules, GOMP_RANK_IMAGES.  Whoever holds it neither
   waits for a device nor calls dlopen: the dynamic loader's lock may be held by a thread
   whose constructors register an image.  */
void gomp_images_lock (void);
void gomp_images_unlock (void);

/* In a forked child: nobody holds it.  */
void gomp_images_after_fork (void);

/* Add an image; the lists of DESC and its path become the image's (gomp_malloc'ed).  KEY
   identifies registered images.  The image lock is held.  */
struct gomp_image *gomp_image_add (const struct gomp_image_desc *desc, const void *key);
/* Its module is gone: no device finds anything of it from now on.  The image lock is held; it
   is released and taken again while another thread is just loading the image and reads its module.  */
void gomp_image_remove (struct gomp_image *);

/* Check and copy the three tables at FUNCS, VARS, INDS (N bytes each) into DESC.  Answers what
   is wrong with them, or NULL.  */
const char *gomp_image_copy_tables (struct gomp_image_desc *desc,
				    const void *funcs, size_t funcs_bytes,
				    const void *vars, size_t vars_bytes,
				    const void *inds, size_t inds_bytes);
void gomp_image_free_tables (struct gomp_image_desc *);

/* Host address of the region function INDEX of the image that DEV knows as HANDLE, or NULL.
   For messages: does not block.  */
const void *gomp_image_function_address (struct gomp_device *dev,
					 const struct gomp_plugin_image *handle, size_t index);
/* The same to call it; takes the image lock.  */
const void *gomp_image_host_function (struct gomp_device *dev,
				      const struct gomp_plugin_image *handle, size_t index);
/* Changes when images come or go.  */
unsigned gomp_images_generation (void);

/* module.c.  Has to come before the first scan, without the image lock: it asks the loader.  */
void gomp_modules_prepare (void);
/* Bring the list of modules up to date; the image lock is held.  */
void gomp_modules_scan (void);
/* Is a module there whose tables cannot be read, which a scan has told?  With the image lock.  */
bool gomp_modules_unread (void);
/* The compiler, as 16 of GCC 16, of a module NAME that has regions in whose host versions omp_is_initial_device
   is 1; 0: none is known.  Known with GOMP_INFO only.  No lock.  */
unsigned gomp_modules_folding (const char **name);
/* Has the loader's list changed since the last scan?  No lock.  */
bool gomp_modules_dirty (void);
/* What dlopen has answered as HANDLE is never unloaded.  */
void gomp_modules_keep (const void *handle);
/* Is [START, END) inside a segment of one loaded module?  */
bool gomp_modules_contain (uintptr_t start, uintptr_t end);
/* Does a shared object with regions or variables for devices define NAME?  Takes the image lock, and asks
   the loader.  */
bool gomp_modules_define (const char *name);
/* Is it inside a module that is surely never unloaded?  */
bool gomp_modules_stay (uintptr_t start, uintptr_t end);
/* Is [START, END) in memory of the executable that the loader leaves read-only?  */
bool gomp_executable_read_only (uintptr_t start, uintptr_t end);
/* The same of any module, as they are since the last refresh, which is cheap.  Both with no lock whose
   holder the loader could wait for.  */
bool gomp_memory_read_only (uintptr_t start, uintptr_t end);
void gomp_read_only_refresh (void);
/* In a forked child.  */
void gomp_read_only_after_fork (void);

/* Has some device refused the image?  The image lock is held; IMAGE may be NULL.  */
bool gomp_image_failed (const struct gomp_image *image);
/* Devices that have refused the image, if others have it, shall try again.  False: none has it.  The image
   lock is held.  */
bool gomp_image_retry (struct gomp_image *image);
/* May the module of IMAGE have been unloaded since it was found?  Then it may also be there again.  Takes the
   image lock.  */
bool gomp_module_may_have_left (const struct gomp_image *image);
/* Let the next use of a device scan the modules, whatever the loader says.  */
void gomp_modules_look_again (void);

#endif /* GOMP_IMAGE_H */
