/* hiprtc: what a HIP program compiles while it runs. */
#ifndef WAVESIM_FRONTEND_HIP_RTC_H
#define WAVESIM_FRONTEND_HIP_RTC_H

/* The process that compiles one source of a program's (GpuSource), which it is asked for on that socket. Its exit
 * status. */
int hip_rtc(int socket);

#endif
