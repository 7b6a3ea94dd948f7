#include "CHashing.h"
