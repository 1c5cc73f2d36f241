using System.Buffers.Text;
using System.Globalization;

namespace Larder.Redis;

/// <summary>The place of an entry in a stream of the engine, as <c>page-number</c>.</summary>
/// <param name="Page">The first half.</param>
/// <param name="Number">The second half.</param>
public readonly record struct StreamId(ulong Page, ulong Number) : IComparable<StreamId>
{
    /// <summary>Two numbers of 20 digits and what parts them.</summary>
    internal const int MostBytes = 41;

    /// <summary>Reads <c>1764000000000-17</c>.</summary>
    /// <exception cref="InvalidDataException">It is none.</exception>
    public static StreamId Parse(ReadOnlySpan<byte> text)
    {
        if (Utf8Parser.TryParse(text, out ulong page, out int used) && used < text.Length && text[used] == (byte)'-'
            && Utf8Parser.TryParse(text[(used + 1)..], out ulong number, out int more) && used + 1 + more == text.Length)
        {
            return new StreamId(page, number);
        }

        throw new InvalidDataException("A stream's entry without a place.");
    }

    /// <inheritdoc/>
    public int CompareTo(StreamId other) => Page == other.Page ? Number.CompareTo(other.Number) : Page.CompareTo(other.Page);

    /// <summary>Whether it comes before another.</summary>
    public static bool operator <(StreamId left, StreamId right) => left.CompareTo(right) < 0;

    /// <summary>Whether it comes after another.</summary>
    public static bool operator >(StreamId left, StreamId right) => left.CompareTo(right) > 0;

    /// <summary>Whether it comes before another, or is it.</summary>
    public static bool operator <=(StreamId left, StreamId right) => left.CompareTo(right) <= 0;

    /// <summary>Whether it comes after another, or is it.</summary>
    public static bool operator >=(StreamId left, StreamId right) => left.CompareTo(right) >= 0;

    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Page}-{Number}");

    /// <summary>Writes it as it is read.</summary>
    /// <param name="into">At least 41 bytes.</param>
    /// <returns>The bytes that it took.</returns>
    public int Format(Span<byte> into)
    {
        Utf8Formatter.TryFormat(Page, into, out int page);
        into[page] = (byte)'-';
        Utf8Formatter.TryFormat(Number, into[(page + 1)..], out int number);
        return page + 1 + number;
    }
}
