// Everything of the check backend that users include.
#pragma once

#include "findings.hpp"
#include "launch.hpp"
#include "memory.hpp"
