namespace Larder.Server.Topics;

/// <summary>The requested starting position of a subscriber.</summary>
/// <param name="ResumeAt">The number of the first message; 0 to start at the newest kept message.</param>
/// <param name="Page">The page of <paramref name="ResumeAt"/>; 0 for any page.</param>
/// <param name="FromNow">Whether to receive only messages that are published after this request. If true, the other values are 0.</param>
internal readonly record struct TopicStart(ulong ResumeAt, ulong Page, bool FromNow = false);
