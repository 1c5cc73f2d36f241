using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>The fields of <c>SortedSetGetRankRequest</c>: 1 the sorted set's key, 2 the element, 3 the order.</summary>
internal ref struct RankRequest
{
    private ulong _order;

    public ReadOnlySpan<byte> Name;
    public ReadOnlySpan<byte> Element;

    public readonly SortedSetOrder Order => (SortedSetOrder)_order;

    /// <summary>Decodes and checks the request. Returns null on success.</summary>
    public static CallError? Decode(ReadOnlySpan<byte> request, out RankRequest fields)
    {
        RankRequest decoded = default;
        ProtoReader reader = new(request);
        while (reader.NextField())
        {
            bool read = reader.Is(1, ProtoWireType.LengthDelimited) ? reader.TryReadBytes(out decoded.Name)
                : reader.Is(2, ProtoWireType.LengthDelimited) ? reader.TryReadBytes(out decoded.Element)
                : reader.Is(3, ProtoWireType.Varint) ? reader.TryReadVarint(out decoded._order)
                : reader.TrySkip();
            if (!read)
            {
                break;
            }
        }

        fields = decoded;
        return reader.IsMalformed ? CallError.Malformed
            : CallRules.CheckKey(decoded.Name) ?? (decoded._order > (ulong)SortedSetOrder.Descending ? CollectionErrors.UnknownOrder : null);
    }
}
