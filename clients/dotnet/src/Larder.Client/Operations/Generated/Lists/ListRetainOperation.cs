// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class ListRetainOperation(CacheBytes name, int? start, int? end, WireTtl ttl) : IOperation<ListRetainOperation, LookupResult<int>>
{
    public static OperationInfo Info => OperationTable.ListRetain;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, name);

    public int Measure() => Field.Measure(1, name) + Field.MeasureIndex(3, start) + Field.MeasureIndex(5, end) + Field.MeasureTtl(6, ttl);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);
        Field.WriteIndex(ref writer, 3, 2, start);
        Field.WriteIndex(ref writer, 5, 4, end);
        Field.WriteTtl(ref writer, 6, 7, ttl);
    }

    public static LookupResult<int> Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
    {
        1 => LookupResult<int>.Hit(Answer.ReadInt(content, 1)),
        2 => LookupResult<int>.Miss,
        _ => throw Answer.Unexpected("listRetain"),
    };

    public static LookupResult<int> Fail(CacheError error) => LookupResult<int>.Failed(error);
}
