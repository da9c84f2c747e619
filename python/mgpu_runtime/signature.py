"""Signatures: a function's types, as MLIR spells them.

A compiled function does not describe its arguments, so the caller has to. Numbers are
passed by value here; arguments.py makes descriptors for memrefs.
"""

from __future__ import annotations

import ctypes
import math
import operator
import re
from typing import Any, NamedTuple, Optional, Union

# Bytes of an element, and the codes that the buffer protocol has for it (module struct;
# Zf and Zd are numpy's). Floats without a code come as unsigned integers of their size.
ELEMENTS = {
    "i1": (1, {"?"}),
    "i8": (1, {"b", "B"}),
    "i16": (2, {"h", "H"}),
    "i32": (4, {"i", "I", "l", "L"}),
    "i64": (8, {"l", "L", "q", "Q"}),
    "index": (8, {"l", "L", "q", "Q"}),
    "f16": (2, {"e"}),
    "bf16": (2, {"H"}),
    "f32": (4, {"f"}),
    "f64": (8, {"d"}),
    "complex<f32>": (8, {"Zf"}),
    "complex<f64>": (16, {"Zd"}),
}
FLOAT8 = (1, {"B"})
_FLOAT8_NAME = re.compile(r"f8E\d+M\d+\w*")


def element_size(element: str) -> int:
    """Returns the bytes of an element."""
    return ELEMENTS.get(element, FLOAT8)[0]


# ctypes' types of numbers, and the bits of integers.
_NUMBERS: dict[str, tuple[Any, int]] = {
    "i1": (ctypes.c_bool, 1),
    "i8": (ctypes.c_int8, 8),
    "i16": (ctypes.c_int16, 16),
    "i32": (ctypes.c_int32, 32),
    "i64": (ctypes.c_int64, 64),
    "index": (ctypes.c_int64, 64),
    "f32": (ctypes.c_float, 0),
    "f64": (ctypes.c_double, 0),
}

Dimensions = tuple[Optional[int], ...]  # None: any


class Number(NamedTuple):
    """An integer or a float that is passed by value."""

    name: str
    ctype: Any
    bits: int  # of an integer, else 0

    def limits(self) -> tuple[float, float]:
        """Returns the least value and the first that is too large."""
        if not self.bits:
            return -math.inf, math.inf
        return (0 if self.bits == 1 else -(1 << (self.bits - 1))), 1 << self.bits

    def convert(self, value: object) -> Any:
        """Returns the argument for ctypes. Raises TypeError or ValueError."""
        if not self.bits:
            if isinstance(value, (str, bytes, bytearray)) or value is None:
                raise TypeError(f"{type(value).__name__} is not a number")
            try:
                return self.ctype(value)
            except TypeError:
                raise TypeError(f"{type(value).__name__} is not a number") from None
            except OverflowError:
                raise ValueError(f"the number does not fit into {self.name}") from None
        if self.bits == 1 and type(value).__name__ in ("bool", "bool_"):
            return self.ctype(bool(value))  # numpy's bool is not an integer
        try:
            number = operator.index(value)  # type: ignore[arg-type]
        except TypeError:
            raise TypeError(f"{type(value).__name__} is not an integer") from None
        low, high = self.limits()
        if not low <= number < high:
            raise ValueError(f"{number} does not fit into {self.name}")
        return self.ctype(number)


class Memref(NamedTuple):
    """A memref: the sizes None stand for any size, shape None for any number of them."""

    name: str
    element: str
    shape: Optional[Dimensions]
    strides: Optional[Dimensions]  # in elements; None: the elements lie densely, in rows
    offset: Optional[int]
    space: str  # of memory: empty for the host's
    readonly: bool = False  # whether the function promises not to write to it: {llvm.readonly}


Type = Union[Number, Memref]


def _split(text: str) -> list[str]:
    """Splits at the commas that no bracket encloses."""
    parts, depth, start = [], 0, 0
    for at, c in enumerate(text):
        if c in "<[({":
            depth += 1
        elif c in "])}" or c == ">" and text[at - 1] != "-":
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    parts.append(text[start:])
    return [part.strip() for part in parts] if text.strip() else []


def _numbers(text: str) -> Dimensions:
    return tuple(None if n.strip() == "?" else int(n) for n in text.split(",")) if text.strip() else ()


_SHAPED = re.compile(r"(?:(\*x)|((?:(?:\d+|\?)x)*))(.+)", re.DOTALL)
_STRIDED = re.compile(r"strided<\s*\[([-\d?,\s]*)\]\s*(?:,\s*offset\s*:\s*(\?|-?\d+)\s*)?>")
_SPACE = re.compile(r"\d+(?: : i\d+)?|#.+")


def _parse_memref(name: str, inner: str) -> Memref:
    shaped, *rest = _split(inner) or [""]
    match = _SHAPED.fullmatch(shaped)
    if match is None:
        raise ValueError(f"{name}: no element type")
    element = re.sub(r"\s", "", match[3])
    if element not in ELEMENTS and not _FLOAT8_NAME.fullmatch(element):
        raise ValueError(f"{name}: elements of type {element} can't be passed; known are {', '.join(ELEMENTS)} and f8...")
    shape: Optional[Dimensions] = None
    if match[1] is None:
        shape = tuple(None if n == "?" else int(n) for n in match[2].split("x")[:-1])
    strides, offset = None, None
    if rest and rest[0].startswith("strided"):
        layout = _STRIDED.fullmatch(rest.pop(0))
        if layout is None or shape is None:
            raise ValueError(f"{name}: a layout is strided<[...], offset: ...>")
        strides = _numbers(layout[1])
        if len(strides) != len(shape):
            raise ValueError(f"{name}: {len(strides)} strides for {len(shape)} dimensions")
        offset = None if layout[2] in (None, "?") else int(layout[2])
    space = rest.pop(0) if rest and _SPACE.fullmatch(rest[0]) else ""
    if rest:
        raise ValueError(f"{name}: '{rest[0]}' is neither a strided layout nor a memory space")
    return Memref(name, element, shape, strides, offset, "" if re.fullmatch(r"0(?: : i\d+)?", space) else space)


def parse_type(text: str) -> Type:
    """Reads one type. Raises ValueError for types that can't be passed from Python."""
    text = text.strip()
    if text in _NUMBERS:
        return Number(text, *_NUMBERS[text])
    if text.startswith("memref<") and text.endswith(">"):
        return _parse_memref(text, text[len("memref<") : -1])
    hint = ""
    if text.startswith("tensor<"):
        hint = ": bufferize it first, one-shot-bufferize makes a memref of it"
    elif text.startswith("vector<"):
        hint = ": pass a memref"
    raise ValueError(f"type '{text}' can't be passed; numbers are {', '.join(_NUMBERS)}, arrays are memrefs{hint}")


class Signature(NamedTuple):
    """A function's parameters, with their names in error lines, and its result."""

    parameters: tuple[tuple[str, Type], ...]
    result: Optional[Number]


_NAMED = re.compile(r"(%[\w.$-]+)\s*:\s*(.*)", re.DOTALL)
_ATTRIBUTES = re.compile(r"(.*?)\s*\{([^{}]*)\}", re.DOTALL)


def _parse_parameter(text: str) -> Type:
    """Reads "memref<?xf32> {llvm.readonly}". Other attributes mean nothing here."""
    match = _ATTRIBUTES.fullmatch(text)
    if match is None:
        return parse_type(text)
    kind = parse_type(match[1])
    if isinstance(kind, Memref) and "llvm.readonly" in (name.strip() for name in match[2].split(",")):
        return kind._replace(readonly=True)
    return kind


def parse_signature(text: str) -> Signature:
    """Reads "(%k: f32, memref<?xf32> {llvm.readonly}) -> i32": names, attributes and result are optional."""
    text = text.strip()
    end, depth = -1, 0
    for at, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if depth == 0:
            end = at
            break
    if not text.startswith("(") or end < 0:
        raise ValueError(f"signature '{text}': types in parentheses, as (memref<?xf32>, index) -> f32")
    parameters = []
    for at, part in enumerate(_split(text[1:end])):
        name = f"argument {at + 1}"
        match = _NAMED.fullmatch(part)
        if match is not None:
            name, part = f"argument {at + 1} ({match[1]})", match[2]
        parameters.append((name, _parse_parameter(part)))
    rest = text[end + 1 :].strip()
    if not rest:
        return Signature(tuple(parameters), None)
    if not rest.startswith("->"):
        raise ValueError(f"signature '{text}': '{rest}' after the parameters is not a result type")
    rest = rest[2:].strip()
    if rest.startswith("(") and rest.endswith(")"):
        rest = rest[1:-1].strip()
    results = [parse_type(part) for part in _split(rest)]
    if len(results) > 1 or any(isinstance(result, Memref) for result in results):
        raise ValueError(
            f"signature '{text}': a function returns a number or nothing; arrays it gets as arguments (buffer-results-to-out-params)"
        )
    return Signature(tuple(parameters), results[0] if results else None)  # type: ignore[arg-type]
