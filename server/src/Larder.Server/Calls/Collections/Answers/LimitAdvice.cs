namespace Larder.Server.Calls;

/// <summary>The alternatives that error messages suggest if a response is too large (COLL-8).</summary>
internal static class LimitAdvice
{
    public const string OfDictionaryFetch = "request single fields with DictionaryGet";
    public const string OfDictionaryGet = "request fewer fields with each DictionaryGet";
    public const string OfListFetch = "request a slice by passing a start and an end to ListFetch";
    public const string OfSetContains = "request fewer elements with each SetContains";
    public const string OfSetFetch = "request some elements with SetSample, or remove some with SetPop";
    public const string OfSetPop = "request fewer elements with each SetPop";
    public const string OfSetSample = "request fewer elements with each SetSample";
    public const string OfSortedSetFetch = "request a slice by passing a start and an end, or a count, to SortedSetFetch";
    public const string OfSortedSetGetScore = "request fewer elements with each SortedSetGetScore";
}
