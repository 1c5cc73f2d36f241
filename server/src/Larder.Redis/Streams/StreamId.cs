using System.Buffers.Text;
using System.Globalization;

namespace Larder.Redis;

/// <summary>The id of an entry in a Redis stream: two numbers, written as <c>page-number</c>.</summary>
/// <param name="Page">The first number.</param>
/// <param name="Number">The second number.</param>
public readonly record struct StreamId(ulong Page, ulong Number) : IComparable<StreamId>
{
    /// <summary>The maximum length of an id: two numbers of 20 digits, and a separator.</summary>
    internal const int MaxBytes = 41;

    /// <summary>Parses text like <c>1764000000000-17</c>.</summary>
    /// <exception cref="InvalidDataException">The text is not a valid id.</exception>
    public static StreamId Parse(ReadOnlySpan<byte> text)
    {
        if (Utf8Parser.TryParse(text, out ulong page, out int used) && used < text.Length && text[used] == (byte)'-'
            && Utf8Parser.TryParse(text[(used + 1)..], out ulong number, out int more) && used + 1 + more == text.Length)
        {
            return new StreamId(page, number);
        }

        throw new InvalidDataException("A stream entry has no id.");
    }

    /// <inheritdoc/>
    public int CompareTo(StreamId other) => Page == other.Page ? Number.CompareTo(other.Number) : Page.CompareTo(other.Page);

    /// <summary>Returns whether the left id precedes the right one.</summary>
    public static bool operator <(StreamId left, StreamId right) => left.CompareTo(right) < 0;

    /// <summary>Returns whether the left id follows the right one.</summary>
    public static bool operator >(StreamId left, StreamId right) => left.CompareTo(right) > 0;

    /// <summary>Returns whether the left id precedes the right one or equals it.</summary>
    public static bool operator <=(StreamId left, StreamId right) => left.CompareTo(right) <= 0;

    /// <summary>Returns whether the left id follows the right one or equals it.</summary>
    public static bool operator >=(StreamId left, StreamId right) => left.CompareTo(right) >= 0;

    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Page}-{Number}");

    /// <summary>Writes the id in the format of <see cref="Parse"/>.</summary>
    /// <param name="into">The destination: at least 41 bytes.</param>
    /// <returns>The number of bytes written.</returns>
    public int Format(Span<byte> into)
    {
        Utf8Formatter.TryFormat(Page, into, out int page);
        into[page] = (byte)'-';
        Utf8Formatter.TryFormat(Number, into[(page + 1)..], out int number);
        return page + 1 + number;
    }
}
