"""NKIObject: the base class of kernels' configuration objects."""

import abc
import dataclasses
import inspect
import typing

from . import _chip


def _is_field(name, value):
    if name.startswith("__"):
        return False
    if inspect.isroutine(value) or inspect.isclass(value) or inspect.ismethoddescriptor(value):
        return False
    return not isinstance(value, (property, staticmethod, classmethod))


class NKIObject(abc.ABC):
    """Every annotated name and every plain attribute of a subclass is a field; without a default, None.

    The same holds under @dataclass, whose rules this class satisfies before the decorator looks.
    """

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        own = cls.__dict__
        annotations = dict(own.get("__annotations__", {}))
        for name, value in list(own.items()):
            if name not in annotations and not name.startswith("_abc_") and _is_field(name, value):
                annotations[name] = typing.Any
        for name, annotation in annotations.items():
            if "ClassVar" in str(annotation):
                continue
            if name not in own:
                setattr(cls, name, None)
            elif isinstance(own[name], (list, dict, set)):
                value = own[name]
                setattr(cls, name, dataclasses.field(default_factory=lambda value=value: type(value)(value)))
        cls.__annotations__ = annotations

    def __init__(self, **kwargs):
        known = {}
        for base in reversed(type(self).__mro__):
            for name in base.__dict__.get("__annotations__", {}):
                known[name] = getattr(type(self), name, None)
        for name, value in kwargs.items():
            if name not in known:
                raise TypeError(f"{type(self).__name__} has no field {name}")
        for name, default in known.items():
            if isinstance(default, dataclasses.Field):
                default = default.default_factory() if callable(default.default_factory) else default.default
            object.__setattr__(self, name, kwargs.get(name, default))

    def __repr__(self):
        fields = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({fields})"


class NkiInstruction(NKIObject):
    """What an instruction call returns."""

    def __init__(self, handle=None):
        self.handle = handle

    def depends_on(self, *producers):
        """The model runs instructions in program order, so that every dependency already holds."""
        for producer in producers:
            if not isinstance(producer, NkiInstruction):
                raise TypeError(f"depends_on takes instructions, not {producer!r}")
        return self


NKIObject.register(_chip.NkiTensor)
NKIObject.register(_chip.VirtualRegister)
