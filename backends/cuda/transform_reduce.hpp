#pragma once

#include "../../algorithms/transform_reduce.hpp"
#include "reduce.hpp"
