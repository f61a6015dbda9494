dolmen_kernels(dolmen::dolmen kernel.cpp)
