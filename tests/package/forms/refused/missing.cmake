dolmen_kernels(nowhere kernel.cpp)
