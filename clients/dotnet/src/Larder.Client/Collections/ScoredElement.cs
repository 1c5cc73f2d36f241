using System.Globalization;

namespace Larder.Client;

/// <summary>An element of a sorted set, in a result.</summary>
/// <param name="Value">The element.</param>
/// <param name="Score">The element's score: a number, finite or infinite.</param>
public readonly record struct ScoredElement(CacheValue Value, double Score)
{
    /// <summary>Returns only the type's name and the score, because elements may be secrets.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{nameof(ScoredElement)} ({Score})");
}
