using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class SetBatchOperation(IReadOnlyList<SetBatchItem> items, ulong defaultTtlMs) : IOperation<SetBatchOperation, SetBatchResponse>
{
    public static OperationInfo Info => OperationTable.SetBatch;

    public int KeyLength => items.Count > 0 ? items[0].Key.Length : 0;

    public void EndCopies(NearReads near, string cache)
    {
        foreach (SetBatchItem each in items)
        {
            near.Ended(cache, each.Key);
        }
    }

    public static int BatchSizeOf(in SetBatchOperation operation) => operation.ItemCount;

    private int ItemCount => items.Count;

    public int Measure()
    {
        int length = 0;
        foreach (SetBatchItem item in items)
        {
            length += MeasureItem(item, defaultTtlMs);
        }

        return length;
    }

    public void Write(ref ProtoWriter writer)
    {
        foreach (SetBatchItem item in items)
        {
            ulong ttlMs = TtlOf(item, defaultTtlMs);
            writer.WriteLengthPrefix(1, Field.MeasureItem(item.Key, item.Value, ttlMs));
            Field.WriteItem(ref writer, item.Key, item.Value, ttlMs);
        }
    }

    public static IAnswerCollector<SetBatchResponse>? Collect(in SetBatchOperation operation) =>
        new ListCollector<SetResponse, SetBatchResponse>(operation.ItemCount, SetOperation.Decode, static answers => new SetBatchResponse.Success(answers));

    public static SetBatchResponse Decode(ReadOnlySpan<byte> payload) =>
        new SetBatchResponse.Success(ListCollector.ReadAll(payload, SetOperation.Decode));

    public static void Require(in SetBatchOperation operation, SetBatchResponse response) =>
        Answer.RequireCount((response as SetBatchResponse.Success)?.Responses.Count, operation.ItemCount);

    public static SetBatchResponse Fail(CacheError error) => new SetBatchResponse.Error(error);

    /// <summary>Returns the length of an item in the message, in bytes.</summary>
    public static int MeasureItem(in SetBatchItem item, ulong defaultTtlMs) =>
        ProtoWriter.BytesFieldLength(1, Field.MeasureItem(item.Key, item.Value, TtlOf(item, defaultTtlMs)));

    private static ulong TtlOf(in SetBatchItem item, ulong defaultTtlMs) => item.Ttl is { } ttl ? Math.Max(1, (ulong)ttl.TotalMilliseconds) : defaultTtlMs;
}
