using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal readonly struct SetIfOperation(CacheBytes key, CacheBytes value, ulong ttlMs, SetCondition condition, CacheBytes comparand = default)
    : IOperation<SetIfOperation, SetIfResponse>
{
    private readonly CacheBytes _key = key;
    private readonly CacheBytes _value = value;
    private readonly CacheBytes _comparand = comparand;

    public static OperationInfo Info { get; } = OperationInfo.Data("setIf", "SetIf", 10, isIdempotent: false);

    public int KeyLength => _key.Length;

    private bool Compares => condition is not (SetCondition.Present or SetCondition.Absent);

    public int Measure() => Field.MeasureItem(_key, _value, ttlMs)
        + (Compares ? Field.MeasureNested((int)condition, _comparand) : ProtoWriter.BytesFieldLength((int)condition, 0));

    public void Write(ref ProtoWriter writer)
    {
        Field.WriteItem(ref writer, _key, _value, ttlMs);
        if (Compares)
        {
            Field.WriteNested(ref writer, (int)condition, _comparand);
        }
        else
        {
            writer.WriteLengthPrefix((int)condition, 0);
        }
    }

    public static SetIfResponse Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out _) switch
    {
        1 => SetIfResponse.Stored.Instance,
        2 => SetIfResponse.NotStored.Instance,
        _ => throw Answer.Unexpected("setIf"),
    };

    public static SetIfResponse Fail(CacheError error) => new SetIfResponse.Error(error);
}
