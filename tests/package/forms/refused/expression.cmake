dolmen_add_executable(app main.cpp KERNELS $<1:kernel.cpp>)
