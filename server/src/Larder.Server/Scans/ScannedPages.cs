using Google.Protobuf;
using Larder.Protocol;
using Larder.Store;
using Larder.Store.Collections;

namespace Larder.Server.Scans;

/// <summary>Converts pages to response messages without copying their bytes.</summary>
internal static class ScannedPages
{
    public static ScanKeysResponse Of(KeyPage page)
    {
        ScanKeysResponse answer = new() { Cursor = UnsafeByteOperations.UnsafeWrap(page.Cursor) };
        foreach (Store.ScannedKey key in page.Keys)
        {
            answer.Keys.Add(new Protocol.ScannedKey
            {
                Key = UnsafeByteOperations.UnsafeWrap(key.Key),
                Type = (KeyType)((int)key.Type + 1),
                TtlMs = (ulong)key.RemainingMs,
                Bytes = (ulong)key.Bytes,
            });
        }

        return answer;
    }

    /// <param name="page">A page of a collection; null if the key does not exist.</param>
    public static ScanItemsResponse Of(ElementPage? page)
    {
        if (page is null)
        {
            return new ScanItemsResponse { Missing = new ScannedNothing() };
        }

        ScanItemsResponse answer = new() { Cursor = UnsafeByteOperations.UnsafeWrap(page.Cursor) };
        switch (page.Type)
        {
            case ItemType.Dictionary:
                answer.Dictionary = new ScannedFields { Fields = { page.Elements.Select(each => Field(page, each)) } };
                break;
            case ItemType.Set:
                answer.Set = new ScannedElements { Elements = { page.Elements.Select(each => Name(page, each)) } };
                break;
            case ItemType.List:
                answer.List = new ScannedElements { Elements = { page.Elements.Select(each => Name(page, each)) } };
                break;
            default:
                answer.SortedSet = new ScannedScores
                {
                    Elements = { page.Elements.Select(each => new ScannedScore { Value = Name(page, each), Score = each.Score }) },
                };
                break;
        }

        return answer;
    }

    private static ScannedField Field(ElementPage page, CollectionItem item) => new()
    {
        Field = Name(page, item),
        Value = UnsafeByteOperations.UnsafeWrap(page.Bytes.Slice(item.ValueAt, item.ValueLength)),
    };

    private static ByteString Name(ElementPage page, CollectionItem item) =>
        UnsafeByteOperations.UnsafeWrap(page.Bytes.Slice(item.NameAt, item.NameLength));
}
