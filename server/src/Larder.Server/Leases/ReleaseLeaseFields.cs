using Larder.Server.Calls;
using Larder.Wire.Protobuf;

namespace Larder.Server.Leases;

/// <summary>The fields of ReleaseLeaseRequest: 1 key, 2 token. Both are parts of the request's memory and are not copied.</summary>
internal ref struct ReleaseLeaseFields
{
    public ReadOnlySpan<byte> Key;
    public ReadOnlySpan<byte> Token;

    /// <summary>Decodes the request. Returns null on success.</summary>
    public static CallError? Decode(ReadOnlySpan<byte> request, out ReleaseLeaseFields fields)
    {
        fields = default;
        ProtoReader reader = new(request);
        while (reader.NextField())
        {
            bool isRead = (reader.Field, reader.WireType) switch
            {
                (1, ProtoWireType.LengthDelimited) => reader.TryReadBytes(out fields.Key),
                (2, ProtoWireType.LengthDelimited) => reader.TryReadBytes(out fields.Token),
                _ => reader.TrySkip(),
            };
            if (!isRead)
            {
                break;
            }
        }

        return reader.IsMalformed ? CallError.Malformed : null;
    }
}
