// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class DictionaryIncrementOperation(
    CacheBytes name,
    CacheBytes field,
    long amount,
    WireTtl ttl) : IOperation<DictionaryIncrementOperation, CacheResult<long>>
{
    public static OperationInfo Info => OperationTable.DictionaryIncrement;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, name);

    public int Measure() => Field.Measure(1, name)
        + Field.Measure(2, field)
        + ProtoWriter.VarintFieldLength(3, (ulong)amount)
        + Field.MeasureTtl(4, ttl);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);
        Field.Write(ref writer, 2, field);
        writer.WriteVarintField(3, (ulong)amount);
        Field.WriteTtl(ref writer, 4, 5, ttl);
    }

    public static CacheResult<long> Decode(ReadOnlySpan<byte> payload) =>
        CacheResult<long>.Success((long)Answer.ReadVarint(payload, 1));

    public static CacheResult<long> Fail(CacheError error) => CacheResult<long>.Failed(error);
}
