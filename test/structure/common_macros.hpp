// Macros of a user, defined before plait is included: Qt's keywords, which Qt defines unless QT_NO_KEYWORDS is, and
// those of X11, of the C library and of windows.h, which has min and max unless NOMINMAX is defined. docs/how-to.md
// says which macros plait does not support.
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
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define near
#define far
#define small char
#define hyper
#define interface struct
#define pascal
#define cdecl
#define IN
#define OUT
#define OPTIONAL
#define ERROR 0
#define STRICT 1
#define THIS
#define VOID void
#define CONST const
#define DELETE 1
#define TRUE 1
#define FALSE 0
