// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class SortedSetFetchByScoreOperation(
    CacheBytes name,
    SortedSetOrder order,
    ScoreBound? min,
    ScoreBound? max,
    int offset,
    int count) : IOperation<SortedSetFetchByScoreOperation, LookupResult<IReadOnlyList<ScoredElement>>>
{
    public static OperationInfo Info => OperationTable.SortedSetFetchByScore;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, name);

    private int ByScoreLength => Field.MeasureBound(2, min)
        + Field.MeasureBound(4, max)
        + ProtoWriter.VarintFieldLength(5, (ulong)offset)
        + Field.MeasureSigned(6, count);

    public int Measure() => Field.Measure(1, name)
        + ProtoWriter.VarintFieldLength(2, (ulong)order)
        + ProtoWriter.VarintFieldLength(3, 1)
        + ProtoWriter.BytesFieldLength(5, ByScoreLength);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);
        writer.WriteVarintField(2, (ulong)order);
        writer.WriteVarintField(3, 1);

        int length = ByScoreLength;
        writer.WriteLengthPrefix(5, length);
        Field.WriteBound(ref writer, 2, 1, min);
        Field.WriteBound(ref writer, 4, 3, max);
        writer.WriteVarintField(5, (ulong)offset);
        Field.WriteSigned(ref writer, 6, count);
    }

    public static LookupResult<IReadOnlyList<ScoredElement>> Decode(ReadOnlySpan<byte> payload) =>
        Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
        {
            1 => LookupResult<IReadOnlyList<ScoredElement>>.Hit(Answer.ReadElements(Answer.ReadBranch(content, 1), 1)),
            2 => LookupResult<IReadOnlyList<ScoredElement>>.Miss,
            _ => throw Answer.Unexpected("sortedSetFetchByScore"),
        };

    public static LookupResult<IReadOnlyList<ScoredElement>> Fail(CacheError error) => LookupResult<IReadOnlyList<ScoredElement>>.Failed(error);
}
