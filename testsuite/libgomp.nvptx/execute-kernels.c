/* The stand-in driver executes PTX: linked texts, variables, parameters, shared memory, facts about kernels,
   kernels that wait for the host, what they print, damaged code.
   TEST-OPTIONS: -I@top_srcdir@/plugin
   TEST-ENV: FAKE_CUDA_PTX=1
   TEST-ENV: FAKE_CUDA_LEAKS=1
   TEST-OUTPUT: ^7 -5 0\.25 text%$
   TEST-OUTPUT: ^line 999$
   TEST-NO-OUTPUT: ^line 0$
   TEST-NO-OUTPUT: not so  */

#include "aux-execute.h"

#include <stdatomic.h>
#include <string.h>

#define HEAD ".version 6.0\n.target sm_35\n.address_size 64\n"

/* out[i] = twice (i) + add + start[1] + %ctaid.x * 1000, through dynamic shared memory.  */
static const char first[] = HEAD
  ".extern .func (.param .u32 %value_out) twice (.param .u32 %in_ar0);\n"
  ".visible .global .align 4 .u32 start[2] = { 3, 50 };\n"
  ".visible .global .align 8 .u64 where[1] = { generic(start)+4 };\n"
  ".extern .shared .align 8 .u32 room[];\n"
  ".visible .entry kernel (.param .u64 out, .param .u32 add)\n"
  ".maxntid 256, 1, 1\n"
  "{\n"
  "  .reg .u64 %rd<8>; .reg .u32 %r<16>;\n"
  "  .shared .align 4 .u32 fixed[10];\n"
  "  ld.param.u64 %rd1, [out];\n"
  "  ld.param.u32 %r1, [add];\n"
  "  mov.u32 %r2, %tid.x;\n"
  "  st.shared.u32 [fixed], %r1;\n"
  "  mov.u32 %r3, room;\n"
  "  mad.lo.u32 %r3, %r2, 4, %r3;\n"
  "  {\n"
  "    .param .u32 a; .param .u32 v;\n"
  "    st.param.u32 [a], %r2;\n"
  "    call (v), twice, (a);\n"
  "    ld.param.u32 %r4, [v];\n"
  "  }\n"
  "  st.shared.u32 [%r3], %r4;\n"
  "  bar.sync 0;\n"
  "  ld.shared.u32 %r5, [%r3];\n"
  "  ld.shared.u32 %r6, [fixed];\n"
  "  add.u32 %r5, %r5, %r6;\n"
  "  ld.global.u64 %rd2, [where];\n"
  "  ld.u32 %r7, [%rd2];\n"
  "  add.u32 %r5, %r5, %r7;\n"
  "  mov.u32 %r8, %ctaid.x;\n"
  "  mad.lo.u32 %r5, %r8, 1000, %r5;\n"
  "  mov.u32 %r9, %ntid.x;\n"
  "  mad.lo.u32 %r9, %r8, %r9, %r2;\n"
  "  mad.wide.u32 %rd3, %r9, 4, %rd1;\n"
  "  st.global.u32 [%rd3], %r5;\n"
  "  ret;\n"
  "}\n";

static const char second[] = HEAD
  ".visible .func (.param .u32 %value_out) twice (.param .u32 %in_ar0)\n"
  "{\n"
  "  .reg .u32 %r<3>;\n"
  "  ld.param.u32 %r1, [%in_ar0];\n"
  "  add.u32 %r2, %r1, %r1;\n"
  "  st.param.u32 [%value_out], %r2;\n"
  "  ret;\n"
  "}\n"
  /* Says 1 in the first word, and waits for a 2 there.  */
  ".visible .entry waits (.param .u64 word)\n"
  "{\n"
  "  .reg .u64 %rd<2>; .reg .u32 %r<3>; .reg .pred %p<2>;\n"
  "  ld.param.u64 %rd1, [word];\n"
  "  mov.u32 %r1, 1;\n"
  "  st.volatile.u32 [%rd1], %r1;\n"
  "again:\n"
  "  ld.volatile.u32 %r2, [%rd1];\n"
  "  setp.ne.u32 %p1, %r2, 2;\n"
  "  @%p1 bra again;\n"
  "  mov.u32 %r1, 3;\n"
  "  st.volatile.u32 [%rd1], %r1;\n"
  "  ret;\n"
  "}\n";

static const char prints[] = HEAD
  ".extern .func (.param .u32 %value_out) vprintf (.param .u64 %in_ar0, .param .u64 %in_ar1);\n"
  ".global .align 1 .u8 format[16] = { 37, 100, 32, 37, 108, 100, 32, 37, 103, 32, 37, 115, 37, 37, 10, 0 };\n"
  ".global .align 1 .u8 text[5] = { 116, 101, 120, 116, 0 };\n"
  ".global .align 1 .u8 line[9] = { 108, 105, 110, 101, 32, 37, 100, 10, 0 };\n"
  ".visible .entry prints (.param .u32 lines)\n"
  "{\n"
  "  .local .align 8 .b8 args[32];\n"
  "  .reg .u64 %rd<8>; .reg .u32 %r<8>; .reg .f64 %fd<2>; .reg .pred %p<2>;\n"
  "  ld.param.u32 %r1, [lines];\n"
  "  mov.u64 %rd1, args;\n"
  "  cvta.local.u64 %rd1, %rd1;\n"
  "  setp.ne.u32 %p1, %r1, 0;\n"
  "  @%p1 bra lines_only;\n"
  "  mov.u32 %r2, 7;\n"
  "  st.u32 [%rd1], %r2;\n"
  "  mov.s64 %rd2, -5;\n"
  "  st.u64 [%rd1+8], %rd2;\n"
  "  mov.f64 %fd1, 0d3fd0000000000000;\n"
  "  st.f64 [%rd1+16], %fd1;\n"
  "  mov.u64 %rd3, text;\n"
  "  cvta.global.u64 %rd3, %rd3;\n"
  "  st.u64 [%rd1+24], %rd3;\n"
  "  mov.u64 %rd4, format;\n"
  "  cvta.global.u64 %rd4, %rd4;\n"
  "  {\n"
  "    .param .u64 f; .param .u64 a; .param .u32 v;\n"
  "    st.param.u64 [f], %rd4; st.param.u64 [a], %rd1;\n"
  "    call (v), vprintf, (f, a);\n"
  "  }\n"
  "  ret;\n"
  "lines_only:\n"
  "  mov.u64 %rd4, line;\n"
  "  cvta.global.u64 %rd4, %rd4;\n"
  "  mov.u32 %r3, 0;\n"
  "more:\n"
  "  st.u32 [%rd1], %r3;\n"
  "  {\n"
  "    .param .u64 f; .param .u64 a; .param .u32 v;\n"
  "    st.param.u64 [f], %rd4; st.param.u64 [a], %rd1;\n"
  "    call (v), vprintf, (f, a);\n"
  "  }\n"
  "  add.u32 %r3, %r3, 1;\n"
  "  setp.lt.u32 %p1, %r3, %r1;\n"
  "  @%p1 bra more;\n"
  "  ret;\n"
  "}\n";

/* Link COUNT texts to a copy of what the linker made.  */
static CUresult
link_texts (const char *const *texts, int count, void **copy, size_t *size, char *log, size_t log_size)
{
  int options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
  void *values[] = { log, (void *) log_size };
  CUlinkState state;
  void *cubin;
  CUresult result = FAKE_CUDA (cuLinkCreate_v2) (2, options, values, &state);
  if (result != CUDA_SUCCESS)
    return result;
  for (int i = 0; i < count && result == CUDA_SUCCESS; i++)
    result = FAKE_CUDA (cuLinkAddData_v2) (state, CU_JIT_INPUT_PTX, (void *) texts[i], strlen (texts[i]) + 1,
					   NULL, 0, NULL, NULL);
  if (result == CUDA_SUCCESS)
    result = FAKE_CUDA (cuLinkComplete) (state, &cubin, size);
  if (result == CUDA_SUCCESS)
    {
      *copy = malloc (*size);
      memcpy (*copy, cubin, *size);
    }
  FAKE_CUDA (cuLinkDestroy) (state);
  return result;
}

static int
kernels (CUmodule module)
{
  enum { THREADS = 64, BLOCKS = 3 };
  CUfunction kernel;
  CUdeviceptr out, variable;
  unsigned result[THREADS * BLOCKS], add = 7, other = 60;
  size_t size, offset;
  int value;
  GOOD (cuModuleGetFunction, &kernel, module, "kernel");
  CHECK (FAKE_CUDA (cuModuleGetFunction) (&(CUfunction) { NULL }, module, "twice") == CUDA_ERROR_NOT_FOUND);
  GOOD (cuFuncGetParamInfo, kernel, 1, &offset, &size);
  CHECK (offset == 8 && size == 4);
  CHECK (FAKE_CUDA (cuFuncGetParamInfo) (kernel, 2, &offset, &size) == CUDA_ERROR_INVALID_VALUE);
  GOOD (cuFuncGetAttribute, &value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel);
  CHECK (value == 256);
  GOOD (cuFuncGetAttribute, &value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, kernel);
  CHECK (value >= 40 && value < 4096);
  GOOD (cuOccupancyMaxActiveBlocksPerMultiprocessor, &value, kernel, THREADS, 0);
  CHECK (value > 1 && value <= 32);
  GOOD (cuOccupancyMaxActiveBlocksPerMultiprocessor, &value, kernel, THREADS, 100000);
  CHECK (value == 2);

  GOOD (cuModuleGetGlobal_v2, &variable, &size, module, "start");
  CHECK (size == 8);
  GOOD (cuMemcpyHtoD_v2, variable + 4, &other, 4);
  GOOD (cuMemAlloc_v2, &out, sizeof (result));
  void *params[] = { &out, &add };
  GOOD (cuLaunchKernel, kernel, BLOCKS, 1, 1, THREADS, 1, 1, 4 * THREADS, NULL, params, NULL);
  GOOD (cuMemcpyDtoH_v2, result, out, sizeof (result));
  for (unsigned i = 0; i < THREADS * BLOCKS; i++)
    CHECK (result[i] == i % THREADS * 2 + 7 + 60 + i / THREADS * 1000);
  CHECK (FAKE_CUDA (cuLaunchKernel) (kernel, 1, 1, 1, 512, 1, 1, 0, NULL, params, NULL)
	 == CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  GOOD (cuMemFree_v2, out);
  return 0;
}

static int
waiting (CUmodule module)
{
  CUfunction kernel;
  void *host;
  CUdeviceptr device;
  GOOD (cuModuleGetFunction, &kernel, module, "waits");
  GOOD (cuMemHostAlloc, &host, 4, 0);
  GOOD (cuMemHostGetDevicePointer_v2, &device, host, 0);
  _Atomic unsigned *word = host;
  atomic_store (word, 0);
  void *params[] = { &device };
  GOOD (cuLaunchKernel, kernel, 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL);
  while (atomic_load (word) != 1)
    ;
  CHECK (FAKE_CUDA (cuStreamQuery) (NULL) == CUDA_ERROR_NOT_READY);
  atomic_store (word, 2);
  GOOD (cuStreamSynchronize, NULL);
  CHECK (atomic_load (word) == 3);
  GOOD (cuMemFreeHost, host);
  return 0;
}

static int
printing (void)
{
  CUmodule module;
  CUfunction kernel;
  unsigned lines = 0;
  void *params[] = { &lines };
  GOOD (cuModuleLoadData, &module, prints);
  GOOD (cuModuleGetFunction, &kernel, module, "prints");
  GOOD (cuCtxSetLimit, CU_LIMIT_PRINTF_FIFO_SIZE, 1024);
  GOOD (cuLaunchKernel, kernel, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL);
  GOOD (cuCtxSynchronize);
  /* More than there is room for.  */
  lines = 1000;
  GOOD (cuLaunchKernel, kernel, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL);
  GOOD (cuCtxSynchronize);
  GOOD (cuModuleUnload, module);
  return 0;
}

int
main (void)
{
  const char *const texts[] = { first, second };
  char log[500] = "";
  void *cubin;
  size_t size;
  CUcontext ctx;
  CUmodule module;

  GOOD (cuInit, 0);
  GOOD (cuDevicePrimaryCtxRetain, &ctx, 0);
  GOOD (cuCtxPushCurrent_v2, ctx);
  CHECK (link_texts (texts, 1, &cubin, &size, log, sizeof (log)) == CUDA_ERROR_INVALID_IMAGE);
  CHECK (strstr (log, "twice") != NULL);
  CHECK (link_texts (texts, 2, &cubin, &size, log, sizeof (log)) == CUDA_SUCCESS);
  for (int again = 0; again < 2; again++)
    {
      GOOD (cuModuleLoadData, &module, cubin);
      if (kernels (module) != 0 || waiting (module) != 0)
	return 1;
      GOOD (cuModuleUnload, module);
    }
  ((char *) cubin)[size / 2] ^= 1;
  CHECK (FAKE_CUDA (cuModuleLoadData) (&module, cubin) == CUDA_ERROR_INVALID_IMAGE);
  free (cubin);
  if (printing () != 0)
    return 1;
  GOOD (cuCtxPopCurrent_v2, &ctx);
  GOOD (cuDevicePrimaryCtxRelease_v2, 0);
  return 0;
}
