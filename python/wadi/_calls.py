"""Calls of the C libraries: texts, arrays, errors as exceptions, callbacks."""

from __future__ import annotations

import logging
import os
import threading
import warnings
from contextlib import contextmanager
from typing import Any, Callable, Iterator, Optional

import numpy as np

from ._wadi import ffi, lib

log = logging.getLogger("wadi")


class WadiError(Exception):
    """A call of the library failed. The message says what, where and what to do."""


class ArgumentError(WadiError, ValueError):
    """A value outside its range, an unknown name, a wrong size."""


class FormatError(WadiError, ValueError):
    """A malformed or truncated file."""


class UnsupportedError(WadiError, NotImplementedError):
    """Valid, but this build or device cannot do it."""


class OutOfMemoryError(WadiError, MemoryError):
    """There is not enough memory."""


class FileError(WadiError, OSError):
    """Reading or writing failed."""


class NumericError(WadiError, ArithmeticError):
    """A field stopped being finite. The simulation has an earlier good state."""


class DeviceError(WadiError, RuntimeError):
    """A device was lost or failed."""


class WadiWarning(UserWarning):
    """A warning of a run."""


ERRORS = {
    lib.WADI_ERROR_ARGUMENT: ArgumentError,
    lib.WADI_ERROR_FORMAT: FormatError,
    lib.WADI_ERROR_UNSUPPORTED: UnsupportedError,
    lib.WADI_ERROR_MEMORY: OutOfMemoryError,
    lib.WADI_ERROR_IO: FileError,
    lib.WADI_ERROR_NUMERIC: NumericError,
    lib.WADI_ERROR_DEVICE: DeviceError,
}


def text(pointer: Any) -> Optional[str]:
    """A text of the library, or None."""
    return None if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "replace")


def c_text(value: Any) -> bytes:
    """Text for the library. It takes no text with a 0 in it."""
    encoded = str(value).encode("utf-8", "surrogateescape")
    if b"\0" in encoded:
        raise ArgumentError("a name or path may not hold a 0 character")
    return encoded


def c_path(path: Any) -> bytes:
    """A path, of text or bytes, for the library."""
    return c_text(os.fsdecode(path))


def error() -> WadiError:
    """The exception of a name that was not found."""
    return ArgumentError(text(lib.wadi_error_message()))


def check(status: int) -> None:
    if status != lib.WADI_OK:
        raise ERRORS[status](text(lib.wadi_error_message()))


def cells(values: Any, shape: Optional[tuple[int, int]] = None) -> np.ndarray:
    """float32 values of a grid, row after row. Masked cells and NaN have no data."""
    if isinstance(values, np.ma.MaskedArray):
        values = values.astype(np.float32).filled(np.nan)
    array = np.ascontiguousarray(values, dtype=np.float32)
    if array.ndim != 2:
        raise ArgumentError(f"an array of two dimensions is wanted, not of {array.ndim}")
    if shape is not None and array.shape != shape:
        raise ArgumentError(f"{array.shape[1]} x {array.shape[0]} values for {shape[1]} x {shape[0]} cells")
    return array


def floats(array: np.ndarray, writable: bool = False) -> Any:
    return ffi.from_buffer("float[]", array, require_writable=writable)


def read_cells(shape: tuple[int, int], read: Callable[[Any, int], int]) -> np.ndarray:
    """A new array, filled by a call that takes the values and their number."""
    values = np.empty(shape, np.float32)
    check(read(floats(values, True), values.size))
    return values


class Lent:
    """Memory of the library as an array that cannot be written. The array keeps `owner` alive."""

    def __init__(self, owner: Any, pointer: Any, shape: tuple[int, int], stride: int) -> None:
        self.owner = owner
        self.__array_interface__ = {
            "version": 3,
            "typestr": np.dtype(np.float32).str,
            "shape": shape,
            "strides": (4 * stride, 4),
            "data": (int(ffi.cast("uintptr_t", pointer)), True),
        }


def table(first: Any, count: int) -> Iterator[Any]:
    return (first[i] for i in range(count))


class Held:
    """A simulation or a run: one thread at a time uses it, and nobody changes it while it steps."""

    def _hold(self, pointer: Any) -> None:
        self._pointer = pointer
        self._lock = threading.RLock()
        self._stepping = False

    @contextmanager
    def _used(self, changes: bool = False) -> Iterator[Any]:
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("another thread is using it")
        try:
            if changes and self._stepping:
                raise RuntimeError("it cannot be changed while it steps")
            yield self._pointer
        finally:
            self._lock.release()

    @contextmanager
    def _stepped(self) -> Iterator[Any]:
        with self._used(changes=True) as pointer:
            self._stepping = True
            try:
                yield pointer
            finally:
                self._stepping = False


# --- callbacks: an exception, Ctrl-C too, stops the steps and is raised again after the call ---


class Following:
    """Calls `tell` while the library works, and keeps what it raises."""

    def __init__(self, tell: Optional[Callable[..., Any]]) -> None:
        self.tell = tell
        self.raised: Optional[BaseException] = None
        self.handle = ffi.new_handle(self)

    def call(self, *arguments: Any) -> bool:
        """False from `tell` stops; None goes on."""
        return self.tell is None or self.tell(*arguments) is not False

    def end(self, status: int) -> None:
        """It ends the circle of `self`, its handle and what was raised, so that a simulation does not live on in it."""
        raised, self.raised, self.handle = self.raised, None, None
        try:
            if raised is not None:
                raise raised
            check(status)
        finally:
            del raised


def _keep(kind: type, value: BaseException, trace: Any) -> None:
    """cffi calls this where a callback raised: its frame has the context."""
    frame = trace.tb_frame if trace is not None else None
    context = frame.f_locals.get("context") if frame is not None else None
    if context is not None:
        ffi.from_handle(context).raised = value.with_traceback(trace)


@ffi.def_extern(error=False, onerror=_keep)
def wadi_py_sim_progress(context: Any, done: int, steps: int) -> bool:
    return ffi.from_handle(context).call(done, steps)


@ffi.def_extern(error=False, onerror=_keep)
def wadi_py_run_progress(context: Any, now: Any) -> bool:
    return ffi.from_handle(context).call(now.done, now.total)


@ffi.def_extern(error=lib.WADI_ERROR_IO, onerror=_keep)
def wadi_py_write(context: Any, data: Any, count: int) -> int:
    ffi.from_handle(context).tell(ffi.buffer(data, count))
    return lib.WADI_OK


@ffi.def_extern(error=lib.WADI_ERROR_IO, onerror=_keep)
def wadi_py_read(context: Any, data: Any, count: int) -> int:
    got = ffi.from_handle(context).tell(count)
    if len(got) != count:
        return lib.wadi_fail(lib.WADI_ERROR_FORMAT, b"the checkpoint ends too early")
    ffi.memmove(data, got, count)
    return lib.WADI_OK


_heard = threading.local()


@ffi.def_extern()
def wadi_py_hear(context: Any, kind: int, message: Any) -> None:
    _heard.__dict__.setdefault("messages", []).append((kind, text(message)))


def tell_messages() -> None:
    """Gives on what was heard in this thread: after the call, because a warning may be an exception."""
    for kind, message in _heard.__dict__.pop("messages", ()):
        if kind == lib.WADI_RUN_WARNING:
            warnings.warn(message, WadiWarning, stacklevel=4)
        else:
            log.info("%s", message)


_listener = ffi.new("wadi_run_listener *", {"hear": lib.wadi_py_hear, "context": ffi.NULL})
lib.wadi_run_listen(_listener)
