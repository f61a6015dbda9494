add_library(headers INTERFACE)
dolmen_kernels(headers kernel.cpp)
