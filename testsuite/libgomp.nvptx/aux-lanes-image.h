/* aux-lanes-image.h -- an image for the stand-in driver whose kernels have a parallel region that can have lanes (`good');
   another region, with a vote, is in the object (`votes'), and what AUX_LANES_MORE defines.  AUX_LANES_IMPL (name): the function of
   the region NAME, if that is not the same for all.

   Included once, in a program that calls aux_lanes_register.  */

#define AUX_IMAGE_MANUAL 1
#define CALL_MAIN(name) \
  ".reg .u64 %%r; .reg .u64 %%a; mov.u64 %%r, " name "; ld.param.u64 %%a, [%%arg];\n" \
  "{ .param .u64 %%p0; .param .u64 %%p1; st.param.u64 [%%p0], %%r; st.param.u64 [%%p1], %%a;" \
  " call gomp_nvptx_main, (%%p0, %%p1); }\n"
#define IMPL(name, fn) IMPL_MORE (name, fn, "")
#define IMPL_MORE(name, fn, more) \
  "// BEGIN FUNCTION DEF: " name "\n.func " name " (.param.u64 %in_ar0)\n{\n" more \
  ".reg .u64 %f; .reg .u64 %d; .reg .u32 %z; ld.param.u64 %d, [%in_ar0]; mov.u64 %f, " fn "; mov.u32 %z, 0;\n" \
  "{ .param .u64 %o1; .param .u64 %o2; .param .u32 %o3; .param .u32 %o4; st.param.u64 [%o1], %f;" \
  " st.param.u64 [%o2], %d; st.param.u32 [%o3], %z; st.param.u32 [%o4], %z;" \
  " call GOMP_parallel, (%o1, %o2, %o3, %o4); }\nret;\n}\n"
#ifndef AUX_LANES_MORE
#define AUX_LANES_MORE
#endif
#ifndef AUX_LANES_IMPL
#define AUX_LANES_IMPL(name) "impl0"
#endif
static const char *body (const char *name);
#define AUX_IMAGE_BODY(name) body (name)
#define AUX_IMAGE_PTX \
  "// BEGIN GLOBAL FUNCTION DECL: GOMP_parallel\n" \
  ".extern .func GOMP_parallel (.param.u64 %a, .param.u64 %b, .param.u32 %c, .param.u32 %d);\n" \
  "// BEGIN GLOBAL FUNCTION DECL: omp_get_thread_num\n.extern .func (.param.u32 %v) omp_get_thread_num;\n" \
  "// BEGIN FUNCTION DEF: good\n.func good (.param.u64 %in_ar0)\n{\n" \
  ".reg .u32 %x; { .param.u32 %v; call (%v), omp_get_thread_num; ld.param.u32 %x, [%v]; }\nret;\n}\n" \
  "// BEGIN FUNCTION DEF: votes\n.func votes (.param.u64 %in_ar0)\n{\n" \
  ".reg .pred %p; vote.sync.any.pred %p, %p, 0xffffffff;\nret;\n}\n" \
  IMPL ("impl0", "good") IMPL ("impl1", "votes") AUX_LANES_MORE
#define LIBRARY \
  "// BEGIN GLOBAL FUNCTION DEF: GOMP_parallel\n" \
  ".visible .func GOMP_parallel (.param.u64 %a, .param.u64 %b, .param.u32 %c, .param.u32 %d)\n{\nret;\n}\n" \
  "// BEGIN GLOBAL FUNCTION DEF: omp_get_thread_num\n" \
  ".visible .func (.param.u32 %v) omp_get_thread_num\n{\nst.param.u32 [%v], 0;\nret;\n}\n"
#define AUX_IMAGE_LIBRARY LIBRARY
#include "aux-image.h"
#include "aux-launch.h"
#include "aux-subst.h"

static const char *
body (const char *name)
{
  static char text[1000];
  (void) name;
  snprintf (text, sizeof (text), CALL_MAIN ("%s"), AUX_LANES_IMPL (name));
  return text;
}

/* The second one is what is only there for lanes.  */
static const char *const aux_lanes_library[2] =
{
  AUX_START LIBRARY,
  AUX_PREAMBLE
  "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_main\n"
  ".visible .func gompx_lanes_main (.param.u64 %a, .param.u64 %b)\n{\nret;\n}\n"
  "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_GOMP_parallel\n"
  ".visible .func gompx_lanes_GOMP_parallel (.param.u64 %a, .param.u64 %b, .param.u32 %c, .param.u32 %d,"
  " .param.u64 %e)\n{\nret;\n}\n"
  "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_omp_get_thread_num\n"
  ".visible .func (.param.u32 %v) gompx_lanes_omp_get_thread_num\n{\nst.param.u32 [%v], 0;\nret;\n}\n"
};

/* Make and register aux_image, with the NUM objects of LIBRARY as our device library; WARPS and LANES are what its kernels' two
   versions do.  */
static void
aux_lanes_register (const char *const *library, unsigned num, fake_cuda_kernel_fn *warps, fake_cuda_kernel_fn *lanes)
{
  static const char *const twins[] = { "main$_omp_fn$0$lanes", "main$_omp_fn$1$lanes", "main$_omp_fn$2$lanes" };
  __typeof__ (&fake_cuda_register) add = (__typeof__ (add)) aux_driver ("fake_cuda_register");
  aux_image_make (&aux_image, 0x30001, 512);
  aux_library (getenv ("GOMP_NVPTX_DEVICE_LIBRARY"), library, num);
  aux_image_register (&aux_image);
  for (unsigned i = 0; i < 3; i++)
    {
      aux_region (i, warps);
      add (twins[i], lanes);
    }
}
