using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>The Lua scripts for calls on collections.</summary>
internal static class CollectionScripts
{
    public static readonly RedisScript CollectionAdd = FleetScripts.Load("collection-add", "part-tag-mark", "part-end-lease");
    public static readonly RedisScript CollectionAsk = FleetScripts.Load("collection-ask");
    public static readonly RedisScript CollectionDelete = FleetScripts.Load("collection-delete");
    public static readonly RedisScript CollectionFetch = FleetScripts.Load("collection-fetch");
    public static readonly RedisScript CollectionLookUp = FleetScripts.Load("collection-look-up");
    public static readonly RedisScript DictionaryIncrement = FleetScripts.Load("dictionary-increment", "part-tag-mark", "part-end-lease");
    public static readonly RedisScript ListErase = FleetScripts.Load("list-erase");
    public static readonly RedisScript ListFetch = FleetScripts.Load("list-fetch", "part-slice", "part-pieces");
    public static readonly RedisScript ListPop = FleetScripts.Load("list-pop");
    public static readonly RedisScript ListPush = FleetScripts.Load("list-push", "part-tag-mark", "part-end-lease");
    public static readonly RedisScript ListRemove = FleetScripts.Load("list-remove");
    public static readonly RedisScript ListRemovePart = FleetScripts.Load("list-remove-part");
    public static readonly RedisScript ListRetain = FleetScripts.Load("list-retain", "part-slice");
    public static readonly RedisScript SetPop = FleetScripts.Load("set-pop");
    public static readonly RedisScript SetRemove = FleetScripts.Load("set-remove");
    public static readonly RedisScript SetSample = FleetScripts.Load("set-sample");
    public static readonly RedisScript SetSubtractFrom = FleetScripts.Load("set-subtract-from");
    public static readonly RedisScript SortedSetFetch = FleetScripts.Load("sorted-set-fetch", "part-slice", "part-pieces");
    public static readonly RedisScript SortedSetIncrement = FleetScripts.Load("sorted-set-increment", "part-tag-mark", "part-end-lease");
    public static readonly RedisScript SortedSetReplace = FleetScripts.Load("sorted-set-replace", "part-tag-mark", "part-end-lease");
    public static readonly RedisScript SortedSetPlace = FleetScripts.Load("sorted-set-place");
    public static readonly RedisScript SortedSetUnion = FleetScripts.Load("sorted-set-union");

    /// <summary>All scripts.</summary>
    public static IReadOnlyList<RedisScript> All =>
    [
        CollectionAdd, CollectionAsk, CollectionDelete, CollectionFetch, CollectionLookUp, DictionaryIncrement, ListErase, ListFetch, ListPop,
        ListPush, ListRemove, ListRemovePart, ListRetain, SetPop, SetRemove, SetSample, SetSubtractFrom, SortedSetFetch, SortedSetIncrement,
        SortedSetReplace, SortedSetPlace, SortedSetUnion,
    ];
}
