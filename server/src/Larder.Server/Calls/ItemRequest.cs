using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>The fields of all requests that store an item: 1 the key, 2 the value, 3 the TTL, and the condition if the request is conditional.</summary>
internal ref struct ItemRequest
{
    public ReadOnlySpan<byte> Key;
    public ReadOnlySpan<byte> Value;
    public ulong TtlMs;

    /// <summary>The field number of the condition; 0 if the request has no condition. If there are several conditions, the last one is used.</summary>
    public int ConditionField;

    /// <summary>The message of the condition. It is empty or contains an operand in field 1.</summary>
    public ReadOnlySpan<byte> Condition;

    /// <summary>Decodes the request. Returns null on success. The caller must check the size and TTL limits of the item.</summary>
    public static CallError? Decode(ReadOnlySpan<byte> request, out ItemRequest item)
    {
        ItemRequest decoded = default;
        ProtoReader reader = new(request);
        while (reader.NextField() && decoded.ReadField(ref reader))
        {
        }

        item = decoded;
        return reader.IsMalformed ? CallError.Malformed : null;
    }

    /// <summary>
    /// Decodes the operand of the condition, which is field 1 of the condition's message. A missing operand is decoded as empty. Returns null on success.
    /// </summary>
    public readonly CallError? DecodeComparand(out ReadOnlySpan<byte> comparand)
    {
        comparand = default;
        ProtoReader reader = new(Condition);
        while (reader.NextField())
        {
            bool read = reader.Is(1, ProtoWireType.LengthDelimited) ? reader.TryReadBytes(out comparand) : reader.TrySkip();
            if (!read)
            {
                break;
            }
        }

        return reader.IsMalformed ? CallError.Malformed : null;
    }

    private bool ReadField(scoped ref ProtoReader reader)
    {
        switch (reader.WireType)
        {
            case ProtoWireType.LengthDelimited when reader.Field == 1:
                return reader.TryReadBytes(out Key);
            case ProtoWireType.LengthDelimited when reader.Field == 2:
                return reader.TryReadBytes(out Value);
            case ProtoWireType.Varint when reader.Field == 3:
                return reader.TryReadVarint(out TtlMs);
            case ProtoWireType.LengthDelimited when reader.Field is >= 4 and <= 9:
                ConditionField = reader.Field;
                return reader.TryReadBytes(out Condition);
            default:
                return reader.TrySkip();
        }
    }
}
