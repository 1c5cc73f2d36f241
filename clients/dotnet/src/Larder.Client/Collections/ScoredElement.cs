using System.Globalization;
using System.Text;

namespace Larder.Client;

/// <summary>An element of a sorted set, as it is answered.</summary>
/// <param name="Value">The element's bytes.</param>
/// <param name="Score">Its score: a number, or infinite.</param>
public readonly record struct ScoredElement(ReadOnlyMemory<byte> Value, double Score)
{
    /// <summary>The element as text: its bytes read as UTF-8.</summary>
    public string ValueString => Encoding.UTF8.GetString(Value.Span);

    /// <summary>The type's name and the score: elements may be secrets.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{nameof(ScoredElement)} ({Score})");
}
