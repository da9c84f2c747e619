/* libamd_smi.so.26 for AMD's tests, which ask it for clocks and fans: it has none. */
#define NONE(name)                                                             \
  int name(void);                                                              \
  int name(void) { return 2; /* not supported */ }
#define DONE(name)                                                             \
  int name(void);                                                              \
  int name(void) { return 0; }

DONE(amdsmi_init)
DONE(amdsmi_shut_down)
NONE(amdsmi_get_clk_freq)
NONE(amdsmi_get_gpu_board_info)
NONE(amdsmi_get_gpu_fan_speed)
NONE(amdsmi_get_gpu_fan_speed_max)
NONE(amdsmi_get_gpu_id)
NONE(amdsmi_get_gpu_overdrive_level)
NONE(amdsmi_get_gpu_perf_level)
NONE(amdsmi_get_processor_handles)
NONE(amdsmi_get_processor_type)
NONE(amdsmi_get_socket_handles)
NONE(amdsmi_get_temp_metric)
