// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class SortedSetGetScoreOperation(
    CacheBytes name,
    CacheBytes[] elements) : IOperation<SortedSetGetScoreOperation, LookupResult<IReadOnlyList<double?>>>
{
    public static OperationInfo Info => OperationTable.SortedSetGetScore;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, name);

    private int Asked => elements.Length;

    public int Measure() => Field.Measure(1, name) + Field.Measure(2, elements);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);
        Field.Write(ref writer, 2, elements);
    }

    public static LookupResult<IReadOnlyList<double?>> Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
    {
        1 => LookupResult<IReadOnlyList<double?>>.Hit(Answer.ReadScores(content, 1, 1)),
        2 => LookupResult<IReadOnlyList<double?>>.Miss,
        _ => throw Answer.Unexpected("sortedSetGetScore"),
    };

    public static void Require(in SortedSetGetScoreOperation operation, LookupResult<IReadOnlyList<double?>> response) =>
        Answer.RequireCount(response, operation.Asked);

    public static LookupResult<IReadOnlyList<double?>> Fail(CacheError error) => LookupResult<IReadOnlyList<double?>>.Failed(error);
}
