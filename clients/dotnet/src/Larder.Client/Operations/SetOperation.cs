using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal readonly struct SetOperation(CacheBytes key, CacheBytes value, ulong ttlMs) : IOperation<SetOperation, CacheResult>
{
    // The value Ok of the enum CacheResult in cache.proto.
    private const ulong Ok = 1;

    private readonly CacheBytes _key = key;
    private readonly CacheBytes _value = value;

    public static OperationInfo Info => OperationTable.Set;

    public int KeyLength => _key.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, _key);

    public int Measure() => Field.MeasureItem(_key, _value, ttlMs);

    public void Write(ref ProtoWriter writer) => Field.WriteItem(ref writer, _key, _value, ttlMs);

    public static CacheResult Decode(ReadOnlySpan<byte> payload) =>
        Answer.ReadVarint(payload, 1) == Ok ? CacheResult.Success : throw Answer.Unexpected("set");

    public static CacheResult Fail(CacheError error) => CacheResult.Failed(error);
}
