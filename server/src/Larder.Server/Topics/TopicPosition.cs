using System.Globalization;

namespace Larder.Server.Topics;

/// <summary>A position in a topic: a message number and its page.</summary>
/// <param name="Page">
/// The page number, which is the time when the topic was created, in milliseconds since 1970; 0 if the topic has not been created yet.
/// </param>
/// <param name="Number">The message number. The first message has number 1; 0 means the position before the first message.</param>
internal readonly record struct TopicPosition(ulong Page, ulong Number)
{
    /// <summary>Returns the position in the form that the protocol uses: <c>page-number</c>.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Page}-{Number}");
}
