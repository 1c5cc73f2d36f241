namespace Larder.Server.Calls;

/// <summary>The suggested alternatives to a response that is too large (COLL-8).</summary>
internal static class Instead
{
    public const string OfDictionaryFetch = "ask for some fields with DictionaryGet";
    public const string OfDictionaryGet = "ask for fewer fields with each DictionaryGet";
    public const string OfListFetch = "ask for a part with ListFetch and a start and an end";
    public const string OfSetContains = "ask for fewer elements with each SetContains";
    public const string OfSetFetch = "ask for some elements with SetSample, or take parts with SetPop";
    public const string OfSetPop = "take fewer elements with each SetPop";
    public const string OfSetSample = "ask for fewer elements with each SetSample";
    public const string OfSortedSetFetch = "ask for a part with SortedSetFetch and a start and an end, or a count";
    public const string OfSortedSetGetScore = "ask for fewer elements with each SortedSetGetScore";
}
