using System.Runtime.CompilerServices;

namespace Larder.Client;

/// <content>What callers give to collections.</content>
internal static partial class Arguments
{
    /// <summary>Most elements of one request (COLL-6): a list of the caller's need not end.</summary>
    public const int MaxElements = 1_048_576;

    /// <summary>Reads a caller's list, once; not beyond one more than <see cref="MaxElements"/>, which its check refuses.</summary>
    /// <exception cref="ArgumentNullException">There is no list.</exception>
    public static T[] Read<T>(IReadOnlyList<T> list, [CallerArgumentExpression(nameof(list))] string? name = null)
    {
        ArgumentNullException.ThrowIfNull(list, name);
        return [.. list.Take(MaxElements + 1)];
    }

    /// <summary>Null where the field is one: at least one byte.</summary>
    public static CacheError? CheckField(in CacheBytes field) =>
        !field.IsWellFormed ? Invalid("The field is no well-formed Unicode text.") : field.Length == 0 ? Invalid("A field has at least one byte.") : null;

    /// <summary>Null where every field is one, and they fit a message.</summary>
    public static CacheError? CheckFields(CacheBytes[] fields) => CheckEach(fields, CheckField, static field => field.Length);

    /// <summary>Null where every element is one, any bytes, and they fit a message.</summary>
    public static CacheError? CheckElements(CacheBytes[] elements) => CheckEach(elements, CheckValue, static element => element.Length);

    /// <summary>Null where every field and its value may be stored, and they fit a message.</summary>
    public static CacheError? CheckItems(DictionaryItem[] items) => CheckEach(items, CheckItem, MeasureItem);

    /// <summary>Null where a field and its value may be stored, and they fit a message.</summary>
    public static CacheError? CheckItem(in DictionaryItem item) =>
        CheckField(item.Field) ?? CheckValue(item.Value) ?? CheckSize(MeasureItem(item));

    /// <summary>Null where an element and its score may be stored, and they fit a message.</summary>
    public static CacheError? CheckElement(in SortedSetElement element) =>
        CheckValue(element.Value) ?? CheckNumber(element.Score, "score") ?? CheckSize(element.Value.Length);

    /// <summary>Null where every element and its score may be stored, and they fit a message.</summary>
    public static CacheError? CheckElements(SortedSetElement[] elements) => CheckEach(elements, CheckElement, static element => element.Value.Length);

    /// <summary>Null where every range is one.</summary>
    public static CacheError? CheckRanges(ListRange[] ranges) => CheckEach(
        ranges, static (in range) => CheckCount(range.Begin, "begin") ?? CheckCount(range.Count, "count"), static _ => 0);

    /// <summary>Null where every source is one, and they fit a message.</summary>
    public static CacheError? CheckSources(SortedSetSource[] sources) => CheckEach(
        sources, static (in source) => CheckKey(source.Name) ?? CheckNumber(source.Weight, "weight"), static source => source.Name.Length);

    /// <summary>Null where it is a number, or infinite.</summary>
    public static CacheError? CheckNumber(double number, string name) => double.IsNaN(number) ? Invalid($"The {name} is no number.") : null;

    /// <summary>Null where there is no bound, or its score is a number, or infinite.</summary>
    public static CacheError? CheckBound(ScoreBound? bound, string name) => bound is { } given ? CheckNumber(given.Score, name) : null;

    /// <summary>Null where it is 0 or more.</summary>
    public static CacheError? CheckCount(long count, string name) => count < 0 ? Invalid($"The {name} is below 0.") : null;

    private delegate CacheError? Check<T>(in T item);

    private static CacheError? CheckEach<T>(T[] items, Check<T> check, Func<T, long> measure)
    {
        if (items.Length > MaxElements)
        {
            return TooLarge($"A request has at most {MaxElements} elements.");
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

    /// <summary>Null where so many bytes fit a message.</summary>
    public static CacheError? CheckSize(long bytes) =>
        bytes > BatchParts.MaxMessageBytes ? TooLarge($"A request has at most {BatchParts.MaxMessageBytes} bytes.") : null;

    private static CacheError TooLarge(string reason) => new(CacheErrorCode.LimitExceeded, reason) { Cause = RequestSizeLimit };

    // The cause that the server would give (LIM-2).
    private const string RequestSizeLimit = "request_size_limit_exceeded";
}
