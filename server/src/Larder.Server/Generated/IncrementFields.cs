// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>The fields of <c>IncrementRequest</c>, as references into the message.</summary>
internal ref struct IncrementFields
{
    public ReadOnlySpan<byte> Key;
    public long Amount;
    public ulong TtlMs;
    public bool KeepTtl;

    /// <summary>Decodes; null on success. The caller checks what it got.</summary>
    public static CallError? Decode(ReadOnlySpan<byte> request, out IncrementFields fields)
    {
        IncrementFields decoded = default;
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
            case (2, ProtoWireType.Varint):
                bool hasAmount = reader.TryReadVarint(out ulong amount);
                Amount = (long)amount;
                return hasAmount;
            case (3, ProtoWireType.Varint):
                return reader.TryReadVarint(out TtlMs);
            case (64, ProtoWireType.Varint):
                bool hasKeepTtl = reader.TryReadVarint(out ulong keepTtl);
                KeepTtl = keepTtl != 0;
                return hasKeepTtl;
            default:
                return reader.TrySkip();
        }
    }
}
