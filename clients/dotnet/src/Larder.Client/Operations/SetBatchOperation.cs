using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class SetBatchOperation(IReadOnlyList<SetBatchItem> items, ulong defaultTtlMs)
    : IOperation<SetBatchOperation, CacheResult<IReadOnlyList<CacheResult>>>
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

    public static IAnswerCollector<CacheResult<IReadOnlyList<CacheResult>>>? Collect(in SetBatchOperation operation) =>
        new ListCollector<CacheResult, CacheResult<IReadOnlyList<CacheResult>>>(
            operation.ItemCount, SetOperation.Decode, static answers => CacheResult<IReadOnlyList<CacheResult>>.Success(answers));

    public static CacheResult<IReadOnlyList<CacheResult>> Decode(ReadOnlySpan<byte> payload) =>
        CacheResult<IReadOnlyList<CacheResult>>.Success(ListCollector.ReadAll(payload, SetOperation.Decode));

    public static void Require(in SetBatchOperation operation, CacheResult<IReadOnlyList<CacheResult>> response) =>
        Answer.RequireCount(response, operation.ItemCount);

    public static CacheResult<IReadOnlyList<CacheResult>> Fail(CacheError error) => CacheResult<IReadOnlyList<CacheResult>>.Failed(error);

    /// <summary>Returns the length of an item in the message, in bytes.</summary>
    public static int MeasureItem(in SetBatchItem item, ulong defaultTtlMs) =>
        ProtoWriter.BytesFieldLength(1, Field.MeasureItem(item.Key, item.Value, TtlOf(item, defaultTtlMs)));

    private static ulong TtlOf(in SetBatchItem item, ulong defaultTtlMs) => item.Ttl is { } ttl ? Math.Max(1, (ulong)ttl.TotalMilliseconds) : defaultTtlMs;
}
