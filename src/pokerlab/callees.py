"""Compiles kernels that other kernels call to LLVM code alone, which makes the first run of a command much faster.

Numba compiles every function that a kernel calls as if Python called it too: it adds two wrappers that unpack Python
objects, optimises the function and generates its machine code. Then it links the LLVM code into the caller and
optimises all of it again; the machine code and the wrappers of the callee are never used. Kernels here take records of
dozens of arrays, so wrappers are most of the code. A `Kernel` therefore has two compilers: calls from Python compile
the function as usual, and calls from other kernels compile its callee, which ends at LLVM code without wrappers.

This relies on Numba's internals. With a version that was not tested, compiled.py uses plain Numba. Kernels must not be
recursive: Numba does not resolve their symbols when callers come from the cache.
"""

from __future__ import annotations

from functools import cached_property, partial
from importlib import import_module
from typing import Any

from numba import _dynfunc
from numba.core import codegen, compiler, compiler_machinery, typed_passes, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.target_extension import jit_registry, target_registry

_NO_ADDRESS = 0
_FLAGS = {"nopython": True, "boundscheck": None, "no_cfunc_wrapper": True}
_CPU = target_registry["cpu"]


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """A compiled function. Other kernels see its callee."""

    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        super().__init__(function, {}, _FLAGS | options, _KernelCompiler)

    @cached_property
    def callee(self) -> CPUDispatcher:
        """The same function, as kernels call it."""
        return _callee(self.py_func, self.targetoptions)

    def compile(self, signature: Any) -> Any:
        """Compile the kernel; what it uses of NumPy, which Numba implements as functions, is a callee too."""
        with global_compiler_lock:
            usual = jit_registry.pop(_CPU)  # a key cannot be set twice
            jit_registry[_CPU] = lambda **options: partial(_callee, options=_FLAGS | options)
            try:
                return super().compile(signature)
            finally:
                del jit_registry[_CPU]
                jit_registry[_CPU] = usual

    def __reduce__(self) -> tuple[Any, ...]:
        """Sent to another process by name, which has the same kernel."""
        return _named, (self.py_func.__module__, self.py_func.__qualname__)

    @property
    def _numba_type_(self) -> types.Dispatcher:
        return types.Dispatcher(self.callee)


def _named(module: str, name: str) -> Any:
    return getattr(import_module(module), name)


def _callee(function: Any, options: dict[str, Any]) -> CPUDispatcher:
    return CPUDispatcher(function, {}, options | {"no_cpython_wrapper": True}, _CalleeCompiler)


class _KernelLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]
    """The machine code of a kernel. Its wrapper, which unpacks Python objects, is optimised once instead of twice."""

    def _optimize_functions(self, module: Any) -> None:
        if module.name == "wrapper":
            module.data_layout = self._codegen._data_layout
        else:
            super()._optimize_functions(module)


class _LinkedLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]
    """The LLVM code of a callee. It is optimised further as part of its callers, and has no machine code."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


@compiler_machinery.register_pass(mutates_CFG=True, analysis_only=False)
class _KernelLowering(typed_passes.NativeLowering):  # type: ignore[misc]
    """Numba's lowering to machine code."""

    _name = "kernel_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _KernelLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return bool(super().run_pass(state))


@compiler_machinery.register_pass(mutates_CFG=True, analysis_only=False)
class _LinkedLowering(typed_passes.NativeLowering):  # type: ignore[misc]
    """Numba's lowering to LLVM code, without the machine code."""

    _name = "linked_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _LinkedLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state["cr"]
        name = lowered.fndesc.qualname.split(".")[-1]
        module = lowered.fndesc.lookup_module()
        # callers find the callee by a function object, as Numba's own do; nothing calls it
        key = _dynfunc.make_function(module, name, "", _NO_ADDRESS, lowered.env, (state.library,))
        state.targetctx.insert_user_function(key, lowered.fndesc, [state.library])
        state.reload_init.extend(getattr(state.library, "_reload_init", ()))  # Numba 0.61 has none
        state["cr"] = lowered._replace(cfunc=key)
        return True


class _Compiler(compiler.CompilerBase):  # type: ignore[misc]
    """Numba's pipeline, with another lowering."""

    lowering: Any

    def __init__(self, *arguments: Any) -> None:
        _import_without_scipy()
        super().__init__(*arguments)

    def define_pipelines(self) -> list[Any]:
        passes = compiler_machinery.PassManager(self.lowering._name)
        for step, description in compiler.DefaultPassBuilder.define_nopython_pipeline(self.state).passes:
            passes.add_pass(self.lowering if step is typed_passes.NativeLowering else step, description)
        passes.finalize()
        return [passes]


def _import_without_scipy() -> None:
    """Import what Numba needs to compile; it would import SciPy to see whether there is linear algebra."""
    linalg: Any = import_module("numba.np.linalg")
    check = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = check


class _KernelCompiler(_Compiler):
    lowering = _KernelLowering


class _CalleeCompiler(_Compiler):
    lowering = _LinkedLowering
