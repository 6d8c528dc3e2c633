/* wadi.h: the whole core library. File formats: wadi/io.h. Pictures: wadi/render.h. */
#ifndef WADI_H
#define WADI_H

#include "wadi/analysis.h"
#include "wadi/derive.h"
#include "wadi/levels.h"
#include "wadi/map.h"
#include "wadi/model.h"
#include "wadi/paint.h"
#include "wadi/realism.h"
#include "wadi/sim.h"
#include "wadi/status.h"
#include "wadi/team.h"
#include "wadi/terrain.h"

#endif
