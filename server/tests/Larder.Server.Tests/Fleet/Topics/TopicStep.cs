namespace Larder.Server.Tests.Fleet.Topics;

/// <summary>What a subscriber was told: a message, or that some are missing.</summary>
/// <param name="Page">The page.</param>
/// <param name="Number">The message's number; of a gap, the one after which it goes on.</param>
/// <param name="Text">The message; null of a gap.</param>
internal sealed record TopicStep(ulong Page, ulong Number, string? Text);
