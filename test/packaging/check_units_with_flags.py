"""Checks that units of one program may have different compile flags: for new CPUs, -ffast-math, containers of debug mode,
another compiler. They share no function of plait, link with one library in any order, and give the same results.

usage: check_units_with_flags.py PROJECT SCRATCH COMPILER NM LIBRARY, where LIBRARY is the static library

The linker keeps one copy of an inline function. So two units with flags that change its code must have no weak symbol of
plait in common, which is what is compared here. Results are compared as well: those of a program with all units, in two
orders, on a CPU without AVX-512 if there is an emulator.
"""

import os
import pathlib
import platform
import re
import shutil

from trial import main, new_folder, require, run

# A function of each unit. What it calls is inline or a template in a header, or compiled once.
UNIT = """#include <plait/algebra/reshape.hpp>
#include <plait/packed/repack.hpp>
#include <plait/reorder/make_reorder.hpp>
#include <plait/reorder/reorder.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <vector>

namespace {
constexpr plait::layout rows({33, 37}, "ab"), columns({33, 37}, "ba");

unsigned long sum_of(const void* data, std::size_t count) {
    unsigned long sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum = sum * 31 + static_cast<const unsigned char*>(data)[i] + 1;
    return sum;
}
unsigned long static_pair(float special) {
    std::vector<float> in(33 * 37, 1.0f);
    in[5] = in[700] = special;
    std::vector<std::uint8_t> out(columns.element_span());
    plait::reorder<rows, columns>(in.data(), out.data());
    return sum_of(out.data(), out.size());
}
unsigned long planned(float scale) {
    const plait::descriptor src(plait::data_type::f32, {{2, 17, 5, 4}, "nchw"}), dst(plait::data_type::s8, {{2, 17, 5, 4}, "nChw16c"});
    std::vector<float> in(2 * 17 * 5 * 4);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i % 50);
    std::vector<std::int8_t> out(dst.size_in_bytes());
    const std::vector<float> scales(17, scale);
    auto made = plait::make_reorder(src, dst, {.src_scale = {scales, 1 << 1}});
    auto copy = made;
    if (!made || !copy->attempt(in.data(), out.data()).has_value()) return 0;
    auto open = plait::make_reorder({plait::data_type::f32, plait::layout({plait::dynamic, 3}, "ab")},
                                    {plait::data_type::f32, plait::layout({plait::dynamic, 3}, "ba")});
    if (!open || !open->bind(plait::dims{2, 3}).ok() || open->bind(plait::dims{2, 4}).ok()) return 0;
    return sum_of(out.data(), out.size());
}
unsigned long repacked() {
    const plait::record from("nk: nK(d:f16 /32k, q:u4 16k 2k@16)", {64, 256});
    const plait::record to("nk: N(K(q:u4^8 2k 8n 8k 2k@16), sum:s32 8n /k =sum(q)*-izp)", {64, 256});
    plait::repack_options options;
    options.parameters = {{"izp", 3}};
    options.dropped = {"d"};
    options.chunk_bytes = 1 << 10;
    const auto made = plait::make_repack(from, to, options);
    if (!made) return std::puts(plait::describe(made.error()).c_str()), 0;
    std::vector<std::byte> in(from.size_in_bytes(), std::byte{0x15}), out(to.size_in_bytes());
    if (!made->attempt(in, out).has_value()) return 0;
    return sum_of(out.data(), out.size()) + static_cast<unsigned long>(made->chunks());
}
unsigned long refused() {
    const auto said = plait::describe(plait::check_reshape(plait::layout({2, 17, 5, 4}, "nChw16c"), {2, 340}));
    return sum_of(said.c_str(), std::strlen(said.c_str()));
}
}  // namespace

void results_of_@unit(unsigned long* out, float special) {
    out[0] = static_pair(special), out[1] = planned(0.5f), out[2] = repacked(), out[3] = refused();
}
"""
MAIN = """#include <cstdio>
#include <cstring>
#include <limits>

@declarations
int main(int count, char**) {
    (void)count;
    unsigned long base[4], other[4];
    results_of_base(base, std::numeric_limits<float>::quiet_NaN());
    for (const unsigned long sum : base) std::printf("%lx\\n", sum);
    int bad = 0;
    // Values that are NaN have no meaning with -ffast-math.
    results_of_base(base, 300.0f);
@calls
    return bad;
}
"""
CALL = '    if (@runs) results_of_@unit(other, 300.0f), bad += std::memcmp(base, other, sizeof base) != 0 ? (std::puts("@unit differs"), 1) : 0;\n'


def units_of(compiler):
    """Returns the compiler and the flags of each unit, by name. `base` comes first."""
    x86 = platform.machine() == "x86_64"
    units = {"base": (compiler, ["-O0"]),
             "new_cpu": (compiler, ["-O1", "-mavx512f", "-mavx512bw", "-mavx512vl"] if x86 else ["-O1", "-march=armv8.2-a+fp16"]),
             "fast": (compiler, ["-O1", "-ffast-math", "-fno-exceptions", "-fno-rtti"]),
             "debug": (compiler, ["-O0", "-D_GLIBCXX_DEBUG"])}
    is_gcc = "Free Software Foundation" in run(compiler, "--version")
    other = shutil.which("clang++" if is_gcc else "g++")
    if other and not os.environ.get("CROSSCOMPILING"):
        units["other"] = (other, ["-O0", "-std=c++2b"])  # the types of plait are the same: its functions may be shared
    return units


def weak_names(nm, file):
    """Returns the names of plait that the linker has one copy of, if several units have them."""
    return set(re.findall(r"^[0-9a-f]+ [WVuw] (.*\bplait::.*)", run(nm, "-C", file), re.MULTILINE))


def check_names(nm, objects):
    """Checks that units share no name, but for those whose flags change nothing."""
    names = {unit: weak_names(nm, file) for unit, file in objects.items()}
    units = list(names)
    for i, one in enumerate(units):
        require(len(names[one]) > 50, f"unit {one} has {len(names[one])} functions of plait: too few to compare")
        for two in units[i + 1:]:
            shared = sorted(names[one] & names[two])
            if {one, two} == {"base", "other"}:
                require(shared, "units of two compilers with the same flags share no function")
            else:
                require(not shared, f"units {one} and {two} have flags that change their code, and share {len(shared)} functions: {shared[:3]}")


def check_other_layout(project, scratch, compiler, library):
    """Checks that a unit whose types have other sizes does not link, instead of being misread."""
    source, file = scratch / "packed_struct.cpp", scratch / "packed_struct.o"
    source.write_text("#include <plait/reorder/make_reorder.hpp>\n"
                      "int main() { return plait::make_reorder({}, {}).has_value() ? 0 : 1; }\n")
    run(compiler, "-std=c++20", "-O0", "-w", "-fpack-struct=1", "-I", project / "include", "-c", source, "-o", file)
    refused = run(compiler, file, library, "-o", scratch / "packed_struct", fails=True, env=dict(os.environ, LC_ALL="C"))
    require(re.search(r"link_plait_plait\w+::make\(plait::for_all_units::types_of_bytes<", refused), f"-fpack-struct is not refused by the linker:\n{refused}")


def trial(project, scratch, compiler, nm, library):
    project, scratch = pathlib.Path(project), new_folder(scratch)
    units, objects = units_of(compiler), {}
    for unit, (with_compiler, flags) in units.items():
        source, objects[unit] = scratch / f"{unit}.cpp", scratch / f"{unit}.o"
        source.write_text(UNIT.replace("@unit", unit))
        run(with_compiler, "-std=c++20", *flags, "-I", project / "include", "-c", source, "-o", objects[unit])
    check_names(nm, objects)
    has_new_cpu = '__builtin_cpu_supports("avx512f")' if platform.machine() == "x86_64" else "count > 1"
    text = MAIN.replace("@declarations", "".join(f"void results_of_{unit}(unsigned long*, float);\n" for unit in units))
    text = text.replace("@calls", "".join(CALL.replace("@runs", has_new_cpu if unit == "new_cpu" else "true").replace("@unit", unit) for unit in units))
    (scratch / "main.cpp").write_text(text)
    run(compiler, "-std=c++20", "-c", scratch / "main.cpp", "-o", scratch / "main.o")
    alone = scratch / "alone.cpp"
    alone.write_text(MAIN.replace("@declarations", "void results_of_base(unsigned long*, float);\n").replace("@calls", "    (void)other;\n"))
    run(compiler, "-std=c++20", alone, objects["base"], library, "-o", scratch / "alone")
    expected = run(scratch / "alone")
    emulator = shutil.which("qemu-x86_64-static") if platform.machine() == "x86_64" else None
    for name, order in (("forward", list(objects.values())), ("backward", list(reversed(objects.values())))):
        run(compiler, *order, scratch / "main.o", library, "-o", scratch / name)
        for command in ([], [emulator, "-cpu", "Nehalem"] if emulator else None):
            if command is not None:
                said = run(*command, scratch / name)
                require(said == expected, f"{name} {' '.join(command)}: unit base gives other results than alone\n{expected}{said}")
    check_other_layout(project, scratch, compiler, library)
    print(f"{len(units)} units: {', '.join(units)}")


main(trial)
