#pragma once
#include <errno.h>
#include <gps.h>
