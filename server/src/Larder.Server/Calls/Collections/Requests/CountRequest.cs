using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>A request for a number of elements. Field 1 is the key of the collection, and field 2 is the number.</summary>
internal ref struct CountRequest
{
    public ReadOnlySpan<byte> Name;
    public ulong Count;

    /// <summary>Decodes the request and checks the key. Returns null on success.</summary>
    public static CallError? Decode(ReadOnlySpan<byte> request, out CountRequest fields)
    {
        CountRequest decoded = default;
        ProtoReader reader = new(request);
        while (reader.NextField())
        {
            bool read = reader.Is(1, ProtoWireType.LengthDelimited) ? reader.TryReadBytes(out decoded.Name)
                : reader.Is(2, ProtoWireType.Varint) ? reader.TryReadVarint(out decoded.Count)
                : reader.TrySkip();
            if (!read)
            {
                break;
            }
        }

        fields = decoded;
        return reader.IsMalformed ? CallError.Malformed : CallRules.CheckKey(fields.Name);
    }
}
