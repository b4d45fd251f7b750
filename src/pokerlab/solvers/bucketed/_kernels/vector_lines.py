"""The lines of lines.py as LLVM vectors, using Numba's internals."""

from __future__ import annotations

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

LINE = 16


def _place(context, builder, kind, array, at, index_kind):
    """A pointer to element `at` of an array, and the array's length."""
    view = context.make_array(kind)(context, builder, array)
    index = context.cast(builder, at, index_kind, types.intp)
    return builder.gep(view.data, [index]), index, view.nitems


def _prefetch(writing):
    def implementation(typing_context, array, at):
        def codegen(context, builder, sig, args):
            place, _, _ = _place(context, builder, sig.args[0], args[0], args[1], sig.args[1])
            byte = ir.IntType(8).as_pointer()
            hint = [ir.Constant(ir.IntType(32), number) for number in (writing, 3, 1)]
            kind = ir.FunctionType(ir.VoidType(), [byte] + [ir.IntType(32)] * 3)
            function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
            builder.call(function, [builder.bitcast(place, byte), *hint])
            return context.get_dummy_value()

        return types.void(array, at), codegen

    return intrinsic(implementation)


prefetch_to_read, prefetch_to_write = _prefetch(0), _prefetch(1)


def _line(context, builder, kind, array, at, index_kind):
    """A pointer to a line of an array as one vector."""
    place, index, size = _place(context, builder, kind, array, at, index_kind)
    if numba.config.BOUNDSCHECK:
        end = builder.add(index, context.get_constant(types.intp, LINE))
        outside = builder.or_(builder.icmp_signed("<", index, index.type(0)), builder.icmp_signed(">", end, size))
        with cgutils.if_unlikely(builder, outside):
            context.call_conv.return_user_exc(builder, IndexError, ("index is out of bounds",))
    return builder.bitcast(place, ir.VectorType(ir.IntType(32), LINE).as_pointer())


@intrinsic
def add_line(typing_context, target, at, source, first):
    def codegen(context, builder, sig, args):
        to, of = (_line(context, builder, sig.args[k], args[k], args[k + 1], sig.args[k + 1]) for k in (0, 2))
        summed = builder.add(builder.load(to, align=4), builder.load(of, align=4))
        builder.store(summed, to, align=4)
        return context.get_dummy_value()

    return types.void(target, at, source, first), codegen


@intrinsic
def multiply_line(typing_context, target, at, one, first, other, second):
    def codegen(context, builder, sig, args):
        to, left, right = (
            _line(context, builder, sig.args[k], args[k], args[k + 1], sig.args[k + 1]) for k in (0, 2, 4)
        )
        builder.store(builder.mul(builder.load(left, align=4), builder.load(right, align=4)), to, align=4)
        return context.get_dummy_value()

    return types.void(target, at, one, first, other, second), codegen
