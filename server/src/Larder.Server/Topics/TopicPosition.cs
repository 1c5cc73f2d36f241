using System.Globalization;

namespace Larder.Server.Topics;

/// <summary>A position in a topic: a message number and its page.</summary>
/// <param name="Page">When the topic was created, in milliseconds since 1970; 0 if it was not created yet.</param>
/// <param name="Number">The message number, from 1; 0 for the position before the first message.</param>
internal readonly record struct TopicPosition(ulong Page, ulong Number)
{
    /// <summary>Returns the form used on the wire: <c>page-number</c>.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Page}-{Number}");
}
