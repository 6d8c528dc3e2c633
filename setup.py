"""The compiled module wadi._wadi, by CMake: python/CMakeLists.txt. All else is in pyproject.toml."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent


def version():
    return re.search(r"project\(wadi VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        folder = Path(self.build_temp).resolve() / "wadi"
        options = ["-DWADI_PYTHON=ON", "-DWADI_COMMAND=OFF", "-DWADI_TESTS=OFF", "-DWADI_INSTALL=OFF"]
        options += ["-DWADI_COMPONENTS=io;render;run", "-DCMAKE_BUILD_TYPE=Release", f"-DPython3_EXECUTABLE={sys.executable}"]
        options += ["-GNinja"] if shutil.which("ninja") else []
        subprocess.run(["cmake", "-S", ROOT, "-B", folder, *options], check=True)
        subprocess.run(["cmake", "--build", folder, "--target", "wadi_python", "--parallel"], check=True)
        target = Path(self.get_ext_fullpath(extension.name)).parent
        target.mkdir(parents=True, exist_ok=True)
        for pattern in ("_wadi*.so", "*.pyi"):
            for made in (folder / "python" / "wadi").glob(pattern):
                shutil.copy2(made, target)


setup(
    version=version(),
    ext_modules=[Extension("wadi._wadi", [], py_limited_api=True)],
    cmdclass={"build_ext": CMakeBuild},
    options={"bdist_wheel": {"py_limited_api": "cp39"}},
)
