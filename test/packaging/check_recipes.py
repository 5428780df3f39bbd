"""Checks files whose tools are not installed here: the Conan recipe and the vcpkg port, with stand-ins for the
functions of the tools, the include mapping for editors, and natvis.

usage: check_recipes.py PROJECT SCRATCH COMPILER VERSION
"""

import ast
import json
import pathlib
import re
import runpy
import shutil
import sys
import types
import xml.etree.ElementTree

from trial import main, new_folder, require, run


def load_conan_recipe(path):
    """Returns the class of the recipe. Each name that it imports from conan is an empty class."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("conan"):
            parts = node.module.split(".")
            for end in range(1, len(parts) + 1):
                sys.modules.setdefault(".".join(parts[:end]), types.ModuleType(".".join(parts[:end])))
            for name in node.names:
                setattr(sys.modules[node.module], name.name, type(name.name, (), {}))
    return runpy.run_path(str(path))["Plait"]


def copy_sources(project, patterns, folder):
    """Copies the files that the recipe exports. plait must build from these files alone."""
    for pattern in patterns:
        name = pattern.removesuffix("/*")
        require((project / name).exists(), f"conanfile.py exports {pattern}, which is not there")
        if name == pattern:
            shutil.copy(project / name, folder / name)
        else:
            shutil.copytree(project / name, folder / name)


def check_conan(project, folder, version):
    recipe = load_conan_recipe(project / "conanfile.py")
    made = recipe()
    made.recipe_folder = str(project)
    made.set_version()
    require(made.version == version, f"conanfile.py says version {made.version}")
    options = set(re.findall(r"^\s*option\((\w+)", (project / "CMakeLists.txt").read_text(), re.MULTILINE))
    used = set(re.findall(r"\bPLAIT_\w+", (project / "conanfile.py").read_text() + (project / "packaging/vcpkg/plait/portfile.cmake").read_text()))
    used.discard("PLAIT_VERSION")  # defined by the header
    require(used <= options, f"recipes set what is no option: {sorted(used - options)}")
    copy_sources(project, recipe.exports_sources, folder)


class Options:
    """Conan's options, as far as the recipe uses them."""

    def __init__(self, **values):
        vars(self).update(values)

    def rm_safe(self, name):
        vars(self).pop(name, None)

    def get_safe(self, name):
        return vars(self).get(name)


def run_conan_recipe(project, sources, scratch, compiler):
    """Calls the functions of the recipe in Conan's order, with each choice of options. CMake configures with what they set
    from the files that are exported, and without the library it installs."""
    toolchains = []

    class Toolchain:
        def __init__(self, recipe):
            self.cache_variables = {}
            if recipe.options.get_safe("fPIC") is not None:
                self.cache_variables["CMAKE_POSITION_INDEPENDENT_CODE"] = recipe.options.fPIC
            toolchains.append(self)

        def generate(self):
            pass

    class Build:
        def __init__(self, recipe):
            self.folder = pathlib.Path(recipe.build_folder)

        def configure(self):
            values = [f"-D{name}={'ON' if value else 'OFF'}" for name, value in toolchains[-1].cache_variables.items()]
            run("cmake", "-S", sources, "-B", self.folder, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_INSTALL_PREFIX={self.folder / 'package'}", *values)

        def build(self):
            pass

        def install(self):
            if not (self.folder / "src").exists():
                run("cmake", "--install", self.folder)

    cmake = sys.modules["conan.tools.cmake"]
    cmake.CMake, cmake.CMakeToolchain, cmake.CMakeDeps = Build, Toolchain, lambda recipe: Toolchain(recipe)
    sys.modules["conan.tools.files"].copy = lambda recipe, name, source, folder: (pathlib.Path(folder).mkdir(parents=True), shutil.copy(pathlib.Path(source) / name, folder))
    recipe = runpy.run_path(str(project / "conanfile.py"))["Plait"]
    require(recipe.default_options.keys() == recipe.options.keys(), "conanfile.py: an option has no default")
    for number, (c_api, shared, position_independent) in enumerate(((True, False, True), (True, False, False), (True, True, True), (False, False, True))):
        made = recipe()
        made.options = Options(c_api=c_api, shared=shared, fPIC=position_independent)
        made.build_folder, made.source_folder, made.package_folder = (scratch / f"conan_{number}", sources, scratch / f"conan_{number}/package")
        made.cpp_info = types.SimpleNamespace(set_property=lambda name, value: None)
        made.info = types.SimpleNamespace(options=made.options, settings={"compiler": "gcc"})
        for step in (made.configure, made.generate, made.build, made.package, made.package_id, made.package_info):
            step()
        rules = "".join(path.read_text() for path in made.build_folder.rglob("cmake_install.cmake"))
        flags = (made.build_folder / "build.ninja").read_text()
        what = f"Conan with c_api={c_api}, shared={shared}, fPIC={position_independent}"
        require(("libplait.a" in rules) == c_api and ("libplait.so" in rules) == shared, f"{what}: other libraries are installed")
        require(("-fPIC" in flags) == (c_api and (shared or position_independent)), f"{what}: -fPIC, or not")
        require(made.cpp_info.libs == (["plait"] if c_api else []) and bool(made.info.settings) == c_api, f"{what}: {vars(made.cpp_info)}")
        require((made.package_folder / "licenses/LICENSE").exists(), f"{what}: no licence")
        if not c_api:
            require((made.package_folder / "include/plait/plait.hpp").exists(), f"{what}: no headers")
            require((made.package_folder / made.cpp_info.builddirs[0] / "plait-config.cmake").exists(), f"{what}: no package for CMake")


def check_vcpkg(folder, scratch, compiler, version):
    port = folder / "packaging/vcpkg/plait"
    manifest = json.loads((port / "vcpkg.json").read_text())
    require(manifest["version"] == version, f"vcpkg.json says version {manifest['version']}")
    run("cmake", f"-DPORT={port}", f"-DSCRATCH={scratch}", f"-DCOMPILER={compiler}", "-P", pathlib.Path(__file__).parent / "recipes/run_port.cmake")
    for name in ("include/plait/plait.hpp", "share/plait/LICENSE"):
        require((scratch / "packages" / name).exists(), f"the port installs no {name}")


def check_static_only(project, scratch, compiler):
    """Checks what Conan installs by default, and vcpkg with a static triplet: no shared library."""
    build = scratch / "static_only"
    run("cmake", "-S", project, "-B", build, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}", "-DPLAIT_C_API=ON", "-DPLAIT_SHARED=OFF")
    rules = "".join(path.read_text() for path in build.rglob("cmake_install.cmake"))
    require("libplait.a" in rules and "libplait.so" not in rules, "with PLAIT_SHARED=OFF, not libplait.a alone is installed")


def check_mapping(project):
    """Checks that the private and public header of each line exist, and that no public header is private in another
    line."""
    headers = {f"<{path.relative_to(project / 'include')}>" for path in (project / "include").rglob("*.*") if path.suffix in (".hpp", ".inl")}
    lines = re.findall(r'\{ include: \["(@?)(<[^"]+>)", "private", "(<[^"]+>)", "public"\] \},?\n', (project / "packaging/plait.imp").read_text())
    require(len(lines) == (project / "packaging/plait.imp").read_text().count("include:") > 0, "packaging/plait.imp has a line of another form")
    hidden = set()
    for is_pattern, private, public in lines:
        found = {name for name in headers if re.fullmatch(private, name)} if is_pattern else {private} & headers
        require(found, f"plait.imp: there is no {private}")
        require(public in headers, f"plait.imp: there is no {public}")
        hidden |= found
    require(not hidden & {public for _, _, public in lines}, "plait.imp: a public header is private elsewhere")
    engine = {name for name in headers if name.startswith("<plait/engine/")}
    require(engine <= hidden, f"plait.imp does not map {sorted(engine - hidden)}")


def body_of(struct, headers):
    """Returns the text between the braces of a struct of a namespace, or nothing."""
    for text in headers:
        if found := re.search(rf"^struct {struct} (?::[^{{;]*)?{{", text, re.MULTILINE):
            depth, end = 1, found.end()
            while depth > 0:
                depth += {"{": 1, "}": -1}.get(text[end], 0)
                end += 1
            return text[found.end():end]
    return ""


def check_natvis(project):
    """Checks that the structs of plait.natvis exist, in the namespace that it says, and have its members."""
    headers = [path.read_text() for path in (project / "include/plait").rglob("*.hpp")]
    types = xml.etree.ElementTree.parse(project / "packaging/plait.natvis").getroot()
    require(len(types) > 0, "plait.natvis has no types")
    for shown in types:
        name, alternative = shown.get("Name"), shown[0].get("Name")
        require(alternative == name.replace("::u_0::", "::"), f"plait.natvis: {name} and {alternative} are not one type")
        struct = re.fullmatch(r"plait::u_0::(\w+)(<\*>)?", name)[1]
        body = body_of(struct, headers)
        require(body, f"plait.natvis: there is no struct {struct}")
        display = shown.find("{*}DisplayString").text.replace("{{", "").replace("}}", "")
        used = re.findall(r"\{([\w.]+)\}", display) + [node.text for tag in ("Item", "Size", "ValuePointer") for node in shown.iter(f"{{*}}{tag}")]
        require(used, f"plait.natvis: {name} shows nothing")
        for member in (text.split(".")[0] for text in used):
            require(re.search(rf"[\w>*] {member}(?: =|;|\[|{{)", body), f"plait.natvis: {struct} has no member {member}")


def trial(project, scratch, compiler, version):
    project, scratch = pathlib.Path(project), new_folder(scratch)
    (scratch / "sources").mkdir()
    check_conan(project, scratch / "sources", version)
    run_conan_recipe(project, scratch / "sources", scratch, compiler)
    check_vcpkg(scratch / "sources", scratch, compiler, version)
    check_static_only(scratch / "sources", scratch, compiler)
    check_mapping(project)
    check_natvis(project)


main(trial)
