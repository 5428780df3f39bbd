#!/bin/sh
# The pictures of layouts in this folder, made anew by the tool: docs/images/draw.sh build/gcc/src/tool/plait [FOLDER]
# ./dev lint checks what is in them (document.pictures).
set -eu
plait=$1
to=${2:-$(dirname "$0")}

# Those of the article "Understanding Memory Formats": activations of 2 images, 16 channels, 5 x 4; a matrix whose rows have
# a stride of their own; and 17 channels in blocks of 8.
"$plait" draw nchw 2x16x5x4 --cells 640 -o "$to/nchw.svg"
"$plait" draw nhwc 2x16x5x4 --cells 640 -o "$to/nhwc.svg"
"$plait" draw chwn 2x16x5x4 --cells 640 -o "$to/chwn.svg"
"$plait" draw ab:10x1 6x8 -o "$to/strides.svg"
"$plait" draw nChw8c 2x16x5x4 --cells 640 -o "$to/nChw8c.svg"
"$plait" draw nChw8c 1x17x2x3 -o "$to/padded-nChw8c.svg"
"$plait" draw --reorder nchw nChw8c 1x17x2x3 --isa avx2 -o "$to/nchw-to-nChw8c.svg"

# That of the README: small, and with padding.
"$plait" draw nChw8c 1x12x2x2 -o "$to/readme-nChw8c.svg"
