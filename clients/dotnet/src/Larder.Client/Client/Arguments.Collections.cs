using System.Runtime.CompilerServices;

namespace Larder.Client;

/// <content>Checks the arguments of collection calls.</content>
internal static partial class Arguments
{
    /// <summary>The maximum number of elements in a request (COLL-6). If a caller passes an endless list, reading stops one element after this limit.</summary>
    public const int MaxElements = 1_048_576;

    /// <summary>
    /// Reads a caller's list once and returns a copy. Reads at most one element more than <see cref="MaxElements"/>. If the list is too long, the checks of
    /// this class then return an error.
    /// </summary>
    /// <exception cref="ArgumentNullException">The list is null.</exception>
    public static T[] Read<T>(IReadOnlyList<T> list, [CallerArgumentExpression(nameof(list))] string? name = null)
    {
        ArgumentNullException.ThrowIfNull(list, name);
        return [.. list.Take(MaxElements + 1)];
    }

    /// <summary>Returns null if the field is valid (at least one byte), otherwise the error.</summary>
    public static CacheError? CheckField(in CacheBytes field) =>
        !field.IsWellFormed ? Invalid("The field is not valid Unicode text.") : field.Length == 0 ? Invalid("A field must be at least 1 byte.") : null;

    /// <summary>Returns null if every field is valid and all fields fit in one message, otherwise the error.</summary>
    public static CacheError? CheckFields(CacheBytes[] fields) => CheckEach(fields, CheckField, static field => field.Length);

    /// <summary>Returns null if every element is valid (any bytes) and all elements fit in one message, otherwise the error.</summary>
    public static CacheError? CheckElements(CacheBytes[] elements) => CheckEach(elements, CheckValue, static element => element.Length);

    /// <summary>Returns null if every field and value is valid and all of them fit in one message, otherwise the error.</summary>
    public static CacheError? CheckItems(DictionaryItem[] items) => CheckEach(items, CheckItem, MeasureItem);

    /// <summary>Returns null if the field and its value are valid and fit in one message, otherwise the error.</summary>
    public static CacheError? CheckItem(in DictionaryItem item) =>
        CheckField(item.Field) ?? CheckValue(item.Value) ?? CheckSize(MeasureItem(item));

    /// <summary>Returns null if the element and its score are valid and fit in one message, otherwise the error.</summary>
    public static CacheError? CheckElement(in SortedSetElement element) =>
        CheckValue(element.Value) ?? CheckNumber(element.Score, "score") ?? CheckSize(element.Value.Length);

    /// <summary>Returns null if every element and score is valid and all of them fit in one message, otherwise the error.</summary>
    public static CacheError? CheckElements(SortedSetElement[] elements) => CheckEach(elements, CheckElement, static element => element.Value.Length);

    /// <summary>Returns null if every range is valid, otherwise the error.</summary>
    public static CacheError? CheckRanges(ListRange[] ranges) => CheckEach(
        ranges, static (in range) => CheckCount(range.Begin, "begin") ?? CheckCount(range.Count, "count"), static _ => 0);

    /// <summary>Returns null if every source is valid and all sources fit in one message, otherwise the error.</summary>
    public static CacheError? CheckSources(SortedSetSource[] sources) => CheckEach(
        sources, static (in source) => CheckKey(source.Name) ?? CheckNumber(source.Weight, "weight"), static source => source.Name.Length);

    /// <summary>Returns an error if the number is NaN, otherwise null.</summary>
    public static CacheError? CheckNumber(double number, string name) => double.IsNaN(number) ? Invalid($"The {name} must be a number, but is NaN.") : null;

    /// <summary>Returns an error if the score of the bound is NaN, otherwise null. A bound that is null is valid.</summary>
    public static CacheError? CheckBound(ScoreBound? bound, string name) => bound is { } given ? CheckNumber(given.Score, name) : null;

    /// <summary>Returns an error if the count is negative, otherwise null.</summary>
    public static CacheError? CheckCount(long count, string name) => count < 0 ? Invalid($"The {name} must be at least 0, but is {count}.") : null;

    private delegate CacheError? Check<T>(in T item);

    private static CacheError? CheckEach<T>(T[] items, Check<T> check, Func<T, long> measure)
    {
        if (items.Length > MaxElements)
        {
            return TooLarge($"A request must have at most {MaxElements} elements; split it.");
        }

        long bytes = 0;
        foreach (ref readonly T item in items.AsSpan())
        {
            if (check(item) is { } error)
            {
                return error;
            }

            bytes += measure(item);
        }

        return CheckSize(bytes);
    }

    private static long MeasureItem(DictionaryItem item) => (long)item.Field.Length + item.Value.Length;

    /// <summary>Returns null if a request of this size fits in one message, otherwise the error.</summary>
    public static CacheError? CheckSize(long bytes) =>
        bytes > BatchParts.MaxMessageBytes ? TooLarge($"A request must have at most {BatchParts.MaxMessageBytes} bytes; split it.") : null;

    private static CacheError TooLarge(string reason) => new(CacheErrorCode.LimitExceeded, reason) { Cause = RequestSizeLimit };

    // The cause that the server would return for a request that is too large (LIM-2).
    private const string RequestSizeLimit = "request_size_limit_exceeded";
}
