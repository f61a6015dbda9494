// Everything of the CPU backend that users include.
#pragma once

#include "launch.hpp"
#include "memory.hpp"
