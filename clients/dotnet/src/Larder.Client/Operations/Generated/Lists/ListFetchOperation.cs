// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class ListFetchOperation(CacheBytes name, int? start, int? end) : IOperation<ListFetchOperation, LookupResult<IReadOnlyList<CacheValue>>>
{
    public static OperationInfo Info => OperationTable.ListFetch;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, name);

    public int Measure() => Field.Measure(1, name) + Field.MeasureIndex(3, start) + Field.MeasureIndex(5, end);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);
        Field.WriteIndex(ref writer, 3, 2, start);
        Field.WriteIndex(ref writer, 5, 4, end);
    }

    public static LookupResult<IReadOnlyList<CacheValue>> Decode(ReadOnlySpan<byte> payload) =>
        Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
        {
            1 => LookupResult<IReadOnlyList<CacheValue>>.Hit(Answer.ReadList(content, 1)),
            2 => LookupResult<IReadOnlyList<CacheValue>>.Miss,
            _ => throw Answer.Unexpected("listFetch"),
        };

    public static LookupResult<IReadOnlyList<CacheValue>> Fail(CacheError error) => LookupResult<IReadOnlyList<CacheValue>>.Failed(error);
}
