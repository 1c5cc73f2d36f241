using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class GetBatchOperation(IReadOnlyList<CacheBytes> keys) : IOperation<GetBatchOperation, CacheResult<IReadOnlyList<LookupResult<CacheValue>>>>
{
    public static OperationInfo Info => OperationTable.GetBatch;

    public int KeyLength => keys.Count > 0 ? keys[0].Length : 0;

    public void EndCopies(NearReads near, string cache)
    {
        foreach (CacheBytes each in keys)
        {
            near.Ended(cache, each);
        }
    }

    public static int BatchSizeOf(in GetBatchOperation operation) => operation.ItemCount;

    private int ItemCount => keys.Count;

    public int Measure()
    {
        int length = 0;
        foreach (CacheBytes key in keys)
        {
            length += Field.MeasureNested(1, key);
        }

        return length;
    }

    public void Write(ref ProtoWriter writer)
    {
        foreach (CacheBytes key in keys)
        {
            Field.WriteNested(ref writer, 1, key);
        }
    }

    public static IAnswerCollector<CacheResult<IReadOnlyList<LookupResult<CacheValue>>>>? Collect(in GetBatchOperation operation) =>
        new ListCollector<LookupResult<CacheValue>, CacheResult<IReadOnlyList<LookupResult<CacheValue>>>>(
            operation.ItemCount, GetOperation.Decode, static items => CacheResult<IReadOnlyList<LookupResult<CacheValue>>>.Success(items));

    public static CacheResult<IReadOnlyList<LookupResult<CacheValue>>> Decode(ReadOnlySpan<byte> payload) =>
        CacheResult<IReadOnlyList<LookupResult<CacheValue>>>.Success(ListCollector.ReadAll(payload, GetOperation.Decode));

    public static void Require(in GetBatchOperation operation, CacheResult<IReadOnlyList<LookupResult<CacheValue>>> response) =>
        Answer.RequireCount(response, operation.ItemCount);

    public static CacheResult<IReadOnlyList<LookupResult<CacheValue>>> Fail(CacheError error) =>
        CacheResult<IReadOnlyList<LookupResult<CacheValue>>>.Failed(error);
}
