namespace Larder.Server.Topics;

/// <summary>The requested starting position of a subscriber.</summary>
/// <param name="ResumeAt">The number of the first message; 0 to start at the newest kept message.</param>
/// <param name="Page">The page of that number; 0 for any page.</param>
/// <param name="FromNow">Whether to receive only messages published from now on; the other values are then 0.</param>
internal readonly record struct TopicStart(ulong ResumeAt, ulong Page, bool FromNow = false);
