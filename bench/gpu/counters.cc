/* counters.cc -- counters of an NVIDIA GPU for each kernel of a program, by CUPTI.

     CUDA_INJECTION64_PATH=DIR/counters.so [COUNTERS=NAME,NAME...] PROGRAM 2> COUNTERS-OF-KERNELS

   The driver loads it into the program.  Each kernel is run as often as the counters need, with memory as it was, so the program must
   not talk to its kernels (no calls of the host).  When the program ends a line for each kernel, grid and block tells how often it was launched and
   what the counters were in its last launch.  Not thread-safe: for programs that launch from one thread.  What fails ends the program.

   Needs the headers and libraries of CUPTI 13 (CUDA's toolkit) and a driver that lets the user see counters:

     gcc -O2 -shared -fPIC -I/usr/local/cuda/include counters.cc -o counters.so -L/usr/local/cuda/lib64 -lcupti -lcuda  */

#include <cuda.h>
#include <cupti_callbacks.h>
#include <cupti_driver_cbid.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COUNTERS = 40, MOST_LAUNCHES = 4000 };

/* NAME is a struct of CUPTI's, with its size.  */
#define PARAMS(type, name) type name = { }; name.structSize = type##_STRUCT_SIZE

#define CHECK(call)							\
  do									\
    {									\
      CUptiResult result = (call);					\
      if (result != CUPTI_SUCCESS)					\
	fail (#call, result);						\
    }									\
  while (0)

/* The parameters of cuLaunchKernel, as CUPTI hands them over.  */
struct launch_params
{
  CUfunction function;
  unsigned grid[3], block[3];
};

struct launch
{
  const char *name;
  unsigned grid, block;
};

static const char *names[MOST_COUNTERS];
static size_t num_names;
static struct launch launches[MOST_LAUNCHES];
static size_t num_launches;
static CUcontext profiled;
static CUpti_Profiler_Host_Object *host;
static CUpti_RangeProfiler_Object *profiler;
static uint8_t *config, *data;
static size_t config_size, data_size;

static void
fail (const char *call, CUptiResult result)
{
  const char *text = "";
  (void) cuptiGetResultString (result, &text);
  fprintf (stderr, "counters: %s: %s\n", call, text);
  _Exit (1);
}

static uint8_t *
get (size_t size)
{
  uint8_t *p = (uint8_t *) calloc (1, size);
  if (p == NULL)
    {
      fputs ("counters: no memory\n", stderr);
      _Exit (1);
    }
  return p;
}

static void
choose_counters (void)
{
  const char *list = getenv ("COUNTERS");
  char *copy = strdup (list != NULL ? list
    : "gpu__time_duration.sum,sm__warps_active.avg.pct_of_peak_sustained_active,dram__bytes.sum,"
      "dram__throughput.avg.pct_of_peak_sustained_elapsed,lts__t_sector_hit_rate.pct,"
      "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,"
      "smsp__inst_executed.sum,smsp__thread_inst_executed.sum,sm__cycles_active.avg,"
      "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio,"
      "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio,"
      "smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio,"
      "smsp__average_warps_issue_stalled_membar_per_issue_active.ratio,"
      "smsp__average_warps_issue_stalled_no_instruction_per_issue_active.ratio,"
      "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio,"
      "smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio");
  for (char *name = copy != NULL ? strtok (copy, ",") : NULL; name != NULL && num_names < MOST_COUNTERS; name = strtok (NULL, ","))
    names[num_names++] = name;
}

static void
make_config (CUdevice device)
{
  PARAMS (CUpti_Device_GetChipName_Params, chip);
  chip.deviceIndex = (size_t) device;
  CHECK (cuptiDeviceGetChipName (&chip));
  PARAMS (CUpti_Profiler_GetCounterAvailability_Params, available);
  available.ctx = profiled;
  CHECK (cuptiProfilerGetCounterAvailability (&available));
  available.pCounterAvailabilityImage = get (available.counterAvailabilityImageSize);
  CHECK (cuptiProfilerGetCounterAvailability (&available));

  PARAMS (CUpti_Profiler_Host_Initialize_Params, begin);
  begin.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  begin.pChipName = chip.pChipName;
  begin.pCounterAvailabilityImage = available.pCounterAvailabilityImage;
  CHECK (cuptiProfilerHostInitialize (&begin));
  host = begin.pHostObject;
  /* One after the other, so that an unknown one is told.  */
  for (size_t i = 0; i < num_names; )
    {
      PARAMS (CUpti_Profiler_Host_ConfigAddMetrics_Params, add);
      add.pHostObject = host;
      add.ppMetricNames = &names[i];
      add.numMetrics = 1;
      if (cuptiProfilerHostConfigAddMetrics (&add) == CUPTI_SUCCESS)
	{
	  i++;
	  continue;
	}
      fprintf (stderr, "counters: no %s\n", names[i]);
      memmove (&names[i], &names[i + 1], (--num_names - i) * sizeof (names[0]));
    }
  PARAMS (CUpti_Profiler_Host_GetConfigImageSize_Params, size);
  size.pHostObject = host;
  CHECK (cuptiProfilerHostGetConfigImageSize (&size));
  config_size = size.configImageSize;
  config = get (config_size);
  PARAMS (CUpti_Profiler_Host_GetConfigImage_Params, image);
  image.pHostObject = host;
  image.configImageSize = config_size;
  image.pConfigImage = config;
  CHECK (cuptiProfilerHostGetConfigImage (&image));
}

static void
begin (CUcontext context, CUdevice device)
{
  PARAMS (CUpti_Profiler_Initialize_Params, initialize);
  CHECK (cuptiProfilerInitialize (&initialize));	/* not before, when the driver itself is not */
  profiled = context;
  make_config (device);
  PARAMS (CUpti_RangeProfiler_Enable_Params, enable);
  enable.ctx = context;
  CHECK (cuptiRangeProfilerEnable (&enable));
  profiler = enable.pRangeProfilerObject;
  PARAMS (CUpti_RangeProfiler_GetCounterDataSize_Params, size);
  size.pRangeProfilerObject = profiler;
  size.pMetricNames = names;
  size.numMetrics = num_names;
  size.maxNumOfRanges = MOST_LAUNCHES;
  size.maxNumRangeTreeNodes = MOST_LAUNCHES;
  CHECK (cuptiRangeProfilerGetCounterDataSize (&size));
  data_size = size.counterDataSize;
  data = get (data_size);
  PARAMS (CUpti_RangeProfiler_CounterDataImage_Initialize_Params, empty);
  empty.pRangeProfilerObject = profiler;
  empty.counterDataSize = data_size;
  empty.pCounterData = data;
  CHECK (cuptiRangeProfilerCounterDataImageInitialize (&empty));
  PARAMS (CUpti_RangeProfiler_SetConfig_Params, set);
  set.pRangeProfilerObject = profiler;
  set.configSize = config_size;
  set.pConfig = config;
  set.counterDataImageSize = data_size;
  set.pCounterDataImage = data;
  set.range = CUPTI_AutoRange;
  set.replayMode = CUPTI_KernelReplay;
  set.maxRangesPerPass = MOST_LAUNCHES;
  set.numNestingLevels = 1;
  set.minNestingLevel = 1;
  CHECK (cuptiRangeProfilerSetConfig (&set));
  PARAMS (CUpti_RangeProfiler_Start_Params, start);
  start.pRangeProfilerObject = profiler;
  CHECK (cuptiRangeProfilerStart (&start));
}

static void
show (size_t launch, unsigned times)
{
  double values[MOST_COUNTERS];
  PARAMS (CUpti_Profiler_Host_EvaluateToGpuValues_Params, evaluate);
  evaluate.pHostObject = host;
  evaluate.pCounterDataImage = data;
  evaluate.counterDataImageSize = data_size;
  evaluate.rangeIndex = launch;
  evaluate.ppMetricNames = names;
  evaluate.numMetrics = num_names;
  evaluate.pMetricValues = values;
  CHECK (cuptiProfilerHostEvaluateToGpuValues (&evaluate));
  fprintf (stderr, "counters: %s, %u blocks of %u threads, %u launches:", launches[launch].name, launches[launch].grid, launches[launch].block, times);
  for (size_t i = 0; i < num_names; i++)
    fprintf (stderr, " %s=%.6g", names[i], values[i]);
  fputc ('\n', stderr);
}

static void
end (void)
{
  if (profiler == NULL)
    return;
  PARAMS (CUpti_RangeProfiler_Stop_Params, stop);
  stop.pRangeProfilerObject = profiler;
  CHECK (cuptiRangeProfilerStop (&stop));
  PARAMS (CUpti_RangeProfiler_DecodeData_Params, decode);
  decode.pRangeProfilerObject = profiler;
  CHECK (cuptiRangeProfilerDecodeData (&decode));
  PARAMS (CUpti_RangeProfiler_GetCounterDataInfo_Params, info);
  info.pCounterDataImage = data;
  info.counterDataImageSize = data_size;
  CHECK (cuptiRangeProfilerGetCounterDataInfo (&info));
  size_t num = info.numTotalRanges < num_launches ? info.numTotalRanges : num_launches;
  if (num < num_launches)
    fprintf (stderr, "counters: %zu launches were not counted\n", num_launches - num);
  for (size_t i = 0; i < num; i++)
    {
      const struct launch *l = &launches[i];
      unsigned times = 0;
      bool last = true;
      for (size_t k = 0; k < num; k++)
	if (strcmp (launches[k].name, l->name) == 0 && launches[k].grid == l->grid && launches[k].block == l->block)
	  {
	    times++;
	    last = last && k <= i;
	  }
      if (last)
	show (i, times);
    }
  profiler = NULL;
}

static void CUPTIAPI
called (void *user, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *about)
{
  (void) user;
  if (domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_CONTEXT_CREATED && profiled == NULL)
    {
      const CUpti_ResourceData *resource = (const CUpti_ResourceData *) about;
      CUdevice device = 0;
      (void) cuCtxGetDevice (&device);
      begin (resource->context, device);
    }
  else if (domain == CUPTI_CB_DOMAIN_DRIVER_API && id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel)
    {
      const CUpti_CallbackData *call = (const CUpti_CallbackData *) about;
      const struct launch_params *p = (const struct launch_params *) call->functionParams;
      if (call->callbackSite == CUPTI_API_ENTER && num_launches < MOST_LAUNCHES)
	launches[num_launches++] = { strdup (call->symbolName), p->grid[0] * p->grid[1] * p->grid[2], p->block[0] * p->block[1] * p->block[2] };
    }
}

/* The driver calls it when it has loaded this.  */
extern "C" int
InitializeInjection (void)
{
  static CUpti_SubscriberHandle subscriber;

  choose_counters ();
  CHECK (cuptiSubscribe (&subscriber, (CUpti_CallbackFunc) called, NULL));
  CHECK (cuptiEnableCallback (1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_CREATED));
  CHECK (cuptiEnableCallback (1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel));
  atexit (end);
  return 1;
}
