// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal readonly struct SortedSetGetRankOperation(
    CacheBytes name,
    CacheBytes element,
    SortedSetOrder order) : IOperation<SortedSetGetRankOperation, LookupResult<long>>
{
    public static OperationInfo Info => OperationTable.SortedSetGetRank;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, name);

    public int Measure() => Field.Measure(1, name) + Field.Measure(2, element) + ProtoWriter.VarintFieldLength(3, (ulong)order);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);
        Field.Write(ref writer, 2, element);
        writer.WriteVarintField(3, (ulong)order);
    }

    public static LookupResult<long> Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
    {
        1 => Answer.IsHit(content, 1) ? LookupResult<long>.Hit(Answer.ReadLong(content, 2)) : LookupResult<long>.Miss,
        2 => LookupResult<long>.Miss,
        _ => throw Answer.Unexpected("sortedSetGetRank"),
    };

    public static LookupResult<long> Fail(CacheError error) => LookupResult<long>.Failed(error);
}
