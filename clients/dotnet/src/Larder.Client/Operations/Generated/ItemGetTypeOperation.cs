// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class ItemGetTypeOperation(CacheBytes key) : IOperation<ItemGetTypeOperation, LookupResult<CacheItemType>>
{
    public static OperationInfo Info => OperationTable.ItemGetType;

    public int KeyLength => key.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, key);

    public int Measure() => Field.Measure(1, key);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, key);
    }

    public static LookupResult<CacheItemType> Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
    {
        1 => LookupResult<CacheItemType>.Hit((CacheItemType)Answer.ReadVarint(content, 1)),
        2 => LookupResult<CacheItemType>.Miss,
        _ => throw Answer.Unexpected("itemGetType"),
    };

    public static LookupResult<CacheItemType> Fail(CacheError error) => LookupResult<CacheItemType>.Failed(error);
}
