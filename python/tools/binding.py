"""binding.py CC INCLUDE OUT.c: writes the C of the module wadi._wadi, by cffi, from the public headers.

cffi reads the headers as the compiler's preprocessor leaves them. The compiler checks every structure and every call.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import cffi

HEADERS = ("wadi", "io", "run", "device")
STANDARD = ("stdbool.h", "stddef.h", "stdint.h")  # cffi knows their types

CALLBACKS = """
extern "Python" {
    bool wadi_py_sim_progress(void *, int64_t, int64_t);
    bool wadi_py_run_progress(void *, const wadi_run_progress *);
    wadi_status wadi_py_write(void *, const void *, size_t);
    wadi_status wadi_py_read(void *, void *, size_t);
    void wadi_py_hear(void *, wadi_run_message, const char *);
}
"""


def includes() -> str:
    return "".join(f"#include <wadi/{name}.h>\n" for name in HEADERS)


def declarations(compiler: str, include: str) -> str:
    """The headers without comments, macros and attributes."""
    with tempfile.TemporaryDirectory() as empty:
        for name in STANDARD:
            (Path(empty) / name).touch()
        command = [compiler, "-E", "-P", "-U__GNUC__", "-nostdinc", f"-I{empty}", f"-I{include}", "-xc", "-"]
        done = subprocess.run(command, input=includes(), capture_output=True, text=True, check=True)
    # cffi 1.15 writes wrong C for a pointer to constant arrays.
    return re.sub(r"const (\w+ \(\*)", r"\1", done.stdout)


def main(compiler: str, include: str, out: str) -> None:
    ffi = cffi.FFI()
    ffi.cdef(declarations(compiler, include))
    ffi.cdef(CALLBACKS)
    ffi.set_source("wadi._wadi", includes())
    ffi.emit_c_code(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
