using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>
/// A request that increments an element. Fields: 1 the collection's key, 2 the element, 3 the amount, 4 the TTL, 5 whether to refresh the TTL.
/// </summary>
internal ref struct ElementIncrement
{
    public ReadOnlySpan<byte> Name;
    public ReadOnlySpan<byte> Element;

    /// <summary>The amount to add to a dictionary field.</summary>
    public long Amount;

    /// <summary>The amount to add to the score of a sorted set element.</summary>
    public double Score;

    public ulong TtlMs;
    public bool Refresh;

    /// <summary>Gets the TTL. Valid only after <see cref="Decode"/> has succeeded.</summary>
    public readonly CollectionTtl Ttl => new((long)TtlMs, Refresh);

    /// <summary>Decodes and checks the request. Returns null on success.</summary>
    /// <param name="request">The request message.</param>
    /// <param name="rules">The limits.</param>
    /// <param name="roomBytes">The number of bytes that the increment may store in addition to the element.</param>
    /// <param name="fields">The decoded request.</param>
    public static CallError? Decode(ReadOnlySpan<byte> request, CallRules rules, int roomBytes, out ElementIncrement fields)
    {
        ElementIncrement decoded = default;
        ProtoReader reader = new(request);
        while (reader.NextField() && decoded.ReadField(ref reader))
        {
        }

        fields = decoded;
        long bytes = (long)fields.Name.Length + fields.Element.Length + roomBytes;
        return reader.IsMalformed ? CallError.Malformed
            : CallRules.CheckKey(fields.Name)
            ?? (bytes > rules.MaxItemBytes ? CollectionErrors.RequestTooLarge(bytes, rules.MaxItemBytes) : null)
            ?? rules.CheckTtl(fields.TtlMs);
    }

    private bool ReadField(scoped ref ProtoReader reader)
    {
        bool read;
        ulong number;
        switch (reader.Field, reader.WireType)
        {
            case (1, ProtoWireType.LengthDelimited):
                return reader.TryReadBytes(out Name);
            case (2, ProtoWireType.LengthDelimited):
                return reader.TryReadBytes(out Element);
            case (3, ProtoWireType.Varint):
                read = reader.TryReadVarint(out number);
                Amount = (long)number;
                return read;
            case (3, ProtoWireType.Fixed64):
                return reader.TryReadDouble(out Score);
            case (4, ProtoWireType.Varint):
                return reader.TryReadVarint(out TtlMs);
            case (5, ProtoWireType.Varint):
                read = reader.TryReadVarint(out number);
                Refresh = number != 0;
                return read;
            default:
                return reader.TrySkip();
        }
    }
}
