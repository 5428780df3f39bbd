#!/bin/sh
# Compiles plait with each compiler that is installed, GCC from 12 on and Clang from 14 on, and each standard library
# that it has: the headers with warnings as errors, and the program of the README, which is run. With Clang also for
# Windows, with the library of MinGW-w64, and for WebAssembly with SIMD128, if what they need is installed.
#
# usage: compilers.sh PROJECT FOLDER, where files are made. Fails if a compiler does, or if there is none.
set -u
project=$1 folder=$2
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
/usr/bin/python3 -B "$project/test/documents/extract.py" "$project" "$folder/blocks" >"$folder/blocks.txt" || exit 1
program=$(sed -n 's/^readme_1[^|]*|//p' "$folder/blocks.txt")
case $program in /*) ;; *) program=$project/$program ;; esac
for header in plait packed implementation; do printf '#include <plait/%s.hpp>\n' $header; done >"$folder/headers.cpp"
printf 'int main() {}\n' >>"$folder/headers.cpp"

checked=0 failed=""
# try NAME COMPILER OPTION... links with $link, if it is set, and runs the program with $run.
run="" link=""
try() {
    name=$1
    shift
    checked=$((checked + 1))
    if "$@" -std=c++20 -I "$project/include" -Wall -Wextra -Wconversion -Wshadow -Wpedantic -Werror -fsyntax-only \
        "$folder/headers.cpp" >"$folder/$name.txt" 2>&1 &&
        "$@" -std=c++20 -O2 -I "$project/include" -c "$program" -o "$folder/$name.o" >>"$folder/$name.txt" 2>&1 &&
        ${link:-"$@"} "$folder/$name.o" -o "$folder/$name" >>"$folder/$name.txt" 2>&1 &&
        $run "$folder/$name" >>"$folder/$name.txt" 2>&1; then
        echo "$name: works"
    else
        failed="$failed $name"
        echo "$name: FAILED"
        head -20 "$folder/$name.txt"
    fi
}
for version in $(seq 12 30); do
    ! command -v "g++-$version" >/dev/null || try "g++-$version" "g++-$version"
done
for version in $(seq 14 30); do
    clang=clang++-$version
    command -v "$clang" >/dev/null || continue
    try "$clang" "$clang"
    # Another version's libc++ may need another Clang.
    [ ! -e "/usr/lib/llvm-$version/include/c++/v1/version" ] || try "$clang-libc++" "$clang" -stdlib=libc++
    # Clang's kernels for Windows need no flags. Its objects are linked by GCC, which knows where its libraries are.
    mingw=/usr/lib/gcc/x86_64-w64-mingw32/12-posix wine=/usr/lib/wine/wine64
    if [ -d "$mingw" ] && [ -x "$wine" ]; then
        run="env WINEDEBUG=-all WINEPREFIX=$folder/wine $wine" link="x86_64-w64-mingw32-g++-posix -static"
        try "$clang-windows.exe" "$clang" --target=x86_64-w64-mingw32 -nostdinc++ -isystem $mingw/include/c++ \
            -isystem $mingw/include/c++/x86_64-w64-mingw32
        run="" link=""
    fi
    if [ -d "/usr/lib/llvm-$version/include/wasm32-wasi" ] && command -v node >/dev/null; then
        run="node --no-warnings $project/test/platforms/run_wasi.mjs"
        try "$clang-wasm" "$clang" --target=wasm32-wasi -fno-exceptions -msimd128
        run=""
    fi
done
echo "$checked compilers and standard libraries; failed:${failed:- none}"
[ "$checked" -gt 0 ] && [ -z "$failed" ]
