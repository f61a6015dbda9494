// Everything of the CUDA backend that users include.
#pragma once

#include "launch.hpp"
#include "memory.hpp"
