"""The vectors of lanes.py as LLVM vectors, using Numba's internals; lanes.py lists the supported versions."""

from __future__ import annotations

import operator

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

from pokerlab.tree.public._kernels.widths import BLOCK, WIDTH


class Lanes(types.Type):
    """The type of a vector of some length and element type."""

    def __init__(self, dtype, count):
        self.dtype, self.count = dtype, count
        super().__init__(name=f"Lanes({dtype}, {count})")


def _element(dtype):
    return ir.FloatType() if dtype == types.float32 else ir.DoubleType()


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, ir.VectorType(_element(kind.dtype), kind.count))


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


def _element_pointer(context, builder, kind, array, at, count):
    """A pointer to element `at` of an array, of which `count` elements are used."""
    view = context.make_array(kind)(context, builder, array)
    if numba.config.BOUNDSCHECK:
        end = builder.add(at, context.get_constant(types.intp, count))
        outside = builder.or_(builder.icmp_signed("<", at, at.type(0)), builder.icmp_signed(">", end, view.nitems))
        with cgutils.if_unlikely(builder, outside):
            context.call_conv.return_user_exc(builder, IndexError, ("index is out of bounds",))
    return builder.gep(view.data, [at])


def _pointer(context, builder, kind, array, at, count):
    """A pointer to elements of an array as one vector, starting at element `at`."""
    element = context.get_value_type(kind.dtype)
    place = _element_pointer(context, builder, kind, array, at, count)
    return builder.bitcast(place, ir.VectorType(element, count).as_pointer())


def _load(context, builder, kind, array, at, count):
    return builder.load(_pointer(context, builder, kind, array, at, count), align=kind.dtype.bitwidth // 8)


def _store(context, builder, kind, array, at, vector):
    pointer = _pointer(context, builder, kind, array, at, vector.type.count)
    builder.store(vector, pointer, align=kind.dtype.bitwidth // 8)


def _splat(builder, scalar, count):
    nothing = ir.Constant(ir.VectorType(scalar.type, count), ir.Undefined)
    single = builder.insert_element(nothing, scalar, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), count), [0] * count)
    return builder.shuffle_vector(single, single, zeros)


def _call(builder, name, result, *args):
    """Call an LLVM intrinsic on vectors."""
    kind = ir.FunctionType(result, [arg.type for arg in args])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), args)


def _suffix(kind):
    return f"v{kind.count}f{kind.dtype.bitwidth}"


def _resized(builder, vector, element):
    """Convert a vector of floats to floats of another size."""
    wanted = ir.VectorType(element, vector.type.count)
    if vector.type.element == element:
        return vector
    narrower = isinstance(element, ir.FloatType)
    return builder.fptrunc(vector, wanted) if narrower else builder.fpext(vector, wanted)


def _kind_of(array):
    """The type to compute with for an array of this type: integers are read as float32."""
    return types.float32 if isinstance(array.dtype, types.Integer) else array.dtype


def _take(count):
    def implementation(typing_context, array, at):
        def codegen(context, builder, sig, args):
            index = context.cast(builder, args[1], sig.args[1], types.intp)
            vector = _load(context, builder, sig.args[0], args[0], index, count)
            if isinstance(sig.args[0].dtype, types.Integer):
                convert = builder.sitofp if sig.args[0].dtype.signed else builder.uitofp
                vector = convert(vector, ir.VectorType(ir.FloatType(), count))
            return vector

        return Lanes(_kind_of(array), count)(array, at), codegen

    return intrinsic(implementation)


def _fill(count):
    def implementation(typing_context, array, number):
        def codegen(context, builder, sig, args):
            return _splat(builder, context.cast(builder, args[1], sig.args[1], sig.return_type.dtype), count)

        return Lanes(_kind_of(array), count)(array, number), codegen

    return intrinsic(implementation)


take, take_row = _take(BLOCK), _take(WIDTH)
fill, fill_row = _fill(BLOCK), _fill(WIDTH)


@intrinsic
def holds_whole_numbers(typing_context, array):
    def codegen(context, builder, sig, args):
        return context.get_constant(types.boolean, isinstance(sig.args[0].dtype, types.Integer))

    return types.boolean(array), codegen


@intrinsic
def prefetch(typing_context, array, at):
    def codegen(context, builder, sig, args):
        index = context.cast(builder, args[1], sig.args[1], types.intp)
        data = context.make_array(sig.args[0])(context, builder, args[0]).data
        byte = ir.IntType(8).as_pointer()
        hint = [ir.Constant(ir.IntType(32), number) for number in (0, 3, 1)]
        kind = ir.FunctionType(ir.VoidType(), [byte] + [ir.IntType(32)] * 3)
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        line = 64 * 8 // sig.args[0].dtype.bitwidth
        for k in range(0, BLOCK, line):
            place = builder.gep(data, [builder.add(index, context.get_constant(types.intp, k))])
            builder.call(function, [builder.bitcast(place, byte), *hint])
        return context.get_dummy_value()

    return types.void(array, at), codegen


@intrinsic
def draw_number(typing_context, counter):
    def codegen(context, builder, sig, args):
        data = context.make_array(sig.args[0])(context, builder, args[0]).data
        return builder.atomic_rmw("add", data, ir.Constant(ir.IntType(64), 1), "seq_cst")

    return types.int64(counter), codegen


@intrinsic
def put(typing_context, array, at, lanes):
    def codegen(context, builder, sig, args):
        index = context.cast(builder, args[1], sig.args[1], types.intp)
        if isinstance(sig.args[0].dtype, types.Integer):
            rounded = _call(builder, f"llvm.rint.{_suffix(sig.args[2])}", args[2].type, args[2])
            wide = builder.fptosi(rounded, ir.VectorType(ir.IntType(32), sig.args[2].count))
            vector = builder.trunc(wide, ir.VectorType(ir.IntType(16), sig.args[2].count))
        else:
            vector = _resized(builder, args[2], _element(sig.args[0].dtype))
        _store(context, builder, sig.args[0], args[0], index, vector)
        return context.get_dummy_value()

    return types.void(array, at, lanes), codegen


@intrinsic
def as_kind(typing_context, array, lanes):
    def codegen(context, builder, sig, args):
        return _resized(builder, args[1], _element(sig.args[0].dtype))

    return Lanes(_kind_of(array), lanes.count)(array, lanes), codegen


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
        mask = builder.bitcast(above, ir.IntType(sig.args[0].count))
        return builder.icmp_unsigned("!=", mask, ir.Constant(mask.type, 0))

    return types.boolean(lanes), codegen


@intrinsic
def powers_of_two(typing_context, lanes):
    """After adding 1.5 * 2^52 the low bits of a float64 hold the integer, which is shifted into the exponent."""
    if lanes.dtype != types.float64:
        return None

    def codegen(context, builder, sig, args):
        whole = ir.VectorType(ir.IntType(64), sig.args[0].count)
        shifted = builder.fadd(args[0], _splat(builder, ir.Constant(ir.DoubleType(), 1.5 * 2.0**52), whole.count))
        places = _splat(builder, ir.Constant(ir.IntType(64), 52), whole.count)
        one = _splat(builder, ir.Constant(ir.IntType(64), 1023 << 52), whole.count)
        return builder.bitcast(builder.add(builder.shl(builder.bitcast(shifted, whole), places), one), args[0].type)

    return lanes(lanes), codegen


@intrinsic
def peak(typing_context, lanes):
    def codegen(context, builder, sig, args):
        name = f"llvm.vector.reduce.fmax.{_suffix(sig.args[0])}"
        return _call(builder, name, args[0].type.element, args[0])

    return lanes.dtype(lanes), codegen


def _transposed(builder, vectors):
    """The columns of sixteen vectors: four rounds of a perfect shuffle of halves."""
    half = WIDTH // 2
    mask_type = ir.VectorType(ir.IntType(32), WIDTH)
    low = ir.Constant(mask_type, [k // 2 + WIDTH * (k % 2) for k in range(WIDTH)])
    high = ir.Constant(mask_type, [half + k // 2 + WIDTH * (k % 2) for k in range(WIDTH)])
    for _ in range(4):
        pairs = [(vectors[k], vectors[k + half]) for k in range(half)]
        vectors = [builder.shuffle_vector(*pair, mask) for pair in pairs for mask in (low, high)]
    return vectors


def _numbered(context, builder, kind, array, at):
    """The element of an integer array at an offset, as an address."""
    place = _element_pointer(context, builder, kind, array, at, 1)
    return context.cast(builder, builder.load(place), kind.dtype, types.intp)


@intrinsic
def put_transposed(typing_context, rows, step, row_index, first, offset, lanes, at, stride):
    def codegen(context, builder, sig, args):
        row_step, begin, start, address, gap = (
            context.cast(builder, args[k], sig.args[k], types.intp) for k in (1, 3, 4, 6, 7)
        )
        vectors = []
        for k in range(WIDTH):
            place = builder.add(begin, context.get_constant(types.intp, k))
            row = _numbered(context, builder, sig.args[2], args[2], place)
            at = builder.add(builder.mul(row, row_step), start)
            vectors.append(_load(context, builder, sig.args[0], args[0], at, WIDTH))
        for vector in _transposed(builder, vectors):
            _store(context, builder, sig.args[5], args[5], address, vector)
            address = builder.add(address, gap)
        return context.get_dummy_value()

    return types.void(rows, step, row_index, first, offset, lanes, at, stride), codegen
