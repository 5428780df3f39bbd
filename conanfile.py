"""The Conan 2 recipe: `conan create .` in plait's folder, then plait/VERSION in the requirements of a project.

Tried: by test/packaging/check_recipes.py alone, which runs its functions with classes in place of Conan's, and CMake with what they set.
"""

import pathlib
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy


class Plait(ConanFile):
    name = "plait"
    license = "BSL-1.0"
    description = "A compile-time algebra of tensor memory layouts, and the reorder kernels that it generates"
    topics = ("tensor", "layout", "header-only", "simd", "onednn")
    settings = "os", "arch", "compiler", "build_type"
    # The library, for C and for run-time reorders. Without it nothing is compiled, and the package, of plait::headers, is the same for every
    # compiler.
    options = {"c_api": [True, False], "shared": [True, False], "fPIC": [True, False]}
    default_options = {"c_api": True, "shared": False, "fPIC": True}
    exports_sources = "CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "packaging/*", "src/*"

    def set_version(self):
        header = pathlib.Path(self.recipe_folder) / "include/plait/version.hpp"
        self.version = re.search(r'PLAIT_VERSION "([^"]*)"', header.read_text())[1]

    def configure(self):
        if self.options.shared or not self.options.c_api:
            self.options.rm_safe("fPIC")  # both libraries are made of the same objects, which the shared one needs position-independent
        if not self.options.c_api:
            self.options.rm_safe("shared")

    def validate(self):
        check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["PLAIT_C_API"] = bool(self.options.c_api)
        toolchain.cache_variables["PLAIT_SHARED"] = bool(self.options.get_safe("shared"))  # CMakeToolchain itself passes fPIC
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, str(pathlib.Path(self.package_folder) / "licenses"))

    def package_id(self):
        if not self.info.options.c_api:
            self.info.settings.clear()

    def package_info(self):
        # plait's own CMake package has its targets and plait_add_kernels.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["lib/cmake/plait"]
        self.cpp_info.libs = ["plait"] if self.options.c_api else []
