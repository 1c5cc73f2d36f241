using Larder.Server.Calls;
using Larder.Wire.Protobuf;

namespace Larder.Server.Scans;

/// <summary>The fields of ScanItemsRequest: 1 name, 2 cursor, 3 count. The byte fields are parts of the request's memory and are not copied.</summary>
internal readonly record struct ScanItemsFields(ReadOnlyMemory<byte> Name, ReadOnlyMemory<byte> Cursor, uint Count)
{
    /// <summary>Decodes the request. Returns null on success.</summary>
    public static CallError? Decode(ReadOnlyMemory<byte> request, out ScanItemsFields fields)
    {
        ReadOnlyMemory<byte> name = default;
        ReadOnlyMemory<byte> cursor = default;
        ulong count = 0;
        ProtoReader reader = new(request.Span);
        while (reader.NextField())
        {
            bool isRead = (reader.Field, reader.WireType) switch
            {
                (1, ProtoWireType.LengthDelimited) => FieldMemory.TryRead(ref reader, request, out name),
                (2, ProtoWireType.LengthDelimited) => FieldMemory.TryRead(ref reader, request, out cursor),
                (3, ProtoWireType.Varint) => reader.TryReadVarint(out count),
                _ => reader.TrySkip(),
            };
            if (!isRead)
            {
                break;
            }
        }

        fields = new ScanItemsFields(name, cursor, (uint)count);
        return reader.IsMalformed ? CallError.Malformed : null;
    }
}
