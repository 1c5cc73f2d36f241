// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>What <c>UpdateTtlRequest</c> holds, pointing into the message.</summary>
internal ref struct UpdateTtlFields
{
    public ReadOnlySpan<byte> Key;
    public ulong TtlMs;

    /// <summary>The field of <c>change</c>, the last one in the message; 0 if there is none.</summary>
    public int Change;

    /// <summary>Decodes; null on success. The caller checks what it got.</summary>
    public static CallError? Decode(ReadOnlySpan<byte> request, out UpdateTtlFields fields)
    {
        UpdateTtlFields decoded = default;
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
            case (2 or 3 or 4, ProtoWireType.Varint):
                Change = reader.Field;
                return reader.TryReadVarint(out TtlMs);
            default:
                return reader.TrySkip();
        }
    }
}
