namespace Larder.Client;

/// <summary>Converts lists of cache values to lists of strings.</summary>
public static class CacheValueExtensions
{
    /// <summary>Returns a new list with the values decoded as UTF-8 text.</summary>
    /// <param name="values">The values of a result.</param>
    public static IReadOnlyList<string> ToStrings(this IReadOnlyList<CacheValue> values)
    {
        ArgumentNullException.ThrowIfNull(values);
        return [.. values.Select(static each => each.Text)];
    }

    /// <summary>Returns a new list with the values decoded as UTF-8 text. A missing value becomes null.</summary>
    /// <param name="values">The values of a result.</param>
    public static IReadOnlyList<string?> ToStrings(this IReadOnlyList<CacheValue?> values)
    {
        ArgumentNullException.ThrowIfNull(values);
        return [.. values.Select(static each => each?.Text)];
    }
}
