#include "../kernel.cpp"
