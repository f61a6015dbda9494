// Everything of the check backend that users include.
#pragma once

#include "block.hpp"
