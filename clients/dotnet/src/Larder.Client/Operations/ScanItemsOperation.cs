using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class ScanItemsOperation(CacheBytes name, CacheBytes cursor, uint count) : IOperation<ScanItemsOperation, LookupResult<CollectionPage>>
{
    private const int NameField = 1;
    private const int CursorField = 2;
    private const int CountField = 3;

    // The fields of the response. Each type of collection has its own field: a message whose field 1 contains the entries. The last field is the cursor.
    private const int Dictionary = 1;
    private const int Set = 2;
    private const int List = 3;
    private const int SortedSet = 4;
    private const int Missing = 5;
    private const int NextCursor = 9;

    public static OperationInfo Info => OperationTable.ScanItems;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, name);

    public int Measure() =>
        Field.Measure(NameField, name) + Field.Measure(CursorField, cursor) + ProtoWriter.VarintFieldLength(CountField, count);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, NameField, name);
        Field.Write(ref writer, CursorField, cursor);
        writer.WriteVarintField(CountField, count);
    }

    public static LookupResult<CollectionPage> Decode(ReadOnlySpan<byte> payload)
    {
        int branch = 0;
        ReadOnlySpan<byte> content = default;
        ReadOnlySpan<byte> next = default;
        ProtoReader reader = new(payload);
        while (reader.NextField())
        {
            int field = reader.Field;
            if (reader.WireType != ProtoWireType.LengthDelimited)
            {
                reader.TrySkip();
            }
            else if (reader.TryReadBytes(out ReadOnlySpan<byte> bytes) && field is >= Dictionary and <= Missing)
            {
                branch = field;
                content = bytes;
            }
            else if (field == NextCursor)
            {
                next = bytes;
            }
        }

        Answer.ThrowIfMalformed(reader);
        return branch switch
        {
            Dictionary => Page(new(CacheItemType.Dictionary, next.ToArray()) { Fields = Answer.ReadItems(content, 1) }),
            Set => Page(new(CacheItemType.Set, next.ToArray()) { Elements = Answer.ReadList(content, 1) }),
            List => Page(new(CacheItemType.List, next.ToArray()) { Elements = Answer.ReadList(content, 1) }),
            SortedSet => Page(new(CacheItemType.SortedSet, next.ToArray()) { ScoredElements = Answer.ReadElements(content, 1) }),
            Missing => LookupResult<CollectionPage>.Miss,
            _ => throw Answer.Unexpected("scanItems"),
        };
    }

    public static LookupResult<CollectionPage> Fail(CacheError error) => LookupResult<CollectionPage>.Failed(error);

    private static LookupResult<CollectionPage> Page(CollectionPage page) => LookupResult<CollectionPage>.Hit(page);
}
