using Larder.Server.Calls;
using Larder.Wire.Protobuf;

namespace Larder.Server.Scans;

/// <summary>The fields of ScanKeysRequest: 1 prefix, 2 type, 3 cursor, 4 count. The byte fields are parts of the request's memory and are not copied.</summary>
internal readonly record struct ScanKeysFields(ReadOnlyMemory<byte> Prefix, int Type, ReadOnlyMemory<byte> Cursor, uint Count)
{
    /// <summary>Decodes the request. Returns null on success.</summary>
    public static CallError? Decode(ReadOnlyMemory<byte> request, out ScanKeysFields fields)
    {
        ReadOnlyMemory<byte> prefix = default;
        ReadOnlyMemory<byte> cursor = default;
        ulong type = 0;
        ulong count = 0;
        ProtoReader reader = new(request.Span);
        while (reader.NextField())
        {
            bool isRead = (reader.Field, reader.WireType) switch
            {
                (1, ProtoWireType.LengthDelimited) => FieldMemory.TryRead(ref reader, request, out prefix),
                (2, ProtoWireType.Varint) => reader.TryReadVarint(out type),
                (3, ProtoWireType.LengthDelimited) => FieldMemory.TryRead(ref reader, request, out cursor),
                (4, ProtoWireType.Varint) => reader.TryReadVarint(out count),
                _ => reader.TrySkip(),
            };
            if (!isRead)
            {
                break;
            }
        }

        fields = new ScanKeysFields(prefix, (int)type, cursor, (uint)count);
        return reader.IsMalformed ? CallError.Malformed : null;
    }
}
