namespace Larder.Client;

/// <summary>Converts lists of values to text.</summary>
public static class CacheValueExtensions
{
    /// <summary>Returns the values as text, decoded as UTF-8 on each call.</summary>
    /// <param name="values">The values of a result.</param>
    public static IReadOnlyList<string> ToStrings(this IReadOnlyList<CacheValue> values)
    {
        ArgumentNullException.ThrowIfNull(values);
        return [.. values.Select(static each => each.Text)];
    }

    /// <summary>Returns the values as text, decoded as UTF-8 on each call; null for a missing value.</summary>
    /// <param name="values">The values of a result.</param>
    public static IReadOnlyList<string?> ToStrings(this IReadOnlyList<CacheValue?> values)
    {
        ArgumentNullException.ThrowIfNull(values);
        return [.. values.Select(static each => each?.Text)];
    }
}
