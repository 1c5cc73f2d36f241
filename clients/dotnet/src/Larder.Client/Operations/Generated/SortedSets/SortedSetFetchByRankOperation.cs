// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class SortedSetFetchByRankOperation(
    CacheBytes name,
    SortedSetOrder order,
    int? start,
    int? end) : IOperation<SortedSetFetchByRankOperation, LookupResult<IReadOnlyList<ScoredElement>>>
{
    public static OperationInfo Info => OperationTable.SortedSetFetchByRank;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, name);

    private int ByIndexLength => Field.MeasureIndex(2, start) + Field.MeasureIndex(4, end);

    public int Measure() => Field.Measure(1, name)
        + ProtoWriter.VarintFieldLength(2, (ulong)order)
        + ProtoWriter.VarintFieldLength(3, 1)
        + ProtoWriter.BytesFieldLength(4, ByIndexLength);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);
        writer.WriteVarintField(2, (ulong)order);
        writer.WriteVarintField(3, 1);

        int length = ByIndexLength;
        writer.WriteLengthPrefix(4, length);
        Field.WriteIndex(ref writer, 2, 1, start);
        Field.WriteIndex(ref writer, 4, 3, end);
    }

    public static LookupResult<IReadOnlyList<ScoredElement>> Decode(ReadOnlySpan<byte> payload) =>
        Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
        {
            1 => LookupResult<IReadOnlyList<ScoredElement>>.Hit(Answer.ReadElements(Answer.ReadBranch(content, 1), 1)),
            2 => LookupResult<IReadOnlyList<ScoredElement>>.Miss,
            _ => throw Answer.Unexpected("sortedSetFetchByRank"),
        };

    public static LookupResult<IReadOnlyList<ScoredElement>> Fail(CacheError error) => LookupResult<IReadOnlyList<ScoredElement>>.Failed(error);
}
