"""Blocks: objects that `with` statements open in the library, and close after any interrupt.

Python raises KeyboardInterrupt between any two steps of the main thread: after a call has opened
something and before the next line notes it, and in place of __exit__. So the step that calls
notes the result too (library.Call), each thread keeps a list of what it has opened, and what a
with statement has left without closing it is closed when the statement's exit is collected, or
by the thread's next step here.
"""

from __future__ import annotations

import os
import threading
import weakref
from functools import partial
from typing import Any, Callable, Optional, TypeVar

from .calls import current_caller, on_thread_end, run
from .library import Call, Error, Status, show


class Block:
    """What one with statement has opened: belongs to the thread that made the call."""

    nested = False  # whether the library closes it only after those that were opened later
    bound = True  # whether only the thread that opened it closes it

    def __init__(self, opening: Optional[Call]) -> None:
        self.opening = opening
        self.closing: Optional[Call] = None
        self.left = False
        self.guard: Optional[weakref.ref[Any]] = None  # to the object that the with statement holds
        self.caller = current_caller()
        self.thread = threading.get_ident()
        self.pid = os.getpid()

    def over(self) -> bool:
        """Reports whether the with statement has left the block, or is gone."""
        return self.left or (self.guard is not None and self.guard() is None)

    def open(self) -> None:
        """Opens the block in the library, unless there is nothing to open. Raises Error."""
        if self.opening is not None:
            self.opening()

    def ending(self) -> Call:
        """Returns the call that closes the block, which can be closed now."""
        raise NotImplementedError

    def end(self) -> None:
        """Closes the block in the library, if that has not been done. Raises Error."""
        if self.pid != os.getpid() or self.opening is None or not self.opening.succeeded():
            return  # of a fork's parent; or nothing is open
        if self.closing is None or not self.closing.made():
            self.closing = self.ending()
            self.closing()


AnyBlock = TypeVar("AnyBlock", bound=Block)


class _Thread(threading.local):
    def __init__(self) -> None:
        self.opened: list[Block] = []  # by this thread's calls, the innermost last
        self.exit: Optional[weakref.ref[partial[None]]] = None  # that a with statement asked for last


_thread = _Thread()


def settle() -> None:
    """Closes blocks of this thread that have ended, innermost first. Raises Error."""
    failure: Optional[Error] = None
    enclosing = False  # whether a block that stays open must be closed before those around it
    for block in reversed(tuple(_thread.opened)):
        if not block.over() or block.nested and enclosing:
            enclosing = enclosing or block.nested
            continue
        try:
            block.end()
        except Error as error:
            if failure is None:
                failure = error
            else:
                show(error)
        block.guard = None
        if block in _thread.opened:
            _thread.opened.remove(block)
    if failure is not None:
        raise failure


def _end_of_thread() -> None:
    """Closes all that an ending thread's calls have opened."""
    for block in _thread.opened:
        block.left = True
    try:
        settle()
    except Error as error:
        show(error)  # the code that opened the block has been interrupted


on_thread_end(_end_of_thread)


def innermost(kind: type[AnyBlock]) -> Optional[AnyBlock]:
    """Returns the innermost block of a kind that this thread's calls have opened."""
    if _thread.opened:
        settle()
    return next((block for block in reversed(_thread.opened) if isinstance(block, kind)), None)


def _collected(block: Block, _: object) -> None:
    """The with statement is gone. If it has not closed the block, an interrupt came first."""
    here = block.caller is None and block.thread == threading.get_ident()
    if here and block in _thread.opened:
        settle()


def _open(block: Block) -> None:
    """Opens a block by the calling thread. Raises Error."""
    settle()
    _thread.opened.append(block)
    try:
        block.open()
    except BaseException:
        block.left = True
        settle()
        raise


def _close(block: Block) -> None:
    """Closes a block that was left, on the thread whose calls opened it. Raises Error."""
    settle()
    if block in _thread.opened:
        raise Error(Status.INVALID_VALUE, "this scope is not the one that the thread began last: it ends when those begun after it have")


class _Exit:
    """A manager's __exit__.

    A with statement asks for it before it calls __enter__, and holds what it got until it has
    called that or something was raised. So the block that __enter__ opens is over when that is
    collected, even if its first step was interrupted.
    """

    def __get__(self, manager: Optional[Manager], kind: type[Manager]) -> Callable[..., None]:
        if manager is None:
            return kind.leave
        leave = partial(kind.leave, manager)
        _thread.exit = weakref.ref(leave)
        return leave


class _Entered(threading.local):
    def __init__(self) -> None:
        self.blocks: list[Block] = []


class Manager:
    """A context manager that opens a block each time that it is entered. Entries may nest."""

    def __init__(self) -> None:
        self._entered = _Entered()

    def block(self) -> Block:
        """Returns a block to be opened."""
        raise NotImplementedError

    def enter(self) -> Block:
        """Opens a block for this thread. Raises Error."""
        block = self.block()
        held = _thread.exit() if _thread.exit is not None else None
        if held is not None and held.args[0] is self:
            block.guard = weakref.ref(held, partial(_collected, block))
        del held
        self._entered.blocks = [entered for entered in self._entered.blocks if not entered.over()] + [block]
        try:
            run(lambda: _open(block))
        except BaseException:
            block.left = True
            raise
        return block

    def leave(self, *_: object) -> None:
        """Closes the block that this thread entered last. Raises Error if that is not the innermost one."""
        blocks = self._entered.blocks
        block = next((entered for entered in reversed(blocks) if not entered.over()), None)
        if block is None:
            if not blocks:
                raise RuntimeError("this thread has not entered the block that it leaves")
            blocks.pop()  # ended with those entered after it
            return
        block.left = True
        if not block.bound:
            run(block.end)
            block.guard = None
            if block in _thread.opened:
                _thread.opened.remove(block)
        elif block.pid == os.getpid():
            closing = partial(_close, block)
            if block.caller is None:
                closing()
            elif not block.caller.given_up:  # else that thread closes it
                block.caller.run(closing)
        if block in blocks:
            blocks.remove(block)
        self.left(block)

    def left(self, block: Block) -> None:
        """Called when a block has been closed."""

    __exit__ = _Exit()
