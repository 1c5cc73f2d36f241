// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class IncrementOperation(CacheBytes key, long amount, ulong ttlMs, bool keepTtl) : IOperation<IncrementOperation, CacheResult<long>>
{
    public static OperationInfo Info => OperationTable.Increment;

    public int KeyLength => key.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, key);

    public int Measure() => Field.Measure(1, key)
        + ProtoWriter.VarintFieldLength(2, (ulong)amount)
        + ProtoWriter.VarintFieldLength(3, ttlMs)
        + (keepTtl ? ProtoWriter.VarintFieldLength(64, 1) : 0);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, key);
        writer.WriteVarintField(2, (ulong)amount);
        writer.WriteVarintField(3, ttlMs);
        if (keepTtl)
        {
            writer.WriteVarintField(64, 1);
        }
    }

    public static CacheResult<long> Decode(ReadOnlySpan<byte> payload) =>
        CacheResult<long>.Success((long)Answer.ReadVarint(payload, 1));

    public static CacheResult<long> Fail(CacheError error) => CacheResult<long>.Failed(error);
}
