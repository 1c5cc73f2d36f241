// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class SortedSetUnionStoreOperation(
    CacheBytes name,
    SortedSetSource[] sources,
    SortedSetAggregate aggregate,
    ulong ttlMs) : IOperation<SortedSetUnionStoreOperation, CacheResult<int>>
{
    public static OperationInfo Info => OperationTable.SortedSetUnionStore;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache)
    {
        near.Ended(cache, name);
        foreach (SortedSetSource each in sources)
        {
            near.Ended(cache, each.Name);
        }
    }

    public int Measure() => Field.Measure(1, name)
        + Field.Measure(2, sources)
        + ProtoWriter.VarintFieldLength(3, (ulong)aggregate)
        + ProtoWriter.VarintFieldLength(4, ttlMs);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);
        Field.Write(ref writer, 2, sources);
        writer.WriteVarintField(3, (ulong)aggregate);
        writer.WriteVarintField(4, ttlMs);
    }

    public static CacheResult<int> Decode(ReadOnlySpan<byte> payload) =>
        CacheResult<int>.Success(Answer.ReadInt(payload, 1));

    public static CacheResult<int> Fail(CacheError error) => CacheResult<int>.Failed(error);
}
