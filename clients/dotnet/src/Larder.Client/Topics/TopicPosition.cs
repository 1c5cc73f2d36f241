using System.Globalization;

namespace Larder.Client.Topics;

/// <summary>The page and the number of the next message of a subscription. Page 0 means any page (TOP-20).</summary>
internal readonly record struct TopicPosition(ulong Page, ulong Number)
{
    /// <summary>Parses a position in the format <c>page-number</c>. Returns null if the text is invalid.</summary>
    public static TopicPosition? Parse(string? text)
    {
        int dash = text?.IndexOf('-', StringComparison.Ordinal) ?? -1;
        return
            dash >= 0
            && ulong.TryParse(text.AsSpan(0, dash), NumberStyles.None, CultureInfo.InvariantCulture, out ulong page)
            && ulong.TryParse(text.AsSpan(dash + 1), NumberStyles.None, CultureInfo.InvariantCulture, out ulong number)
            && number > 0
            ? new TopicPosition(page, number)
            : null;
    }

    /// <summary>Returns the position after a message. If the message has the maximum sequence number, returns the position of the message (TOP-22).</summary>
    public static TopicPosition After(ulong page, ulong number) => new(page, number == ulong.MaxValue ? number : number + 1);

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Page}-{Number}");
}
