"""Builds the Debian packages of a build, checks their files and dependencies, unpacks them into a folder and uses them
there.

usage: check_debian.py BUILD PROJECT SCRATCH C_COMPILER VERSION
"""

import os
import pathlib
import re

from trial import main, new_folder, require, run


def lib(name):
    """Returns the pattern of a file in the library folder, which depends on the architecture."""
    return rf"/usr/lib(/[\w-]+)?/{name}"


# For each package, patterns of the files that it must contain, and of those that it may contain.
FILES = {
    "libplait-dev": ([r"/usr/include/plait/plait\.hpp", r"/usr/include/plait/plait\.h", r"/usr/include/plait/plait\.cppm", r"/usr/include/plait/engine/simd/kernel\.inl",
                      lib(r"libplait\.a"), lib(r"libplait\.so"), lib(r"pkgconfig/plait\.pc"), lib(r"pkgconfig/plait-c\.pc"), lib(r"pkgconfig/plait-c-static\.pc"),
                      lib(r"cmake/plait/plait-config\.cmake"), lib(r"cmake/plait/plait-config-version\.cmake"),
                      lib(r"cmake/plait/plait_add_kernels\.cmake"), r"/usr/share/plait/plait_gdb\.py", r"/usr/share/plait/plait\.natvis",
                      r"/usr/share/plait/plait\.imp"],
                     [r"/usr/include/plait/[\w/]+\.(hpp|inl)", lib(r"cmake/plait/plait-c(xx)?-targets(-\w+)?\.cmake")]),
    "libplait{soname}": ([lib(r"libplait\.so\.{soname}"), lib(r"libplait\.so\.{version}")], []),
    "libplait-drop-ins": ([lib(r"libplait_(omatcopy|hptt)\.so"), lib(r"libplait_(omatcopy|hptt)\.so\.{soname}"), lib(r"libplait_(omatcopy|hptt)\.so\.{version}"),
                           r"/usr/include/plait_hptt/hptt\.h", lib(r"cmake/plait/plait-drop_ins-targets\.cmake")],
                          [lib(r"cmake/plait/plait-drop_ins-targets-\w+\.cmake")]),
    "plait": ([r"/usr/bin/plait", r"/usr/share/man/man1/plait\.1", r"/usr/share/bash-completion/completions/plait",
               r"/usr/share/zsh/(site-functions|vendor-completions)/_plait"], []),
    "python3-plait": ([r"/usr/lib/python3/dist-packages/plait/__init__\.py"], [r"/usr/lib/python3/dist-packages/plait/[\w/]+\.(py|pyi|typed)"]),
}
DEPENDS = {"libplait-dev": ["libplait{soname} (= {version}-1)"], "libplait{soname}": ["libc6 (", "libstdc++6 ("],
           "libplait-drop-ins": ["libplait{soname} (= {version}-1)"], "plait": ["libstdc++6 ("], "python3-plait": ["python3", "libplait{soname} (>= {version})"]}


def files_of(package):
    """Returns the files of a package, without folders."""
    lines = run("dpkg-deb", "-c", package).splitlines()
    return [re.sub(r" (->|link to) .*", "", line).split(maxsplit=5)[5].removeprefix(".") for line in lines if not line.startswith("d")]


def check_package(name, path, fill):
    must, may = ([re.compile(fill(pattern)) for pattern in patterns] for patterns in FILES[name])
    must.append(re.compile(fill(f"/usr/share/doc/{name}/copyright")))
    files = files_of(path)
    for pattern in must:
        require(any(pattern.fullmatch(file) for file in files), f"{path.name} has no {pattern.pattern}:\n" + "\n".join(files))
    for file in files:
        require(any(pattern.fullmatch(file) for pattern in must + may), f"{path.name} has {file}, which does not belong there")
    depends = run("dpkg-deb", "-f", path, "Depends")
    for package in DEPENDS[name]:
        wanted = package.replace("{soname}", fill("{soname}", text=True)).replace("{version}", fill("{version}", text=True))
        require(wanted in depends, f"{path.name} does not depend on {wanted}, but on {depends}")


def use(root, project, scratch, c_compiler):
    (pc,) = root.rglob("plait-c.pc")
    flags = run("pkg-config", "--cflags", "--libs", "plait-c", env=dict(os.environ, PKG_CONFIG_LIBDIR=str(pc.parent))).split()
    run(c_compiler, "-std=c99", project / "test/structure/consumer/main.c", *flags, "-o", scratch / "program")
    libraries = dict(os.environ, LD_LIBRARY_PATH=str(pc.parent.parent))
    run(scratch / "program", env=libraries)
    run("cmake", "-S", project / "test/packaging/versions", "-B", scratch / "cmake", "-G", "Ninja", "-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF",
        f"-DCMAKE_PREFIX_PATH={root}/usr", f"-DPLAIT_IS={(run('pkg-config', '--modversion', pc).strip())}")
    if (root / "usr/bin/plait").exists():
        run(root / "usr/bin/plait", "show", "nChw16c", "2x17x5x4", says="2x17x5x4")
        require((root / "usr/share/man/man1/plait.1").read_text() == run(root / "usr/bin/plait", "man"), "another tool's manual page")
    packages = root / "usr/lib/python3/dist-packages"
    if packages.exists():
        run("/usr/bin/python3", "-c", "import plait; print(plait.Layout('nChw16c', (2, 17, 5, 4)))",
            env=dict(libraries, PYTHONPATH=str(packages), PYTHONDONTWRITEBYTECODE="1"))


def trial(build, project, scratch, c_compiler, version):
    build, project, scratch = pathlib.Path(build), pathlib.Path(project), new_folder(scratch)
    soname = version.rpartition(".")[0]

    def fill(pattern, text=False):
        for name, value in (("{soname}", soname), ("{version}", version)):
            pattern = pattern.replace(name, value if text else re.escape(value))
        return pattern

    # gzip takes a tenth of xz's time, and the compression is not the subject.
    run("cpack", "-G", "DEB", "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip", "--config", build / "CPackConfig.cmake", "-B", scratch)
    made = {run("dpkg-deb", "-f", path, "Package").strip(): path for path in scratch.glob("*.deb")}
    wanted = {fill(name, text=True): name for name in FILES}
    if not (project / "python/plait/__init__.py").exists():
        del wanted["python3-plait"]
    if not (build / "src/tool").exists():
        del wanted["plait"]
    if not [*(build / "src/drop_in").glob("libplait_hptt*")]:
        del wanted["libplait-drop-ins"]
    require(sorted(made) == sorted(wanted), f"packages: {sorted(made)} instead of {sorted(wanted)}")
    for package, path in made.items():
        check_package(wanted[package], path, fill)
        require(run("dpkg-deb", "-f", path, "Version").strip() == f"{version}-1", f"{path.name} has another version")
        run("dpkg-deb", "-x", path, scratch / "root")
    use((scratch / "root").resolve(), project, scratch, c_compiler)


main(trial)
