using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal readonly struct SetIfHashOperation(CacheBytes key, CacheBytes value, ulong ttlMs, HashCondition condition, CacheBytes hash = default)
    : IOperation<SetIfHashOperation, SetIfHashResponse>
{
    private readonly CacheBytes _key = key;
    private readonly CacheBytes _value = value;
    private readonly CacheBytes _hash = hash;

    public static OperationInfo Info { get; } = OperationInfo.Data("setIfHash", "SetIfHash", 17, isIdempotent: false);

    public int KeyLength => _key.Length;

    public int Measure() => Field.MeasureItem(_key, _value, ttlMs)
        + (condition == HashCondition.Unconditional ? ProtoWriter.BytesFieldLength((int)condition, 0) : Field.MeasureNested((int)condition, _hash));

    public void Write(ref ProtoWriter writer)
    {
        Field.WriteItem(ref writer, _key, _value, ttlMs);
        if (condition == HashCondition.Unconditional)
        {
            writer.WriteLengthPrefix((int)condition, 0);
        }
        else
        {
            Field.WriteNested(ref writer, (int)condition, _hash);
        }
    }

    public static SetIfHashResponse Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
    {
        1 => new SetIfHashResponse.Stored(Answer.ReadBytes(content, 1).ToArray()),
        2 => SetIfHashResponse.NotStored.Instance,
        _ => throw Answer.Unexpected("setIfHash"),
    };

    public static SetIfHashResponse Fail(CacheError error) => new SetIfHashResponse.Error(error);
}
