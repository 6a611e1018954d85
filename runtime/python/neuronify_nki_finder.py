"""Makes neuronify_nki importable as `nki` where no other distribution provides that name.

`nki` itself is looked up last of all, so that an installed Neuron SDK is always found first. Only where `nki` has
become neuronify_nki, its submodules are neuronify_nki's, before anybody finds their files for a second time.

A module of its own, since an installed neuronify_nki loads it whenever Python starts: it imports next to nothing.
"""

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys

_PUBLIC = "nki"
_OWN = "neuronify_nki"


class _Alias(importlib.abc.Loader):
    """Loads `nki...` by importing the module of the same name here."""

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        name = module.__spec__.name
        sys.modules[name] = importlib.import_module(_OWN + name[len(_PUBLIC):])


class _Package(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == _PUBLIC:
            return importlib.machinery.ModuleSpec(name, _Alias(), is_package=True)
        return None


class _Submodules(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        public = sys.modules.get(_PUBLIC)
        if not name.startswith(_PUBLIC + ".") or public is None or public is not sys.modules.get(_OWN):
            return None
        if importlib.util.find_spec(_OWN + name[len(_PUBLIC):]) is None:
            return None
        return importlib.machinery.ModuleSpec(name, _Alias(), is_package=True)


def install():
    if not any(isinstance(finder, _Package) for finder in sys.meta_path):
        sys.meta_path.append(_Package())
        sys.meta_path.insert(0, _Submodules())
