namespace Larder.Server.Tests.Fleet.Topics;

/// <summary>An item that a subscriber received: a message or a gap.</summary>
/// <param name="Page">The topic's page.</param>
/// <param name="Number">The message's number; for a gap, the number after which the messages continue.</param>
/// <param name="Text">The message; null for a gap.</param>
internal sealed record TopicStep(ulong Page, ulong Number, string? Text);
