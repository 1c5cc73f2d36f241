// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class SetIfOperation(
    CacheBytes key,
    CacheBytes value,
    ulong ttlMs,
    SetIfCondition condition,
    CacheBytes equal = default) : IOperation<SetIfOperation, SetIfResult>
{
    public static OperationInfo Info => OperationTable.SetIf;

    public int KeyLength => key.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, key);

    private bool HasEqual => condition is not (SetIfCondition.Present or SetIfCondition.Absent);

    public int Measure() => Field.Measure(1, key)
        + Field.Measure(2, value)
        + ProtoWriter.VarintFieldLength(3, ttlMs)
        + (HasEqual ? Field.MeasureNested((int)condition, equal) : ProtoWriter.BytesFieldLength((int)condition, 0));

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, key);
        Field.Write(ref writer, 2, value);
        writer.WriteVarintField(3, ttlMs);
        if (HasEqual)
        {
            Field.WriteNested(ref writer, (int)condition, equal);
        }
        else
        {
            writer.WriteLengthPrefix((int)condition, 0);
        }
    }

    public static SetIfResult Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out _) switch
    {
        1 => SetIfResult.Stored,
        2 => SetIfResult.NotStored,
        _ => throw Answer.Unexpected("setIf"),
    };

    public static SetIfResult Fail(CacheError error) => SetIfResult.Failed(error);
}

/// <summary>The fields of <c>SetIfRequest.condition</c>.</summary>
internal enum SetIfCondition
{
    Present = 4,
    PresentAndNotEqual = 5,
    Absent = 6,
    Equal = 7,
    AbsentOrEqual = 8,
    NotEqual = 9,
}
