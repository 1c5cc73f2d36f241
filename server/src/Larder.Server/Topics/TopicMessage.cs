namespace Larder.Server.Topics;

/// <summary>A published message before it has a number.</summary>
/// <param name="Value">The <c>TopicValue</c> as encoded in an item: one field, text (1) or binary (2), its length, and the value.</param>
/// <param name="ValueBytes">The size of the text or binary itself in bytes: at most <see cref="TopicLimits.MaxMessageBytes"/>.</param>
/// <param name="PublisherId">The ID of the publisher's token; empty if there was none.</param>
internal readonly record struct TopicMessage(ReadOnlyMemory<byte> Value, int ValueBytes, string PublisherId);
