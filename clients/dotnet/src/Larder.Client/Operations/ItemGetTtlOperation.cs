using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal readonly struct ItemGetTtlOperation(CacheBytes key) : IOperation<ItemGetTtlOperation, ItemGetTtlResponse>
{
    private readonly CacheBytes _key = key;

    public static OperationInfo Info { get; } = OperationInfo.Data("itemGetTtl", "ItemGetTtl", 12, isIdempotent: true);

    public int KeyLength => _key.Length;

    public int Measure() => Field.MeasureKey(_key);

    public void Write(ref ProtoWriter writer) => Field.Write(ref writer, Field.Key, _key);

    public static ItemGetTtlResponse Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
    {
        1 => new ItemGetTtlResponse.Found(TimeSpan.FromMilliseconds(Math.Min(Answer.ReadVarint(content, 1), (ulong)TimeSpan.MaxValue.TotalMilliseconds / 2))),
        2 => ItemGetTtlResponse.Missing.Instance,
        _ => throw Answer.Unexpected("itemGetTtl"),
    };

    public static ItemGetTtlResponse Fail(CacheError error) => new ItemGetTtlResponse.Error(error);
}
