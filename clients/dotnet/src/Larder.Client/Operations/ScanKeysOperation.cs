using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class ScanKeysOperation(CacheBytes prefix, CacheItemType? type, CacheBytes cursor, uint count)
    : IOperation<ScanKeysOperation, CacheResult<KeyPage>>
{
    private const int PrefixField = 1;
    private const int TypeField = 2;
    private const int CursorField = 3;
    private const int CountField = 4;

    // A value of the protocol's enum KeyType. 0 means any type, and the value of each type is 1 more than in CacheItemType.
    private readonly ulong _type = type is { } known ? (ulong)known + 1 : 0;

    public static OperationInfo Info => OperationTable.ScanKeys;

    public int KeyLength => prefix.Length;

    public void EndCopies(NearReads near, string cache)
    {
    }

    public int Measure() => Field.Measure(PrefixField, prefix) + ProtoWriter.VarintFieldLength(TypeField, _type)
        + Field.Measure(CursorField, cursor) + ProtoWriter.VarintFieldLength(CountField, count);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, PrefixField, prefix);
        writer.WriteVarintField(TypeField, _type);
        Field.Write(ref writer, CursorField, cursor);
        writer.WriteVarintField(CountField, count);
    }

    public static CacheResult<KeyPage> Decode(ReadOnlySpan<byte> payload)
    {
        List<ScannedKey> keys = [];
        ReadOnlySpan<byte> next = default;
        ProtoReader reader = new(payload);
        while (reader.NextField())
        {
            if (reader.Is(1, ProtoWireType.LengthDelimited) && reader.TryReadBytes(out ReadOnlySpan<byte> key))
            {
                keys.Add(DecodeKey(key));
            }
            else if (!(reader.Is(2, ProtoWireType.LengthDelimited) && reader.TryReadBytes(out next)))
            {
                reader.TrySkip();
            }
        }

        Answer.ThrowIfMalformed(reader);
        return CacheResult<KeyPage>.Success(new KeyPage(keys, next.ToArray()));
    }

    public static CacheResult<KeyPage> Fail(CacheError error) => CacheResult<KeyPage>.Failed(error);

    private static ScannedKey DecodeKey(ReadOnlySpan<byte> key) => new(
        Answer.ReadBytes(key, 1).ToArray(),
        (CacheItemType)((int)Answer.ReadVarint(key, 2) - 1),
        Answer.ReadDuration(key, 3),
        (long)Math.Min(Answer.ReadVarint(key, 4), long.MaxValue));
}
