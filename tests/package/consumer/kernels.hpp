#pragma once

#include "chosen.hpp"

void scale(chosen::stream& stream, dolmen::view<float> data, float by);
