dolmen_add_executable(app main.cpp helper.cpp KERNELS kernle.cpp)
