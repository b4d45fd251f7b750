"""A hint to the machine as an LLVM intrinsic, written against Numba's insides; see prefetching.py."""

from __future__ import annotations

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic


def _prefetch(writing):
    def implementation(typing_context, array, at):
        def codegen(context, builder, sig, args):
            index = context.cast(builder, args[1], sig.args[1], types.intp)
            data = context.make_array(sig.args[0])(context, builder, args[0]).data
            byte = ir.IntType(8).as_pointer()
            hint = [ir.Constant(ir.IntType(32), number) for number in (writing, 3, 1)]
            kind = ir.FunctionType(ir.VoidType(), [byte] + [ir.IntType(32)] * 3)
            function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
            builder.call(function, [builder.bitcast(builder.gep(data, [index]), byte), *hint])
            return context.get_dummy_value()

        return types.void(array, at), codegen

    return intrinsic(implementation)


prefetch_to_read, prefetch_to_write = _prefetch(0), _prefetch(1)
