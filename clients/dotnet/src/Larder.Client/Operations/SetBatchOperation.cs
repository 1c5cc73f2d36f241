using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal readonly struct SetBatchOperation(IReadOnlyList<SetBatchItem> items, ulong defaultTtlMs) : IOperation<SetBatchOperation, SetBatchResponse>
{
    public static OperationInfo Info { get; } = OperationInfo.Data("setBatch", "SetBatch", 15, isIdempotent: true);

    public int KeyLength => items.Count > 0 ? items[0].Key.Length : 0;

    private int ItemCount => items.Count;

    public int Measure()
    {
        int length = 0;
        foreach (SetBatchItem item in items)
        {
            length += ProtoWriter.BytesFieldLength(1, Field.MeasureItem(item.Key, item.Value, TtlOf(item)));
        }

        return length;
    }

    public void Write(ref ProtoWriter writer)
    {
        foreach (SetBatchItem item in items)
        {
            writer.WriteLengthPrefix(1, Field.MeasureItem(item.Key, item.Value, TtlOf(item)));
            Field.WriteItem(ref writer, item.Key, item.Value, TtlOf(item));
        }
    }

    public static IAnswerCollector<SetBatchResponse>? Collect(in SetBatchOperation operation) =>
        new ListCollector<SetResponse, SetBatchResponse>(operation.ItemCount, SetOperation.Decode, static answers => new SetBatchResponse.Success(answers));

    public static SetBatchResponse Decode(ReadOnlySpan<byte> payload) =>
        new SetBatchResponse.Success(ListCollector.ReadAll(payload, SetOperation.Decode));

    public static SetBatchResponse Fail(CacheError error) => new SetBatchResponse.Error(error);

    private ulong TtlOf(in SetBatchItem item) => item.Ttl is { } ttl ? (ulong)ttl.TotalMilliseconds : defaultTtlMs;
}
