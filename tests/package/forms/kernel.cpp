#ifndef DOLMEN_KERNEL_FILE
#error "this file is not compiled as one with kernels"
#endif
#if defined(EXPECT_OPTIMISED) && !defined(__OPTIMIZE__)
#error "kernels are not optimised"
#endif

int kernel() { return 7; }
