// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>The fields of <c>UpdateTtlIfPrefixRequest</c>, as references into the message.</summary>
internal ref struct UpdateTtlIfPrefixFields
{
    public ReadOnlySpan<byte> Key;
    public ReadOnlySpan<byte> Prefix;
    public ulong TtlMs;

    /// <summary>Decodes; null on success. The caller checks what it got.</summary>
    public static CallError? Decode(ReadOnlySpan<byte> request, out UpdateTtlIfPrefixFields fields)
    {
        UpdateTtlIfPrefixFields decoded = default;
        ProtoReader reader = new(request);
        while (reader.NextField() && decoded.ReadField(ref reader))
        {
        }

        fields = decoded;
        return reader.IsMalformed ? CallError.Malformed : null;
    }

    private bool ReadField(scoped ref ProtoReader reader)
    {
        switch (reader.Field, reader.WireType)
        {
            case (1, ProtoWireType.LengthDelimited):
                return reader.TryReadBytes(out Key);
            case (2, ProtoWireType.LengthDelimited):
                return reader.TryReadBytes(out Prefix);
            case (3, ProtoWireType.Varint):
                return reader.TryReadVarint(out TtlMs);
            default:
                return reader.TrySkip();
        }
    }
}
