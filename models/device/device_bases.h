/* What the devices of a generation share: texts that are bases (`base = gcn`), but no devices. */
#ifndef WAVESIM_DEVICE_BASES_H
#define WAVESIM_DEVICE_BASES_H

#include "models/device/device.h"

/* The texts of models/device/generations, put into the program by the Makefile. */
extern const DeviceText device_bases[];
extern const u32 device_nbases;

#endif
