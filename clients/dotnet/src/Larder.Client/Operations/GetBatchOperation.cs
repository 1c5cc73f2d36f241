using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class GetBatchOperation(IReadOnlyList<CacheBytes> keys) : IOperation<GetBatchOperation, GetBatchResponse>
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

    public static IAnswerCollector<GetBatchResponse>? Collect(in GetBatchOperation operation) =>
        new ListCollector<GetResponse, GetBatchResponse>(operation.ItemCount, GetOperation.Decode, static items => new GetBatchResponse.Success(items));

    public static GetBatchResponse Decode(ReadOnlySpan<byte> payload) =>
        new GetBatchResponse.Success(ListCollector.ReadAll(payload, GetOperation.Decode));

    public static void Require(in GetBatchOperation operation, GetBatchResponse response) =>
        Answer.RequireCount((response as GetBatchResponse.Success)?.Responses.Count, operation.ItemCount);

    public static GetBatchResponse Fail(CacheError error) => new GetBatchResponse.Error(error);
}
