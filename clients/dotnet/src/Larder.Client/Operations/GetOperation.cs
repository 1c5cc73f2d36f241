using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal readonly struct GetOperation(CacheBytes key) : IOperation<GetOperation, LookupResult<CacheValue>>
{
    // The value Hit of the enum CacheResult in cache.proto.
    private const ulong Hit = 2;
    private const ulong Miss = 3;

    private readonly CacheBytes _key = key;

    public static OperationInfo Info => OperationTable.Get;

    public CacheBytes Asked => _key;

    public int KeyLength => _key.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, _key);

    public int Measure() => Field.MeasureKey(_key);

    public void Write(ref ProtoWriter writer) => Field.Write(ref writer, Field.Key, _key);

    public static LookupResult<CacheValue> Decode(ReadOnlySpan<byte> payload)
    {
        ProtoReader reader = new(payload);
        ulong result = 0;
        ReadOnlySpan<byte> value = default;
        while (reader.NextField())
        {
            if (reader.Is(1, ProtoWireType.Varint))
            {
                reader.TryReadVarint(out result);
            }
            else if (reader.Is(2, ProtoWireType.LengthDelimited))
            {
                reader.TryReadBytes(out value);
            }
            else
            {
                reader.TrySkip();
            }
        }

        Answer.ThrowIfMalformed(reader);
        return result switch
        {
            Hit => new ItemHit(value.ToArray()),
            Miss => LookupResult<CacheValue>.Miss,
            _ => throw Answer.Unexpected("get"),
        };
    }

    public static LookupResult<CacheValue> Fail(CacheError error) => LookupResult<CacheValue>.Failed(error);
}
