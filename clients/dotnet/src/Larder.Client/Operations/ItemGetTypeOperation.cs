using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal readonly struct ItemGetTypeOperation(CacheBytes key) : IOperation<ItemGetTypeOperation, ItemGetTypeResponse>
{
    private readonly CacheBytes _key = key;

    public static OperationInfo Info { get; } = OperationInfo.Data("itemGetType", "ItemGetType", 18, isIdempotent: true);

    public int KeyLength => _key.Length;

    public int Measure() => Field.MeasureKey(_key);

    public void Write(ref ProtoWriter writer) => Field.Write(ref writer, Field.Key, _key);

    public static ItemGetTypeResponse Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
    {
        1 => new ItemGetTypeResponse.Found((CacheItemType)Answer.ReadVarint(content, 1)),
        2 => ItemGetTypeResponse.Missing.Instance,
        _ => throw Answer.Unexpected("itemGetType"),
    };

    public static ItemGetTypeResponse Fail(CacheError error) => new ItemGetTypeResponse.Error(error);
}
