// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class ItemGetTtlOperation(CacheBytes key) : IOperation<ItemGetTtlOperation, LookupResult<TimeSpan>>
{
    public static OperationInfo Info => OperationTable.ItemGetTtl;

    public int KeyLength => key.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, key);

    public int Measure() => Field.Measure(1, key);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, key);
    }

    public static LookupResult<TimeSpan> Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
    {
        1 => LookupResult<TimeSpan>.Hit(Answer.ReadDuration(content, 1)),
        2 => LookupResult<TimeSpan>.Miss,
        _ => throw Answer.Unexpected("itemGetTtl"),
    };

    public static LookupResult<TimeSpan> Fail(CacheError error) => LookupResult<TimeSpan>.Failed(error);
}
