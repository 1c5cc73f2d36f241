// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class DictionarySetOperation(CacheBytes name, DictionaryItem[] items, WireTtl ttl) : IOperation<DictionarySetOperation, CacheResult>
{
    public static OperationInfo Info => OperationTable.DictionarySet;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, name);

    public int Measure() => Field.Measure(1, name) + Field.Measure(2, items) + Field.MeasureTtl(3, ttl);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);
        Field.Write(ref writer, 2, items);
        Field.WriteTtl(ref writer, 3, 4, ttl);
    }

    public static CacheResult Decode(ReadOnlySpan<byte> payload)
    {
        Answer.RequireWellFormed(payload);
        return CacheResult.Success;
    }

    public static CacheResult Fail(CacheError error) => CacheResult.Failed(error);
}
