// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class SetIfHashOperation(
    CacheBytes key,
    CacheBytes value,
    ulong ttlMs,
    SetIfHashCondition condition,
    CacheBytes hash = default) : IOperation<SetIfHashOperation, SetIfHashResult>
{
    public static OperationInfo Info => OperationTable.SetIfHash;

    public int KeyLength => key.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, key);

    private bool HasHash => condition != SetIfHashCondition.Unconditional;

    public int Measure() => Field.Measure(1, key)
        + Field.Measure(2, value)
        + ProtoWriter.VarintFieldLength(3, ttlMs)
        + (HasHash ? Field.MeasureNested((int)condition, hash) : ProtoWriter.BytesFieldLength((int)condition, 0));

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, key);
        Field.Write(ref writer, 2, value);
        writer.WriteVarintField(3, ttlMs);
        if (HasHash)
        {
            Field.WriteNested(ref writer, (int)condition, hash);
        }
        else
        {
            writer.WriteLengthPrefix((int)condition, 0);
        }
    }

    public static SetIfHashResult Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
    {
        1 => SetIfHashResult.Stored(Answer.ReadBytes(content, 1).ToArray()),
        2 => SetIfHashResult.NotStored,
        _ => throw Answer.Unexpected("setIfHash"),
    };

    public static SetIfHashResult Fail(CacheError error) => SetIfHashResult.Failed(error);
}

/// <summary>The fields of <c>SetIfHashRequest.condition</c>.</summary>
internal enum SetIfHashCondition
{
    PresentAndNotHashEqual = 4,
    PresentAndHashEqual = 5,
    AbsentOrHashEqual = 6,
    AbsentOrNotHashEqual = 7,
    Unconditional = 8,
}
