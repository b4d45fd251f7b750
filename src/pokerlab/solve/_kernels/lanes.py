"""Sixteen numbers at a time, said explicitly: a vector type for kernels.

The compiler is good at turning one long loop into vector code and poor at turning a walk over a small tree into it, so
the walk is written in vectors: `take` sixteen neighbouring numbers of a flat array, compute with + - * and the
functions here, `put` them back. In compiled code a value is one LLVM vector of sixteen floats or doubles (one register
of a wide machine, several of a narrow one); uncompiled it is an array of sixteen, and the same text runs.
"""

from __future__ import annotations

import operator

import numba
import numpy as np

WIDTH = 16

if numba.config.DISABLE_JIT:

    def take(array, at):
        """Sixteen numbers of a flat array, from `at` on."""
        return array[at : at + WIDTH].copy()

    def put(array, at, lanes):
        """Write sixteen numbers to a flat array, from `at` on."""
        array[at : at + WIDTH] = lanes

    def fill(array, number):
        """Sixteen times the same number, of the kind of number that the array holds."""
        return np.full(WIDTH, number, array.dtype)

    def as_kind(array, lanes):
        """The same numbers as the kind of number that the array holds."""
        return lanes.astype(array.dtype)

    def fused(factor, other, added):
        """factor * other + added."""
        return factor * other + added

    def largest(one, other):
        """The larger of two, lane by lane."""
        return np.maximum(one, other)

    def where_positive(tested, then, otherwise):
        """`then` in the lanes where `tested` is above zero, else `otherwise`."""
        return np.where(tested > 0, then, otherwise)

    def any_positive(lanes):
        """Whether any lane is above zero."""
        return bool((lanes > 0).any())

    def peak(lanes):
        """The largest lane."""
        return lanes.max()

    def put_rounded(array, at, lanes):
        """Write sixteen numbers, rounded to the nearest whole ones, to a flat array of int16 or uint16."""
        array[at : at + WIDTH] = np.rint(lanes)

    def put_transposed(rows, row_index, first, lanes, at, stride):
        """Read sixteen vectors of `rows` (numbered by row_index[first:]) and write them as columns, `stride` apart."""
        block = np.stack([rows[row * WIDTH : (row + 1) * WIDTH] for row in row_index[first : first + WIDTH]])
        for k in range(WIDTH):
            lanes[at + k * stride : at + k * stride + WIDTH] = block[:, k]

    def take_transposed(lanes, row_index, first, stride, at, rows, to):
        """Read vectors from `at` on in sixteen lines of length `stride` (numbered by row_index[first:]), write columns."""
        starts = [at + int(row) * stride for row in row_index[first : first + WIDTH]]
        rows[to : to + WIDTH * WIDTH] = np.stack([lanes[start : start + WIDTH] for start in starts]).T.reshape(-1)

else:
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.core.typing.templates import AbstractTemplate, infer_global, signature
    from numba.extending import intrinsic, lower_builtin, models, register_model

    class Lanes(types.Type):
        """The type of sixteen numbers of one kind."""

        def __init__(self, dtype):
            self.dtype = dtype
            super().__init__(name=f"Lanes({dtype})")

    def _element(dtype):
        return ir.FloatType() if dtype == types.float32 else ir.DoubleType()

    @register_model(Lanes)
    class _LanesModel(models.PrimitiveModel):
        def __init__(self, manager, kind):
            super().__init__(manager, kind, ir.VectorType(_element(kind.dtype), WIDTH))

    def _arithmetic(symbol, instruction):
        @infer_global(symbol)
        class _Typing(AbstractTemplate):
            def generic(self, args, kws):
                if len(args) == 2 and isinstance(args[0], Lanes) and args[0] == args[1]:
                    return signature(args[0], *args)
                return None

        @lower_builtin(symbol, Lanes, Lanes)
        def _lower(context, builder, sig, args):
            return getattr(builder, instruction)(*args)

    for _symbol, _instruction in (
        (operator.add, "fadd"),
        (operator.sub, "fsub"),
        (operator.mul, "fmul"),
        (operator.truediv, "fdiv"),
    ):
        _arithmetic(_symbol, _instruction)

    def _pointer(context, builder, kind, array, at, dtype=None):
        """A pointer to sixteen elements of an array, from the element `at` on."""
        data = context.make_array(kind)(context, builder, array).data
        element = context.get_value_type(kind.dtype)
        address = builder.gep(data, [at])
        return builder.bitcast(address, ir.VectorType(element, WIDTH).as_pointer())

    def _load(context, builder, kind, array, at):
        return builder.load(_pointer(context, builder, kind, array, at), align=kind.dtype.bitwidth // 8)

    def _store(context, builder, kind, array, at, vector):
        builder.store(vector, _pointer(context, builder, kind, array, at), align=kind.dtype.bitwidth // 8)

    def _splat(builder, scalar):
        single = builder.insert_element(ir.Constant(ir.VectorType(scalar.type, WIDTH), ir.Undefined), scalar, _i32(0))
        zeros = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
        return builder.shuffle_vector(single, single, zeros)

    def _i32(number):
        return ir.Constant(ir.IntType(32), number)

    def _call(builder, name, result, *args):
        """Call an LLVM intrinsic on vectors."""
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(result, [arg.type for arg in args]), name
        )
        return builder.call(function, args)

    def _suffix(kind):
        return f"v{WIDTH}f{kind.dtype.bitwidth}"

    def _resized(builder, vector, element):
        """A vector of floats as floats of another size."""
        wanted = ir.VectorType(element, WIDTH)
        if vector.type.element == element:
            return vector
        narrower = isinstance(element, ir.FloatType)
        return builder.fptrunc(vector, wanted) if narrower else builder.fpext(vector, wanted)

    @intrinsic
    def take(typing_context, array, at):
        kind = types.float32 if isinstance(array.dtype, types.Integer) else array.dtype

        def codegen(context, builder, sig, args):
            index = context.cast(builder, args[1], sig.args[1], types.intp)
            vector = _load(context, builder, sig.args[0], args[0], index)
            if isinstance(sig.args[0].dtype, types.Integer):
                convert = builder.sitofp if sig.args[0].dtype.signed else builder.uitofp
                vector = convert(vector, ir.VectorType(ir.FloatType(), WIDTH))
            return vector

        return Lanes(kind)(array, at), codegen

    @intrinsic
    def put(typing_context, array, at, lanes):
        def codegen(context, builder, sig, args):
            index = context.cast(builder, args[1], sig.args[1], types.intp)
            vector = _resized(builder, args[2], _element(sig.args[0].dtype))
            _store(context, builder, sig.args[0], args[0], index, vector)
            return context.get_dummy_value()

        return types.void(array, at, lanes), codegen

    @intrinsic
    def put_rounded(typing_context, array, at, lanes):
        def codegen(context, builder, sig, args):
            index = context.cast(builder, args[1], sig.args[1], types.intp)
            rounded = _call(builder, f"llvm.rint.{_suffix(sig.args[2])}", args[2].type, args[2])
            wide = builder.fptosi(rounded, ir.VectorType(ir.IntType(32), WIDTH))
            vector = builder.trunc(wide, ir.VectorType(ir.IntType(16), WIDTH))
            _store(context, builder, sig.args[0], args[0], index, vector)
            return context.get_dummy_value()

        return types.void(array, at, lanes), codegen

    @intrinsic
    def fill(typing_context, array, number):
        kind = types.float32 if isinstance(array.dtype, types.Integer) else array.dtype

        def codegen(context, builder, sig, args):
            return _splat(builder, context.cast(builder, args[1], sig.args[1], kind))

        return Lanes(kind)(array, number), codegen

    @intrinsic
    def as_kind(typing_context, array, lanes):
        def codegen(context, builder, sig, args):
            return _resized(builder, args[1], _element(sig.args[0].dtype))

        return Lanes(array.dtype)(array, lanes), codegen

    @intrinsic
    def fused(typing_context, factor, other, added):
        def codegen(context, builder, sig, args):
            return _call(builder, f"llvm.fma.{_suffix(sig.return_type)}", args[0].type, *args)

        return factor(factor, other, added), codegen

    @intrinsic
    def largest(typing_context, one, other):
        def codegen(context, builder, sig, args):
            return builder.select(builder.fcmp_ordered(">", *args), *args)

        return one(one, other), codegen

    @intrinsic
    def where_positive(typing_context, tested, then, otherwise):
        def codegen(context, builder, sig, args):
            above = builder.fcmp_ordered(">", args[0], ir.Constant(args[0].type, None))
            return builder.select(above, args[1], args[2])

        return then(tested, then, otherwise), codegen

    @intrinsic
    def any_positive(typing_context, lanes):
        def codegen(context, builder, sig, args):
            above = builder.fcmp_ordered(">", args[0], ir.Constant(args[0].type, None))
            mask = builder.bitcast(above, ir.IntType(WIDTH))
            return builder.icmp_unsigned("!=", mask, ir.Constant(mask.type, 0))

        return types.boolean(lanes), codegen

    @intrinsic
    def peak(typing_context, lanes):
        def codegen(context, builder, sig, args):
            name = f"llvm.vector.reduce.fmax.{_suffix(sig.args[0])}"
            return _call(builder, name, args[0].type.element, args[0])

        return lanes.dtype(lanes), codegen

    def _transposed(builder, vectors):
        """Sixteen vectors turned into their columns: four rounds of a perfect shuffle of halves."""
        half = WIDTH // 2
        mask_type = ir.VectorType(ir.IntType(32), WIDTH)
        low = ir.Constant(mask_type, [k // 2 + WIDTH * (k % 2) for k in range(WIDTH)])
        high = ir.Constant(mask_type, [half + k // 2 + WIDTH * (k % 2) for k in range(WIDTH)])
        for _ in range(4):
            pairs = [(vectors[k], vectors[k + half]) for k in range(half)]
            vectors = [builder.shuffle_vector(*pair, mask) for pair in pairs for mask in (low, high)]
        return vectors

    def _numbered(context, builder, kind, array, at):
        """The number that an array of integers holds at a place, as an address."""
        place = builder.gep(context.make_array(kind)(context, builder, array).data, [at])
        return context.cast(builder, builder.load(place), kind.dtype, types.intp)

    @intrinsic
    def put_transposed(typing_context, rows, row_index, first, lanes, at, stride):
        def codegen(context, builder, sig, args):
            begin, address, step = (context.cast(builder, args[k], sig.args[k], types.intp) for k in (2, 4, 5))
            vectors = []
            for k in range(WIDTH):
                place = builder.add(begin, context.get_constant(types.intp, k))
                row = _numbered(context, builder, sig.args[1], args[1], place)
                start = builder.mul(row, context.get_constant(types.intp, WIDTH))
                vectors.append(_load(context, builder, sig.args[0], args[0], start))
            for vector in _transposed(builder, vectors):
                _store(context, builder, sig.args[3], args[3], address, vector)
                address = builder.add(address, step)
            return context.get_dummy_value()

        return types.void(rows, row_index, first, lanes, at, stride), codegen

    @intrinsic
    def take_transposed(typing_context, lanes, row_index, first, stride, at, rows, to):
        def codegen(context, builder, sig, args):
            begin, step, offset, target = (context.cast(builder, args[k], sig.args[k], types.intp) for k in (2, 3, 4, 6))
            vectors = []
            for k in range(WIDTH):
                place = builder.add(begin, context.get_constant(types.intp, k))
                row = _numbered(context, builder, sig.args[1], args[1], place)
                start = builder.add(builder.mul(row, step), offset)
                vectors.append(_load(context, builder, sig.args[0], args[0], start))
            for k, vector in enumerate(_transposed(builder, vectors)):
                to = builder.add(target, context.get_constant(types.intp, k * WIDTH))
                _store(context, builder, sig.args[5], args[5], to, vector)
            return context.get_dummy_value()

        return types.void(lanes, row_index, first, stride, at, rows, to), codegen
