// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class SortedSetLengthByScoreOperation(
    CacheBytes name,
    ScoreBound? min,
    ScoreBound? max) : IOperation<SortedSetLengthByScoreOperation, LookupResult<int>>
{
    public static OperationInfo Info => OperationTable.SortedSetLengthByScore;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, name);

    public int Measure() => Field.Measure(1, name) + Field.MeasureScore(2, min) + Field.MeasureScore(5, max);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);
        Field.WriteScore(ref writer, 2, 3, 4, min);
        Field.WriteScore(ref writer, 5, 6, 7, max);
    }

    public static LookupResult<int> Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
    {
        1 => LookupResult<int>.Hit(Answer.ReadInt(content, 1)),
        2 => LookupResult<int>.Miss,
        _ => throw Answer.Unexpected("sortedSetLengthByScore"),
    };

    public static LookupResult<int> Fail(CacheError error) => LookupResult<int>.Failed(error);
}
