/* target-abi.h -- prototypes of the exported entry points of the offload core.  */

#ifndef GOMP_TARGET_ABI_H
#define GOMP_TARGET_ABI_H 1

#include "libgomp.h"

/* ---- image.c ---- */

void GOMP_offload_register_ver (unsigned version, const void *host_table, int target_type,
				const void *target_data);
void GOMP_offload_unregister_ver (unsigned version, const void *host_table, int target_type,
				  const void *target_data);
void GOMP_offload_register (const void *host_table, int target_type, const void *target_data);
void GOMP_offload_unregister (const void *host_table, int target_type, const void *target_data);

/* ---- target.c ---- */

GOMP_EXPORT void GOMP_target_ext (int device, gomp_fn fn, size_t mapnum, void **hostaddrs,
				  size_t *sizes, unsigned short *kinds, unsigned flags,
				  void **depend, void **args);
GOMP_EXPORT void GOMP_target_data_ext (int device, size_t mapnum, void **hostaddrs,
				       size_t *sizes, unsigned short *kinds);
GOMP_EXPORT void GOMP_target_end_data (void);
GOMP_EXPORT void GOMP_target_update_ext (int device, size_t mapnum, void **hostaddrs,
					 size_t *sizes, unsigned short *kinds, unsigned flags,
					 void **depend);
GOMP_EXPORT void GOMP_target_enter_exit_data (int device, size_t mapnum, void **hostaddrs,
					      size_t *sizes, unsigned short *kinds,
					      unsigned flags, void **depend);
GOMP_EXPORT void *GOMP_target_map_indirect_ptr (void *ptr);
/* The calls of 2013, with 8-bit kinds.  */
GOMP_EXPORT void GOMP_target (int device, gomp_fn fn, const void *unused, size_t mapnum,
			      void **hostaddrs, size_t *sizes, unsigned char *kinds);
GOMP_EXPORT void GOMP_target_data (int device, const void *unused, size_t mapnum,
				   void **hostaddrs, size_t *sizes, unsigned char *kinds);
GOMP_EXPORT void GOMP_target_update (int device, const void *unused, size_t mapnum,
				     void **hostaddrs, size_t *sizes, unsigned char *kinds);

/* ---- target-teams.c ---- */

GOMP_EXPORT bool GOMP_teams4 (unsigned num_teams_lower, unsigned num_teams_upper,
			      unsigned thread_limit, bool first);
GOMP_EXPORT void GOMP_teams (unsigned num_teams, unsigned thread_limit);

/* ---- device-api.c ---- */

int omp_get_num_devices (void);
int omp_get_initial_device (void);
int omp_get_device_num (void);
int omp_is_initial_device (void);
const char *omp_get_uid_from_device (int device_num);
int omp_get_device_from_uid (const char *uid);
int32_t omp_get_num_devices_ (void);
int32_t omp_get_initial_device_ (void);
int32_t omp_get_device_num_ (void);
int32_t omp_is_initial_device_ (void);
int32_t omp_get_device_from_uid_ (const char *uid, size_t len);
void omp_get_uid_from_device_ (const char **result, size_t *len, int32_t device_num);
void omp_get_uid_from_device_8_ (const char **result, size_t *len, int64_t device_num);

/* ---- devmem.c, devmem-rect.c ---- */

void *omp_target_alloc (size_t size, int device_num);
void omp_target_free (void *ptr, int device_num);
int omp_target_memcpy (void *dst, const void *src, size_t length, size_t dst_offset,
		       size_t src_offset, int dst_device, int src_device);
int omp_target_memcpy_async (void *dst, const void *src, size_t length, size_t dst_offset,
			     size_t src_offset, int dst_device, int src_device,
			     int depobj_count, void *depobj_list);
int omp_target_memcpy_rect (void *dst, const void *src, size_t element_size, int num_dims,
			    const size_t *volume, const size_t *dst_offsets,
			    const size_t *src_offsets, const size_t *dst_dimensions,
			    const size_t *src_dimensions, int dst_device, int src_device);
int omp_target_memcpy_rect_async (void *dst, const void *src, size_t element_size, int num_dims,
				  const size_t *volume, const size_t *dst_offsets,
				  const size_t *src_offsets, const size_t *dst_dimensions,
				  const size_t *src_dimensions, int dst_device, int src_device,
				  int depobj_count, void *depobj_list);
void *omp_target_memset (void *ptr, int value, size_t count, int device_num);
void *omp_target_memset_async (void *ptr, int value, size_t count, int device_num,
			       int depobj_count, void *depobj_list);
int omp_target_is_present (const void *ptr, int device_num);
void *omp_get_mapped_ptr (const void *ptr, int device_num);
int omp_target_is_accessible (const void *ptr, size_t size, int device_num);
int omp_target_associate_ptr (const void *host_ptr, const void *device_ptr, size_t size,
			      size_t device_offset, int device_num);
int omp_target_disassociate_ptr (const void *ptr, int device_num);

/* ---- interop.c.  Objects are opaque pointers.  ---- */

GOMP_EXPORT void GOMP_interop (int device, int n_init, void ***init, const int *targetsync,
			       const char **prefer_type, int n_use, void **use, int n_destroy,
			       void ***destroy, unsigned flags, void **depend);
GOMP_EXPORT int omp_get_num_interop_properties (const void *);
GOMP_EXPORT intptr_t omp_get_interop_int (const void *, int property, int *ret_code);
GOMP_EXPORT void *omp_get_interop_ptr (const void *, int property, int *ret_code);
GOMP_EXPORT const char *omp_get_interop_str (const void *, int property, int *ret_code);
GOMP_EXPORT const char *omp_get_interop_name (const void *, int property);
GOMP_EXPORT const char *omp_get_interop_type_desc (const void *, int property);
GOMP_EXPORT const char *omp_get_interop_rc_desc (const void *, int ret_code);
GOMP_EXPORT void omp_get_interop_str_ (const char **, size_t *, const void *, int, int *);
GOMP_EXPORT void omp_get_interop_name_ (const char **, size_t *, const void *, int);
GOMP_EXPORT void omp_get_interop_type_desc_ (const char **, size_t *, const void *, int);
GOMP_EXPORT void omp_get_interop_rc_desc_ (const char **, size_t *, const void *, int);

#endif /* GOMP_TARGET_ABI_H */
