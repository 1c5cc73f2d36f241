using System.Globalization;
using System.Text;

namespace Larder.Client;

/// <summary>An element of a sorted set, in a response.</summary>
/// <param name="Value">The element's bytes.</param>
/// <param name="Score">The element's score: a number, finite or infinite.</param>
public readonly record struct ScoredElement(ReadOnlyMemory<byte> Value, double Score)
{
    /// <summary>Gets the element as text, decoded as UTF-8.</summary>
    public string ValueString => Encoding.UTF8.GetString(Value.Span);

    /// <summary>Returns only the type's name and the score, because elements may be secrets.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{nameof(ScoredElement)} ({Score})");
}
