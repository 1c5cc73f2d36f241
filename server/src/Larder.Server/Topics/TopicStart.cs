namespace Larder.Server.Topics;

/// <summary>Where a subscriber wants to begin.</summary>
/// <param name="ResumeAt">The number of the first message wanted; 0: the newest that is kept, and on.</param>
/// <param name="Page">The page of that number; 0: whichever there is.</param>
/// <param name="FromNow">Whether only what is published from now on is wanted; the others are 0 then.</param>
internal readonly record struct TopicStart(ulong ResumeAt, ulong Page, bool FromNow = false);
