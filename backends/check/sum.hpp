#pragma once

#include "../../algorithms/sum.hpp"
#include "reduce.hpp"
