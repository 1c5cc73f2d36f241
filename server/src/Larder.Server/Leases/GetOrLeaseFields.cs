using Larder.Server.Calls;
using Larder.Wire.Protobuf;

namespace Larder.Server.Leases;

/// <summary>The fields of GetOrLeaseRequest: 1 key, 2 lease_ms, 3 wait_ms. The key is a part of the request's memory and is not copied.</summary>
internal readonly record struct GetOrLeaseFields(ReadOnlyMemory<byte> Key, uint LeaseMs, uint WaitMs)
{
    /// <summary>Decodes the request. Returns null on success.</summary>
    public static CallError? Decode(ReadOnlyMemory<byte> request, out GetOrLeaseFields fields)
    {
        ReadOnlyMemory<byte> key = default;
        ulong leaseMs = 0;
        ulong waitMs = 0;
        ProtoReader reader = new(request.Span);
        while (reader.NextField())
        {
            bool isRead = (reader.Field, reader.WireType) switch
            {
                (1, ProtoWireType.LengthDelimited) => FieldMemory.TryRead(ref reader, request, out key),
                (2, ProtoWireType.Varint) => reader.TryReadVarint(out leaseMs),
                (3, ProtoWireType.Varint) => reader.TryReadVarint(out waitMs),
                _ => reader.TrySkip(),
            };
            if (!isRead)
            {
                break;
            }
        }

        fields = new GetOrLeaseFields(key, (uint)leaseMs, (uint)waitMs);
        return reader.IsMalformed ? CallError.Malformed : null;
    }
}
