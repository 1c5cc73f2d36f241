// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class ListConcatenateBackOperation(
    CacheBytes name,
    CacheBytes[] values,
    WireTtl ttl,
    int truncateFrontToSize) : IOperation<ListConcatenateBackOperation, CacheResult<int>>
{
    public static OperationInfo Info => OperationTable.ListConcatenateBack;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, name);

    public int Measure() => Field.Measure(1, name)
        + Field.Measure(2, values)
        + Field.MeasureTtl(3, ttl)
        + ProtoWriter.VarintFieldLength(5, (ulong)truncateFrontToSize);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);
        Field.Write(ref writer, 2, values);
        Field.WriteTtl(ref writer, 3, 4, ttl);
        writer.WriteVarintField(5, (ulong)truncateFrontToSize);
    }

    public static CacheResult<int> Decode(ReadOnlySpan<byte> payload) =>
        CacheResult<int>.Success(Answer.ReadInt(payload, 1));

    public static CacheResult<int> Fail(CacheError error) => CacheResult<int>.Failed(error);
}
