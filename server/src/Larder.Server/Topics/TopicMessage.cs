namespace Larder.Server.Topics;

/// <summary>A published message before it has a number.</summary>
/// <param name="Value">The encoded <c>TopicValue</c>, which is sent to subscribers unchanged. It has one field, either text (1) or binary (2).</param>
/// <param name="ValueBytes">The size of the text or binary itself in bytes: at most <see cref="TopicLimits.MaxMessageBytes"/>.</param>
/// <param name="PublisherId">The ID of the publisher's token; empty if the publisher had no token.</param>
internal readonly record struct TopicMessage(ReadOnlyMemory<byte> Value, int ValueBytes, string PublisherId);
