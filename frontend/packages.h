/* What is to be installed beside wavesim, by the names of Debian's packages: the words of hints. (What a build needs
 * is in tests/deps.sh.) */
#ifndef WAVESIM_FRONTEND_PACKAGES_H
#define WAVESIM_FRONTEND_PACKAGES_H

#define INSTALL "apt-get install "
/* LLVM_MAJOR: the version of LLVM that wavesim was built with, as text; the Makefile says it. */
#define CLANG_PACKAGE "clang-" LLVM_MAJOR
#define INSTALL_CLANG INSTALL CLANG_PACKAGE
#define INSTALL_CXX INSTALL "g++"
#define INSTALL_DEVICE_LIBRARY \
	INSTALL "rocm-device-libs on Debian 12, rocm-device-libs-17 on Debian 13"
#define INSTALL_HIP_HEADERS INSTALL "libamdhip64-dev"
#define INSTALL_POCL INSTALL "pocl-opencl-icd"
#define INSTALL_SPIRV INSTALL "llvm-spirv-" LLVM_MAJOR

#endif
