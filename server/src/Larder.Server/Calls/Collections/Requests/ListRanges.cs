using System.Buffers;
using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>The ranges of a <c>ListEraseRequest</c>, in a pooled array.</summary>
internal readonly ref struct ListRanges
{
    private readonly ListRange[]? _lent;
    private readonly int _count;

    private ListRanges(int count)
    {
        _lent = ArrayPool<ListRange>.Shared.Rent(count);
        _count = count;
    }

    /// <summary>Gets the ranges as given in the request.</summary>
    public ReadOnlySpan<ListRange> Span => _lent.AsSpan(0, _count);

    /// <summary>Decodes the ranges. The caller must dispose the returned object.</summary>
    /// <param name="some">The message with the ranges in its repeated field 1.</param>
    /// <param name="error">The error; null on success.</param>
    public static ListRanges Decode(ReadOnlySpan<byte> some, out CallError? error)
    {
        int count = CountIn(some);
        if (count is < 0 or > RequestItems.Most)
        {
            error = count < 0 ? CallError.Malformed : CollectionErrors.TooManyElements;
            return default;
        }

        ListRanges ranges = new(count);
        error = TryReadAll(some, ranges._lent) ? null : CallError.Malformed;
        return ranges;
    }

    public void Dispose()
    {
        if (_lent is not null)
        {
            ArrayPool<ListRange>.Shared.Return(_lent);
        }
    }

    // Returns -1 if the message is malformed.
    private static int CountIn(ReadOnlySpan<byte> some)
    {
        int count = 0;
        RepeatedItems ranges = new(some);
        while (ranges.Next(out _))
        {
            count++;
        }

        return ranges.IsMalformed ? -1 : count;
    }

    private static bool TryReadAll(ReadOnlySpan<byte> some, Span<ListRange> into)
    {
        RepeatedItems ranges = new(some);
        for (int i = 0; ranges.Next(out ReadOnlySpan<byte> range); i++)
        {
            if (!TryRead(range, out into[i]))
            {
                return false;
            }
        }

        return true;
    }

    private static bool TryRead(ReadOnlySpan<byte> message, out ListRange range)
    {
        ulong begin = 0;
        ulong count = 0;
        ProtoReader reader = new(message);
        while (reader.NextField())
        {
            bool read = reader.Is(1, ProtoWireType.Varint) ? reader.TryReadVarint(out begin)
                : reader.Is(2, ProtoWireType.Varint) ? reader.TryReadVarint(out count)
                : reader.TrySkip();
            if (!read)
            {
                break;
            }
        }

        range = new ListRange((uint)begin, (uint)count);
        return !reader.IsMalformed;
    }
}
