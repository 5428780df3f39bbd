// Macros of a user, defined before plait is included: Qt's keywords, which Qt defines unless QT_NO_KEYWORDS is, and
// those of X11 and of the C library. docs/how-to.md says which macros plait does not support.
#pragma once

#define signals public
#define slots
#define emit
#define foreach(variable, container) for (variable : container)
#define forever for (;;)
#define None 0L
#define Status int
#define Bool int
#define True 1
#define False 0
#define Success 0
#define Always 2
#define B0 0
#define I 1
#define PI 3
#define OVERFLOW 3
#define DOMAIN 1
#define major(device) (device)
#define minor(device) (device)
