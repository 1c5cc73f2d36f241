using System.Globalization;

namespace Larder.Server.Topics;

/// <summary>A place in a topic: the number of a message, and the page that it counts in.</summary>
/// <param name="Page">When the topic was begun, in milliseconds since 1970; 0: it has not been yet.</param>
/// <param name="Number">From 1; 0: before the first.</param>
internal readonly record struct TopicPosition(ulong Page, ulong Number)
{
    /// <summary>As it travels: <c>page-number</c>.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Page}-{Number}");
}
